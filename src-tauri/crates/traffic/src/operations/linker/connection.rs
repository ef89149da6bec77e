//! State of one connection: its open requests by id and token, its HTTP requests, its lists.

use std::collections::HashMap;

use super::{Found, ObservedFrame, linked_request::LinkedRequest, round::OpenRounds};
use crate::{
    Direction, ExchangeKind,
    operations::{Certainty, EdgeKind, facts::RequestFacts, recent::Recent},
};

/// Requests, tokens and HTTP requests of one connection that are remembered.
const MAX_REQUESTS: usize = 10_000;
/// Resources that results linked to.
const MAX_RESOURCES: usize = 1_000;
/// Notifications of one list, until it is read again.
const MAX_CHANGES: usize = 16;

/// One connection.
#[derive(Debug)]
pub(super) struct LinkedConnection {
    sent: Requests,
    received: Requests,
    http: Recent<u32, HttpCarrier>,
    is_http: bool,
    /// False when requests may be open that are not known here.
    pub is_whole: bool,
    /// The first row of the sign-in that this is the connection of.
    pub sign_in: Option<u32>,
    /// Rows that said that a list had changed, by the method that reads it.
    changed: HashMap<&'static str, Vec<u32>>,
    /// The row whose result linked to a resource; `None` where there are several.
    resources: Recent<String, Option<u32>>,
    pub last_frame: u32,
}

/// Requests of one side.
#[derive(Debug)]
pub(super) struct Requests {
    /// The newest request of each id, answered or not.
    pub by_id: Recent<Box<str>, u32>,
    /// The newest request of each progress token.
    pub by_token: Recent<Box<str>, u32>,
    /// Requests without an answer, by their rows.
    pub open: HashMap<u32, LinkedRequest>,
    pub rounds: OpenRounds,
}

/// An HTTP request.
#[derive(Debug)]
struct HttpCarrier {
    row: u32,
    is_post: bool,
    /// The row of the message that it carried.
    owner: Option<u32>,
}

impl Requests {
    fn new() -> Self {
        Self {
            by_id: Recent::new(MAX_REQUESTS),
            by_token: Recent::new(MAX_REQUESTS),
            open: HashMap::new(),
            rounds: OpenRounds::default(),
        }
    }
}

impl LinkedConnection {
    pub fn new(is_whole: bool) -> Self {
        Self {
            sent: Requests::new(),
            received: Requests::new(),
            http: Recent::new(MAX_REQUESTS),
            is_http: false,
            is_whole,
            sign_in: None,
            changed: HashMap::new(),
            resources: Recent::new(MAX_RESOURCES),
            last_frame: 0,
        }
    }

    pub fn requests(&mut self, direction: Direction) -> &mut Requests {
        match direction {
            Direction::Sent => &mut self.sent,
            Direction::Received => &mut self.received,
        }
    }

    pub fn http_started(&mut self, frame: &ObservedFrame<'_>) {
        self.is_http |= frame.kind == ExchangeKind::Http;
        let request = HttpCarrier {
            row: frame.row,
            is_post: frame.method.starts_with("POST "),
            owner: None,
        };
        self.http.insert(frame.frame, request);
    }

    /// Makes `row` the owner of an HTTP request that has none, and returns the request's row. Only a
    /// POST carries one message; a stream carries those of many.
    pub fn own(&mut self, carrier: u32, row: u32) -> Option<u32> {
        let request = self.http.get_mut(&carrier)?;
        if !request.is_post || request.owner.is_some() {
            return None;
        }
        request.owner = Some(row);
        Some(request.row)
    }

    /// The row whose message an HTTP request carried.
    pub fn owner(&self, carrier: u32) -> Option<u32> {
        self.http.get(&carrier)?.owner
    }

    /// Remembers a request. `first` is the row of its first round.
    pub fn asked(&mut self, frame: &ObservedFrame<'_>, request: &RequestFacts<'_>, first: u32) {
        let requests = self.requests(frame.direction);
        requests.by_id.insert(request.id.into(), frame.row);
        if let Some(token) = request.progress_token {
            requests.by_token.insert(token.into(), frame.row);
        }
        if let Some(open) = requests.open.get_mut(&frame.row) {
            open.answers += 1;
        } else if requests.open.len() < MAX_REQUESTS {
            let open = LinkedRequest {
                method: request.method.clone(),
                name: request.name.clone(),
                first,
                answers: 1,
            };
            requests.open.insert(frame.row, open);
        } else {
            self.is_whole = false;
        }
    }

    /// Counts an answer in a batch, which has a row of its own.
    pub fn answered(&mut self, frame: &ObservedFrame<'_>, id: &str) {
        let requests = self.requests(super::opposite(frame.direction));
        let Some(row) = requests.by_id.get(id).copied() else {
            return;
        };
        if let Some(open) = requests.open.get_mut(&row) {
            open.answers = open.answers.saturating_sub(1);
            if open.answers == 0 {
                requests.open.remove(&row);
            }
        }
    }

    /// The one request of ours that a server can be working on, where there is one stream for all.
    pub fn only_open(&self) -> Option<u32> {
        if self.is_http || !self.is_whole {
            return None;
        }
        let mut working = self
            .sent
            .open
            .iter()
            .filter(|(_, open)| is_work(&open.method));
        match (working.next(), working.next()) {
            (Some((row, _)), None) => Some(*row),
            _ => None,
        }
    }

    /// The request whose subscription a notification belongs to.
    pub fn subscription(&mut self, direction: Direction, id: &str) -> Option<u32> {
        let requests = self.requests(super::opposite(direction));
        let row = *requests.by_id.get(id)?;
        let open = requests.open.get(&row)?;
        (open.method == "subscriptions/listen").then_some(row)
    }

    /// Remembers that a list has changed.
    pub fn list_changed(&mut self, method: &str, row: u32) {
        let lists: &[&'static str] = match method {
            "notifications/tools/list_changed" => &["tools/list"],
            "notifications/prompts/list_changed" => &["prompts/list"],
            "notifications/resources/list_changed" => {
                &["resources/list", "resources/templates/list"]
            }
            _ => return,
        };
        for list in lists {
            let rows = self.changed.entry(list).or_default();
            if rows.len() < MAX_CHANGES {
                rows.push(row);
            }
        }
    }

    /// Remembers the resources that a result links to.
    pub fn linked_resources(&mut self, row: u32, uris: Vec<String>) {
        for uri in uris {
            match self.resources.get_mut(&uri) {
                Some(known) if *known != Some(row) => *known = None,
                Some(_) => {}
                None => self.resources.insert(uri, Some(row)),
            }
        }
    }

    /// Links a request to what caused it in other operations.
    pub fn side_causes(&mut self, row: u32, request: &RequestFacts<'_>, found: &mut Found<'_>) {
        if request.method == "resources/read"
            && let Some(name) = &request.name
            && let Some(Some(cause)) = self.resources.get(name)
        {
            found.side(row, *cause, EdgeKind::ResourceLink, Certainty::Inferred);
        }
        if request.has_cursor {
            return;
        }
        let changes = self.changed.remove(request.method.as_str());
        for cause in changes.unwrap_or_default() {
            found.side(row, cause, EdgeKind::ListRefresh, Certainty::Inferred);
        }
    }
}

/// Returns false for requests during which a server has nothing to ask.
fn is_work(method: &str) -> bool {
    !matches!(method, "ping" | "initialize" | "subscriptions/listen")
}
