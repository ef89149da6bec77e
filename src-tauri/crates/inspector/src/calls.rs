//! Requests to a server, and answers to its own.

use std::{borrow::Cow, cell::LazyCell, sync::atomic::Ordering, time::Duration};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use sightglass_connection::{Params, RequestOutcome, ServerAnswer, TaskFacts};
use sightglass_model::{ServerId, command_line};
use sightglass_questions::sampling_problem;
use sightglass_secrets::Redactor;

use crate::{
    Consent, Inspector, InspectorError, Persistence,
    confirmation::PendingCall,
    lock,
    result::{ResultShape, parse_response},
    schema::OutputCheck,
    sensitive,
    view::{CallReport, CompletionQuery, CompletionReference, TaskRequest},
};

/// Answers and definitions of tools up to this many bytes are taken apart on the caller's task:
/// the hop to a thread that may block would take longer.
const MAX_INLINE_BYTES: usize = 16 * 1024;

/// Time that arguments wait for others before they are written to disk.
const SAVING_DELAY: Duration = Duration::from_millis(500);

impl Inspector {
    /// Returns the command that makes the same call of a tool in a terminal. `input` is the
    /// arguments, a JSON object.
    pub fn tool_call_command(&self, server: &ServerId, tool: &str, input: &str) -> String {
        let project = self.project().display().to_string();
        let servers = self.snapshot().servers;
        let shown = servers.iter().find(|known| known.id == *server);
        let target = shown
            .map(|known| known.name.as_str())
            .filter(|name| !name.starts_with('-') && !name.contains("://"))
            .filter(|name| self.find_server(name).is_ok_and(|found| found == *server))
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
        if method == "tools/call" {
            let call = PendingCall::once(server, key, params);
            self.confirm_call(call, consent).await?;
        }
        let shape = ResultShape::of(method);
        let tool = (shape == Some(ResultShape::Tool))
            .then(|| self.definition(server, &tool_name(params)?))
            .flatten();
        let outcome = self
            .connections
            .request(server, key, method, params)
            .await?;
        let text = outcome
            .response
            .as_ref()
            .map(|response| response.text.clone());
        let report = self.report(outcome, text, shape, tool).await?;
        self.record_created_task(server, key, params, &report);
        Ok(report)
    }

    /// Calls a tool with `arguments`, a JSON object that is sent as it is written, and
    /// remembers them for the next time. `key` names the call for progress and cancelling. The
    /// server may make a task of it (SEP-2663): the report has no result then, but the task.
    ///
    /// # Errors
    /// When the arguments are not a JSON object, the server is not connected, or the call was not
    /// confirmed. A call that was sent always ends in a report.
    pub async fn call_tool(
        &self,
        server: &ServerId,
        key: &str,
        tool: &str,
        arguments: &str,
    ) -> Result<CallReport, InspectorError> {
        let params = Params::tool_call(tool, &Params::parse(arguments)?);
        self.send_tool_call(server, key, tool, arguments, params)
            .await
    }

    /// Calls a tool and asks the server to make a task of it (MCP 2025-11-25, Tasks).
    pub async fn call_tool_as_task(
        &self,
        server: &ServerId,
        key: &str,
        tool: &str,
        arguments: &str,
        task: TaskRequest,
    ) -> Result<CallReport, InspectorError> {
        let params = Params::tool_call_as_task(tool, &Params::parse(arguments)?, task.ttl_ms);
        self.send_tool_call(server, key, tool, arguments, params)
            .await
    }

    async fn send_tool_call(
        &self,
        server: &ServerId,
        key: &str,
        tool: &str,
        arguments: &str,
        params: Params,
    ) -> Result<CallReport, InspectorError> {
        let call = PendingCall::once(server, key, &params);
        self.confirm_call(call, Consent::None).await?;
        let definition = self.definition(server, tool);
        let harmless = self.without_secrets(server, arguments.trim(), definition.as_deref());
        self.remember_arguments(server, tool, &harmless);
        let report = self
            .request_masked(server, key, "tools/call", &params, definition)
            .await?;
        self.record_created_task(server, key, &params, &report);
        Ok(report)
    }

