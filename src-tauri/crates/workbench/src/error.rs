//! What a tool says when it did not do what it was asked.

use std::io;

/// Reason why a tool did not do what it was asked, as a sentence for the model.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(String);

impl ToolError {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    pub fn unwritten(error: &io::Error) -> Self {
        Self(format!("Nothing was written: {error}."))
    }
}
