//! Writes the tree of a YAML text as JSON.

use sightglass_json_text::quoted;

use super::reader::parse;
use crate::text::{
    json::{Node, NodeValue},
    source::Source,
};

/// Reads a YAML text and returns the same value as JSON text, with its numbers as they are written.
///
/// # Errors
/// The first mistake, with its line. An anchor, an alias and a tag are mistakes: nothing is put in
/// for one, so that a short text never stands for a huge value.
pub fn yaml_as_json(text: &str) -> Result<String, String> {
    let document = parse(text);
    if let Some(error) = document.errors.first() {
        let problem = error.to_problem(&Source::new(text));
        return Err(format!("line {}: {}", problem.line, problem.message));
    }
    let mut json = String::new();
    if let Some(root) = &document.root {
        write(root, &mut json);
    }
    Ok(json)
}

fn write(node: &Node, json: &mut String) {
    match &node.value {
        NodeValue::Null => json.push_str("null"),
        NodeValue::Bool(flag) => json.push_str(if *flag { "true" } else { "false" }),
        NodeValue::Number(digits) => json.push_str(digits),
        NodeValue::String(text) => json.push_str(&quoted(text)),
        NodeValue::Array(elements) => {
            json.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write(element, json);
            }
            json.push(']');
        }
        NodeValue::Object(object) => {
            json.push('{');
            for (index, member) in object.members.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                json.push_str(&quoted(&member.key));
                json.push(':');
                write(&member.value, json);
            }
            json.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prop_assert, proptest};

    use super::*;

    #[test]
    fn numbers_and_texts_are_as_they_are_written() {
        let text =
            "a: 12345678901234567890123\nb: [1.50, \"1.50\", ~, yes]\nc:\n  d: |\n    e\n    f\n";
        assert_eq!(
            yaml_as_json(text).as_deref(),
            Ok(r#"{"a":12345678901234567890123,"b":[1.50,"1.50",null,"yes"],"c":{"d":"e\nf\n"}}"#)
        );
    }

    proptest! {
        #[test]
        fn every_text_becomes_json_or_a_fault(text in "[-a-z0-9:&*!|>{}\\[\\]\"'#~. \n\t]{0,80}") {
            if let Ok(json) = yaml_as_json(&text) {
                let read = serde_json::from_str::<serde_json::Value>(&json);
                prop_assert!(read.is_ok(), "{json}");
            }
        }
    }

    #[test]
    fn a_short_text_never_stands_for_a_huge_value() {
        let mut bomb = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..40 {
            let before = level - 1;
            bomb.push_str(&format!("a{level}: &a{level} [*a{before}, *a{before}]\n"));
        }
        assert!(yaml_as_json(&bomb).is_err());
        let deep = format!("a: {}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert!(yaml_as_json(&deep).is_err());
        assert!(yaml_as_json("a: 1\na: 2\n").is_err());
    }
}
