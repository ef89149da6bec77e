//! Input-required rounds of one side's requests (SEP-2322).

use std::collections::{BTreeSet, VecDeque};

use sightglass_model::Timestamp;

use super::{ObservedFrame, linked_request::LinkedRequest};
use crate::operations::{
    Certainty,
    facts::{InputRequired, RequestFacts},
};

/// Results of one connection that wait for their next round.
const MAX_ROUNDS: usize = 1_000;

/// Results that asked for input, until the next round comes.
#[derive(Debug, Default)]
pub(super) struct OpenRounds {
    candidates: VecDeque<RoundCandidate>,
}

/// A result that asked for input.
#[derive(Debug)]
pub(super) struct RoundCandidate {
    row: u32,
    /// The row of the first round.
    pub first: u32,
    method: String,
    name: Option<String>,
    /// Its `requestState` as it was written.
    state: Option<String>,
    keys: BTreeSet<String>,
    /// The moment of the result.
    pub at: Timestamp,
    pub asks_person: bool,
}

/// The result that a request returns to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Returned {
    pub row: u32,
    pub certainty: Certainty,
}

impl OpenRounds {
    /// Remembers a result that asks for input. Returns false for one that cannot.
    pub fn required(
        &mut self,
        frame: &ObservedFrame<'_>,
        open: &LinkedRequest,
        asks: InputRequired<'_>,
    ) -> bool {
        if !has_rounds(&open.method) {
            return false;
        }
        if self.candidates.len() >= MAX_ROUNDS {
            self.candidates.pop_front();
        }
        self.candidates.push_back(RoundCandidate {
            row: frame.row,
            first: open.first,
            method: open.method.clone(),
            name: open.name.clone(),
            state: asks.state.map(str::to_owned),
            keys: asks.keys,
            at: frame.at,
            asks_person: asks.asks_person,
        });
        true
    }

    /// Finds the one result whose next round a request is; none where two fit.
    pub fn returned(&self, request: &RequestFacts<'_>) -> Option<Returned> {
        let answers = request.request_state.is_some() || request.answered.is_some();
        if !answers || !has_rounds(&request.method) {
            return None;
        }
        let same = |candidate: &&RoundCandidate| {
            candidate.method == request.method && candidate.name == request.name
        };
        if let Some(state) = request.request_state {
            let equal = self.candidates.iter().filter(same);
            let mut equal = equal.filter(|candidate| candidate.state.as_deref() == Some(state));
            match (equal.next(), equal.next()) {
                (Some(only), None) => return Some(only.returned(Certainty::Sure)),
                (Some(_), Some(_)) => return None,
                (None, _) => {}
            }
        }
        let keys = request.answered.as_ref()?;
        let fitting = self.candidates.iter().filter(same);
        let mut fitting = fitting.filter(|candidate| candidate.keys == *keys);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(only.returned(Certainty::Inferred)),
            _ => None,
        }
    }

    /// Takes out the result of a row, whose next round came.
    pub fn take(&mut self, row: u32) -> Option<RoundCandidate> {
        let place = self.candidates.iter().position(|one| one.row == row)?;
        self.candidates.remove(place)
    }
}

impl RoundCandidate {
    fn returned(&self, certainty: Certainty) -> Returned {
        Returned {
            row: self.row,
            certainty,
        }
    }
}

/// Returns true for the requests that are answered in rounds.
fn has_rounds(method: &str) -> bool {
    matches!(method, "tools/call" | "prompts/get" | "resources/read")
}
