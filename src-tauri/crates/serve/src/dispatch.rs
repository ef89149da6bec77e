//! Dispatches a message of an agent to what handles it.

use std::sync::Arc;

use sightglass_inspector::{Era, ListKind};
use sightglass_json_text::{Members, object, quoted};

use crate::{
    agent::{Agent, AgentRequest, AgentSink, RunningForAgent},
    handshake,
    listening::ListChanges,
    message::{self, AgentMessage, RefusedRequest, error_response, response},
    protocol::{META_PROTOCOL_VERSION, META_SUBSCRIPTION_ID, RESERVED_PREFIX, code},
    serving::Serving,
    tools,
};

/// Handles a message, and answers to `sink`. What takes time goes on by itself, but for `initialize`.
pub async fn accept(serving: &Arc<Serving>, agent: &Arc<Agent>, sink: &AgentSink, text: &str) {
    match message::read(text) {
        Ok(AgentMessage::Request { id, method, params }) => {
            let running = match agent.begin(id) {
                Ok(running) => running,
                Err(refused) => {
                    let error = error_response(Some(id), &refused.text());
                    return sink.send(error).await;
                }
            };
            let asked = AskedOfUs {
                agent: Arc::clone(agent),
                sink: sink.clone(),
                id: id.to_owned(),
                method,
                params: params.map(str::to_owned),
            };
            let begins_session = asked.method == "initialize";
            let answered = answer(Arc::clone(serving), running, asked);
            match begins_session {
                // What follows it belongs to the session that it begins.
                true => answered.await,
                false => drop(tokio::spawn(answered)),
            }
        }
        Ok(AgentMessage::Notification { method, params }) => {
            if method == "notifications/cancelled"
                && let Some(members) = params.and_then(|params| Members::parse(params).ok())
                && let Some(id) = members.given("requestId")
            {
                agent.cancel(id);
            }
        }
        Ok(AgentMessage::Answer { id, outcome }) => agent.answered(id, outcome),
        Err((id, refused)) => sink.send(error_response(id, &refused.text())).await,
    }
}

/// A request as it came.
struct AskedOfUs {
    agent: Arc<Agent>,
    sink: AgentSink,
    id: String,
    method: String,
    params: Option<String>,
}

/// Answers a request, unless it is cancelled.
async fn answer(serving: Arc<Serving>, running: RunningForAgent, asked: AskedOfUs) {
    let answered = tokio::select! {
        biased;
        () = running.cancelled.cancelled() => None,
        answered = result(&serving, &asked) => Some(answered),
    };
    let text = match answered {
        // The agent does not wait any more (MCP, Cancellation).
        None => return,
        Some(Ok((result, era))) => response(&asked.id, &handshake::stamped(&result, era)),
        Some(Err(refused)) => error_response(Some(&asked.id), &refused.text()),
    };
    // It may use the id again as soon as it has the answer.
    drop(running);
    asked.sink.send(text).await;
}

async fn result(
    serving: &Arc<Serving>,
    asked: &AskedOfUs,
) -> Result<(String, Era), RefusedRequest> {
    let AskedOfUs { agent, method, .. } = asked;
    let text = asked.params.as_deref().unwrap_or("{}");
    let members = Members::parse(text)
        .map_err(|_| RefusedRequest::invalid_params("The parameters are not an object"))?;
    let meta = members.object("_meta");
    let of_meta = |name| meta.as_ref().and_then(|meta| meta.given(name));
    let is_stateless = method == "server/discover" || of_meta(META_PROTOCOL_VERSION).is_some();
    let (era, facts) = if is_stateless {
        let none = Members::parse("{}").map_err(|_| RefusedRequest::invalid_params(""))?;
        let facts = handshake::stateless_facts(meta.as_ref().unwrap_or(&none))?;
        (Era::Modern, facts)
    } else {
        match (method.as_str(), agent.session()) {
            ("initialize", _) => {
                let result = handshake::initialize(serving, agent, text).await;
                return Ok((result, Era::Legacy));
            }
            // Only a ping may come before (MCP 2025-11-25, Lifecycle).
            ("ping", None) => return Ok(("{}".to_owned(), Era::Legacy)),
            (_, Some(facts)) => (Era::Legacy, facts),
            (_, None) => {
                let words = "The first request is initialize";
                return Err(RefusedRequest::new(code::INVALID_REQUEST, words));
            }
        }
    };
    let own =
        |(name, _): &(&str, &str)| *name != "progressToken" && !name.starts_with(RESERVED_PREFIX);
    let request = AgentRequest {
        agent: Arc::clone(agent),
        sink: asked.sink.clone(),
        id: asked.id.clone(),
        era,
        facts,
        progress_token: of_meta("progressToken").map(str::to_owned),
        meta: meta
            .iter()
            .flat_map(|meta| meta.iter().filter(own))
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect(),
    };
    let result = handled(serving, &request, method, text).await?;
    Ok((result, era))
}

async fn handled(
    serving: &Arc<Serving>,
    request: &AgentRequest,
    method: &str,
    params: &str,
) -> Result<String, RefusedRequest> {
    let era = request.era;
    let unknown = || RefusedRequest::unknown_method(method);
    match method {
        "server/discover" if era == Era::Modern => return Ok(handshake::discover(serving).await),
        "subscriptions/listen" if era == Era::Modern => {
            return listen(serving, request, params).await;
        }
        "ping" if era == Era::Legacy => return Ok("{}".to_owned()),
        _ => {}
    }
    let Some(lent) = &serving.lent else {
        return match method {
            "tools/list" => Ok(tools::list(era)),
            "tools/call" => tools::call(serving, request, params).await,
            _ => Err(unknown()),
        };
    };
    let list = ListKind::ALL
        .into_iter()
        .find(|list| list.method() == method);
    match (method, list) {
        (_, Some(list)) => {
            // There is one page.
            let cursor = Members::parse(params).ok();
            match cursor.and_then(|members| members.string("cursor")) {
                Some(cursor) => Err(RefusedRequest::invalid_params(format!(
                    "Unknown cursor: {}",
                    quoted(&cursor)
                ))),
                None => Ok(lent.list(list, era).await),
            }
        }
        ("tools/call", _) => lent.call_tool(request, params).await,
        ("prompts/get", _) => lent.get_prompt(request, params).await,
        ("resources/read", _) => lent.read_resource(request, params).await,
        ("completion/complete", _) => lent.complete(request, params).await,
        _ => Err(unknown()),
    }
}

/// Handles `subscriptions/listen` (2026-07-28): acknowledges it, and tells of changes until it is
/// cancelled.
async fn listen(
    serving: &Serving,
    request: &AgentRequest,
    params: &str,
) -> Result<String, RefusedRequest> {
    let members = Members::parse(params).ok();
    let wanted = members.and_then(|members| ListChanges::read(members.given("notifications")?));
    let Some(wanted) = wanted else {
        let words = "Missing parameter: notifications";
        return Err(RefusedRequest::invalid_params(words));
    };
    let changes = serving.changes.add(wanted);
    let meta = object([(META_SUBSCRIPTION_ID, request.id.as_str())]);
    let filter = wanted.text();
    let acknowledged = object([("_meta", meta.as_str()), ("notifications", filter.as_str())]);
    let method = "notifications/subscriptions/acknowledged";
    let text = message::notification(method, &acknowledged);
    request.sink.send(text).await;
    let params = object([("_meta", meta.as_str())]);
    loop {
        for method in changes.next().await.methods() {
            let text = message::notification(method, &params);
            request.sink.send(text).await;
        }
    }
}
