//! Answers to incoming messages.

use std::{future::Future, pin::Pin};

use crate::message::{Message, RequestId, RpcError};

/// An answer, and what an HTTP status has to know about it.
#[derive(Debug)]
pub struct Answer {
    pub message: Message,
    /// The code, when the answer is an error.
    pub error: Option<i64>,
}

/// Outcome of an incoming message.
pub enum Accepted {
    /// It wanted no answer.
    Nothing,
    /// Here it is.
    Answer(Answer),
    /// It will be there later, or never.
    Working(Pin<Box<dyn Future<Output = Option<Answer>> + Send>>),
}

/// An error answer.
pub fn failure(id: Option<&RequestId>, error: RpcError) -> Answer {
    Answer {
        message: error.to_message(id),
        error: Some(error.code),
    }
}
