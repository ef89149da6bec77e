//! Rules, and their decision about a question.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};
use sightglass_model::{DefinedBy, Era, Wildcards};

use crate::{
    pattern::MessagePattern,
    template::{self, DEFAULT, TemplateField, TemplateValues},
};

/// Bytes of a question's parameters that rules look at.
const MAX_PARAMS_BYTES: usize = 256 * 1024;
/// JSON-RPC error of a client whose user refuses (MCP, Sampling, error handling).
const REFUSED: i32 = -1;

/// The rules of a file, in their order.
#[derive(Debug, Clone, Default)]
pub struct RuleFile {
    pub rules: Vec<Rule>,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    pub name: String,
    /// Line of the file, from 1.
    pub line: u32,
    /// Pattern of the server's name or id, with `*`.
    pub(crate) server: String,
    /// Folder of the project that defines the server.
    pub(crate) folder: Option<String>,
    pub(crate) kind: QuestionKind,
    pub(crate) era: Option<Era>,
    pub(crate) message: Option<MessagePattern>,
    /// Types by field; `None` for any.
    pub(crate) fields: BTreeMap<String, Option<String>>,
    pub(crate) action: Action,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    Fill(BTreeMap<String, toml::Value>),
    /// Consents to an address on this host.
    Visit {
        host: String,
    },
    Reply {
        text: String,
        model: String,
    },
    /// Has a model of the settings reply.
    Model {
        endpoint: String,
    },
    Decline,
    Cancel,
    Ask,
}

/// Kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Elicitation, form mode.
    Form,
    /// Elicitation, URL mode.
    Url,
    /// `sampling/createMessage`.
    Sampling,
}

/// A question as a server asked it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Id of the server.
    pub server: &'a str,
    /// Name of the server.
    pub name: &'a str,
    pub defined_by: DefinedBy,
    /// Folder of the project, which is asked for where that defines the server.
    pub folder: &'a str,
    pub era: Era,
    pub method: &'a str,
    /// JSON text of the parameters.
    pub params: &'a str,
}

/// Decision of the rules about a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleDecision {
    /// No rule is about it.
    Unmatched,
    /// The user is asked.
    Ask {
        rule: String,
        /// Reason why the rule does not answer although it would, as a sentence.
        reason: Option<String>,
    },
    /// A model of the settings is asked.
    Model {
        rule: String,
        /// Name of the model.
        endpoint: String,
    },
    Answer {
        rule: String,
        reply: Reply,
    },
}

/// Answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The `result`, as JSON text.
    Result(String),
    /// A JSON-RPC error.
    Error { code: i32, message: String },
}

/// Parts of the parameters that rules look at.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuestionParams {
    mode: Option<String>,
    message: Option<String>,
    url: Option<String>,
    requested_schema: Option<Box<RawValue>>,
    #[serde(default)]
    messages: Vec<SamplingMessage>,
}

#[derive(Deserialize)]
struct SamplingMessage {
    #[serde(default)]
    content: Value,
}

#[derive(Default, Deserialize)]
pub(crate) struct FormSchema {
    #[serde(default)]
    pub properties: BTreeMap<String, FormField>,
}

#[derive(Deserialize)]
pub(crate) struct FormField {
    #[serde(rename = "type")]
    pub kind: Option<Value>,
    pub default: Option<Box<RawValue>>,
}

impl QuestionParams {
    /// Reads parameters; `None` when they are too large or not what the specification has.
    pub(crate) fn read(params: &str) -> Option<Self> {
        if params.len() > MAX_PARAMS_BYTES {
            return None;
        }
        serde_json::from_str(params).ok()
    }

    pub(crate) fn kind(&self, method: &str) -> Option<QuestionKind> {
        match (method, self.mode.as_deref()) {
            ("sampling/createMessage", _) => Some(QuestionKind::Sampling),
            ("elicitation/create", None | Some("form")) => Some(QuestionKind::Form),
            ("elicitation/create", Some("url")) => Some(QuestionKind::Url),
            _ => None,
        }
    }

