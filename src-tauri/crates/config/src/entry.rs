//! Reads one entry: from the form of any client into the common form, and from there into a
//! specification whose variables are not expanded yet.

pub(crate) mod client_variable;
pub(crate) mod dialect;
pub(crate) mod environment_file;
pub(crate) mod escaped_path;
pub(crate) mod expand;
pub(crate) mod exposed;
pub(crate) mod field_names;
pub(crate) mod input;
pub(crate) mod not_expanded;
pub(crate) mod program;
pub(crate) mod read_entry;
pub(crate) mod referenced_file;
pub(crate) mod resolve;
pub(crate) mod shell_text;
pub(crate) mod sign_in;
pub(crate) mod value;
pub(crate) mod variable;

use std::borrow::Cow;

use sightglass_model::{EraChoice, RemoteTransport, TimeLimits};
use sightglass_secrets::Secret;

use crate::{
    entry::expand::{Expansion, as_written},
    text::source::Position,
};

/// A server with `${VARIABLE}`s still in its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct UnexpandedSpec {
    pub endpoint: UnexpandedEndpoint,
    pub era: EraChoice,
    pub limits: TimeLimits,
    /// The rules of its client for references.
    pub(crate) expansion: Expansion,
}

#[derive(Debug, Clone, PartialEq)]
pub enum UnexpandedEndpoint {
    Stdio {
        command: UnexpandedText,
        arguments: Vec<UnexpandedText>,
        /// In the order of the file.
        environment: Vec<(String, UnexpandedText)>,
        working_directory: Option<UnexpandedText>,
        /// A file of further variables, `NAME=value` by line.
        environment_file: Option<UnexpandedText>,
    },
    Remote(UnexpandedRemote),
}

/// A [`RemoteEndpoint`](sightglass_model::RemoteEndpoint) as the file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct UnexpandedRemote {
    pub transport: RemoteTransport,
    pub url: UnexpandedText,
    /// In the order of the file.
    pub headers: Vec<(String, UnexpandedText)>,
    /// A command whose output is further headers.
    pub headers_helper: Option<UnexpandedText>,
    pub ca_file: Option<UnexpandedText>,
    pub fingerprint: Option<UnexpandedText>,
}

/// A text of the file and where it begins. It prints masked, since it may hold a secret.
#[derive(Debug, Clone, PartialEq)]
pub struct UnexpandedText {
    pub text: Secret<String>,
    pub at: Position,
}

impl UnexpandedText {
    /// The text as it is shown: a reference that its client does not expand stands there as in the
    /// file.
    pub fn shown(&self) -> Cow<'_, str> {
        as_written(self.text.expose())
    }
}
