//! Draft: a server as the user enters it into the form.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sightglass_model::{EraChoice, Fingerprint, RemoteTransport, TimeLimits};
use sightglass_secrets::MASK;

use crate::{
    definition::Definition,
    entry::{UnexpandedEndpoint, UnexpandedSpec, UnexpandedText},
    entry::{
        sign_in::written_sign_in,
        value::{address_problem, is_environment_name},
    },
    text::problem::Severity,
};

/// The fields of the form. Texts may hold `${VARIABLE}`s; they are written as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    pub name: String,
    pub endpoint: DraftEndpoint,
    #[serde(default)]
    pub era: EraChoice,
    /// Time limits; absent to leave those of the entry as they are.
    #[serde(default)]
    pub limits: Option<DraftLimits>,
    /// Tools that are used; absent to leave what the entry says as it is.
    #[serde(default)]
    pub tools: Option<DraftTools>,
    /// Sign-in settings; absent to leave what the entry says as it is.
    #[serde(default)]
    pub sign_in: Option<DraftSignIn>,
    /// Variables of the environment that the user allowed a draft of somebody else's to read;
    /// absent for a draft of the user's own, which may read all.
    #[serde(default)]
    pub variables: Option<Vec<String>>,
}

/// Sign-in settings of a remote server. Absent members are discovered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftSignIn {
    /// Never sign in.
    pub off: bool,
    /// A client that was registered by hand.
    pub client_id: Option<String>,
    /// The address of a Client ID Metadata Document.
    pub client_metadata_url: Option<String>,
    /// Scopes to ask for.
    pub scopes: Option<Vec<String>>,
    /// The port of the redirect address.
    pub callback_port: Option<u16>,
    /// The environment variable that holds a fixed token.
    pub bearer_variable: Option<String>,
}

/// Time limits, in milliseconds. The file counts seconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DraftLimits {
    pub startup: Option<u32>,
    pub tool: Option<u32>,
    /// By the name of a phase.
    pub phases: Vec<PhaseLimit>,
}

/// Time limit of one phase of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PhaseLimit {
    pub phase: String,
    pub milliseconds: u32,
}

/// Selection of a server's tools.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DraftTools {
    /// Only these; absent for all.
    pub enabled: Option<Vec<String>>,
    /// None of these.
    pub disabled: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum DraftEndpoint {
    /// A program that speaks over its standard streams.
    Stdio {
        command: String,
        arguments: Vec<String>,
        environment: Vec<NamedText>,
        /// Working directory; the project's directory when absent.
        working_directory: Option<String>,
    },
    /// A server on a network or behind a socket.
    Remote(DraftRemote),
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftRemote {
    pub transport: RemoteTransport,
    pub url: String,
    pub headers: Vec<NamedText>,
    /// A file with certificate authorities; a relative path is understood from the project.
    #[serde(default)]
    pub ca_file: Option<String>,
    /// SHA-256 of the one certificate that is accepted.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// An environment variable or a header. The text prints masked.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct NamedText {
    pub name: String,
    pub text: String,
}

impl fmt::Debug for NamedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {MASK}", self.name)
    }
}

/// Problem of one field of the form. Its place is the field, where that of a
/// [`Problem`](crate::Problem) is a line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct DraftProblem {
    /// `name`, `command`, `environment[1]`, `url`, `headers[0]`, `fingerprint`, …
    pub field: String,
    pub severity: Severity,
    pub message: String,
}

impl DraftProblem {
    /// Makes a problem that keeps the draft from being a server.
    pub fn error(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            severity: Severity::Error,
            message: message.into(),
        }
    }
}

