//! `config undo`, `backups` and `restore`: takes changes of files back.

use anstyle::Style;
use clap::Args;
use serde_json::json;
use sightglass_inspector::{ConfigAction, InspectorError, Timestamp};

use super::{
    Writing,
    change::{carry_out, write},
};
use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{FAINT, NAME, harmless},
    table::Table,
};

#[derive(Debug, Args)]
pub(crate) struct Undo {
    #[command(flatten)]
    writing: Writing,
}

impl Undo {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let hint = "`sightglass-cli config backups` lists the copies that are kept, and \
                    `sightglass-cli config restore ID` brings one back.";
        let plan = host.inspector.setup.changes.plan_undo_of_last_change();
        let plan = plan.map_err(|error| match error {
            InspectorError::InvalidInput(_) | InspectorError::Configuration(_) => {
                CliError::from(error).with_hint(hint)
            }
            error => CliError::from(error),
        })?;
        write(host, plan, &self.writing)
    }
}

#[derive(Debug, Args)]
pub(crate) struct ListBackups {}

impl ListBackups {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let backups = host.inspector.setup.changes.configuration_backups();
        let mut table = Table::default();
        for backup in &backups {
            table.row([
                (backup.id.clone(), NAME),
                (age(backup.taken), FAINT),
                (format!("{} bytes", backup.size.as_u64()), FAINT),
                (harmless(&backup.path.display().to_string()), Style::new()),
            ]);
        }
        let text = match backups.is_empty() {
            true => "No file was changed yet, so that there is no copy of one.\n".to_owned(),
            false => table.render(),
        };
        let result = json!({ "backups": backups }).to_string();
        Ok(Outcome::new(result, text))
    }
}

/// Says how long ago a moment was.
fn age(taken: Timestamp) -> String {
    let passed = taken.elapsed().as_secs();
    match passed {
        0..120 => format!("{passed} s ago"),
        120..7_200 => format!("{} min ago", passed / 60),
        7_200..172_800 => format!("{} h ago", passed / 3_600),
        _ => format!("{} days ago", passed / 86_400),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The copy, as `config backups` names it
    #[arg(value_name = "ID")]
    backup: String,
    #[command(flatten)]
    writing: Writing,
}

impl Restore {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let known = host.inspector.setup.changes.configuration_backups();
        if !known.iter().any(|backup| backup.id == self.backup) {
            return Err(CliError::usage(
                &format!("There is no copy {}.", self.backup),
                "`sightglass-cli config backups` lists them.",
            ));
        }
        let action = ConfigAction::Restore {
            backup: self.backup,
        };
        carry_out(host, &action, &self.writing)
    }
}
