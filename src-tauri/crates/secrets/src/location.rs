//! Masks URLs, and finds the secrets in them.

use std::ops::Range;

use base64::{Engine, engine::general_purpose::STANDARD};
use memchr::memmem;
use url::form_urlencoded;

use crate::{
    MASK, Secret,
    reference::is_mere_reference,
    suggestion::{looks_random, name_suggests_secret, value_suggests_secret},
};

/// Returns whether a query parameter of this name holds a secret. The one-time values of OAuth
/// 2.1 (sections 4.1 and 7.5) count as such.
pub fn is_secret_parameter(name: &str) -> bool {
    name_suggests_secret(name)
        || matches!(
            name,
            "code" | "code_verifier" | "device_code" | "assertion" | "client_assertion"
        )
}

/// A secret part of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretPart<'a> {
    /// The name of the parameter, or what the part is.
    pub name: &'a str,
    /// The bytes of the URL.
    pub place: Range<usize>,
}

/// Masks the user information, the secret parameters of the query and of the fragment, and
/// parts of the path that look like credentials. References to variables stay, but for their
/// defaults.
pub fn mask_url(url: &str) -> String {
    mask_parts(url, &masked_url_parts(url))
}

/// Returns the parts that [`mask_url`] masks.
pub(crate) fn masked_url_parts(url: &str) -> Vec<SecretPart<'_>> {
    let mut parts = secret_url_parts(url);
    parts.retain(|part| !is_mere_reference(&url[part.place.clone()]));
    parts
}

/// Masks the user information and the secret parameters of a URL. Its path stays: of a URL that
/// a peer chose it says more than it gives away.
pub fn mask_url_parameters(url: &str) -> String {
    let mut parts = secret_url_parts(url);
    parts.retain(|part| part.name != PATH);
    mask_parts(url, &parts)
}

