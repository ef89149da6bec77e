//! Checks by requests, on any transport.

use serde_json::{Value, json};
use sightglass_area_calls::{
    confirmation::{Consent, PendingCall},
    schema,
};
use sightglass_area_core::view::ConformanceOptions;
use sightglass_checks::{
    Answer, Judgement,
    judge::{self, INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND},
};
use sightglass_connection::{ListKind, Params};
use sightglass_model::{Era, ExchangeId, lock};

use super::session::{EraSession, Exchanged, Tell};

/// Pages of a list that are read.
const MAX_PAGES: usize = 50;
/// Tools whose schemas are checked.
const MAX_SCHEMAS: usize = 200;
/// Names that no server has.
const NO_TOOL: &str = "sightglass-no-such-tool";
const NO_PROMPT: &str = "sightglass-no-such-prompt";
const NO_RESOURCE: &str = "sightglass://no-such-resource";
const NO_CURSOR: &str = "sightglass-no-such-cursor";
const NO_VERSION: &str = "1900-01-01";

/// Methods of the `initialize` era that the stateless one has no more.
const REMOVED: [(&str, &str); 2] = [("ping", "{}"), ("logging/setLevel", r#"{"level":"info"}"#)];

/// Capability that a list belongs to, and the member of its items.
const LISTS: [(ListKind, &str, &str); 4] = [
    (ListKind::Tools, "tools", "tools"),
    (ListKind::Prompts, "prompts", "prompts"),
    (ListKind::Resources, "resources", "resources"),
    (
        ListKind::ResourceTemplates,
        "resources",
        "resourceTemplates",
    ),
];

/// A list as it was read.
#[derive(Default)]
pub(super) struct ReadList {
    pub items: Vec<Value>,
    pub evidence: Vec<ExchangeId>,
    has_pages: bool,
    is_declared: bool,
}

/// The lists of a server, as far as they could be read.
#[derive(Default)]
pub(super) struct Lists {
    pub tools: ReadList,
    pub prompts: ReadList,
    pub resources: ReadList,
    pub templates: ReadList,
}

impl Lists {
    fn of(&mut self, kind: ListKind) -> &mut ReadList {
        match kind {
            ListKind::Tools => &mut self.tools,
            ListKind::Prompts => &mut self.prompts,
            ListKind::Resources => &mut self.resources,
            ListKind::ResourceTemplates => &mut self.templates,
        }
    }

    /// Returns the names of the tools, where they were read and this one is not among them.
    pub fn names_without(&self, tool: &str) -> Option<Vec<String>> {
        let names = self.tools.items.iter();
        let names: Vec<String> = names
            .filter_map(|tool| Some(tool["name"].as_str()?.to_owned()))
            .collect();
        let are_read = !self.tools.is_declared || !names.is_empty();
        (are_read && !names.iter().any(|name| name == tool)).then_some(names)
    }
}

impl EraSession<'_> {
    pub(super) fn check_handshake(&self, tell: Tell<'_>) {
        let evidence = || vec![self.handshake_exchange()];
        self.found("handshake", Judgement::Passed, evidence(), tell);
        let version = judge::protocol_version(&self.handshake.protocol_version);
        self.found("protocol-version", version, evidence(), tell);
        let info = judge::server_info(&self.handshake.server_name, &self.handshake.server_version);
        self.found("server-info", info, evidence(), tell);
        let capabilities = judge::capabilities(&self.handshake.capabilities_json);
        self.found("capabilities-shape", capabilities, evidence(), tell);
    }

    /// Reads every list, and checks what is declared against what is offered.
    pub(super) async fn check_lists(&self, tell: Tell<'_>) -> Lists {
        let mut lists = Lists::default();
        let mut unanswered = Vec::new();
        let mut answered_anyway = Vec::new();
        let mut endless = Vec::new();
        let mut asked: Vec<ExchangeId> = vec![self.handshake_exchange()];
        let mut asked_undeclared = Vec::new();
        for (kind, capability, member) in LISTS {
            let is_declared = self.declares(capability);
            let (list, first, problem) = self.read_list(kind, member, is_declared).await;
            // Not every server with resources has templates.
            let is_optional = kind == ListKind::ResourceTemplates
                && judge::refused_with(&first, &[METHOD_NOT_FOUND]) == Judgement::Passed;
            if let (true, false, Judgement::Failed(reason)) =
                (is_declared, is_optional, judge::answered(&first))
            {
                unanswered.push(format!(
                    "{}: {}",
                    kind.method(),
                    reason.trim_end_matches('.')
                ));
            }
            if !is_declared {
                asked_undeclared.extend(&list.evidence);
                if let Judgement::Failed(_) = judge::refused(&first) {
                    answered_anyway.push(format!("{} is not refused", kind.method()));
                }
            } else {
                asked.extend(&list.evidence);
            }
            endless.extend(problem.map(|problem| format!("{} {problem}", kind.method())));
            *lists.of(kind) = list;
        }
        let none_declared = asked.len() == 1;
        let or_none = |judgement: Judgement| match none_declared {
            true => Judgement::NotApplicable("It offers no list.".to_owned()),
            false => judgement,
        };
        let declared = judge::failed_if_any(unanswered, "Of what is declared,");
        self.found(
            "capabilities-answer",
            or_none(declared),
            asked.clone(),
            tell,
        );
        let undeclared = match asked_undeclared.is_empty() {
            true => Judgement::NotApplicable("It declares every list.".to_owned()),
            false => judge::failed_if_any(answered_anyway, "Of what is not declared,"),
        };
        self.found(
            "capabilities-undeclared",
            undeclared,
            asked_undeclared,
            tell,
        );
        let ends = or_none(judge::failed_if_any(endless, "The list of"));
        self.found("pagination-ends", ends, asked, tell);
        self.check_bad_cursor(&lists, tell).await;
        self.check_order(&lists, tell).await;
        lists
    }

    /// Reads a list to its end; for one that is not declared, its first page.
    async fn read_list(
        &self,
        kind: ListKind,
        member: &str,
        is_declared: bool,
    ) -> (ReadList, Answer, Option<String>) {
        let mut list = ReadList {
            is_declared,
            ..ReadList::default()
        };
        let mut cursors: Vec<Value> = Vec::new();
        let mut params = json!({});
        let mut first = None;
        loop {
            let page = self.ask(kind.method(), &params.to_string()).await;
            list.evidence.extend(page.evidence);
            let result = page.answer.result().cloned();
            first.get_or_insert(page.answer);
            let Some(result) = result.filter(|_| is_declared) else {
                break;
            };
            if let Some(items) = result.get(member).and_then(Value::as_array) {
                list.items.extend(items.iter().cloned());
            } else if cursors.is_empty() {
                let answer = Answer::None(format!("The result has no list named {member}."));
                return (list, answer, None);
            }
            let Some(cursor) = result.get("nextCursor").filter(|cursor| !cursor.is_null()) else {
                break;
            };
            list.has_pages = true;
            let problem = if !cursor.is_string() {
                Some("has a cursor that is not text")
            } else if cursors.contains(cursor) {
                Some("gives a cursor twice")
            } else if cursors.len() + 1 >= MAX_PAGES {
                // It may just be long.
                break;
            } else {
                None
            };
            if let Some(problem) = problem {
                let first = first.unwrap_or(Answer::Result(Value::Null));
                return (list, first, Some(problem.to_owned()));
            }
            params = json!({ "cursor": cursor });
            cursors.push(cursor.clone());
        }
        let first = first.unwrap_or_else(|| Answer::None("It was not asked for.".to_owned()));
        (list, first, None)
    }

    async fn check_bad_cursor(&self, lists: &Lists, tell: Tell<'_>) {
        let all = [
            (&lists.tools, ListKind::Tools),
            (&lists.prompts, ListKind::Prompts),
            (&lists.resources, ListKind::Resources),
            (&lists.templates, ListKind::ResourceTemplates),
        ];
        let Some((_, kind)) = all.into_iter().find(|(list, _)| list.has_pages) else {
            let reason =
                Judgement::NotApplicable("None of its lists has several pages.".to_owned());
            return self.found("pagination-bad-cursor", reason, Vec::new(), tell);
        };
        let params = json!({ "cursor": NO_CURSOR }).to_string();
        let Exchanged { answer, evidence } = self.ask(kind.method(), &params).await;
        let judgement = judge::refused_with(&answer, &[INVALID_PARAMS]);
        self.found("pagination-bad-cursor", judgement, evidence, tell);
    }

    async fn check_order(&self, lists: &Lists, tell: Tell<'_>) {
        if self.era != Era::Modern {
            return;
        }
        if lists.tools.items.is_empty() {
            let reason = Judgement::NotApplicable("It has no tools.".to_owned());
            return self.found("list-order", reason, Vec::new(), tell);
        }
        let (again, ..) = self.read_list(ListKind::Tools, "tools", true).await;
        let names = |items: &[Value]| -> Vec<Value> {
            items.iter().map(|item| item["name"].clone()).collect()
        };
        let judgement = match names(&lists.tools.items) == names(&again.items) {
            true => Judgement::Passed,
            false => Judgement::Failed("The tools came in another order.".to_owned()),
        };
        let evidence = [&lists.tools.evidence[..], &again.evidence[..]].concat();
        self.found("list-order", judgement, evidence, tell);
    }

    /// Checks what every server has to do with messages that it does not know.
    pub(super) async fn check_messages(&self, tell: Tell<'_>) {
        let unknown = self.ask("sightglass/no-such-method", "{}").await;
        let judgement = judge::refused_with(&unknown.answer, &[METHOD_NOT_FOUND]);
        self.found("unknown-method", judgement, unknown.evidence, tell);
        match self.era {
            Era::Legacy => {
                let ping = self.ask("ping", "{}").await;
                self.found("ping", judge::pong(&ping.answer), ping.evidence, tell);
            }
            Era::Modern => {
                let mut problems = Vec::new();
                let mut evidence = Vec::new();
                for (method, params) in REMOVED {
                    let asked = self.ask(method, params).await;
                    evidence.extend(asked.evidence);
                    let judgement = judge::refused_with(&asked.answer, &[METHOD_NOT_FOUND]);
                    if let Judgement::Failed(reason) = judgement {
                        problems.push(format!("{method}: {}", reason.trim_end_matches('.')));
                    }
                }
                let judgement = judge::failed_if_any(problems, "Of what is gone,");
                self.found("removed-methods", judgement, evidence, tell);
            }
        }
        let cancel = r#"{"requestId":987654321,"reason":"It was never sent."}"#;
        let is_sent = self.notify("notifications/cancelled", cancel).await;
        let alive = self.is_alive().await;
        let judgement = match (is_sent, judge::answered(&alive.answer)) {
            (true, Judgement::Passed) => Judgement::Passed,
            (true, _) => Judgement::Failed("After it the server answers no more.".to_owned()),
            (false, _) => Judgement::Failed("The notification was not accepted.".to_owned()),
        };
        self.found("cancel-unknown", judgement, alive.evidence, tell);
        if self.era == Era::Legacy {
            self.check_log_level(tell).await;
        }
        self.check_completion(tell).await;
    }

    async fn check_log_level(&self, tell: Tell<'_>) {
        if !self.declares("logging") {
            return self.not_offered("logging-bad-level", "It offers no log messages.", tell);
        }
        let asked = self
            .ask(
                "logging/setLevel",
                r#"{"level":"sightglass-no-such-level"}"#,
            )
            .await;
        let judgement = judge::refused_with(&asked.answer, &[INVALID_PARAMS]);
        self.found("logging-bad-level", judgement, asked.evidence, tell);
    }

    async fn check_completion(&self, tell: Tell<'_>) {
        if !self.declares("completions") {
            return self.not_offered(
                "completion-unknown-prompt",
                "It offers no completion.",
                tell,
            );
        }
        let params = json!({
            "ref": { "type": "ref/prompt", "name": NO_PROMPT },
            "argument": { "name": "any", "value": "" },
        });
        let asked = self.ask("completion/complete", &params.to_string()).await;
        let judgement = judge::refused_with(&asked.answer, &[INVALID_PARAMS]);
        self.found("completion-unknown-prompt", judgement, asked.evidence, tell);
    }

    /// Checks the items of the lists, and requests for items that there are not.
    pub(super) async fn check_items(&self, lists: &Lists, tell: Tell<'_>) {
        self.check_tools(&lists.tools, tell).await;
        self.check_resources(lists, tell).await;
        self.check_prompts(&lists.prompts, tell).await;
    }

    async fn check_tools(&self, tools: &ReadList, tell: Tell<'_>) {
        if !tools.is_declared {
            for id in [
                "tools-valid",
                "tools-unique",
                "tool-schemas",
                "tool-unknown",
            ] {
                self.not_offered(id, "It offers no tools.", tell);
            }
            return;
        }
        let evidence = || tools.evidence.clone();
        self.found("tools-valid", judge::tools(&tools.items), evidence(), tell);
        let unique = judge::unique(&tools.items, "name");
        self.found("tools-unique", unique, evidence(), tell);
        let mut problems = Vec::new();
        for tool in tools.items.iter().take(MAX_SCHEMAS) {
            for member in ["inputSchema", "outputSchema"] {
                let Some(schema) = tool.get(member) else {
                    continue;
                };
                if let Some(problem) = schema::problem_of(schema.clone()).await {
                    let name = tool.get("name").and_then(Value::as_str).unwrap_or("?");
                    problems.push(format!(
                        "{member} of {}: {}",
                        judge::short(name),
                        judge::short(&problem)
                    ));
                }
            }
        }
        let schemas = judge::failed_if_any(problems, "Not valid:");
        self.found("tool-schemas", schemas, evidence(), tell);
        let params = Params::tool_call(NO_TOOL, &Params::empty());
        let asked = self.ask("tools/call", params.text()).await;
        self.found(
            "tool-unknown",
            judge::refused(&asked.answer),
            asked.evidence,
            tell,
        );
    }

    async fn check_resources(&self, lists: &Lists, tell: Tell<'_>) {
        if !lists.resources.is_declared {
            for id in ["resources-valid", "resource-read", "resource-not-found"] {
                self.not_offered(id, "It offers no resources.", tell);
            }
            return;
        }
        let evidence = [&lists.resources.evidence[..], &lists.templates.evidence[..]].concat();
        let valid = judge::resources(&lists.resources.items, &lists.templates.items);
        self.found("resources-valid", valid, evidence, tell);
        let first = lists
            .resources
            .items
            .iter()
            .find_map(|item| item["uri"].as_str());
        match first {
            None => self.not_offered("resource-read", "Its list of resources is empty.", tell),
            Some(uri) => {
                let params = json!({ "uri": uri }).to_string();
                let read = self.ask("resources/read", &params).await;
                self.found(
                    "resource-read",
                    judge::contents(&read.answer),
                    read.evidence,
                    tell,
                );
            }
        }
        let params = json!({ "uri": NO_RESOURCE }).to_string();
        let asked = self.ask("resources/read", &params).await;
        let code = match self.era {
            Era::Legacy => RESOURCE_NOT_FOUND,
            Era::Modern => INVALID_PARAMS,
        };
        let judgement = judge::refused_with(&asked.answer, &[code]);
        self.found("resource-not-found", judgement, asked.evidence, tell);
    }

    async fn check_prompts(&self, prompts: &ReadList, tell: Tell<'_>) {
        if !prompts.is_declared {
            for id in ["prompts-valid", "prompt-unknown", "prompt-missing-argument"] {
                self.not_offered(id, "It offers no prompts.", tell);
            }
            return;
        }
        let valid = judge::prompts(&prompts.items);
        self.found("prompts-valid", valid, prompts.evidence.clone(), tell);
        let params = json!({ "name": NO_PROMPT }).to_string();
        let asked = self.ask("prompts/get", &params).await;
        let judgement = judge::refused_with(&asked.answer, &[INVALID_PARAMS]);
        self.found("prompt-unknown", judgement, asked.evidence, tell);
        let with_required = prompts.items.iter().find_map(|prompt| {
            let mut arguments = prompt["arguments"].as_array()?.iter();
            let is_required = |argument: &Value| argument["required"] == Value::Bool(true);
            arguments
                .any(is_required)
                .then(|| prompt["name"].as_str())?
        });
        let Some(name) = with_required else {
            let reason = "None of its prompts has a required argument.";
            return self.not_offered("prompt-missing-argument", reason, tell);
        };
        let params = json!({ "name": name, "arguments": {} }).to_string();
        let asked = self.ask("prompts/get", &params).await;
        let judgement = judge::refused_with(&asked.answer, &[INVALID_PARAMS]);
        self.found("prompt-missing-argument", judgement, asked.evidence, tell);
    }

    /// Calls the tool that the user named, and no other.
    pub(super) async fn check_tool(
        &self,
        lists: &Lists,
        options: &ConformanceOptions,
        tell: Tell<'_>,
    ) {
        const ABOUT: [&str; 3] = ["tool-call", "tool-output-schema", "tool-bad-arguments"];
        let skipped = |ids: &[&str], reason: &str| {
            for id in ids {
                let reason = Judgement::Skipped(reason.to_owned());
                self.found(id, reason, Vec::new(), tell);
            }
        };
        let Some(name) = &options.tool else {
            return skipped(&ABOUT, "No tool was named, and none is called unasked.");
        };
        let mut tools = lists.tools.items.iter();
        let Some(tool) = tools.find(|tool| tool["name"].as_str() == Some(name)) else {
            let reason = format!("There is no tool named {}.", judge::short(name));
            return skipped(&ABOUT, &reason);
        };
        let call = |arguments: &str| {
            Params::parse(arguments)
                .ok()
                .map(|arguments| Params::tool_call(name, &arguments))
        };
        let given = options.arguments.as_deref().and_then(call);
        let bad = judge::bad_arguments(&tool["inputSchema"]);
        let bad = bad.as_deref().and_then(call);
        if let Some(params) = given.as_ref().or(bad.as_ref()) {
            let call = PendingCall {
                count: [&given, &bad].into_iter().flatten().map(|_| 1).sum(),
                definition: Some(tool.to_string().into()),
                ..PendingCall::once(&self.server, "conformance", params)
            };
            if let Err(refused) = self
                .conformance
                .confirmations
                .confirm_call(call, Consent::None)
                .await
            {
                return skipped(&ABOUT, &refused.to_string());
            }
        }
        match given {
            None => skipped(
                &ABOUT[..2],
                "No arguments were given to call the tool with.",
            ),
            Some(params) => {
                let called = self.ask("tools/call", params.text()).await;
                let judgement = judge::call_result(&called.answer);
                let evidence = called.evidence.clone();
                self.found("tool-call", judgement, evidence, tell);
                let output = self.output_judgement(tool, &called.answer).await;
                self.found("tool-output-schema", output, called.evidence, tell);
            }
        }
        match bad {
            None => {
                let reason = "Its schema forbids no arguments that could be told for sure.";
                self.not_offered("tool-bad-arguments", reason, tell);
            }
            Some(params) => {
                let called = self.ask("tools/call", params.text()).await;
                let judgement = judge::refused_call(&called.answer);
                self.found("tool-bad-arguments", judgement, called.evidence, tell);
            }
        }
    }

    async fn output_judgement(&self, tool: &Value, answer: &Answer) -> Judgement {
        let Some(result) = answer.result() else {
            return Judgement::Skipped("There is no result.".to_owned());
        };
        if result.get("isError") == Some(&Value::Bool(true)) {
            return Judgement::Skipped("The result is an error.".to_owned());
        }
        let structured = result.get("structuredContent").map(Value::to_string);
        let check = schema::OutputCheck::of(&tool.to_string(), structured.as_deref());
        let Some(check) = check else {
            return Judgement::NotApplicable("The tool has no output schema.".to_owned());
        };
        let check = check.run().await;
        match (check.valid, check.not_checked, check.problems.first()) {
            (true, ..) => Judgement::Passed,
            (false, Some(reason), _) => Judgement::Skipped(format!("Not checked: {reason}.")),
            (false, None, Some(problem)) => Judgement::Failed(format!(
                "{} {}",
                judge::short(&problem.pointer),
                judge::short(&problem.message)
            )),
            (false, None, None) => Judgement::Failed("It is not valid.".to_owned()),
        }
    }

    /// Checks what the stateless era asks of every request and result.
    pub(super) async fn check_requests_of_modern_era(&self, lists: &Lists, tell: Tell<'_>) {
        if self.era != Era::Modern {
            return;
        }
        let without = self.ask("server/discover", r#"{"_meta":null}"#).await;
        let judgement = judge::refused_with(&without.answer, &[INVALID_PARAMS]);
        self.found("meta-missing", judgement, without.evidence, tell);
        if !self.is_over_http() {
            let meta = json!({ "io.modelcontextprotocol/protocolVersion": NO_VERSION });
            let params = json!({ "_meta": meta }).to_string();
            let asked = self.ask("server/discover", &params).await;
            let judgement = judge::unsupported_version(&asked.answer);
            self.found("unsupported-version", judgement, asked.evidence, tell);
        }
        let answered = std::mem::take(&mut *lock(&self.answered));
        let mut faulty = Vec::new();
        let problems = answered.iter().filter_map(|(exchange, result)| {
            let problem = judge::result_type_problem(result)?;
            Some((*exchange, problem))
        });
        let problems: Vec<_> = problems.collect();
        faulty.extend(problems.iter().map(|(exchange, _)| *exchange));
        let judgement = judge::failed_if_any(
            problems.into_iter().take(1).map(|(_, problem)| problem),
            &format!("Of {} results, {}: one", answered.len(), faulty.len()),
        );
        self.found("result-type", judgement, faulty, tell);
        let of_lists = [
            &lists.tools,
            &lists.prompts,
            &lists.resources,
            &lists.templates,
        ];
        let cacheable: Vec<ExchangeId> = of_lists
            .iter()
            .flat_map(|list| list.evidence.iter().copied())
            .collect();
        let is_cacheable = |exchange: &ExchangeId| cacheable.contains(exchange);
        let problems: Vec<(ExchangeId, String)> = answered
            .iter()
            .filter(|(exchange, result)| is_cacheable(exchange) || result.get("contents").is_some())
            .filter_map(|(exchange, result)| Some((*exchange, judge::cache_hint_problem(result)?)))
            .collect();
        let faulty: Vec<ExchangeId> = problems.iter().map(|(exchange, _)| *exchange).collect();
        let judgement = match cacheable.is_empty() {
            true => Judgement::NotApplicable("It offers no list.".to_owned()),
            false => judge::failed_if_any(
                problems.into_iter().map(|(_, problem)| problem).take(1),
                &format!("Of its lists and resources, {}: one", faulty.len()),
            ),
        };
        self.found("cache-hints", judgement, faulty, tell);
    }

    pub(super) fn not_offered(&self, id: &str, reason: &str, tell: Tell<'_>) {
        let reason = Judgement::NotApplicable(reason.to_owned());
        self.found(id, reason, Vec::new(), tell);
    }
}
