use std::path::PathBuf;

use crate::{
    client::{Client, Machine, Target},
    definition::draft::DraftProblem,
    scopes::{FileOwner, scopes},
    text::problem::Problem,
};

/// Error for which a file was not changed. The texts say what to do; no file was touched.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be edited safely while it is not JSON.
    #[error("{} is broken ({}). Repair it first.", path.display(), first(problems))]
    Broken {
        path: PathBuf,
        problems: Vec<Problem>,
    },
    /// The draft is not a server yet.
    #[error("{}", draft_words(problems))]
    InvalidDraft { problems: Vec<DraftProblem> },
    /// There already is a server of that name in this file.
    #[error(
        "{} already has a server named {name}, on line {line}. Choose another name, or edit that one.",
        path.display()
    )]
    NameTaken {
        path: PathBuf,
        name: String,
        line: u32,
    },
    /// There is no server of that name in this file.
    #[error("{} has no server named {name}. It may have been removed meanwhile.", path.display())]
    NoSuchServer { path: PathBuf, name: String },
    /// The client has no way to say what the server needs.
    #[error("{} cannot have {name}. {reason}", client.title())]
    Inexpressible {
        client: Client,
        name: String,
        reason: String,
    },
    /// The client has no way to list a server without using it.
    #[error(
        "{} has no way to switch {name} off in its file. Remove it instead; undo brings it back.",
        client.title()
    )]
    CannotDisable { client: Client, name: String },
    /// The client has no rules that take a tool from the model.
    #[error("{} has no rules that take tools from the model.", client.title())]
    NoToolRules { client: Client },
    /// The client has no scope of that name. `known` are those that can be written.
    #[error(
        "{} has no scope {}. {}",
        target.client.title(), target.scope, known_words(known)
    )]
    NoSuchScope { target: Target, known: Vec<String> },
    /// The file is written by somebody else.
    #[error("{} is written by {}; a change would not last. Choose another scope.", path.display(), owner_words(*writer))]
    NotYours { path: PathBuf, writer: FileOwner },
    /// There is no change to take back or do again, or no such backup.
    #[error("There is nothing to go back to.")]
    NothingToGoBackTo,
    /// The file is not what the change was planned on.
    #[error(
        "{} was changed by another program meanwhile. Nothing was written; look at the file again and repeat the change.",
        path.display()
    )]
    ChangedUnderneath { path: PathBuf },
    /// The file could not be read.
    #[error("Cannot read {}. {advice}", path.display())]
    Unreadable {
        path: PathBuf,
        advice: String,
        #[source]
        source: sightglass_files::ReadError,
    },
    /// Another program changes configuration files, or the lock cannot be made.
    #[error(transparent)]
    Locked(#[from] sightglass_files::LockError),
    /// The file is marked read-only, which is respected.
    #[error("{} is read-only. Make it writable, for instance with chmod u+w.", path.display())]
    ReadOnly { path: PathBuf },
    /// The new file could not be given to the owner of the old one.
    #[error(
        "{} belongs to another user or group, which could not be kept. Change it as that user.",
        path.display()
    )]
    OwnershipLost {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// Links that lead in a circle, or too far.
    #[error("{} is a symbolic link that leads nowhere. Remove the link.", path.display())]
    LinkLoop { path: PathBuf },
    /// A link of the project leads to a file elsewhere, and the user was not asked.
    #[error(
        "{} leads to {}, outside this project. Review the change and confirm that it is written there.",
        path.display(), real.display()
    )]
    LeavesProject { path: PathBuf, real: PathBuf },
    /// The system refused a step of writing.
    #[error("Cannot write {}. {advice}", path.display())]
    Unwritable {
        path: PathBuf,
        advice: String,
        #[source]
        source: std::io::Error,
    },
}

impl ConfigError {
    /// The client of a target has no scope of that name on this machine.
    pub fn no_such_scope(target: &Target, machine: &Machine) -> Self {
        let writable = scopes(target.client, machine)
            .into_iter()
            .filter(|place| matches!(place.writer, FileOwner::User | FileOwner::Project));
        Self::NoSuchScope {
            target: target.clone(),
            known: writable.map(|place| place.target.scope).collect(),
        }
    }
}

fn known_words(known: &[String]) -> String {
    match known {
        [] => "It has none that can be written.".to_owned(),
        [one] => format!("Its scope is {one}."),
        several => format!("Its scopes are {}.", several.join(", ")),
    }
}

fn owner_words(writer: FileOwner) -> &'static str {
    match writer {
        FileOwner::User => "you",
        FileOwner::Project => "the project",
        FileOwner::Administrator => "the administrator of this computer",
        FileOwner::Program => "a program",
    }
}

fn first(problems: &[Problem]) -> String {
    match problems.first() {
        Some(problem) => format!("line {}, column {}", problem.line, problem.column),
        None => "unknown place".into(),
    }
}

fn draft_words(problems: &[DraftProblem]) -> String {
    problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}
