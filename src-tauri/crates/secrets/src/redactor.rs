//! Masks secrets in whatever is about to leave memory: the record, status texts, reports,
//! exports and logs.
//!
//! A [`Redactor`] is given values and masks them wherever they occur, in each of the spellings
//! that a peer may give them.
//!
//! # Scope
//!
//! Everything that is written or handed on is masked: the record, status texts, failures, reports,
//! exports, logs, remembered arguments. Results are read back from the record, so that what is
//! shown, copied and saved of them is masked too.
//!
//! Shown to the user as it came, in the window alone, is what a server lists, how far it says to
//! be, and what it asks for: a mask would hide the fault that the user looks for, or change what
//! they answer. It lives in memory, and stands in the record masked like everything else. What an
//! entry says is shown unmasked only where the user approves or edits it.
//!
//! # Speed
//!
//! The redactor runs on every message, so that a text without a secret has to pass quickly. A
//! value has up to seven patterns: itself and six base64 forms. An automaton for all of them reads
//! every byte; [`Finder`] reads one block in about the length of the shortest pattern. Escaped
//! spellings are looked for only in a text with an escape that one of the values could be written
//! with.
//!
//! Measured in MB/s of processor time (release build, a line repeated to 16 MB, without secrets but
//! for the last kind), beside an automaton for the values and their usual spellings alone, without
//! base64 and mixed escapes:
//!
//! | text                     | 5 values | automaton | 200 values | automaton |
//! |--------------------------|---------:|----------:|-----------:|----------:|
//! | JSON                     |     2363 |       703 |       2259 |       527 |
//! | prose                    |     1334 |       859 |       1364 |       540 |
//! | base64                   |     1425 |       (1) |       1387 |       501 |
//! | short lines              |      603 |       732 |        732 |       530 |
//! | escaped quotes           |      710 |       (1) |        721 |       524 |
//! | escapes of secret letters|      358 |       448 |        439 |       528 |
//! | secrets                  |      620 |       362 |        542 |       411 |
//!
//! (1) A few values with the same first letter are looked for at the speed of memory where that
//! letter is missing. No text passes at less than the speed at which its JSON is parsed.

mod finder;
mod spelling;
mod split;

use std::{
    borrow::Cow,
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

use regex::bytes::Regex;

use crate::{MASK, Secret};
use finder::Finder;
use spelling::Escapes;
pub use split::SplitSecrets;

/// Shorter values would also mask half of all ordinary text.
const MIN_SECRET_LENGTH: usize = 6;

/// The characters of values whose escaped spellings are looked for in any mixture. Beyond them
/// the usual spellings alone are.
const MAX_CHARACTERS: usize = 16 * 1024;

/// Masks values in texts. Cheap to clone.
///
/// Recognised are a value as it is; escaped in JSON, also needlessly and by any number of
/// levels; percent-encoded, also repeatedly, with `+` for a space; in base64 of either
/// alphabet, within whatever else was encoded with it; and broken by line breaks. Values of
/// fewer than six bytes are left alone.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Nothing when there is nothing to look for.
    search: Option<Arc<SecretSearch>>,
}

struct SecretSearch {
    values: Vec<Secret<String>>,
    /// The texts to look for as they are, without line breaks, the longest first.
    plain: Vec<Vec<u8>>,
    /// Nothing when it could not be built: everything is masked instead.
    finder: Option<Finder>,
    escapes: Escapes,
    /// Written with escapes. Built when the first text has one of them.
    escaped: OnceLock<Option<Regex>>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.search.as_ref().map_or(0, |search| search.values.len());
        write!(formatter, "Redactor({count} values)")
    }
}

impl Redactor {
    /// Masks each of these values of six bytes or more; shorter ones are left alone.
    pub fn new(secret_values: impl IntoIterator<Item = Secret<String>>) -> Self {
        let mut values: Vec<Secret<String>> = secret_values
            .into_iter()
            .map(|secret| Secret::new(secret.expose().trim().to_owned()))
            .filter(|secret| is_long_enough(secret.expose()) && !secret.expose().contains(MASK))
            .collect();
        values.sort_unstable();
        values.dedup();
        if values.is_empty() {
            return Self::default();
        }
        Self {
            search: Some(Arc::new(SecretSearch::of(values))),
        }
    }

