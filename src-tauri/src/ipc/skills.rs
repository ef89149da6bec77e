//! Commands for the skills of servers.

use sightglass_inspector::{
    ServerId,
    view::{SkillFileView, SkillListView, SkillReport, SkillView},
};

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Lists the skills of a server; `key` names the requests for cancelling.
#[tauri::command]
#[specta::specta]
pub async fn skills(
    inspector: Current,
    server: ServerId,
    key: String,
) -> CommandResult<SkillListView> {
    contained(async move { Ok(inspector.calls.skills.skills(&server, &key).await?) }).await
}

/// Returns the entry of one skill.
#[tauri::command]
#[specta::specta]
pub async fn skill(
    inspector: Current,
    server: ServerId,
    key: String,
    uri: String,
) -> CommandResult<SkillView> {
    contained(async move { Ok(inspector.calls.skills.skill(&server, &key, &uri).await?) }).await
}

/// Reads every file of a skill and holds it against the entry.
#[tauri::command]
#[specta::specta]
pub async fn verify_skill(
    inspector: Current,
    server: ServerId,
    key: String,
    uri: String,
) -> CommandResult<SkillReport> {
    contained(async move {
        Ok(inspector
            .calls
            .skills
            .verify_skill(&server, &key, &uri)
            .await?)
    })
    .await
}

/// Reads one file of a skill and holds it against the entry.
#[tauri::command]
#[specta::specta]
pub async fn read_skill_file(
    inspector: Current,
    server: ServerId,
    key: String,
    skill: String,
    file: String,
) -> CommandResult<SkillFileView> {
    contained(async move {
        Ok(inspector
            .calls
            .skills
            .read_skill_file(&server, &key, &skill, &file)
            .await?)
    })
    .await
}
