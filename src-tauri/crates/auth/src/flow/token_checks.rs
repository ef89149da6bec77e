//! Checks that tokens are for this server and from the issuer of this sign-in.

use super::{Flow, SignInError, progress::Requirement};
use crate::{
    CheckVerdict, StepKind, clause,
    oauth::{
        client::Client,
        token::{Audience, Jwt, Tokens},
    },
};

impl Flow {
    /// Checks the audience of the access token (RFC 8707). Refuses a token for another server,
    /// unless the settings allow one.
    pub(super) fn check_audience(&self, tokens: &Tokens) -> Result<(), SignInError> {
        let step = StepKind::Token;
        let jwt = Jwt::decode(tokens.access.expose());
        let resource = self.resource();
        let actual = jwt
            .as_ref()
            .map(|jwt| jwt.audiences().join(", "))
            .filter(|actual| !actual.is_empty());
        let audience = Audience::of(jwt.as_ref(), &resource, &self.target.url);
        let (verdict, actual) =
            match audience {
                Audience::This => (CheckVerdict::Passed, actual.unwrap_or_default()),
                Audience::Unknown => (
                    CheckVerdict::Skipped,
                    "an opaque token, or none in it".to_owned(),
                ),
                Audience::Name => (CheckVerdict::Warned, actual.unwrap_or_default()),
                Audience::Other if self.settings.allow_other_audience => {
                    (CheckVerdict::Overridden, actual.unwrap_or_default())
                }
                Audience::Other => {
                    let actual = actual.unwrap_or_default();
                    return self.progress.require(
                    step,
                    Requirement {
                        holds: false,
                        subject: "audience",
                        expected: resource,
                        clause: clause::audience(),
                        message: format!("The token is for {actual}, not for this server. Sending \
                                          it would give this server a token that is valid \
                                          elsewhere."),
                        actual,
                        hint: if self.settings.omit_resource {
                            "`resource` was left out, as the sign-in settings say. Send it, or \
                             name the server in another parameter that the authorization server \
                             knows, such as `audience`."
                        } else {
                            "The authorization server ignored the `resource` parameter. Ask its \
                             operator, or allow it for this server in the sign-in settings \
                             (unsafe)."
                        }
                        .to_owned(),
                    },
                );
                }
            };
        self.progress.check(
            step,
            verdict,
            "audience",
            resource,
            actual,
            clause::audience(),
        );
        Ok(())
    }

    /// Checks the ID token. It came over TLS from the token endpoint itself, which stands
    /// for its signature (OpenID Connect Core, section 3.1.3.7, point 6).
    pub(super) fn check_id_token(
        &self,
        tokens: &Tokens,
        client: &Client,
        issuer: &str,
    ) -> Result<Option<String>, SignInError> {
        let Some(jwt) = tokens
            .id
            .as_ref()
            .and_then(|token| Jwt::decode(token.expose()))
        else {
            return Ok(None);
        };
        let found = jwt.text("iss").unwrap_or("none").to_owned();
        self.progress.require(
            StepKind::Token,
            Requirement {
                holds: found == issuer,
                subject: "issuer of the ID token",
                expected: issuer.to_owned(),
                actual: found.clone(),
                clause: clause::id_token_issuer(),
                message: format!(
                    "The ID token is from {found}, but this sign-in is with {issuer}."
                ),
                hint: "Do not continue until you know why the tokens come from another issuer."
                    .to_owned(),
            },
        )?;
        let audiences = jwt.audiences().join(", ");
        self.progress.require(
            StepKind::Token,
            Requirement {
                holds: jwt.audiences().contains(&client.id.as_str()),
                subject: "audience of the ID token",
                expected: client.id.clone(),
                actual: audiences,
                clause: clause::id_token_issuer(),
                message: "The ID token is for another client.".to_owned(),
                hint: "Restart from the registration.".to_owned(),
            },
        )?;
        Ok(jwt.account())
    }
}
