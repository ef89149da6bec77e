//! Reads what a program wrote before it ended: the likely cause, and the lines that matter.
//!
//! A hint is given only where the words say so themselves. `Unexpected token` is a mistake in
//! a program's text and no word about an access token.

mod arguments;
mod docker;
mod node;
mod package_runner;
mod python;
mod trace;

use super::{Hint, HintAction};
use arguments::says_file_is_missing;
pub(super) use trace::stack_trace;

/// Characters of a name that a hint repeats.
const MAX_NAME_LENGTH: usize = 120;

/// Parts of paths that are not the user's own code.
const FOREIGN: [&str; 11] = [
    "node_modules",
    "node:",
    "(internal/",
    "<anonymous>",
    "(native)",
    "site-packages",
    "dist-packages",
    "<frozen ",
    "/lib/python",
    "\\Lib\\",
    "java.base/",
];

/// Returns the lines without the frames of stack traces, except for the frame of each trace
/// that is nearest to the error and lies in the user's own files.
pub(super) fn essential_lines(lines: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        let Some(language) = Language::of_frame(line) else {
            kept.push(line.clone());
            rest = after;
            continue;
        };
        let mut frames: Vec<&[String]> = Vec::new();
        while let Some(length) = frame_length(rest, language) {
            let (frame, after) = rest.split_at(length);
            frames.push(frame);
            rest = after;
        }
        keep_one(&mut kept, &frames, language);
    }
    kept
}

/// Adds the one frame that matters, and how many there are beside it.
fn keep_one(kept: &mut Vec<String>, frames: &[&[String]], language: Language) {
    let is_own = |frame: &&[String]| !FOREIGN.iter().any(|part| frame[0].contains(part));
    let chosen = match language {
        // The most recent call stands first.
        Language::JavaScript => frames.iter().find(|frame| is_own(frame)).or(frames.first()),
        // The most recent call stands last.
        Language::Python => frames.iter().rfind(|frame| is_own(frame)).or(frames.last()),
    };
    kept.extend(chosen.into_iter().flat_map(|frame| frame.iter().cloned()));
    match frames.len() - 1 {
        0 => {}
        1 => kept.push("    … 1 more frame".to_owned()),
        more => kept.push(format!("    … {more} more frames")),
    }
}

/// The way in which a stack trace is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    /// `    at name (file:line:column)`; also of Java and C#.
    JavaScript,
    /// `  File "name", line 1, in function`, and below it the line's text.
    Python,
}

impl Language {
    fn of_frame(line: &str) -> Option<Self> {
        let text = line.trim_start();
        if text.len() == line.len() {
            return None;
        }
        if text.starts_with("at ") {
            return Some(Language::JavaScript);
        }
        (text.starts_with("File \"") && text.contains("\", line ")).then_some(Language::Python)
    }
}

