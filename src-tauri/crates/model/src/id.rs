use std::fmt;

use serde::{Deserialize, Serialize};
use sightglass_secrets::mask_url_parameters;

/// Stands for the client in the ids of servers that are named on a command line.
const COMMAND_LINE: &str = "command-line";
/// Stands for the client in the ids under which checks of a server are on record.
const CHECK: &str = "check";

/// Names one server for as long as the program knows it: `<client>:<name>`, for instance
/// `mcp-json:filesystem` or `built-in:demo`.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(transparent)]
pub struct ServerId(String);

impl ServerId {
    /// The server `name` among those of `client`.
    pub fn new(client: &str, name: &str) -> Self {
        Self(format!("{client}:{name}"))
    }

    /// The demo server that ships inside the application.
    pub fn demo() -> Self {
        Self::new("built-in", "demo")
    }

    /// A server that the user names on a command line, by its command or its address. What is kept
    /// for a server stands under its id, so that a password in the address is no part of it.
    pub fn named_on_command_line(name: &str) -> Self {
        match name.contains("://") {
            true => Self::new(COMMAND_LINE, &mask_url_parameters(name)),
            false => Self::new(COMMAND_LINE, name),
        }
    }

    /// Returns true when the user named it on a command line.
    pub fn is_named_on_command_line(&self) -> bool {
        self.is_of(COMMAND_LINE)
    }

    /// The id under which connections that check this server are on record, so that what happens
    /// on them is not taken for something that happened to the server.
    pub fn of_check(&self) -> Self {
        Self::new(CHECK, &self.0)
    }

    /// Returns true when it is the id of a check.
    pub fn is_of_check(&self) -> bool {
        self.is_of(CHECK)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The server's name among those of its client.
    pub fn name(&self) -> &str {
        self.0.split_once(':').map_or(&self.0, |(_, name)| name)
    }

    /// Returns true when it is one of the servers of `client`.
    pub fn is_of(&self, client: &str) -> bool {
        let rest = self.0.strip_prefix(client);
        rest.is_some_and(|rest| rest.starts_with(':'))
    }
}

impl From<String> for ServerId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

macro_rules! numbered_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
            specta::Type,
        )]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{}", self.0)
            }
        }
    };
}

numbered_id! {
    /// One attempt to connect to a server, from its first phase to its last. Unique in a
    /// record, also across restarts.
    ConnectionId
}
numbered_id! {
    /// One thing that was recorded: a message, a line of stderr, an HTTP request, a phase
    /// change. Frames are numbered in the order in which they crossed the wire.
    FrameId
}
numbered_id! {
    /// One row of the record: a request together with its response, or a frame that stands
    /// alone. Equal to the number of its first frame.
    ExchangeId
}
