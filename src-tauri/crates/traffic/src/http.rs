//! HTTP requests as text, so that they can be read, searched and restored.
//!
//! The request's frame holds its request line and headers, the response's its status and
//! headers. Both are written by [`request_text`] and [`response_text`] only. Of a sign-in the
//! bodies follow after an empty line, already masked.

use std::{borrow::Cow, time::Duration};

use sightglass_secrets::{Redactor, is_secret_header, mask_header, mask_url_parameters};

use crate::{Direction, HttpFacts};

/// Purpose of an HTTP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HttpKind {
    /// It carries MCP messages.
    Mcp,
    /// It belongs to a sign-in.
    Oauth,
}

/// Text of an HTTP request or of its response, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpText {
    /// Facts of this half; those of the other half are empty.
    pub facts: HttpFacts,
    /// The body, where it was recorded.
    pub body: Option<String>,
}

impl HttpText {
    /// Takes apart the text of a frame: of a request when it was sent, of a response when it was
    /// received.
    pub fn parse(direction: Direction, text: &str) -> Self {
        let (head, body) = match text.split_once("\n\n") {
            Some((head, body)) => (head, Some(body.to_owned())),
            None => (text, None),
        };
        let facts = match direction {
            Direction::Sent => facts(head, None, None),
            Direction::Received => facts("", Some(head), None),
        };
        Self { facts, body }
    }

    /// The text of the frame.
    pub fn text(&self, direction: Direction) -> String {
        let head = match direction {
            Direction::Sent => request_text(&self.facts),
            Direction::Received => response_text(&self.facts),
        };
        with_body(head, self.body.as_deref())
    }
}

/// The facts with the values of secret headers and the secret parts of URLs masked, and what
/// the redactor knows wherever it stands.
pub(crate) fn masked(mut facts: HttpFacts, redactor: &Redactor) -> HttpFacts {
    let text = |text: String| redactor.text(Cow::Owned(text)).into_owned();
    facts.url = text(mask_url_parameters(&facts.url));
    facts.error = facts.error.map(text);
    let headers = facts.request_headers.iter_mut();
    for (name, value) in headers.chain(&mut facts.response_headers) {
        let masked = mask_header(name, value);
        // What a mask leaves of a secret header is not to be masked once more.
        *value = if is_secret_header(name) {
            masked
        } else {
            text(masked)
        };
    }
    facts
}

pub(crate) fn request_text(facts: &HttpFacts) -> String {
    let mut text = format!("{} {}\n", one_line(&facts.method), one_line(&facts.url));
    write_headers(&mut text, &facts.request_headers);
    text
}

pub(crate) fn response_text(facts: &HttpFacts) -> String {
    let mut text = match (facts.status, &facts.error) {
        (Some(status), None) => format!("{status}\n"),
        (Some(status), Some(error)) => format!("{status} {}\n", one_line(error)),
        (None, Some(error)) => format!("no answer: {}\n", one_line(error)),
        (None, None) => "no answer\n".to_owned(),
    };
    write_headers(&mut text, &facts.response_headers);
    text
}

/// Reads back what [`request_text`] and [`response_text`] wrote.
pub(crate) fn facts(
    request: &str,
    response: Option<&str>,
    duration: Option<Duration>,
) -> HttpFacts {
    let (line, request_headers) = read(request);
    let (method, url) = line.split_once(' ').unwrap_or((line, ""));
    let mut facts = HttpFacts {
        method: method.to_owned(),
        url: url.to_owned(),
        request_headers,
        time_to_headers: duration.map(Into::into),
        ..HttpFacts::default()
    };
    if let Some(response) = response {
        let (line, headers) = read(response);
        let (status, error) = line.split_once(' ').unwrap_or((line, ""));
        facts.status = status.parse().ok();
        facts.error = match facts.status {
            Some(_) => Some(error),
            None => line.strip_prefix("no answer: "),
        }
        .filter(|error| !error.is_empty())
        .map(str::to_owned);
        facts.response_headers = headers;
    }
    facts
}