/// The number of lines of the frame at the beginning, if there is one.
fn frame_length(lines: &[String], language: Language) -> Option<usize> {
    let (first, after) = lines.split_first()?;
    if Language::of_frame(first) != Some(language) {
        return None;
    }
    let below = match language {
        Language::JavaScript => 0,
        Language::Python => after
            .iter()
            .take_while(|line| indentation(line) > indentation(first))
            .count(),
    };
    Some(1 + below)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Likely cause of the end of a program.
#[derive(Debug)]
enum Cause {
    /// The environment lacks a variable of this name.
    Variable(String),
    /// Anything else, as a sentence that says what to do.
    Other(String),
}

/// Returns the likely cause of the end of a program, and what to do about it: from how it was
/// started and from its last words.
pub(super) fn hint_of_exit(
    command_line: &str,
    stderr: &[String],
    stdout: &[String],
) -> Option<Hint> {
    let words = shlex::split(command_line).unwrap_or_default();
    let cause = arguments::misread(&words, stderr)
        .map(Cause::Other)
        .or_else(|| cause(stderr))
        .or_else(|| cause(stdout))
        .or_else(|| docker::without_input(&words).map(Cause::Other))?;
    Some(match cause {
        Cause::Variable(name) => Hint {
            text: variable_hint(&name, docker::withholds(&words, &name)),
            action: HintAction::SetVariable { name },
        },
        Cause::Other(text) => Hint {
            text,
            action: HintAction::EditServer,
        },
    })
}

/// Advice for a variable that a program lacks; `is_withheld` from the container that it runs in.
fn variable_hint(name: &str, is_withheld: bool) -> String {
    let set = "Its last lines name the variable";
    match is_withheld {
        true => format!(
            "{set} {name}. Set it in this server's environment, and hand it on to the container \
             with `-e {name}` among the arguments."
        ),
        false => format!("{set} {name}. Set it in this server's environment."),
    }
}

/// Returns the likely cause in the last words of a program.
fn cause(lines: &[String]) -> Option<Cause> {
    let by_others = package_runner::cause(lines).or_else(|| docker::cause(lines));
    let headline = lines.iter().rev().find(|line| is_headline(line));
    by_others
        .map(Cause::Other)
        .or_else(|| headline.and_then(|line| cause_in(line, lines)))
        .or_else(|| {
            let mut words = lines.iter().rev();
            words.find_map(|line| match Language::of_frame(line) {
                Some(_) => None,
                None => cause_in(line, lines),
            })
        })
}

/// Returns the HTTP address that a program says it listens on.
pub(super) fn listening_address(lines: &[String]) -> Option<&str> {
    lines.iter().rev().find_map(|line| {
        let lower = line.to_lowercase();
        if !LISTENING.iter().any(|words| lower.contains(words)) {
            return None;
        }
        let start = line.find("http://").or_else(|| line.find("https://"))?;
        let address = line[start..].split_whitespace().next()?;
        Some(address.trim_end_matches(|last: char| !last.is_alphanumeric() && last != '/'))
    })
}

/// Returns the last line that names an error, as stack traces do.
pub(super) fn headline(lines: &[String]) -> Option<String> {
    let line = lines.iter().rev().find(|line| is_headline(line))?;
    Some(line.trim().to_owned())
}

/// Tells if a line is the one of a stack trace that names the error.
fn is_headline(line: &str) -> bool {
    let line = line.strip_prefix("Uncaught ").unwrap_or(line);
    let first = line.split([':', ' ', '[', '(']).next().unwrap_or_default();
    ["Error", "Exception", "error", "fatal"]
        .iter()
        .any(|ending| first.ends_with(ending))
}

/// Returns the likely cause in a line; `lines` are all of the output.
fn cause_in(line: &str, lines: &[String]) -> Option<Cause> {
    let lower = line.to_lowercase();
    let of_runtime = node::outdated(line, lines)
        .or_else(|| syntax(&lower).map(str::to_owned))
        .or_else(|| python::missing_module(line, lines))
        .or_else(|| python::missing_name(line))
        .or_else(|| node::missing_module(line, named(line), lines))
        .or_else(|| native_part(&lower).map(str::to_owned));
    if let Some(text) = of_runtime {
        return Some(Cause::Other(text));
    }
    if let Some(name) = missing_variable(line, &lower) {
        return Some(Cause::Variable(name.to_owned()));
    }
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    missing_program(line, &lower)
        .or_else(|| {
            let name = named(line);
            if says(&["eaddrinuse", "address already in use"]) {
                Some(
                    "Another program uses its port. Stop that program, or choose another port."
                        .into(),
                )
            } else if says_file_is_missing(&lower) {
                Some(match name {
                    Some(name) => format!(
                        "The file {name} does not exist. Check the paths in its arguments and its \
                         working directory."
                    ),
                    None => "A file that it needs does not exist. Check the paths in its \
                             arguments and its working directory."
                        .into(),
                })
            } else if says(&[
                "eacces",
                "eperm",
                "permission denied",
                "permissionerror",
                "operation not permitted",
            ]) {
                Some(match name {
                    Some(name) => format!("It has no permission to use {name}."),
                    None => "It has no permission to use a file or a port that it needs.".into(),
                })
            } else if says(&["e404", "not found in the package registry"])
                || says(&["404 not found"]) && says(&["npm", "registry", "pypi"])
            {
                Some(
                    "The package runner did not find the package. Check its name and version."
                        .into(),
                )
            } else if says(&["does not support dynamic client registration"]) {
                Some(
                    "The authorization server registers no clients by itself. Register one there by \
                     hand: mcp-remote takes its id in `--static-oauth-client-info`. Or connect to \
                     the server's address directly, and enter the id of that client."
                        .into(),
                )
            } else if says(&[
                "enotfound",
                "econnrefused",
                "getaddrinfo",
                "connection refused",
            ]) {
                Some(
                    "It could not reach another host. Check that host's address and the network."
                        .into(),
                )
            } else if says(&["usage:"]) || says(&["required", "missing"]) && says(&["argument"]) {
                Some("An argument seems to be missing or wrong.".into())
            } else if says(&KEYS) && says(&LACK) {
                Some("A key or token seems to be missing from its environment.".into())
            } else {
                None
            }
        })
        .map(Cause::Other)
}

/// Words of a server about the address that it is reached at.
const LISTENING: [&str; 6] = [
    "listening",
    "running on",
    "running at",
    "serving",
    "server started",
    "with transport",
];

/// Words for credentials.
const KEYS: [&str; 8] = [
    "api key",
    "api_key",
    "apikey",
    "api-key",
    "token",
    "credential",
    "password",
    "secret",
];

/// Words that say that something is not there.
const LACK: [&str; 12] = [
    "not set",
    "unset",
    "missing",
    "required",
    "must be set",
    "must provide",
    "not provided",
    "please provide",
    "please set",
    "not configured",
    "not found",
    "no api key",
];

fn syntax(lower: &str) -> Option<&'static str> {
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let is_syntax = says(&["syntaxerror", "indentationerror", "taberror"]);
    if says(&["jsondecodeerror"])
        || is_syntax && says(&["valid json", "json input", "json at position", "in json"])
    {
        return Some("A JSON text that it reads is not valid. Its last lines say where.");
    }
    if !is_syntax {
        return None;
    }
    if says(&["outside a module", "unexpected token 'export'"]) {
        return Some(
            "The program is written as an ES module, and Node.js reads it as CommonJS. Add \
             `\"type\": \"module\"` to its package.json, or name the file .mjs.",
        );
    }
    Some(
        "The program has a syntax error; the lines on stderr name the file. It may need a newer \
         interpreter.",
    )
}

