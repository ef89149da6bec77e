//! Reads the errors of Node.js: modules that are missing, and what an old version does not know.

use super::package_runner::{incomplete, npx_copy};

/// Operators that Node.js has known since versions 14 and 15.
const OPERATORS: [&str; 5] = ["??=", "||=", "&&=", "??", "?."];

/// Globals, and the version of Node.js since which they are there.
const GLOBALS: [(&str, u8); 15] = [
    ("AbortController", 15),
    ("structuredClone", 17),
    ("fetch", 18),
    ("Headers", 18),
    ("Request", 18),
    ("Response", 18),
    ("FormData", 18),
    ("ReadableStream", 18),
    ("WritableStream", 18),
    ("TransformStream", 18),
    ("Blob", 18),
    ("CustomEvent", 19),
    ("crypto", 19),
    ("File", 20),
    ("WebSocket", 22),
];

/// Returns the cause in a line that says that a module or package is missing. `name` is the one
/// that it names, `lines` are all of the output.
pub(super) fn missing_module(line: &str, name: Option<String>, lines: &[String]) -> Option<String> {
    let complaints = ["Cannot find module", "Cannot find package"];
    if !complaints.iter().any(|words| line.contains(words)) {
        return None;
    }
    // Modules of the old kind are followed by those that required them.
    let mut requiring = lines.iter().filter(|line| line.starts_with("- "));
    let copy = npx_copy(line).or_else(|| requiring.find_map(|line| npx_copy(line)));
    if let Some(copy) = copy {
        return Some(incomplete(&copy));
    }
    Some(match name {
        Some(name) if name.starts_with("node:") => too_old(&format!("the module `{name}`")),
        Some(name) if is_path(&name) && name.contains("node_modules") => format!(
            "The file {name} of an installed package is missing. Install the package again."
        ),
        Some(name) if is_path(&name) => format!(
            "The file {name} does not exist. Check the path in its arguments, or build the \
             program first."
        ),
        Some(name) => format!("The package {name}, which it needs, is not installed."),
        None => "A package that it needs is not installed.".to_owned(),
    })
}

fn is_path(name: &str) -> bool {
    name.starts_with(['/', '.', '\\']) || name.contains(":\\")
}

/// Returns what Node.js does not know in a line, where a newer version would.
pub(super) fn outdated(line: &str, lines: &[String]) -> Option<String> {
    if let Some((_, rest)) = line.split_once("SyntaxError: ") {
        return unknown_syntax(rest, lines);
    }
    if let Some((_, module)) = line.split_once("No such built-in module: ") {
        let module = module.split_whitespace().next()?;
        return Some(too_old(&format!("the module `{module}`")));
    }
    let (_, rest) = line.split_once("ReferenceError: ")?;
    let name = rest.strip_suffix(" is not defined")?;
    let (_, since) = GLOBALS.iter().find(|(global, _)| *global == name)?;
    Some(too_old(&format!(
        "`{name}`, which came with version {since}"
    )))
}

fn unknown_syntax(complaint: &str, lines: &[String]) -> Option<String> {
    let token = complaint.strip_prefix("Unexpected token '");
    let token = token.and_then(|rest| rest.split('\'').next());
    if let Some(operator) = token.filter(|token| OPERATORS.contains(token)) {
        return Some(too_old(&format!("the operator `{operator}`")));
    }
    let module = complaint.strip_prefix("The requested module 'node:");
    if let Some((module, _)) = module.and_then(|rest| rest.split_once('\'')) {
        let is_lacking = complaint.contains("does not provide an export");
        return is_lacking.then(|| too_old(&format!("all of the module `node:{module}`")));
    }
    let is_unknown = [
        "Unexpected token",
        "Unexpected identifier",
        "Invalid regular expression",
    ]
    .iter()
    .any(|words| complaint.starts_with(words));
    // JSON has its own rules, `export` is no matter of age, and `assert` has gone again.
    let is_other = ["JSON", "'export'", "'assert'"]
        .iter()
        .any(|words| complaint.contains(words));
    let is_of_a_package = lines.iter().any(|line| is_place_in_a_package(line));
    (is_unknown && !is_other && is_of_a_package)
        .then(|| too_old("the syntax of a package that is installed"))
}

/// Tells if a line is the place of a syntax error, in a package that is published: its file and
/// the number of its line.
fn is_place_in_a_package(line: &str) -> bool {
    let Some((file, number)) = line.rsplit_once(':') else {
        return false;
    };
    let is_number = !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit());
    is_number && file.contains("node_modules") && !file.starts_with(char::is_whitespace)
}

fn too_old(what: &str) -> String {
    format!(
        "The Node.js that runs it seems to be too old: it does not know {what}. Install a newer \
         version of Node.js, or put the folder of one first in PATH in this server's environment."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::diagnosis::told::{assert_told, lines};

    #[test]
    fn what_an_old_version_does_not_know_is_named() {
        let in_package = "file:///srv/node_modules/a/index.js:7\n\n";
        let in_program = "/srv/server.js:7\n\n";
        let table = [
            (
                in_program,
                "SyntaxError: Unexpected token '??='",
                Some("`??=`"),
            ),
            (
                in_package,
                "SyntaxError: Unexpected token '.'",
                Some("syntax of a package"),
            ),
            (in_program, "SyntaxError: Unexpected token '.'", None),
            (
                in_package,
                "SyntaxError: Unexpected token '}' in JSON at position 1",
                None,
            ),
            (
                in_package,
                "SyntaxError: Unexpected identifier 'assert'",
                None,
            ),
            (
                in_package,
                "SyntaxError: The requested module 'node:fs' does not provide an export named 'glob'",
                Some("`node:fs`"),
            ),
            (
                in_package,
                "SyntaxError: The requested module 'zod' does not provide an export named 'x'",
                None,
            ),
            (
                in_program,
                "Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite",
                Some("`node:sqlite`"),
            ),
            (
                in_package,
                "ReferenceError: File is not defined",
                Some("version 20"),
            ),
            (in_package, "ReferenceError: options is not defined", None),
        ];
        for (place, line, wanted) in table {
            let found = outdated(line, &lines(&format!("{place}{line}")));
            assert_told(line, found.as_deref(), wanted);
        }
    }

    #[test]
    fn a_missing_module_is_told_by_where_it_should_be() {
        let stack = "Require stack:\n- /home/ada/.npm/_npx/47b7/node_modules/a/index.js";
        let table = [
            ("", "/srv/dist/index.js", "build the program first"),
            (
                "",
                "/usr/lib/node_modules/a/b.js",
                "of an installed package is missing",
            ),
            (
                "",
                "/home/ada/.npm/_npx/47b7/node_modules/a/b.js",
                "seems to be incomplete",
            ),
            (stack, "./b", "seems to be incomplete"),
            ("", "express", "package express, which"),
            ("", "node:test", "too old"),
        ];
        for (below, name, wanted) in table {
            let line = format!("Error: Cannot find module '{name}'");
            let found = missing_module(&line, Some(name.to_owned()), &lines(below));
            assert!(
                found.as_ref().is_some_and(|found| found.contains(wanted)),
                "{name}: {found:?}"
            );
        }
        assert_eq!(missing_module("found module 'a'", None, &[]), None);
    }
}
