//! Generates the catalogue of load mode: deterministic, and as varied as a real one.

use std::fmt::Write;

use bytes::Bytes;
use serde_json::{Value, value::RawValue};

use crate::context::{Outcome, Reply};

/// The hand-written tools that load mode keeps.
pub const FIXED_TOOLS: [&str; 8] = [
    "echo",
    "echo_arguments",
    "add",
    "long_running",
    "sleep",
    "log_burst",
    "progress_burst",
    "big_result",
];

const VERBS: [&str; 16] = [
    "list", "get", "create", "update", "delete", "search", "export", "import", "sync", "archive",
    "restore", "assign", "approve", "cancel", "schedule", "validate",
];
const NOUNS: [&str; 20] = [
    "invoice",
    "customer",
    "ticket",
    "repository",
    "branch",
    "deployment",
    "incident",
    "document",
    "calendar",
    "message",
    "order",
    "product",
    "shipment",
    "contract",
    "employee",
    "metric",
    "dashboard",
    "pipeline",
    "secret",
    "webhook",
];
const WORDS: [&str; 24] = [
    "identifier",
    "status",
    "owner",
    "label",
    "priority",
    "region",
    "amount",
    "currency",
    "due",
    "page",
    "limit",
    "cursor",
    "filter",
    "format",
    "locale",
    "version",
    "parent",
    "reason",
    "assignee",
    "comment",
    "window",
    "target",
    "channel",
    "threshold",
];
const SENTENCES: [&str; 8] = [
    "Results are sorted by the time of the last change, newest first.",
    "Requires the permission to read the project it belongs to.",
    "Fails when the object is locked by another operation.",
    "Changes become visible to other users within a few seconds.",
    "Large answers are cut; use the cursor to read on.",
    "Nothing is sent to anybody unless notifications are switched on.",
    "Times are in UTC and formatted according to RFC 3339.",
    "An unknown label is created on the fly and given a neutral colour.",
];

/// A small linear congruential generator (Knuth's MMIX constants): the same
/// catalogue on every machine.
struct Dice(u64);

impl Dice {
    fn new(seed: usize) -> Dice {
        Dice((seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d)
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.roll(words.len())]
    }
}

/// The tools from number `from` up to `count`, as JSON texts.
pub fn tools(count: usize, from: usize) -> impl Iterator<Item = String> {
    (from..count).map(tool)
}

fn tool_name(index: usize) -> String {
    let verb = VERBS[index % VERBS.len()];
    let noun = NOUNS[(index / VERBS.len()) % NOUNS.len()];
    format!("{verb}_{noun}_{index:05}")
}

/// Returns true for the name of a generated tool.
pub fn is_generated_tool(name: &str) -> bool {
    name.rsplit_once('_')
        .and_then(|(_, digits)| digits.parse().ok())
        .is_some_and(|index: usize| tool_name(index) == name)
}

/// Writes into a string, which cannot fail.
macro_rules! put {
    ($text:expr, $($format:tt)*) => {
        { let _never = write!($text, $($format)*); }
    };
}

