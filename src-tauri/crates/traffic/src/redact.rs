//! Secrets never reach the record: everything passes here before it is queued.

use std::borrow::Cow;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use bytes::Bytes;
use sightglass_secrets::{Secret, name_suggests_secret};

use crate::HttpFacts;

/// What stands in the place of a secret.
pub const MASK: &str = "•••";

/// Shorter values would also mask half of all ordinary text.
const SHORTEST_SECRET: usize = 6;

/// Masks secrets in what is about to be recorded.
///
/// Always masked are the values of `Authorization`, `Proxy-Authorization`, `Cookie` and
/// `Set-Cookie`, of headers and of query parameters whose name suggests a secret, and
/// passwords in URLs. The values given to [`new`](Self::new) are masked wherever they stand,
/// also in the spellings that JSON and URLs give them.
#[derive(Clone, Default)]
pub struct Redactor {
    values: Vec<Secret<String>>,
    secrets: Secrets,
}

/// The values to look for.
#[derive(Clone, Default)]
enum Secrets {
    #[default]
    None,
    Patterns(AhoCorasick),
    /// There are values, but they cannot be looked for: everything is masked instead.
    Everywhere,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = match &self.secrets {
            Secrets::None => 0,
            Secrets::Patterns(patterns) => patterns.patterns_len(),
            Secrets::Everywhere => usize::MAX,
        };
        write!(formatter, "Redactor({count} patterns)")
    }
}

impl Redactor {
    /// Masks each of these values of six bytes or more; shorter ones are left alone.
    pub fn new(secret_values: impl IntoIterator<Item = Secret<String>>) -> Self {
        let values: Vec<Secret<String>> = secret_values.into_iter().collect();
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        for secret in &values {
            let value = secret.expose().trim();
            if value.len() < SHORTEST_SECRET {
                continue;
            }
            patterns.extend(spellings(value));
            // Output arrives line by line, so a key of several lines has to be known by each.
            if value.contains('\n') {
                let lines = value.lines().map(str::trim);
                patterns.extend(
                    lines
                        .filter(|line| line.len() >= SHORTEST_SECRET)
                        .flat_map(spellings),
                );
            }
        }
        patterns.sort_unstable();
        patterns.dedup();
        if patterns.is_empty() {
            return Self::default();
        }
        let automaton = AhoCorasickBuilder::new()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&patterns);
        Self {
            values,
            secrets: automaton.map_or(Secrets::Everywhere, Secrets::Patterns),
        }
    }

    /// One that masks these values too; nothing when it does so already.
    pub(crate) fn with(&self, more: &[Secret<String>]) -> Option<Self> {
        let new: Vec<_> = more
            .iter()
            .filter(|secret| !self.values.contains(secret))
            .cloned()
            .collect();
        (!new.is_empty()).then(|| Self::new(self.values.iter().cloned().chain(new)))
    }

    /// `payload` with every secret masked, and whether there was one.
    pub(crate) fn payload(&self, payload: Bytes) -> (Bytes, bool) {
        match self.bytes(&payload) {
            Some(masked) => (Bytes::from(masked), true),
            None => (payload, false),
        }
    }

    /// `text` with every secret masked.
    pub fn text<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        match self.bytes(text.as_bytes()) {
            Some(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
            None => text,
        }
    }

    fn bytes(&self, haystack: &[u8]) -> Option<Vec<u8>> {
        let patterns = match &self.secrets {
            Secrets::None => return None,
            Secrets::Patterns(patterns) => patterns,
            Secrets::Everywhere => return Some(MASK.as_bytes().to_vec()),
        };
        patterns.find(haystack)?;
        let mut masked = Vec::with_capacity(haystack.len());
        let mut copied = 0;
        for found in patterns.find_iter(haystack) {
            masked.extend_from_slice(&haystack[copied..found.start()]);
            masked.extend_from_slice(MASK.as_bytes());
            copied = found.end();
        }
        masked.extend_from_slice(&haystack[copied..]);
        Some(masked)
    }

    /// The facts of an HTTP request with secret headers and parameters masked.
    pub(crate) fn http(&self, mut facts: HttpFacts) -> HttpFacts {
        facts.url = self.text(Cow::Owned(mask_url(&facts.url))).into_owned();
        facts.error = facts
            .error
            .map(|error| self.text(Cow::Owned(error)).into_owned());
        for (name, value) in facts
            .request_headers
            .iter_mut()
            .chain(&mut facts.response_headers)
        {
            *value = if name_suggests_secret(name) {
                mask_header(name, value)
            } else if name.eq_ignore_ascii_case("location") {
                self.text(Cow::Owned(mask_url(value))).into_owned()
            } else {
                self.text(Cow::Borrowed(value)).into_owned()
            };
        }
        facts
    }
}

