//! `tools list` and `tools call`.

use std::{path::Path, pin::pin, time::Duration};

use clap::{Args, Subcommand};
use sightglass_inspector::{ListKind, Params, ParamsError, view::TaskRequest};
use sightglass_json_text::quoted;

use crate::{
    addressed::{Addressed, refuse_more},
    commands::{contents, listing},
    console,
    error::CliError,
    host::{ConnectedServer, Host},
    json, narration, next_step,
    outcome::Outcome,
    style::{FAINT, WARNING, harmless, styled},
};

/// Time that standard input may be silent before it is said that it is read.
const INPUT_NOTICE_DELAY: Duration = Duration::from_secs(2);

/// Stands for standard input in place of the arguments.
pub(super) const STANDARD_INPUT: &str = "-";

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// List the tools
    List(Addressed),
    /// Show the definition of a tool, as the server sent it
    #[command(
        override_usage = "sightglass-cli tools get <TARGET> <TOOL> [OPTIONS]\n       \
                                sightglass-cli tools get <TOOL> [OPTIONS] -- PROGRAM [ARGS]…"
    )]
    Get(Addressed),
    /// Call a tool
    #[command(
        override_usage = "sightglass-cli tools call <TARGET> <TOOL> [KEY:=VALUE]… [OPTIONS]\n       \
                          sightglass-cli tools call <TARGET> <TOOL> '{JSON}' [OPTIONS]\n       \
                          sightglass-cli tools call <TOOL> … [OPTIONS] -- PROGRAM [ARGS]…",
        after_help = "A VALUE that is JSON is sent as it is written, anything else as a string.\n\
                      KEY=@FILE sends the text of a file as a string, @FILE alone the JSON object \
                      in it.\n\
                      Without arguments, or with `-`, they are read from standard input."
    )]
    Call(CallTool),
}

#[derive(Debug, Args)]
pub(crate) struct CallTool {
    #[command(flatten)]
    addressed: Addressed,
    /// The tool, where its name begins with a dash: `--tool=--verbose`
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// Ask the server to make a task of the call (MCP 2025-11-25), and wait for its end. Servers
    /// of the modern generation decide that by themselves
    #[arg(long)]
    task: bool,
    /// With --task: how long the server should keep the task
    #[arg(long, value_name = "SECONDS", requires = "task")]
    ttl: Option<u32>,
}

impl Tools {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::List(addressed) => {
                listing::list(host, &addressed.alone()?, ListKind::Tools).await
            }
            Self::Get(addressed) => get(host, addressed).await,
            Self::Call(call) => call.run(host).await,
        }
    }
}

async fn get(host: &Host, addressed: Addressed) -> Result<Outcome, CliError> {
    let (target, words) = addressed.split()?;
    let Some((tool, rest)) = words.split_first() else {
        return Err(CliError::unnamed(
            "There is no tool to show.",
            "Name one",
            &target,
            "tools list",
        ));
    };
    refuse_more(rest)?;
    let server = host.connect(&target).await?;
    let lists = &server.inspector().calls.lists;
    // A list that could not be read says so itself.
    lists.list_result(&server.id, ListKind::Tools)?;
    let Some(index) = lists.find_item(&server.id, ListKind::Tools, tool) else {
        let error = CliError::usage(
            &format!("{} has no tool {tool}.", server.spec.name),
            &format!("{} shows them.", target.command("tools list", "")),
        );
        return Err(match nearest_tool(&server, tool) {
            Some(question) => error.with_step(&question),
            None => error,
        });
    };
    let item = lists.item(&server.id, ListKind::Tools, index)?;
    let mut text = harmless(&json::pretty(&item.json)) + "\n";
    if let Some(problem) = &item.problem {
        text.push_str(&format!("{}\n", styled(WARNING, &harmless(problem))));
    }
    Ok(Outcome::new(item.json, text))
}