/// Returns what to do about a library in machine code that was built for another system.
fn native_part(lower: &str) -> Option<&'static str> {
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["node_module_version"]) {
        return Some(
            "A native part of a package was built for another version of Node.js. Install its \
             packages again with the Node.js that runs this server, or run `npm rebuild`.",
        );
    }
    says(&[
        "incompatible architecture",
        "invalid elf header",
        "wrong elf class",
        "not a valid win32 application",
    ])
    .then_some(
        "A native part of a package was built for another processor or system. Install its packages \
         again on this computer.",
    )
}

/// Words of codes of errors, as in `AUTH_REQUIRED`, which are written like variables.
const CODES: [&str; 8] = [
    "ERR",
    "ERROR",
    "INVALID",
    "MISSING",
    "NOT",
    "REQUIRED",
    "UNDEFINED",
    "UNSET",
];

/// The environment variable that a line complains about: a word in capitals with an
/// underscore, on a line that says that something is missing.
fn missing_variable<'a>(line: &'a str, lower: &str) -> Option<&'a str> {
    let complains = LACK.iter().any(|words| lower.contains(words))
        || lower.contains("undefined")
        || lower.starts_with("keyerror");
    let is_variable = |word: &&str| {
        word.contains('_')
            && word.len() <= MAX_NAME_LENGTH
            && !word.split('_').any(|part| CODES.contains(&part))
            && word.starts_with(|first: char| first.is_ascii_uppercase())
            && word.chars().all(|character| {
                character.is_ascii_uppercase() || character.is_ascii_digit() || character == '_'
            })
    };
    let mut words =
        line.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
    complains.then(|| words.find(is_variable)).flatten()
}

fn missing_program(line: &str, lower: &str) -> Option<String> {
    let name = if lower.contains("spawn ") && lower.contains("enoent") {
        let at = lower.find("spawn ")? + "spawn ".len();
        line.get(at..)?.split_whitespace().next()?.to_owned()
    } else if let Some(before) = lower.find(": command not found") {
        last_part(line.get(..before)?)
    } else if let Some(before) = line.strip_suffix(": not found")
        && ["sh: ", ": exec: "]
            .iter()
            .any(|shell| before.contains(shell))
    {
        last_part(before)
    } else if let Some(name) = sought_by_env(line) {
        name
    } else if lower.contains("is not recognized as an internal or external command") {
        named(line)?
    } else {
        return None;
    };
    // As `env` escapes it, and as others do not.
    if let Some(interpreter) = name.strip_suffix("\\r").or(name.strip_suffix('\r')) {
        return Some(format!(
            "The script has the line ends of Windows, so that its first line names the program \
             {interpreter} with a carriage return. Save it with Unix line ends (LF)."
        ));
    }
    Some(format!(
        "It runs the program {name}, which is not on its PATH. Install it, or add its folder to PATH in this \
         server's environment."
    ))
}

