//! `config trust`: lets programs start in the project's folder, or not.

use clap::Args;
use serde_json::json;
use sightglass_inspector::view::FolderAnswer;

use super::change::ask;
use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{HEADING, harmless, styled},
};

#[derive(Debug, Args)]
pub(crate) struct TrustFolder {
    /// Take the trust back: programs start outside the folder
    #[arg(long)]
    revoke: bool,
    /// Trust without asking
    #[arg(long, conflicts_with = "revoke")]
    yes: bool,
}

impl TrustFolder {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let folder = host.inspector.servers.folder_trust.folder_trust();
        let path = harmless(&folder.path);
        let outcome = |is_trusted: bool, words: &str| {
            let result = json!({ "folder": folder.path, "trusted": is_trusted });
            Outcome::new(result.to_string(), format!("{path} {words}."))
        };
        if self.revoke {
            host.inspector.servers.folder_trust.distrust_folder()?;
            return Ok(outcome(false, "is not trusted"));
        }
        if folder.answer == FolderAnswer::Trusted {
            return Ok(outcome(true, "is trusted already"));
        }
        let shown = format!(
            "{}\n\nServers then start in it, and what lies there can change what they do: \
             packages,\nsettings and scripts. Trust it only if you trust whoever wrote it.\n\n",
            styled(HEADING, &path)
        );
        let question = "Trust the programs and settings in this folder?";
        if !self.yes
            && !ask(
                &shown,
                question,
                "Add `--yes` to trust it without being asked.",
            )?
        {
            return Ok(outcome(false, "is not trusted"));
        }
        host.inspector.servers.folder_trust.trust_folder()?;
        Ok(outcome(true, "is trusted now"))
    }
}