fn mask_parts(url: &str, parts: &[SecretPart<'_>]) -> String {
    let mut masked = String::with_capacity(url.len());
    let mut copied = 0;
    for part in parts {
        masked.push_str(&url[copied..part.place.start]);
        masked.push_str(MASK);
        copied = part.place.end;
    }
    masked.push_str(&url[copied..]);
    masked
}

/// Masks every URL in a text, as [`mask_url_parameters`] does.
pub fn mask_urls(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memmem::find(rest.as_bytes(), b"://") {
        let start = rest[..at]
            .rfind(|character: char| !character.is_ascii_alphanumeric() && character != '+')
            .map_or(0, |before| {
                before + rest[before..].chars().next().map_or(0, char::len_utf8)
            });
        let end = rest[at..]
            .find(|character: char| character.is_whitespace() || "\"'<>`|".contains(character))
            .map_or(rest.len(), |length| at + length);
        masked.push_str(&rest[..start]);
        masked.push_str(&mask_url_parameters(&rest[start..end]));
        rest = &rest[end..];
    }
    masked.push_str(rest);
    masked
}

/// Returns the secrets in a URL, as they are written and as they are meant.
pub fn url_secrets(url: &str) -> Vec<Secret<String>> {
    let mut secrets = Vec::new();
    for part in secret_url_parts(url) {
        let written = &url[part.place];
        let meant = decoded(written);
        if part.name == USER && !meant.contains("${") {
            // HTTP clients send it so (RFC 7617).
            secrets.push(Secret::new(STANDARD.encode(&meant)));
            secrets.push(Secret::new(STANDARD.encode(format!("{meant}:"))));
        }
        for text in [written, &meant] {
            // Of `user:password` the password is a secret by itself; the name is none.
            let text = match text.split_once(':') {
                Some((_, password)) => password,
                None => text,
            };
            let secret = Secret::new(text.to_owned());
            if !text.is_empty() && !text.contains("${") && !secrets.contains(&secret) {
                secrets.push(secret);
            }
        }
    }
    secrets
}

fn decoded(written: &str) -> String {
    // An `&` would end the value, and a `+` means a space in queries alone.
    let text = written.replace('&', "%26").replace('+', "%2B");
    form_urlencoded::parse(format!("v={text}").as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// The name of the part before the host.
const USER: &str = "user";
/// The name of the parts of the path.
const PATH: &str = "path";

/// Returns the secret parts of a URL, in their order. Works on the text, so that what cannot be
/// parsed is masked too.
pub fn secret_url_parts(url: &str) -> Vec<SecretPart<'_>> {
    let mut parts = Vec::new();
    let fragment = url.find('#').unwrap_or(url.len());
    let query = url[..fragment].find('?').unwrap_or(fragment);
    let mut path = 0;
    if let Some(scheme) = url[..query].find("://") {
        let authority = scheme + 3;
        let end = url[authority..query]
            .find('/')
            .map_or(query, |slash| authority + slash);
        path = end;
        if let Some(at) = url[authority..end].rfind('@')
            && at > 0
        {
            parts.push(SecretPart {
                name: USER,
                place: authority..authority + at,
            });
        }
    }
    let mut start = path;
    for segment in url[path..query].split('/') {
        if looks_random(segment) || (!segment.contains(' ') && value_suggests_secret(segment)) {
            parts.push(SecretPart {
                name: PATH,
                place: start..start + segment.len(),
            });
        }
        start += segment.len() + 1;
    }
    for (start, end) in [(query, fragment), (fragment, url.len())] {
        if start < end {
            parameters(url, start + 1..end, &mut parts);
        }
    }
    parts
}

fn parameters<'a>(url: &'a str, range: Range<usize>, parts: &mut Vec<SecretPart<'a>>) {
    let mut start = range.start;
    for pair in url[range].split(['&', ';']) {
        if let Some((name, value)) = pair.split_once('=')
            && !value.is_empty()
            && (is_secret_parameter(name) || value_suggests_secret(&decoded(value)))
        {
            let end = start + pair.len();
            parts.push(SecretPart {
                name,
                place: end - value.len()..end,
            });
        }
        start += pair.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(url: &str) -> Vec<String> {
        let secrets = url_secrets(url);
        secrets.iter().map(|one| one.expose().clone()).collect()
    }

    #[test]
    fn the_secret_parts_of_a_url_are_masked() {
        for (url, masked) in [
            (
                "https://me:pw@host.test/cb?code=one&state=two&access_token=three#x",
                "https://•••@host.test/cb?code=•••&state=two&access_token=•••#x",
            ),
            (
                "https://host.test/s/T0A1B2C3D4E5F6G7H8/mcp",
                "https://host.test/s/•••/mcp",
            ),
            (
                "https://host.test/#access_token=abc&x=1",
                "https://host.test/#access_token=•••&x=1",
            ),
            ("/mcp?key=abc", "/mcp?key=•••"),
            ("http://[::1]:80/mcp?a=b", "http://[::1]:80/mcp?a=b"),
            ("https://:@host.test", "https://•••@host.test"),
            ("not a url at all", "not a url at all"),
        ] {
            assert_eq!(mask_url(url), masked);
        }
    }

    #[test]
    fn urls_are_masked_wherever_they_stand_in_a_text() {
        assert_eq!(
            mask_urls("went from “https://a:b@c.test/” to <wss://d.test/?token=e>."),
            "went from “https://•••@c.test/” to <wss://d.test/?token=•••>."
        );
        assert_eq!(
            mask_urls("no URL, only :// and ://"),
            "no URL, only :// and ://"
        );
    }

    #[test]
    fn secrets_are_found_as_written_and_as_meant() {
        let of_user = found("https://me:p%40ss@host.test/");
        assert_eq!(of_user, ["bWU6cEBzcw==", "bWU6cEBzczo=", "p%40ss", "p@ss"]);
        assert_eq!(found("https://host.test/?api_key=a%2Bb"), ["a%2Bb", "a+b"]);
        assert!(found("https://host.test/v1?limit=10").is_empty());
    }
}
