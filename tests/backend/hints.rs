//! Texts of the sources, held against the program: each command and option that the command line
//! names is one of its own, and what the window shows names places of the window instead.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sightglass_tests::programs;

use crate::{
    command_line::Machine,
    pages::{add_help, arguments, has_word, is_read, subcommands},
};

/// Parts of the product that the command line shares with the window, or that are the window's own.
const SHARED: [&str; 16] = [
    "auth",
    "checks",
    "config",
    "connection",
    "files",
    "inspector",
    "llm-tools",
    "model",
    "model-endpoint",
    "questions",
    "requests",
    "secrets",
    "session-file",
    "surface",
    "traffic",
    "../src",
];

/// Shared sources that name something of the command line: the window has nothing for it.
const OF_THE_COMMAND_LINE: [&str; 2] = ["requests/values.rs", "session-file/src/mock.rs"];

/// A source file: its path, and its text without tests.
struct Source {
    path: String,
    text: String,
}

fn crates() -> PathBuf {
    programs::repository().join("src-tauri/crates")
}

/// The sources of a part, without files of tests alone.
fn sources(part: &str) -> Vec<Source> {
    let part = crates().join(part);
    let directory = match part.ends_with("src") {
        true => part,
        false => part.join("src"),
    };
    let mut found = Vec::new();
    read(&directory, &mut found);
    assert!(!found.is_empty(), "{} has no source", directory.display());
    found
}

fn read(directory: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(directory).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("named").to_string_lossy();
        if path.is_dir() {
            if name != "tests" {
                read(&path, found);
            }
            continue;
        }
        if !name.ends_with(".rs") || ["tests.rs", "managed_policy.rs"].contains(&&*name) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("UTF-8");
        let text = text.split("#[cfg(test)]\nmod tests {").next();
        found.push(Source {
            path: path.to_string_lossy().replace('\\', "/"),
            text: text.unwrap_or_default().to_owned(),
        });
    }
}

/// The string literals of a source, as they are shown but for what is filled in.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some((text, length)) = raw_string(rest, before) {
            found.push(text.to_owned());
            length
        } else if first == '"' {
            let length = string(rest);
            found.push(shown(&rest[1..length - 1]));
            length
        } else if first == '\'' {
            character(rest)
        } else {
            first.len_utf8()
        };
        before = rest[..length].chars().next_back().unwrap_or(' ');
        rest = &rest[length..];
    }
    found
}

/// A raw string at the beginning of a text, and its length with the marks.
fn raw_string(text: &str, before: char) -> Option<(&str, usize)> {
    let marked = text.strip_prefix('r')?;
    if before.is_alphanumeric() && before != 'b' || before == '_' {
        return None;
    }
    let hashes = marked.len() - marked.trim_start_matches('#').len();
    let content = marked[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", &marked[..hashes]);
    let length = content.find(&end)?;
    Some((&content[..length], 1 + hashes + 1 + length + end.len()))
}

/// The length of a string at the beginning of a text, with its marks.
fn string(text: &str) -> usize {
    let mut is_escaped = true;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character at the beginning of a text, with its marks; that of the mark alone where
/// it is a lifetime.
fn character(text: &str) -> usize {
    let mut content = text[1..].chars();
    match content.next() {
        Some('\\') => text[3..].find('\'').map_or(1, |at| at + 4),
        Some(one) if content.next() == Some('\'') => 2 + one.len_utf8(),
        _ => 1,
    }
}

/// The content of a string without its escapes. A line that goes on is one.
fn shown(content: &str) -> String {
    let mut text = String::new();
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut escaped = after.chars();
        rest = match escaped.next() {
            Some('\n') => after.trim_start(),
            Some('n' | 't' | 'r') => {
                text.push(' ');
                escaped.as_str()
            }
            Some(other) => {
                text.push(other);
                escaped.as_str()
            }
            None => "",
        };
    }
    text + rest
}

/// What stands between backticks in a text.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The words of a text that look like long options.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| {
        let name = word.strip_prefix("--").unwrap_or_default();
        name.starts_with(|first: char| first.is_ascii_lowercase())
    })
}

/// The first two literals of each call of a function that makes a command for a hint.
fn made_commands(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, call) in source.match_indices("command(\"") {
        let rest = &source[at + call.len()..];
        let (verb, rest) = rest.split_once('"').expect("a literal ends");
        let rest = rest.trim_start_matches(',').trim_start();
        let rest = rest.strip_prefix("&format!(").unwrap_or(rest);
        let options = rest
            .strip_prefix('"')
            .and_then(|rest| rest.split('"').next());
        found.push((verb.to_owned(), options.unwrap_or_default().to_owned()));
    }
    found
}

/// Words that stand for what is filled in.
fn without_blanks(words: Vec<String>) -> Vec<String> {
    let filled = words.into_iter().map(|word| match word.contains('{') {
        true => "X".to_owned(),
        false => word,
    });
    filled.collect()
}

