//! The command lines with which other programs add a server.
//!
//! `claude mcp add` (<https://code.claude.com/docs/en/mcp>), `codex mcp add`
//! (`codex-rs/cli/src/mcp_cmd.rs` of <https://github.com/openai/codex>), `gemini mcp add`
//! (<https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md>), and
//! `code --add-mcp` (<https://code.visualstudio.com/docs/copilot/chat/mcp-servers>).

use sightglass_model::RemoteTransport;
use sightglass_secrets::is_assignment;

use super::{Candidate, ImportError, naming, program_draft, remote, snippet};
use crate::definition::draft::{Draft, DraftEndpoint, DraftSignIn, NamedText};

/// Programs of clients, with commands that add a server.
const CLIENTS: &str = "claude codex gemini code code-insiders cursor codium";

/// Programs that servers are started with.
const PROGRAMS: &str = "bash bun bunx cmd deno docker dotnet java node npx perl php pipx podman \
    powershell pwsh python python3 ruby sh tsx uv uvx zsh";

/// Reads a command line; `None` when it is not one that adds a server.
pub(super) fn read(text: &str) -> Option<Result<Vec<Candidate>, ImportError>> {
    let joined = text.trim_start_matches("$ ").replace("\\\n", " ");
    let words = shlex::split(&joined);
    let first = joined.split_whitespace().next()?;
    let is_path = first.starts_with(['/', '~']) || first.starts_with("./");
    let is_path = is_path && !joined.contains('\n');
    let program = first.rsplit(['/', '\\']).next()?.to_owned();
    let mut known = CLIENTS.split(' ').chain(PROGRAMS.split(' '));
    let adds = known.any(|name| name == program);
    if !(adds || is_path) || joined.trim_start().starts_with('{') {
        return None;
    }
    let Some(words) = words else {
        return Some(Err(ImportError::CommandLine(
            "A quote of this command line is not closed.".into(),
        )));
    };
    let rest: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    Some(match (program.as_str(), rest.as_slice()) {
        ("claude", ["mcp", "add-json", rest @ ..]) => add_json(rest),
        ("claude" | "gemini", ["mcp", "add", rest @ ..]) => add(rest, AddSyntax::Claude),
        ("codex", ["mcp", "add", rest @ ..]) => add(rest, AddSyntax::Codex),
        ("claude" | "codex" | "gemini", _) => Err(ImportError::CommandLine(format!(
            "This command line adds no server; {program} does that with mcp add."
        ))),
        ("code" | "code-insiders" | "cursor" | "codium", rest) => editor(rest),
        (_, rest) if is_path => plain(&words[0], rest),
        (_, rest) => plain(&program, rest),
    })
    .map(|found| {
        found.map(|mut candidates| {
            for candidate in &mut candidates {
                candidate.origin = format!("{program} command");
            }
            candidates
        })
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AddSyntax {
    Claude,
    Codex,
}

fn missing(what: &str) -> ImportError {
    ImportError::CommandLine(format!("This command line has no {what}."))
}

/// Options, then a name, then an address or a command.
fn add(words: &[&str], style: AddSyntax) -> Result<Vec<Candidate>, ImportError> {
    let mut transport = None;
    let mut environment: Vec<NamedText> = Vec::new();
    let mut headers: Vec<NamedText> = Vec::new();
    let mut url = None;
    let mut sign_in: Option<DraftSignIn> = None;
    let mut plain: Vec<&str> = Vec::new();
    let mut notes = Vec::new();
    let mut index = 0;
    while index < words.len() {
        let word = words[index];
        index += 1;
        // What follows the command is the command's.
        let has_command = plain.get(1).is_some_and(|second| !second.contains("://"));
        if has_command && style == AddSyntax::Claude {
            plain.push(word);
            continue;
        }
        let (option, given) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value)),
            _ => (word, None),
        };
        let mut value = || -> Result<String, ImportError> {
            if let Some(given) = given {
                return Ok(given.to_owned());
            }
            let value = words
                .get(index)
                .ok_or_else(|| missing(&format!("value after {option}")))?;
            index += 1;
            Ok((*value).to_owned())
        };
        match option {
            "--" => {
                plain.extend(&words[index..]);
                break;
            }
            "-t" | "--transport" => transport = Some(value()?),
            "-e" | "--env" => {
                environment.push(variable(&value()?)?);
                // More may follow one option.
                while let Some(next) = words.get(index)
                    && is_assignment(next)
                {
                    environment.push(variable(next)?);
                    index += 1;
                }
            }
            "-H" | "--header" => headers.push(header(&value()?)?),
            "--url" => url = Some(value()?),
            "--bearer-token-env-var" => headers.push(NamedText {
                name: "Authorization".into(),
                text: format!("Bearer ${{{}}}", value()?),
            }),
            "-s" | "--scope" => {
                let scope = value()?;
                notes.push(format!("It was meant for the scope {scope}."));
            }
            "--client-id" => sign_in.get_or_insert_default().client_id = Some(value()?),
            "--callback-port" => {
                let port = value()?.parse().map_err(|_| {
                    ImportError::CommandLine("--callback-port takes a number to 65535.".into())
                })?;
                sign_in.get_or_insert_default().callback_port = Some(port);
            }
            "--client-secret" => {
                notes.push("The client secret is asked for when signing in.".into());
            }
            "--timeout" | "--description" | "--include-tools" | "--exclude-tools" => {
                value()?;
                notes.push(format!("{option} is left out."));
            }
            "--trust" => notes.push("--trust is left out.".into()),
            option if option.starts_with('-') && option.len() > 1 => {
                return Err(ImportError::CommandLine(format!(
                    "The option {option} is not known. Remove it and enter what it means by hand."
                )));
            }
            _ => plain.push(word),
        }
    }
    let (name, rest) = plain.split_first().ok_or_else(|| missing("name"))?;
    let first = rest.first().copied();
    let address = url
        .as_deref()
        .or(first.filter(|first| first.contains("://")));
    let transport = match transport.as_deref() {
        None => RemoteTransport::Auto,
        Some("http" | "streamable-http") => RemoteTransport::Http,
        Some("sse") => RemoteTransport::Sse,
        Some("ws") => RemoteTransport::WebSocket,
        Some("stdio") if address.is_none() => RemoteTransport::Auto,
        Some(other) => {
            return Err(ImportError::CommandLine(format!(
                "The transport {other} does not fit what follows."
            )));
        }
    };
    let mut draft = match address {
        Some(url) => with_headers(remote(name, url, transport), headers),
        None => {
            let program = first.ok_or_else(|| missing("command or address"))?;
            let draft = program_draft(name, program, rest[1..].iter().copied());
            with_environment(draft, environment)
        }
    };
    if address.is_some() {
        draft.sign_in = sign_in;
    }
    Ok(vec![candidate(draft, notes)])
}

