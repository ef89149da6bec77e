//! Plans actions on configuration files: computes the changes without writing them.

mod planner;
mod transfer;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{
    change::{
        apply_steps::{Step, apply_steps},
        error::ConfigError,
        file_change::FileChange,
    },
    client::{Machine, Target},
    definition::draft::Draft,
    entry::dialect::LostField,
    import::BundleArchive,
    scopes::ScopePlace,
    text::problem::Problem,
};
use planner::Planner;

/// Action on configuration files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[allow(
    clippy::large_enum_variant,
    reason = "one is made for each thing that a user does"
)]
pub enum ConfigAction {
    Add {
        target: Target,
        draft: Draft,
    },
    Remove {
        target: Target,
        names: Vec<String>,
    },
    Disable {
        target: Target,
        names: Vec<String>,
    },
    Enable {
        target: Target,
        names: Vec<String>,
    },
    Rename {
        target: Target,
        name: String,
        new_name: String,
    },
    /// Servers of one scope, put into another and taken out of the first.
    Move {
        from: Target,
        to: Target,
        items: Vec<TransferItem>,
    },
    /// Servers of one scope, put into another.
    Copy {
        from: Target,
        to: Target,
        items: Vec<TransferItem>,
    },
    /// A server of one scope, put into several others. Where one of them has a server of that
    /// name, it takes its place.
    Sync {
        from: Target,
        name: String,
        to: Vec<Target>,
    },
    /// Servers of any scopes, switched on and off at once.
    Switch {
        items: Vec<SwitchItem>,
    },
    /// Tools of a server, by the names that its client gives them, taken from the model by rules that
    /// deny them, or given back. `target` is the place of the server.
    SwitchTools {
        target: Target,
        off: Vec<String>,
        on: Vec<String>,
    },
    /// Drafts from anywhere, put into a scope.
    Import {
        target: Target,
        items: Vec<ImportItem>,
    },
    /// The server of a bundle, which is unpacked before the entry is written.
    AddBundle {
        target: Target,
        draft: Draft,
        archive: BundleArchive,
    },
    /// Another text for a whole file, as the editor shows it. A form writes into that text first,
    /// by [`with_draft`].
    Text {
        target: Target,
        text: String,
    },
    /// The commas of a JSON file put right: those too many, and those that are missing.
    Repair {
        target: Target,
    },
    /// A file as a backup has it.
    Restore {
        backup: String,
    },
    /// Takes back the last change.
    Undo,
    /// Does again what was taken back last.
    Redo,
}

/// A server that is moved or copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TransferItem {
    pub name: String,
    /// The name it is to have in the other scope, where that differs.
    #[serde(default)]
    pub new_name: Option<String>,
    /// Choice for when the other scope has a server of that name.
    #[serde(default)]
    pub conflict: ConflictChoice,
}

/// A server that is switched on or off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SwitchItem {
    pub target: Target,
    pub name: String,
    pub is_on: bool,
}

/// A server that is imported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportItem {
    pub draft: Draft,
    /// Choice for when the scope has a server of that name.
    #[serde(default)]
    pub conflict: ConflictChoice,
    /// The server of another scope that the draft was made of. What the draft does not have of
    /// it is reported as lost.
    #[serde(default)]
    pub source: Option<ImportedServer>,
    /// The members of the text it was read from that the draft does not have.
    #[serde(default)]
    pub left_out: Vec<LostField>,
}

/// A server of a scope, to import from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ImportedServer {
    pub target: Target,
    pub name: String,
}

/// Choice for when there already is a server of the same name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ConflictChoice {
    /// Refuse the whole action.
    #[default]
    Refuse,
    /// Leave the one that is there.
    Skip,
    /// Put the new one in its place.
    Replace,
    /// Add the new one under a free name: `name-2`.
    KeepBoth,
}