#[test]
fn every_command_in_a_text_is_one_of_the_program() {
    let machine = Machine::new();
    let parts = SHARED.iter().chain(&["cli"]);
    let sources: Vec<Source> = parts.flat_map(|part| sources(part)).collect();
    let mut commands: Vec<String> = Vec::new();
    for source in &sources {
        for literal in literals(&source.text) {
            let named = spans(&literal).filter(|span| span.starts_with("sightglass-cli "));
            // Where all of it is filled in, the parts are looked at below.
            let named = named.filter(|span| !span.starts_with("sightglass-cli {"));
            commands.extend(named.map(str::to_owned));
        }
        if source.path.contains("crates/cli/") {
            let made = made_commands(&source.text).into_iter();
            commands.extend(made.map(|(verb, options)| format!("sightglass-cli {verb} {options}")));
        }
    }
    commands.sort();
    commands.dedup();
    assert!(commands.len() > 20, "only {commands:#?}");
    for command in &commands {
        let words = without_blanks(arguments(command));
        is_read(&machine, command, &words);
    }
}

#[test]
fn every_option_in_a_text_of_the_command_line_is_one_of_its_own() {
    let machine = Machine::new();
    let mut help = String::new();
    add_help(&machine, &[], &mut help);
    let own = machine.run(&["--help"]).stdout;
    let names: Vec<&str> = subcommands(&own).collect();
    let mut read = 0;
    for Source { path, text } in sources("cli") {
        for literal in literals(&text) {
            for option in options(&literal) {
                assert!(has_word(&help, option), "{path}: no {option}: {literal}");
                read += 1;
            }
            // A command that can be pasted has its program.
            for span in spans(&literal) {
                let mut words = span.split(' ');
                let is_bare = words.next().is_some_and(|word| names.contains(&word));
                assert!(!is_bare, "{path}: `{span}` lacks the program: {literal}");
            }
        }
    }
    assert!(read > 30, "only {read} options were found");
}

#[test]
fn what_the_window_shows_names_nothing_of_the_command_line() {
    let machine = Machine::new();
    let mut help = String::new();
    add_help(&machine, &[], &mut help);
    for part in SHARED {
        for Source { path, text } in sources(part) {
            if OF_THE_COMMAND_LINE
                .iter()
                .any(|known| path.ends_with(known))
            {
                continue;
            }
            // A literal of one word is data: an option of another program, or a part of a command
            // to copy.
            for literal in literals(&text).iter().filter(|text| text.contains(' ')) {
                assert!(!literal.contains("sightglass-cli"), "{path}: {literal}");
                // Commands of other programs have options of the same names.
                for span in spans(literal).filter(|span| span.starts_with("--")) {
                    let own = options(span).find(|option| has_word(&help, option));
                    assert_eq!(own, None, "{path}: {literal}");
                }
                for advice in ["add --", "with --", "Add --", "or --"] {
                    assert!(!literal.contains(advice), "{path}: {literal}");
                }
            }
        }
    }
}

/// The texts of the window.
fn labels(directory: &Path, texts: &mut String) {
    for entry in fs::read_dir(directory).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            labels(&path, texts);
        } else if name.ends_with(".ts") || name.ends_with(".tsx") {
            texts.push_str(&fs::read_to_string(&path).expect("UTF-8"));
        }
    }
}

/// The places that a text names one below the other, as in “under Sign-in, Client”.
fn places(text: &str) -> Vec<&str> {
    let is_label = |word: &&str| word.starts_with(|first: char| first.is_ascii_uppercase());
    let mut found = Vec::new();
    for (at, under) in text.match_indices("nder ") {
        let mut words = text[at + under.len()..].split(' ');
        while let Some(word) = words.next().filter(is_label) {
            found.push(word.trim_end_matches(|c: char| !c.is_ascii_alphabetic()));
            if !word.ends_with(',') {
                break;
            }
        }
    }
    found
}

#[test]
fn a_place_of_the_window_has_that_name_there() {
    let mut texts = String::new();
    labels(&programs::repository().join("ui/src"), &mut texts);
    let mut read = 0;
    for part in ["auth", "inspector", "model", "cli"] {
        for Source { path, text } in sources(part) {
            for literal in literals(&text) {
                for place in places(&literal) {
                    let is_there = texts.contains(&format!("'{place}'"));
                    assert!(is_there, "{path}: the window has no {place}: {literal}");
                    read += 1;
                }
            }
        }
    }
    assert!(read > 20, "only {read} places were found");
}

#[test]
fn the_literals_of_a_source_are_found() {
    let source = r##"
        // "not this"
        fn f<'a>(c: char) -> &'a str { let q = '"'; let e = '\''; "one \
            two `x`"; r#"three "3""# }
    "##;
    assert_eq!(literals(source), ["one two `x`", r#"three "3""#]);
    assert_eq!(
        places("Set it under Sign-in, Client."),
        ["Sign-in", "Client"]
    );
}
