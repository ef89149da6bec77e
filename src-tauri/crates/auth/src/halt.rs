//! Errors that stop a sign-in before it is done.

use crate::{Clause, IssuerQuestion, web::Unanswered};

/// Error that stops a sign-in.
#[derive(Debug, Clone)]
pub(crate) enum Halt {
    /// The person wanted it to.
    Cancelled,
    /// Entered secrets would go to an authorization server that the user has not agreed to.
    NotAgreed(IssuerQuestion),
    Failed {
        message: String,
        hint: String,
        clause: Option<Clause>,
    },
}

impl Halt {
    /// A request had no answer that counts.
    pub fn unanswered(unanswered: Unanswered, hint: impl Into<String>) -> Self {
        Halt::Failed {
            message: unanswered.message,
            hint: hint.into(),
            clause: unanswered.clause,
        }
    }

    pub fn failed(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Halt::Failed {
            message: message.into(),
            hint: hint.into(),
            clause: None,
        }
    }

    /// Message where there are no steps to show.
    pub fn words(self) -> String {
        match self {
            Halt::Cancelled => "It was cancelled.".to_owned(),
            Halt::NotAgreed(question) => question.message(),
            Halt::Failed { message, .. } => message,
        }
    }

    pub fn refused(message: impl Into<String>, hint: impl Into<String>, clause: Clause) -> Self {
        Halt::Failed {
            message: message.into(),
            hint: hint.into(),
            clause: Some(clause),
        }
    }
}