fn candidate(draft: Draft, notes: Vec<String>) -> Candidate {
    Candidate {
        notes,
        ..Candidate::new(draft, "")
    }
}

fn with_headers(mut draft: Draft, given: Vec<NamedText>) -> Draft {
    if let DraftEndpoint::Remote(remote) = &mut draft.endpoint {
        remote.headers = given;
    }
    draft
}

fn with_environment(mut draft: Draft, given: Vec<NamedText>) -> Draft {
    if let DraftEndpoint::Stdio { environment, .. } = &mut draft.endpoint {
        *environment = given;
    }
    draft
}

fn variable(word: &str) -> Result<NamedText, ImportError> {
    let (name, text) = word.split_once('=').ok_or_else(|| {
        ImportError::CommandLine("A variable is written as NAME=VALUE.".to_owned())
    })?;
    Ok(NamedText {
        name: name.to_owned(),
        text: text.to_owned(),
    })
}

fn header(word: &str) -> Result<NamedText, ImportError> {
    let (name, text) = word.split_once(':').ok_or_else(|| {
        ImportError::CommandLine("A header is written as NAME: VALUE.".to_owned())
    })?;
    Ok(NamedText {
        name: name.trim().to_owned(),
        text: text.trim().to_owned(),
    })
}

/// `claude mcp add-json NAME JSON`.
fn add_json(words: &[&str]) -> Result<Vec<Candidate>, ImportError> {
    let mut plain = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "-s" | "--scope" => {
                words.next();
            }
            option if option.starts_with("--") => {}
            other => plain.push(other),
        }
    }
    let [name, json, ..] = plain.as_slice() else {
        return Err(missing("name and entry"));
    };
    let mut found = snippet::read(json)?;
    for candidate in &mut found {
        candidate.draft.name = (*name).to_owned();
    }
    Ok(found)
}

/// `code --add-mcp JSON`.
fn editor(words: &[&str]) -> Result<Vec<Candidate>, ImportError> {
    let place = words.iter().position(|word| word.starts_with("--add-mcp"));
    let json = place.and_then(|place| match words[place].split_once('=') {
        Some((_, json)) => Some(json),
        None => words.get(place + 1).copied(),
    });
    snippet::read(json.ok_or_else(|| missing("--add-mcp with an entry"))?)
}

/// Origin of a line that is read as a command although no program is known by that name.
pub(super) const GUESSED: &str = "command line of an unknown program";

/// Reads one line as a program with its arguments where the first of these is what a command line
/// has and a sentence has not.
pub(super) fn guess(text: &str) -> Option<Candidate> {
    let line = text.trim_start_matches("$ ");
    let words = shlex::split(line).filter(|_| !line.contains('\n'))?;
    let (program, rest) = words.split_first()?;
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let first = *rest.first()?;
    let is_name = program.chars().all(|character| {
        character.is_ascii_lowercase() || character.is_ascii_digit() || "-_.+".contains(character)
    });
    let is_argument = first.starts_with('-') || first.contains(['/', '@']) || first.contains("mcp");
    if !(is_name && is_argument) {
        return None;
    }
    let name = match first.contains("mcp") && !first.starts_with('-') {
        true => naming::of_package(first),
        false => naming::of_command(program, &rest),
    };
    let draft = program_draft(&name, program, rest.iter().copied());
    let note = format!("Sightglass does not know the program {program}. Check how it is spelled.");
    Some(Candidate {
        notes: vec![note],
        ..Candidate::new(draft, GUESSED)
    })
}

/// A program as a user starts it.
fn plain(program: &str, words: &[&str]) -> Result<Vec<Candidate>, ImportError> {
    let name = naming::of_command(program, words);
    let draft = program_draft(&name, program, words.iter().copied());
    Ok(vec![candidate(draft, Vec::new())])
}
