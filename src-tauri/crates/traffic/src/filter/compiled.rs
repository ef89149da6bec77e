//! Compiles a filter, so that it can be matched against many rows.

use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};
use sightglass_json_text::quoted;
use sightglass_model::ServerId;

use crate::{
    ExchangeKind, FilterProblem, Outcome, TrafficQuery,
    block::{Block, Entry, Flags, RowSettlement},
    filter::{Test, parse},
    quiet::is_quiet_phase,
    recorded_server::{ConnectionServer, is_of_check},
    shortened::shortened,
};

/// Texts of a query that were found in a row, a bit for each.
pub(crate) type TextMatches = u64;

/// A query, compiled.
#[derive(Debug)]
pub(crate) struct CompiledFilter {
    conditions: Vec<Condition>,
    /// The texts that conditions look for. At most 64.
    texts: Vec<Pattern>,
    kinds: Vec<ExchangeKind>,
    server: Option<ServerId>,
    /// The project whose server is meant; any where it is not given.
    project: Option<Arc<str>>,
    /// The text of the tool whose calls are meant.
    tool: Option<TextMatches>,
    invert: bool,
    /// Leaves out phases and heartbeats.
    folds_quiet: bool,
    /// Leaves out connections that check a server.
    folds_checks: bool,
}

/// A text that conditions look for.
#[derive(Debug)]
struct Pattern {
    expression: Regex,
    scope: TextScope,
}

/// Places in which a text counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextScope {
    /// Names, targets and payloads. Found in the text of a whole block at once.
    Anywhere,
    /// The same, each by itself, so that `^` and `$` are its ends.
    Each,
    /// The targets of tool calls.
    Tool,
    /// The targets of log messages.
    Log,
}

/// A place in which a text may stand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextPlace<'a> {
    /// The name of a method or a server.
    Name,
    /// The target of an entry with this method.
    Target(&'a str),
    Payload,
}

impl TextScope {
    fn covers(self, place: TextPlace<'_>) -> bool {
        match (self, place) {
            (TextScope::Anywhere | TextScope::Each, _) => true,
            (TextScope::Tool, TextPlace::Target(method)) => method == "tools/call",
            (TextScope::Log, TextPlace::Target(method)) => method == "notifications/message",
            _ => false,
        }
    }
}

/// Bytes of a payload in which a regular expression is looked for. A long one takes time for
/// every byte, and a search must not hold up the next.
const MAX_EXPRESSION_BYTES: usize = 1 << 20;

impl Pattern {
    fn is_in(&self, text: &[u8], place: TextPlace<'_>) -> bool {
        let searched = match self.scope {
            TextScope::Each => &text[..text.len().min(MAX_EXPRESSION_BYTES)],
            _ => text,
        };
        self.scope.covers(place) && self.expression.is_match(searched)
    }
}

impl Pattern {
    /// Looks into the target and the payload of an entry, which stand in `text`.
    fn is_in_entry(&self, block: &Block, entry: &Entry, text: &[u8]) -> bool {
        let start = entry.text_start as usize;
        let middle = start + usize::from(entry.target_length);
        let target = text.get(start..middle).unwrap_or_default();
        if self.is_in(target, TextPlace::Target(block.method(entry))) {
            return true;
        }
        if !self.scope.covers(TextPlace::Payload) || entry.flags.has(Flags::LARGE) {
            return false;
        }
        // A separator stands between the two.
        let payload = middle + 1..middle + 1 + entry.payload_length as usize;
        self.is_in(text.get(payload).unwrap_or_default(), TextPlace::Payload)
    }
}

#[derive(Debug)]
struct Condition {
    negated: bool,
    check: Check,
}

#[derive(Debug)]
enum Check {
    /// The text of this bit.
    Text(TextMatches),
    Other(Test),
}

/// Facts about a row that decide whether it matches.
pub(crate) struct FilterCandidate<'a> {
    pub block: &'a Block,
    pub entry: &'a Entry,
    pub settlement: Option<&'a RowSettlement>,
    pub found: TextMatches,
    pub server: &'a ConnectionServer,
    /// The note of its bookmark.
    pub note: Option<&'a str>,
    /// The server's name as a row has it.
    pub shown_name: &'a str,
}

