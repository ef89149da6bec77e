//! Finds arguments that a shell would have read in another way than a program, which gets them as
//! they are.

/// Words for a file or directory that is not there.
const MISSING_FILE: [&str; 7] = [
    "enoent",
    "no such file or directory",
    "no such directory",
    "filenotfounderror",
    "can't open file",
    "cannot find the file specified",
    "cannot find the path specified",
];

/// Tells if a line, in small letters, says that a file or directory is not there.
pub(super) fn says_file_is_missing(lower: &str) -> bool {
    MISSING_FILE.iter().any(|words| lower.contains(words))
}

/// Returns what is wrong with the first argument for which the program did not find a file.
pub(super) fn misread(words: &[String], lines: &[String]) -> Option<String> {
    let arguments = words.get(1..)?;
    arguments.iter().find_map(|argument| {
        let value = value_of(argument);
        if is_quoted(value) && lines.iter().any(|line| is_missing(line, value)) {
            return Some(format!(
                "The argument {value} has quotation marks of its own. No shell takes them away here, \
                 so that they are a part of the name. Write it without the quotation marks."
            ));
        }
        if is_of_home(value) && lines.iter().any(|line| misses_home(line)) {
            return Some(format!(
                "A file or directory that it needs does not exist. The argument {value} reaches the \
                 program as it is: no shell is there to expand the `~`. Give the full path instead."
            ));
        }
        None
    })
}

/// Returns the value of an option, as in `--directory=~/notes`, or else the whole argument.
fn value_of(argument: &str) -> &str {
    match argument.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => argument,
    }
}

fn is_quoted(value: &str) -> bool {
    let mut marks = ['"', '\''].into_iter();
    value.len() > 2 && marks.any(|mark| value.starts_with(mark) && value.ends_with(mark))
}

fn is_of_home(value: &str) -> bool {
    value == "~" || value.starts_with("~/") || value.starts_with("~\\")
}

/// Tells if a line says that what this argument names is not there.
fn is_missing(line: &str, value: &str) -> bool {
    let is_named = line.contains(value) || line.contains(&value.replace('\\', "\\\\"));
    is_named && says_path_is_missing(&line.to_lowercase())
}

/// Tells if a line says that a path with `~` is not there, or names no path at all.
fn misses_home(line: &str) -> bool {
    let lower = line.to_lowercase();
    match line.contains('~') {
        true => says_path_is_missing(&lower),
        false => says_file_is_missing(&lower) && !line.contains(['/', '\\']),
    }
}

/// Tells the same of a line that names the path, where weaker words will do.
fn says_path_is_missing(lower: &str) -> bool {
    says_file_is_missing(lower)
        || [
            "cannot find module",
            "does not exist",
            "not a directory",
            "not found",
        ]
        .iter()
        .any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str], line: &str) -> Option<String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        misread(&words, &[line.to_owned()])
    }

    #[test]
    fn quotation_marks_are_told_where_the_program_looks_for_a_file_with_them() {
        let words = ["node", "\"/srv/server.js\""];
        let hint = found(
            &words,
            "Error: Cannot find module '/srv/\"/srv/server.js\"'",
        );
        assert!(hint.is_some_and(|hint| hint.contains("without the quotation marks")));
        let option = ["server", "--root='/srv/notes'"];
        let hint = found(
            &option,
            "ENOENT: no such file or directory, scandir ''/srv/notes''",
        );
        assert!(hint.is_some_and(|hint| hint.contains("'/srv/notes'")));
        assert_eq!(found(&words, "Error: Cannot find module 'express'"), None);
        let plain = ["node", "/srv/server.js"];
        assert_eq!(found(&plain, "Cannot find module '/srv/server.js'"), None);
        assert_eq!(found(&words, "started \"/srv/server.js\""), None);
    }

    #[test]
    fn a_tilde_is_told_where_a_path_is_missing_that_can_be_its_own() {
        let words = ["uv", "--directory", "~/notes", "run", "notes"];
        for line in [
            "error: Failed to change to directory: No such file or directory (os error 2)",
            "Error: Cannot find module '/srv/~/notes/server.js'",
            "error: directory `~/notes` does not exist",
        ] {
            let hint = found(&words, line);
            assert!(
                hint.is_some_and(|hint| hint.contains("full path")),
                "{line}"
            );
        }
        for line in [
            "Error: ENOENT: no such file or directory, open '/home/ada/notes/x.json'",
            "KeyError: 'x'",
        ] {
            assert_eq!(found(&words, line), None, "{line}");
        }
        let line = "No such file or directory";
        assert_eq!(found(&["uv", "--directory", "notes~"], line), None);
    }
}