/// One tool of about 1.4 KB.
fn tool(index: usize) -> String {
    let mut dice = Dice::new(index);
    let name = tool_name(index);
    let noun = NOUNS[(index / VERBS.len()) % NOUNS.len()];
    let verb = VERBS[index % VERBS.len()];
    let mut text = String::with_capacity(1600);
    put!(
        text,
        r#"{{"name":"{name}","title":"{verb} {noun} {index}","description":"{verb} one {noun} or several of them. {} {}","inputSchema":{{"type":"object","properties":{{"#,
        dice.pick(&SENTENCES),
        dice.pick(&SENTENCES)
    );
    put!(
        text,
        r#""{noun}_id":{{"type":"string","format":"uuid","description":"The {noun} to {verb}"}}"#
    );
    for number in 0..6 {
        let word = dice.pick(&WORDS);
        put!(text, r#","{word}_{number}":"#);
        property(&mut text, &mut dice, word);
    }
    put!(
        text,
        r#","options":{{"type":"object","properties":{{"dry_run":{{"type":"boolean","default":false,"description":"Only say what would happen"}},"retries":{{"type":"integer","minimum":0,"maximum":{}}}}},"additionalProperties":false}}}},"required":["{noun}_id"]}},"#,
        dice.roll(9) + 1
    );
    put!(
        text,
        r#""annotations":{{"readOnlyHint":{},"destructiveHint":{},"idempotentHint":{},"openWorldHint":false}}}}"#,
        matches!(verb, "list" | "get" | "search"),
        verb == "delete",
        verb != "create"
    );
    text
}

fn property(text: &mut String, dice: &mut Dice, word: &str) {
    let (first, second) = (dice.pick(&WORDS), dice.pick(&NOUNS));
    match dice.roll(5) {
        0 => put!(
            text,
            r#"{{"type":"string","minLength":1,"maxLength":{},"description":"The {word} of the {second}, as shown in the {first} column"}}"#,
            20 + dice.roll(200)
        ),
        1 => put!(
            text,
            r#"{{"type":"integer","minimum":0,"maximum":{},"default":{},"description":"How much {word} the {second} may have at most"}}"#,
            100 + dice.roll(900),
            dice.roll(100)
        ),
        2 => put!(
            text,
            r#"{{"type":"string","enum":["{first}","{second}","none"],"default":"none","description":"Which {word} applies to the {second} by default"}}"#
        ),
        3 => put!(
            text,
            r#"{{"type":"array","items":{{"type":"string","pattern":"^[a-z]{{1,{}}}$"}},"maxItems":{},"description":"Every {word} of the {second}"}}"#,
            1 + dice.roll(30),
            1 + dice.roll(50)
        ),
        _ => put!(
            text,
            r#"{{"anyOf":[{{"type":"string","format":"date-time"}},{{"type":"null"}}],"description":"When the {word} of the {second} ends, or null"}}"#
        ),
    }
}

/// A generated tool answers at once with what it was given.
pub fn call(name: &str, arguments: Option<&RawValue>) -> Outcome {
    let arguments = arguments.map_or("{}", RawValue::get);
    let text = Value::String(format!("{name} ran."));
    Reply::Fields(vec![Bytes::from(format!(
        r#""content":[{{"type":"text","text":{text}}}],"structuredContent":{{"tool":"{name}","arguments":{arguments}}}"#
    ))])
    .into()
}

/// Resources numbered from 0, as JSON texts.
pub fn resources(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|index| {
        let noun = NOUNS[index % NOUNS.len()];
        format!(
            r#"{{"uri":"load://{noun}/{index}","name":"{noun}-{index}","title":"{noun} {index}","description":"{}","mimeType":"text/plain","size":{}}}"#,
            SENTENCES[index % SENTENCES.len()],
            100 + index % 900
        )
    })
}

/// Returns true when a URI is one of `count` generated resources.
pub fn is_resource(uri: &str, count: usize) -> bool {
    uri.rsplit_once('/')
        .and_then(|(_, digits)| digits.parse().ok())
        .is_some_and(|index: usize| {
            index < count && uri == format!("load://{}/{index}", NOUNS[index % NOUNS.len()])
        })
}

/// Prompts numbered from 0, as JSON texts.
pub fn prompts(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|index| {
        format!(
            r#"{{"name":"prompt_{index}","title":"Prompt {index}","description":"{}","arguments":[{{"name":"{}","description":"What it is about","required":false}}]}}"#,
            SENTENCES[index % SENTENCES.len()],
            WORDS[index % WORDS.len()]
        )
    })
}

/// Returns true when a name is one of `count` generated prompts.
pub fn is_prompt(name: &str, count: usize) -> bool {
    name.strip_prefix("prompt_")
        .and_then(|digits| digits.parse().ok())
        .is_some_and(|index: usize| index < count && name == format!("prompt_{index}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ten_thousand_tools_are_distinct_valid_and_about_15_megabytes() {
        let items: Vec<String> = tools(10_000, 0).collect();
        let mut names = HashSet::new();
        let mut bodies = HashSet::new();
        for item in &items {
            let value: Value = serde_json::from_str(item).unwrap();
            assert!(names.insert(value["name"].as_str().unwrap().to_owned()));
            bodies.insert(value["inputSchema"].to_string());
        }
        assert!(
            bodies.len() > 9_900,
            "only {} distinct schemas",
            bodies.len()
        );
        let size: usize = items.iter().map(String::len).sum();
        assert!((13_000_000..17_000_000).contains(&size), "{size}");
    }

    #[test]
    fn the_catalogue_is_the_same_every_time() {
        assert_eq!(tool(4711), tool(4711));
        assert_ne!(tool(1), tool(2));
    }

    #[test]
    fn only_generated_names_are_recognised() {
        assert!(is_generated_tool(&tool_name(123)));
        assert!(!is_generated_tool("list_invoice_99999"));
        assert!(is_resource("load://invoice/0", 1));
        assert!(!is_resource("load://invoice/20", 20));
        assert!(is_prompt("prompt_7", 8) && !is_prompt("prompt_07", 8));
    }

    #[test]
    fn every_generated_list_is_valid_json() {
        for item in resources(50).chain(prompts(50)) {
            serde_json::from_str::<Value>(&item).unwrap();
        }
    }
}
