//! `prompts list` and `prompts get`.

use clap::Subcommand;
use sightglass_inspector::{ListKind, Params};
use sightglass_json_text::{object, quoted};

use crate::{
    addressed::Addressed,
    commands::{contents, listing, tools},
    error::CliError,
    host::Host,
    outcome::Outcome,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Prompts {
    /// List the prompts
    List(Addressed),
    /// Get a prompt's messages
    #[command(
        override_usage = "sightglass-cli prompts get <TARGET> <NAME> [KEY:=VALUE]… [OPTIONS]\n       \
                          sightglass-cli prompts get <TARGET> <NAME> '{JSON}' [OPTIONS]\n       \
                          sightglass-cli prompts get <NAME> … [OPTIONS] -- PROGRAM [ARGS]…",
        after_help = "Every VALUE is sent as a string, as MCP has it for prompts. KEY=VALUE is \
                      understood too.\n\
                      @FILE alone is a file with all arguments as a JSON object, and `-` standard \
                      input with them."
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
        return Err(CliError::unnamed(
            "There is no prompt to get.",
            "Name one",
            &target,
            "prompts list",
        ));
    };
    let arguments = match words {
        [word] if word == tools::STANDARD_INPUT => object_of(&tools::read_input(host).await?)?,
        words => arguments(words)?,
    };
    let server = host.connect(&target).await?;
    let params = Params::object(&[("name", &quoted(prompt)), ("arguments", &arguments)]);
    let answer = server.ask("prompts/get", &params).await?;
    let text = contents::text(&answer);
    Ok(answer.into_outcome(text))
}

/// Arguments of a prompt are strings, all of them (MCP, `prompts/get`).
fn arguments(words: &[String]) -> Result<String, CliError> {
    if let [word] = words
        && word.trim_start().starts_with('{')
    {
        return object_of(word);
    }
    if let [word] = words
        && let Some(path) = tools::file_of(word)
    {
        return object_of(&tools::text_of(path)?);
    }
    let mut members: Vec<(&str, String)> = Vec::new();
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            return Err(CliError::usage(
                &format!("{word} is no argument for a prompt."),
                "Write KEY:=VALUE, or all arguments as one JSON object.",
            ));
        };
        let (key, value) = match key.strip_suffix(':') {
            // As for tools, a string may be written in quotes.
            Some(key) => (key, serde_json::from_str(value).unwrap_or(value.to_owned())),
            None => (key, value.to_owned()),
        };
        if members.iter().any(|(name, _)| *name == key) {
            return Err(CliError::usage(
                &format!("The argument {key} is given twice."),
                "Give it once.",
            ));
        }
        members.push((key, quoted(&value)));
    }
    Ok(object(
        members.iter().map(|(key, value)| (*key, value.as_str())),
    ))
}

fn object_of(text: &str) -> Result<String, CliError> {
    Ok(tools::checked(text)?.text().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_is_a_string() {
        let words = [
            "n=7",
            "q=a=b \"c\"",
            "code:=x",
            "m:=7",
            "s:=\"two words\"",
            "u=a:=b",
        ];
        assert_eq!(
            arguments(&words.map(str::to_owned)).expect("arguments"),
            r#"{"n":"7","q":"a=b \"c\"","code":"x","m":"7","s":"two words","u":"a:=b"}"#
        );
        let object = r#"{ "a": "1" }"#;
        assert_eq!(arguments(&[object.to_owned()]).expect("arguments"), object);
        assert!(arguments(&["alone".to_owned()]).is_err());
    }
}
