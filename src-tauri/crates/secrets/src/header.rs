//! Masks HTTP headers, and finds the secrets in headers and environment variables.

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::{
    MASK, Secret,
    harmless::is_harmless,
    location::{mask_url_parameters, url_secrets},
    suggestion::{
        credentials_of, header_line, is_scheme, name_suggests_password, name_suggests_secret,
        value_suggests_secret,
    },
};

/// The shortest value that a variable of an inherited environment has to have to be a password, in
/// characters.
const MIN_PASSWORD: usize = 8;

/// Returns whether the value of a header of this name is masked whatever it is.
pub fn is_secret_header(name: &str) -> bool {
    name_suggests_secret(name)
}

/// Masks the value of a header.
///
/// The scheme of an `Authorization` value stays, since the scheme is often the fault. A
/// session id is followed by a short digest of it, so that sessions can be told apart. Of a
/// URL in `Location` or `Referer` only the secret parts are masked.
pub fn mask_header(name: &str, value: &str) -> String {
    if ["location", "content-location", "referer"]
        .iter()
        .any(|url| name.eq_ignore_ascii_case(url))
    {
        return mask_url_parameters(value);
    }
    if !is_secret_header(name) {
        return value.to_owned();
    }
    if name.to_ascii_lowercase().ends_with("session-id") {
        return format!("{MASK} {}", digest(value));
    }
    let names_scheme = name.eq_ignore_ascii_case("authorization")
        || name.eq_ignore_ascii_case("proxy-authorization");
    match value.split_once(' ') {
        Some((scheme, _)) if names_scheme && is_scheme(scheme) => format!("{scheme} {MASK}"),
        _ => MASK.to_owned(),
    }
}

/// Four hexadecimal digits that differ when the value does, and do not give it away.
fn digest(value: &str) -> String {
    let digest = Sha256::digest(value);
    format!("({:02x}{:02x})", digest[0], digest[1])
}

/// Returns the secrets in values that have names: the headers of requests, or the variables
/// of an environment.
///
/// Every value counts but the obviously harmless. Of a value like `Bearer abc` the token is
/// one by itself, since servers echo tokens without the scheme, and so is what `Basic`
/// encodes (RFC 7617).
pub fn named_value_secrets<'a>(
    named: impl IntoIterator<Item = (&'a String, &'a Secret<String>)>,
) -> Vec<Secret<String>> {
    named
        .into_iter()
        .flat_map(|(name, value)| secrets_of(name, value.expose()))
        .collect()
}

/// Returns the secrets in the variables of an environment that was not set for a server.
///
/// Narrower than [`named_value_secrets`]: most of such an environment is no secret (`USER`,
/// `DESKTOP_SESSION`), and a word that is masked is legible nowhere in the record.
pub fn inherited_value_secrets(
    variables: impl IntoIterator<Item = (String, String)>,
) -> Vec<Secret<String>> {
    let is_secret = |name: &str, value: &str| {
        value_suggests_secret(value)
            || (name_suggests_password(name) && value.chars().count() >= MIN_PASSWORD)
            || (name_suggests_secret(name) && !is_harmless("", value))
    };
    variables
        .into_iter()
        .filter(|(name, value)| is_secret(name, value))
        .flat_map(|(name, value)| secrets_of(&name, &value))
        .collect()
}

/// Returns whether a configured value of this name is taken for a secret.
pub fn is_secret_value(name: &str, value: &str) -> bool {
    !secrets_of(name, value).is_empty()
}

