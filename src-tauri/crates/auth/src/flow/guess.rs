//! Judges servers that publish no metadata: an older one has an authorization server at the default
//! endpoints of MCP 2025-03-26, another one has none and wants a token.

use serde_json::Value;
use sightglass_model::Verdict;

use super::{Flow, SignInError};
use crate::{
    SignInRemedy, StepKind, clause,
    http::OauthResponse,
    oauth::{challenge::Challenge, token::ErrorResponse},
};

/// Next step where a token may do.
pub(super) const PASTE: &str =
    "Paste a token, or set it in the header `Authorization` of its entry.";

impl Flow {
    /// Returns the error of a server that offers no OAuth, where the answer to a registration at a
    /// guessed endpoint shows that. `None` where an authorization server answered, or may have.
    pub(super) fn not_offered(&self, answer: &OauthResponse) -> Option<SignInError> {
        let is_guess = self.findings.server.as_ref()?.is_guessed
            && self.settings.registration_endpoint.is_none();
        let challenge = self.findings.challenge.as_ref();
        let names_metadata = challenge
            .and_then(Challenge::bearer)
            .is_some_and(|bearer| bearer.resource_metadata.is_some());
        let has_metadata = self.progress.has_chosen(StepKind::ResourceMetadata);
        if !is_guess || names_metadata || has_metadata || !self.is_foreign(answer) {
            return None;
        }
        self.progress.check(
            StepKind::Registration,
            Verdict::Failed,
            "registration_endpoint",
            "a registration",
            format!("{} at a guessed address", answer.status),
            clause::registration(),
        );
        let sought = addresses(self.metadata_statuses().len());
        let evidence = format!(
            "there is no metadata at {sought}, and the default registration endpoint answers {}",
            answer.status
        );
        Some(unoffered(challenge, &evidence))
    }

    /// Returns true when an answer to a registration is none of an authorization server's.
    fn is_foreign(&self, answer: &OauthResponse) -> bool {
        match answer.status {
            200..300 => !is_registration(&answer.body),
            400 => ErrorResponse::read(&answer.body).error.is_empty(),
            // A registration may want a token of its own (RFC 7591, section 3). A server that guards
            // whatever is asked answers the same everywhere.
            status @ (401 | 403) => self.metadata_statuses().contains(&Some(status)),
            404 | 405 | 410 | 501 => true,
            _ => false,
        }
    }

    fn metadata_statuses(&self) -> Vec<Option<u16>> {
        let mut statuses = self.progress.statuses(StepKind::ResourceMetadata);
        statuses.extend(self.progress.statuses(StepKind::ServerMetadata));
        statuses
    }
}

fn is_registration(body: &str) -> bool {
    serde_json::from_str::<Value>(body).is_ok_and(|answer| answer.get("client_id").is_some())
}

/// Words the error by what the server answered without a token.
fn unoffered(challenge: Option<&Challenge>, evidence: &str) -> SignInError {
    let (wish, hint, wants_token) = match challenge {
        None => (
            "It answers without a sign-in.".to_owned(),
            "Connect to it: there is nothing to sign in to.",
            false,
        ),
        Some(challenge) => match (challenge.bearer(), challenge.scheme(), challenge.status) {
            (None, Some(scheme), _) => (
                format!("It asks for {scheme} authentication."),
                "Set the header `Authorization` of its entry as its documentation says.",
                false,
            ),
            (_, _, 403) => (
                "It refuses access; it may want a token.".to_owned(),
                PASTE,
                true,
            ),
            _ => ("It seems to want a token.".to_owned(), PASTE, true),
        },
    };
    SignInError::Failed {
        message: format!("This server does not offer OAuth: {evidence}. {wish}"),
        hint: hint.to_owned(),
        clause: None,
        remedy: challenge.map(|_| Box::new(SignInRemedy::Header)),
        wants_token,
    }
}

/// "1 address", "4 addresses".
pub(super) fn addresses(count: usize) -> String {
    match count {
        1 => "1 address".to_owned(),
        _ => format!("{count} addresses"),
    }
}
