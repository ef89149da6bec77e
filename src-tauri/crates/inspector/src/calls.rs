//! Requests to a server, and answers to its own.

use std::{borrow::Cow, cell::LazyCell, sync::atomic::Ordering, time::Duration};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use sightglass_connection::{RequestReport, ServerAnswer, Verbatim};
use sightglass_model::ServerId;
use sightglass_secrets::Redactor;

use crate::{
    Inspector, InspectorError, Persistence, lock,
    result::{ResultShape, dissect},
    schema::OutputCheck,
    sensitive,
    view::{CallReport, CompletionQuery, CompletionReference},
};

/// Answers and definitions of tools up to this many bytes are read where they are awaited.
const SHORT_ANSWER: usize = 16 * 1024;

/// Time that arguments wait for others before they are written to disk.
const SAVING_DELAY: Duration = Duration::from_millis(500);

/// A request that ended, and the answer as it crossed the wire.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    pub report: CallReport,
    /// The whole JSON-RPC response, where one came. The record masks secrets; this does not.
    pub answer: Option<Bytes>,
}

impl Inspector {
    /// Sends any request. `params` is a JSON object that is sent as it is written; `key` names
    /// the request for progress and cancelling. Results of tools, resources and prompts are
    /// taken apart, other results are only in the answer.
    ///
    /// # Errors
    /// When the parameters are not a JSON object or the server is not connected. A request
    /// that was sent always ends in a report.
    pub async fn request(
        &self,
        server: &ServerId,
        key: &str,
        method: &str,
        params: &str,
    ) -> Result<Answered, InspectorError> {
        let Verbatim {
            report: request,
            answer,
        } = self
            .connections
            .request_verbatim(server, key, method, params)
            .await?;
        let Some(text) = answer.clone() else {
            let report = CallReport {
                request,
                result: None,
                error: None,
            };
            return Ok(Answered { report, answer });
        };
        let shape = ResultShape::of(method);
        let tool = (shape == Some(ResultShape::Tool))
            .then(|| self.definition(server, &tool_name(params)?))
            .flatten();
        let report = self
            .blocking(move |_| Ok(call_report(request, &text, shape, tool.as_deref())))
            .await?
            .checked()
            .await;
        Ok(Answered { report, answer })
    }

    /// Calls a tool with `arguments`, a JSON object that is sent as it is written, and
    /// remembers them for the next time. `key` names the call for progress and cancelling.
    ///
    /// # Errors
    /// When the arguments are not a JSON object or the server is not connected. A call that
    /// was sent always ends in a report.
    pub async fn call_tool(
        &self,
        server: &ServerId,
        key: &str,
        tool: &str,
        arguments: &str,
    ) -> Result<CallReport, InspectorError> {
        let object = json_object(arguments)?;
        let definition = self.definition(server, tool);
        let harmless = self.without_secrets(server, object.get(), definition.as_deref());
        self.remember_arguments(server, tool, &harmless);
        self.call_on(server, key, tool, arguments, definition).await
    }

