//! Collects the diagnostics of an attempt, for the doctor and for the next attempt: a short
//! account beside the record.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use sightglass_http::ShownCertificate;
use sightglass_model::{StrayOutput, brief};

use crate::sync::lock;

/// Entries of a kind that are kept.
const MAX_LINES: usize = 40;
/// Characters of a line that are kept.
const MAX_LINE_CHARACTERS: usize = 400;

#[derive(Debug, Default)]
pub(crate) struct Diagnostics(Mutex<Entries>);

#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    pub requests: Vec<RequestNote>,
    pub certificates: Option<ShownCertificate>,
    /// Lines on standard output that are no messages.
    pub stray: Vec<String>,
    /// Number of those lines, with the ones that are not kept.
    pub stray_count: u32,
    pub stderr: Vec<String>,
    pub answered_notifications: Vec<AnsweredNotification>,
    /// Methods whose answer had both a result and an error.
    pub double_answers: Vec<String>,
    /// Possible reasons for which the last token was refused, by its claims.
    pub token_faults: Vec<String>,
    /// For how long the newest answer asks to be left alone.
    retry_after: Option<Duration>,
    /// Number of event streams that are open for an answer and have brought nothing.
    silent_streams: usize,
}

/// One HTTP request and what came of it. Headers are left out, but for the telling ones.
#[derive(Debug, Clone)]
pub(crate) struct RequestNote {
    pub method: String,
    pub url: String,
    pub status: Option<u16>,
    pub content_type: Option<String>,
    pub location: Option<String>,
    /// `Retry-After`: until then the server wants to be left alone.
    pub retry_after: Option<Duration>,
    pub error: Option<String>,
    /// Milliseconds.
    pub duration: Duration,
}

/// A notification of ours that the server answered, which JSON-RPC 2.0 (section 4.1) forbids.
#[derive(Debug, Clone)]
pub(crate) struct AnsweredNotification {
    pub method: String,
    /// Beginning of the answer.
    pub answer: String,
}

impl Diagnostics {
    pub(crate) fn request(&self, note: RequestNote, certificates: Option<ShownCertificate>) {
        let mut entries = lock(&self.0);
        entries.retry_after = note.retry_after;
        if entries.requests.len() < MAX_LINES {
            entries.requests.push(note);
        }
        if certificates.is_some() {
            entries.certificates = certificates;
        }
    }

    pub(crate) fn stray(&self, line: &[u8]) {
        let mut entries = lock(&self.0);
        entries.stray_count = entries.stray_count.saturating_add(1);
        if entries.stray.len() < MAX_LINES {
            entries.stray.push(beginning(line));
        }
    }

    pub(crate) fn answered_notification(&self, method: &str, answer: &[u8]) {
        let mut entries = lock(&self.0);
        if entries.answered_notifications.len() < MAX_LINES {
            entries.answered_notifications.push(AnsweredNotification {
                method: method.to_owned(),
                answer: beginning(answer),
            });
        }
    }

    pub(crate) fn double_answer(&self, method: &str) {
        let mut entries = lock(&self.0);
        if entries.double_answers.len() < MAX_LINES {
            entries.double_answers.push(method.to_owned());
        }
    }

    /// Returns the number of lines on standard output that are no messages, and the first.
    pub(crate) fn stray_output(&self) -> Option<StrayOutput> {
        let entries = lock(&self.0);
        let first = entries.stray.first()?.clone();
        Some(StrayOutput {
            lines: entries.stray_count,
            first,
        })
    }

    pub(crate) fn stderr(&self, lines: Vec<String>) {
        lock(&self.0).stderr = lines;
    }

    pub(crate) fn refused_token(&self, possible_faults: Vec<String>) {
        lock(&self.0).token_faults = possible_faults;
    }

    /// For how long the server asked to be left alone when it last answered.
    pub(crate) fn asked_to_wait(&self) -> Option<Duration> {
        lock(&self.0).retry_after
    }

    /// Notes an event stream that was opened for an answer, for as long as nothing comes over it.
    pub(crate) fn silent_stream(self: &Arc<Self>) -> SilentStream {
        lock(&self.0).silent_streams += 1;
        SilentStream(Arc::clone(self))
    }

    /// Returns true when an event stream is open for an answer and has brought nothing.
    pub(crate) fn has_silent_stream(&self) -> bool {
        lock(&self.0).silent_streams > 0
    }

    pub(crate) fn entries(&self) -> Entries {
        lock(&self.0).clone()
    }
}

fn beginning(line: &[u8]) -> String {
    // A character has at most 4 bytes, and one more than are shown tells that some are left out.
    let most = 4 * (MAX_LINE_CHARACTERS + 1);
    let line = String::from_utf8_lossy(&line[..line.len().min(most)]);
    brief(&line, MAX_LINE_CHARACTERS).into_owned()
}

/// Note of an event stream over which nothing has come; it ends when dropped.
pub(crate) struct SilentStream(Arc<Diagnostics>);

impl Drop for SilentStream {
    fn drop(&mut self) {
        let mut entries = lock(&self.0.0);
        entries.silent_streams = entries.silent_streams.saturating_sub(1);
    }
}