    /// One that masks these values too; nothing when it does so already.
    pub fn with(&self, more: &[Secret<String>]) -> Option<Self> {
        let known = self.values();
        let is_new = |secret: &&Secret<String>| {
            let value = secret.expose().trim();
            is_long_enough(value) && !known.iter().any(|known| known.expose() == value)
        };
        let new: Vec<_> = more.iter().filter(is_new).cloned().collect();
        (!new.is_empty()).then(|| Self::new(known.iter().cloned().chain(new)))
    }

    fn values(&self) -> &[Secret<String>] {
        self.search.as_ref().map_or(&[], |search| &search.values)
    }

    /// `text` with every secret masked; nothing when there is none in it.
    pub fn bytes(&self, text: &[u8]) -> Option<Vec<u8>> {
        let search = self.search.as_ref()?;
        mask(text, search.places(text))
    }

    /// `text` with every secret masked.
    pub fn text<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        match self.bytes(text.as_bytes()) {
            Some(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
            None => text,
        }
    }

    /// One line of an output, with the secrets masked that it holds and the parts of those
    /// that began on the line before or go on after it; nothing when there are none.
    pub fn line(&self, line: &[u8], split: &mut SplitSecrets) -> Option<Vec<u8>> {
        let search = self.search.as_ref()?;
        let mut places = search.places(line);
        places.extend(split.places(&search.plain, line));
        mask(line, places)
    }
}

fn is_long_enough(value: &str) -> bool {
    value.len() >= MIN_SECRET_LENGTH
}

impl SecretSearch {
    fn of(values: Vec<Secret<String>>) -> Self {
        let mut texts: Vec<&str> = Vec::new();
        for value in values.iter().map(Secret::expose) {
            texts.push(value);
            // Output arrives line by line, so a key of several lines has to be known by each.
            if value.contains('\n') {
                texts.extend(
                    value
                        .lines()
                        .map(str::trim)
                        .filter(|line| is_long_enough(line)),
                );
            }
        }
        texts.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        texts.dedup();
        let mut plain: Vec<Vec<u8>> = Vec::new();
        let mut escaped: Vec<String> = Vec::new();
        let mut characters = 0;
        for text in texts {
            let encoded = spelling::base64(text.as_bytes());
            let beginning = characters;
            characters += text.len();
            if characters <= MAX_CHARACTERS {
                escaped.push(text.to_owned());
                // Only these are ever written with escapes.
                let special = encoded.iter().filter(|text| text.contains(['+', '/']));
                escaped.extend(special.cloned());
            } else {
                characters = beginning;
                plain.extend(spelling::usual(text));
            }
            plain.push(text.replace(['\n', '\r'], "").into_bytes());
            plain.extend(encoded.into_iter().map(String::into_bytes));
        }
        plain.sort_unstable_by(|one, other| (other.len(), one).cmp(&(one.len(), other)));
        plain.dedup();
        Self {
            finder: Finder::of(&plain),
            escapes: Escapes::of(escaped),
            escaped: OnceLock::new(),
            plain,
            values,
        }
    }

    /// The bytes that are secret, in no order.
    fn places(&self, text: &[u8]) -> Vec<Range<usize>> {
        let everything = || std::iter::once(0..text.len()).collect();
        let Some(finder) = &self.finder else {
            return everything();
        };
        let mut places = finder.find_in(text);
        if self.escapes.occur_in(text) {
            let Some(escaped) = self.escaped.get_or_init(|| self.escapes.search()) else {
                return everything();
            };
            places.extend(escaped.find_iter(text).map(|found| found.range()));
        }
        places
    }
}

/// Replaces these places, which may overlap. Nothing when there are none.
fn mask(text: &[u8], mut places: Vec<Range<usize>>) -> Option<Vec<u8>> {
    if places.is_empty() {
        return None;
    }
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let mut masked = Vec::with_capacity(text.len());
    let mut copied = 0;
    for place in places {
        // One that begins within the one before is part of the same mask.
        if place.start >= copied {
            masked.extend_from_slice(&text[copied..place.start]);
            masked.extend_from_slice(MASK.as_bytes());
        }
        copied = copied.max(place.end);
    }
    masked.extend_from_slice(&text[copied..]);
    Some(masked)
}

#[cfg(test)]
mod tests;
