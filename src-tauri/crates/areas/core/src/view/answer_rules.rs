//! Rules that answer questions of servers, for showing and editing them.

use serde::Serialize;
use sightglass_requests::RequestProblem;

/// The rules that answer questions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, specta::Type)]
pub struct AnswerRulesView {
    /// The file that they are in, whether it exists or not.
    pub path: String,
    /// Everything that is wrong with the file. While there is something, no rule answers.
    pub problems: Vec<RequestProblem>,
    /// In the order in which they are looked at.
    pub rules: Vec<AnswerRuleView>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct AnswerRuleView {
    pub name: String,
    /// Line of its name in the file, from 1.
    pub line: u32,
    /// The questions that it is about, in one line.
    pub conditions: String,
    /// The answer that it gives, in a few words, with secrets masked.
    pub answer: String,
    /// Number of its answers since the program started.
    pub fired: u32,
}

/// The rules with the text of their file.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct AnswerRulesText {
    pub view: AnswerRulesView,
    pub text: String,
    /// SHA-256 of the text, in hexadecimal digits: what a change starts from.
    pub hash: String,
}

/// A rule that was made of a question and is not saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AnswerRuleDraft {
    /// To be put at the end of the file.
    pub text: String,
    /// The fields that were written and that it does not answer: secrets, and what no rule can hold.
    pub left_out: Vec<String>,
}

/// Decision of the rules about a question that was not asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RuleTrial {
    /// The rule that is about it.
    pub rule: Option<String>,
    /// Reason why the rule leaves it to the user although it would answer, as a sentence.
    pub reason: Option<String>,
    /// The `result` or `error` that would be sent, as JSON, with passwords masked.
    pub answer: Option<String>,
}
