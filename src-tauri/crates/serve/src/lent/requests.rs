//! Requests of agents to lent servers, and the questions of servers meanwhile.

use sightglass_connection::{ServerAnswer, ServerQuestion};
use sightglass_inspector::{Era, ListKind, Params, RequestOutcome, view::CallReport};
use sightglass_json_text::{ErrorObject, Members, lossy, object, quoted};

use super::{LentServer, LentServers};
use crate::{
    agent::AgentRequest,
    calls::{CallStep, Called, OpenCall, ParkedCall, QUESTION_TIMEOUT},
    message::RefusedRequest,
    protocol::code,
    reach::ServingError,
    upstream::{self, request_meta},
};

/// Name of the question among the requests for input (MCP 2026-07-28, multi round-trip requests).
const INPUT: &str = "question";

impl LentServers {
    /// Calls a tool. What goes wrong is a result of the tool, which a model reads.
    pub async fn call_tool(
        &self,
        request: &AgentRequest,
        params: &str,
    ) -> Result<String, RefusedRequest> {
        let members = read(params)?;
        if let Some(answered) = self.resumed(request, &members).await {
            return answered;
        }
        let lent = named(&members, "name")?;
        let arguments = members.given("arguments").unwrap_or("{}");
        match self.opened_call(request, &lent, arguments).await {
            Ok((call, called)) => self.followed(request, call, called).await,
            Err(error) => Ok(upstream::tool_error(
                &self.outgoing.masked(error.to_string()),
            )),
        }
    }

    async fn opened_call(
        &self,
        request: &AgentRequest,
        lent: &str,
        arguments: &str,
    ) -> Result<(OpenCall, Called), ServingError> {
        let (server, name) = self.of_name(lent, "tool")?;
        self.reach.check_name(lent)?;
        self.reach.ready(&server.id).await?;
        upstream::check_listed(&self.inspector, &server.id, ListKind::Tools, name)?;
        upstream::learn_arguments(&self.inspector, &server.id, name, arguments);
        let (name, meta) = (quoted(name), request_meta(request));
        let members = [
            ("name", name.as_str()),
            ("arguments", arguments),
            ("_meta", meta.as_str()),
        ];
        let params = upstream::params(&object(members))?;
        let called = Called {
            server: server.name.clone(),
            name: lent.to_owned(),
        };
        let call = self.calls.open(&server.id, "tools/call", params);
        Ok((call, called))
    }

    /// Gets a prompt.
    pub async fn get_prompt(
        &self,
        request: &AgentRequest,
        params: &str,
    ) -> Result<String, RefusedRequest> {
        let members = read(params)?;
        if let Some(answered) = self.resumed(request, &members).await {
            return answered;
        }
        let lent = named(&members, "name")?;
        let (server, name) = self.of_name(&lent, "prompt").map_err(refused)?;
        let name = quoted(name);
        let arguments = members.given("arguments").unwrap_or("{}");
        let own = [("name", name.as_str()), ("arguments", arguments)];
        self.sent(request, server, &lent, "prompts/get", &own).await
    }

    /// Reads a resource.
    pub async fn read_resource(
        &self,
        request: &AgentRequest,
        params: &str,
    ) -> Result<String, RefusedRequest> {
        let members = read(params)?;
        if let Some(answered) = self.resumed(request, &members).await {
            return answered;
        }
        let lent = named(&members, "uri")?;
        let (server, address) = self.of_address(&lent).ok_or_else(|| {
            let code = match request.era {
                Era::Legacy => code::RESOURCE_NOT_FOUND,
                Era::Modern => code::INVALID_PARAMS,
            };
            let data = object([("uri", quoted(&lent).as_str())]);
            RefusedRequest::new(code, "Resource not found").with_data(data)
        })?;
        let address = quoted(address);
        let own = [("uri", address.as_str())];
        self.sent(request, server, &lent, "resources/read", &own)
            .await
    }

    /// Completes an argument of a prompt or of a template.
    pub async fn complete(
        &self,
        request: &AgentRequest,
        params: &str,
    ) -> Result<String, RefusedRequest> {
        let members = read(params)?;
        let reference = members.object("ref").ok_or_else(|| missing("ref"))?;
        let (key, lent) = ["name", "uri"]
            .into_iter()
            .find_map(|key| Some((key, reference.string(key)?)))
            .ok_or_else(|| missing("ref.name"))?;
        let (server, name) = match key {
            "name" => self.of_name(&lent, "prompt").map_err(refused)?,
            _ => self.of_address(&lent).ok_or_else(|| missing("ref.uri"))?,
        };
        let kind = reference.text("type").unwrap_or("null");
        let name = quoted(name);
        let reference = object([("type", kind), (key, name.as_str())]);
        let others = members
            .iter()
            .filter(|(name, _)| !matches!(*name, "ref" | "_meta"));
        let own: Vec<(&str, &str)> = std::iter::once(("ref", reference.as_str()))
            .chain(others)
            .collect();
        self.sent(request, server, &lent, "completion/complete", &own)
            .await
    }

