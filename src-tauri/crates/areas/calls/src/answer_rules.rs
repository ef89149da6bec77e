//! Rules that answer questions of servers in the user's place.
//!
//! They stand in one file of the user's, beside the settings; a project brings none. A file that is
//! broken has no rules, so that every question is asked.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::SystemTime,
};

use serde_json::{Value, value::RawValue};
use sightglass_area_core::{
    command::commands,
    config_workspace::ConfigWorkspace,
    core::Core,
    defined_by::defined_by,
    error::InspectorError,
    publisher::Publisher,
    sensitive::{extract_secrets, is_sensitive},
    text_hash::hash_of,
    view::{AnswerRuleDraft, AnswerRuleView, AnswerRulesText, AnswerRulesView, Fact, RuleTrial},
};
use sightglass_connection::{
    ByRule, ConnectionEvent, EventSubscriber, QuestionRules, RuleAnswer, ServerAnswer,
    ServerQuestion,
};
use sightglass_files::create_private_directory;
use sightglass_model::{Era, ServerId, brief, lock};
use sightglass_questions::{
    Asked, MAX_FILE_BYTES, NO_RULE, Reply, RuleDecision, RuleFile, rule_for,
};
use sightglass_requests::RequestProblem;
use sightglass_secrets::{MASK, Secret};

use crate::schema;

/// Characters of a server's message that are kept to be shown.
const MAX_SHOWN_MESSAGE: usize = 200;
/// Characters of a text of a rule that are shown of its answer.
const MAX_SHOWN_TEXT: usize = 200;

/// The rules, as the file says them now.
pub struct AnswerRules {
    loaded: Mutex<Loaded>,
    /// Number of answers of each rule since the program started.
    fired: Mutex<BTreeMap<String, u32>>,
    /// Calls whose questions a request's file answers.
    left_to_files: Mutex<Vec<(ServerId, String)>>,
    /// The project's folder, as rules name it.
    folder: String,
    config: Arc<ConfigWorkspace>,
    publisher: Arc<Publisher>,
}

struct Loaded {
    path: PathBuf,
    /// Time of the last change and size; `None` when there is no file.
    stamp: Option<(SystemTime, u64)>,
    text: String,
    rules: Arc<RuleFile>,
    problems: Vec<RequestProblem>,
}

impl Loaded {
    /// Reads the file. One that is absent has no rules.
    fn read(path: PathBuf) -> Self {
        let stamp = stamp_of(&path);
        let (text, unreadable) = match sightglass_files::read_at_most(&path, MAX_FILE_BYTES as u64)
        {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => (text, None),
                Err(_) => (String::new(), Some("The file is not UTF-8.".to_owned())),
            },
            Err(error) if error.is_absence() => (String::new(), None),
            Err(error) => {
                let reason = io::Error::from(error).to_string();
                let reason = reason.trim_end_matches('.');
                (
                    String::new(),
                    Some(format!("The file cannot be read: {reason}.")),
                )
            }
        };
        let parsed = match unreadable {
            None => RuleFile::parse(&text),
            Some(reason) => Err(vec![RequestProblem::at("", 0, reason)]),
        };
        let (rules, problems) = match parsed {
            Ok(rules) => (rules, Vec::new()),
            Err(problems) => (RuleFile::default(), problems),
        };
        Self {
            path,
            stamp,
            text,
            rules: Arc::new(rules),
            problems,
        }
    }

    fn existing(path: &Path) -> Result<Self, InspectorError> {
        let read = Self::read(path.to_owned());
        match read.stamp {
            Some(_) => Ok(read),
            None => Err(InspectorError::InvalidInput(format!(
                "There is no file {}.",
                path.display()
            ))),
        }
    }
}

