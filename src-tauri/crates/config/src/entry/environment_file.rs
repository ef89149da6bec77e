//! Reads files of environment variables, `NAME=value` by line.
//!
//! The form is the one that VS Code and Cursor read
//! (<https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>): empty lines and
//! lines that begin with `#` mean nothing, an `export` before a name is passed over, and a value may
//! stand in quotes. `\n` is a line break within double quotes. References are not expanded.

use std::{collections::BTreeMap, path::Path};

use sightglass_secrets::Secret;

/// The largest file that is read, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// The variables of a file.
///
/// # Errors
/// The reason why it cannot be read, as the end of a sentence.
pub(crate) fn read(path: &Path) -> Result<BTreeMap<String, Secret<String>>, String> {
    let bytes = sightglass_files::read_at_most(path, MAX_FILE_SIZE)
        .map_err(|error| error.to_string().trim_end_matches('.').to_owned())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    Ok(parse(&text))
}

fn parse(text: &str) -> BTreeMap<String, Secret<String>> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    lines
        .filter_map(|line| {
            let line = line.trim();
            let line = line.strip_prefix("export ").unwrap_or(line);
            let (name, value) = line.split_once('=')?;
            let name = name.trim();
            let is_name = |part: char| part.is_ascii_alphanumeric() || "_.-".contains(part);
            if name.is_empty() || !name.chars().all(is_name) {
                return None;
            }
            Some((name.to_owned(), Secret::new(value_of(value.trim()))))
        })
        .collect()
}

fn value_of(text: &str) -> String {
    let within = |quote: char| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner.to_owned())
    };
    if let Some(value) = within('"') {
        return value.replace("\\n", "\n");
    }
    // NUL cannot be part of a variable's value.
    within('\'')
        .unwrap_or_else(|| text.to_owned())
        .replace('\0', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_quotes_and_comments_are_read_as_the_clients_do() {
        let text = "\u{feff}# comment\nA=1\n export B = two words \nC=\"x\\ny\"\nD='${A}'\n\n=no\nE F=no\nG=\n";
        let found: Vec<(String, String)> = parse(text)
            .into_iter()
            .map(|(name, value)| (name, value.expose().clone()))
            .collect();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            found,
            [
                pair("A", "1"),
                pair("B", "two words"),
                pair("C", "x\ny"),
                pair("D", "${A}"),
                pair("G", ""),
            ]
        );
    }
}
