//! Tells which servers there are, whether they are up, and why not.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};
use sightglass_inspector::{
    AuthView, SignInRequest, SignInState, SignInView, brief, view::ServerView, visible,
};

use super::{MAX_ROWS, page, text_of};
use crate::{reach::ServingError, serving::Serving};

/// Characters of what a server wrote that stand in a row.
const MAX_LINE: usize = 300;
/// Lines of its output.
const MAX_OUTPUT: usize = 20;
/// Time in which the address to sign in at is known: discovery and registration come before.
const ADDRESS_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfServer {
    pub server: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedServers {
    filter: Option<String>,
    #[serde(default)]
    offset: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainedServer {
    server: String,
    #[serde(default)]
    examine: bool,
}

/// Lists servers.
pub fn list(serving: &Serving, wanted: ListedServers) -> Result<String, ServingError> {
    let filter = wanted.filter.unwrap_or_default().to_lowercase();
    let views = serving.inspector.servers.sidebar.server_views();
    let found: Vec<&ServerView> = views
        .iter()
        .filter(|view| view.name.to_lowercase().contains(&filter))
        .collect();
    let rows = found
        .iter()
        .skip(wanted.offset as usize)
        .take(MAX_ROWS as usize)
        .map(|view| row(view))
        .collect();
    text_of(&page("servers", rows, wanted.offset, found.len()))
}

fn row(view: &ServerView) -> Value {
    let mut row = json!({
        "server": view.id,
        "name": visible(&view.name),
        "client": view.client_title,
        "scope": view.scope_title,
        "transport": view.transport,
        "reached_by": brief(&visible(&view.summary), MAX_LINE),
        "phase": view.status.phase,
    });
    if view.disabled {
        row["disabled"] = json!(true);
    }
    if let Some(failure) = &view.status.failure {
        row["reason"] = json!(failure.reason);
        row["next_step"] = json!(failure.hint.text);
    }
    if let Some(obstacle) = &view.obstacle {
        row["obstacle"] = json!(obstacle);
    }
    for problem in view.problems.iter().take(1) {
        row["problem"] = json!(problem.message);
    }
    let counts: Vec<Value> = view
        .lists
        .iter()
        .filter(|list| list.count > 0)
        .map(|list| json!({ "list": list.list, "count": list.count }))
        .collect();
    if !counts.is_empty() {
        row["lists"] = json!(counts);
    }
    row
}

/// Explains the state of a server.
pub async fn explain(serving: &Serving, wanted: ExplainedServer) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    let examined = match wanted.examine {
        true => {
            serving.reach.check_itself(&server)?;
            let doctor = &serving.inspector.checks.doctor;
            let report = doctor.run_doctor(&server).await?;
            serving.outgoing.secrets_changed();
            Some(report)
        }
        false => None,
    };
    let view = serving.inspector.servers.sidebar.shown_server(&server);
    let mut explained = view
        .as_ref()
        .map_or_else(|| json!({ "server": server }), row);
    let status = serving.inspector.servers.open_connections.status(&server);
    explained["phases"] = status
        .timeline
        .iter()
        .map(|record| {
            json!({
                "phase": record.phase,
                "milliseconds": record.duration,
                "detail": record.detail,
            })
        })
        .collect();
    if let Some(reconnection) = &status.reconnection {
        explained["reconnection"] = json!(reconnection);
    }
    if let Some(failure) = &status.failure {
        explained["headline"] = json!(failure.headline);
        explained["evidence"] = json!(failure.trace);
    }
    if let Some(told) = &status.handshake {
        explained["from_server"] = json!({
            "name": told.server_name,
            "version": told.server_version,
            "instructions": told.instructions.as_deref().map(|words| brief(words, 2_000)),
        });
    }
    let output = &status.output;
    let last = output.len().saturating_sub(MAX_OUTPUT);
    let lines: Vec<_> = output[last..]
        .iter()
        .map(|line| brief(line, MAX_LINE).into_owned())
        .collect();
    if !lines.is_empty() {
        explained["output_from_server"] = json!(lines);
    }
    if let Some(report) = examined {
        explained["doctor"] = json!({
            "cause": report.cause,
            "checks": report.checks,
            "next_step": report.failure.map(|failure| failure.hint.text),
            "other_address": report.other_address,
        });
    }
    let text = explained.to_string();
    Ok(serving.outgoing.masked_of(&server, &text))
}

/// Explains which file defines a server, and why that one.
pub fn explain_config(serving: &Serving, wanted: OfServer) -> Result<String, ServingError> {
    let inspector = &serving.inspector;
    let name = match serving.reach.server(&wanted.server) {
        Ok(server) => server.name().to_owned(),
        Err(_) => wanted.server.clone(),
    };
    let view = inspector.servers.projection.configuration();
    let clients = view
        .clients
        .iter()
        .filter(|client| client.servers.iter().any(|server| server.name == name));
    let mut explanations = Vec::new();
    for client in clients {
        let explained = &inspector.setup.explanations;
        let explanation = explained.explain_configuration(client.client, &name)?;
        explanations.push(json!({
            "client": explanation.client.title(),
            "state": explanation.state,
            "sentences": explanation.sentences,
            "definitions": explanation.definitions,
            "differences": explanation.fields.iter().filter(|field| field.differs).collect::<Vec<_>>(),
            "problems": explanation.problems,
        }));
    }
    match explanations.is_empty() {
        true => Err(ServingError::Arguments(format!(
            "No client has a server named {name}. list_servers lists those that there are."
        ))),
        false => text_of(&json!({ "explanations": explanations })),
    }
}

/// Connects to a server.
pub async fn connect(serving: &Serving, wanted: OfServer) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    serving.reach.ready(&server).await?;
    let view = serving.inspector.servers.sidebar.shown_server(&server);
    text_of(
        &view
            .as_ref()
            .map_or_else(|| json!({ "server": server }), row),
    )
}

