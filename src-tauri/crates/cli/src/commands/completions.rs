//! `completions`: prints the script by which a shell completes commands and options.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::{error::CliError, outcome::Outcome};

#[derive(Debug, Args)]
#[command(after_help = "For instance: sightglass-cli completions bash > \
                  ~/.local/share/bash-completion/completions/sightglass-cli")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, mut command: Command) -> Result<Outcome, CliError> {
        let mut script = Vec::new();
        generate(self.shell, &mut command, "sightglass-cli", &mut script);
        let script = String::from_utf8(script)
            .map_err(|error| CliError::system(&format!("The script is not UTF-8: {error}.")))?;
        Ok(Outcome::text(script))
    }
}