impl CompiledFilter {
    /// Compiles a query, and returns the problem of its filter, if any.
    pub fn of(query: &TrafficQuery, project: Option<&Arc<str>>) -> (Self, Option<FilterProblem>) {
        let (filter, mut problem) = parse(&query.filter);
        let mut compiled = Self {
            conditions: Vec::new(),
            texts: Vec::new(),
            kinds: query.kinds.clone(),
            server: query.server.clone(),
            project: project.cloned(),
            tool: None,
            invert: query.invert && !filter.terms.is_empty(),
            folds_quiet: query.quiet
                && !filter.asks_for_quiet()
                && !query.kinds.contains(&ExchangeKind::Phase),
            folds_checks: query.without_checks
                && !filter.asks_for_checks()
                && !query.server.as_ref().is_some_and(is_of_check),
        };
        if let Some(expression) = query.tool.as_deref().and_then(whole) {
            let scope = TextScope::Tool;
            compiled.texts.push(Pattern { expression, scope });
            compiled.tool = Some(1);
        }
        for term in filter.terms {
            let pattern = match &term.test {
                Test::Text(text) => Some((pattern(text), TextScope::Anywhere)),
                Test::Expression(text) => Some((expression(text).ok(), TextScope::Each)),
                Test::Tool(part) => Some((folded(&regex::escape(part)), TextScope::Tool)),
                Test::Level(levels) => {
                    let levels = levels.join("|");
                    Some((folded(&format!("^(?:{levels})(?::|$)")), TextScope::Log))
                }
                _ => None,
            };
            let check = match pattern {
                Some((Some(expression), scope)) if compiled.texts.len() < 64 => {
                    compiled.texts.push(Pattern { expression, scope });
                    Check::Text(1 << (compiled.texts.len() - 1))
                }
                Some(_) => {
                    problem.get_or_insert(FilterProblem {
                        message: "This text is too long to search for.".to_owned(),
                        start: 0,
                        end: u32::try_from(query.filter.chars().count()).unwrap_or(u32::MAX),
                    });
                    continue;
                }
                None => Check::Other(term.test),
            };
            compiled.conditions.push(Condition {
                negated: term.negated,
                check,
            });
        }
        (compiled, problem)
    }

    /// Returns true when every row matches.
    pub fn is_everything(&self) -> bool {
        self.conditions.is_empty()
            && self.kinds.is_empty()
            && self.server.is_none()
            && self.tool.is_none()
    }

    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Returns true when a decision depends on how rows ended.
    pub fn needs_settlements(&self) -> bool {
        self.conditions.iter().any(|condition| {
            matches!(
                condition.check,
                Check::Other(
                    Test::Outcome(_) | Test::Code(_) | Test::Duration(..) | Test::Size(..)
                )
            )
        })
    }

    /// Returns true when a row in which no more than `found` was found cannot match.
    pub fn needs_more_than(&self, found: TextMatches) -> bool {
        if self.tool.is_some_and(|bit| found & bit == 0) {
            return true;
        }
        !self.invert
            && self.conditions.iter().any(|condition| {
                matches!(condition.check, Check::Text(bit) if !condition.negated && found & bit == 0)
            })
    }

    /// Finds the texts that stand in `text`.
    pub fn find(&self, text: &[u8], place: TextPlace<'_>) -> TextMatches {
        let mut found = 0;
        for (bit, pattern) in self.texts.iter().enumerate() {
            if pattern.is_in(text, place) {
                found |= 1 << bit;
            }
        }
        found
    }

    /// Calls `hit` with each entry of a block whose target or payload holds one of the texts.
    pub fn find_entries(
        &self,
        block: &Block,
        text: &[u8],
        mut hit: impl FnMut(usize, TextMatches),
    ) {
        for (bit, pattern) in self.texts.iter().enumerate() {
            if pattern.scope != TextScope::Anywhere {
                for (index, entry) in block.entries.iter().enumerate() {
                    if pattern.is_in_entry(block, entry, text) {
                        hit(index, 1 << bit);
                    }
                }
                continue;
            }
            let mut from = 0;
            while let Some(found) = pattern.expression.find_at(text, from) {
                let start = found.start();
                let index = block
                    .entries
                    .partition_point(|entry| entry.text_start as usize <= start)
                    .saturating_sub(1);
                hit(index, 1 << bit);
                // Once is enough for an entry.
                match block.entries.get(index + 1) {
                    Some(next) => from = next.text_start as usize,
                    None => break,
                }
            }
        }
    }

