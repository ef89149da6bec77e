//! Records a server's stderr line by line, and keeps the end of it for the
//! explanation of a failure.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use anstream::adapter::strip_str;
use bytes::{Bytes, BytesMut};
use sightglass_model::brief;
use sightglass_secrets::SplitSecrets;
use tokio::{io::AsyncReadExt, process::ChildStderr, time::sleep};

use crate::{sync::lock, transport::TransportEvents};

/// At most this many lines are kept.
const TAIL_LINES: usize = 50;
/// At most this many bytes are kept.
const TAIL_BYTES: usize = 8 * 1024;
/// Characters of a question that are shown.
const MAX_QUESTION_CHARACTERS: usize = 200;
/// Words of a question that ends with no mark.
const QUESTION_WORDS: [&str; 3] = ["password", "passphrase", "press"];
/// Answers that a question offers in brackets at its end.
const ANSWERS: [&str; 4] = ["y", "n", "yes", "no"];
/// A line longer than this is recorded in pieces.
const LINE_BYTES: usize = 64 * 1024;
/// Bytes that are recorded after the connection ended: the last words of a program that closes
/// down, and no more of one that does not.
const MAX_BYTES_AFTER_END: usize = 64 * 1024;

/// Time after which the beginning of a line is shown that does not end: a program that asks
/// something leaves the cursor behind its question.
const OPEN_LINE_DELAY: Duration = Duration::from_millis(250);

/// The last lines of an output.
#[derive(Default)]
pub(super) struct Tail {
    lines: VecDeque<String>,
    /// The beginning of a line that has not ended.
    open: Option<String>,
    bytes: usize,
    dropped: usize,
}

impl Tail {
    pub(super) fn push(&mut self, mut line: String) {
        self.open = None;
        if line.len() > TAIL_BYTES {
            let mut start = line.len() - TAIL_BYTES;
            while !line.is_char_boundary(start) {
                start += 1;
            }
            line.replace_range(..start, "");
        }
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.lines.len() > TAIL_LINES || self.bytes > TAIL_BYTES {
            let Some(oldest) = self.lines.pop_front() else {
                return;
            };
            self.bytes -= oldest.len();
            self.dropped += 1;
        }
    }

    /// The lines kept, oldest first; the first one says how many came before.
    pub(super) fn lines(&self) -> Vec<String> {
        let note = (self.dropped > 0).then(|| match self.dropped {
            1 => "… (1 earlier line in the traffic)".to_owned(),
            dropped => format!("… ({dropped} earlier lines in the traffic)"),
        });
        let open = self.open.iter();
        note.into_iter()
            .chain(self.lines.iter().chain(open).cloned())
            .collect()
    }

    /// The question that stands at the end: a line that has not ended for a while, or the last one
    /// where it asks for an answer.
    pub(super) fn question(&self) -> Option<String> {
        self.open_line().or_else(|| {
            let last = self.lines.back().filter(|_| self.open.is_none())?;
            let line = strip_str(last).to_string();
            asks_at_end(&line).then(|| brief(&line, MAX_QUESTION_CHARACTERS).into_owned())
        })
    }

    /// The beginning of a line that has not ended for a while and reads as a question; a bar of
    /// progress does not.
    fn open_line(&self) -> Option<String> {
        let line = strip_str(self.open.as_deref()?.rsplit('\r').next()?).to_string();
        is_question(&line).then(|| brief(&line, MAX_QUESTION_CHARACTERS).into_owned())
    }
}

/// Tells if a line without an end asks for an answer.
fn is_question(line: &str) -> bool {
    let text = line.trim_end().to_lowercase();
    let mut words = text.split(|character: char| !character.is_alphanumeric());
    if text.ends_with(['?', ':', '>']) || words.any(|word| QUESTION_WORDS.contains(&word)) {
        return true;
    }
    offers_answers(&text)
}

/// Tells if a line that has ended asks for an answer: fewer forms do than in one that is left open.
fn asks_at_end(line: &str) -> bool {
    let text = line.trim_end().to_lowercase();
    text.ends_with('?') || line.ends_with(": ") || offers_answers(&text)
}

/// Tells if a text in lower case ends with answers in brackets, or with something in them behind a
/// question.
fn offers_answers(text: &str) -> bool {
    let opening = match text.chars().next_back() {
        Some(')') => text.rfind('('),
        Some(']') => text.rfind('['),
        _ => None,
    };
    opening.is_some_and(|opening| {
        let (before, choice) = text.split_at(opening);
        let mut answers = choice.split(|character: char| !character.is_alphanumeric());
        before.trim_end().ends_with('?') || answers.any(|answer| ANSWERS.contains(&answer))
    })
}

