//! The form of a case in the data.

use std::{collections::BTreeMap, fs};

use serde::Deserialize;
use sightglass_tests::{programs, responder::Rule};

/// A failure, how it is looked at, and what has to be said of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub id: String,
    /// Public threads about it, as `OWNER/NAME#NUMBER`.
    pub source: Vec<String>,
    /// Report in a sentence.
    pub report: String,
    /// Commands that were run while all was well.
    #[serde(default)]
    pub before: Vec<Vec<String>>,
    /// Words after `sightglass-cli`.
    pub look: Vec<String>,
    /// Seconds until whoever looks gives up.
    #[serde(default = "patience")]
    pub patience: u64,

    /// Files by their path on the machine; what begins with `#!` can be executed. Programs in
    /// `bin` are found before all others.
    #[serde(default)]
    pub files: BTreeMap<String, File>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Rules of an HTTP server, which otherwise is an honest MCP server.
    #[serde(default)]
    pub http: Vec<Rule>,
    /// Certificate that it shows.
    pub certificate: Option<Shown>,
    /// Fault of an MCP server with an authorization server, which otherwise are honest.
    pub sign_in: Option<SignIn>,

    /// Exit code, where it matters.
    pub code: Option<i32>,
    /// Texts that name the cause. Each has to be said, in one of the wordings between `|`.
    pub cause: Vec<String>,
    /// Texts of the server or the program that have to be shown, where those say it best.
    #[serde(default)]
    pub quoted: Vec<String>,
    /// Texts that name the next step.
    #[serde(default)]
    pub next: Vec<String>,
    /// Texts that mislead, and must not be said.
    #[serde(default)]
    pub wrong: Vec<String>,
    pub miss: Option<Miss>,
}

/// Parts that are known to be missed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Miss {
    #[serde(default)]
    pub cause: bool,
    #[serde(default)]
    pub next: bool,
    /// The sentence that is said instead.
    pub said: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum File {
    Utf8(String),
    /// As PowerShell writes it, with a byte order mark.
    Utf16 {
        utf16: String,
    },
    /// With as many letters in place of `{fill}`.
    Filled {
        utf8: String,
        fill: usize,
    },
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Shown {
    SelfSigned,
    Expired,
    /// By an authority that nobody here knows.
    UnknownAuthority,
    OtherName,
}

/// One fault; the patches are JSON (RFC 7396).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SignIn {
    Metadata(String),
    Resource(String),
    Callback(String),
    Token(String),
    Claims(String),
    Answer {
        path: String,
        status: u16,
        body: String,
    },
    /// Members of the answer to a registration, as they are here.
    Registration(String),
    /// The first place of the resource's metadata has `{}`, the next one has them.
    EmptyResource,
    NoResource,
    NeverEnough,
    /// No token is good, and none is refreshed.
    Closed,
    /// The clients that were registered are forgotten.
    ForgottenClients,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

impl Case {
    /// Reads the cases of every file, in order.
    pub fn all() -> Vec<Self> {
        let directory = programs::repository().join("tests/fixtures/exam");
        let mut files: Vec<_> = fs::read_dir(&directory)
            .expect("the cases are there")
            .map(|entry| entry.expect("readable").path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "toml")
            })
            .collect();
        files.sort();
        files
            .iter()
            .flat_map(|path| {
                let text = fs::read_to_string(path).expect("UTF-8");
                let cases: Cases = toml::from_str(&text)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                cases.case
            })
            .collect()
    }
}

fn patience() -> u64 {
    30
}
