use serde::{Deserialize, Serialize};

/// The codes of errors that a command can end with. There is one only where the window or a script
/// acts on the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// No server of that name.
    UnknownServer,
    /// The server is not connected.
    NotConnected,
    /// The request was malformed, for instance arguments that are not a JSON object.
    InvalidInput,
    /// The thing asked for does not exist or no longer exists: a frame, a tool, a file.
    NotFound,
    /// Something on the network, such as the registry, could not be reached.
    Offline,
    /// The managed policy forbids the server.
    RefusedByPolicy,
    /// A rule of a client, to which the calls of the server are held, denies the call.
    DeniedByRule,
    /// A call has to be confirmed, and there is nobody to ask.
    NotConfirmed,
    /// The server comes from a project file and is not approved for this project.
    NotApproved,
    /// The server needs the project's folder, which the user does not trust.
    FolderNotTrusted,
    /// A configuration file could not be read or written.
    Configuration,
    /// The record could not be read.
    Record,
    /// The user, or a time limit, ended it.
    Cancelled,
    /// The connection was lost while the request was under way.
    ConnectionLost,
    /// The operating system refused something: a file to save, an address to open.
    System,
    /// A defect of the program itself; the report helps its developers.
    Internal,
}
