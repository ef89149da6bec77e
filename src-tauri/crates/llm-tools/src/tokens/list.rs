//! The figures of a tool list, tool by tool.
//!
//! Three texts are counted, each as compact JSON: the list as the server sends it; what a client
//! sends to a model interface, an array of `name`, `description` and `input_schema`; and the names
//! alone, one on each line, which is what tool search leaves. The figures of the tools add up to that
//! of the list, since a text counts the same part by part.

use std::{num::NonZero, thread};

use serde::{Deserialize, Serialize};
use sightglass_json_text::{Members, quoted};
use specta::Type;

use super::{TokenError, parts::PartCounter};
use crate::number::count;

/// Number of tools that are counted.
const MAX_TOOLS: usize = 100_000;

/// Number of tools from which another thread is worth its start.
const MIN_TOOLS_FOR_THREAD: usize = 64;

/// Most threads that count.
const MAX_THREADS: usize = 8;

/// A tool whose cost is computed.
#[derive(Debug, Clone, Copy)]
pub struct ListTool<'a> {
    /// Tool as the server sent it, as compact JSON.
    pub tool: &'a str,
    /// Name under which the client sends it; `None` for that of the server.
    pub qualified_name: Option<&'a str>,
}

/// Size of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    pub tokens: u32,
    pub bytes: u32,
}

/// Three figures of a list or of a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ListFigures {
    /// As the server sends it.
    pub whole: Cost,
    /// Name, description and input schema, as a client sends them to a model.
    pub sent: Cost,
    /// Names alone, as tool search leaves them.
    pub names: Cost,
}

/// Figures of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolCost {
    /// Place in the list, from 0.
    pub index: u32,
    pub name: String,
    pub figures: ListFigures,
    /// Part of `sent` that is the name, with the marks around it.
    pub name_part: Cost,
    /// Part of `sent` that is the description.
    pub description: Cost,
    /// Part of `sent` that is the input schema.
    pub schema: Cost,
}

/// Figures of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ListCost {
    pub total: ListFigures,
    /// Tools, the heaviest as sent first.
    pub tools: Vec<ToolCost>,
}