/// `POST /mcp`: the method and the path, as the row shows it.
pub(crate) fn request_line(facts: &HttpFacts) -> String {
    let after_scheme = facts
        .url
        .split_once("://")
        .map_or(facts.url.as_str(), |(_, rest)| rest);
    let path = after_scheme
        .find('/')
        .map_or("/", |slash| &after_scheme[slash..]);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    format!("{} {path}", facts.method)
}

/// Adds a body to what [`request_text`] or [`response_text`] wrote.
pub(crate) fn with_body(mut text: String, body: Option<&str>) -> String {
    if let Some(body) = body.filter(|body| !body.is_empty()) {
        text.push('\n');
        text.push_str(body);
    }
    text
}

/// Returns the body that [`with_body`] added.
pub(crate) fn body(text: &str) -> Option<String> {
    let (_, body) = text.split_once("\n\n")?;
    Some(body.to_owned())
}

fn write_headers(text: &mut String, headers: &[(String, String)]) {
    for (name, value) in headers {
        text.push_str(&one_line(name));
        text.push_str(": ");
        text.push_str(&one_line(value));
        text.push('\n');
    }
}

fn read(text: &str) -> (&str, Vec<(String, String)>) {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let headers = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    (first, headers)
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_headers_and_parameters_are_masked_without_being_named() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let facts = masked(
            HttpFacts {
                method: "GET".into(),
                url: "https://me:pw@host.test/cb?code=one&state=two".into(),
                request_headers: vec![
                    header("authorization", "Bearer four"),
                    header("X-Functions-Key", "five"),
                    header("accept", "six"),
                ],
                response_headers: vec![
                    header("set-cookie", "seven"),
                    header("location", "https://host.test/#access_token=eight"),
                ],
                ..HttpFacts::default()
            },
            &Redactor::default(),
        );
        assert_eq!(facts.url, "https://•••@host.test/cb?code=•••&state=two");
        let values = |headers: Vec<(String, String)>| -> Vec<String> {
            headers.into_iter().map(|(_, value)| value).collect()
        };
        assert_eq!(values(facts.request_headers), ["Bearer •••", "•••", "six"]);
        assert_eq!(
            values(facts.response_headers),
            ["•••", "https://host.test/#access_token=•••"]
        );
    }

    #[test]
    fn facts_survive_being_written_as_text() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut original = HttpFacts {
            method: "POST".into(),
            url: "https://host.test:8080/mcp?a=b".into(),
            request_headers: vec![header("accept", "a: b"), header("x-empty", "")],
            status: Some(404),
            response_headers: vec![header("content-type", "text/plain")],
            error: None,
            time_to_headers: Some(Duration::from_micros(2500).into()),
        };
        let restore = |facts_given: &HttpFacts| {
            facts(
                &request_text(facts_given),
                Some(&response_text(facts_given)),
                facts_given.time_to_headers.map(Into::into),
            )
        };
        assert_eq!(restore(&original), original);
        let with_body = |text: String| with_body(text, Some("a: b\n\nc: d"));
        for (direction, text) in [
            (Direction::Sent, with_body(request_text(&original))),
            (Direction::Received, with_body(response_text(&original))),
            (Direction::Sent, request_text(&original)),
            (Direction::Received, response_text(&original)),
        ] {
            assert_eq!(HttpText::parse(direction, &text).text(direction), text);
        }
        assert_eq!(
            facts(
                &with_body(request_text(&original)),
                Some(&with_body(response_text(&original))),
                original.time_to_headers.map(Into::into),
            ),
            original
        );
        let text = with_body(request_text(&original));
        assert_eq!(body(&text).as_deref(), Some("a: b\n\nc: d"));
        assert_eq!(body(&request_text(&original)), None);
        original.error = Some("body broke off".into());
        assert_eq!(restore(&original), original);
        original.status = None;
        assert_eq!(restore(&original), original);
        original.error = None;
        assert_eq!(restore(&original), original);
        assert_eq!(request_line(&original), "POST /mcp");
    }
}