fn stamp_of(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl AnswerRules {
    pub fn new(
        path: PathBuf,
        folder: String,
        config: Arc<ConfigWorkspace>,
        publisher: Arc<Publisher>,
    ) -> Self {
        Self {
            loaded: Mutex::new(Loaded::read(path)),
            fired: Mutex::default(),
            left_to_files: Mutex::default(),
            folder,
            config,
            publisher,
        }
    }

    /// Reads the file again when it changed. Says whether it did.
    fn refresh(&self) -> bool {
        let mut loaded = lock(&self.loaded);
        let is_changed = stamp_of(&loaded.path) != loaded.stamp;
        if is_changed {
            *loaded = Loaded::read(loaded.path.clone());
        }
        is_changed
    }

    /// Counts an answer of a rule.
    pub fn count(&self, rule: &str) {
        *lock(&self.fired).entry(rule.to_owned()).or_default() += 1;
    }

    fn decision(&self, question: &ServerQuestion) -> RuleDecision {
        let rules = Arc::clone(&lock(&self.loaded).rules);
        rules.decide(&self.asked(question), &schema::conforms)
    }

    /// A question of a server as rules see it.
    fn asked<'a>(&'a self, question: &'a ServerQuestion) -> Asked<'a> {
        // Only the stateless era names its questions.
        let era = match question.input {
            Some(_) => Era::Modern,
            None => Era::Legacy,
        };
        self.asked_in(&question.server, era, &question.method, &question.params)
    }

    fn asked_in<'a>(
        &'a self,
        server: &'a ServerId,
        era: Era,
        method: &'a str,
        params: &'a str,
    ) -> Asked<'a> {
        Asked {
            server: server.as_str(),
            name: server.name(),
            defined_by: defined_by(server, &self.config.files()),
            folder: &self.folder,
            era,
            method,
            params,
        }
    }

    /// Returns the rule that has a model answer a question, and the name of the model.
    pub fn model_for(&self, question: &ServerQuestion) -> Option<(String, String)> {
        match self.decision(question) {
            RuleDecision::Model { rule, endpoint } => Some((rule, endpoint)),
            _ => None,
        }
    }

    /// Leaves the questions of a call to a request's file, until the returned value is dropped.
    pub fn leave_to_file(self: &Arc<Self>, server: &ServerId, call: &str) -> LeftToFile {
        let call = (server.clone(), call.to_owned());
        lock(&self.left_to_files).push(call.clone());
        LeftToFile {
            rules: Arc::clone(self),
            call,
        }
    }

    fn is_left_to_file(&self, question: &ServerQuestion) -> bool {
        lock(&self.left_to_files).iter().any(|(server, call)| {
            // A question of which the call cannot be told may belong to the file.
            *server == question.server && question.call.as_ref().is_none_or(|known| known == call)
        })
    }

    /// Publishes the rules as they are now.
    pub fn publish(&self) {
        self.publisher.publish(Fact::AnswerRules {
            view: Box::new(self.view()),
        });
    }

    /// Publishes the rules where another program changed them.
    pub fn publish_changes(&self) {
        if self.refresh() {
            self.publish();
        }
    }

    fn view(&self) -> AnswerRulesView {
        let loaded = lock(&self.loaded);
        self.view_of(&loaded.path, &loaded.rules, loaded.problems.clone())
    }

    fn view_of(
        &self,
        path: &Path,
        rules: &RuleFile,
        problems: Vec<RequestProblem>,
    ) -> AnswerRulesView {
        let fired = lock(&self.fired);
        AnswerRulesView {
            path: path.display().to_string(),
            problems,
            rules: rules
                .rules
                .iter()
                .map(|rule| AnswerRuleView {
                    name: rule.name.clone(),
                    line: rule.line,
                    conditions: rule.conditions(),
                    answer: rule.answer(&shown_text),
                    fired: fired.get(&rule.name).copied().unwrap_or_default(),
                })
                .collect(),
        }
    }
}

impl QuestionRules for AnswerRules {
    fn decide(&self, question: &ServerQuestion) -> ByRule {
        if self.is_left_to_file(question) {
            return ByRule::None;
        }
        match self.decision(question) {
            RuleDecision::Unmatched => ByRule::None,
            RuleDecision::Ask { rule, reason } => ByRule::Ask {
                remark: match reason {
                    None => format!("The rule \u{201c}{rule}\u{201d} leaves this to you."),
                    Some(reason) => {
                        format!("The rule \u{201c}{rule}\u{201d} did not answer. {reason}")
                    }
                },
            },
            RuleDecision::Model { rule, endpoint } => ByRule::Model {
                remark: format!(
                    "The rule \u{201c}{rule}\u{201d} asks the model \u{201c}{endpoint}\u{201d}."
                ),
            },
            RuleDecision::Answer { rule, reply } => {
                self.count(&rule);
                let (shown, private) = shown(&reply, &question.params);
                let message = beginning_of(&question.params);
                let answer = answer_of(reply);
                ByRule::Answer(RuleAnswer {
                    rule,
                    answer,
                    shown,
                    message,
                    private,
                })
            }
        }
    }
}

impl EventSubscriber for AnswerRules {
    /// Publishes how often each rule answered.
    fn receive(&self, event: &ConnectionEvent) {
        if let ConnectionEvent::AnsweredAutomatically { answer } = event
            && answer.rule.is_some()
        {
            self.publish();
        }
    }
}

/// A call whose questions no rule answers.
pub struct LeftToFile {
    rules: Arc<AnswerRules>,
    call: (ServerId, String),
}

impl Drop for LeftToFile {
    fn drop(&mut self) {
        let mut left = lock(&self.rules.left_to_files);
        if let Some(at) = left.iter().position(|call| *call == self.call) {
            left.swap_remove(at);
        }
    }
}