/// Computes the figures of a tool list in o200k.
pub fn list_cost(tools: &[ListTool<'_>]) -> Result<ListCost, TokenError> {
    let tools = tools.get(..MAX_TOOLS).unwrap_or(tools);
    // Loads the vocabulary once, before the threads ask for it.
    let opening = PartCounter::default().cost("[{\"")?;
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(MAX_THREADS)
        .min(tools.len() / MIN_TOOLS_FOR_THREAD + 1);
    let share = tools.len().div_ceil(threads).max(1);
    let counted: Result<Vec<Vec<ToolCost>>, TokenError> = thread::scope(|scope| {
        let parts: Vec<_> = tools
            .chunks(share)
            .enumerate()
            .map(|(part, chunk)| {
                let first = part * share;
                scope.spawn(move || {
                    let mut counter = PartCounter::default();
                    chunk
                        .iter()
                        .enumerate()
                        .map(|(at, tool)| counter.tool(tool, first + at, tools.len()))
                        .collect::<Result<Vec<_>, _>>()
                })
            })
            .collect();
        parts
            .into_iter()
            .map(|part| part.join().unwrap_or(Err(TokenError::NoVocabulary)))
            .collect()
    });
    let mut costs: Vec<ToolCost> = counted?.into_iter().flatten().collect();
    let mut total = ListFigures::default();
    for cost in &costs {
        total.whole.add(cost.figures.whole);
        total.sent.add(cost.figures.sent);
        total.names.add(cost.figures.names);
    }
    if costs.is_empty() {
        total.whole = PartCounter::default().cost("[]")?;
        total.sent = total.whole;
    } else {
        total.whole.add(opening);
        total.sent.add(opening);
    }
    costs.sort_by_key(|cost| (std::cmp::Reverse(cost.figures.sent.tokens), cost.index));
    Ok(ListCost {
        total,
        tools: costs,
    })
}

impl Cost {
    fn add(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    /// Returns the size of both texts together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.add(other);
        self
    }
}

impl PartCounter {
    fn cost(&mut self, text: &str) -> Result<Cost, TokenError> {
        Ok(Cost {
            tokens: self.tokens(text)?,
            bytes: count(text.len()),
        })
    }

    fn tool(
        &mut self,
        tool: &ListTool<'_>,
        index: usize,
        length: usize,
    ) -> Result<ToolCost, TokenError> {
        let is_last = index + 1 == length;
        // The marks up to the first letter of the next tool, or the end of the list.
        let end = if is_last { "}]" } else { "},{\"" };
        let members = Members::parse(tool.tool).ok();
        let member = |name: &str| members.as_ref()?.text(name);
        let own_name = || members.as_ref()?.string("name");
        let name = match tool.qualified_name {
            Some(name) => name.to_owned(),
            None => own_name().unwrap_or_default(),
        };
        let name_part = self.cost(&format!("name\":{},\"", quoted(&name)))?;
        let description = match member("description").filter(|text| text.starts_with('"')) {
            Some(text) => self.cost(&format!("description\":{text},\""))?,
            None => Cost::default(),
        };
        let schema = member("inputSchema").unwrap_or("null");
        let schema = self.cost(&format!("input_schema\":{schema}{end}"))?;
        let line = match is_last {
            true => self.cost(&name)?,
            false => self.cost(&format!("{name}\n"))?,
        };
        // From its first letter to that of the next tool.
        let inner = tool.tool.strip_prefix("{\"");
        let inner = inner.and_then(|rest| rest.strip_suffix('}'));
        let whole = self.cost(&format!("{}{end}", inner.unwrap_or(tool.tool)))?;
        Ok(ToolCost {
            index: count(index),
            name,
            figures: ListFigures {
                whole,
                sent: name_part.and(description).and(schema),
                names: line,
            },
            name_part,
            description,
            schema,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ListCost, ListTool, list_cost};
    use crate::tokens::tokens_of;

    fn cost(tools: &[Value]) -> ListCost {
        let texts: Vec<String> = tools.iter().map(Value::to_string).collect();
        let tools: Vec<ListTool<'_>> = texts
            .iter()
            .map(|tool| ListTool {
                tool,
                qualified_name: None,
            })
            .collect();
        list_cost(&tools).expect("short")
    }

    fn tools() -> Vec<Value> {
        vec![
            json!({
                "name": "echo",
                "title": "Echo",
                "description": "Echoes back the \"input\", as it is.",
                "inputSchema": {"type": "object", "properties": {"message": {"type": "string"}}},
            }),
            json!({"name": "a.b", "inputSchema": {"type": "object"}}),
            json!({
                "title": "Großes\nWort 😀",
                "name": "größe",
                "description": "5",
                "inputSchema": {"enum": [1, 2, {"$ref": "#/$defs/x"}]},
                "annotations": {"readOnlyHint": true},
            }),
        ]
    }

    /// The list as a client sends it, as one text.
    fn sent(tools: &[Value]) -> String {
        let sent: Vec<Value> = tools
            .iter()
            .map(|tool| {
                let mut sent = json!({"name": tool["name"]});
                if let Some(description) = tool.get("description") {
                    sent["description"] = description.clone();
                }
                sent["input_schema"] = tool["inputSchema"].clone();
                sent
            })
            .collect();
        Value::Array(sent).to_string()
    }

    #[test]
    fn the_figures_of_the_tools_add_up_to_that_of_the_list() {
        let tools = tools();
        for length in 0..=tools.len() {
            let tools = tools.get(..length).expect("some");
            let total = cost(tools).total;
            let whole = Value::Array(tools.to_vec()).to_string();
            let names: Vec<&str> = tools
                .iter()
                .filter_map(|tool| tool["name"].as_str())
                .collect();
            for (figure, text) in [
                (total.whole, whole),
                (total.sent, sent(tools)),
                (total.names, names.join("\n")),
            ] {
                assert_eq!(Ok(figure.tokens), tokens_of(&text), "{text}");
                assert_eq!(figure.bytes as usize, text.len(), "{text}");
            }
        }
    }

    #[test]
    fn made_up_tools_add_up_too() {
        let mut random = fastrand::Rng::with_seed(17);
        let mut word = || -> String {
            let alphabet: Vec<char> = "ab Z9_-.,\"'{}[]:\n\t é漢😀\\/s't".chars().collect();
            (0..random.usize(0..12))
                .map(|_| alphabet[random.usize(0..alphabet.len())])
                .collect()
        };
        let tools: Vec<Value> = (0..200)
            .map(|_| {
                json!({
                    "name": word(),
                    "description": word(),
                    "inputSchema": {"type": "object", "properties": {word(): {"const": word()}}},
                })
            })
            .collect();
        let total = cost(&tools).total;
        assert_eq!(Ok(total.sent.tokens), tokens_of(&sent(&tools)));
        let whole = Value::Array(tools).to_string();
        assert_eq!(Ok(total.whole.tokens), tokens_of(&whole));
    }

    #[test]
    fn the_heaviest_tool_is_the_first_and_its_parts_add_up() {
        let cost = cost(&tools());
        let first = cost.tools.first().expect("three");
        assert_eq!(first.name, "echo");
        for tool in &cost.tools {
            assert_eq!(
                tool.figures.sent,
                tool.name_part.and(tool.description).and(tool.schema)
            );
        }
        let weights: Vec<u32> = cost
            .tools
            .iter()
            .map(|tool| tool.figures.sent.tokens)
            .collect();
        assert!(weights.is_sorted_by(|left, right| left >= right));
    }

    #[test]
    fn a_tool_counts_with_the_name_that_the_client_sends() {
        let cost = list_cost(&[ListTool {
            tool: r#"{"name":"echo","inputSchema":{}}"#,
            qualified_name: Some("mcp__server__echo"),
        }])
        .expect("short");
        assert_eq!(Ok(cost.total.names.tokens), tokens_of("mcp__server__echo"));
    }
}