/// Asks whether another tool was meant, where the server has none of this name and one that is near.
fn nearest_tool(server: &ConnectedServer<'_>, tool: &str) -> Option<String> {
    let lists = &server.inspector().calls.lists;
    let items = lists.items(&server.id, ListKind::Tools, "", 0, u32::MAX);
    let names = items.ok()?.rows.into_iter().map(|row| row.name);
    next_step::did_you_mean(tool, &names.collect::<Vec<_>>())
}

impl CallTool {
    async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let task = self.task.then(|| TaskRequest {
            ttl_ms: self.ttl.map(|seconds| seconds.saturating_mul(1000)),
        });
        call(host, self.addressed, self.tool, task).await
    }
}

async fn call(
    host: &Host,
    addressed: Addressed,
    tool: Option<String>,
    task: Option<TaskRequest>,
) -> Result<Outcome, CliError> {
    let (target, words) = addressed.split()?;
    let (tool, words) = match (&tool, words.split_first()) {
        (Some(tool), _) => (tool, words.as_slice()),
        (None, Some(named)) => named,
        (None, None) => {
            return Err(CliError::unnamed(
                "There is no tool to call.",
                "Name one",
                &target,
                "tools list",
            ));
        }
    };
    let arguments = match words {
        [] => standard_input(host).await?,
        [word] if word == STANDARD_INPUT => checked(&read_input(host).await?)?,
        words => from_words(words)?,
    };
    let server = host.connect(&target).await?;
    let params = match task {
        Some(task) => Params::tool_call_as_task(tool, &arguments, task.ttl_ms),
        None => Params::tool_call(tool, &arguments),
    };
    let answer = server.ask("tools/call", &params).await;
    let answer = answer.map_err(|error| match nearest_tool(&server, tool) {
        Some(question) => error.with_step(&question),
        None => error,
    })?;
    let answer = server.finished(answer).await?;
    let text = contents::text(&answer);
    let result = answer.report.result.as_ref();
    if let Some(limits) = result.and_then(|result| result.client_limits.as_ref())
        && !host.options.json
    {
        narration::tell(&styled(WARNING, limits));
    }
    if let Some(images) = result.and_then(|result| result.client_images.as_ref())
        && !host.options.json
    {
        narration::tell(&styled(FAINT, images));
    }
    let is_error = result.is_some_and(|result| result.is_error);
    let outcome = answer.into_outcome(text);
    Ok(if is_error {
        outcome.with_error(CliError::tool(tool))
    } else {
        outcome
    })
}

/// Arguments from the command line: one JSON object, a file with one, or `key:=value` each.
pub(super) fn from_words(words: &[String]) -> Result<Params, CliError> {
    if let [word] = words
        && word.trim_start().starts_with('{')
    {
        return checked(word);
    }
    if let [word] = words
        && let Some(path) = file_of(word)
    {
        return checked(&text_of(path)?);
    }
    let mut members: Vec<(&str, String)> = Vec::new();
    for word in words {
        // What follows `:=` is a value, however it begins: a script may have it from a stranger.
        let given = match word.split_once('=') {
            Some((key, value)) => match key.strip_suffix(':') {
                Some(key) => Some((
                    key,
                    json::value(value).map_or_else(|| quoted(value), str::to_owned),
                )),
                None => match file_of(value) {
                    Some(path) => Some((key, quoted(&text_of(path)?))),
                    None => None,
                },
            },
            None => None,
        };
        let Some((key, value)) = given else {
            return Err(CliError::usage(
                &format!("{word} is no argument for a tool."),
                "Write KEY:=VALUE, KEY=@FILE, or all arguments as one JSON object.",
            ));
        };
        if members.iter().any(|(name, _)| *name == key) {
            return Err(CliError::usage(
                &format!("The argument {key} is given twice."),
                "Give it once; a list is written as JSON: KEY:='[1,2]'.",
            ));
        }
        members.push((key, value));
    }
    let members: Vec<(&str, &str)> = members
        .iter()
        .map(|(key, value)| (*key, value.as_str()))
        .collect();
    Ok(Params::object(&members))
}