impl Draft {
    /// Returns the problems that keep the draft from being a server. Empty when it can be written.
    pub fn problems(&self) -> Vec<DraftProblem> {
        let mut problems = Vec::new();
        let mut complain = |field: String, message: &str| {
            problems.push(DraftProblem::error(field, message));
        };
        if self.name.trim().is_empty() {
            complain("name".into(), "Give the server a name.");
        } else if self.name.trim() != self.name {
            complain(
                "name".into(),
                "The name begins or ends with a space. Remove it.",
            );
        }
        match &self.endpoint {
            DraftEndpoint::Stdio {
                command,
                environment,
                ..
            } => {
                if command.trim().is_empty() {
                    complain("command".into(), "Enter the program to start.");
                }
                for (index, variable) in environment.iter().enumerate() {
                    let field = format!("environment[{index}]");
                    if !is_environment_name(&variable.name) {
                        complain(field, "The variable needs a name without = in it.");
                    } else if environment[..index]
                        .iter()
                        .any(|earlier| earlier.name == variable.name)
                    {
                        complain(field, "This variable is there twice.");
                    }
                }
            }
            DraftEndpoint::Remote(DraftRemote {
                transport,
                url,
                headers,
                fingerprint,
                ..
            }) => {
                if url.trim().is_empty() {
                    complain("url".into(), "Enter the server's address.");
                } else if !url.contains("${")
                    && let Some(complaint) = address_problem(url, *transport)
                {
                    complain("url".into(), &complaint);
                }
                for (index, header) in headers.iter().enumerate() {
                    let field = format!("headers[{index}]");
                    if http::HeaderName::from_bytes(header.name.as_bytes()).is_err() {
                        complain(field, "This is not the name of an HTTP header.");
                    } else if headers[..index]
                        .iter()
                        .any(|earlier| earlier.name.eq_ignore_ascii_case(&header.name))
                    {
                        complain(field, "This header is there twice.");
                    } else if http::HeaderValue::from_str(&header.text).is_err() {
                        complain(field, "The value holds a line break or control character.");
                    }
                }
                if let Some(text) = fingerprint
                    && !text.is_empty()
                    && !text.contains("${")
                    && text.parse::<Fingerprint>().is_err()
                {
                    complain(
                        "fingerprint".into(),
                        "Enter the SHA-256 of the certificate, 64 hexadecimal digits.",
                    );
                }
            }
        }
        if let Some(sign_in) = &self.sign_in {
            if let Some(address) = &sign_in.client_metadata_url
                && !address.is_empty()
                && !address.contains("${")
                && !address.starts_with("https://")
            {
                complain(
                    "signIn.clientMetadataUrl".into(),
                    "Enter an address that begins with https://.",
                );
            }
            if let Some(name) = &sign_in.bearer_variable
                && !name.is_empty()
                && !is_environment_name(name)
            {
                complain(
                    "signIn.bearerVariable".into(),
                    "Enter the name of a variable, without = in it.",
                );
            }
            if sign_in.callback_port == Some(0) {
                complain(
                    "signIn.callbackPort".into(),
                    "Enter a port from 1 to 65535.",
                );
            }
        }
        problems.extend(self.variable_problems());
        problems
    }

    fn of_spec(name: &str, spec: &UnexpandedSpec) -> Draft {
        let plain = |text: &UnexpandedText| text.shown().into_owned();
        let named = |texts: &[(String, UnexpandedText)]| {
            texts
                .iter()
                .map(|(name, text)| NamedText {
                    name: name.clone(),
                    text: plain(text),
                })
                .collect()
        };
        let endpoint = match &spec.endpoint {
            UnexpandedEndpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory,
                environment_file: _,
            } => DraftEndpoint::Stdio {
                command: plain(command),
                arguments: arguments.iter().map(plain).collect(),
                environment: named(environment),
                working_directory: working_directory.as_ref().map(plain),
            },
            UnexpandedEndpoint::Remote(remote) => DraftEndpoint::Remote(DraftRemote {
                transport: remote.transport,
                url: plain(&remote.url),
                headers: named(&remote.headers),
                ca_file: remote.ca_file.as_ref().map(plain),
                fingerprint: remote.fingerprint.as_ref().map(plain),
            }),
        };
        Draft {
            name: name.to_owned(),
            endpoint,
            era: spec.era,
            limits: None,
            tools: None,
            sign_in: None,
            variables: None,
        }
    }
}

impl DraftSignIn {
    /// Reads an entry of the common form.
    pub(crate) fn of(entry: &Map<String, Value>) -> Self {
        let fields = written_sign_in(entry);
        Self {
            off: fields.off,
            client_id: fields.client_id,
            client_metadata_url: fields.client_metadata_url,
            scopes: fields.scopes,
            callback_port: fields.callback_port,
            bearer_variable: fields.bearer_variable,
        }
    }
}

impl DraftLimits {
    fn of(limits: &TimeLimits) -> Self {
        let milliseconds = |limit: &Duration| u32::try_from(limit.as_millis()).unwrap_or(u32::MAX);
        Self {
            startup: limits.startup.as_ref().map(milliseconds),
            tool: limits.tool.as_ref().map(milliseconds),
            phases: limits
                .phases
                .iter()
                .map(|(phase, limit)| PhaseLimit {
                    phase: (*phase).to_owned(),
                    milliseconds: milliseconds(limit),
                })
                .collect(),
        }
    }
}

impl DraftTools {
    fn of(entry: &Map<String, Value>) -> Self {
        let texts = |field: &str| {
            let elements = entry.get(field)?.as_array()?;
            Some(
                elements
                    .iter()
                    .filter_map(|element| element.as_str().map(str::to_owned))
                    .collect(),
            )
        };
        Self {
            enabled: texts("enabled_tools"),
            disabled: texts("disabled_tools").unwrap_or_default(),
        }
    }
}

/// A definition of any client as the form shows it. `None` for one that cannot be read.
pub fn definition_draft(definition: &Definition) -> Option<Draft> {
    let spec = definition.spec.as_ref().ok()?;
    Some(Draft {
        limits: Some(DraftLimits::of(&spec.limits)),
        tools: Some(DraftTools::of(definition.common.expose())),
        sign_in: matches!(spec.endpoint, UnexpandedEndpoint::Remote(_))
            .then(|| DraftSignIn::of(definition.common.expose())),
        ..Draft::of_spec(&definition.name, spec)
    })
}
