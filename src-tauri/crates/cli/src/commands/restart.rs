//! `restart`: connects to a server, ends it and connects again, and tells what is different then.

use std::time::Instant;

use clap::Args;
use serde_json::json;
use sightglass_inspector::{Millis, surface_changes};

use super::surface::changes_text;
use crate::{
    addressed::Addressed,
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{GOOD, duration, harmless, styled},
};

#[derive(Debug, Args)]
pub(crate) struct Restart {
    #[command(flatten)]
    addressed: Addressed,
}

impl Restart {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let target = self.addressed.alone()?;
        let begun = Instant::now();
        let server = host.connect(&target).await?;
        let first = Millis::from(begun.elapsed());
        let before = server.surface()?;
        let begun = Instant::now();
        let server = server.restarted().await?;
        let again = Millis::from(begun.elapsed());
        let after = server.surface()?;
        let changes = surface_changes(&before, &after);
        let result = json!({
            "server": server.spec.name,
            "first": first,
            "again": again,
            "changes": changes,
        });
        let text = format!(
            "{} {} is ready again after {}, first after {}\n{}",
            styled(GOOD, "✓"),
            harmless(&server.spec.name),
            duration(again),
            duration(first),
            changes_text(&changes, "since the restart"),
        );
        Ok(Outcome::new(result.to_string(), text))
    }
}