fn answer_of(reply: Reply) -> ServerAnswer {
    match reply {
        Reply::Result(json) => ServerAnswer::Result { json },
        Reply::Error { code, message } => ServerAnswer::Error { code, message },
    }
}

fn beginning_of(params: &str) -> Option<String> {
    let params: Value = serde_json::from_str(params).ok()?;
    let message = params.get("message")?.as_str()?;
    Some(brief(message, MAX_SHOWN_MESSAGE).into_owned())
}

/// A text that a rule answers for a field, as it is shown.
fn shown_text(field: &str, text: &str) -> String {
    match is_sensitive(field, text) {
        true => MASK.to_owned(),
        false => brief(text, MAX_SHOWN_TEXT).into_owned(),
    }
}

/// The form of a question as a tool whose arguments are its fields.
fn form_as_tool(params: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct FormParams<'a> {
        #[serde(borrow)]
        requested_schema: Option<&'a RawValue>,
    }
    let form: FormParams<'_> = serde_json::from_str(params).ok()?;
    let schema = form.requested_schema?;
    Some(format!(r#"{{"inputSchema":{}}}"#, schema.get()))
}

/// The members of a written answer that hold a secret.
fn secret_members(written: &str, params: &str) -> Vec<String> {
    let whole: Value = serde_json::from_str(written).unwrap_or_default();
    let mut rest = whole.clone();
    extract_secrets(&mut rest, form_as_tool(params).as_deref(), &|_| false);
    let members = whole.as_object().into_iter().flatten();
    members
        .filter(|(name, value)| rest.get(name.as_str()) != Some(*value))
        .map(|(name, _)| name.clone())
        .collect()
}

/// The answer to be shown, with its passwords masked, and the passwords.
fn shown(reply: &Reply, params: &str) -> (String, Vec<Secret<String>>) {
    let json = match reply {
        Reply::Result(json) => json,
        Reply::Error { code, message } => {
            let error = serde_json::json!({ "code": code, "message": message });
            return (error.to_string(), Vec::new());
        }
    };
    let mut value: Value = serde_json::from_str(json).unwrap_or_default();
    let Some(content) = value
        .get_mut("content")
        .filter(|content| content.is_object())
    else {
        return (json.clone(), Vec::new());
    };
    let whole = content.clone();
    let secrets = extract_secrets(content, form_as_tool(params).as_deref(), &|_| false);
    if *content == whole {
        // As it is, with its numbers.
        return (json.clone(), secrets);
    }
    if let (Some(whole), Some(content)) = (whole.as_object(), content.as_object_mut()) {
        for name in whole.keys() {
            content.entry(name).or_insert_with(|| MASK.into());
        }
    }
    (value.to_string(), secrets)
}

/// Rules that answer questions of servers in the user's place.
pub struct AnswerRuleFile {
    pub(crate) core: Arc<Core>,
    pub rules: Arc<AnswerRules>,
}

#[commands]
impl AnswerRuleFile {
    /// Takes the rules of another file in place of the user's own.
    pub fn use_answer_rules(&self, path: &Path) -> Result<(), InspectorError> {
        let read = Loaded::existing(path)?;
        if let Some(problem) = read.problems.first() {
            return Err(broken(&format!("{}:{problem}", path.display())));
        }
        *lock(&self.rules.loaded) = read;
        Ok(())
    }

    /// The rules that answer questions, in their order.
    #[command(name = "get_answer_rules")]
    pub fn answer_rules(&self) -> AnswerRulesView {
        self.rules.refresh();
        self.rules.view()
    }

    /// The rules with the text of their file. Where there is none the text is empty.
    #[command(name = "get_answer_rules_text")]
    pub fn answer_rules_text(&self) -> AnswerRulesText {
        let view = self.answer_rules();
        let text = lock(&self.rules.loaded).text.clone();
        AnswerRulesText {
            hash: hash_of(&text),
            view,
            text,
        }
    }

    /// Looks at another file.
    pub fn check_answer_rules_file(&self, path: &Path) -> Result<AnswerRulesView, InspectorError> {
        let read = Loaded::existing(path)?;
        Ok(self.rules.view_of(&read.path, &read.rules, read.problems))
    }

    /// Looks at a text as if it were the file.
    #[command]
    pub fn check_answer_rules(&self, text: &str) -> AnswerRulesView {
        let path = lock(&self.rules.loaded).path.clone();
        let (rules, problems) = match RuleFile::parse(text) {
            Ok(rules) => (rules, Vec::new()),
            Err(problems) => (RuleFile::default(), problems),
        };
        self.rules.view_of(&path, &rules, problems)
    }

    /// Saves the text of the rules, in place of the one with this hash.
    ///
    /// # Errors
    /// When the text is broken, the file is another one by now, or it cannot be written.
    #[command]
    pub fn update_answer_rules(
        &self,
        text: &str,
        hash: &str,
    ) -> Result<AnswerRulesText, InspectorError> {
        if let Err(problems) = RuleFile::parse(text) {
            let first = problems.first().map(ToString::to_string);
            return Err(broken(&first.unwrap_or_default()));
        }
        let path = lock(&self.rules.loaded).path.clone();
        let failed = |source| InspectorError::Save {
            what: "The rules".to_owned(),
            source,
        };
        create_private_directory(self.core.data.directory()).map_err(failed)?;
        let is_as_read = || hash_of(&Loaded::read(path.clone()).text) == hash;
        if !sightglass_files::replace_if(&path, text.as_bytes(), is_as_read).map_err(failed)? {
            self.rules.publish_changes();
            return Err(InspectorError::InvalidInput(
                "The rules were changed by another program meanwhile. Open them again; copy your \
                 text first."
                    .to_owned(),
            ));
        }
        // Two changes within the resolution of the file's time can be of the same size.
        *lock(&self.rules.loaded) = Loaded::read(path);
        self.rules.publish();
        Ok(self.answer_rules_text())
    }

    /// A rule for questions like an open one, with the answer that was written: the content of a
    /// form, or `text` and `model` of a reply to sampling, each a JSON object. Its secrets are left
    /// out.
    #[command]
    pub fn create_rule_from_question(
        &self,
        id: u32,
        written: Option<&str>,
    ) -> Result<AnswerRuleDraft, InspectorError> {
        let open = self.core.connections.questions();
        let question = open.iter().find(|question| question.id == id);
        let rules = Arc::clone(&lock(&self.rules.loaded).rules);
        let taken = |name: &str| rules.rules.iter().any(|rule| rule.name == name);
        let made = question.ok_or(NO_RULE).and_then(|question| {
            let secret = written.map(|written| secret_members(written, &question.params));
            let secret = secret.unwrap_or_default();
            rule_for(&self.rules.asked(question), written, &secret, &taken)
        });
        match made {
            Ok(made) => Ok(AnswerRuleDraft {
                text: made.text,
                left_out: made.left_out,
            }),
            Err(reason) => Err(InspectorError::InvalidInput(reason.to_owned())),
        }
    }

    /// Says what the rules would do with a question. Nothing is sent, and nothing counted.
    pub fn try_answer_rules(
        &self,
        server: &ServerId,
        era: Era,
        method: &str,
        params: &str,
    ) -> RuleTrial {
        let rules = Arc::clone(&lock(&self.rules.loaded).rules);
        let asked = self.rules.asked_in(server, era, method, params);
        match rules.decide(&asked, &schema::conforms) {
            RuleDecision::Unmatched => RuleTrial::default(),
            RuleDecision::Ask { rule, reason } => RuleTrial {
                rule: Some(rule),
                reason,
                answer: None,
            },
            RuleDecision::Model { rule, endpoint } => RuleTrial {
                rule: Some(rule),
                reason: Some(format!("The model \u{201c}{endpoint}\u{201d} is asked.")),
                answer: None,
            },
            RuleDecision::Answer { rule, reply } => RuleTrial {
                rule: Some(rule),
                reason: None,
                answer: Some(shown(&reply, params).0),
            },
        }
    }
}

fn broken(problem: &str) -> InspectorError {
    InspectorError::InvalidInput(format!("The rules cannot be used: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_an_answer_are_masked_and_learned() {
        let reply = Reply::Result(
            r#"{"action":"accept","content":{"password":"hunter22hunter","n":1.50}}"#.to_owned(),
        );
        let (text, secrets) = shown(&reply, "{}");
        assert_eq!(
            text,
            format!(r#"{{"action":"accept","content":{{"n":1.5,"password":"{MASK}"}}}}"#)
        );
        assert_eq!(secrets, [Secret::new("hunter22hunter".to_owned())]);
    }

    #[test]
    fn a_field_with_a_secret_anywhere_in_it_is_one() {
        let params = r#"{"requestedSchema":{"properties":{
            "pin":{"type":"string","format":"password"},"keys":{"type":"array"}}}}"#;
        let written = r#"{"pin":"1","name":"Ada","password":"x","n":1,
            "keys":["a","ghp_0123456789abcdefghijABCDEFGHIJ012345"]}"#;
        assert_eq!(secret_members(written, params), ["pin", "password", "keys"]);
        assert_eq!(secret_members("[", params), [""; 0]);
        assert_eq!(shown_text("password", "x"), MASK);
        assert_eq!(shown_text("name", "Ada"), "Ada");
    }

    #[test]
    fn an_answer_without_passwords_is_shown_as_it_is() {
        let json = r#"{"action":"accept","content":{"n":12345678901234567890123}}"#;
        let (text, secrets) = shown(&Reply::Result(json.to_owned()), "{}");
        assert_eq!((text.as_str(), secrets.len()), (json, 0));
    }
}
