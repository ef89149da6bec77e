//! `ping`: connects, and times one response.

use clap::Args;
use sightglass_inspector::{Era, Params};

use crate::{
    addressed::Addressed,
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{GOOD, duration, harmless, styled},
};

#[derive(Debug, Args)]
pub(crate) struct Ping {
    #[command(flatten)]
    pub addressed: Addressed,
}

impl Ping {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let server = host.connect(&self.addressed.alone()?).await?;
        // The stateless era has no `ping`; `server/discover` is what every server answers.
        let method = match server.status().handshake.map(|facts| facts.era) {
            Some(Era::Modern) => "server/discover",
            _ => "ping",
        };
        let answer = server.ask(method, &Params::empty()).await?;
        let text = format!(
            "{} {} answered {method} in {}\n",
            styled(GOOD, "✓"),
            harmless(&server.spec.name),
            duration(answer.report.request.duration)
        );
        Ok(answer.into_outcome(text))
    }
}
