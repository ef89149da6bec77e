//! One server as a file defines it: read, checked, and not yet expanded.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sightglass_model::{EraChoice, RemoteTransport, TimeLimits};
use sightglass_secrets::Secret;

use crate::{
    definition::Definition,
    places::Scope,
    problem::{Problem, Severity},
    source::Position,
};

/// The key of a file under which its servers stand.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
pub enum Section {
    /// `servers`, which some clients write.
    #[serde(rename = "servers")]
    Servers,
    /// `mcpServers`, the common spelling. Where a file has both, this one wins for a name
    /// that stands in both.
    #[serde(rename = "mcpServers")]
    McpServers,
}

impl Section {
    /// Both, the one that wins first.
    pub(crate) const BY_PRECEDENCE: [Section; 2] = [Section::McpServers, Section::Servers];

    pub fn key(self) -> &'static str {
        match self {
            Section::Servers => "servers",
            Section::McpServers => "mcpServers",
        }
    }
}

/// One server in one file.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerEntry {
    pub name: String,
    pub scope: Scope,
    pub path: PathBuf,
    pub section: Section,
    /// Where the entry's name stands.
    pub line: u32,
    pub column: u32,
    /// The entry's value, exactly as the file has it. It may hold secrets.
    pub raw: Secret<String>,
    /// `"disabled": true` or `"enabled": false`.
    pub disabled: bool,
    /// What the entry says, or why it cannot be used.
    pub spec: Result<UnexpandedSpec, Vec<Problem>>,
    /// What is odd about it though it can be used.
    pub warnings: Vec<Problem>,
}

impl ServerEntry {
    /// A definition in the file of a scope.
    pub(crate) fn of(definition: Definition, scope: Scope, path: &Path) -> Self {
        Self {
            section: Section::BY_PRECEDENCE[definition.section],
            name: definition.name,
            scope,
            path: path.to_owned(),
            line: definition.line,
            column: definition.column,
            raw: definition.raw,
            disabled: definition.disabled,
            spec: definition.spec,
            warnings: definition.warnings,
        }
    }

    /// All that is wrong with the entry, the errors first.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.spec
            .as_ref()
            .err()
            .into_iter()
            .flatten()
            .chain(&self.warnings)
    }

    /// Whether the entry can be used as it stands, variables aside.
    pub fn is_valid(&self) -> bool {
        !self
            .problems()
            .any(|problem| problem.severity == Severity::Error)
    }
}

/// A server with `${VARIABLE}`s still in its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct UnexpandedSpec {
    pub endpoint: UnexpandedEndpoint,
    pub era: EraChoice,
    pub limits: TimeLimits,
}

#[derive(Debug, Clone, PartialEq)]
pub enum UnexpandedEndpoint {
    Stdio {
        command: UnexpandedText,
        arguments: Vec<UnexpandedText>,
        /// In the order of the file.
        environment: Vec<(String, UnexpandedText)>,
        working_directory: Option<UnexpandedText>,
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
    pub ca_file: Option<UnexpandedText>,
    pub fingerprint: Option<UnexpandedText>,
}

/// A text of the file and where it begins. It prints masked, since it may hold a secret.
#[derive(Debug, Clone, PartialEq)]
pub struct UnexpandedText {
    pub text: Secret<String>,
    pub at: Position,
}
