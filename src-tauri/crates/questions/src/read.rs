//! Reads the rules file.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use sightglass_model::Era;
use sightglass_requests::{RequestProblem, toml_problem};
use toml::Spanned;

use crate::{
    pattern::MessagePattern,
    rule::{Action, QuestionKind, Rule, RuleFile},
    template,
};

/// The largest rules file, in bytes.
pub const MAX_FILE_BYTES: usize = 256 * 1024;
/// Rules of one file.
const MAX_RULES: usize = 500;
/// Characters of a rule's name.
const MAX_NAME: usize = 100;
/// The model that a reply names by default.
const DEFAULT_MODEL: &str = "answered by a rule";

/// Types of a field that a rule can ask for.
pub(crate) const FIELD_TYPES: [&str; 6] =
    ["any", "string", "number", "integer", "boolean", "array"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    rule: Vec<Spanned<RawRule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    name: Spanned<String>,
    server: Spanned<String>,
    folder: Option<Spanned<String>>,
    kind: QuestionKind,
    era: Option<RawEra>,
    message: Option<Spanned<String>>,
    message_matches: Option<Spanned<String>>,
    schema: Option<Spanned<BTreeMap<String, String>>>,
    host: Option<Spanned<String>>,
    then: Spanned<ThenKeyword>,
    values: Option<Spanned<BTreeMap<String, toml::Value>>>,
    text: Option<Spanned<String>>,
    ask_model: Option<Spanned<String>>,
    model: Option<Spanned<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ThenKeyword {
    Accept,
    Decline,
    Cancel,
    Ask,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawEra {
    Modern,
    Legacy,
}

impl RuleFile {
    /// Reads the rules file.
    ///
    /// # Errors
    /// Everything that is wrong with it. Then no rule of it counts.
    pub fn parse(text: &str) -> Result<Self, Vec<RequestProblem>> {
        if text.len() > MAX_FILE_BYTES {
            let message = format!("The file is larger than {} KiB.", MAX_FILE_BYTES >> 10);
            return Err(vec![RequestProblem::at(text, 0, message)]);
        }
        let raw: RawFile =
            toml::from_str(text).map_err(|error| vec![toml_problem(text, &error)])?;
        if raw.rule.len() > MAX_RULES {
            let message = format!("There are more than {MAX_RULES} rules.");
            return Err(vec![RequestProblem::at(text, 0, message)]);
        }
        let mut reader = RuleReader {
            text,
            problems: Vec::new(),
            names: BTreeSet::new(),
        };
        let rules = raw.rule.into_iter().filter_map(|rule| reader.rule(rule));
        let rules: Vec<Rule> = rules.collect();
        match reader.problems.is_empty() {
            true => Ok(Self { rules }),
            false => Err(reader.problems),
        }
    }
}

struct RuleReader<'a> {
    text: &'a str,
    problems: Vec<RequestProblem>,
    names: BTreeSet<String>,
}

impl RuleReader<'_> {
    fn problem(&mut self, at: usize, message: impl Into<String>) {
        let problem = RequestProblem::at(self.text, at, message);
        self.problems.push(problem);
    }

    fn rule(&mut self, raw: Spanned<RawRule>) -> Option<Rule> {
        let start = raw.span().start;
        let raw = raw.into_inner();
        let at = raw.name.span().start;
        let name = raw.name.get_ref().trim().to_owned();
        if name.is_empty() || name.chars().count() > MAX_NAME {
            self.problem(at, format!("A name has 1 to {MAX_NAME} characters."));
        }
        if !self.names.insert(name.clone()) {
            self.problem(at, format!("Another rule is called {name}, too."));
        }
        if raw.server.get_ref().is_empty() {
            self.problem(
                raw.server.span().start,
                "Name a server, or write \"*\" for every server.",
            );
        }
        if let Some(folder) = &raw.folder
            && !std::path::Path::new(folder.get_ref()).is_absolute()
        {
            self.problem(folder.span().start, "Write the whole path of the folder.");
        }
        let message = self.message(&raw);
        let fields = self.fields(&raw);
        let action = self.action(&raw, start);
        Some(Rule {
            name,
            line: RequestProblem::at(self.text, at, "").line,
            server: raw.server.into_inner(),
            folder: raw.folder.map(Spanned::into_inner),
            kind: raw.kind,
            era: raw.era.map(|era| match era {
                RawEra::Modern => Era::Modern,
                RawEra::Legacy => Era::Legacy,
            }),
            message,
            fields,
            action: action?,
        })
    }

    fn message(&mut self, raw: &RawRule) -> Option<MessagePattern> {
        match (&raw.message, &raw.message_matches) {
            (Some(_), Some(other)) => {
                self.problem(other.span().start, "Write message or message_matches.");
                None
            }
            (Some(part), None) => {
                if part.get_ref().trim().is_empty() {
                    self.problem(
                        part.span().start,
                        "An empty text is in every message. Remove the line if that is meant.",
                    );
                }
                Some(MessagePattern::Contains(part.get_ref().clone()))
            }
            (None, Some(regex)) => match MessagePattern::regex(regex.get_ref()) {
                Ok(pattern) => Some(pattern),
                Err(reason) => {
                    self.problem(regex.span().start, reason);
                    None
                }
            },
            (None, None) => None,
        }
    }

    fn fields(&mut self, raw: &RawRule) -> BTreeMap<String, Option<String>> {
        let Some(schema) = &raw.schema else {
            return BTreeMap::new();
        };
        let at = schema.span().start;
        if raw.kind != QuestionKind::Form {
            self.problem(at, "Only a form has a schema.");
        }
        if schema.get_ref().is_empty() {
            self.problem(at, "Name at least one field, or remove the line.");
        }
        let fields = schema.get_ref().iter().map(|(field, kind)| {
            if !FIELD_TYPES.contains(&kind.as_str()) {
                let known = FIELD_TYPES.join(", ");
                self.problem(at, format!("{kind} is no type of a field: {known}."));
            }
            (
                field.clone(),
                Some(kind.clone()).filter(|kind| kind != "any"),
            )
        });
        fields.collect()
    }

    fn action(&mut self, raw: &RawRule, start: usize) -> Option<Action> {
        let then = *raw.then.get_ref();
        let at = raw.then.span().start;
        let accepts = |kind| then == ThenKeyword::Accept && raw.kind == kind;
        self.only(
            &raw.values,
            accepts(QuestionKind::Form),
            "values",
            "accepts a form",
        );
        self.only(
            &raw.host,
            raw.kind == QuestionKind::Url,
            "host",
            "is about an address",
        );
        for (key, given) in [
            ("text", &raw.text),
            ("model", &raw.model),
            ("ask_model", &raw.ask_model),
        ] {
            self.only(
                given,
                accepts(QuestionKind::Sampling),
                key,
                "accepts a sampling request",
            );
        }
        match (then, raw.kind) {
            (ThenKeyword::Ask, _) => Some(Action::Ask),
            (ThenKeyword::Decline, _) => Some(Action::Decline),
            (ThenKeyword::Cancel, QuestionKind::Sampling) => {
                self.problem(at, "A sampling request cannot be cancelled; decline it.");
                None
            }
            (ThenKeyword::Cancel, _) => Some(Action::Cancel),
            (ThenKeyword::Accept, QuestionKind::Form) => {
                let values = raw.values.as_ref();
                let place = values.map_or(start, |values| values.span().start);
                let values = values.map(|values| values.get_ref().clone());
                let values = values.unwrap_or_default();
                values.values().for_each(|value| self.value(place, value));
                Some(Action::Fill(values))
            }
            (ThenKeyword::Accept, QuestionKind::Url) => {
                let Some(host) = &raw.host else {
                    self.problem(
                        at,
                        "An address is accepted only on a host that the rule names: host = \"…\".",
                    );
                    return None;
                };
                self.host(host)
            }
            (ThenKeyword::Accept, QuestionKind::Sampling) => {
                if let Some(endpoint) = &raw.ask_model {
                    if raw.text.is_some() || raw.model.is_some() {
                        let message = "Write ask_model, or text and model.";
                        self.problem(endpoint.span().start, message);
                    }
                    return Some(Action::Model {
                        endpoint: endpoint.get_ref().clone(),
                    });
                }
                let Some(text) = &raw.text else {
                    self.problem(
                        at,
                        "The reply is missing: text = \"…\", or ask_model = \"…\".",
                    );
                    return None;
                };
                if let Some(reason) = template::problem(text.get_ref(), false) {
                    self.problem(text.span().start, reason);
                }
                let model = raw.model.as_ref().map(|model| model.get_ref().clone());
                Some(Action::Reply {
                    text: text.get_ref().clone(),
                    model: model.unwrap_or_else(|| DEFAULT_MODEL.to_owned()),
                })
            }
        }
    }

    /// Refuses a key where it has no effect.
    fn only<T>(&mut self, given: &Option<Spanned<T>>, is_fine: bool, key: &str, where_it_is: &str) {
        if let Some(given) = given
            && !is_fine
        {
            let message = format!("`{key}` has a meaning only in a rule that {where_it_is}.");
            self.problem(given.span().start, message);
        }
    }

    fn host(&mut self, host: &Spanned<String>) -> Option<Action> {
        let text = host.get_ref();
        let parsed = url::Url::parse(&format!("https://{text}/")).ok();
        let exact = parsed.and_then(|url| {
            let name = url.host_str()?;
            let exact = match url.port() {
                Some(port) => format!("{name}:{port}"),
                None => name.to_owned(),
            };
            (exact == *text && !text.contains('*')).then_some(exact)
        });
        if exact.is_none() {
            self.problem(
                host.span().start,
                "This is no exact host. Write it as \"example.com\" or \"example.com:8443\".",
            );
        }
        exact.map(|host| Action::Visit { host })
    }

    fn value(&mut self, at: usize, value: &toml::Value) {
        match value {
            toml::Value::String(text) => {
                if let Some(reason) = template::problem(text, true) {
                    self.problem(at, reason);
                }
            }
            toml::Value::Array(items) => items.iter().for_each(|item| self.value(at, item)),
            toml::Value::Table(_) => {
                self.problem(
                    at,
                    "A field of a form holds a text, number, boolean or list.",
                );
            }
            toml::Value::Datetime(_) => {
                self.problem(at, "Write a date as a text, in quotes.");
            }
            toml::Value::Float(number) if !number.is_finite() => {
                self.problem(at, "JSON has no such number.");
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        let problems = RuleFile::parse(text).expect_err("a problem");
        problems[0].to_string()
    }

    #[test]
    fn a_broken_file_says_the_line_and_has_no_rules() {
        let start = "[[rule]]\nname = \"r\"\nserver = \"s\"\nkind = \"form\"\n";
        for (text, expected) in [
            (format!("{start}then = \"acept\""), "5:"),
            (format!("{start}then = \"ask\"\nwhen = 1"), "6:"),
            (
                format!("{start}message = \" \"\nthen = \"ask\""),
                "5:11: An empty text",
            ),
            (
                format!("{start}message_matches = \"\"\nthen = \"ask\""),
                "5:19: This matches every",
            ),
            (
                format!("{start}message_matches = \"(\"\nthen = \"ask\""),
                "5:19: This is no regular",
            ),
            (
                format!("{start}then = \"ask\"\nvalues = {{ a = 1 }}"),
                "6:10: `values` has",
            ),
            (
                format!("{start}then = \"accept\"\nvalues = {{ a = \"{{{{env.X}}}}\" }}"),
                "6:10: {{env.X}}",
            ),
            (
                format!("{start}then = \"ask\"\n{start}then = \"ask\""),
                "7:8: Another rule",
            ),
            (
                start.replace("form", "url") + "then = \"accept\"",
                "5:8: An address",
            ),
            (
                start.replace("form", "url") + "host = \"*.a.example\"\nthen = \"accept\"",
                "5:8: This is no exact",
            ),
            (
                start.replace("form", "sampling") + "then = \"accept\"",
                "5:8: The reply is missing",
            ),
            (
                start.replace("\"s\"", "\"\"") + "then = \"ask\"",
                "3:10: Name a server",
            ),
            ("server = 1".to_owned(), "1:"),
        ] {
            let told = problem(&text);
            assert!(told.starts_with(expected), "{told}\n{text}");
        }
    }

    #[test]
    fn an_empty_file_has_no_rules() {
        assert!(
            RuleFile::parse("# nothing yet\n")
                .expect("rules")
                .rules
                .is_empty()
        );
    }
}
