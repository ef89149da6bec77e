//! Errors that stop a sign-in before it is done.

use crate::{AuthStoreError, Clause, IssuerQuestion, http::HttpError};

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
        /// True when a client has to be registered by hand.
        needs_client: bool,
        /// The server offers no OAuth, and a token that the user already has may do.
        wants_token: bool,
    },
}

impl SignInError {
    /// A request had no answer that counts.
    pub fn no_response(unanswered: HttpError, hint: impl Into<String>) -> Self {
        SignInError::Failed {
            message: unanswered.message,
            hint: hint.into(),
            clause: unanswered.clause,
            needs_client: false,
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
            needs_client: false,
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
            needs_client: false,
            wants_token: false,
        }
    }

    /// The authorization server gives this client no id: one has to be registered by hand.
    pub fn without_client(
        message: impl Into<String>,
        hint: impl Into<String>,
        clause: Clause,
    ) -> Self {
        SignInError::Failed {
            message: message.into(),
            hint: hint.into(),
            clause: Some(clause),
            needs_client: true,
            wants_token: false,
        }
    }
}
