//! Token lab: decodes the tokens of an identity, alters them, and shows how the servers react.

use sightglass_secrets::Secret;

use crate::{
    AuthError, PermittedTarget, SignIns, StepExchange, Target, TokenAction, TokenKind,
    TokenReaction, TokensView,
    flow::{SignInError, probe_request, stream_request},
    grants::TokenAlteration,
    oauth::{challenge::Challenge, token::part},
};

impl SignIns {
    /// Returns the tokens of an identity, decoded and checked against the server.
    pub async fn tokens(
        &self,
        target: &Target,
        identity: &str,
    ) -> Result<Option<TokensView>, AuthError> {
        let state = self.state();
        let Some(grant) = state.store.grant(&target.server, identity) else {
            return Ok(None);
        };
        let Some(held) = state.grants.held(&target.server, identity).await? else {
            return Ok(None);
        };
        let resource = target.resource_of(&grant.resource);
        let issuer = &*grant.authorization_server.issuer;
        let view = |token: &Secret<String>, is_access: bool| {
            part(token, &resource, &target.url, issuer, is_access)
        };
        let id_token_issuer = grant.id_token_issuer.as_deref().unwrap_or(issuer);
        let id_view = |token| part(token, &resource, &target.url, id_token_issuer, false);
        Ok(Some(TokensView {
            identity: identity.to_owned(),
            access: view(&held.tokens.access, true),
            refresh: held.tokens.refresh.as_ref().map(|token| view(token, false)),
            id: held.tokens.id.as_ref().map(id_view),
            scopes_requested: grant.scopes_requested,
            scopes_granted: grant.scopes_granted,
            issued_at: grant.issued_at,
            expires_at: grant.expires_at,
            altered: held.altered.as_ref().map(|altered| match altered {
                TokenAlteration::Corrupted(_) => {
                    "One character of the access token is changed.".to_owned()
                }
                TokenAlteration::PretendedExpired => {
                    "The access token counts as expired.".to_owned()
                }
                TokenAlteration::Revoked => "The token was revoked and is still used.".to_owned(),
                TokenAlteration::Dropped(scope) => {
                    format!("The token was refreshed without {scope}.")
                }
            }),
        }))
    }

    /// Returns a token itself.
    pub async fn reveal(
        &self,
        target: &Target,
        identity: &str,
        kind: TokenKind,
    ) -> Result<String, AuthError> {
        let held = self.state().grants.held(&target.server, identity).await?;
        let tokens = held.ok_or(AuthError::NoToken)?.tokens;
        let token = match kind {
            TokenKind::Access => Some(tokens.access),
            TokenKind::Refresh => tokens.refresh,
            TokenKind::Id => tokens.id,
        };
        token
            .map(|token| token.expose().clone())
            .ok_or(AuthError::NoToken)
    }

    /// Alters a token, and shows how the servers react.
    pub async fn act(
        &self,
        target: &PermittedTarget,
        identity: &str,
        action: TokenAction,
    ) -> Result<TokenReaction, AuthError> {
        let (store, grants) = (&self.state().store, &self.state().grants);
        let server = &target.server;
        // A token of another address must not be tried out here.
        let grant = store.usable_grant(target, identity);
        let grant = grant.ok_or(AuthError::NoToken)?;
        let held = grants.held(server, identity).await?;
        let held = held.ok_or(AuthError::NoToken)?;
        let mut exchanges = Vec::new();
        let (did, should_work) = match action {
            TokenAction::Refresh => {
                let refreshed = grants
                    .refresh(target, identity, held.version, None, &mut exchanges)
                    .await;
                match refreshed {
                    Ok(()) => ("The token was refreshed.".to_owned(), true),
                    Err(fault) => return Ok(reaction(fault.message(), false, exchanges)),
                }
            }
            TokenAction::PretendExpired => {
                grants.alter(
                    server,
                    identity,
                    held,
                    Some(TokenAlteration::PretendedExpired),
                );
                return Ok(self.use_pretended(target, identity).await);
            }
            TokenAction::DropScope { scope } => {
                let kept: Vec<String> = grant
                    .scopes_granted
                    .iter()
                    .filter(|granted| **granted != scope)
                    .cloned()
                    .collect();
                if kept.len() == grant.scopes_granted.len() {
                    return Err(AuthError::Invalid(format!(
                        "The token does not have the scope {scope}."
                    )));
                }
                let refreshed = grants
                    .refresh(target, identity, held.version, Some(&kept), &mut exchanges)
                    .await;
                if let Err(fault) = refreshed {
                    return Ok(reaction(fault.message(), false, exchanges));
                }
                if let Some(held) = grants.held(server, identity).await? {
                    grants.alter(
                        server,
                        identity,
                        held,
                        Some(TokenAlteration::Dropped(scope.clone())),
                    );
                }
                (format!("The token was refreshed without {scope}."), true)
            }
            TokenAction::Corrupt => {
                let corrupted = corrupted(&held.tokens.access);
                grants.alter(
                    server,
                    identity,
                    held,
                    Some(TokenAlteration::Corrupted(corrupted)),
                );
                ("One character of the token was changed.".to_owned(), false)
            }
            TokenAction::Revoke => {
                let revoked = grants
                    .revoke(
                        target,
                        &grant,
                        &held.tokens,
                        &held.tokens.access,
                        "access_token",
                        &mut exchanges,
                    )
                    .await;
                if let Err(words) = revoked {
                    return Ok(reaction(words, false, exchanges));
                }
                grants.alter(server, identity, held, Some(TokenAlteration::Revoked));
                (
                    "The authorization server revoked the token.".to_owned(),
                    false,
                )
            }
            TokenAction::Restore => {
                let dropped = matches!(held.altered, Some(TokenAlteration::Dropped(_)));
                let version = held.version;
                grants.alter(server, identity, held, None);
                if dropped {
                    let all =
                        Some(grant.scopes_requested.as_slice()).filter(|scopes| !scopes.is_empty());
                    let refreshed = grants
                        .refresh(target, identity, version, all, &mut exchanges)
                        .await;
                    if let Err(fault) = refreshed {
                        return Ok(reaction(fault.message(), false, exchanges));
                    }
                }
                ("The token is as it was.".to_owned(), true)
            }
        };
        Ok(self
            .try_token(target, identity, did, should_work, exchanges)
            .await)
    }