    /// Returns true when the row belongs to what the query asks for.
    pub fn decides(&self, candidate: &FilterCandidate<'_>) -> bool {
        let FilterCandidate { block, entry, .. } = *candidate;
        let is_check = is_of_check(&candidate.server.id);
        let is_heartbeat = || entry.flags.has(Flags::HEARTBEAT) && !is_check;
        if self.folds_quiet && (is_quiet_phase(entry.kind, block.method(entry)) || is_heartbeat()) {
            return false;
        }
        if self.folds_checks && is_check {
            return false;
        }
        if !self.kinds.is_empty() && !self.kinds.contains(&candidate.entry.kind) {
            return false;
        }
        if self.tool.is_some_and(|bit| candidate.found & bit == 0) {
            return false;
        }
        if let Some(server) = &self.server
            && !candidate.server.is(server, self.project.as_deref())
        {
            return false;
        }
        let all_hold = self
            .conditions
            .iter()
            .all(|condition| condition.check.holds(candidate) != condition.negated);
        all_hold != self.invert
    }
}

impl Check {
    fn holds(&self, candidate: &FilterCandidate<'_>) -> bool {
        let entry = candidate.entry;
        let settlement = candidate.settlement;
        match self {
            Check::Text(bit) => candidate.found & bit != 0,
            Check::Other(test) => match test {
                Test::Text(_) | Test::Expression(_) | Test::Tool(_) | Test::Level(_) => false,
                // Nobody sent a change of phase.
                Test::From(direction) => {
                    entry.kind != ExchangeKind::Phase && entry.direction == *direction
                }
                Test::Time(comparison, moment) => comparison.holds(entry.at, *moment),
                Test::Method(part) => contains(candidate.block.method(entry), part),
                Test::Server(part) => {
                    let id = candidate.server.id.as_str();
                    contains(candidate.shown_name, part) || contains(id, part)
                }
                Test::Project(part) => contains(&candidate.server.project, part),
                Test::Kind(kind) => entry.kind == *kind,
                Test::Outcome(outcome) => {
                    *outcome == settlement.map_or(entry.outcome, |settled| settled.outcome)
                }
                Test::Code(code) => {
                    let own = (entry.code != 0).then_some(entry.code);
                    settlement.and_then(|settled| settled.code).or(own) == Some(*code)
                }
                Test::Duration(comparison, limit) => settlement
                    .filter(|settled| settled.outcome != Outcome::Pending)
                    .and_then(|settled| settled.duration)
                    .is_some_and(|duration| comparison.holds(duration, *limit)),
                Test::Size(comparison, limit) => {
                    let response = settlement.map_or(0, |settled| settled.response_size);
                    comparison.holds(f64::from(entry.size) + f64::from(response), *limit)
                }
                Test::Check => is_of_check(&candidate.server.id),
                Test::Bookmarked => candidate.note.is_some(),
                Test::Note(part) => candidate.note.is_some_and(|note| contains(note, part)),
                Test::Id(id) => entry.frame == *id,
            },
        }
    }
}

/// Returns true when `text` holds `part`, which is in lower case.
fn contains(text: &str, part: &str) -> bool {
    text.contains(part) || text.to_lowercase().contains(part)
}

/// Finds `text` in any case, as it is and as JSON writes it.
fn pattern(text: &str) -> Option<Regex> {
    let mut pattern = regex::escape(text);
    let quoted = quoted(text);
    let inner = &quoted[1..quoted.len() - 1];
    if inner != text {
        pattern = format!("{pattern}|{}", regex::escape(inner));
    }
    folded(&pattern)
}

/// Finds a target that is `text`, shortened as targets are.
fn whole(text: &str) -> Option<Regex> {
    let pattern = regex::escape(&shortened(text));
    Regex::new(&format!(r"\A{pattern}\z")).ok()
}

/// Matches in any case.
fn folded(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(4 << 20)
        .build()
        .ok()
}

/// Bytes of a regular expression of the user's once it is compiled, and of its cache. Matching
/// takes time for each byte of text and, at worst, for each state: few states bound both.
const MAX_EXPRESSION_SIZE: usize = 96 << 10;
const MAX_EXPRESSION_CACHE: usize = 1 << 20;
/// Groups within groups.
const MAX_EXPRESSION_DEPTH: u32 = 30;

/// Compiles a regular expression of the user's, or says what is wrong with it.
pub(super) fn expression(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text)
        .case_insensitive(true)
        .size_limit(MAX_EXPRESSION_SIZE)
        .dfa_size_limit(MAX_EXPRESSION_CACHE)
        .nest_limit(MAX_EXPRESSION_DEPTH)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => {
                "This regular expression is too large. Repeat less in it.".to_owned()
            }
            error => {
                // The first lines show the place in a drawing.
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default();
                let reason = reason.trim_start_matches("error: ");
                format!("This is not a regular expression: {reason}.")
            }
        })
}
