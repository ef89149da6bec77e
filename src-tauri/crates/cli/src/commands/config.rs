//! `config`: the configuration files of every client, shown, explained, checked and changed.

mod approve;
mod change;
mod check;
mod difference;
mod explain;
mod show;
mod transfer;
mod trust;
mod undo;

use clap::{Args, Subcommand};
use sightglass_inspector::{Client, Target};

use crate::{error::CliError, host::Host, outcome::Outcome};

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Show the files of every client, and which definition of each server counts
    Show(show::Show),
    /// Explain why a server is what it is
    Explain(explain::Explain),
    /// Add a server to a file
    Add(change::Add),
    /// Remove a server from a file
    Remove(change::NamedServers),
    /// List a server without using it
    Disable(change::NamedServers),
    /// Use a server again
    Enable(change::NamedServers),
    /// Move a server to another file
    Move(transfer::TransferServers),
    /// Copy a server to another file
    Copy(transfer::TransferServers),
    /// Add the servers of a snippet, a command line, a server.json or a bundle
    Import(transfer::Import),
    /// Print servers in the form of a client, without their secrets
    Export(transfer::ExportServers),
    /// Say what is wrong with the files, and exit with 5 if anything is
    Check(check::CheckConfiguration),
    /// Approve servers of a project's files, after showing what they do
    Approve(approve::Approve),
    /// Take back the last change of files of this project or your own, whichever run made it
    Undo(undo::Undo),
    /// List the copies that were kept of files before they were changed
    Backups(undo::ListBackups),
    /// Give a file the text of a copy
    Restore(undo::Restore),
    /// Trust the programs and settings in the project's folder, or take that back
    Trust(trust::TrustFolder),
}

impl Config {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::Show(show) => show.run(host),
            Self::Explain(explain) => explain.run(host),
            Self::Add(add) => add.run(host),
            Self::Remove(named) => named.run(host, change::ChangeVerb::Remove),
            Self::Disable(named) => named.run(host, change::ChangeVerb::Disable),
            Self::Enable(named) => named.run(host, change::ChangeVerb::Enable),
            Self::Move(transfer) => transfer.run(host, transfer::TransferVerb::Move),
            Self::Copy(transfer) => transfer.run(host, transfer::TransferVerb::Copy),
            Self::Import(import) => import.run(host),
            Self::Export(export) => export.run(host),
            Self::Check(check) => check.run(host),
            Self::Approve(approve) => approve.run(host),
            Self::Trust(trust) => trust.run(host),
            Self::Undo(undo) => undo.run(host),
            Self::Backups(backups) => backups.run(host),
            Self::Restore(restore) => restore.run(host),
        }
    }
}

/// Options with which a change is carried out.
#[derive(Debug, Args)]
pub(crate) struct Writing {
    /// Print what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Write without asking
    #[arg(long)]
    yes: bool,
    /// With --yes: also where a link of the project leads to a file outside it
    #[arg(long, requires = "yes")]
    outside_project: bool,
}

/// Reads `CLIENT:SCOPE`.
fn target(text: &str) -> Result<Target, String> {
    let (client, scope) = text
        .split_once(':')
        .ok_or_else(|| "write it as CLIENT:SCOPE, for instance claude-code:project".to_owned())?;
    let client: Client = client.parse().map_err(|error| format!("{error}"))?;
    Ok(Target::new(client, scope))
}