/// The ways in which a value is written on a wire.
fn spellings(value: &str) -> Vec<Vec<u8>> {
    let mut spellings = vec![value.as_bytes().to_vec()];
    if let Ok(quoted) = serde_json::to_string(value) {
        let inner = &quoted[1..quoted.len() - 1];
        spellings.push(inner.as_bytes().to_vec());
        spellings.push(inner.replace('/', "\\/").into_bytes());
        let mut ascii = String::with_capacity(inner.len());
        for character in inner.chars() {
            if character.is_ascii() {
                ascii.push(character);
            } else {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    ascii.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        spellings.push(ascii.into_bytes());
    }
    let mut percent = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                percent.push(char::from(byte));
            }
            _ => percent.push_str(&format!("%{byte:02X}")),
        }
    }
    // Form bodies write a space as `+` (URL standard, application/x-www-form-urlencoded).
    spellings.push(percent.replace("%20", "+").into_bytes());
    spellings.push(percent.into_bytes());
    spellings
}

/// Keeps the scheme of an `Authorization` value, since the scheme is often the fault.
fn mask_header(name: &str, value: &str) -> String {
    let names_scheme = name.eq_ignore_ascii_case("authorization")
        || name.eq_ignore_ascii_case("proxy-authorization");
    match value.split_once(' ') {
        Some((scheme, _)) if names_scheme && is_scheme(scheme) => format!("{scheme} {MASK}"),
        _ => MASK.to_owned(),
    }
}

/// The registered authentication schemes (RFC 9110, section 16.4.1) that servers use.
fn is_scheme(word: &str) -> bool {
    ["bearer", "basic", "digest", "dpop", "negotiate"]
        .iter()
        .any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// Masks the password and the query parameters of a URL whose names suggest a secret. The
/// one-time values of OAuth 2.1 (sections 4.1 and 7.5) count as such.
fn mask_url(url: &str) -> String {
    let (before, query) = match url.split_once('?') {
        Some((before, query)) => (before, Some(query)),
        None => (url, None),
    };
    let mut masked = match before.split_once("://") {
        Some((scheme, rest)) => {
            let authority = rest.split('/').next().unwrap_or(rest);
            match authority.rsplit_once('@') {
                Some((_, host)) => {
                    format!("{scheme}://{MASK}@{host}{}", &rest[authority.len()..])
                }
                None => before.to_owned(),
            }
        }
        None => before.to_owned(),
    };
    if let Some(query) = query {
        let (query, fragment) = match query.split_once('#') {
            Some((query, fragment)) => (query, Some(fragment)),
            None => (query, None),
        };
        for (index, pair) in query.split('&').enumerate() {
            masked.push(if index == 0 { '?' } else { '&' });
            match pair.split_once('=') {
                Some((name, _))
                    if name_suggests_secret(name)
                        || matches!(name, "code" | "code_verifier" | "assertion") =>
                {
                    masked.push_str(name);
                    masked.push('=');
                    masked.push_str(MASK);
                }
                _ => masked.push_str(pair),
            }
        }
        if let Some(fragment) = fragment {
            masked.push('#');
            masked.push_str(fragment);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(values: &[&str]) -> Redactor {
        Redactor::new(values.iter().map(|value| Secret::new((*value).to_owned())))
    }

    #[test]
    fn a_secret_is_masked_in_every_spelling() {
        let redactor = redactor(&["pa\"ss/wörd 1"]);
        for payload in [
            "x pa\"ss/wörd 1 y",
            r#"{"a":"pa\"ss/wörd 1"}"#,
            r#"{"a":"pa\"ss\/wörd 1"}"#,
            r#"{"a":"pa\"ss/w\u00f6rd 1"}"#,
            "k=pa%22ss%2Fw%C3%B6rd%201",
            "k=pa%22ss%2Fw%C3%B6rd+1",
        ] {
            let (masked, redacted) = redactor.payload(Bytes::from(payload.to_owned()));
            let masked = String::from_utf8_lossy(&masked).into_owned();
            assert!(redacted, "{payload}");
            assert!(masked.contains(MASK) && !masked.contains("rd"), "{masked}");
        }
    }

    #[test]
    fn a_key_of_several_lines_is_masked_line_by_line() {
        let redactor = redactor(&["first-line-of-key\nsecond-line-of-key"]);
        let (masked, _) = redactor.payload(Bytes::from_static(b"> second-line-of-key"));
        assert_eq!(masked, format!("> {MASK}").as_bytes());
    }

    #[test]
    fn short_values_and_ordinary_text_are_left_alone() {
        let redactor = redactor(&["abc", ""]);
        let (text, redacted) = redactor.payload(Bytes::from_static(b"abc abc"));
        assert_eq!((&text[..], redacted), (&b"abc abc"[..], false));
    }

    #[test]
    fn secret_headers_and_parameters_are_masked_without_being_named() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let facts = Redactor::default().http(HttpFacts {
            method: "GET".into(),
            url: "https://me:pw@host.test/cb?code=one&state=two&access_token=three#x".into(),
            request_headers: vec![
                header("authorization", "Bearer four"),
                header("X-Api-Key", "five"),
                header("accept", "six"),
            ],
            response_headers: vec![header("set-cookie", "seven")],
            ..HttpFacts::default()
        });
        assert_eq!(
            facts.url,
            format!("https://{MASK}@host.test/cb?code={MASK}&state=two&access_token={MASK}#x")
        );
        assert_eq!(facts.request_headers[0].1, format!("Bearer {MASK}"));
        assert_eq!(facts.request_headers[1].1, MASK);
        assert_eq!(facts.request_headers[2].1, "six");
        assert_eq!(facts.response_headers[0].1, MASK);
    }
}