    /// Sends the request that reads a resource.
    pub(crate) async fn send_read(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
    ) -> Result<RequestOutcome, InspectorError> {
        let params = object(&[("uri", uri.into())]);
        let sent = self
            .connections
            .request(server, key, "resources/read", &params);
        Ok(sent.await?)
    }

    /// Reports what reading a resource brought.
    pub(crate) async fn read_report(
        &self,
        outcome: RequestOutcome,
    ) -> Result<CallReport, InspectorError> {
        self.masked_report(outcome, Some(ResultShape::Resource), None)
            .await
    }

    /// Gets a prompt's messages.
    pub async fn get_prompt(
        &self,
        server: &ServerId,
        key: &str,
        prompt: &str,
        arguments: &[(String, String)],
    ) -> Result<CallReport, InspectorError> {
        let params = object(&[
            ("name", prompt.into()),
            ("arguments", text_members(arguments).into()),
        ]);
        self.request_masked(server, key, "prompts/get", &params, None)
            .await
    }

    /// The values that the server suggests for an argument; none when it does not answer.
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
        let outcome = self
            .connections
            .request(server, &key, "completion/complete", &params)
            .await?;
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
    pub async fn subscribe_resource(
        &self,
        server: &ServerId,
        uri: &str,
    ) -> Result<(), InspectorError> {
        Ok(self.connections.subscribe(server, uri).await?)
    }

    /// Ends a subscription.
    pub async fn unsubscribe_resource(
        &self,
        server: &ServerId,
        uri: &str,
    ) -> Result<(), InspectorError> {
        Ok(self.connections.unsubscribe(server, uri).await?)
    }

    /// Sets the least severe level of log messages that the server is to send: for good in
    /// the `initialize` era, with each request from now on in the stateless one.
    pub async fn set_log_level(
        &self,
        server: &ServerId,
        level: &str,
    ) -> Result<(), InspectorError> {
        let Some(outcome) = self.connections.set_log_level(server, level).await? else {
            return Ok(());
        };
        let report = self.masked_report(outcome, None, None).await?;
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
    pub fn cancel_call(&self, server: &ServerId, key: &str) -> bool {
        self.cancel_waiting(server, key) || self.connections.cancel(server, key)
    }

    /// Answers a request of the server's.
    ///
    /// # Errors
    /// When the question is settled already, the answer is not JSON, or it is an answer to a
    /// sampling request that the specification does not allow.
    pub fn answer_request(&self, id: u32, answer: ServerAnswer) -> Result<(), InspectorError> {
        let open = self.connections.requests();
        if let ServerAnswer::Result { json } = &answer
            && let Some(question) = open.iter().find(|question| question.id == id)
            && question.method == "sampling/createMessage"
            && let Some(problem) = sampling_problem(&question.params, json)
        {
            return Err(InspectorError::InvalidInput(problem));
        }
        Ok(self.connections.answer(id, answer)?)
    }

    /// Sends a request of the window's over the connection `server`, whatever stands behind that.
    pub(crate) async fn request_masked(
        &self,
        server: &ServerId,
        key: &str,
        method: &str,
        params: &Params,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let outcome = self
            .connections
            .request(server, key, method, params)
            .await?;
        self.masked_report(outcome, ResultShape::of(method), tool)
            .await
    }

    /// Reports a response as it is on record, with secrets masked.
    pub(crate) async fn masked_report(
        &self,
        mut outcome: RequestOutcome,
        shape: Option<ResultShape>,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let text = outcome.response.take().map(|response| response.recorded);
        self.report(outcome, text, shape, tool).await
    }

    pub(crate) async fn report(
        &self,
        request: RequestOutcome,
        text: Option<Bytes>,
        shape: Option<ResultShape>,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let Some(text) = text else {
            return Ok(CallReport {
                request,
                result: None,
                error: None,
                task: None,
                freshness: None,
            });
        };
        let is_short = text.len().max(tool.as_deref().map_or(0, str::len)) <= MAX_INLINE_BYTES;
        let mut unchecked = if is_short {
            call_report(request, &text, shape, tool.as_deref())
        } else {
            self.blocking(move |_| Ok(call_report(request, &text, shape, tool.as_deref())))
                .await?
        };
        if shape == Some(ResultShape::Tool)
            && let Some(result) = &mut unchecked.report.result
        {
            result.client_limits = self.exceeded_limits(result);
            result.client_images = self.withheld_images(result);
        }
        Ok(unchecked.checked().await)
    }

    /// The arguments of a call without the secrets in them, which are masked in the record from
    /// now on.
    fn without_secrets<'a>(
        &self,
        server: &ServerId,
        arguments: &'a str,
        definition: Option<&str>,
    ) -> Cow<'a, str> {
        let of_spec = LazyCell::new(|| {
            let spec = self.resolved_spec(server);
            Redactor::new(spec.map(|spec| spec.secrets()).unwrap_or_default())
        });
        let is_known = |text: &str| match self.connections.masked(server, text) {
            Some(masked) => masked != text,
            // It was never connected to.
            None => of_spec.bytes(text.as_bytes()).is_some(),
        };
        let Ok(mut value) = serde_json::from_str::<Value>(arguments) else {
            return Cow::Borrowed(arguments);
        };
        let before = value.clone();
        let secrets = sensitive::extract_secrets(&mut value, definition, &is_known);
        self.connections.learn(server, &secrets);
        if value == before {
            // As it is written: numbers may have more digits than are read here.
            Cow::Borrowed(arguments)
        } else {
            Cow::Owned(value.to_string())
        }
    }

    /// Remembers the arguments at once, and writes them to disk a little later: writing a
    /// file takes longer than many a call.
    fn remember_arguments(&self, server: &ServerId, tool: &str, arguments: &str) {
        if !self.server_settings(server).record {
            return;
        }
        {
            let mut remembered = lock(&self.remembered);
            if self.options.persistence == Persistence::Nothing
                || remembered.get(server, tool) == Some(arguments)
            {
                return;
            }
            remembered.remember(server, tool, arguments);
        }
        if self.unsaved_arguments.swap(true, Ordering::AcqRel) {
            return;
        }
        let inspector = self.this.clone();
        tokio::spawn(async move {
            tokio::time::sleep(SAVING_DELAY).await;
            let Some(inspector) = inspector.upgrade() else {
                return;
            };
            // Only a closing application interrupts this, and that saves them itself.
            let _ = tokio::task::spawn_blocking(move || inspector.save_arguments()).await;
        });
    }

    /// Writes the remembered arguments to disk when they changed since they last were.
    pub(crate) fn save_arguments(&self) {
        if !self.unsaved_arguments.swap(false, Ordering::AcqRel) {
            return;
        }
        let remembered = lock(&self.remembered).clone();
        if let Err(error) = self.data.write_arguments(&remembered) {
            tracing::warn!("{error}");
        }
    }
}

