//! Reads a server's challenge: status and `WWW-Authenticate` (RFC 9110, section
//! 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1).
//!
//! The parser passes over what the grammar does not allow. `http-auth` (0.1.10) refuses the whole
//! header then: for an address without quotes, a parameter without a comma before it, or the token of
//! another scheme (`Negotiate abc==, Bearer …`).

use std::net::IpAddr;

use url::Url;

use crate::{ChallengeView, oauth::metadata::web_address};

/// One refusal of an MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The address of the server.
    pub url: String,
    /// 401, or 403 for a missing scope.
    pub status: u16,
    /// Every `WWW-Authenticate` of the answer, joined as one list.
    pub header: Option<String>,
    /// The address that the refusal came from; absent through a proxy.
    pub peer: Option<IpAddr>,
}

/// The parameters of the Bearer challenge in a [`Challenge`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BearerParameters {
    pub resource_metadata: Option<String>,
    pub scope: Option<String>,
    pub error: Option<String>,
    pub error_description: Option<String>,
}

impl Challenge {
    /// The Bearer (or DPoP) challenge, if there is one among the schemes.
    pub(crate) fn bearer(&self) -> Option<BearerParameters> {
        let header = self.header.as_deref()?;
        let challenges = parse(header);
        let wanted = |scheme: &str| {
            scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("dpop")
        };
        let (_, parameters) = challenges.into_iter().find(|(scheme, _)| wanted(scheme))?;
        let get = |name: &str| {
            parameters
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.clone())
        };
        Some(BearerParameters {
            // A relative reference is resolved against the server (seen in the wild).
            resource_metadata: get("resource_metadata").map(|reference| {
                Url::parse(&self.url)
                    .and_then(|base| base.join(&reference))
                    .map_or(reference, String::from)
            }),
            scope: get("scope").filter(|scope| !scope.trim().is_empty()),
            error: get("error"),
            error_description: get("error_description"),
        })
    }

    /// The first scheme that is asked for.
    pub(crate) fn scheme(&self) -> Option<String> {
        let challenges = parse(self.header.as_deref()?);
        challenges.into_iter().next().map(|(scheme, _)| scheme)
    }

    /// Returns true when the server at this address refused: a challenge of the address that an
    /// entry had before says nothing about the one that it has now.
    pub(crate) fn is_from(&self, server: &Url) -> bool {
        Url::parse(&self.url).is_ok_and(|url| web_address(url).origin() == server.origin())
    }

    /// The scopes that the server asks for.
    pub fn scopes(&self) -> Option<Vec<String>> {
        let scope = self.bearer()?.scope?;
        Some(scope.split_whitespace().map(str::to_owned).collect())
    }

    /// Returns the server's words for what is wrong with the request (RFC 6750, section 3).
    pub fn error_description(&self) -> Option<String> {
        self.bearer()?.error_description
    }

    /// Returns true when a token was understood and allows too little.
    pub fn is_insufficient_scope(&self) -> bool {
        self.status == 403
            && self
                .bearer()
                .is_some_and(|bearer| bearer.error.as_deref() == Some("insufficient_scope"))
    }

    pub(crate) fn view(&self) -> ChallengeView {
        let bearer = self.bearer();
        let words = self.message(bearer.as_ref());
        let bearer = bearer.unwrap_or_default();
        ChallengeView {
            url: self.url.clone(),
            status: self.status,
            header: self.header.clone(),
            scope: bearer.scope,
            error: bearer.error,
            error_description: bearer.error_description,
            resource_metadata: bearer.resource_metadata,
            message: words,
        }
    }

    fn message(&self, bearer: Option<&BearerParameters>) -> String {
        let Some(bearer) = bearer else {
            return match (&self.header, self.status) {
                (None, status) => {
                    format!("The server answered {status} and did not say how to sign in.")
                }
                (Some(_), status) => {
                    format!("The server answered {status} and asks for another scheme than Bearer.")
                }
            };
        };
        let why = match (&bearer.error_description, bearer.error.as_deref()) {
            (Some(description), _) => format!(": {}", description.trim_end_matches('.')),
            (None, Some("invalid_token")) => {
                ": the token is expired, revoked or malformed".to_owned()
            }
            (None, Some("insufficient_scope")) => ": the token lacks a scope".to_owned(),
            (None, Some(error)) => format!(": {error}"),
            (None, None) => String::new(),
        };
        let scope = bearer
            .scope
            .as_ref()
            .map(|scope| format!(" It asks for {scope}."))
            .unwrap_or_default();
        format!("The server answered {}{why}.{scope}", self.status)
    }
}

type Parameters = Vec<(String, String)>;

/// The challenges of a header, each a scheme and its parameters.
fn parse(header: &str) -> Vec<(String, Parameters)> {
    let mut challenges: Vec<(String, Parameters)> = Vec::new();
    let mut rest = header.trim_start_matches([' ', ',', '\t']);
    while !rest.is_empty() {
        let (word, after) = token(rest);
        if word.is_empty() {
            // Not what the grammar allows: on to the next comma.
            rest = rest.split_once(',').map_or("", |(_, after)| after);
        } else if let Some(after) = after
            .trim_start()
            .strip_prefix('=')
            .filter(|_| !challenges.is_empty())
        {
            let (value, after) = value(after.trim_start());
            if let Some((_, parameters)) = challenges.last_mut() {
                parameters.push((word.to_owned(), value));
            }
            rest = after;
        } else {
            challenges.push((word.to_owned(), Parameters::new()));
            rest = after;
        }
        rest = rest.trim_start_matches([' ', ',', '\t']);
    }
    challenges
}

fn token(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| {
            !(character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character))
        })
        .unwrap_or(text.len());
    text.split_at(end)
}

fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[index + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            character => value.push(character),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearer(header: &str) -> Option<BearerParameters> {
        Challenge {
            url: "https://host.test/mcp".into(),
            status: 401,
            header: Some(header.into()),
            peer: None,
        }
        .bearer()
    }

    #[test]
    fn parameters_are_read_in_every_spelling_that_the_grammar_allows() {
        for header in [
            r#"Bearer resource_metadata="https://h.test/.well-known/x", scope="a b", error="invalid_token""#,
            r#"bearer error=invalid_token,scope = "a b" ,  resource_metadata="https://h.test/.well-known/x""#,
            r#"Basic realm="x, y", Bearer scope="a b", error="invalid_token", resource_metadata="https://h.test/.well-known/x""#,
        ] {
            let found = bearer(header).expect(header);
            assert_eq!(found.scope.as_deref(), Some("a b"), "{header}");
            assert_eq!(found.error.as_deref(), Some("invalid_token"), "{header}");
            assert_eq!(
                found.resource_metadata.as_deref(),
                Some("https://h.test/.well-known/x"),
                "{header}"
            );
        }
    }

    #[test]
    fn a_quoted_value_may_hold_escapes_and_commas() {
        let found =
            bearer(r#"Bearer error_description="say \"please\", then go""#).expect("parsed");
        assert_eq!(
            found.error_description.as_deref(),
            Some(r#"say "please", then go"#)
        );
    }

    #[test]
    fn a_bare_scheme_and_nonsense_are_survived() {
        assert_eq!(bearer("Bearer"), Some(BearerParameters::default()));
        assert_eq!(bearer("Negotiate abc=="), None);
        assert_eq!(bearer("\"\"\"=,,="), None);
        assert_eq!(bearer(""), None);
    }
}
