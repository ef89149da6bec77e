//! `resources list`, `templates` and `read`.

use clap::Subcommand;
use sightglass_inspector::{ListKind, Params};

use crate::{
    commands::{contents, listing},
    error::CliError,
    host::Host,
    json::quoted,
    outcome::Outcome,
    target::{Addressed, refuse_more},
};

#[derive(Debug, Subcommand)]
pub(crate) enum Resources {
    /// List the resources
    List(Addressed),
    /// List the resource templates
    Templates(Addressed),
    /// Read a resource
    #[command(
        override_usage = "sightglass-cli resources read <TARGET> <URI> [OPTIONS]\n       \
                          sightglass-cli resources read <URI> [OPTIONS] -- PROGRAM [ARGS]…"
    )]
    Read(Addressed),
}

impl Resources {
    pub(crate) fn lists(&self) -> &'static [ListKind] {
        match self {
            Self::List(_) => &[ListKind::Resources],
            Self::Templates(_) => &[ListKind::ResourceTemplates],
            Self::Read(_) => &[],
        }
    }

    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (addressed, kind) = match self {
            Self::List(addressed) => (addressed, ListKind::Resources),
            Self::Templates(addressed) => (addressed, ListKind::ResourceTemplates),
            Self::Read(addressed) => return read(host, addressed).await,
        };
        listing::list(host, &addressed.alone()?, kind).await
    }
}

async fn read(host: &Host, addressed: Addressed) -> Result<Outcome, CliError> {
    let (target, words) = addressed.split()?;
    let Some((uri, rest)) = words.split_first() else {
        return Err(CliError::usage(
            "There is no resource to read.",
            "Give its URI after the target; `resources list` shows them.",
        ));
    };
    refuse_more(rest)?;
    let server = host.connect(&target).await?;
    let params = Params::object(&[("uri", &quoted(uri))]);
    let answer = server.ask("resources/read", &params).await?;
    let text = contents::text(&answer);
    Ok(answer.into_outcome(text))
}
