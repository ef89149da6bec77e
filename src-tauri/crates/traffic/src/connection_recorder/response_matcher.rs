//! Correlates answers with requests, on one connection.

use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Direction, Outcome,
    block::RowSettlement,
    envelope::{MessageKind, PeekedMessage},
};

/// The most requests of one direction that may wait for their answers. One beyond that counts as
/// unanswered at once, since a server can send requests without end.
const MAX_OPEN_REQUESTS: usize = 10_000;
/// Lists whose pages are counted.
const MAX_PAGED_LISTS: usize = 64;

/// A row whose request has no answer so far.
#[derive(Debug, Clone)]
pub(crate) struct OpenRow {
    row: u32,
    began: Instant,
    cancelled: Cancelled,
    /// Number of answers that the row still waits for; more than one for a batch.
    in_batch: bool,
}

impl OpenRow {
    fn unanswered(&self, now: Instant) -> RowSettlement {
        RowSettlement {
            outcome: Outcome::Unanswered,
            duration: Some(now.saturating_duration_since(self.began)),
            ..RowSettlement::pending(self.row)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Cancelled {
    No,
    After(Duration),
}

/// The open requests of one connection. The two directions number their requests apart.
#[derive(Debug, Default)]
pub(crate) struct ResponseMatcher {
    sent: HashMap<Box<str>, OpenRow>,
    received: HashMap<Box<str>, OpenRow>,
    carriers: HashMap<u32, OpenRow>,
    /// The frames of the calls that we wait for, by their ids.
    calls: BTreeMap<Box<str>, u32>,
    /// The frames of the requests whose streams of notifications are open, by their ids.
    streams: BTreeMap<Box<str>, u32>,
    /// The page last asked for, by method.
    pages: HashMap<Box<str>, u32>,
    /// True once a request was sent that is no part of the handshake.
    is_in_use: bool,
}

/// The row that an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MatchedResponse {
    pub row: u32,
    pub duration: Duration,
    cancelled: Cancelled,
    /// True when more answers are to come for the same row.
    pub partial: bool,
}

impl MatchedResponse {
    /// Settles the row that `message` answered in `frame`.
    pub fn settlement(&self, message: &PeekedMessage<'_>, frame: u32, size: u32) -> RowSettlement {
        let (outcome, duration) = match self.cancelled {
            Cancelled::After(duration) => (Outcome::Cancelled, duration),
            Cancelled::No if self.partial => (Outcome::Pending, self.duration),
            Cancelled::No if message.has_error || message.result_is_error => {
                (Outcome::Error, self.duration)
            }
            Cancelled::No => (Outcome::Ok, self.duration),
        };
        RowSettlement {
            row: self.row,
            outcome,
            code: message.error_code,
            duration: Some(duration),
            response_frame: Some(frame),
            response_size: size,
        }
    }
}

impl ResponseMatcher {
    /// Returns the row of an HTTP request that was not answered yet.
    pub fn row_of_http(&self, frame: u32) -> Option<u32> {
        self.carriers.get(&frame).map(|open| open.row)
    }

    /// Notes a request that is sent. Returns true for one that only asks whether the server is
    /// still there: `ping`, and where there is none, `server/discover` once the handshake is over.
    pub fn is_heartbeat(&mut self, method: &str) -> bool {
        match method {
            "ping" => true,
            "server/discover" => self.is_in_use,
            method => {
                self.is_in_use |= method != "initialize";
                false
            }
        }
    }

    fn requests(&mut self, direction: Direction) -> &mut HashMap<Box<str>, OpenRow> {
        match direction {
            Direction::Sent => &mut self.sent,
            Direction::Received => &mut self.received,
        }
    }

    /// Returns the row that a message answers, if a request is open that has its id.
    pub fn answered(
        &mut self,
        message: &PeekedMessage<'_>,
        direction: Direction,
        now: Instant,
    ) -> Option<MatchedResponse> {
        if !matches!(
            message.kind(),
            MessageKind::Response | MessageKind::ErrorResponse
        ) {
            return None;
        }
        // What we send answers what was received, and the other way round.
        let asked = match direction {
            Direction::Sent => Direction::Received,
            Direction::Received => Direction::Sent,
        };
        if asked == Direction::Sent {
            self.calls.remove(message.id?);
            self.streams.remove(message.id?);
        }
        let requests = self.requests(asked);
        let open = requests.remove(message.id?)?;
        let partial = open.in_batch && requests.values().any(|other| other.row == open.row);
        Some(MatchedResponse {
            row: open.row,
            duration: now.saturating_duration_since(open.began),
            cancelled: open.cancelled,
            partial,
        })
    }

    /// Remembers the requests of one frame. Returns how those ended that nothing can answer any
    /// more: their id was used again, or too many are open.
    #[must_use]
    pub fn asked<'a>(
        &mut self,
        ids: impl ExactSizeIterator<Item = &'a str>,
        direction: Direction,
        row: u32,
        now: Instant,
    ) -> Vec<RowSettlement> {
        let mut unanswerable = Vec::new();
        let in_batch = ids.len() > 1;
        for id in ids {
            let open = OpenRow {
                row,
                began: now,
                cancelled: Cancelled::No,
                in_batch,
            };
            let requests = self.requests(direction);
            let displaced = if requests.len() < MAX_OPEN_REQUESTS || requests.contains_key(id) {
                requests.insert(id.into(), open)
            } else {
                Some(open)
            };
            let displaced = displaced.filter(|open| open.cancelled == Cancelled::No);
            unanswerable.extend(displaced.map(|open| open.unanswered(now)));
        }
        unanswerable
    }

    /// Ends request `id`, whose sender cancelled it.
    pub fn cancelled(
        &mut self,
        id: &str,
        direction: Direction,
        now: Instant,
    ) -> Option<RowSettlement> {
        let open = self.requests(direction).get_mut(id)?;
        if open.cancelled != Cancelled::No {
            return None;
        }
        let duration = now.saturating_duration_since(open.began);
        open.cancelled = Cancelled::After(duration);
        Some(RowSettlement {
            outcome: Outcome::Cancelled,
            duration: Some(duration),
            ..RowSettlement::pending(open.row)
        })
    }

    /// Ends request `id` of ours, to which no answer comes any more.
    pub fn refused(
        &mut self,
        id: &str,
        status: Option<u16>,
        now: Instant,
    ) -> Option<RowSettlement> {
        self.calls.remove(id);
        self.streams.remove(id);
        let open = self.sent.remove(id)?;
        if open.cancelled != Cancelled::No {
            return None;
        }
        let unanswered = open.unanswered(now);
        Some(match status {
            Some(status) => RowSettlement {
                outcome: Outcome::Error,
                code: Some(i32::from(status)),
                ..unanswered
            },
            None => unanswered,
        })
    }

    /// Counts the page of a list that a request of ours asks for.
    pub fn page(&mut self, method: &str, has_cursor: bool) -> Option<u32> {
        if self.pages.len() >= MAX_PAGED_LISTS && !self.pages.contains_key(method) {
            return None;
        }
        if !has_cursor {
            self.pages.insert(method.into(), 1);
            return None;
        }
        let page = self.pages.entry(method.into()).or_insert(1);
        *page += 1;
        Some(*page)
    }

    pub fn http_started(&mut self, carrier: u32, row: u32, now: Instant) {
        let open = OpenRow {
            row,
            began: now,
            cancelled: Cancelled::No,
            in_batch: false,
        };
        self.carriers.insert(carrier, open);
    }

    /// Returns the row of an HTTP request and how long it took.
    pub fn http_finished(&mut self, carrier: u32, now: Instant) -> Option<(u32, Duration)> {
        let open = self.carriers.remove(&carrier)?;
        Some((open.row, now.saturating_duration_since(open.began)))
    }

    /// Ends all open requests without an answer, since the connection is over.
    pub fn ended(&mut self, now: Instant) -> Vec<RowSettlement> {
        let requests = self.sent.drain().chain(self.received.drain());
        let open = requests
            .map(|(_, open)| open)
            .chain(self.carriers.drain().map(|(_, open)| open));
        let mut settlements: Vec<RowSettlement> = open
            .filter(|open| open.cancelled == Cancelled::No)
            .map(|open| open.unanswered(now))
            .collect();
        settlements.sort_unstable_by_key(|settlement| settlement.row);
        settlements.dedup_by_key(|settlement| settlement.row);
        self.pages.clear();
        self.calls.clear();
        self.streams.clear();
        settlements
    }

    /// Remembers that we wait for call `id`, which is `frame`.
    pub fn called(&mut self, id: &str, frame: u32) {
        if self.sent.contains_key(id) {
            self.calls.insert(id.into(), frame);
        }
    }

    /// Remembers that request `id`, which is `frame`, opened a stream of notifications.
    pub fn opened(&mut self, id: &str, frame: u32) {
        if self.sent.contains_key(id) {
            self.streams.insert(id.into(), frame);
        }
    }

    /// Returns the request on whose stream a notification came, by the `subscriptionId` in its
    /// `params`.
    pub fn stream_of(&self, params: Option<&RawValue>) -> Option<u32> {
        #[derive(Deserialize)]
        struct RequestParameters<'a> {
            #[serde(borrow, rename = "_meta")]
            meta: RequestMeta<'a>,
        }
        #[derive(Deserialize)]
        struct RequestMeta<'a> {
            #[serde(borrow, rename = "io.modelcontextprotocol/subscriptionId")]
            subscription: &'a RawValue,
        }
        if self.streams.is_empty() {
            return None;
        }
        let RequestParameters { meta } = serde_json::from_str(params?.get()).ok()?;
        self.streams.get(meta.subscription.get()).copied()
    }

    /// Returns the call during which something came, as far as that is certain: the one that
    /// `progress_token` names, or the only one. 0 for none.
    pub fn call_under_way(&self, progress_token: Option<&str>) -> u32 {
        let named = progress_token.and_then(|token| self.calls.get(token));
        let only = || self.calls.values().next().filter(|_| self.calls.len() == 1);
        named.or_else(only).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(matcher: &mut ResponseMatcher, id: &str, row: u32) -> Vec<RowSettlement> {
        let ids = std::iter::once(id);
        matcher.asked(ids, Direction::Received, row, Instant::now())
    }

    #[test]
    fn a_heartbeat_is_told_from_the_handshake() {
        let mut matcher = ResponseMatcher::default();
        assert!(!matcher.is_heartbeat("server/discover"));
        assert!(!matcher.is_heartbeat("initialize"));
        assert!(!matcher.is_heartbeat("server/discover"));
        assert!(!matcher.is_heartbeat("tools/list"));
        assert!(matcher.is_heartbeat("server/discover"));
        assert!(matcher.is_heartbeat("ping"));
    }

    #[test]
    fn a_request_whose_id_is_used_again_is_unanswered_and_not_kept() {
        let mut matcher = ResponseMatcher::default();
        assert!(ask(&mut matcher, "1", 1).is_empty());
        for row in 2..1000 {
            let settled = ask(&mut matcher, "1", row);
            assert_eq!(settled.len(), 1);
            assert_eq!(
                (settled[0].row, settled[0].outcome),
                (row - 1, Outcome::Unanswered)
            );
        }
        assert_eq!(matcher.received.len(), 1);
    }

    #[test]
    fn a_request_that_http_refuses_ends_with_its_status() {
        let mut matcher = ResponseMatcher::default();
        let now = Instant::now();
        for (id, row) in [("1", 7), ("2", 8)] {
            let ids = std::iter::once(id);
            assert!(matcher.asked(ids, Direction::Sent, row, now).is_empty());
        }
        let refused = matcher.refused("1", Some(403), now).expect("it was open");
        assert_eq!(
            (refused.row, refused.outcome, refused.code),
            (7, Outcome::Error, Some(403))
        );
        assert!(matcher.refused("1", Some(403), now).is_none());
        let broken = matcher.refused("2", None, now).expect("it was open");
        assert_eq!((broken.outcome, broken.code), (Outcome::Unanswered, None));
        assert!(matcher.ended(now).is_empty());
    }

    #[test]
    fn a_server_that_asks_without_end_is_not_remembered_without_end() {
        let mut matcher = ResponseMatcher::default();
        for row in 0..MAX_OPEN_REQUESTS as u32 {
            assert!(ask(&mut matcher, &row.to_string(), row).is_empty());
        }
        let settled = ask(&mut matcher, "one more", 70_000);
        assert_eq!(
            (settled[0].row, settled[0].outcome),
            (70_000, Outcome::Unanswered)
        );
        assert_eq!(matcher.received.len(), MAX_OPEN_REQUESTS);
        for method in 0..1000 {
            matcher.page(&format!("{method}/list"), false);
        }
        assert_eq!(matcher.pages.len(), MAX_PAGED_LISTS);
    }
}
