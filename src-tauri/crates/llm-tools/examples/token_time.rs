//! Prints the time that the tokens of 10,000 tools take; run it with `--release`.

use std::time::Instant;

use serde_json::{Value, json};
use sightglass_llm_tools::tokens::{ListTool, list_cost, tokens_of};

fn main() {
    let start = Instant::now();
    let _ = tokens_of("vocabulary");
    println!("vocabulary: {} ms", start.elapsed().as_millis());
    let tools: Vec<Value> = (0..10_000).map(tool).collect();
    let list: Vec<ListTool<'_>> = tools
        .iter()
        .map(|tool| ListTool {
            tool,
            qualified_name: None,
        })
        .collect();
    for _ in 0..5 {
        let start = Instant::now();
        match list_cost(&list) {
            Ok(cost) => println!(
                "10,000 tools: {} ms, {} bytes, {} tokens whole, {} sent, {} names",
                start.elapsed().as_millis(),
                cost.total.whole.bytes,
                cost.total.whole.tokens,
                cost.total.sent.tokens,
                cost.total.names.tokens
            ),
            Err(error) => println!("{error}"),
        }
    }
}

/// A tool of the size that those of public servers have: some 600 bytes.
fn tool(number: usize) -> Value {
    json!({
        "name": format!("search_records_{number}"),
        "title": format!("Search records {number}"),
        "description": format!(
            "Searches the records of table {number} for entries that match a query, and returns \
             them page by page, the newest first. Use it before a record is changed."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words that an entry must contain."},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                "order": {"type": "string", "enum": ["newest", "oldest", "best"]},
                "cursor": {"type": "string", "description": format!("Cursor of page {number}.")},
            },
            "required": ["query"],
            "additionalProperties": false,
        },
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}
