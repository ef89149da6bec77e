//! Prints the time that the comparison of two surfaces of 10,000 tools takes.

use std::time::Instant;

use serde_json::{Value, json};
use sightglass_surface::{Surface, diff};

/// Tools on each side.
const TOOLS: usize = 10_000;

fn main() {
    let [old, new] = ["limit", "query"].map(|required| Surface {
        tools: Some(
            (0..TOOLS)
                .map(|index| tool(index, required).into())
                .collect(),
        ),
        ..Surface::default()
    });
    let begin = Instant::now();
    let changes = diff(&old, &new);
    let duration = begin.elapsed().as_secs_f64() * 1_000.0;
    println!(
        "{TOOLS} tools, all changed: {} changes in {duration:.0} ms",
        changes.len()
    );
}

fn tool(index: usize, required: &str) -> Value {
    json!({
        "name": format!("tool_{index}"),
        "description": "Searches the index and returns at most `limit` hits.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words to look for."},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100},
                "filter": {"type": "object", "properties": {
                    "kind": {"enum": ["a", "b", "c"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                }},
            },
            "required": [required],
        },
    })
}