/// Closes the connection to a server.
pub async fn disconnect(serving: &Serving, wanted: OfServer) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    let connections = &serving.inspector.servers.open_connections;
    connections.disconnect(&server).await;
    text_of(&json!({ "server": server, "phase": serving.reach.phase(&server) }))
}

/// Begins to sign in, and returns the address for it. One that waits for the user is left as it is.
pub async fn sign_in(serving: &Arc<Serving>, wanted: OfServer) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    let area = &serving.inspector.sign_in;
    let mut facts = serving.inspector.subscribe();
    let before = area.auth_view(&server).await?;
    if waiting_address(&before).is_none() {
        area.sign_in(&server, SignInRequest::default())?;
    }
    let told = async {
        loop {
            let view = area.auth_view(&server).await?;
            if let Some(told) = view.attempt.as_ref().and_then(told) {
                return Ok(told);
            }
            if facts.next_batch().await.is_none() {
                return Err(ServingError::Arguments("Sightglass is ending.".to_owned()));
            }
        }
    };
    let told = tokio::time::timeout(ADDRESS_TIMEOUT, told).await;
    serving.outgoing.secrets_changed();
    match told {
        Ok(told) => text_of(&told?),
        Err(_) => text_of(&json!({
            "state": "running",
            "next_step": "The authorization server has not answered yet. Call sign_in again.",
        })),
    }
}

fn waiting_address(view: &AuthView) -> Option<&str> {
    let attempt = view.attempt.as_ref()?;
    let waits = attempt.state == SignInState::WaitingForBrowser;
    attempt.address.as_deref().filter(|_| waits)
}

/// Returns what there is to tell of a sign-in, once there is something.
fn told(attempt: &SignInView) -> Option<Value> {
    match attempt.state {
        SignInState::WaitingForBrowser => Some(json!({
            "state": attempt.state,
            "address": attempt.address.as_deref()?,
            "until": attempt.deadline,
            "next_step": "Ask the user to open this address in a browser on this machine. Then \
                          list_servers says when the server is up.",
        })),
        SignInState::WaitingForAgreement => Some(json!({
            "state": attempt.state,
            "next_step": "The user has to agree to the authorization server first: in the window, or \
                          with `sightglass-cli login`.",
        })),
        SignInState::WaitingForKeychain => Some(json!({
            "state": attempt.state,
            "next_step": "The keychain asks the user to unlock it.",
        })),
        state if state.is_over() => Some(json!({
            "state": state,
            "problem": attempt.failure.as_ref().map(|failure| &failure.message),
        })),
        _ => None,
    }
}
