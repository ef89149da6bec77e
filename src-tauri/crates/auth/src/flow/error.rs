//! Errors that stop a sign-in before it is done.

use sightglass_model::Clause;
use url::Url;

use super::documented_tokens;
use crate::{AuthStoreError, IssuerQuestion, SignInRemedy, http::ExchangeError};

/// Error that stops a sign-in.
#[derive(Debug, Clone)]
pub(crate) enum SignInError {
    /// The user cancelled it.
    Cancelled,
    /// Entered secrets would go to an authorization server that the user has not agreed to.
    IssuerNotAgreed(IssuerQuestion),
    Failed {
        message: String,
        hint: String,
        clause: Option<Clause>,
        /// The setting that mends it.
        remedy: Option<Box<SignInRemedy>>,
        /// The server offers no OAuth, and a token that the user already has may do.
        wants_token: bool,
    },
}

impl SignInError {
    /// A request had no answer that counts.
    pub fn no_response(unanswered: ExchangeError, hint: impl Into<String>) -> Self {
        SignInError::Failed {
            message: unanswered.message,
            hint: hint.into(),
            clause: unanswered.clause,
            remedy: None,
            wants_token: false,
        }
    }

    /// The store of the sign-ins could not be written.
    pub fn not_stored(error: AuthStoreError) -> Self {
        let hint = "Free some space, or check the permissions.";
        Self::failed(format!("{error}."), hint)
    }

    pub fn failed(message: impl Into<String>, hint: impl Into<String>) -> Self {
        SignInError::Failed {
            message: message.into(),
            hint: hint.into(),
            clause: None,
            remedy: None,
            wants_token: false,
        }
    }

    /// Message where there are no steps to show.
    pub fn message(self) -> String {
        match self {
            SignInError::Cancelled => "It was cancelled.".to_owned(),
            SignInError::IssuerNotAgreed(question) => question.message(),
            SignInError::Failed { message, .. } => message,
        }
    }

    pub fn refused(message: impl Into<String>, hint: impl Into<String>, clause: Clause) -> Self {
        SignInError::Failed {
            message: message.into(),
            hint: hint.into(),
            clause: Some(clause),
            remedy: None,
            wants_token: false,
        }
    }

    /// The authorization server gives this client no id: one has to be registered by hand.
    pub fn without_client(
        message: impl Into<String>,
        hint: impl Into<String>,
        clause: Clause,
    ) -> Self {
        let remedy = SignInRemedy::EnteredClient { instead: None };
        Self::refused(message, hint, clause).mended_by(remedy)
    }

    /// Names the token that the server takes too, where only a client of the user's own would do.
    pub fn or_by_token(mut self, server: &Url) -> Self {
        if let SignInError::Failed {
            hint,
            remedy: Some(remedy),
            ..
        } = &mut self
            && let SignInRemedy::EnteredClient { instead } = &mut **remedy
            && let Some(advice) = documented_tokens::advice(server)
        {
            hint.push(' ');
            hint.push_str(&advice);
            *instead = Some(advice);
        }
        self
    }

    /// Names the setting that mends it.
    pub fn mended_by(mut self, setting: SignInRemedy) -> Self {
        if let SignInError::Failed { remedy, .. } = &mut self {
            *remedy = Some(Box::new(setting));
        }
        self
    }
}
