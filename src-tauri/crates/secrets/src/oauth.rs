//! Masks the secrets in the messages of OAuth before they are shown, and puts them back into a
//! request that the user edited.
//!
//! OAuth names its secrets: they are found by the names of form fields, JSON members, query
//! parameters and headers. Their values are learned on the way, so that the record masks
//! them also where a server repeats them under another name.

use serde_json::Value;

use crate::{MASK, Secret, mask_url_parameters};

/// Returns whether a parameter of this name is a secret (RFC 6749, 7009, 7523, 7591, 7636, 8693).
fn is_secret(name: &str) -> bool {
    matches!(
        name,
        "access_token"
            | "refresh_token"
            | "id_token"
            | "token"
            | "client_secret"
            | "code"
            | "code_verifier"
            | "client_assertion"
            | "assertion"
            | "subject_token"
            | "actor_token"
            | "registration_access_token"
            | "password"
            | "device_code"
    )
}

/// A text without its secrets, and the secrets.
pub struct MaskedText {
    pub text: String,
    pub secrets: Vec<Secret<String>>,
}

/// Masks a body: JSON, or a form.
pub fn mask_oauth_body(text: &str) -> MaskedText {
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return json(text, value);
    }
    if text.contains('=') && !text.contains(['<', '\n']) {
        return form(text);
    }
    MaskedText {
        text: text.to_owned(),
        secrets: Vec::new(),
    }
}

fn json(text: &str, mut value: Value) -> MaskedText {
    let mut secrets = Vec::new();
    mask_members(&mut value, &mut secrets);
    if secrets.is_empty() {
        return MaskedText {
            text: text.to_owned(),
            secrets,
        };
    }
    // In the text as it came, where every secret is spelt as expected; rewritten otherwise.
    let mut masked = text.to_owned();
    for secret in &secrets {
        let quoted = Value::String(secret.expose().clone()).to_string();
        masked = masked.replace(&quoted, &format!("\"{MASK}\""));
    }
    let clean = serde_json::from_str::<Value>(&masked).is_ok_and(|again| again == value);
    MaskedText {
        text: if clean { masked } else { value.to_string() },
        secrets,
    }
}

fn mask_members(value: &mut Value, secrets: &mut Vec<Secret<String>>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if is_secret(name) => {
                        secrets.push(Secret::new(std::mem::replace(text, MASK.to_owned())));
                    }
                    member => mask_members(member, secrets),
                }
            }
        }
        Value::Array(elements) => {
            for element in elements {
                mask_members(element, secrets);
            }
        }
        _ => {}
    }
}

/// Masks a form or a query.
fn form(text: &str) -> MaskedText {
    let mut secrets = Vec::new();
    let masked: Vec<String> = text
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, value)) if is_secret(name) && !value.is_empty() => {
                secrets.push(Secret::new(decoded(value)));
                format!("{name}={MASK}")
            }
            _ => pair.to_owned(),
        })
        .collect();
    MaskedText {
        text: masked.join("&"),
        secrets,
    }
}

pub fn restore_masked_url(edited: &str, original: &str) -> String {
    let split = |url: &str| -> (String, Option<String>) {
        match url.split_once('?') {
            Some((path, query)) => (path.to_owned(), Some(query.to_owned())),
            None => (url.to_owned(), None),
        }
    };
    let (original_path, original_query) = split(original);
    let (mut path, query) = split(edited);
    if path == mask_url_parameters(&original_path) {
        path = original_path;
    }
    match query {
        Some(query) => {
            let original = original_query.unwrap_or_default();
            format!("{path}?{}", restore_form(&query, &original))
        }
        None => path,
    }
}

pub fn restore_oauth_body(text: &str, original: &str) -> String {
    if text == mask_oauth_body(original).text {
        return original.to_owned();
    }
    match (
        serde_json::from_str::<Value>(text),
        serde_json::from_str::<Value>(original),
    ) {
        (Ok(mut value), Ok(original)) if value.is_object() => {
            restore_members(&mut value, &original);
            value.to_string()
        }
        _ => restore_form(text, original),
    }
}

fn restore_members(value: &mut Value, original: &Value) {
    let Some(members) = value.as_object_mut() else {
        return;
    };
    for (name, member) in members {
        match original.get(name) {
            Some(before) if member.as_str() == Some(MASK) => *member = before.clone(),
            Some(before) => restore_members(member, before),
            None => {}
        }
    }
}

fn restore_form(text: &str, original: &str) -> String {
    let pairs: Vec<String> = text
        .split('&')
        .map(|pair| {
            let before = pair.strip_suffix(MASK).and_then(|start| {
                original
                    .split('&')
                    .find(|candidate| start.ends_with('=') && candidate.starts_with(start))
            });
            before.unwrap_or(pair).to_owned()
        })
        .collect();
    pairs.join("&")
}

fn decoded(value: &str) -> String {
    url::form_urlencoded::parse(format!("v={value}").as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// Masks a token, save as much as tells it from another one.
pub fn mask_token(token: &str) -> String {
    let count = token.chars().count();
    if count < 24 {
        return format!("{MASK} ({count} characters)");
    }
    let first: String = token.chars().take(4).collect();
    let last: String = token.chars().skip(count - 3).collect();
    format!("{first}…{last} ({count} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_json_and_forms_are_masked_where_they_stand() {
        let masked = mask_oauth_body("{ \"access_token\" : \"abc\",\n \"scope\": \"abc d\" }");
        assert_eq!(
            masked.text,
            format!("{{ \"access_token\" : \"{MASK}\",\n \"scope\": \"abc d\" }}")
        );
        assert_eq!(masked.secrets, [Secret::new("abc".to_owned())]);
        let masked = mask_oauth_body("grant_type=authorization_code&code=a%2Fb&code_verifier=v");
        assert_eq!(
            masked.text,
            format!("grant_type=authorization_code&code={MASK}&code_verifier={MASK}")
        );
        assert_eq!(masked.secrets[0].expose(), "a/b");
    }

    #[test]
    fn a_secret_that_is_spelt_unusually_is_masked_all_the_same() {
        let masked = mask_oauth_body(r#"{"access_token":"a\u0062c\/d"}"#);
        assert!(!masked.text.contains("0062"), "{}", masked.text);
    }
}
