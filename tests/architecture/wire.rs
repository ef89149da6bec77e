//! The form of what crosses to the window: fields and the values of enums in camelCase, and `type`
//! for the tag of an enum.

use std::fs;

use crate::{repository, source::identifier};

/// Types that keep words of somebody else's, with the reason.
const EXCEPTIONS: [(&str, &str); 4] = [
    (
        "Client",
        "ids of clients: the command line takes them, ids of servers begin with them",
    ),
    (
        "ProtocolChoice",
        "revisions of MCP are named by their dates",
    ),
    (
        "TaskStatus",
        "the words of MCP for the status of a task, read from messages with it",
    ),
    (
        "ClientAuthMethod",
        "the words of OAuth (RFC 7591), read from registration answers with it",
    ),
];

#[test]
fn names_that_cross_to_the_window_have_one_form() {
    let path = repository().join("ui/src/backend/bindings.ts");
    let bindings = fs::read_to_string(path).expect("readable");
    let (names, wrong) = faults(&bindings);
    assert!(names > 1_000, "only {names} names were found");
    assert!(
        wrong.is_empty(),
        "these names are not in camelCase, or are tags other than `type`:\n{}",
        wrong.join("\n")
    );
    for (exception, reason) in EXCEPTIONS {
        let declaration = format!("export type {exception} = ");
        assert!(
            bindings.contains(&declaration),
            "{exception} is not on the wire, remove the exception for {reason}"
        );
    }
}

/// Verbs that commands begin with: those for things that are kept, and the words of the field.
const VERBS: [&str; 69] = [
    "accept",
    "agree",
    "answer",
    "apply",
    "approve",
    "ask",
    "call",
    "cancel",
    "check",
    "choose",
    "clear",
    "close",
    "compare",
    "complete",
    "connect",
    "continue",
    "copy",
    "count",
    "create",
    "declare",
    "delete",
    "disconnect",
    "discover",
    "distrust",
    "download",
    "edit",
    "explain",
    "export",
    "find",
    "get",
    "install",
    "list",
    "move",
    "notify",
    "open",
    "paste",
    "pin",
    "ping",
    "plan",
    "preview",
    "read",
    "rebind",
    "refresh",
    "reject",
    "rename",
    "replay",
    "resolve",
    "restart",
    "restore",
    "retry",
    "reveal",
    "revoke",
    "run",
    "save",
    "search",
    "send",
    "set",
    "show",
    "sign",
    "silence",
    "start",
    "stop",
    "subscribe",
    "test",
    "trust",
    "try",
    "unsubscribe",
    "update",
    "verify",
];

/// Commands that begin with another word: the window's own word to the shell.
const OTHER_COMMANDS: [&str; 1] = ["windowReady"];

#[test]
fn commands_begin_with_a_verb_of_the_list() {
    let path = repository().join("ui/src/backend/bindings.ts");
    let bindings = fs::read_to_string(path).expect("readable");
    let commands: Vec<&str> = bindings
        .lines()
        .filter(|line| line.contains("__TAURI_INVOKE<"))
        .filter_map(|line| line.trim_start().split_once(": ("))
        .map(|(name, _)| name)
        .collect();
    assert!(
        commands.len() > 150,
        "only {} commands were found",
        commands.len()
    );
    let others = commands.into_iter().filter(|name| {
        let end = name.find(char::is_uppercase).unwrap_or(name.len());
        !VERBS.contains(&&name[..end]) && !OTHER_COMMANDS.contains(name)
    });
    let others: Vec<_> = others.collect();
    assert!(
        others.is_empty(),
        "name these commands by a verb of the list, the same for the same act:\n{}",
        others.join("\n")
    );
}

#[test]
fn a_name_of_another_form_is_found() {
    let bindings = "\nexport type A = {\n\ta_b: number,\n\tcD?: string | null, // e_f\n};\n\
                    /** Words: of_prose. */\n\
                    export type B = \n/** More: of_it. */\n{ kind: \"c_d\"; fine: A } | { type: \"e\" };\n\
                    export type Client = \"mcp-json\";\n";
    let (names, wrong) = faults(bindings);
    assert_eq!(names, 8);
    assert_eq!(wrong, ["A: a_b", "B: kind, a tag", "B: c_d"]);
}

/// Returns how many names the types have, and those of another form.
fn faults(bindings: &str) -> (usize, Vec<String>) {
    let text = without_comments(bindings);
    let mut names = 0;
    let mut wrong = Vec::new();
    for declaration in text.split("\nexport type ").skip(1) {
        let of = identifier(declaration);
        if EXCEPTIONS.iter().any(|(exception, _)| *exception == of) {
            names += 1;
            continue;
        }
        // Literals stand between the quotes.
        for (index, part) in declaration.split('"').enumerate() {
            let found = match index % 2 {
                0 => properties(part),
                _ => vec![part],
            };
            names += found.len();
            let odd = found.into_iter().filter(|name| !is_camel_case(name));
            wrong.extend(odd.map(|name| format!("{of}: {name}")));
            // A property with a literal for its type is a tag.
            if let Some(before) = part.strip_suffix(": ").filter(|_| index % 2 == 0)
                && last_name(before) != "type"
            {
                wrong.push(format!("{of}: {}, a tag", last_name(before)));
            }
        }
    }
    (names, wrong)
}

/// Returns the text without comments.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push_str(part.split_once("*/").map_or("", |(_, after)| after));
    }
    let lines = rest
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns the names before the colons of a text.
fn properties(text: &str) -> Vec<&str> {
    let mut before: Vec<&str> = text.split(':').map(last_name).collect();
    before.pop();
    before.retain(|name| !name.is_empty());
    before
}

/// Returns the name at the end of a text; it may be optional.
fn last_name(text: &str) -> &str {
    let text = text.trim_end_matches('?');
    let before = text.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    &text[before.len()..]
}

fn is_camel_case(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
}