    /// The message of an elicitation, or the text of the last message of a sampling request.
    pub(crate) fn message(&self) -> String {
        match (&self.message, self.messages.last()) {
            (Some(message), _) => message.clone(),
            (None, Some(last)) => text_of(&last.content),
            (None, None) => String::new(),
        }
    }

    pub(crate) fn form(&self) -> FormSchema {
        let schema = self.requested_schema.as_ref();
        schema
            .and_then(|schema| serde_json::from_str(schema.get()).ok())
            .unwrap_or_default()
    }

    /// The host of the address, with its port where that is not the default one. `None` where the
    /// address is not HTTPS or holds credentials.
    pub(crate) fn host(&self) -> Option<String> {
        let url = url::Url::parse(self.url.as_deref()?).ok()?;
        let is_plain = url.scheme() == "https" && url.username().is_empty();
        let host = url
            .host_str()
            .filter(|_| is_plain && url.password().is_none())?;
        Some(match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        })
    }
}

fn text_of(content: &Value) -> String {
    let blocks = match content {
        Value::Array(blocks) => blocks.as_slice(),
        block => std::slice::from_ref(block),
    };
    let texts = blocks
        .iter()
        .filter_map(|block| block.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

impl RuleFile {
    /// Decides about a question. `conforms` applies a schema to a value.
    pub fn decide(
        &self,
        asked: &Asked<'_>,
        conforms: &dyn Fn(&Value, &Value) -> Result<(), String>,
    ) -> RuleDecision {
        if self.rules.is_empty() {
            return RuleDecision::Unmatched;
        }
        let Some(params) = QuestionParams::read(asked.params) else {
            return RuleDecision::Unmatched;
        };
        let Some(kind) = params.kind(asked.method) else {
            return RuleDecision::Unmatched;
        };
        let (message, form) = (params.message(), params.form());
        let first = self.rules.iter().find(|rule| {
            rule.kind == kind
                && rule.era.is_none_or(|era| era == asked.era)
                && [asked.name, asked.server]
                    .iter()
                    .any(|server| Wildcards::Star.matches(&rule.server, server))
                && rule.is_for(asked)
                && rule.is_about(&message, &form)
        });
        let Some(rule) = first else {
            return RuleDecision::Unmatched;
        };
        let name = rule.name.clone();
        if let Action::Model { endpoint } = &rule.action {
            return RuleDecision::Model {
                rule: name,
                endpoint: endpoint.clone(),
            };
        }
        match rule.reply(asked, &params, &message, &form, conforms) {
            Ok(Some(reply)) => RuleDecision::Answer { rule: name, reply },
            Ok(None) => RuleDecision::Ask {
                rule: name,
                reason: None,
            },
            Err(reason) => RuleDecision::Ask {
                rule: name,
                reason: Some(reason),
            },
        }
    }
}

impl Rule {
    /// A project chooses the names of its servers, and so does a link that is connected without
    /// saving it. One that takes the name of the user's own gets nothing that was meant for that:
    /// of the rules that accept, only one that names the project's folder is for its servers, and
    /// none is for a server that is not saved.
    fn is_for(&self, asked: &Asked<'_>) -> bool {
        let gives_nothing = matches!(self.action, Action::Decline | Action::Cancel | Action::Ask);
        match &self.folder {
            Some(own) => asked.defined_by == DefinedBy::Project && asked.folder == own,
            None => asked.defined_by.is_trusted_by_name() || gives_nothing,
        }
    }

    fn is_about(&self, message: &str, form: &FormSchema) -> bool {
        let has = |name: &String, kind: &Option<String>| {
            form.properties.get(name).is_some_and(|field| {
                let given = field.kind.as_ref().and_then(Value::as_str);
                kind.is_none() || kind.as_deref() == given
            })
        };
        self.message
            .as_ref()
            .is_none_or(|pattern| pattern.matches(message))
            && self.fields.iter().all(|(name, kind)| has(name, kind))
    }

    /// The answer, or nothing to ask.
    fn reply(
        &self,
        asked: &Asked<'_>,
        params: &QuestionParams,
        message: &str,
        form: &FormSchema,
        conforms: &dyn Fn(&Value, &Value) -> Result<(), String>,
    ) -> Result<Option<Reply>, String> {
        let values = |field| TemplateValues {
            server: asked.name,
            message,
            field,
        };
        let result = match &self.action {
            Action::Ask | Action::Model { .. } => return Ok(None),
            Action::Decline if self.kind == QuestionKind::Sampling => {
                return Ok(Some(Reply::Error {
                    code: REFUSED,
                    message: "The user refused the request".to_owned(),
                }));
            }
            Action::Decline => json!({ "action": "decline" }).to_string(),
            Action::Cancel => json!({ "action": "cancel" }).to_string(),
            Action::Visit { host } => {
                let given = params.host();
                if given.as_ref() != Some(host) {
                    return Err(format!("The address is not one of https://{host}."));
                }
                json!({ "action": "accept" }).to_string()
            }
            Action::Reply { text, model } => json!({
                "role": "assistant",
                "content": { "type": "text", "text": template::filled(text, &values(None))? },
                "model": model,
                "stopReason": "endTurn",
            })
            .to_string(),
            Action::Fill(given) => {
                let content = content(given, form, &values)?;
                let schema = params.requested_schema.as_ref();
                let schema = schema.map_or("{}", |schema| schema.get());
                let schema: Value = serde_json::from_str(schema).map_err(|e| e.to_string())?;
                let value: Value = serde_json::from_str(&content).map_err(|e| e.to_string())?;
                conforms(&schema, &value)?;
                format!(r#"{{"action":"accept","content":{content}}}"#)
            }
        };
        Ok(Some(Reply::Result(result)))
    }
}

/// The content of an accepted form, as JSON text with the numbers of defaults as they came.
fn content<'a>(
    given: &BTreeMap<String, toml::Value>,
    form: &'a FormSchema,
    values: &dyn Fn(Option<TemplateField<'a>>) -> TemplateValues<'a>,
) -> Result<String, String> {
    let mut members = Vec::new();
    for (name, field) in &form.properties {
        let field = TemplateField {
            name,
            default: field.default.as_ref().map(|default| default.get()),
        };
        let value = match given.get(name) {
            Some(value) => value,
            None => match given.get("*") {
                Some(value) if field.default.is_some() => value,
                _ => continue,
            },
        };
        let json = json_of(value, &values(Some(field)))?;
        members.push(format!("{}:{json}", Value::from(name.as_str())));
    }
    Ok(format!("{{{}}}", members.join(",")))
}

/// A value of the rule as JSON text, filled in.
fn json_of(value: &toml::Value, values: &TemplateValues<'_>) -> Result<String, String> {
    Ok(match (value, values.field) {
        (toml::Value::String(text), Some(field)) if text.trim() == DEFAULT => {
            template::default_of(field)?.to_owned()
        }
        (toml::Value::String(text), _) => Value::from(template::filled(text, values)?).to_string(),
        (toml::Value::Integer(number), _) => number.to_string(),
        (toml::Value::Float(number), _) => Value::from(*number).to_string(),
        (toml::Value::Boolean(value), _) => value.to_string(),
        (toml::Value::Array(items), _) => {
            let items = items.iter().map(|item| json_of(item, values));
            format!("[{}]", items.collect::<Result<Vec<_>, _>>()?.join(","))
        }
        // The reader refuses these.
        (toml::Value::Table(_) | toml::Value::Datetime(_), _) => {
            Value::Object(Map::new()).to_string()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = r#"{"message":"Please introduce yourself.","requestedSchema":{"type":"object",
        "properties":{"name":{"type":"string"},"age":{"type":"integer","default":12345678901234567890123},
        "secret":{"type":"string"}}}}"#;

    fn decide(rules: &str, method: &str, params: &str) -> RuleDecision {
        let rules = RuleFile::parse(rules).expect("rules");
        let asked = Asked {
            server: "built-in:demo",
            name: "demo",
            defined_by: DefinedBy::BuiltIn,
            folder: "/srv/web",
            era: Era::Legacy,
            method,
            params,
        };
        rules.decide(&asked, &|_, _| Ok(()))
    }

    fn rule(rest: &str) -> String {
        format!("[[rule]]\nname = \"r\"\nserver = \"demo\"\n{rest}")
    }

    fn answered(decision: RuleDecision) -> String {
        match decision {
            RuleDecision::Answer {
                reply: Reply::Result(json),
                ..
            } => json,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_form_is_filled_with_values_and_exact_defaults_and_nothing_that_it_does_not_ask_for() {
        let rules = rule(
            "kind = \"form\"\nthen = \"accept\"\nvalues = { name = \"Ada of {{server}}\", \"*\" = \"{{field.default}}\", other = 1 }",
        );
        assert_eq!(
            answered(decide(&rules, "elicitation/create", FORM)),
            r#"{"action":"accept","content":{"age":12345678901234567890123,"name":"Ada of demo"}}"#
        );
    }

    #[test]
    fn a_server_of_a_project_gets_nothing_by_taking_the_name_of_another() {
        let decide = |defined_by: DefinedBy, folder: &str, rules: &str| {
            let rules = RuleFile::parse(rules).expect("rules");
            let asked = Asked {
                server: "mcp-json:demo",
                name: "demo",
                defined_by,
                folder,
                era: Era::Legacy,
                method: "elicitation/create",
                params: FORM,
            };
            rules.decide(&asked, &|_, _| Ok(()))
        };
        let accepts = "kind = \"form\"\nthen = \"accept\"\nvalues = { name = \"Ada\" }\n";
        for server in ["demo", "*", "mcp-json:demo"] {
            let rules = format!("[[rule]]\nname = \"r\"\nserver = \"{server}\"\n{accepts}");
            for stranger in [DefinedBy::Project, DefinedBy::Unsaved] {
                let decision = decide(stranger, "/srv/other", &rules);
                assert_eq!(decision, RuleDecision::Unmatched, "{stranger:?}");
            }
            for own in [DefinedBy::User, DefinedBy::CommandLine, DefinedBy::BuiltIn] {
                let decision = decide(own, "/srv/other", &rules);
                assert!(matches!(decision, RuleDecision::Answer { .. }), "{own:?}");
            }
        }
        let of_folder = rule(&format!("folder = \"/srv/web\"\n{accepts}"));
        assert!(matches!(
            decide(DefinedBy::Project, "/srv/web", &of_folder),
            RuleDecision::Answer { .. }
        ));
        for (defined_by, folder) in [
            (DefinedBy::Project, "/srv/other"),
            (DefinedBy::User, "/srv/web"),
            (DefinedBy::Unsaved, "/srv/web"),
        ] {
            let decision = decide(defined_by, folder, &of_folder);
            assert_eq!(decision, RuleDecision::Unmatched, "{defined_by:?}");
        }
        let declines = rule("kind = \"form\"\nthen = \"decline\"");
        for stranger in [DefinedBy::Project, DefinedBy::Unsaved] {
            let decision = decide(stranger, "/srv/other", &declines);
            assert!(
                matches!(decision, RuleDecision::Answer { .. }),
                "{stranger:?}"
            );
        }
    }

    #[test]
    fn the_first_rule_that_is_about_the_question_decides() {
        let other =
            "[[rule]]\nname = \"x\"\nserver = \"linear\"\nkind = \"form\"\nthen = \"accept\"\n";
        let rules = format!(
            "{other}{}{}",
            rule("kind = \"form\"\nmessage = \"introduce\"\nthen = \"decline\"\n"),
            "[[rule]]\nname = \"last\"\nserver = \"*\"\nkind = \"form\"\nthen = \"cancel\"\n"
        );
        assert_eq!(
            answered(decide(&rules, "elicitation/create", FORM)),
            r#"{"action":"decline"}"#
        );
        assert_eq!(
            answered(decide(&rules, "elicitation/create", r#"{"message":"?"}"#)),
            r#"{"action":"cancel"}"#
        );
    }

    #[test]
    fn fields_and_their_types_are_looked_at() {
        let with = |schema: &str| {
            let rules = rule(&format!(
                "kind = \"form\"\nschema = {schema}\nthen = \"decline\""
            ));
            decide(&rules, "elicitation/create", FORM) != RuleDecision::Unmatched
        };
        assert!(with("{ name = \"string\", age = \"any\" }"));
        assert!(!with("{ name = \"number\" }") && !with("{ email = \"any\" }"));
    }

    #[test]
    fn an_address_is_accepted_only_on_the_host_that_the_rule_names() {
        let rules = rule("kind = \"url\"\nhost = \"good.example\"\nthen = \"accept\"");
        let visit = |url: &str| {
            let params = json!({ "mode": "url", "message": "m", "url": url }).to_string();
            answered(decide(&rules, "elicitation/create", &params))
        };
        assert_eq!(visit("https://good.example/x"), r#"{"action":"accept"}"#);
        for url in [
            "https://good.example.evil.example/",
            "https://evil.example/good.example",
            "https://good.example@evil.example/",
            "https://user@good.example/",
            "https://good.example:8443/",
            "http://good.example/",
            "javascript:good.example",
            "https://sub.good.example/",
        ] {
            assert!(visit(url).starts_with("Ask"), "{url}");
        }
    }

    #[test]
    fn values_that_do_not_conform_are_not_sent() {
        let rules = RuleFile::parse(&rule(
            "kind = \"form\"\nthen = \"accept\"\nvalues = { name = 7 }",
        ));
        let asked = Asked {
            server: "built-in:demo",
            name: "demo",
            defined_by: DefinedBy::BuiltIn,
            folder: "/srv/web",
            era: Era::Modern,
            method: "elicitation/create",
            params: FORM,
        };
        let decision = rules
            .expect("rules")
            .decide(&asked, &|_, _| Err("/name: 7 is no text.".to_owned()));
        let reason = Some("/name: 7 is no text.".to_owned());
        let rule = "r".to_owned();
        assert_eq!(decision, RuleDecision::Ask { rule, reason });
    }

    #[test]
    fn a_message_cannot_put_values_of_its_own_into_the_answer() {
        let rules = rule("kind = \"form\"\nthen = \"accept\"\nvalues = { name = \"{{message}}\" }");
        let params = FORM.replace(
            "Please introduce yourself.",
            r#"{{server}}\",\"secret\":\"x"#,
        );
        assert_eq!(
            answered(decide(&rules, "elicitation/create", &params)),
            r#"{"action":"accept","content":{"name":"{{server}}\",\"secret\":\"x"}}"#
        );
    }

    #[test]
    fn what_is_too_large_or_of_another_kind_is_left_to_the_user() {
        let rules = rule("kind = \"form\"\nthen = \"accept\"");
        let large = format!(r#"{{"message":"{}"}}"#, "m".repeat(MAX_PARAMS_BYTES));
        for params in [
            large.as_str(),
            r#"{"mode":"new"}"#,
            r#"{"mode":"url"}"#,
            "[",
            "7",
        ] {
            let decision = decide(&rules, "elicitation/create", params);
            assert_eq!(decision, RuleDecision::Unmatched);
        }
        let sampling = r#"{"messages":[]}"#;
        assert_eq!(
            decide(&rules, "sampling/createMessage", sampling),
            RuleDecision::Unmatched
        );
    }

    #[test]
    fn sampling_is_answered_with_a_text() {
        let rules = rule(
            "kind = \"sampling\"\nmessage = \"hello\"\nthen = \"accept\"\ntext = \"Hi {{server}}\"",
        );
        let params =
            r#"{"messages":[{"role":"user","content":{"type":"text","text":"Say hello"}}]}"#;
        let json = answered(decide(&rules, "sampling/createMessage", params));
        let result: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(result["content"]["text"], "Hi demo");
        assert_eq!(result["stopReason"], "endTurn");
    }
}
