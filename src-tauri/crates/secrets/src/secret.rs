//! A value that must never be shown, logged or recorded is kept in a [`Secret`]. It cannot
//! be serialised and prints masked, so that leaking one takes an explicit
//! [`Secret::expose`], which a reviewer can search for.

use std::fmt;

/// A value that prints as `•••` and cannot be serialised.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself. Every call is a place where a secret leaves its wrapper.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("•••")
    }
}

impl<T> fmt::Display for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("•••")
    }
}

/// The variable that holds the secret of a client out of the command line. It is for this
/// program alone: none that is started here inherits it.
pub const CLIENT_SECRET_VARIABLE: &str = "SIGHTGLASS_CLIENT_SECRET";

/// Whether a variable, header or argument of this name usually holds a secret.
///
/// The comparison ignores case and separators: `API_KEY`, `x-api-key` and `apiKey` all
/// count.
pub fn name_suggests_secret(name: &str) -> bool {
    const PARTS: [&str; 10] = [
        "authorization",
        "token",
        "secret",
        "password",
        "passwd",
        "apikey",
        "accesskey",
        "privatekey",
        "credential",
        "cookie",
    ];
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    PARTS.iter().any(|part| plain.contains(part))
}

/// Whether a value is of a form that only secrets have, whatever it is called: the tokens of
/// well-known services, and JSON Web Tokens.
pub fn value_suggests_secret(value: &str) -> bool {
    const PREFIXES: [&str; 14] = [
        "sk-",
        "sk_live_",
        "rk_live_",
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "xoxp-",
        "AKIA",
        "AIza",
        "lin_api_",
    ];
    /// Shorter ones are words.
    const SHORTEST: usize = 20;
    let value = value.strip_prefix("Bearer ").unwrap_or(value);
    let is_token = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    value.len() >= SHORTEST
        && is_token(value)
        && (PREFIXES.iter().any(|prefix| value.starts_with(prefix))
            || (value.starts_with("eyJ") && value.matches('.').count() == 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_prints_masked() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(format!("{secret} {secret:?}"), "••• •••");
        assert_eq!(secret.expose(), "hunter2");
    }

    #[test]
    fn tokens_of_services_are_recognised_by_their_form() {
        assert!(value_suggests_secret(
            "ghp_0123456789abcdefghij0123456789abcdef"
        ));
        assert!(value_suggests_secret(
            "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        ));
        for value in [
            "sk-",
            "/srv/ghp_files/and/more/of/them",
            "a-long-but-harmless-value",
        ] {
            assert!(!value_suggests_secret(value), "{value}");
        }
    }

    #[test]
    fn names_of_secrets_are_recognised_in_any_spelling() {
        for name in [
            "API_KEY",
            "x-api-key",
            "apiKey",
            "GITHUB_TOKEN",
            "Authorization",
            "Cookie",
        ] {
            assert!(name_suggests_secret(name), "{name}");
        }
        for name in ["PATH", "HOME", "Accept", "MCP-Protocol-Version"] {
            assert!(!name_suggests_secret(name), "{name}");
        }
    }
}
