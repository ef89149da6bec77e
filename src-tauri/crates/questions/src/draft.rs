//! Makes a rule of a question.

use serde::Deserialize;
use serde_json::{Map, Value};
use sightglass_model::DefinedBy;

use crate::{
    read::FIELD_TYPES,
    rule::{Asked, FormSchema, QuestionKind, QuestionParams},
};

/// Characters of the message that a rule looks for.
const MAX_MESSAGE: usize = 200;
/// Characters of the message in a rule's name.
const MAX_NAME: usize = 40;

/// The reason why there is no rule for a question.
pub const NO_RULE: &str = "No rule can be made of this question: it is settled, too large, of a \
                           kind that rules do not know, or of a server that is not saved.";

/// The reason why there is no rule that gives an answer.
const NO_ANSWER: &str = "No rule can be made of what is written: it is nothing, a secret, which is \
                         not kept as plain text, or a text with {{, which rules fill in.";

/// A rule that was made of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleDraft {
    /// To be put at the end of a rules file.
    pub text: String,
    /// The fields that were written and that it does not answer.
    pub left_out: Vec<String>,
}

/// A written reply to sampling.
#[derive(Deserialize)]
struct WrittenReply {
    text: String,
    model: Option<String>,
}

/// Makes a rule for questions like this one. It gives the answer that was `written`: the content of
/// a form, or the text of a reply with its model, each a JSON object. The members that are
/// `secret` do not come into the file. `taken` says which names other rules have.
///
/// # Errors
/// When rules do not understand the question, nothing was written that one could answer, and for a
/// server that is not saved, which no rule answers.
pub fn rule_for(
    asked: &Asked<'_>,
    written: Option<&str>,
    secret: &[String],
    taken: &dyn Fn(&str) -> bool,
) -> Result<RuleDraft, &'static str> {
    if asked.defined_by == DefinedBy::Unsaved {
        return Err(NO_RULE);
    }
    let params = QuestionParams::read(asked.params).ok_or(NO_RULE)?;
    let kind = params.kind(asked.method).ok_or(NO_RULE)?;
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
    let mut left_out = Vec::new();
    match kind {
        QuestionKind::Form => {
            // Another form that begins with the same words asks for something else.
            let fields = fields(&params.form());
            if !fields.is_empty() {
                lines.push(format!("schema  = {{ {} }}", fields.join(", ")));
            }
            let content: Option<Map<String, Value>> =
                written.and_then(|written| serde_json::from_str(written).ok());
            let values = values(&content.unwrap_or_default(), secret, &mut left_out);
            if values.is_empty() {
                return Err(NO_ANSWER);
            }
            lines.push("then    = \"accept\"".to_owned());
            lines.push(format!("values  = {{ {} }}", values.join(", ")));
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
            let reply: Option<WrittenReply> =
                written.and_then(|written| serde_json::from_str(written).ok());
            let WrittenReply { text, model } = reply.ok_or(NO_ANSWER)?;
            if text.trim().is_empty() || text.contains("{{") || !secret.is_empty() {
                return Err(NO_ANSWER);
            }
            lines.push("then    = \"accept\"".to_owned());
            lines.push(format!("text    = {}", quoted(&text)));
            if let Some(model) = model {
                lines.push(format!("model   = {}", quoted(&model)));
            }
        }
    }
    lines.push(String::new());
    let text = lines.join("\n");
    Ok(RuleDraft { text, left_out })
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

/// The fields that a form has, with their types.
fn fields(form: &FormSchema) -> Vec<String> {
    let fields = form.properties.iter().map(|(name, field)| {
        let kind = field.kind.as_ref().and_then(Value::as_str);
        let kind = kind.filter(|kind| FIELD_TYPES.contains(kind));
        format!("{} = {}", quoted(name), quoted(kind.unwrap_or("any")))
    });
    fields.collect()
}

