//! The tools that a query of the model finds, as the tool `ToolSearch` ranks them (observed in Claude
//! Code 2.1.197).

use serde::{Deserialize, Serialize};
use specta::Type;

/// Number of tools that a query finds where it does not say.
pub const DEFAULT_MAX_RESULTS: usize = 5;

/// Longest query, and most words of one, that are looked at.
const MAX_QUERY: usize = 1_000;
const MAX_WORDS: usize = 50;

/// A tool that is loaded on demand.
#[derive(Debug, Clone, Copy)]
pub struct SearchedTool<'a> {
    /// Name under which the model calls it, `mcp__server__tool`.
    pub name: &'a str,
    pub server: &'a str,
    pub tool: &'a str,
    pub description: &'a str,
}

/// A tool that a query finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundTool {
    pub name: String,
    /// Points for words that were found; `None` where the query names the tool.
    pub score: Option<u32>,
}

/// Returns the tools that a query finds, the best first.
///
/// `select:NAME,NAME` and a name alone load these tools; `mcp__server` those whose names begin so.
/// Else each word counts: most where it is a word of the names of the server and the tool, less where
/// it is a part of one, and 2 where it stands in the description. Tools without a word that has a `+`
/// before it are left out.
pub fn found_tools(query: &str, tools: &[SearchedTool<'_>], max_results: usize) -> Vec<FoundTool> {
    let query: String = query.trim().chars().take(MAX_QUERY).collect();
    let lower = query.to_lowercase();
    if let Some(names) = lower.strip_prefix("select:") {
        return selected(names, tools);
    }
    let named = |tool: &&SearchedTool<'_>| tool.name.to_lowercase() == lower;
    if let Some(tool) = tools.iter().find(named) {
        return vec![by_name(tool)];
    }
    if lower.starts_with("mcp__") && lower.len() > "mcp__".len() {
        let found: Vec<FoundTool> = tools
            .iter()
            .filter(|tool| tool.name.to_lowercase().starts_with(&lower))
            .take(max_results)
            .map(by_name)
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    ranked(&lower, tools, max_results)
}

fn by_name(tool: &SearchedTool<'_>) -> FoundTool {
    FoundTool {
        name: tool.name.to_owned(),
        score: None,
    }
}

fn selected(names: &str, tools: &[SearchedTool<'_>]) -> Vec<FoundTool> {
    let mut found: Vec<FoundTool> = Vec::new();
    let names = names.split(',').map(str::trim);
    for name in names.filter(|name| !name.is_empty()).take(MAX_WORDS) {
        let tool = tools.iter().find(|tool| tool.name.to_lowercase() == name);
        if let Some(tool) = tool
            && !found.iter().any(|one| one.name == tool.name)
        {
            found.push(by_name(tool));
        }
    }
    found
}

fn ranked(query: &str, tools: &[SearchedTool<'_>], max_results: usize) -> Vec<FoundTool> {
    let mut required = Vec::new();
    let mut optional = Vec::new();
    for word in query.split_whitespace().take(MAX_WORDS) {
        match word.strip_prefix('+').filter(|rest| !rest.is_empty()) {
            Some(rest) => required.push(rest),
            None => optional.push(word),
        }
    }
    let mut found: Vec<FoundTool> = tools
        .iter()
        .filter_map(|tool| {
            let words = ToolWords::of(tool);
            if !required.iter().all(|word| words.has(word)) {
                return None;
            }
            let score = required
                .iter()
                .chain(&optional)
                .fold(0, |score, word| words.scored(score, word));
            (score > 0).then(|| FoundTool {
                name: tool.name.to_owned(),
                score: Some(score),
            })
        })
        .collect();
    // A stable sort: of the same score the earlier in the list is the first.
    found.sort_by_key(|tool| std::cmp::Reverse(tool.score));
    found.truncate(max_results);
    found
}

/// Words of a tool, in lower case.
struct ToolWords {
    /// Words of the names of the server and the tool.
    words: Vec<String>,
    /// The names of the server and the tool.
    names: [String; 2],
    text: String,
    description: String,
}

impl ToolWords {
    fn of(tool: &SearchedTool<'_>) -> Self {
        let names = [tool.server.to_lowercase(), tool.tool.to_lowercase()];
        let words: Vec<String> = names
            .iter()
            .flat_map(|name| name.split(|c: char| c.is_whitespace() || matches!(c, '_' | '.')))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        Self {
            text: words.join(" "),
            words,
            names,
            description: tool.description.to_lowercase(),
        }
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|one| one.contains(word))
            || self.names.iter().any(|name| name.contains(word))
            || has_word(&self.description, word)
    }

    /// Adds the points of one word to those so far.
    fn scored(&self, score: u32, word: &str) -> u32 {
        let points = |list: &[String], whole, part| {
            if list.iter().any(|one| one == word) {
                whole
            } else if list.iter().any(|one| one.contains(word)) {
                part
            } else {
                0
            }
        };
        let mut score = score + points(&self.words, 12, 6) + points(&self.names, 12, 4);
        if score == 0 && self.text.contains(word) {
            score += 3;
        }
        if has_word(&self.description, word) {
            score += 2;
        }
        score
    }
}

/// Tells whether a text has a word between borders of words, `\bword\b` in JavaScript, where letters,
/// digits and `_` of ASCII make words.
fn has_word(text: &str, word: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let (first, last) = (word.chars().next(), word.chars().next_back());
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|start| start.chars().next_back());
        let after = text
            .get(at + word.len()..)
            .and_then(|rest| rest.chars().next());
        is_word(before) != is_word(first) && is_word(last) != is_word(after)
    })
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_MAX_RESULTS, SearchedTool, found_tools, has_word};

    const TOOLS: [SearchedTool<'_>; 4] = [
        SearchedTool {
            name: "mcp__github__list_issues",
            server: "github",
            tool: "list_issues",
            description: "Lists the issues of a repository.",
        },
        SearchedTool {
            name: "mcp__github__create_issue",
            server: "github",
            tool: "create_issue",
            description: "Creates an entry.",
        },
        SearchedTool {
            name: "mcp__files__list_directory",
            server: "files",
            tool: "list_directory",
            description: "Lists the entries of a directory.",
        },
        SearchedTool {
            name: "mcp__slack__send",
            server: "slack",
            tool: "send",
            description: "Sends a message about issues.",
        },
    ];

    fn found(query: &str) -> Vec<(String, Option<u32>)> {
        found_tools(query, &TOOLS, DEFAULT_MAX_RESULTS)
            .into_iter()
            .map(|tool| (tool.name, tool.score))
            .collect()
    }

    fn pair(name: &str, score: Option<u32>) -> (String, Option<u32>) {
        (format!("mcp__{name}"), score)
    }

    #[test]
    fn a_tool_is_found_by_its_name() {
        let one = vec![pair("slack__send", None)];
        assert_eq!(found("MCP__slack__SEND"), one);
        assert_eq!(found("select:mcp__slack__send"), one);
        assert_eq!(
            found("select:mcp__slack__send, mcp__slack__send,nothing"),
            one
        );
        assert_eq!(found("select:nothing"), []);
        assert_eq!(
            found("mcp__github"),
            [
                pair("github__list_issues", None),
                pair("github__create_issue", None)
            ]
        );
    }

    #[test]
    fn words_count_by_where_they_stand() {
        assert_eq!(
            found("issues"),
            [
                // A word of the name 12, a part of the tool's name 4, the description 2.
                pair("github__list_issues", Some(18)),
                pair("slack__send", Some(2)),
            ]
        );
        // The whole name of the server: as a word 12 and as a name 12.
        assert_eq!(
            found("github"),
            [
                pair("github__list_issues", Some(24)),
                pair("github__create_issue", Some(24)),
            ]
        );
        // A part of a word 6, of a name 4.
        assert_eq!(found("direc"), [pair("files__list_directory", Some(10))]);
        assert_eq!(found("nothing"), []);
        assert_eq!(found(""), []);
    }

    #[test]
    fn a_word_with_a_plus_must_be_there() {
        assert_eq!(found("+slack issues"), [pair("slack__send", Some(26))]);
        assert_eq!(found("+nothing issues"), []);
    }

    #[test]
    fn no_more_tools_are_found_than_asked_for() {
        assert_eq!(found_tools("list", &TOOLS, 1).len(), 1);
    }

    #[test]
    fn a_word_has_borders() {
        for (text, word, is_there) in [
            ("a message", "message", true),
            ("messages", "message", false),
            ("a-message.", "message", true),
            ("a_message", "message", false),
            ("c++ code", "c++", false),
            ("", "x", false),
        ] {
            assert_eq!(has_word(text, word), is_there, "{text} {word}");
        }
    }
}
