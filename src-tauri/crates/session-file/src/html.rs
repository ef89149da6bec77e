//! Writes a page that shows a session by itself: no other file, no address, no library.
//!
//! Foreign text is escaped, and would not run if it were not: the page's Content Security Policy
//! allows one style and one script, by their hashes, and nothing from anywhere. Characters that are
//! not seen are shown as escapes. Without scripts everything is there but the search.
//!
//! Rows are written as they come. A browser lays out those on the screen alone
//! (`content-visibility`), so that ten thousand are no burden; a session of more is for the other
//! formats.

use std::{
    borrow::Cow,
    fmt::{self, Write as _},
    io,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use quick_xml::escape::escape;
use sha2::{Digest, Sha256};
use sightglass_json_text::{MAX_INDENTED_BYTES, indented};
use sightglass_model::{ByteCount, visible, visible_lines};
use sightglass_traffic::{
    Direction, ExchangeKind, ExchangeRow, HttpFacts, Outcome, RecordedExchange, RecordedHttp,
    RecordedText,
};

use crate::{
    markdown::outcome_word,
    text::{beginning, iso_time, lossy},
};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Rows that a page holds.
pub const MAX_PAGE_ROWS: u32 = 10_000;

/// Bytes of a message that a page holds.
const MAX_TEXT: usize = 64 * 1024;

/// Writes a page, row by row.
pub struct HtmlWriter<W> {
    out: W,
}

/// Facts at the head of a page.
#[derive(Debug, Clone, Copy)]
pub struct PageHead<'a> {
    /// Name and version of the program.
    pub application: &'a str,
    /// Name of the exported part of the record, in words.
    pub scope: &'a str,
    /// Remarks, such as what is left out.
    pub remarks: &'a [String],
}

impl<W: io::Write> HtmlWriter<W> {
    /// Begins a page.
    pub fn new(mut out: W, head: &PageHead<'_>) -> io::Result<Self> {
        let (style, script) = (hash(STYLE), hash(SCRIPT));
        let scope = escape(visible(head.scope));
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>MCP session: {scope}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<h1>MCP session</h1>\n<p class=\"scope\">{scope}</p>\n\
             <p class=\"about\">Recorded with {}. Secrets are masked.</p>\n",
            escape(visible(head.application))
        )?;
        for remark in head.remarks {
            writeln!(out, "<p class=\"about\">{}</p>", escape(visible(remark)))?;
        }
        out.write_all(
            b"<div class=\"tools\" id=\"tools\" hidden>\
              <input id=\"search\" type=\"search\" aria-label=\"Search the rows\" \
              placeholder=\"Search in methods, targets and messages\">\
              <label><input id=\"failed\" type=\"checkbox\"> Failed only</label>\
              <span id=\"count\" role=\"status\"></span></div>\n</header>\n\
              <main>\n<div class=\"row head\" aria-hidden=\"true\"><span>#</span><span></span>\
              <span>Time</span><span>Server</span><span>Method</span><span>Target</span>\
              <span>Status</span><span>Duration</span><span>Size</span></div>\n",
        )?;
        Ok(Self { out })
    }

    /// Adds a row. `http` is the HTTP request that carried it, or that it is.
    pub fn row(
        &mut self,
        exchange: &RecordedExchange,
        http: Option<&RecordedHttp>,
    ) -> io::Result<()> {
        let mut text = String::new();
        write_row(&mut text, exchange, http).map_err(|fmt::Error| io::ErrorKind::Other)?;
        self.out.write_all(text.as_bytes())
    }

    /// Ends the page.
    pub fn finish(mut self) -> io::Result<W> {
        write!(
            self.out,
            "</main>\n<p id=\"none\" hidden>No row matches.</p>\n<script>{SCRIPT}</script>\n\
             </body>\n</html>\n"
        )?;
        Ok(self.out)
    }
}

/// The source of a style or a script by its hash (Content Security Policy Level 3, section 2.3.1).
fn hash(content: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(content)))
}

