//! Commands for the rules that answer questions of servers.

use sightglass_inspector::view::{AnswerRulesText, AnswerRulesView};

use crate::error::{CommandResult, blocking};
use crate::projects::Current;

/// The rules that answer questions, in their order.
#[tauri::command]
#[specta::specta]
pub async fn answer_rules(inspector: Current) -> CommandResult<AnswerRulesView> {
    blocking(&inspector, |inspector| {
        Ok(inspector.calls.answer_rules.answer_rules())
    })
    .await
}

/// The rules with the text of their file.
#[tauri::command]
#[specta::specta]
pub async fn answer_rules_text(inspector: Current) -> CommandResult<AnswerRulesText> {
    blocking(&inspector, |inspector| {
        Ok(inspector.calls.answer_rules.answer_rules_text())
    })
    .await
}

/// Looks at a text as if it were the file of the rules.
#[tauri::command]
#[specta::specta]
pub async fn check_answer_rules(
    inspector: Current,
    text: String,
) -> CommandResult<AnswerRulesView> {
    blocking(&inspector, move |inspector| {
        Ok(inspector.calls.answer_rules.check_answer_rules(&text))
    })
    .await
}

/// Saves the text of the rules, in place of the one with this hash.
#[tauri::command]
#[specta::specta]
pub async fn save_answer_rules(
    inspector: Current,
    text: String,
    hash: String,
) -> CommandResult<AnswerRulesText> {
    blocking(&inspector, move |inspector| {
        inspector.calls.answer_rules.save_answer_rules(&text, &hash)
    })
    .await
}

/// The text of a rule for questions like an open one. `content` is the JSON object that was written
/// as its answer so far.
#[tauri::command]
#[specta::specta]
pub async fn rule_from_question(
    inspector: Current,
    id: u32,
    content: Option<String>,
) -> CommandResult<String> {
    blocking(&inspector, move |inspector| {
        inspector
            .calls
            .answer_rules
            .rule_from_question(id, content.as_deref())
    })
    .await
}
