//! The allow-list of configured values that are not secrets.
//!
//! Every configured environment and header value is taken for a secret unless it is here: a
//! value that is masked without need costs less than one that is written down.

use std::net::IpAddr;

use url::Url;

use crate::{
    location::url_secrets,
    suggestion::{looks_random, value_suggests_secret},
};

/// Shorter values would also mask half of all ordinary text.
const MIN_SECRET_LENGTH: usize = 8;

/// Variables and headers of common use that never hold a secret.
const NAMES: [&str; 30] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "connection",
    "content-type",
    "editor",
    "home",
    "host",
    "hostname",
    "lang",
    "language",
    "logname",
    "mcp-protocol-version",
    "node_env",
    "node_options",
    "node_path",
    "no_proxy",
    "oldpwd",
    "origin",
    "path",
    "pwd",
    "pythonpath",
    "referer",
    "shell",
    "term",
    "tmpdir",
    "tz",
    "user",
    "user-agent",
];

/// Words of at least [`MIN_SECRET_LENGTH`] letters that settings are made of.
const WORDS: [&str; 24] = [
    "critical",
    "detailed",
    "developer",
    "development",
    "disabled",
    "emergency",
    "information",
    "informational",
    "interactive",
    "keep-alive",
    "localhost",
    "minimal",
    "no-cache",
    "no-store",
    "production",
    "read-only",
    "readonly",
    "read-write",
    "readwrite",
    "standard",
    "streamable-http",
    "truecolor",
    "unlimited",
    "websocket",
];

/// Returns whether a value of this name is obviously no secret.
pub(crate) fn is_harmless(name: &str, value: &str) -> bool {
    let value = value.trim();
    if value.chars().count() < MIN_SECRET_LENGTH {
        return true;
    }
    if value_suggests_secret(value) {
        return false;
    }
    let name = name.to_ascii_lowercase();
    NAMES.contains(&name.as_str())
        || name.starts_with("lc_")
        || name.starts_with("xdg_")
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
        || is_number(value)
        || is_path(value)
        || is_host(value)
        || is_plain_url(value)
        || is_locale(value)
        || is_media_type(value)
}

/// Digits with the separators of numbers, dates, versions and times.
fn is_number(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".,:+-_ %".contains(&byte))
}

/// An absolute or relative path, or a list of paths, none of whose parts looks random.
fn is_path(value: &str) -> bool {
    let begins = |part: &str| {
        ["/", "./", "../", "~/", "$HOME/", "\\\\"]
            .iter()
            .any(|start| part.starts_with(start))
            || matches!(part.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
    };
    let is_list = value.split(':').all(begins) || value.split(';').all(begins);
    (is_list || begins(value))
        && !value.contains("://")
        && !value.chars().any(char::is_control)
        && !value.split(['/', '\\', ':', ';']).any(looks_random)
}

/// A host name or address, with or without a port.
fn is_host(value: &str) -> bool {
    let host = match value.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => value,
    };
    if host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok() || host == "localhost" {
        return true;
    }
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label.len() <= 30
            && !looks_random(label)
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    labels.len() > 1
        && labels.iter().all(is_label)
        && labels
            .last()
            .is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_lowercase()))
}

fn is_plain_url(value: &str) -> bool {
    value.contains("://") && Url::parse(value).is_ok() && url_secrets(value).is_empty()
}

/// `en_US.UTF-8`, `de_DE@euro` and the like.
fn is_locale(value: &str) -> bool {
    let language = value.split(['.', '@']).next().unwrap_or_default();
    let mut parts = language.split(['_', '-']);
    parts
        .next()
        .is_some_and(|code| matches!(code.len(), 2 | 3) && is_letters(code))
        && parts
            .next()
            .is_some_and(|code| matches!(code.len(), 2..=4) && is_letters(code))
        && parts.next().is_none()
        && value.len() <= 20
}

fn is_letters(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// `application/json`, also several of them with parameters.
fn is_media_type(value: &str) -> bool {
    value.split(',').all(|one| {
        let kind = one.split(';').next().unwrap_or_default().trim();
        [
            "application/",
            "text/",
            "image/",
            "audio/",
            "multipart/",
            "*/",
        ]
        .iter()
        .any(|family| kind.starts_with(family))
            && !looks_random(kind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_settings_are_no_secrets() {
        for value in [
            "true",
            "debug",
            "8080",
            "2025-11-25",
            "/usr/local/bin:/usr/bin",
            "./data/files",
            r"C:\Program Files\nodejs",
            "db.internal.example.org:5432",
            "192.168.100.200",
            "https://api.example.org/v1/things?limit=10",
            "en_US.UTF-8",
            "production",
            "application/json, text/event-stream",
        ] {
            assert!(is_harmless("PLAIN", value), "{value}");
        }
        assert!(is_harmless("PATH", "whatever/that/is/1a2b3c4d5e6f7g8h"));
    }

    #[test]
    fn whatever_could_be_a_secret_is_not_on_the_list() {
        for value in [
            "hunter22hunter",
            "correct horse battery staple",
            "/9j4AAQ1SkZ0JRg3ABAQ",
            "https://user:password@host.test/",
            "https://hooks.test/services/T0A1B2C3D4E5F6G7H8",
            "https://host.test/?api_key=abc",
            "Zm9vYmFyYmF6cXV4",
        ] {
            assert!(!is_harmless("PLAIN", value), "{value}");
        }
        assert!(!is_harmless(
            "PATH",
            "ghp_0123456789abcdefghij0123456789abcdef"
        ));
    }
}
