//! Completes what is typed in a shell: commands, options, servers, sessions, and what a session has.

use std::cell::RefCell;

use clap::{Args as _, Command, CommandFactory};
use rustyline::{
    Context, Helper, Result,
    completion::Completer,
    highlight::Highlighter,
    hint::Hinter,
    validate::{ValidationContext, ValidationResult, Validator},
};
use serde_json::Value;

use super::{EXIT, words::words};
use crate::{
    arguments::CliArguments, options::CommonOptions, session_name::SessionName, style::harmless,
};

/// The most that is shown of what can stand at a place.
const MAX_CANDIDATES: usize = 200;

/// Answers a command with its result as JSON; nothing where it fails.
pub(super) type Ask = Box<dyn Fn(&[&str]) -> Option<Value>>;

/// Completes a line, and tells whether it is whole.
pub(super) struct ShellHelper {
    /// The session that commands without another name are for.
    session: Option<SessionName>,
    ask: Ask,
    /// What was asked since the last command, with the answers.
    answers: RefCell<Vec<(Vec<String>, Option<Value>)>>,
}

impl ShellHelper {
    pub(super) fn new(session: Option<SessionName>, ask: Ask) -> Self {
        Self {
            session,
            ask,
            answers: RefCell::default(),
        }
    }

    /// Forgets what was asked: a command may have changed it.
    pub(super) fn forget(&self) {
        self.answers.borrow_mut().clear();
    }

    fn answer(&self, words: &[&str]) -> Option<Value> {
        let known = self
            .answers
            .borrow()
            .iter()
            .find(|(asked, _)| asked == words)
            .cloned();
        if let Some((_, answer)) = known {
            return answer;
        }
        let answer = (self.ask)(words);
        let asked = words.iter().map(|word| (*word).to_owned()).collect();
        self.answers.borrow_mut().push((asked, answer.clone()));
        answer
    }

    /// The texts of a member of each item of a list in the result of a command.
    fn texts(&self, words: &[&str], list: &str, member: &str) -> Vec<String> {
        let answer = self.answer(words);
        items(answer.as_ref(), list)
            .filter_map(|item| item[member].as_str())
            .map(str::to_owned)
            .collect()
    }

    /// What can stand after these words.
    fn candidates(&self, before: &[String], partial: &str) -> Vec<String> {
        let (named, before) = match before.split_first() {
            Some((first, rest)) => match SessionName::read(first) {
                Some(name) => (Some(name), rest),
                None => (None, before),
            },
            None => (None, before),
        };
        let place = TypedCommand::after(before);
        if partial.starts_with('-') {
            return place.options();
        }
        let session = named.as_ref().or(self.session.as_ref());
        if place.path.is_empty() || (place.command.has_subcommands() && place.given.is_empty()) {
            let mut names = place.commands();
            if place.path.is_empty() && named.is_none() {
                names.push(EXIT.to_owned());
                names.extend(self.texts(&["sessions"], "sessions", "name"));
            }
            return names;
        }
        match session {
            Some(name) => self.of_session(&name.to_string(), &place),
            None if place.given.is_empty() => self.texts(&["servers"], "servers", "name"),
            None => Vec::new(),
        }
    }

    /// What the server of a session has for this place.
    fn of_session(&self, name: &str, place: &TypedCommand) -> Vec<String> {
        let path: Vec<&str> = place.path.iter().map(String::as_str).collect();
        match (path.as_slice(), place.given.as_slice()) {
            (["tools", "call" | "get"], []) => {
                self.texts(&[name, "tools", "list"], "tools", "name")
            }
            (["prompts", "get"], []) => self.texts(&[name, "prompts", "list"], "prompts", "name"),
            (["resources", "read"], []) => {
                self.texts(&[name, "resources", "list"], "resources", "uri")
            }
            (["tools", "call"], [tool, given @ ..]) => {
                let answer = self.answer(&[name, "tools", "list"]);
                let Some(tool) = named(answer.as_ref(), "tools", tool) else {
                    return Vec::new();
                };
                of_schema(&tool["inputSchema"], given)
            }
            (["prompts", "get"], [prompt, given @ ..]) => {
                let answer = self.answer(&[name, "prompts", "list"]);
                let Some(prompt) = named(answer.as_ref(), "prompts", prompt) else {
                    return Vec::new();
                };
                let names = prompt["arguments"].as_array().into_iter().flatten();
                let names = names.filter_map(|argument| argument["name"].as_str());
                unused(names, given)
            }
            _ => Vec::new(),
        }
    }
}

