//! Checks that tokens are for this server and from the issuer of this sign-in.

use sightglass_model::Verdict;

use super::{Flow, SignInError, progress::Requirement};
use crate::{
    StepKind, clause,
    oauth::{
        client::OAuthClient,
        metadata::{Described, canonical, described},
        token::{Audience, Jwt, Tokens, other_audience},
    },
    view::wider_words,
};

impl Flow {
    /// Checks the audience of the access token (RFC 8707). Refuses a token for another origin,
    /// unless the settings allow one. Returns the wider address that the token counts for, if it
    /// does.
    pub(super) fn check_audience(&self, tokens: &Tokens) -> Result<Option<String>, SignInError> {
        let step = StepKind::Token;
        let jwt = Jwt::decode(tokens.access.expose());
        let resource = self.resource();
        let audiences = jwt.as_ref().map(Jwt::audiences).unwrap_or_default();
        let issuer = &self.metadata()?.issuer;
        let audience = Audience::of(jwt.as_ref(), &resource, &self.target.url, issuer);
        let actual = match audience {
            Audience::Unknown => "an opaque token, or none in it".to_owned(),
            _ => audiences.join(", "),
        };
        if audience == Audience::Other && !self.settings.allow_other_audience {
            let requirement = Requirement {
                holds: false,
                subject: "audience",
                expected: resource,
                clause: clause::audience(),
                message: other_audience(&actual),
                actual,
                hint: if self.settings.omit_resource {
                    "`resource` was left out, as it is set under Sign-in, Client. Send it, or \
                     name the server in another parameter that the authorization server knows, such \
                     as `audience`."
                } else {
                    "The authorization server ignored the `resource` parameter. Ask its operator, \
                     or allow it for this server under Sign-in, Client (unsafe)."
                }
                .to_owned(),
            };
            return self.progress.require(step, requirement).map(|()| None);
        }
        let verdict = match audience {
            Audience::Other => Verdict::Overridden,
            audience => audience.verdict(),
        };
        let is_wider = |address: &&str| described(address, &self.server) == Described::Wider;
        let wider = match audience {
            Audience::Unknown => Some(resource.as_str()).filter(is_wider),
            _ => audiences.into_iter().find(is_wider),
        };
        let actual = match wider {
            Some(wider) => format!("{actual}: {}", wider_words(wider)),
            None => actual,
        };
        self.progress.check(
            step,
            // It was asked for, and counts for others all the same.
            if wider.is_some() && verdict == Verdict::Passed {
                Verdict::Warning
            } else {
                verdict
            },
            "audience",
            canonical(&self.server),
            actual,
            clause::audience(),
        );
        Ok(wider.map(str::to_owned))
    }

    /// Checks the ID token. It came over TLS from the token endpoint itself, which stands
    /// for its signature (OpenID Connect Core, section 3.1.3.7, point 6).
    pub(super) fn check_id_token(
        &self,
        tokens: &Tokens,
        client: &OAuthClient,
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
