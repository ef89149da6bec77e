//! Writes a report for an issue: short, readable, and safe to paste.
//!
//! Foreign text stands in code alone (`sightglass_model::markdown`). The report lists the newest rows
//! and shows few in detail, the failed ones first; it has to fit into an issue (65,536 characters on
//! GitHub).

use std::{
    borrow::Cow,
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
    io,
};

use sightglass_json_text::{MAX_INDENTED_BYTES, Members, indented};
use sightglass_model::{
    markdown::{code_span, fenced_code},
    visible,
};
use sightglass_traffic::{
    Direction, ExchangeKind, ExchangeRow, Outcome, RecordedExchange, RecordedText,
};

use crate::text::{beginning, iso_time, lossy};

/// Rows that are listed.
const MAX_LISTED: usize = 40;
/// Rows whose messages are shown.
const MAX_DETAILS: usize = 6;
/// Bytes of a message that are shown.
const MAX_TEXT: usize = 3 * 1024;
/// Lines of stderr that are shown.
const MAX_STDERR_LINES: usize = 20;
/// Characters of a line that are shown.
const MAX_LINE: usize = 160;
/// Servers whose versions are told.
const MAX_SERVERS: usize = 8;

/// Collects what a report tells, in bounded memory.
pub struct MarkdownReport {
    application: String,
    scope: String,
    rows: u32,
    failed: u32,
    listed: VecDeque<String>,
    /// The newest rows that failed, and the newest others.
    failures: VecDeque<Detail>,
    others: VecDeque<Detail>,
    stderr: VecDeque<String>,
    /// What servers said of themselves, by name.
    servers: BTreeMap<String, String>,
}

/// A row with its messages.
struct Detail {
    row: ExchangeRow,
    request: Option<String>,
    response: Option<String>,
}

impl MarkdownReport {
    /// Begins a report. `application` is the name and the version of the program, `scope` what is
    /// exported in words.
    pub fn new(application: &str, scope: &str) -> Self {
        Self {
            application: application.to_owned(),
            scope: scope.to_owned(),
            rows: 0,
            failed: 0,
            listed: VecDeque::new(),
            failures: VecDeque::new(),
            others: VecDeque::new(),
            stderr: VecDeque::new(),
            servers: BTreeMap::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, exchange: &RecordedExchange) {
        let row = &exchange.row;
        self.rows += 1;
        push(&mut self.listed, MAX_LISTED, line_of(row));
        let failed = is_failure(row.outcome);
        self.failed += u32::from(failed && row.kind != ExchangeKind::Stderr);
        match row.kind {
            ExchangeKind::Stderr => {
                if let Some(text) = text_of(&exchange.request) {
                    let (line, _) = beginning(&text, MAX_LINE);
                    push(&mut self.stderr, MAX_STDERR_LINES, line.to_owned());
                }
                return;
            }
            ExchangeKind::Request => self.note_server(exchange),
            _ if !failed => return,
            _ => {}
        }
        let detail = Detail {
            row: row.clone(),
            request: text_of(&exchange.request).map(|text| shown(&text)),
            response: exchange
                .response
                .as_ref()
                .and_then(text_of)
                .map(|text| shown(&text)),
        };
        let list = match failed {
            true => &mut self.failures,
            false => &mut self.others,
        };
        push(list, MAX_DETAILS, detail);
    }

    /// Remembers what the answer to the handshake says.
    fn note_server(&mut self, exchange: &RecordedExchange) {
        let row = &exchange.row;
        let is_handshake = matches!(row.method.as_str(), "initialize" | "server/discover");
        if !is_handshake || self.servers.len() >= MAX_SERVERS {
            return;
        }
        let Some(text) = exchange.response.as_ref().and_then(text_of) else {
            return;
        };
        if let Some(said) = handshake(&text) {
            self.servers.insert(row.server.clone(), said);
        }
    }

    /// Writes the report.
    pub fn finish(self, mut out: impl io::Write) -> io::Result<()> {
        out.write_all(self.text().as_bytes())
    }

    fn text(&self) -> String {
        let mut text = String::from("## MCP session\n\n");
        let _ = writeln!(text, "- Exported: {}", code(&self.scope));
        let _ = writeln!(text, "- Recorded with: {}", code(&self.application));
        for (server, said) in &self.servers {
            let _ = writeln!(text, "- Server {}: {}", code(server), code(said));
        }
        let _ = writeln!(
            text,
            "- Rows: {}, of which {} failed",
            self.rows, self.failed
        );
        let failed = !self.failures.is_empty();
        let details = if failed { &self.failures } else { &self.others };
        if !details.is_empty() {
            text.push_str(match failed {
                true => "\n### What failed\n",
                false => "\n### Newest requests\n",
            });
        }
        for detail in details {
            write_detail(&mut text, detail);
        }
        if !self.stderr.is_empty() {
            let lines: Vec<&str> = self.stderr.iter().map(String::as_str).collect();
            text.push_str("\n### stderr\n\n");
            write_folded(&mut text, "Last lines", &lines.join("\n"), "text");
        }
        if !self.listed.is_empty() {
            let heading = match self.rows as usize > self.listed.len() {
                true => format!("Newest {} of {} rows", self.listed.len(), self.rows),
                false => "All rows".to_owned(),
            };
            let rows: Vec<&str> = self.listed.iter().map(String::as_str).collect();
            text.push_str("\n### What was tried\n\n");
            write_folded(&mut text, &heading, &rows.join("\n"), "text");
        }
        text
    }
}

fn push<T>(list: &mut VecDeque<T>, most: usize, item: T) {
    if list.len() == most {
        list.pop_front();
    }
    list.push_back(item);
}

fn is_failure(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Error | Outcome::Unanswered | Outcome::Cancelled
    )
}

