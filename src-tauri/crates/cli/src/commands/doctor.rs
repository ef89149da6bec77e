//! `doctor`: an ordered check of a server, with evidence.

use clap::Args;

use crate::{host::Host, outcome::Outcome, style::harmless, target::Addressed, trouble::Trouble};

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    addressed: Addressed,
}

impl Doctor {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, Trouble> {
        let (report, trouble) = host.examine(&self.addressed.alone()?).await?;
        let json = serde_json::to_string(&report)
            .map_err(|error| Trouble::system(&format!("The report cannot be written: {error}.")))?;
        let text = report
            .text
            .lines()
            .map(harmless)
            .collect::<Vec<_>>()
            .join("\n");
        let outcome = Outcome::new(json, text);
        Ok(match trouble {
            Some(trouble) => outcome.with_trouble(trouble),
            None => outcome,
        })
    }
}