pub(super) async fn read(
    mut pipe: ChildStderr,
    events: Arc<impl TransportEvents>,
    tail: Arc<Mutex<Tail>>,
) {
    let mut buffer = BytesMut::new();
    let mut remaining = MAX_BYTES_AFTER_END;
    let mut dropped = 0;
    let mut split = SplitSecrets::default();
    let mut is_open_shown = false;
    loop {
        buffer.reserve(4096);
        let read = tokio::select! {
            biased;
            read = pipe.read_buf(&mut buffer) => read,
            () = sleep(OPEN_LINE_DELAY), if !buffer.is_empty() && !is_open_shown => {
                is_open_shown = true;
                let shown = events.connection().recorder.unfinished_line(&buffer, &split);
                lock(&tail).open = Some(shown);
                events.connection().wrote_text.notify_one();
                continue;
            }
        };
        is_open_shown = false;
        let ended = !matches!(read, Ok(read) if read > 0);
        while let Some(line) = next_line(&mut buffer, ended) {
            if events.connection().ended.is_cancelled() {
                if line.len() > remaining {
                    remaining = 0;
                    dropped += line.len();
                    continue;
                }
                remaining -= line.len();
            }
            // Shown beside the failure, so secrets are masked there as in the record.
            let shown = events.connection().recorder.stderr(line, &mut split).await;
            lock(&tail).push(shown);
            events.connection().wrote_text.notify_one();
        }
        if ended {
            if dropped > 0 {
                let message = format!(
                    "The program wrote {dropped} more bytes to stderr after the connection ended. \
                     They were dropped."
                );
                events.connection().recorder.note("dropped", &message);
            }
            return;
        }
    }
}

/// Takes one line off the buffer, without its line break.
fn next_line(buffer: &mut BytesMut, ended: bool) -> Option<Bytes> {
    let (length, line_break) = match memchr::memchr(b'\n', buffer) {
        Some(position) => (position, 1),
        None if buffer.len() >= LINE_BYTES => (LINE_BYTES, 0),
        None if ended && !buffer.is_empty() => (buffer.len(), 0),
        None => return None,
    };
    let mut line = buffer.split_to(length + line_break).freeze();
    line.truncate(length);
    if line.last() == Some(&b'\r') {
        line.truncate(length - 1);
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_keeps_the_last_lines_and_says_how_many_came_before() {
        let mut tail = Tail::default();
        for number in 0..60 {
            tail.push(format!("line {number}"));
        }
        let lines = tail.lines();
        assert_eq!(lines.len(), TAIL_LINES + 1);
        assert_eq!(lines[0], "… (10 earlier lines in the traffic)");
        assert_eq!(lines[TAIL_LINES], "line 59");
    }

    #[test]
    fn a_line_without_an_end_is_among_the_lines_until_it_ends() {
        let mut tail = Tail::default();
        tail.push("one".to_owned());
        tail.open = Some("Ok to proceed? (y) ".to_owned());
        assert_eq!(tail.lines(), ["one", "Ok to proceed? (y) "]);
        assert_eq!(tail.open_line().as_deref(), Some("Ok to proceed? (y) "));
        tail.open = Some("Loading 44%\rLoading 45%".to_owned());
        assert_eq!(tail.open_line(), None);
        tail.open = Some("Ok to proceed? (y) ".to_owned());
        tail.push("Ok to proceed? (y) no".to_owned());
        assert_eq!(tail.lines(), ["one", "Ok to proceed? (y) no"]);
        assert_eq!(tail.open_line(), None);
    }

    #[test]
    fn a_question_is_told_from_progress() {
        let shown = |line: &str| {
            let tail = Tail {
                open: Some(line.to_owned()),
                ..Tail::default()
            };
            tail.open_line()
        };
        for line in [
            "Press any key to continue . . .",
            "Enter password",
            "Proceed? [y/N]",
            "Go on (yes/no)",
            "Port? [3000] ",
            "> ",
        ] {
            assert_eq!(shown(line).as_deref(), Some(line));
        }
        let coloured = "\u{1b}[1;32m?\u{1b}[0m Name: \u{1b}[0m";
        assert_eq!(shown(coloured).as_deref(), Some("? Name: "));
        let titled = "\u{1b}]0;setup\u{7}Name: ";
        assert_eq!(shown(titled).as_deref(), Some("Name: "));
        for line in [
            "Downloading (3/10)",
            "[50%]",
            "Compressing",
            "Loading\u{1b}[0m",
            "",
        ] {
            assert_eq!(shown(line), None, "{line}");
        }
    }

    #[test]
    fn a_question_on_a_line_of_its_own_is_one_while_nothing_follows_it() {
        let mut tail = Tail::default();
        for line in ["Continue? [y/N]", "Which port?", "Name: "] {
            tail.push(line.to_owned());
            assert_eq!(tail.question().as_deref(), Some(line));
        }
        for line in [
            "Traceback (most recent call last):",
            "Loading (3/10)",
            "> x",
        ] {
            tail.push(line.to_owned());
            assert_eq!(tail.question(), None, "{line}");
        }
        tail.open = Some("Password".to_owned());
        assert_eq!(tail.question().as_deref(), Some("Password"));
        tail.push("Continue? [y/N]".to_owned());
        tail.open = Some("Loading 44%".to_owned());
        assert_eq!(tail.question(), None);
    }

    #[test]
    fn one_endless_line_is_cut_to_its_end() {
        let mut tail = Tail::default();
        tail.push(format!("{}end", "é".repeat(TAIL_BYTES)));
        assert_eq!(tail.lines().len(), 1);
        assert!(tail.lines()[0].ends_with("end"));
        assert!(tail.lines()[0].len() <= TAIL_BYTES);
    }

    #[test]
    fn lines_are_split_at_line_breaks_of_both_kinds() {
        let mut buffer = BytesMut::from("one\r\ntwo\nthree");
        assert_eq!(next_line(&mut buffer, false).unwrap(), "one");
        assert_eq!(next_line(&mut buffer, false).unwrap(), "two");
        assert_eq!(next_line(&mut buffer, false), None);
        assert_eq!(next_line(&mut buffer, true).unwrap(), "three");
        assert_eq!(next_line(&mut buffer, true), None);
    }
}