/// Returns the program that `env` looks for in vain, as in the first line of a script. It is in
/// quotes on Linux and without on macOS.
fn sought_by_env(line: &str) -> Option<String> {
    let rest = line.strip_prefix("env: ").or_else(|| {
        let (_, rest) = line.split_once("/env: ")?;
        Some(rest)
    })?;
    let (name, _) = rest.split_once(": No such file or directory")?;
    Some(named(name).unwrap_or_else(|| name.to_owned()))
}

fn last_part(text: &str) -> String {
    text.rsplit(": ").next().unwrap_or(text).trim().to_owned()
}

/// The first name in quotes.
fn named(line: &str) -> Option<String> {
    let marks = ['\'', '"', '‘', '`'];
    let (at, mark) = line
        .char_indices()
        // An apostrophe within a word opens nothing.
        .find(|(at, character)| {
            marks.contains(character)
                && !line[..*at].ends_with(|before: char| before.is_alphanumeric())
        })?;
    let rest = &line[at + mark.len_utf8()..];
    let closing: &[char] = match mark {
        '"' => &['"'],
        '‘' => &['’'],
        _ => &['\'', '’', '`'],
    };
    let end = rest.find(closing)?;
    let name: String = rest[..end].chars().take(MAX_NAME_LENGTH).collect();
    (!name.trim().is_empty()).then_some(name)
}

#[cfg(test)]
mod told {
    //! Assertions that the tests of all causes make.