/// The values that a rule can hold. The names of the others are added to `left_out`.
fn values(
    content: &Map<String, Value>,
    secret: &[String],
    left_out: &mut Vec<String>,
) -> Vec<String> {
    let mut values = Vec::new();
    for (name, value) in content {
        match toml_of(value).filter(|_| !secret.contains(name)) {
            Some(value) => values.push(format!("{} = {value}", quoted(name))),
            None => left_out.push(name.clone()),
        }
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
        let RuleDraft { text, left_out } =
            rule_for(&asked, Some(content), &[], &|_| false).expect("a rule");
        assert_eq!(left_out, ["t"]);
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
        let text = rule_for(&asked, None, &[], &|name| name.ends_with('"'))
            .expect("a rule")
            .text;
        let rules =
            RuleFile::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
        assert_eq!(rules.rules.len(), 1);
        assert!(matches!(
            rules.decide(&asked, &|_, _| Ok(())),
            RuleDecision::Ask { reason: None, .. }
        ));
    }

    /// Answers given without asking are what was typed for the same question.
    #[test]
    fn a_rule_consents_to_nothing_that_was_not_written() {
        let params = r#"{"message":"Continue?","requestedSchema":{"type":"object","properties":{"why":{"type":"string","default":"yes"}}}}"#;
        let form = asked("elicitation/create", params);
        for written in [None, Some("{}"), Some(r#"{"why":"{{message}}"}"#)] {
            let made = rule_for(&form, written, &[], &|_| false);
            assert_eq!(made, Err(NO_ANSWER), "{written:?}");
        }
        let written = Some(r#"{"why":"tests"}"#);
        let made = rule_for(&form, written, &[], &|_| false).expect("a rule");
        let rules = RuleFile::parse(&made.text).expect("rules");
        for other in [
            r#"{"message":"Continue?\nWith all?","requestedSchema":{"type":"object","properties":{"all":{"type":"boolean","default":true}}}}"#,
            r#"{"message":"Continue?","requestedSchema":{"type":"object","properties":{"why":{"type":"integer","default":1}}}}"#,
        ] {
            let other = asked("elicitation/create", other);
            let decision = rules.decide(&other, &|_, _| Ok(()));
            assert_eq!(decision, RuleDecision::Unmatched);
        }
    }

    #[test]
    fn a_secret_does_not_come_into_the_file() {
        let params = r#"{"message":"Sign in","requestedSchema":{"type":"object","properties":{"name":{"type":"string"},"password":{"type":"string"}}}}"#;
        let form = asked("elicitation/create", params);
        let secret = ["password".to_owned()];
        let written = Some(r#"{"name":"Ada","password":"hunter22"}"#);
        let made = rule_for(&form, written, &secret, &|_| false).expect("a rule");
        assert!(!made.text.contains("hunter22"), "{}", made.text);
        assert_eq!(made.left_out, secret);
        let alone = Some(r#"{"password":"hunter22"}"#);
        let made = rule_for(&form, alone, &secret, &|_| false);
        assert_eq!(made, Err(NO_ANSWER));
    }

    #[test]
    fn a_rule_for_sampling_gives_the_reply_that_was_written() {
        let params =
            r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":9}"#;
        let sampling = asked("sampling/createMessage", params);
        for written in [
            None,
            Some(r#"{"text":" "}"#),
            Some(r#"{"text":"{{server}}"}"#),
        ] {
            let made = rule_for(&sampling, written, &[], &|_| false);
            assert_eq!(made, Err(NO_ANSWER), "{written:?}");
        }
        let written = Some(r#"{"text":"Hello \"you\"","model":"m"}"#);
        let made = rule_for(&sampling, written, &[], &|_| false).expect("a rule");
        let rules = RuleFile::parse(&made.text).expect("rules");
        let decision = rules.decide(&sampling, &|_, _| Ok(()));
        let RuleDecision::Answer {
            reply: crate::Reply::Result(reply),
            ..
        } = decision
        else {
            panic!("{decision:?}");
        };
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        assert_eq!(reply["content"]["text"], "Hello \"you\"");
        assert_eq!(reply["model"], "m");
    }
}