fn write_row(
    text: &mut String,
    exchange: &RecordedExchange,
    http: Option<&RecordedHttp>,
) -> fmt::Result {
    let row = &exchange.row;
    let is_failure = matches!(
        row.outcome,
        Outcome::Error | Outcome::Unanswered | Outcome::Cancelled
    );
    let state = if is_failure { " class=\"failed\"" } else { "" };
    write!(text, "<details{state}><summary class=\"row\">")?;
    write_cells(text, row, is_failure)?;
    text.push_str("</summary>\n<div class=\"body\">");
    match row.kind {
        ExchangeKind::Http | ExchangeKind::Oauth => {}
        ExchangeKind::Request => {
            write_message(text, "Request", Some(&exchange.request))?;
            write_message(text, "Response", exchange.response.as_ref())?;
        }
        _ => write_message(text, "Message", Some(&exchange.request))?,
    }
    if let Some(http) = http {
        write_http(text, &http.facts)?;
        for (title, body) in [
            ("Request body", &http.request_body),
            ("Response body", &http.response_body),
        ] {
            if let Some(body) = body {
                write_text(text, title, body)?;
            }
        }
    }
    text.push_str("</div></details>\n");
    Ok(())
}

fn write_cells(text: &mut String, row: &ExchangeRow, is_failure: bool) -> fmt::Result {
    let (arrow, direction) = match row.direction {
        Direction::Sent => ('↑', "sent"),
        Direction::Received => ('↓', "received"),
    };
    let time = iso_time(row.at);
    write!(
        text,
        "<span class=\"n\">{}</span><span role=\"img\" aria-label=\"{direction}\">{arrow}</span>\
         <time datetime=\"{time}\">{}</time>",
        row.id.0,
        time.replace('T', " ").trim_end_matches('Z')
    )?;
    for cell in [&row.server, &row.method, &row.target] {
        write!(text, "<span>{}</span>", escape(visible(cell)))?;
    }
    let word = outcome_word(row.outcome).unwrap_or_default();
    let glyph = match row.outcome {
        Outcome::None => "",
        Outcome::Ok => "✓ ",
        Outcome::Pending => "… ",
        _ => "✕ ",
    };
    let code = row.code.map(|code| format!(" {code}")).unwrap_or_default();
    let mark = if is_failure { " class=\"bad\"" } else { "" };
    let duration = row
        .duration
        .map(|duration| format!("{:.1} ms", duration.as_f64()))
        .unwrap_or_default();
    write!(
        text,
        "<span{mark}>{glyph}{word}{code}</span><span class=\"n\">{duration}</span>\
         <span class=\"n\">{}</span>",
        size_text(row.size)
    )
}

fn size_text(size: ByteCount) -> String {
    match size.as_u64() {
        bytes @ 0..1000 => format!("{bytes} B"),
        bytes @ 1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        bytes => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn write_message(text: &mut String, title: &str, message: Option<&RecordedText>) -> fmt::Result {
    let Some(message) = message else {
        return Ok(());
    };
    match &message.payload {
        Some(payload) => write_text(text, title, &lossy(payload)),
        None => write!(
            text,
            "<h2>{title}</h2><p class=\"about\">The text is not in this file.</p>"
        ),
    }
}

fn write_text(text: &mut String, title: &str, content: &str) -> fmt::Result {
    let whole = match content.len() <= MAX_TEXT {
        true => indented(content.as_bytes(), MAX_INDENTED_BYTES)
            .map_or(Cow::Borrowed(content), Cow::Owned),
        false => Cow::Borrowed(content),
    };
    let (shown, left) = beginning(&whole, MAX_TEXT);
    write!(
        text,
        "<h2>{title}</h2><pre>{}</pre>",
        escape(visible_lines(shown))
    )?;
    if left > 0 {
        write!(
            text,
            "<p class=\"about\">{left} more bytes are not in this file.</p>"
        )?;
    }
    Ok(())
}

fn write_http(text: &mut String, facts: &HttpFacts) -> fmt::Result {
    let mut lines = format!("{} {}\n", facts.method, facts.url);
    for (name, value) in &facts.request_headers {
        writeln!(lines, "{name}: {value}")?;
    }
    match (facts.status, &facts.error) {
        (Some(status), None) => writeln!(lines, "\n{status}")?,
        (Some(status), Some(error)) => writeln!(lines, "\n{status} {error}")?,
        (None, Some(error)) => writeln!(lines, "\nno answer: {error}")?,
        (None, None) => lines.push_str("\nno answer\n"),
    }
    for (name, value) in &facts.response_headers {
        writeln!(lines, "{name}: {value}")?;
    }
    write_text(text, "HTTP", lines.trim_end())
}

#[cfg(test)]
mod tests;