    pub(super) fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    /// Fails unless what is told of a line holds the text, or nothing is told where none is wanted.
    pub(super) fn assert_told(line: &str, found: Option<&str>, wanted: Option<&str>) {
        match wanted {
            Some(wanted) => assert!(
                found.is_some_and(|found| found.contains(wanted)),
                "{line}: {found:?}"
            ),
            None => assert_eq!(found, None, "{line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::told::{assert_told, lines};
    use super::*;

    /// The name of the variable, or the sentence.
    fn text_of(cause: Option<Cause>) -> Option<String> {
        cause.map(|cause| match cause {
            Cause::Variable(text) | Cause::Other(text) => text,
        })
    }

    #[test]
    fn each_last_word_has_the_cause_that_it_names_and_no_other() {
        let table = [
            ("SyntaxError: Unexpected token '}'", Some("syntax error")),
            ("SyntaxError: Unexpected token", Some("syntax error")),
            (
                "SyntaxError: Unexpected token 'h', \"hello\" is not valid JSON",
                Some("JSON text"),
            ),
            (
                "json.decoder.JSONDecodeError: Expecting value: line 1",
                Some("JSON text"),
            ),
            (
                "SyntaxError: Cannot use import statement outside a module",
                Some("\"type\": \"module\""),
            ),
            ("IndentationError: unexpected indent", Some("syntax error")),
            (
                "Error: Cannot find module 'express'",
                Some("package express"),
            ),
            (
                "Error: Cannot find module '/srv/index.js'",
                Some("file /srv/index.js"),
            ),
            (
                "ModuleNotFoundError: No module named 'mcp'",
                Some("package mcp"),
            ),
            (
                "/usr/bin/python3: No module named mcp_server_git",
                Some("package mcp_server_git"),
            ),
            (
                "Error: ENOENT: no such file or directory, open '/etc/notes.json'",
                Some("file /etc/notes.json"),
            ),
            (
                "python3: can't open file '/srv/server.py': [Errno 2] No such file or directory",
                Some("file /srv/server.py"),
            ),
            ("Error: spawn git ENOENT", Some("program git")),
            ("sh: 1: uvx: not found", Some("program uvx")),
            (
                "env: ‘node\\r’: No such file or directory",
                Some("Unix line ends"),
            ),
            ("bash: line 1: uvx: command not found", Some("program uvx")),
            (
                "/usr/bin/env: ‘node’: No such file or directory",
                Some("program node, which is not on its PATH"),
            ),
            (
                "env: node: No such file or directory",
                Some("program node,"),
            ),
            ("/srv/run.sh: 3: exec: uvx: not found", Some("program uvx,")),
            (
                "'node' is not recognized as an internal or external command,",
                Some("program node,"),
            ),
            ("Error: tool weather: not found", None),
            (
                "Error: Cannot find module '/srv/\"a\"/x.js'",
                Some("file /srv/\"a\"/x.js does"),
            ),
            (
                "NODE_MODULE_VERSION 108. This version of Node.js requires",
                Some("another version of Node.js"),
            ),
            (
                "ImportError: dlopen(/v/x.so): is an incompatible architecture (have 'x86_64')",
                Some("another processor"),
            ),
            (
                "[7] Connection error: Error: Incompatible auth server: does not support dynamic \
                 client registration",
                Some("--static-oauth-client-info"),
            ),
            (
                "Error: listen EADDRINUSE: address already in use :::3000",
                Some("uses its port"),
            ),
            (
                "PermissionError: [Errno 13] Permission denied: '/var/db'",
                Some("no permission to use /var/db"),
            ),
            ("npm error code E404", Some("package runner")),
            (
                "Error: connect ECONNREFUSED 127.0.0.1:5432",
                Some("another host"),
            ),
            ("usage: server [--root DIR]", Some("argument")),
            (
                "error: the following arguments are required: --root",
                Some("argument"),
            ),
            (
                "GITHUB_TOKEN environment variable is not set",
                Some("GITHUB_TOKEN"),
            ),
            ("KeyError: 'GITHUB_TOKEN'", Some("GITHUB_TOKEN")),
            (
                "MISSING_ENV: DATABASE_URL is required",
                Some("DATABASE_URL"),
            ),
            ("Error [AUTH_REQUIRED]: sign in first", None),
            ("NOT_FOUND: notes not found", None),
            ("Error: API key is required", Some("key or token")),
            ("Error: No API key found", Some("key or token")),
            ("token seems to be missing", Some("key or token")),
            ("Loaded 12 tokens", None),
            ("KeyError: 'workspace_id'", None),
            ("TypeError [ERR_INVALID_ARG_TYPE]: Received undefined", None),
            ("Server started", None),
        ];
        for (line, wanted) in table {
            let found = text_of(cause(&lines(line)));
            assert_told(line, found.as_deref(), wanted);
        }
    }

    #[test]
    fn the_line_that_names_the_error_counts_before_what_surrounds_it() {
        let text = "api key missing, reading the file\n/srv/server.js:3\nconst x = {;\n\nSyntaxError: \
                    Unexpected token ';'\n    at wrapSafe (node:internal/modules:1378:20)\n\nNode.js v22";
        let found = text_of(cause(&lines(text))).expect("a cause");
        assert!(found.contains("syntax error"), "{found}");
    }

    #[test]
    fn the_command_line_explains_what_the_last_words_leave_open() {
        let of = |command_line: &str, stderr: &str| {
            let found = hint_of_exit(command_line, &lines(stderr), &[]);
            found.map(|hint| hint.text).unwrap_or_default()
        };
        assert!(of("docker run image", "").contains("Add `-i`"));
        assert!(of("docker run image", "KeyError: 'API_KEY'").contains("API_KEY"));
        assert!(of("uv --directory '~/x' run x", "No such file or directory").contains("`~`"));
        assert!(of("node '\"/x.js\"'", "Cannot find module '/\"/x.js\"'").contains("quotation"));
        assert_eq!(of("node server.js", ""), "");
    }

    #[test]
    fn of_a_stack_trace_the_error_and_the_users_own_frame_stay() {
        let text = "/srv/app/server.js:9\n\nError: boom\n    at inner (/srv/app/node_modules/x/a.js:1:2)\n    \
                    at load (/srv/app/server.js:9:4)\n    at Module._compile (node:internal/modules:1:1)\n\n\
                    Node.js v22";
        assert_eq!(
            essential_lines(&lines(text)),
            [
                "/srv/app/server.js:9",
                "",
                "Error: boom",
                "    at load (/srv/app/server.js:9:4)",
                "    … 2 more frames",
                "",
                "Node.js v22"
            ]
        );
        let text = "Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in <module>\n    \
                    main()\n  File \"/srv/app.py\", line 2, in main\n    start()\n    ^^^^^^^\n  \
                    File \"/usr/lib/python3.12/asyncio/run.py\", line 1, in start\n    raise\nKeyError: 'x'";
        assert_eq!(
            essential_lines(&lines(text)),
            [
                "Traceback (most recent call last):",
                "  File \"/srv/app.py\", line 2, in main",
                "    start()",
                "    ^^^^^^^",
                "    … 2 more frames",
                "KeyError: 'x'"
            ]
        );
    }
}
