//! Recognises secrets by their names and by their form.
//!
//! A guess of this kind decides what is *displayed* masked, and what is learned from a
//! configuration. What has been learned is masked wherever it occurs, whatever its name.

use url::Url;

/// Parts of a name that suggest a secret wherever they stand in it.
const PARTS: [&str; 14] = [
    "authorization",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "cookie",
    "sessionid",
    "subscriptionkey",
    "functionskey",
];

/// Words that suggest a secret when a name ends with one of them. Elsewhere in a name they
/// mean other things: `KEY_FILE`, `auth_server_url`, `PATH`.
const LAST_WORDS: [&str; 10] = [
    "key",
    "keys",
    "pat",
    "pwd",
    "pass",
    "dsn",
    "auth",
    "sig",
    "signature",
    "session",
];

/// The variables of a shell for directories, whose names end as a password's may.
const DIRECTORIES: [&str; 2] = ["PWD", "OLDPWD"];

/// Returns whether a variable, header, argument or parameter of this name usually holds a
/// secret.
///
/// The comparison ignores case and separators: `API_KEY`, `x-api-key` and `apiKey` all
/// count.
pub fn name_suggests_secret(name: &str) -> bool {
    if DIRECTORIES.contains(&name) {
        return false;
    }
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    PARTS.iter().any(|part| plain.contains(part)) || LAST_WORDS.contains(&last_word(name).as_str())
}

/// Returns true when a member of this name is a password. Narrower than
/// [`name_suggests_secret`]: an
/// argument named `key` or `next_token` is ordinary data, which a user wants to see in the record.
pub fn name_suggests_password(name: &str) -> bool {
    const PARTS: [&str; 9] = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "apikey",
        "accesstoken",
        "authtoken",
        "privatekey",
        "credential",
    ];
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    matches!(plain.as_str(), "token" | "pwd" | "pass" | "authorization")
        || PARTS.iter().any(|part| plain.contains(part))
}

/// The last word of a name in any of the usual spellings, in lower case.
fn last_word(name: &str) -> String {
    let name = name.trim_end_matches(|character: char| !character.is_ascii_alphabetic());
    let mut word = Vec::new();
    let mut after: Option<char> = None;
    for character in name.chars().rev() {
        let ends_before =
            after.is_some_and(|after| after.is_ascii_uppercase() && character.is_ascii_lowercase());
        if !character.is_ascii_alphanumeric() || ends_before {
            break;
        }
        word.push(character.to_ascii_lowercase());
        after = Some(character);
    }
    word.into_iter().rev().collect()
}

/// Prefixes of the tokens of well-known services.
const PREFIXES: [&str; 34] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "pk_live_",
    "whsec_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "gldt-",
    "glrt-",
    "xoxa-",
    "xoxb-",
    "xoxe-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "hf_",
    "npm_",
    "pypi-",
    "ya29.",
    "dop_v1_",
    "doo_v1_",
    "AKIA",
    "ASIA",
    "AIza",
    "SG.",
    "lin_api_",
    "shpat_",
];

/// Returns whether a value is of a form that only secrets have, whatever it is called: the
/// tokens of well-known services, JSON Web Tokens, the value of an `Authorization` header with
/// or without the header's name, and URLs with a password.
pub fn value_suggests_secret(value: &str) -> bool {
    let value = value.trim();
    if let Some((name, value)) = header_line(value) {
        return !value.is_empty() && (name_suggests_secret(name) || value_suggests_secret(value));
    }
    if let Some(credentials) = credentials_of(value) {
        return credentials.len() >= 8 && !credentials.contains(' ');
    }
    is_known_token(value) || has_password(value)
}

/// Returns what follows the scheme of an `Authorization` value.
pub(crate) fn credentials_of(value: &str) -> Option<&str> {
    let (scheme, credentials) = value.split_once(' ')?;
    is_scheme(scheme).then_some(credentials.trim())
}

/// The authentication schemes that servers use: those registered (RFC 9110, section 16.4.1)
/// and `Token`, which is common.
pub(crate) fn is_scheme(word: &str) -> bool {
    [
        "bearer",
        "basic",
        "digest",
        "dpop",
        "negotiate",
        "token",
        "apikey",
    ]
    .iter()
    .any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// Splits `Name: value`, as programs take headers for arguments.
pub(crate) fn header_line(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(':')?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    (is_name && !value.starts_with("//")).then_some((name, value.trim()))
}

fn is_known_token(value: &str) -> bool {
    /// Shorter ones are words.
    const MIN_LENGTH: usize = 20;
    let is_token = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    value.len() >= MIN_LENGTH
        && is_token(value)
        && (PREFIXES.iter().any(|prefix| value.starts_with(prefix))
            || (value.starts_with("eyJ") && value.matches('.').count() >= 2))
}

/// `scheme://user:password@host`.
fn has_password(value: &str) -> bool {
    value.contains("://")
        && value.contains('@')
        && Url::parse(value).is_ok_and(|url| {
            url.password()
                .is_some_and(|password| !password.is_empty() && !password.contains("$%7B"))
        })
}

/// Returns true when a part of a path looks like a credential rather than a name: long, of
/// letters and digits that take turns, or a UUID.
pub(crate) fn looks_random(part: &str) -> bool {
    const MIN_LENGTH: usize = 16;
    /// Letters and digits take turns at least so often.
    const MIN_TURNS: usize = 4;
    if part.len() < MIN_LENGTH
        || !part
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~+=%".contains(&byte))
    {
        return false;
    }
    let kinds: Vec<bool> = part
        .bytes()
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| byte.is_ascii_digit())
        .collect();
    kinds.windows(2).filter(|pair| pair[0] != pair[1]).count() >= MIN_TURNS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_services_are_recognised_by_their_form() {
        for value in [
            "ghp_0123456789abcdefghij0123456789abcdef",
            "ghr_0123456789abcdefghij0123456789abcdef",
            "xapp-1-A0123456789-0123456789",
            "hf_abcdefghijklmnopqrstuvwxyz",
            "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "Authorization: Bearer some-opaque-value",
            "X-Api-Key: some-opaque-value",
            "postgres://app:hunter2@db.test/main",
        ] {
            assert!(value_suggests_secret(value), "{value}");
        }
        for value in [
            "sk-",
            "/srv/ghp_files/and/more/of/them",
            "a-long-but-harmless-value",
            "https://user@host.test/",
            "Accept: text/plain",
            "localhost:8080",
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
            "OPENAI_KEY",
            "GITHUB_TOKEN",
            "GITHUB_PAT",
            "MYSQL_PWD",
            "DSN",
            "Authorization",
            "X-Auth",
            "Cookie",
            "Ocp-Apim-Subscription-Key",
            "X-Functions-Key",
            "Mcp-Session-Id",
            "--pass",
            "sig",
            "PASSPHRASE",
        ] {
            assert!(name_suggests_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "PWD",
            "HOME",
            "Accept",
            "MCP-Protocol-Version",
            "KEYBOARD",
            "author",
            "authServerMetadataUrl",
            "MONKEY",
            "COMPASS",
        ] {
            assert!(!name_suggests_secret(name), "{name}");
        }
    }
}
