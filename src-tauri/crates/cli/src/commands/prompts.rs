//! `prompts list` and `prompts get`.

use clap::Subcommand;
use sightglass_inspector::{ListKind, Params};

use crate::{
    commands::{contents, listing},
    error::CliError,
    host::Host,
    json::{object, quoted},
    outcome::Outcome,
    target::Addressed,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Prompts {
    /// List the prompts
    List(Addressed),
    /// Get a prompt's messages
    #[command(
        override_usage = "sightglass-cli prompts get <TARGET> <NAME> [KEY=VALUE]… [OPTIONS]\n       \
                          sightglass-cli prompts get <NAME> … [OPTIONS] -- PROGRAM [ARGS]…"
    )]
    Get(Addressed),
}

impl Prompts {
    pub(crate) fn lists(&self) -> &'static [ListKind] {
        match self {
            Self::List(_) => &[ListKind::Prompts],
            Self::Get(_) => &[],
        }
    }

    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::List(addressed) => {
                listing::list(host, &addressed.alone()?, ListKind::Prompts).await
            }
            Self::Get(addressed) => get(host, addressed).await,
        }
    }
}

async fn get(host: &Host, addressed: Addressed) -> Result<Outcome, CliError> {
    let (target, words) = addressed.split()?;
    let Some((prompt, words)) = words.split_first() else {
        return Err(CliError::usage(
            "There is no prompt to get.",
            "Name one after the target; `prompts list` shows them.",
        ));
    };
    let arguments = arguments(words)?;
    let server = host.connect(&target).await?;
    let params = Params::object(&[("name", &quoted(prompt)), ("arguments", &arguments)]);
    let answer = server.ask("prompts/get", &params).await?;
    let text = contents::text(&answer);
    Ok(answer.into_outcome(text))
}

/// Arguments of a prompt are strings, all of them (MCP, `prompts/get`).
fn arguments(words: &[String]) -> Result<String, CliError> {
    let mut members: Vec<(&str, String)> = Vec::new();
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            return Err(CliError::usage(
                &format!("{word} is no argument for a prompt."),
                "Write KEY=VALUE.",
            ));
        };
        if members.iter().any(|(name, _)| *name == key) {
            return Err(CliError::usage(
                &format!("The argument {key} is given twice."),
                "Give it once.",
            ));
        }
        members.push((key, quoted(value)));
    }
    Ok(object(
        members.iter().map(|(key, value)| (*key, value.as_str())),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_is_a_string() {
        let words = ["n=7".to_owned(), "q=a=b \"c\"".to_owned()];
        assert_eq!(
            arguments(&words).expect("arguments"),
            r#"{"n":"7","q":"a=b \"c\""}"#
        );
        assert!(arguments(&["alone".to_owned()]).is_err());
    }
}