/// A response that was taken apart, and the check that its report still lacks.
struct Unchecked {
    report: CallReport,
    check: Option<OutputCheck>,
}

impl Unchecked {
    /// Adds whether the result is as the tool's output schema says.
    async fn checked(mut self) -> CallReport {
        if let (Some(result), Some(check)) = (&mut self.report.result, self.check) {
            result.schema_check = Some(check.run().await);
        }
        self.report
    }
}

/// Takes a response apart.
fn call_report(
    request: RequestOutcome,
    response: &[u8],
    shape: Option<ResultShape>,
    tool: Option<&str>,
) -> Unchecked {
    let text = String::from_utf8_lossy(response);
    let task = (shape == Some(ResultShape::Tool))
        .then(|| TaskFacts::created(&text))
        .flatten();
    if task.is_some() {
        let report = CallReport {
            request,
            result: None,
            error: None,
            task,
            freshness: None,
        };
        return Unchecked {
            report,
            check: None,
        };
    }
    let parsed = parse_response(&text, shape);
    let mut result = parsed.result;
    if let (Some(result), Cow::Owned(_)) = (&mut result, &text) {
        // RFC 8259, section 8.1.
        result
            .problems
            .push("The response is not valid UTF-8; what is not is shown as \u{fffd}.".to_owned());
    }
    let check = match (&result, tool) {
        (Some(result), Some(tool)) if !result.is_error => OutputCheck::of(tool, parsed.structured),
        _ => None,
    };
    let report = CallReport {
        request,
        result,
        error: parsed.error,
        task: None,
        freshness: None,
    };
    Unchecked { report, check }
}

/// The tool that the parameters of `tools/call` name.
pub(crate) fn tool_name(params: &Params) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(params.text())
        .ok()
        .map(|params| params.name)
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