/// Returns the path of the file that a word means: `@` stands before it. The name of an argument may
/// begin so too.
pub(super) fn file_of(word: &str) -> Option<&Path> {
    let path = word.strip_prefix('@')?;
    (!path.is_empty() && !path.contains('=')).then(|| Path::new(path))
}

/// Reads a file that the user named, which has to be text.
pub(super) fn text_of(path: &Path) -> Result<String, CliError> {
    let unread = |error: &str| {
        CliError::usage(
            &format!("{} cannot be read: {error}", path.display()),
            "Name a file that can be read. A value that begins with @ is written KEY:='\"@…\"'.",
        )
    };
    // A session reads it where the command was given.
    let bytes = sightglass_files::read(&console::directory().join(path))
        .map_err(|error| unread(&error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| unread("it is not UTF-8."))
}

/// Arguments from standard input, unless a user sits there.
async fn standard_input(host: &Host) -> Result<Params, CliError> {
    if !console::has_input() {
        return Ok(Params::empty());
    }
    let text = read_input(host).await?;
    match text.trim().is_empty() {
        true => Ok(Params::empty()),
        false => checked(&text),
    }
}

/// Reads standard input to its end. When nothing comes for a while it says what it waits for, since a
/// program that started this one may have left a pipe open.
pub(super) async fn read_input(host: &Host) -> Result<String, CliError> {
    let mut read = pin!(console::read_input());
    let read = tokio::select! {
        read = &mut read => read,
        () = tokio::time::sleep(INPUT_NOTICE_DELAY) => {
            if !host.options.json {
                narration::tell("Reading the arguments from standard input; give {} for none.");
            }
            read.await
        }
    };
    read.map_err(|error| {
        CliError::usage(
            &format!("Standard input cannot be read: {error}."),
            "Give the arguments on the command line.",
        )
    })
}

/// Reads arguments that are a JSON object.
pub(super) fn checked(text: &str) -> Result<Params, CliError> {
    Params::parse(text).map_err(|error| {
        let message = match error {
            ParamsError::NotObject => "The arguments have to be a JSON object.".to_owned(),
            ParamsError::NotJson { line, column } => {
                format!("The arguments are not JSON: line {line}, column {column}.")
            }
        };
        CliError::usage(&message, "For instance '{\"path\": \"/tmp\"}'.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &[&str]) -> Result<String, CliError> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        from_words(&words).map(|params| params.text().to_owned())
    }

    #[test]
    fn values_are_sent_as_they_are_written() {
        assert_eq!(
            arguments(&[
                "b:=12345678901234567890",
                "a:=1.50",
                "s:=plain text",
                "q:=\"7\"",
                "e:="
            ])
            .expect("arguments"),
            r#"{"b":12345678901234567890,"a":1.50,"s":"plain text","q":"7","e":""}"#
        );
        assert_eq!(
            arguments(&["u:=a:=b", "list:=[1, {\"x\": 2}]"]).expect("arguments"),
            r#"{"u":"a:=b","list":[1, {"x": 2}]}"#
        );
    }

    #[test]
    fn an_object_is_sent_as_it_is_written() {
        let text = r#"{ "z": 1e400, "a": 9007199254740993 }"#;
        assert_eq!(arguments(&[text]).expect("arguments"), text);
    }

    #[test]
    fn what_is_no_argument_is_refused() {
        assert!(arguments(&["a=1"]).is_err());
        assert!(arguments(&["a:=1", "a:=2"]).is_err());
        assert!(arguments(&["a=@"]).is_err());
        assert!(arguments(&["@"]).is_err());
        let error = arguments(&["{\"a\":}"]).expect_err("no JSON");
        assert!(error.message.contains("column 6"), "{}", error.message);
    }
}
