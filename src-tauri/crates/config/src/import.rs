//! Servers from anywhere, read into drafts: a snippet in the form of any client, the command
//! line of another program, a registry's `server.json`, a bundle's manifest, an address, the
//! name of a package.
//!
//! Nothing is run and nothing is fetched. What the user still has to give stands in the draft
//! as `${NAME}` and is listed as an [`ImportInput`].

mod bundle;
mod command_line;
pub(crate) mod install_link;
mod left_out;
mod naming;
mod needs;
mod server_json;
mod snippet;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sightglass_model::RemoteTransport;

pub use bundle::{
    Bundle, BundleArchive, BundleHost, MAX_BUNDLE_BYTES, UnpackedBundle, read_bundle, sha256_of,
    unpack_bundle,
};
pub(crate) use left_out::left_out;
pub use server_json::{RemoteBundle, bundles as server_bundles, candidates as server_candidates};

use crate::{
    definition::draft::{Draft, DraftEndpoint, DraftRemote},
    entry::dialect::LostField,
};

/// Source to import servers from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ImportSource {
    /// Any text: the form is recognised.
    Text {
        text: String,
    },
    /// An `.mcpb` bundle.
    Bundle {
        path: String,
    },
    Url {
        url: String,
    },
    Npm {
        package: String,
    },
    Pypi {
        package: String,
    },
}

/// A server that can be imported.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub draft: Draft,
    /// Description of its source: `VS Code configuration`.
    pub origin: String,
    pub inputs: Vec<ImportInput>,
    /// Notes.
    pub notes: Vec<String>,
    /// The members of its source that the draft does not have.
    pub left_out: Vec<LostField>,
    /// The bundle that it is a part of, and that is unpacked when it is saved.
    pub bundle: Option<BundleArchive>,
}

impl Candidate {
    /// A server that somebody else describes.
    fn new(draft: Draft, origin: impl Into<String>) -> Self {
        Self {
            draft: draft.of_others(),
            origin: origin.into(),
            inputs: Vec::new(),
            notes: Vec::new(),
            left_out: Vec::new(),
            bundle: None,
        }
    }

    /// Returns true when nothing but its form tells that its source is a command line.
    pub fn is_guessed(&self) -> bool {
        self.origin == command_line::GUESSED
    }

    /// The draft with the default of every input in it. An environment variable or a header whose
    /// input is optional and has none is empty. Of the environment it reads the variables that the
    /// user allowed.
    pub fn with_defaults(mut self, allowed: &[String]) -> Draft {
        let is_allowed = |name: &String| allowed.contains(name);
        for input in &self.inputs {
            let reference = format!("${{{}}}", input.name);
            let is_left_empty =
                input.default.is_none() && !input.required && !is_allowed(&input.name);
            if let DraftEndpoint::Stdio { arguments, .. } = &mut self.draft.endpoint
                && let Some(default) = input.default.as_deref().filter(|_| input.multiple)
                && let Some(at) = arguments.iter().position(|text| *text == reference)
            {
                arguments.splice(at..=at, default.lines().map(str::to_owned));
            }
            self.draft.each_text(&mut |field, text| {
                let is_named = field.starts_with("environment[") || field.starts_with("headers[");
                if let Some(default) = &input.default {
                    *text = text.replace(&reference, default);
                } else if is_left_empty && is_named && *text == reference {
                    text.clear();
                }
            });
        }
        self.draft.variables = Some(allowed.to_vec());
        self.draft
    }
}

/// Something that the user has to give, or may.
#[derive(Debug, Clone, Default, PartialEq, Serialize, specta::Type)]
pub struct ImportInput {
    /// Stands in the draft as `${name}`.
    pub name: String,
    pub title: String,
    pub description: String,
    pub required: bool,
    pub secret: bool,
    pub default: Option<String>,
    /// Empty for free text.
    pub choices: Vec<String>,
    pub kind: InputKind,
    /// True when it may have several values, one a line. As an argument each is one of its own.
    pub multiple: bool,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
}

/// Kind of an input's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum InputKind {
    #[default]
    Text,
    Number,
    Directory,
    File,
}