fn text_of(text: &RecordedText) -> Option<Cow<'_, str>> {
    text.payload.as_deref().map(lossy)
}

/// The beginning of a message, indented where it is JSON.
fn shown(text: &str) -> String {
    // What is shown of it has to be read only so far.
    let whole = match text.len() <= 16 * MAX_TEXT {
        true => indented(text.as_bytes(), MAX_INDENTED_BYTES).ok(),
        false => None,
    };
    let (shown, left) = beginning(whole.as_deref().unwrap_or(text), MAX_TEXT);
    match left {
        0 => shown.to_owned(),
        left => format!("{shown}\n… {left} more bytes"),
    }
}

/// Name and version that a server gives itself, and the revision of the protocol.
fn handshake(text: &str) -> Option<String> {
    let result = Members::parse(text).ok()?.object("result")?;
    let info = result.object("serverInfo");
    let of_info = |name: &str| info.as_ref().and_then(|info| info.string(name));
    let parts = [
        of_info("name"),
        of_info("version"),
        result
            .string("protocolVersion")
            .map(|revision| format!("protocol {revision}")),
    ];
    let said: Vec<String> = parts.into_iter().flatten().collect();
    let said = said.join(" ");
    let (said, _) = beginning(&said, MAX_LINE);
    (!said.is_empty()).then(|| said.to_owned())
}

fn write_detail(text: &mut String, detail: &Detail) {
    let row = &detail.row;
    // A line that begins with three backticks or more could be taken for a fence.
    let _ = writeln!(text, "\nRow {}\n", code(&line_of(row)));
    let (sent, answered) = match row.direction {
        Direction::Sent => ("Request", "Response"),
        Direction::Received => ("Request of the server", "Response"),
    };
    for (heading, message) in [(sent, &detail.request), (answered, &detail.response)] {
        if let Some(message) = message {
            write_folded(text, heading, message, "json");
        }
    }
}

/// Writes a text that is folded until somebody opens it.
fn write_folded(text: &mut String, heading: &str, content: &str, language: &str) {
    let code = fenced_code(content, language);
    let _ = writeln!(
        text,
        "<details><summary>{heading}</summary>\n\n{code}\n\n</details>\n"
    );
}

/// Writes the beginning of a text as a span of code.
fn code(text: &str) -> String {
    let (text, left) = beginning(text, 2 * MAX_LINE);
    match left {
        0 => code_span(text),
        _ => code_span(&format!("{text}…")),
    }
}

/// A row on one line.
fn line_of(row: &ExchangeRow) -> String {
    let arrow = match row.direction {
        Direction::Sent => "→",
        Direction::Received => "←",
    };
    let mut line = format!(
        "#{} {} {arrow} {} {}",
        row.id.0,
        iso_time(row.at),
        row.server,
        row.method
    );
    if !row.target.is_empty() {
        let (target, left) = beginning(&row.target, MAX_LINE);
        let _ = write!(line, " {target}{}", if left > 0 { "…" } else { "" });
    }
    if let Some(outcome) = outcome_word(row.outcome) {
        let _ = write!(line, " · {outcome}");
    }
    if let Some(code) = row.code {
        let _ = write!(line, " {code}");
    }
    if let Some(duration) = row.duration {
        let _ = write!(line, " · {:.1} ms", duration.as_f64());
    }
    visible(&line).into_owned()
}

/// The word for an outcome; nothing where there is nothing to answer.
pub(crate) fn outcome_word(outcome: Outcome) -> Option<&'static str> {
    Some(match outcome {
        Outcome::Pending => "no answer yet",
        Outcome::Ok => "ok",
        Outcome::Error => "error",
        Outcome::Cancelled => "cancelled",
        Outcome::Unanswered => "unanswered",
        Outcome::None => return None,
    })
}

#[cfg(test)]
mod tests;