    /// The next use of a token that counts as expired refreshes it, which is what a
    /// connection does.
    async fn use_pretended(&self, target: &PermittedTarget, identity: &str) -> TokenReaction {
        let authorizer = self.authorizer(target, Some(identity));
        let store = &self.state().store;
        let version = || Some(store.grant(&target.server, identity)?.version);
        let before = version();
        let outcome = authorizer.authorize().await;
        let after = version();
        let did = match outcome {
            Ok(_) if before != after => {
                "The token counted as expired, so its next use refreshed it."
            }
            Ok(_) => "The token counts as expired and cannot be refreshed.",
            Err(_) => "The vault did not give the token.",
        };
        self.try_token(
            target,
            identity,
            did.to_owned(),
            before != after,
            Vec::new(),
        )
        .await
    }

    /// Sends the server a harmless request with the token as it is now.
    async fn try_token(
        &self,
        target: &PermittedTarget,
        identity: &str,
        did: String,
        should_work: bool,
        mut exchanges: Vec<StepExchange>,
    ) -> TokenReaction {
        let answered = self.ping(target, identity, &mut exchanges).await;
        let (ok, words) = match answered {
            Ok(challenge) if matches!(challenge.status, 401 | 403) => {
                let words = challenge.view().message;
                (!should_work, format!("{did} {words}"))
            }
            Ok(challenge) if should_work => (
                true,
                format!("{did} The server accepts it (HTTP {}).", challenge.status),
            ),
            Ok(challenge) => (
                false,
                format!(
                    "{did} The server still accepts it (HTTP {}): it does not check every token \
                     every time.",
                    challenge.status
                ),
            ),
            Err(words) => (false, format!("{did} {words}")),
        };
        reaction(words, ok, exchanges)
    }

    async fn ping(
        &self,
        target: &PermittedTarget,
        identity: &str,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<Challenge, String> {
        let grants = &self.state().grants;
        let held = grants
            .held(&target.server, identity)
            .await
            .map_err(|error| format!("{error}."))?
            .ok_or("The account holds no token any more.")?;
        let token = match held.altered {
            Some(TokenAlteration::Corrupted(token)) => token,
            _ => held.tokens.access,
        };
        let clients = &self.state().http;
        let http = clients.client(target, clients.record(target))?;
        http.learn(std::slice::from_ref(&token));
        let bearer = format!("Bearer {}", token.expose());
        let mut request = probe_request(target)
            .map_err(SignInError::message)?
            .with_header("authorization", &bearer);
        let mut remark = "something harmless, with the token";
        let answer = loop {
            let answer = http
                .send(request.clone(), remark, |exchange| {
                    exchange.record_in(exchanges)
                })
                .await
                .map_err(|unanswered| unanswered.message)?;
            let Some(next) = stream_request(&request, &answer) else {
                break answer;
            };
            (request, remark) = (next, "its stream, with the token");
        };
        Ok(Challenge {
            url: target.url.clone(),
            status: answer.status,
            header: answer.header("www-authenticate"),
            peer: answer.peer,
        })
    }
}

fn reaction(words: String, ok: bool, exchanges: Vec<StepExchange>) -> TokenReaction {
    TokenReaction {
        message: words,
        ok,
        exchanges,
    }
}

/// Changes a character in the middle: in a JWT that breaks the signature or the claims.
fn corrupted(token: &Secret<String>) -> Secret<String> {
    let mut characters: Vec<char> = token.expose().chars().collect();
    let middle = characters.len() / 2;
    if let Some(character) = characters.get_mut(middle) {
        *character = if *character == 'A' { 'B' } else { 'A' };
    }
    Secret::new(characters.into_iter().collect())
}
