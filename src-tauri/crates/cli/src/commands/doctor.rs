//! `doctor`: an ordered check of a server, with evidence.

use clap::Args;

use crate::{error::CliError, host::Host, outcome::Outcome, style::harmless, target::Addressed};

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    addressed: Addressed,
}

impl Doctor {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (report, error) = host.examine(&self.addressed.alone()?).await?;
        let json = serde_json::to_string(&report).map_err(|error| {
            CliError::system(&format!("The report cannot be written: {error}."))
        })?;
        let text = report
            .text
            .lines()
            .map(harmless)
            .collect::<Vec<_>>()
            .join("\n");
        let outcome = Outcome::new(json, text);
        Ok(match error {
            Some(error) => outcome.with_error(error),
            None => outcome,
        })
    }
}