    /// Sends a request that is no call of a tool, and returns its result.
    async fn sent(
        &self,
        request: &AgentRequest,
        server: &LentServer,
        lent: &str,
        method: &'static str,
        own: &[(&str, &str)],
    ) -> Result<String, RefusedRequest> {
        self.reach.check_name(lent).map_err(refused)?;
        self.reach.ready(&server.id).await.map_err(|error| {
            let words = self.outgoing.masked(error.to_string());
            RefusedRequest::new(code::INTERNAL_ERROR, words)
        })?;
        let meta = request_meta(request);
        let members = own.iter().copied().chain([("_meta", meta.as_str())]);
        let params = Params::parse(&object(members));
        let params = params.map_err(|error| RefusedRequest::invalid_params(error.to_string()))?;
        let call = self.calls.open(&server.id, method, params);
        let called = Called {
            server: server.name.clone(),
            name: lent.to_owned(),
        };
        self.followed(request, call, called).await
    }

    /// Goes on with a call of the stateless era whose question is answered with this request.
    async fn resumed(
        &self,
        request: &AgentRequest,
        members: &Members<'_>,
    ) -> Option<Result<String, RefusedRequest>> {
        let state = members.string("requestState")?;
        let parked = self.calls.question_of(&state);
        let Some(parked) = parked.and_then(|question| self.calls.unpark(question)) else {
            let words = "Unknown or used requestState: the call does not wait any more";
            return Some(Err(RefusedRequest::invalid_params(words)));
        };
        let responses = members.object("inputResponses");
        let answer = responses.and_then(|all| Some(all.text(INPUT)?.to_owned()));
        let answer = answer.map(|json| ServerAnswer::Result { json });
        self.answer(&parked.question, answer);
        Some(self.followed(request, parked.call, parked.called).await)
    }

    /// Answers a question, or declines it where there is no answer, or none that may be given.
    fn answer(&self, question: &ServerQuestion, answer: Option<ServerAnswer>) {
        let is_answered =
            answer.is_some_and(|answer| self.calls.answer(question.id, answer).is_ok());
        if !is_answered {
            self.calls.decline(question);
        }
    }

    /// Follows a call to its end. Questions of its server go to the user of the agent, where the agent
    /// can ask; otherwise they are declined.
    async fn followed(
        &self,
        request: &AgentRequest,
        mut call: OpenCall,
        mut called: Called,
    ) -> Result<String, RefusedRequest> {
        loop {
            let question = match call.step(request).await {
                CallStep::Ended(Ok(report)) => return self.result(&call, &called, &report),
                CallStep::Ended(Err(error)) => {
                    let words = ServingError::from(error).to_string();
                    let words = self.outgoing.masked_of(&call.server, &words);
                    return upstream::failed(call.method, &words);
                }
                CallStep::Question(question) => question,
            };
            if !can_ask(request, &question) {
                self.calls.decline(&question);
                continue;
            }
            let asked = self.outgoing.masked_of(&call.server, &question.params);
            if request.era == Era::Modern {
                let result = self.input_required(&question, &asked);
                let parked = ParkedCall {
                    call,
                    question,
                    called,
                };
                match self.calls.park(parked) {
                    Ok(()) => return Ok(result),
                    // Too many wait.
                    Err(back) => {
                        self.calls.decline(&back.question);
                        (call, called) = (back.call, back.called);
                        continue;
                    }
                }
            }
            let asking = tokio::time::timeout(
                QUESTION_TIMEOUT,
                request.agent.ask(&request.sink, &question.method, &asked),
            );
            tokio::select! {
                answer = asking => {
                    let answer = answer.ok().flatten().and_then(Result::ok);
                    let answer = answer.map(|json| ServerAnswer::Result { json });
                    self.answer(&question, answer);
                }
                // The server took its question back.
                () = call.over() => {}
            }
        }
    }

