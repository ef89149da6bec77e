//! A request that waits for its answer.

/// A request without an answer.
#[derive(Debug)]
pub(super) struct LinkedRequest {
    pub method: String,
    /// The tool, prompt or resource.
    pub name: Option<String>,
    /// The row of the first round of the same request.
    pub first: u32,
    /// Answers that are to come, more than one for a batch.
    pub answers: u32,
}
