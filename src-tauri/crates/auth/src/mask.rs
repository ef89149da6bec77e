//! Takes secrets out of what crosses the wire before it is shown, and puts them back into a
//! request that the user edited.
//!
//! OAuth names its secrets: they are found by the names of form fields, JSON members, query
//! parameters and headers. Their values are learned on the way, so that the record masks
//! them also where a server repeats them under another name.

use serde_json::Value;
use sightglass_secrets::{MASK, Secret, mask_header, mask_url_parameters, url_secrets};

use crate::{RequestDraft, http::HttpRequest};

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
pub(crate) struct Masked {
    pub text: String,
    pub secrets: Vec<Secret<String>>,
}

/// Masks a body: JSON, or a form.
pub(crate) fn body(text: &str) -> Masked {
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return json(text, value);
    }
    if text.contains('=') && !text.contains(['<', '\n']) {
        return form(text);
    }
    Masked {
        text: text.to_owned(),
        secrets: Vec::new(),
    }
}

fn json(text: &str, mut value: Value) -> Masked {
    let mut secrets = Vec::new();
    mask_members(&mut value, &mut secrets);
    if secrets.is_empty() {
        return Masked {
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
    Masked {
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
pub(crate) fn form(text: &str) -> Masked {
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
    Masked {
        text: masked.join("&"),
        secrets,
    }
}

/// Masks an address.
pub(crate) fn address(text: &str) -> Masked {
    Masked {
        text: mask_url_parameters(text),
        secrets: url_secrets(text),
    }
}

/// A request as a person may see and edit it.
pub(crate) fn draft(outgoing: &HttpRequest) -> RequestDraft {
    RequestDraft {
        method: outgoing.method.to_string(),
        url: address(outgoing.url.as_str()).text,
        headers: outgoing
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), mask_header(name, value)))
            .collect(),
        body: outgoing.body.as_deref().map(|text| body(text).text),
    }
}

/// Puts the secrets of `before` back where an edited request still has the mask.
pub(crate) fn restore(edited: RequestDraft, before: &HttpRequest) -> RequestDraft {
    let headers = edited
        .headers
        .into_iter()
        .map(|(name, value)| {
            let original = before
                .headers
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(&name));
            match original {
                Some((_, original)) if value == mask_header(&name, original) => {
                    (name, original.clone())
                }
                _ => (name, value),
            }
        })
        .collect();
    let body = edited
        .body
        .map(|text| restore_body(&text, before.body.as_deref().unwrap_or_default()));
    let url = restore_url(edited.url, before.url.as_str());
    RequestDraft {
        method: edited.method,
        url,
        headers,
        body,
    }
}

fn restore_url(edited: String, original: &str) -> String {
    let split = |url: &str| -> (String, Option<String>) {
        match url.split_once('?') {
            Some((path, query)) => (path.to_owned(), Some(query.to_owned())),
            None => (url.to_owned(), None),
        }
    };
    let (original_path, original_query) = split(original);
    let (mut path, query) = split(&edited);
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

fn restore_body(text: &str, original: &str) -> String {
    if text == body(original).text {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn outgoing(body: &str) -> HttpRequest {
        HttpRequest::post_form(
            "https://as.test/token".parse().expect("an address"),
            body.into(),
        )
        .with_header("authorization", "Basic c2VjcmV0")
    }

    #[test]
    fn secrets_of_json_and_forms_are_masked_where_they_stand() {
        let masked = body("{ \"access_token\" : \"abc\",\n \"scope\": \"abc d\" }");
        assert_eq!(
            masked.text,
            format!("{{ \"access_token\" : \"{MASK}\",\n \"scope\": \"abc d\" }}")
        );
        assert_eq!(masked.secrets, [Secret::new("abc".to_owned())]);
        let masked = body("grant_type=authorization_code&code=a%2Fb&code_verifier=v");
        assert_eq!(
            masked.text,
            format!("grant_type=authorization_code&code={MASK}&code_verifier={MASK}")
        );
        assert_eq!(masked.secrets[0].expose(), "a/b");
    }

    #[test]
    fn a_secret_that_is_spelt_unusually_is_masked_all_the_same() {
        let masked = body(r#"{"access_token":"a\u0062c\/d"}"#);
        assert!(!masked.text.contains("0062"), "{}", masked.text);
    }

    #[test]
    fn what_an_edit_leaves_masked_goes_out_as_it_was() {
        let before = outgoing("code=secret&code_verifier=other&scope=a");
        let mut edited = draft(&before);
        edited.body = Some(format!("code={MASK}&code_verifier=mine&scope=a%20b"));
        let restored = restore(edited, &before);
        assert_eq!(
            restored.body.as_deref(),
            Some("code=secret&code_verifier=mine&scope=a%20b")
        );
        assert_eq!(restored.headers, before.headers);
    }
}