    /// Returns the result that asks for input first (2026-07-28).
    fn input_required(&self, question: &ServerQuestion, asked: &str) -> String {
        let method = quoted(&question.method);
        let input = object([("method", method.as_str()), ("params", asked)]);
        let inputs = object([(INPUT, input.as_str())]);
        let state = quoted(&self.calls.state_of(question.id));
        object([
            ("resultType", "\"input_required\""),
            ("inputRequests", inputs.as_str()),
            ("requestState", state.as_str()),
        ])
    }

    /// Returns the result of a call as its server wrote it, or its error.
    fn result(
        &self,
        call: &OpenCall,
        called: &Called,
        report: &CallReport,
    ) -> Result<String, RefusedRequest> {
        let Some(response) = &report.request.response else {
            let words = unanswered(called, &report.request);
            let words = self.outgoing.masked_of(&call.server, &words);
            return upstream::failed(call.method, &words);
        };
        let text = lossy(&response.recorded);
        match upstream::outcome(&text) {
            Ok(result) if call.method == "tools/call" => Ok(self.outgoing.lent_result(result)),
            Ok(result) => Ok(self.outgoing.masked(result).into_owned()),
            Err(error) => Err(passed_on(&self.outgoing.masked(error))),
        }
    }

    /// Finds the server of a lent name, and the name that it uses.
    fn of_name<'n>(
        &self,
        lent: &'n str,
        kind: &'static str,
    ) -> Result<(&LentServer, &'n str), ServingError> {
        let mut servers = self.servers.iter();
        let found = match self.is_plain {
            true => servers.next().map(|server| (server, lent)),
            false => servers.find_map(|server| Some((server, server.lent.name_at_server(lent)?))),
        };
        found.ok_or_else(|| ServingError::NotListed {
            server: "What is lent here".to_owned(),
            kind,
            name: lent.to_owned(),
            suggestion: String::new(),
        })
    }

    /// Finds the server of the address of a resource, and the address that it uses: by its begin, or
    /// where it has none, as in what a tool returned, where one server alone lists it.
    fn of_address<'n>(&self, lent: &'n str) -> Option<(&LentServer, &'n str)> {
        if self.is_plain {
            return self.servers.first().map(|server| (server, lent));
        }
        let by_begin = self
            .servers
            .iter()
            .find_map(|server| Some((server, server.lent.address_at_server(lent)?)));
        by_begin.or_else(|| {
            let connections = &self.inspector.core.connections;
            let lists_it = |server: &&LentServer| {
                connections
                    .find(&server.id, ListKind::Resources, lent)
                    .is_some()
            };
            let mut listing = self.servers.iter().filter(lists_it);
            let server = listing.next()?;
            listing.next().is_none().then_some((server, lent))
        })
    }
}

/// Returns true where an agent can put a question to its user.
fn can_ask(request: &AgentRequest, question: &ServerQuestion) -> bool {
    let abilities = request.facts.abilities;
    if question.method != "elicitation/create" {
        return abilities.sampling;
    }
    let mode = Members::parse(&question.params).ok();
    let mode = mode.and_then(|members| members.string("mode"));
    match mode.as_deref() {
        Some("url") => abilities.pages,
        _ => abilities.forms,
    }
}

fn read(params: &str) -> Result<Members<'_>, RefusedRequest> {
    Members::parse(params)
        .map_err(|_| RefusedRequest::invalid_params("The parameters are not an object"))
}

/// Reads a member that every reader takes for the same.
fn named(members: &Members<'_>, name: &str) -> Result<String, RefusedRequest> {
    members.only_string(name).ok_or_else(|| missing(name))
}

fn missing(name: &str) -> RefusedRequest {
    RefusedRequest::invalid_params(format!("Missing parameter: {name}"))
}

fn refused(error: ServingError) -> RefusedRequest {
    RefusedRequest::invalid_params(error.to_string())
}

fn unanswered(called: &Called, outcome: &RequestOutcome) -> String {
    let reason = outcome.message.as_deref().unwrap_or("it did not answer");
    format!(
        "{} has no answer from {}: {reason}.",
        called.name, called.server
    )
}

/// Passes the error of a server on.
fn passed_on(error: &str) -> RefusedRequest {
    let read = ErrorObject::parse(error);
    let code = read.as_ref().and_then(|error| error.code()?.parse().ok());
    let message = read.as_ref().and_then(|error| error.message());
    let data = read
        .as_ref()
        .and_then(|error| error.data().map(str::to_owned));
    RefusedRequest {
        code: code.unwrap_or(code::INTERNAL_ERROR),
        message: message.unwrap_or_else(|| "The server answered with an error".to_owned()),
        data,
    }
}