/// Plan of an action. Nothing is written yet.
#[derive(Debug, Clone)]
pub struct ChangePlan {
    /// Title: `Move github to Claude Code, project`.
    pub title: String,
    /// The files that change, in the order in which they are written.
    pub files: Vec<PlannedFile>,
    /// Members that the target cannot express.
    pub lost: Vec<LostField>,
    /// Warnings to read before.
    pub warnings: Vec<String>,
    /// The servers that the user wrote by this: where, and under which name. All that they say
    /// was entered or seen.
    pub written: Vec<(Target, String)>,
    /// Servers whose approval is kept, where they have one, though their entry, name or place
    /// changes.
    pub carried: Vec<CarriedApproval>,
    /// The bundle that is unpacked before.
    pub bundle: Option<BundleArchive>,
}

impl ChangePlan {
    /// Returns the title once the plan is carried out: `Added notes to .mcp.json (project root)`.
    pub fn done_title(&self) -> String {
        done_title(&self.title)
    }
}

fn done_title(title: &str) -> String {
    if let Some(change) = title.strip_prefix("Undo: ") {
        return format!("Undone: {}", done_title(change));
    }
    if let Some(change) = title.strip_prefix("Redo: ") {
        return format!("{} again", done_title(change));
    }
    let verbs = [
        ("Add ", "Added "),
        ("Change ", "Saved "),
        ("Copy ", "Copied "),
        ("Disable ", "Disabled "),
        ("Edit ", "Saved "),
        ("Enable ", "Enabled "),
        ("Import ", "Imported "),
        ("Move ", "Moved "),
        ("Remove ", "Removed "),
        ("Rename ", "Renamed "),
        ("Repair ", "Repaired "),
        ("Restore ", "Restored "),
        ("Switch ", "Switched "),
    ];
    let done = verbs.iter().find_map(|(now, then)| {
        let rest = title.strip_prefix(now)?;
        Some(format!("{then}{rest}"))
    });
    done.unwrap_or_else(|| title.to_owned())
}

/// A server that keeps its approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedApproval {
    pub from: Target,
    pub name: String,
    pub to: Target,
    pub new_name: String,
}

/// One file of a plan.
#[derive(Debug, Clone)]
pub struct PlannedFile {
    pub target: Target,
    /// The path as a user would write it.
    pub label: String,
    pub change: FileChange,
    /// The file that is really written, where a link of the project leads out of it.
    pub outside: Option<PathBuf>,
    /// Problems that keep clients from reading the file even after the change.
    pub remaining_problems: Vec<Problem>,
}

/// Computes what an action does to the files as they are now. [`ConfigAction::Undo`],
/// [`ConfigAction::Redo`] and [`ConfigAction::Restore`] are planned by their owners,
/// [`History`](crate::History) and [`Backups`](crate::Backups).
///
/// Every byte outside the entries that are meant survives: comments, order, indentation, line
/// ends, the byte order mark, fields that are not understood. Comments and trailing commas do
/// not hinder a change ([`PlannedFile::remaining_problems`] names them); any other mistake does.
pub fn plan_action(action: &ConfigAction, machine: &Machine) -> Result<ChangePlan, ConfigError> {
    let mut planner = Planner::new(machine);
    let title = planner.run(action)?;
    planner.into_plan(title)
}

/// A plan that gives a scope's whole file an earlier text. Nothing in that text counts as written
/// by the user now: what was approved then still is, by its fingerprint.
pub fn plan_restore(
    target: &Target,
    text: &str,
    machine: &Machine,
) -> Result<ChangePlan, ConfigError> {
    let action = ConfigAction::Text {
        target: target.clone(),
        text: text.to_owned(),
    };
    Ok(ChangePlan {
        written: Vec::new(),
        carried: Vec::new(),
        ..plan_action(&action, machine)?
    })
}

/// A text for a scope's file with what a draft says, for the server `name` or a new one.
pub fn with_draft(
    place: &ScopePlace,
    text: &str,
    name: Option<&str>,
    draft: &Draft,
) -> Result<String, ConfigError> {
    let problems = draft.problems();
    if !problems.is_empty() {
        return Err(ConfigError::InvalidDraft { problems });
    }
    let step = match name {
        Some(name) => Step::Replace { name, draft },
        None => Step::Add { draft },
    };
    apply_steps(
        &place.path,
        &place.layout,
        Some(text),
        &[step],
        &mut Vec::new(),
    )
}