pub(crate) fn secrets_of(name: &str, value: &str) -> Vec<Secret<String>> {
    let value = value.trim();
    if value.is_empty() || (!name_suggests_secret(name) && is_harmless(name, value)) {
        return Vec::new();
    }
    let mut secrets = vec![Secret::new(value.to_owned())];
    // An argument may hold a whole header.
    let of_header = header_line(value).map_or(value, |(_, value)| value);
    if of_header != value {
        secrets.push(Secret::new(of_header.to_owned()));
    }
    if let Some(credentials) = credentials_of(of_header) {
        secrets.push(Secret::new(credentials.to_owned()));
        if let Ok(decoded) = STANDARD.decode(credentials)
            && let Ok(decoded) = String::from_utf8(decoded)
        {
            if let Some((_, password)) = decoded.split_once(':') {
                secrets.push(Secret::new(password.to_owned()));
            }
            secrets.push(Secret::new(decoded));
        }
    } else if let Some((_, last)) = of_header.split_once(' ')
        && name_suggests_secret(name)
    {
        secrets.push(Secret::new(last.trim().to_owned()));
    }
    // `a=1; b=2`, as in a cookie.
    if name.eq_ignore_ascii_case("cookie") {
        let pairs = value.split(';').filter_map(|pair| pair.split_once('='));
        secrets.extend(pairs.map(|(_, value)| Secret::new(value.trim().to_owned())));
    }
    secrets.extend(url_secrets(of_header));
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, value: &str) -> Vec<String> {
        let secrets = secrets_of(name, value);
        secrets.iter().map(|one| one.expose().clone()).collect()
    }

    #[test]
    fn a_token_is_a_secret_with_and_without_its_scheme() {
        assert_eq!(found("Authorization", "Bearer abc"), ["Bearer abc", "abc"]);
        assert_eq!(
            found("authorization", "Basic dXNlcjpwYXNzd29yZA=="),
            [
                "Basic dXNlcjpwYXNzd29yZA==",
                "dXNlcjpwYXNzd29yZA==",
                "password",
                "user:password"
            ]
        );
    }

    #[test]
    fn a_value_with_a_plain_name_is_a_secret_unless_it_is_harmless() {
        assert_eq!(found("X-Tenant", "hunter22hunter"), ["hunter22hunter"]);
        assert!(found("X-Tenant", "production").is_empty());
        assert_eq!(
            found("DATABASE_URL", "postgres://app:hunter2@db/x"),
            [
                "postgres://app:hunter2@db/x",
                "YXBwOmh1bnRlcjI=",
                "YXBwOmh1bnRlcjI6",
                "hunter2"
            ]
        );
    }

    #[test]
    fn an_inherited_environment_has_secrets_among_plain_words() {
        let of = |name: &str, value: &str| {
            let found = inherited_value_secrets([(name.to_owned(), value.to_owned())]);
            found.iter().any(|secret| secret.expose() == value)
        };
        for (name, value) in [
            ("GITHUB_TOKEN", "any-word-at-all"),
            ("DB_PASSWORD", "12345678"),
            ("OPENAI_API_KEY", "sk-0123456789abcdefghij"),
            ("SOMETHING", "ghp_0123456789abcdefghij0123456789abcdef"),
        ] {
            assert!(of(name, value), "{name}");
        }
        for (name, value) in [
            ("USER", "somebody-with-a-name"),
            ("DESKTOP_SESSION", "ubuntu"),
            ("SSH_AUTH_SOCK", "/run/user/1000/keyring/ssh"),
            ("NPM_TOKEN", "short"),
            ("GPG_KEY", "/home/ada/.gnupg/key"),
        ] {
            assert!(!of(name, value), "{name}");
        }
    }

    #[test]
    fn sessions_can_be_told_apart_and_not_read() {
        let one = mask_header("Mcp-Session-Id", "0123456789abcdef");
        let other = mask_header("mcp-session-id", "0123456789abcdee");
        assert!(one.starts_with(MASK) && one != other && !one.contains("0123"));
    }

    #[test]
    fn an_authorization_keeps_its_scheme_alone() {
        assert_eq!(
            mask_header("authorization", "Bearer four"),
            format!("Bearer {MASK}")
        );
        assert_eq!(mask_header("Authorization", "four five"), MASK);
        assert_eq!(mask_header("accept", "six"), "six");
    }
}