/// Error of an import.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error(
        "No server recognised in this text. Paste an entry with its braces, a command that adds one, or a server.json."
    )]
    Unknown,
    /// The text is of a known form and broken.
    #[error("Line {line}, column {column}: {message}")]
    Broken {
        line: u32,
        column: u32,
        message: String,
    },
    #[error("{0}")]
    CommandLine(String),
    #[error("This is no bundle that can be read: {0}.")]
    Bundle(String),
    /// The bundle is not the one that was shown.
    #[error(
        "{} is another file than the one that was shown. Nothing was unpacked; read it again.",
        path.display()
    )]
    Exchanged { path: PathBuf },
    #[error("The bundle cannot be unpacked into {}: {reason}.", directory.display())]
    Unpack { directory: PathBuf, reason: String },
    #[error("This is no address of a server; it has to begin with http:// or https://.")]
    Address,
    #[error("This is no name of a package.")]
    Package,
    /// The reason why a link that adds a server cannot be read.
    #[error("This link cannot be used: {0}.")]
    Link(String),
}

/// The servers of a source.
pub fn read_import(
    source: &ImportSource,
    host: &BundleHost<'_>,
) -> Result<Vec<Candidate>, ImportError> {
    match source {
        ImportSource::Text { text } => {
            let mut found = read_text(text.trim())?;
            found.iter_mut().for_each(needs::find);
            Ok(found)
        }
        ImportSource::Bundle { path } => Ok(read_bundle(Path::new(path), host)?.candidates),
        ImportSource::Url { url } => of_url(url.trim()).map(|found| vec![found]),
        ImportSource::Npm { package } => of_package(package.trim(), "npx", &["-y"], "npm"),
        ImportSource::Pypi { package } => of_package(package.trim(), "uvx", &[], "PyPI"),
    }
}

fn read_text(text: &str) -> Result<Vec<Candidate>, ImportError> {
    if let Some(found) = install_link::read(text) {
        return found;
    }
    if let Some(found) = command_line::read(text) {
        return found;
    }
    if text.starts_with("http://") || text.starts_with("https://") {
        return of_url(text).map(|found| vec![found]);
    }
    snippet::read(text).or_else(|error| {
        let guessed = command_line::guess(text).filter(|_| error == ImportError::Unknown);
        guessed.map(|found| vec![found]).ok_or(error)
    })
}

fn of_url(url: &str) -> Result<Candidate, ImportError> {
    let parsed = url::Url::parse(url).map_err(|_| ImportError::Address)?;
    if !matches!(parsed.scheme(), "http" | "https" | "ws" | "wss") {
        return Err(ImportError::Address);
    }
    let draft = remote(&naming::of_url(&parsed), url, RemoteTransport::Auto);
    Ok(Candidate::new(draft, "URL"))
}

/// A server of a name at an address, both of which somebody else wrote.
pub fn server_at(name: &str, url: &str) -> Candidate {
    let draft = remote(&naming::plain_name(name), url, RemoteTransport::Auto);
    Candidate::new(draft, "a server on the local network")
}

fn of_package(
    package: &str,
    program: &str,
    before: &[&str],
    registry: &str,
) -> Result<Vec<Candidate>, ImportError> {
    let is_name = !package.is_empty()
        && !package.starts_with('-')
        && package
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "@/._-=~^".contains(character));
    if !is_name {
        return Err(ImportError::Package);
    }
    let arguments = before.iter().copied().chain([package]);
    let draft = program_draft(&naming::of_package(package), program, arguments);
    Ok(vec![Candidate::new(draft, format!("{registry} package"))])
}

fn draft(name: &str, endpoint: DraftEndpoint) -> Draft {
    Draft {
        name: name.to_owned(),
        endpoint,
        era: Default::default(),
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}

fn remote(name: &str, url: &str, transport: RemoteTransport) -> Draft {
    let endpoint = DraftEndpoint::Remote(DraftRemote {
        transport,
        url: url.to_owned(),
        ..DraftRemote::default()
    });
    draft(name, endpoint)
}

fn program_draft<'a>(
    name: &str,
    program: &str,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Draft {
    let endpoint = DraftEndpoint::Stdio {
        command: program.to_owned(),
        arguments: arguments.into_iter().map(str::to_owned).collect(),
        environment: Vec::new(),
        working_directory: None,
    };
    draft(name, endpoint)
}

fn text_of(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names
        .iter()
        .find_map(|name| object.get(*name)?.as_str())
        .map(str::to_owned)
}