/// The items of a list in a result.
fn items<'a>(answer: Option<&'a Value>, list: &str) -> impl Iterator<Item = &'a Value> {
    answer
        .and_then(|answer| answer[list].as_array())
        .into_iter()
        .flatten()
}

/// The item of this name in a list of a result.
fn named<'a>(answer: Option<&'a Value>, list: &str, name: &str) -> Option<&'a Value> {
    items(answer, list).find(|item| item["name"] == name)
}

/// Arguments of a schema that are not given yet; of one that has few values, with each of them.
fn of_schema(schema: &Value, given: &[String]) -> Vec<String> {
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let mut found = unused(properties.keys().map(String::as_str), given);
    for (name, property) in properties {
        let values: Vec<String> = match (&property["enum"], property["type"].as_str()) {
            (Value::Array(values), _) => values.iter().map(written).collect(),
            (_, Some("boolean")) => ["true", "false"].map(String::from).into(),
            _ => continue,
        };
        if is_given(name, given) {
            continue;
        }
        found.extend(values.into_iter().map(|value| format!("{name}:={value}")));
    }
    found
}

/// A value as it is typed.
fn written(value: &Value) -> String {
    match value.as_str() {
        Some(text) if shlex::split(text).is_some_and(|words| words == [text]) => text.to_owned(),
        _ => shlex::try_quote(&value.to_string())
            .unwrap_or_default()
            .into_owned(),
    }
}

/// The beginnings of the arguments that are not given yet.
fn unused<'a>(names: impl Iterator<Item = &'a str>, given: &[String]) -> Vec<String> {
    names
        .filter(|name| !is_given(name, given))
        .map(|name| format!("{name}:="))
        .collect()
}

fn is_given(name: &str, given: &[String]) -> bool {
    given.iter().any(|word| {
        word.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(":="))
    })
}

/// The command that stands in a line, and the words after it that are no options.
struct TypedCommand {
    command: Command,
    path: Vec<String>,
    given: Vec<String>,
}

impl TypedCommand {
    fn after(words: &[String]) -> Self {
        let mut place = Self {
            command: CliArguments::command(),
            path: Vec::new(),
            given: Vec::new(),
        };
        for word in words {
            let below = place.command.find_subcommand(word).cloned();
            match below {
                Some(below) if place.given.is_empty() => {
                    place.path.push(below.get_name().to_owned());
                    place.command = below;
                }
                _ if word.starts_with('-') => {}
                _ => place.given.push(word.clone()),
            }
        }
        place
    }

    /// Names of the commands below.
    fn commands(&self) -> Vec<String> {
        let below = self
            .command
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        below.map(|command| command.get_name().to_owned()).collect()
    }

    fn options(&self) -> Vec<String> {
        let common = CommonOptions::augment_args(Command::new(""));
        let all = self.command.get_arguments().chain(common.get_arguments());
        let names = all
            .filter(|option| !option.is_hide_set())
            .filter_map(|option| option.get_long());
        names.map(|name| format!("--{name}")).collect()
    }
}

impl Completer for ShellHelper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        let typed = &line[..at];
        let start = typed
            .rfind(char::is_whitespace)
            .map_or(0, |place| place + 1);
        let (before, partial) = typed.split_at(start);
        // Inside of a text or of JSON there is nothing to complete.
        let Some(before) = words(before) else {
            return Ok((at, Vec::new()));
        };
        let mut found = self.candidates(&before, partial);
        // Names are a server's: one that the terminal would obey, or that is several words, is typed.
        found.retain(|candidate| {
            candidate.starts_with(partial)
                && harmless(candidate) == *candidate
                && !candidate.contains(char::is_whitespace)
        });
        found.sort();
        found.dedup();
        found.truncate(MAX_CANDIDATES);
        Ok((start, found))
    }
}

impl Validator for ShellHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        Ok(match words(context.input()) {
            Some(_) => ValidationResult::Valid(None),
            None => ValidationResult::Incomplete,
        })
    }
}

impl Hinter for ShellHelper {
    type Hint = String;
}

impl Highlighter for ShellHelper {}

impl Helper for ShellHelper {}
