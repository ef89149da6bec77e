//! Requests and responses of a sign-in as data: the user can edit a request before it is sent.

use std::{fmt, net::IpAddr};

use sightglass_http::{Method, RefusedAddress};
use sightglass_model::Clause;
use sightglass_secrets::{
    mask_header, mask_oauth_body, mask_url_parameters, restore_masked_url, restore_oauth_body,
};
use url::Url;

use crate::{RequestDraft, clause};

/// A request that is about to be sent.
#[derive(Clone)]
pub(crate) struct OauthRequest {
    pub method: Method,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
    /// True when it goes to the MCP server itself, whose address the user chose.
    pub is_to_server: bool,
}

impl OauthRequest {
    pub fn get(url: Url) -> Self {
        Self {
            method: Method::GET,
            url,
            headers: vec![("accept".into(), "application/json".into())],
            body: None,
            is_to_server: false,
        }
    }

    pub fn post_form(url: Url, body: String) -> Self {
        Self::post(url, "application/x-www-form-urlencoded", body)
    }

    pub fn post_json(url: Url, body: String) -> Self {
        Self::post(url, "application/json", body)
    }

    fn post(url: Url, content_type: &str, body: String) -> Self {
        Self {
            method: Method::POST,
            url,
            headers: vec![
                ("accept".into(), "application/json".into()),
                ("content-type".into(), content_type.into()),
            ],
            body: Some(body),
            is_to_server: false,
        }
    }

    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Applies the user's edit.
    pub fn edited(&self, draft: RequestDraft) -> Result<Self, String> {
        let draft = self.restored(draft);
        Ok(Self {
            method: Method::from_bytes(draft.method.as_bytes())
                .map_err(|_| format!("{} is not an HTTP method.", draft.method))?,
            url: Url::parse(&draft.url).map_err(|error| format!("Invalid address: {error}."))?,
            headers: draft.headers,
            body: draft.body,
            is_to_server: self.is_to_server,
        })
    }

    /// Returns the request as the user may see and edit it.
    pub fn draft(&self) -> RequestDraft {
        RequestDraft {
            method: self.method.to_string(),
            url: mask_url_parameters(self.url.as_str()),
            headers: self
                .headers
                .iter()
                .map(|(name, value)| (name.clone(), mask_header(name, value)))
                .collect(),
            body: self.body.as_deref().map(|text| mask_oauth_body(text).text),
        }
    }

    /// Puts the secrets of this request back where an edited one still has the mask.
    fn restored(&self, edited: RequestDraft) -> RequestDraft {
        let headers = edited
            .headers
            .into_iter()
            .map(|(name, value)| {
                let original = self
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
        RequestDraft {
            method: edited.method,
            url: restore_masked_url(&edited.url, self.url.as_str()),
            headers,
            body: edited
                .body
                .map(|text| restore_oauth_body(&text, self.body.as_deref().unwrap_or_default())),
        }
    }
}

/// Masked, also in a panic.
impl fmt::Debug for OauthRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&request_text(&self.draft()))
    }
}

/// Response, whatever its status.
#[derive(Clone)]
pub(crate) struct OauthResponse {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The address that it came from; absent through a proxy.
    pub peer: Option<IpAddr>,
}

/// Masked, also in a panic.
impl fmt::Debug for OauthResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} {}",
            self.status,
            mask_oauth_body(&self.body).text
        )
    }
}

impl OauthResponse {
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns all headers of this name, joined as one list.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// Error of a request: no response, or none that may be used.
#[derive(Debug, Clone)]
pub(crate) struct ExchangeError {
    pub message: String,
    pub clause: Option<Clause>,
    /// True when it was refused here rather than by the network.
    pub refused: bool,
}

impl ExchangeError {
    pub fn refused(message: String, clause: Clause) -> Self {
        Self {
            message,
            clause: Some(clause),
            refused: true,
        }
    }

    pub(super) fn failed(message: String) -> Self {
        Self {
            message,
            clause: None,
            refused: false,
        }
    }
}

impl From<RefusedAddress> for ExchangeError {
    fn from(refused: RefusedAddress) -> Self {
        Self::refused(refused.message, clause::refused_address(refused.reason))
    }
}

pub(super) fn request_text(shown: &RequestDraft) -> String {
    let mut text = format!("{} {}\n", shown.method, shown.url);
    for (name, value) in &shown.headers {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if let Some(body) = &shown.body {
        text.push_str(&format!("\n{body}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use sightglass_secrets::MASK;

    use super::*;

    fn request(body: &str) -> OauthRequest {
        OauthRequest::post_form(
            "https://as.test/token".parse().expect("an address"),
            body.into(),
        )
        .with_header("authorization", "Basic c2VjcmV0")
    }

    #[test]
    fn what_an_edit_leaves_masked_goes_out_as_it_was() {
        let before = request("code=secret&code_verifier=other&scope=a");
        let mut edited = before.draft();
        edited.body = Some(format!("code={MASK}&code_verifier=mine&scope=a%20b"));
        let restored = before.restored(edited);
        assert_eq!(
            restored.body.as_deref(),
            Some("code=secret&code_verifier=mine&scope=a%20b")
        );
        assert_eq!(restored.headers, before.headers);
    }
}
