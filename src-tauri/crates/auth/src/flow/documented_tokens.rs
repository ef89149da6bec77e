//! Tokens that servers take in place of a sign-in, for those whose authorization server registers no
//! clients.

use url::Url;

use super::guess::PASTE;

/// Token that a server takes by its own documentation.
struct DocumentedToken {
    /// Host of the server.
    host: &'static str,
    /// Name of the token, fit to stand after "takes".
    name: &'static str,
    /// Page on which the user makes one.
    made_at: &'static str,
    source: &'static str,
}

const TOKENS: [DocumentedToken; 1] = [DocumentedToken {
    host: "api.githubcopilot.com",
    name: "a personal access token of GitHub",
    made_at: "https://github.com/settings/personal-access-tokens/new",
    source: "https://github.com/github/github-mcp-server/blob/main/docs/installation-guides/install-codex.md",
}];

/// Returns what to do with the token that a server takes, where its documentation names one.
pub(super) fn advice(server: &Url) -> Option<String> {
    let host = server.host_str()?;
    let token = TOKENS.iter().find(|token| token.host == host)?;
    let DocumentedToken {
        name,
        made_at,
        source,
        ..
    } = token;
    Some(format!(
        "The server also takes {name} ({source}), which you make at {made_at}. {PASTE}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SignInRemedy, clause, flow::SignInError};

    fn refused(server: &str) -> (String, Option<SignInRemedy>) {
        let error = SignInError::without_client("No.", "Register one.", clause::registration());
        let server = Url::parse(server).expect("an address");
        match error.or_by_token(&server) {
            SignInError::Failed { hint, remedy, .. } => (hint, remedy.map(|remedy| *remedy)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_token_is_named_beside_the_client_where_the_server_is_known_to_take_one() {
        let (hint, remedy) = refused("https://api.githubcopilot.com/mcp/");
        assert!(
            hint.starts_with(
                "Register one. The server also takes a personal access token of GitHub"
            ),
            "{hint}"
        );
        let Some(SignInRemedy::EnteredClient {
            instead: Some(token),
        }) = remedy
        else {
            panic!("{remedy:?}");
        };
        assert!(hint.ends_with(&token), "{hint}");
        for other in [
            "https://mcp.example.com/mcp",
            "https://api.githubcopilot.com.example.com/mcp",
        ] {
            let (hint, remedy) = refused(other);
            assert_eq!(hint, "Register one.");
            let none = SignInRemedy::EnteredClient { instead: None };
            assert_eq!(remedy, Some(none));
        }
    }

    #[test]
    fn only_a_missing_client_is_made_up_for_by_a_token() {
        let server = Url::parse("https://api.githubcopilot.com/mcp/").expect("an address");
        let error = SignInError::failed("No.", "Try again.").or_by_token(&server);
        assert!(
            matches!(&error, SignInError::Failed { hint, .. } if hint == "Try again."),
            "{error:?}"
        );
    }
}
