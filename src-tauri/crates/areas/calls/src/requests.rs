//! Requests to a server, and answers to its own.

mod as_identity;

use std::sync::Arc;

use serde_json::Value;
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{CallReport, CompletionQuery, CompletionReference, SchemaCheck, TaskRequest},
};
use sightglass_area_servers::{
    lifecycle::ServerLifecycle, open_connections::OpenConnections, server_names::ServerNames,
    sidebar::Sidebar, sign_in_target::SignInTargets,
};
use sightglass_connection::{ConnectionKey, Params, RequestOutcome, ServerAnswer};
use sightglass_model::{ServerId, command_line};
use sightglass_questions::sampling_problem;

use crate::{
    call_reports::CallReports,
    confirmation::{Confirmations, Consent, PendingCall},
    remembered_arguments::SavedArguments,
    result::ResultShape,
    schema,
    tasks::ServerTasks,
};

/// Requests to a server, and answers to its own.
pub struct McpRequests {
    pub(crate) core: Arc<Core>,
    pub(crate) reports: Arc<CallReports>,
    pub(crate) confirmations: Arc<Confirmations>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) arguments: Arc<SavedArguments>,
    pub(crate) names: Arc<ServerNames>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    pub(crate) sidebar: Arc<Sidebar>,
    pub(crate) sign_in_targets: Arc<SignInTargets>,
    pub(crate) tasks: Arc<ServerTasks>,
}

#[commands]
impl McpRequests {
    /// Returns the command that makes the same call of a tool in a terminal. `input` is the
    /// arguments, a JSON object.
    #[command(name = "get_tool_call_command")]
    pub fn tool_call_command(&self, server: &ServerId, tool: &str, input: &str) -> String {
        let project = self.core.project().display().to_string();
        let servers = self.sidebar.server_views();
        let shown = servers.iter().find(|known| known.id == *server);
        let target = shown
            .map(|known| known.name.as_str())
            .filter(|name| !name.starts_with('-') && !name.contains("://"))
            .filter(|name| {
                self.names
                    .find_server(name)
                    .is_ok_and(|found| found == *server)
            })
            .unwrap_or(server.as_str());
        // A tool may be called as an option is.
        let option = format!("--tool={tool}");
        let tool = if tool.starts_with('-') { &option } else { tool };
        let call = ["sightglass-cli", "tools", "call", target, tool, input];
        command_line(call.into_iter().chain(["--project", &project]))
    }

    /// Sends any request; `key` names it for progress and cancelling. Results of tools, resources
    /// and prompts are taken apart, other results are only in the response.
    ///
    /// The report is that of the response as it crossed the wire, which it brings along: the
    /// command line prints it. The window takes the response as it is on record.
    ///
    /// # Errors
    /// When the server is not connected, or the call of a tool was not confirmed. A request that
    /// was sent always ends in a report.
    pub async fn request(
        &self,
        server: &ServerId,
        key: &str,
        method: &str,
        params: &Params,
        consent: Consent,
    ) -> Result<CallReport, InspectorError> {
        let (tool, definition) = if method == "tools/call" {
            let call = PendingCall::once(server, key, params);
            let called = self.confirmations.confirm_call(call, consent).await?;
            (called.tool, called.definition)
        } else {
            (None, None)
        };
        let connections = &self.core.connections;
        let outcome = connections.request(server, key, method, params).await?;
        let text = outcome
            .response
            .as_ref()
            .map(|response| response.text.clone());
        let report = self
            .reports
            .report(outcome, text, ResultShape::of(method), definition)
            .await?;
        self.tasks.record_created_task(server, key, tool, &report);
        Ok(report)
    }

    /// Calls a tool with `input`, its arguments as a JSON object that is sent as it is written, and
    /// remembers them for the next time. `key` names the call for progress and cancelling. With
    /// `task` the server is asked to make a task of it (MCP 2025-11-25, Tasks); it may make one
    /// by itself (SEP-2663). The report has no result then, but the task. `shown` is the definition
    /// of the tool that the user saw, as JSON.
    ///
    /// # Errors
    /// When the arguments are not a JSON object, the server is not connected, the tool is defined
    /// otherwise than was shown, or the call was not confirmed. A call that was sent always ends in
    /// a report.
    #[command]
    pub async fn call_tool(
        &self,
        server: &ServerId,
        key: &str,
        tool: &str,
        input: &str,
        task: Option<TaskRequest>,
        shown: Option<&str>,
    ) -> Result<CallReport, InspectorError> {
        let parsed = Params::parse(input)?;
        let params = match task {
            Some(task) => Params::tool_call_as_task(tool, &parsed, task.ttl_ms),
            None => Params::tool_call(tool, &parsed),
        };
        let call = PendingCall {
            shown,
            ..PendingCall::once(server, key, &params)
        };
        let called = self.confirmations.confirm_call(call, Consent::None).await?;
        let harmless =
            self.arguments
                .without_secrets(server, input.trim(), called.definition.as_deref());
        self.arguments.remember_arguments(server, tool, &harmless);
        let report = self
            .request_masked(server, key, "tools/call", &params, called.definition)
            .await?;
        self.tasks
            .record_created_task(server, key, called.tool, &report);
        Ok(report)
    }

    /// Checks a value that is being written against the JSON Schema that it has to follow, both
    /// JSON.
    #[command]
    pub async fn check_value(&self, schema: String, value: String) -> SchemaCheck {
        schema::check_value(schema, value).await
    }

