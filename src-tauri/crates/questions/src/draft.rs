//! Makes a rule of a question.

use serde_json::Value;
use sightglass_model::DefinedBy;

use crate::rule::{Asked, QuestionKind, QuestionParams};

/// Characters of the message that a rule looks for.
const MAX_MESSAGE: usize = 200;
/// Characters of the message in a rule's name.
const MAX_NAME: usize = 40;

/// Returns the text of a rule for questions like this one, to be put at the end of a rules file.
/// A form is filled with `content`, a JSON object, and else with its defaults. `taken` says which
/// names other rules have. `None` when rules do not understand the question, and for a server that
/// is not saved, which no rule answers.
pub fn rule_for(
    asked: &Asked<'_>,
    content: Option<&str>,
    taken: &dyn Fn(&str) -> bool,
) -> Option<String> {
    if asked.defined_by == DefinedBy::Unsaved {
        return None;
    }
    let params = QuestionParams::read(asked.params)?;
    let kind = params.kind(asked.method)?;
    let message = params.message();
    // What stands in one line is found again, whatever comes after it.
    let line = message.lines().next().unwrap_or_default().trim();
    let beginning = |count| line.chars().take(count).collect::<String>();
    let mut lines = vec![
        "[[rule]]".to_owned(),
        format!(
            "name    = {}",
            quoted(&unused(asked.name, &beginning(MAX_NAME), taken))
        ),
        format!("server  = {}", quoted(asked.name)),
    ];
    if asked.defined_by == DefinedBy::Project {
        lines.push(format!("folder  = {}", quoted(asked.folder)));
    }
    lines.push(format!(
        "kind    = {}",
        match kind {
            QuestionKind::Form => "\"form\"",
            QuestionKind::Url => "\"url\"",
            QuestionKind::Sampling => "\"sampling\"",
        }
    ));
    let shown = beginning(MAX_MESSAGE);
    if !shown.is_empty() {
        lines.push(format!("message = {}", quoted(&shown)));
    }
    match kind {
        QuestionKind::Form => {
            lines.push("then    = \"accept\"".to_owned());
            lines.push(format!("values  = {{ {} }}", values(content).join(", ")));
        }
        QuestionKind::Url => match params.host() {
            Some(host) => {
                lines.push(format!("host    = {}", quoted(&host)));
                // Consent is the user's to give: one word to change.
                lines.push("then    = \"ask\"".to_owned());
            }
            None => lines.push("then    = \"decline\"".to_owned()),
        },
        QuestionKind::Sampling => {
            lines.push("then    = \"accept\"".to_owned());
            lines.push("text    = \"\"".to_owned());
        }
    }
    lines.push(String::new());
    Some(lines.join("\n"))
}

fn unused(server: &str, message: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let name = match message {
        "" => server.to_owned(),
        message => format!("{server}: {message}"),
    };
    let name: String = name.chars().take(MAX_NAME * 2).collect();
    if !taken(&name) {
        return name;
    }
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    numbered
        .into_iter()
        .find(|name| !taken(name))
        .unwrap_or(name)
}

fn values(content: Option<&str>) -> Vec<String> {
    let content: Option<Value> = content.and_then(|content| serde_json::from_str(content).ok());
    let members = content.as_ref().and_then(Value::as_object);
    let mut values: Vec<String> = members
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some(format!("{} = {}", quoted(name), toml_of(value)?)))
        .collect();
    if values.is_empty() {
        values.push("\"*\" = \"{{field.default}}\"".to_owned());
    }
    values
}

/// A value of a form; `None` where a rule cannot hold it.
fn toml_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.contains("{{") => None,
        Value::String(text) => Some(quoted(text)),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) if number.is_i64() => Some(number.to_string()),
        Value::Number(number) => Some(toml::Value::Float(number.as_f64()?).to_string()),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(toml_of).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// A basic string (TOML 1.0, String): JSON's escapes are among its own.
fn quoted(text: &str) -> String {
    // JSON leaves DEL as it is, which TOML does not allow.
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use sightglass_model::Era;

    use super::*;
    use crate::{RuleDecision, RuleFile};

    fn asked<'a>(method: &'a str, params: &'a str) -> Asked<'a> {
        Asked {
            server: "built-in:demo",
            name: "de\"mo",
            defined_by: DefinedBy::Project,
            folder: "/srv/\"web",
            era: Era::Legacy,
            method,
            params,
        }
    }

    #[test]
    fn a_rule_made_of_a_question_is_about_it_and_keeps_what_was_written() {
        let params = r#"{"message":"Who \"are\" you?\u007f\nNow.","requestedSchema":{"type":"object","properties":{"n":{"type":"string"},"d":{"type":"array"}}}}"#;
        let asked = asked("elicitation/create", params);
        let content = r#"{"n":"Ada\n","d":["a"],"x":1.5,"t":"{{server}}"}"#;
        let text = rule_for(&asked, Some(content), &|_| false).expect("a rule");
        let rules =
            RuleFile::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
        let decision = rules.decide(&asked, &|_, _| Ok(()));
        let RuleDecision::Answer { reply, .. } = decision else {
            panic!("{decision:?}");
        };
        let expected = r#"{"action":"accept","content":{"d":["a"],"n":"Ada\n"}}"#;
        assert_eq!(reply, crate::Reply::Result(expected.to_owned()));
    }

    #[test]
    fn a_server_cannot_write_a_rule_of_its_own_into_the_file() {
        let params = r#"{"mode":"url","message":"x\"\nthen = \"accept\"\n[[rule]]\nname='''","url":"https://evil.example/"}"#;
        let asked = asked("elicitation/create", params);
        let text = rule_for(&asked, None, &|name| name.ends_with('"')).expect("a rule");
        let rules =
            RuleFile::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
        assert_eq!(rules.rules.len(), 1);
        assert!(matches!(
            rules.decide(&asked, &|_, _| Ok(())),
            RuleDecision::Ask { reason: None, .. }
        ));
    }
}