    /// Calls a tool over the connection `server`, whatever stands behind that.
    pub(crate) async fn call_on(
        &self,
        server: &ServerId,
        key: &str,
        tool: &str,
        arguments: &str,
        definition: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let arguments = json_object(arguments)?;
        let params = to_json(&ToolParams {
            name: tool,
            arguments: &arguments,
        })?;
        let request = self
            .connections
            .request(server, key, "tools/call", &params)
            .await?;
        self.report(request, Some(ResultShape::Tool), definition)
            .await
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// When the server is not connected.
    pub async fn read_resource(
        &self,
        server: &ServerId,
        key: &str,
        uri: &str,
    ) -> Result<CallReport, InspectorError> {
        let params = to_json(&UriParams { uri })?;
        let request = self
            .connections
            .request(server, key, "resources/read", &params)
            .await?;
        self.report(request, Some(ResultShape::Resource), None)
            .await
    }

    /// Gets a prompt's messages.
    ///
    /// # Errors
    /// When the server is not connected.
    pub async fn get_prompt(
        &self,
        server: &ServerId,
        key: &str,
        prompt: &str,
        arguments: &[(String, String)],
    ) -> Result<CallReport, InspectorError> {
        let arguments = text_members(arguments);
        let params = to_json(&serde_json::json!({ "name": prompt, "arguments": arguments }))?;
        let request = self
            .connections
            .request(server, key, "prompts/get", &params)
            .await?;
        self.report(request, Some(ResultShape::Prompt), None).await
    }

    /// The values that the server suggests for an argument; none when it does not answer.
    ///
    /// # Errors
    /// When the server is not connected.
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
        let params = to_json(&serde_json::json!({
            "ref": reference,
            "argument": { "name": query.argument, "value": query.value },
            "context": { "arguments": text_members(&query.others) },
        }))?;
        let key = format!("complete {}", query.argument);
        let report = self
            .connections
            .request(server, &key, "completion/complete", &params)
            .await?;
        let Some(frame) = report.response_frame else {
            return Ok(Vec::new());
        };
        let answer = self.payload(frame).await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
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
    ///
    /// # Errors
    /// When the server is not connected or refuses.
    pub async fn subscribe_resource(
        &self,
        server: &ServerId,
        uri: &str,
    ) -> Result<(), InspectorError> {
        Ok(self.connections.subscribe(server, uri).await?)
    }

    /// Ends a subscription.
    ///
    /// # Errors
    /// When the server is not connected or refuses.
    pub async fn unsubscribe_resource(
        &self,
        server: &ServerId,
        uri: &str,
    ) -> Result<(), InspectorError> {
        Ok(self.connections.unsubscribe(server, uri).await?)
    }

    /// Sets the least severe level of log messages that the server is to send: for good in
    /// the `initialize` era, with each request from now on in the stateless one.
    ///
    /// # Errors
    /// When the server is not connected or refuses.
    pub async fn set_log_level(
        &self,
        server: &ServerId,
        level: &str,
    ) -> Result<(), InspectorError> {
        let Some(report) = self.connections.set_log_level(server, level).await? else {
            return Ok(());
        };
        let report = self.report(report, None, None).await?;
        match (report.error, report.request.message) {
            (Some(error), _) => Err(InspectorError::InvalidInput(format!(
                "The server refused: {} (code {}).",
                error.message, error.code
            ))),
            (None, Some(message)) => Err(InspectorError::InvalidInput(message)),
            (None, None) => Ok(()),
        }
    }

    /// Cancels a request that is under way. Says whether there was one.
    pub fn cancel_call(&self, server: &ServerId, key: &str) -> bool {
        self.connections.cancel(server, key)
    }

    /// Answers a request of the server's.
    ///
    /// # Errors
    /// When the question is settled already, or the answer is not JSON.
    pub fn answer_request(&self, id: u32, answer: ServerAnswer) -> Result<(), InspectorError> {
        Ok(self.connections.answer(id, answer)?)
    }

    async fn report(
        &self,
        request: RequestReport,
        shape: Option<ResultShape>,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let Some(frame) = request.response_frame else {
            return Ok(CallReport {
                request,
                result: None,
                error: None,
            });
        };
        // A short answer that has just come is taken apart at once: the hop to a thread that
        // may block, for reading and for taking apart, would take longer.
        if tool.as_ref().is_none_or(|tool| tool.len() <= SHORT_ANSWER)
            && let Some(response) = self.recorder.recent_payload(frame, SHORT_ANSWER)
        {
            return Ok(call_report(request, &response, shape, tool.as_deref())
                .checked()
                .await);
        }
        let unchecked = self
            .blocking(move |recorder| {
                let response = recorder.payload(frame)?;
                Ok(call_report(request, &response, shape, tool.as_deref()))
            })
            .await?;
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
            let spec = self.spoken_of(server);
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
        let secrets = sensitive::take_secrets(&mut value, definition, &is_known);
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
    request: RequestReport,
    response: &[u8],
    shape: Option<ResultShape>,
    tool: Option<&str>,
) -> Unchecked {
    let text = String::from_utf8_lossy(response);
    let anatomy = dissect(&text, shape);
    let mut result = anatomy.result;
    if let (Some(result), Cow::Owned(_)) = (&mut result, &text) {
        // RFC 8259, section 8.1.
        result
            .problems
            .push("The response is not valid UTF-8; what is not is shown as \u{fffd}.".to_owned());
    }
    let check = match (&result, tool) {
        (Some(result), Some(tool)) if !result.is_error => OutputCheck::of(tool, anatomy.structured),
        _ => None,
    };
    let report = CallReport {
        request,
        result,
        error: anatomy.error,
    };
    Unchecked { report, check }
}

/// The tool that the parameters of `tools/call` name.
fn tool_name(params: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(params)
        .ok()
        .map(|params| params.name)
}

#[derive(Serialize)]
struct ToolParams<'a> {
    name: &'a str,
    arguments: &'a RawValue,
}

#[derive(Serialize)]
struct UriParams<'a> {
    uri: &'a str,
}

fn text_members(members: &[(String, String)]) -> serde_json::Map<String, Value> {
    members
        .iter()
        .map(|(name, text)| (name.clone(), Value::String(text.clone())))
        .collect()
}

fn to_json(value: &impl Serialize) -> Result<String, InspectorError> {
    serde_json::to_string(value).map_err(|error| InspectorError::InvalidInput(error.to_string()))
}

/// The text as it is, once it is sure that it is one JSON object.
fn json_object(text: &str) -> Result<Box<RawValue>, InspectorError> {
    let text = text.trim();
    let value: Box<RawValue> = serde_json::from_str(text).map_err(|error| {
        InspectorError::InvalidInput(format!(
            "The arguments are not JSON: line {}, column {}.",
            error.line(),
            error.column()
        ))
    })?;
    if value.get().starts_with('{') {
        Ok(value)
    } else {
        Err(InspectorError::InvalidInput(
            "The arguments have to be a JSON object.".to_owned(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_sent_as_they_are_written() {
        let arguments = json_object(r#" {"b": 1.10, "a": 9007199254740993} "#).expect("an object");
        let params = to_json(&ToolParams {
            name: "t",
            arguments: &arguments,
        })
        .expect("JSON");
        assert_eq!(
            params,
            r#"{"name":"t","arguments":{"b": 1.10, "a": 9007199254740993}}"#
        );
    }

    #[test]
    fn arguments_that_are_no_object_are_refused_with_the_reason() {
        assert!(
            json_object("[1]")
                .expect_err("no object")
                .to_string()
                .contains("JSON object")
        );
        assert!(
            json_object("{\"a\":\n}")
                .expect_err("no JSON")
                .to_string()
                .contains("line 2")
        );
    }
}