    /// Sends the request that reads a resource.
    pub async fn send_read(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
    ) -> Result<RequestOutcome, InspectorError> {
        let params = object(&[("uri", uri.into())]);
        let connections = &self.core.connections;
        let sent = connections.request(server, key, "resources/read", &params);
        Ok(sent.await?)
    }

    /// Reports what reading a resource brought.
    pub async fn read_report(&self, outcome: RequestOutcome) -> Result<CallReport, InspectorError> {
        self.reports
            .masked_report(outcome, Some(ResultShape::Resource), None)
            .await
    }

    /// Gets a prompt's messages.
    #[command]
    pub async fn get_prompt(
        &self,
        server: &ServerId,
        key: &str,
        prompt: &str,
        input: &[(String, String)],
    ) -> Result<CallReport, InspectorError> {
        let params = object(&[
            ("name", prompt.into()),
            ("arguments", text_members(input).into()),
        ]);
        self.request_masked(server, key, "prompts/get", &params, None)
            .await
    }

    /// The values that the server suggests for an argument; none when it does not answer.
    #[command]
    pub async fn complete(
        &self,
        server: &ServerId,
        query: &CompletionQuery,
    ) -> Result<Vec<String>, InspectorError> {
        let reference = match &query.reference {
            CompletionReference::Prompt { name } => {
                serde_json::json!({ "type": "ref/prompt", "name": name })
            }
            CompletionReference::Template { uri } => {
                serde_json::json!({ "type": "ref/resource", "uri": uri })
            }
        };
        let params = object(&[
            ("ref", reference),
            (
                "argument",
                serde_json::json!({ "name": query.argument, "value": query.value }),
            ),
            (
                "context",
                serde_json::json!({ "arguments": text_members(&query.others) }),
            ),
        ]);
        let key = format!("complete {}", query.argument);
        let connections = &self.core.connections;
        let sent = connections.request(server, &key, "completion/complete", &params);
        let outcome = sent.await?;
        let Some(response) = outcome.response else {
            return Ok(Vec::new());
        };
        let answer: Value = serde_json::from_slice(&response.recorded).unwrap_or_default();
        let values = answer
            .pointer("/result/completion/values")
            .and_then(Value::as_array);
        Ok(values
            .into_iter()
            .flatten()
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect())
    }

    /// Asks to be told when a resource changes.
    #[command]
    pub async fn subscribe_resource(
        &self,
        server: &ServerId,
        uri: &str,
    ) -> Result<(), InspectorError> {
        Ok(self.core.connections.subscribe(server, uri).await?)
    }

    /// Ends a subscription.
    #[command]
    pub async fn unsubscribe_resource(
        &self,
        server: &ServerId,
        uri: &str,
    ) -> Result<(), InspectorError> {
        Ok(self.core.connections.unsubscribe(server, uri).await?)
    }

    /// Sets the least severe level of log messages that the server is to send: for good in
    /// the `initialize` era, with each request from now on in the stateless one.
    #[command]
    pub async fn set_log_level(
        &self,
        server: &ServerId,
        level: &str,
    ) -> Result<(), InspectorError> {
        let Some(outcome) = self.core.connections.set_log_level(server, level).await? else {
            return Ok(());
        };
        let report = self.reports.masked_report(outcome, None, None).await?;
        match (report.error, report.request.message) {
            (Some(error), _) => Err(InspectorError::BadAnswer(format!(
                "The server refused: {} (code {}).",
                error.message, error.code
            ))),
            (None, Some(message)) => Err(InspectorError::Unanswered {
                end: report.request.end,
                message,
            }),
            (None, None) => Ok(()),
        }
    }

    /// Cancels a request that is under way, or a call that waits to be confirmed. Says whether there
    /// was one.
    #[command]
    pub fn cancel_call(&self, server: &ServerId, key: &str) -> bool {
        self.confirmations.cancel_waiting(server, key) || self.core.connections.cancel(server, key)
    }

    /// Answers a question of the server's.
    ///
    /// # Errors
    /// When the question is settled already, the answer is not JSON, or it is an answer to a
    /// sampling request that the specification does not allow.
    #[command]
    pub fn answer_question(&self, id: u32, answer: ServerAnswer) -> Result<(), InspectorError> {
        let open = self.core.connections.questions();
        if let ServerAnswer::Result { json } = &answer
            && let Some(question) = open.iter().find(|question| question.id == id)
            && question.method == "sampling/createMessage"
            && let Some(problem) = sampling_problem(&question.params, json)
        {
            return Err(InspectorError::InvalidInput(problem));
        }
        Ok(self.core.connections.answer(id, answer)?)
    }

    /// Sends a request of the user's over a connection, and reports the response.
    async fn request_masked(
        &self,
        connection: impl Into<ConnectionKey>,
        key: &str,
        method: &str,
        params: &Params,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let connections = &self.core.connections;
        let sent = connections.request(connection, key, method, params);
        let outcome = sent.await?;
        self.reports
            .masked_report(outcome, ResultShape::of(method), tool)
            .await
    }
}

fn text_members(members: &[(String, String)]) -> serde_json::Map<String, Value> {
    members
        .iter()
        .map(|(name, text)| (name.clone(), Value::String(text.clone())))
        .collect()
}

/// Makes parameters of values.
fn object(members: &[(&str, Value)]) -> Params {
    let members: Vec<(&str, String)> = members
        .iter()
        .map(|(name, value)| (*name, value.to_string()))
        .collect();
    let members: Vec<(&str, &str)> = members
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    Params::object(&members)
}
