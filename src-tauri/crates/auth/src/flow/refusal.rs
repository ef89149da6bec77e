//! Advice about errors of an authorization server that are about what was asked for: the scopes or
//! the resource (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8707, section 2).

use crate::SignInRemedy;

/// Access that was asked for, as far as it can be asked for differently.
#[derive(Debug, Clone)]
pub(super) struct RequestedAccess {
    pub scopes: Vec<String>,
    /// True when the request had the parameter `resource`.
    pub names_resource: bool,
}

/// Next step, and the setting that takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Advice {
    pub hint: String,
    pub remedy: SignInRemedy,
}

impl RequestedAccess {
    /// Returns what to do about an error with these words of the server, where another request may
    /// succeed.
    pub fn advice(&self, error: &str, words: &str) -> Option<Advice> {
        let without_resource = |hint: &str| Advice {
            hint: hint.to_owned(),
            remedy: SignInRemedy::OmitResource,
        };
        match error {
            "invalid_scope" => Some(self.other_scopes(words)),
            // The second one is how Entra ID says it.
            "invalid_target" | "invalid_resource" if self.names_resource => Some(without_resource(
                "The authorization server does not know this resource. Ask its operator to add it, \
                 or leave out `resource` under Sign-in, Client.",
            )),
            "invalid_request" if self.names_resource && names_parameter(words) => {
                Some(without_resource(
                    "It seems that the authorization server does not take the parameter `resource`. \
                     Leave it out under Sign-in, Client.",
                ))
            }
            _ => None,
        }
    }

    fn other_scopes(&self, words: &str) -> Advice {
        let is_named = |scope: &String| words_of(words).any(|word| word == scope);
        let (named, others): (Vec<String>, Vec<String>) =
            self.scopes.iter().cloned().partition(is_named);
        let asked = match self.scopes.as_slice() {
            [] => "it asked for none".to_owned(),
            scopes => format!("it asked for {}", scopes.join(" ")),
        };
        // Where each of several is named it is not known which of them is refused.
        let is_told = named.len() == 1 || !(named.is_empty() || others.is_empty());
        let (hint, scopes) = match (is_told, others.as_slice()) {
            (false, _) => (
                format!("Set other scopes for this sign-in, or none; {asked}."),
                None,
            ),
            (true, []) => (
                format!("Set another scope for this sign-in, or none; {asked}."),
                Some(others),
            ),
            (true, kept) => (
                format!(
                    "If {} is what it refuses, set the scopes of this sign-in to {}, or to none; \
                     {asked}.",
                    named.join(" "),
                    kept.join(" ")
                ),
                Some(others),
            ),
        };
        Advice {
            hint,
            remedy: SignInRemedy::Scopes(scopes),
        }
    }
}

/// Words of a text, without the quotes and the punctuation around them. A scope may hold any
/// character but blanks, quotes and backslashes (RFC 6749, section 3.3).
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| character.is_whitespace() || "'\"`,;()[]".contains(character))
        .map(|word| word.trim_end_matches(['.', ':']))
}

/// Returns true when a text is about the parameter `resource`.
fn names_parameter(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text
        .split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .any(|pair| matches!(pair, ["resource", "parameter"] | ["parameter", "resource"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(scopes: &[&str]) -> RequestedAccess {
        RequestedAccess {
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            names_resource: true,
        }
    }

    fn scopes(asked: &RequestedAccess, words: &str) -> (String, SignInRemedy) {
        let advice = asked.advice("invalid_scope", words).expect("advice");
        (advice.hint, advice.remedy)
    }

    #[test]
    fn the_scope_that_a_refusal_names_is_to_be_left_out() {
        let words = "The OAuth 2.0 Client is not allowed to request scope 'offline_access'.";
        let (hint, remedy) = scopes(&asked(&["read", "offline_access"]), words);
        assert!(
            hint.starts_with("If offline_access is what it refuses"),
            "{hint}"
        );
        assert!(hint.contains("to read, or to none"), "{hint}");
        assert_eq!(remedy, SignInRemedy::Scopes(Some(vec!["read".to_owned()])));
        let (_, remedy) = scopes(&asked(&["offline_access"]), words);
        assert_eq!(remedy, SignInRemedy::Scopes(Some(Vec::new())));
    }

    #[test]
    fn no_scope_is_named_where_it_is_not_known_which_is_refused() {
        let cases: [(&[&str], &str); 4] = [
            (&["read", "admin"], "scopes read, admin"),
            (&["read", "admin"], "reading is not allowed"),
            (&["read"], "offline_access"),
            (&[], "a scope is needed"),
        ];
        for (asked_for, words) in cases {
            let (hint, remedy) = scopes(&asked(asked_for), words);
            assert!(hint.starts_with("Set other scopes"), "{words}: {hint}");
            assert_eq!(remedy, SignInRemedy::Scopes(None), "{words}");
        }
    }

    #[test]
    fn resource_is_to_be_left_out_where_the_words_are_about_it_and_it_was_sent() {
        let remedy = |asked: &RequestedAccess, error: &str, words: &str| {
            asked.advice(error, words).map(|advice| advice.remedy)
        };
        let sent = asked(&["read"]);
        let entra = "AADSTS9010010: The resource parameter provided in the request doesn't match \
                     with the requested scopes.";
        for (error, words) in [
            ("invalid_target", ""),
            ("invalid_resource", "AADSTS500011"),
            ("invalid_request", entra),
            ("invalid_request", "unknown parameter: 'resource'"),
        ] {
            let found = remedy(&sent, error, words);
            assert_eq!(found, Some(SignInRemedy::OmitResource), "{error} {words}");
            let omitted = RequestedAccess {
                names_resource: false,
                ..sent.clone()
            };
            assert_eq!(remedy(&omitted, error, words), None, "{error} {words}");
        }
        for (error, words) in [
            ("invalid_request", "unknown parameter: resource_id"),
            ("invalid_request", "the redirect_uri is not registered"),
            ("access_denied", entra),
        ] {
            assert_eq!(remedy(&sent, error, words), None, "{error} {words}");
        }
    }
}
