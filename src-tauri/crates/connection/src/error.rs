use thiserror::Error;

/// Error of an operation on a connection.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConnectionError {
    /// There is no live connection to this server.
    #[error("the server is not connected")]
    NotConnected,
    /// The parameters or the answer are not the JSON that is needed.
    #[error("{message}")]
    InvalidParams { message: String },
    /// No such item, or no such question in the inbox.
    #[error("{what} does not exist any more")]
    NotFound { what: String },
    /// The server did not do it; the record shows its answer.
    #[error("the server did not accept {method}")]
    Refused { method: String },
    /// The list could not be loaded.
    #[error("{message}")]
    ListFailed {
        message: String,
        /// The JSON-RPC error with which the server refused, as it came.
        answer: Option<Box<str>>,
    },
}
