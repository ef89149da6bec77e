//! Notifications of ours that a server answers. JSON-RPC 2.0 (section 4.1) forbids it; where a
//! server does so, its answer must not be taken for that of a request.

use std::{collections::VecDeque, ops::RangeInclusive, sync::Mutex};

use sightglass_json_text::Members;
use sightglass_traffic::{MessageKind, envelope};

use crate::sync::lock;

/// Number of notifications that are kept; the oldest are forgotten.
const MAX_KEPT: usize = 16;
/// JSON-RPC: the method does not exist, or its parameters are wrong. Both are said of a message that
/// was read, so that a request's id would be known.
const OF_A_READ_MESSAGE: RangeInclusive<i64> = -32602..=-32601;
const CANCELLED: &str = "notifications/cancelled";

struct SentNotification {
    method: String,
    /// Number of the newest request before it.
    after: u64,
    /// True when the server has answered a later request, and so is past it.
    is_passed: bool,
}

/// The newest notifications that were sent and not answered.
#[derive(Default)]
pub(super) struct SentNotifications(Mutex<VecDeque<SentNotification>>);

impl SentNotifications {
    /// Keeps a message that is about to be sent, if it is a notification. `after` is the number of
    /// the newest request.
    pub(super) fn note(&self, text: &[u8], after: u64) {
        let envelope = envelope(text);
        let (MessageKind::Notification, Some(method)) = (envelope.kind, envelope.method) else {
            return;
        };
        let mut sent = lock(&self.0);
        if sent.len() == MAX_KEPT {
            sent.pop_front();
        }
        sent.push_back(SentNotification {
            method: method.into_owned(),
            after,
            is_passed: false,
        });
    }

    /// Notes that the server answered the request `id`.
    pub(super) fn passed_by(&self, id: u64) {
        let mut sent = lock(&self.0);
        for notification in sent.iter_mut().filter(|sent| sent.after < id) {
            notification.is_passed = true;
        }
    }

    /// Takes the notification that a message without an id answers, and returns its method: the
    /// one that it names, or else the oldest that the server is not past, where the message is a
    /// result or an error that a request would get under its id.
    pub(super) fn answered_by(&self, text: &[u8], is_error: bool) -> Option<String> {
        // Some write a slash in JSON with a backslash.
        let said = String::from_utf8_lossy(text).replace("\\/", "/");
        let mut sent = lock(&self.0);
        let named = sent.iter().position(|sent| said.contains(&sent.method));
        let at = named.or_else(|| match !is_error || is_of_a_read_message(&said) {
            // A call that was cancelled may be followed by another one, whose answer this may be.
            true => sent
                .iter()
                .position(|sent| !sent.is_passed && sent.method != CANCELLED),
            false => None,
        })?;
        sent.remove(at).map(|sent| sent.method)
    }
}

fn is_of_a_read_message(answer: &str) -> bool {
    let code = || -> Option<i64> {
        let error = Members::parse(answer).ok()?.object("error")?;
        error.text("code")?.parse().ok()
    };
    code().is_some_and(|code| OF_A_READ_MESSAGE.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INITIALIZED: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

    fn sent() -> SentNotifications {
        let sent = SentNotifications::default();
        sent.note(INITIALIZED, 1);
        sent
    }

    fn error(code: i32, message: &str) -> Vec<u8> {
        let error = format!(r#"{{"code":{code},"message":"{message}"}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":null,"error":{error}}}"#).into_bytes()
    }

    #[test]
    fn an_answer_without_an_id_is_that_of_the_notification_which_it_names_or_follows() {
        let named = error(-32000, r"unknown: notifications\/initialized");
        let result = br#"{"jsonrpc":"2.0","id":null,"result":{}}"#;
        for (answer, is_error) in [
            (named.as_slice(), true),
            (error(-32601, "Method not found").as_slice(), true),
            (error(-32602, "Missing id").as_slice(), true),
            (result.as_slice(), false),
        ] {
            let sent = sent();
            let method = sent.answered_by(answer, is_error);
            assert_eq!(method.as_deref(), Some("notifications/initialized"));
            assert_eq!(sent.answered_by(answer, is_error), None, "answered once");
        }
    }

    #[test]
    fn an_error_about_a_message_that_was_not_read_may_answer_a_request() {
        let sent = sent();
        assert_eq!(sent.answered_by(&error(-32700, "Parse error"), true), None);
        assert_eq!(sent.answered_by(&error(-32000, "Busy"), true), None);
        // Its id is null whatever it is about (JSON-RPC 2.0, section 5).
        assert_eq!(
            sent.answered_by(&error(-32600, "Invalid request"), true),
            None
        );
    }

    #[test]
    fn an_error_after_a_cancelled_call_is_not_taken_from_the_next_one() {
        let sent = SentNotifications::default();
        sent.note(
            br#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            1,
        );
        let unnamed = error(-32601, "Method not found");
        assert_eq!(sent.answered_by(&unnamed, true), None);
    }

    #[test]
    fn a_server_that_is_past_the_notification_answers_it_only_by_name() {
        let sent = sent();
        sent.passed_by(1);
        sent.passed_by(2);
        let unnamed = error(-32601, "Method not found");
        assert_eq!(sent.answered_by(&unnamed, true), None);
        let named = error(-32601, "notifications/initialized");
        assert!(sent.answered_by(&named, true).is_some());
    }

    #[test]
    fn requests_and_answers_are_no_notifications() {
        let sent = SentNotifications::default();
        sent.note(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, 0);
        sent.note(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#, 0);
        let unnamed = error(-32601, "Method not found");
        assert_eq!(sent.answered_by(&unnamed, true), None);
    }
}
