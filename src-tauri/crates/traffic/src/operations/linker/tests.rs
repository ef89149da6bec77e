//! Each rule, and what it must not link.

use serde_json::json;

use super::*;
use crate::{
    Direction::{Received, Sent},
    TaskStatus,
};

/// Frames as they come, and what the rules make of them. Rows are numbered from 1.
struct Tape {
    linker: OperationLinker,
    links: Links,
    times: Times,
    next: u32,
}

/// A frame of a message that is to come.
#[derive(Clone, Copy)]
struct Wire {
    connection: u32,
    server: &'static str,
    carrier: u32,
}

const STDIO: Wire = Wire {
    connection: 1,
    server: "demo",
    carrier: 0,
};

impl Wire {
    fn over(self, carrier: u32) -> Self {
        Self { carrier, ..self }
    }

    fn connection(self, connection: u32) -> Self {
        Self { connection, ..self }
    }
}

impl Tape {
    fn new() -> Self {
        Self {
            linker: OperationLinker::new(true),
            links: Links::default(),
            times: Times::default(),
            next: 0,
        }
    }

    fn frame(
        &mut self,
        wire: Wire,
        kind: ExchangeKind,
        direction: Direction,
        answers: Option<u32>,
        (method, text): (&str, &str),
    ) -> u32 {
        self.next += 1;
        let frame = ObservedFrame {
            frame: self.next,
            row: answers.unwrap_or(self.next),
            starts_row: answers.is_none(),
            connection: wire.connection,
            carrier: wire.carrier,
            kind,
            direction,
            at: Timestamp::from_millis(f64::from(self.next) * 10.0),
            method,
            payload: Some(text.as_bytes()),
        };
        let mut found = Found {
            links: &mut self.links,
            times: &mut self.times,
        };
        self.linker
            .frame(&frame, &Arc::from(wire.server), &mut found);
        self.next
    }

    /// A message that starts a row.
    fn say(&mut self, wire: Wire, direction: Direction, message: &serde_json::Value) -> u32 {
        let method = message["method"].as_str().unwrap_or("response").to_owned();
        let kind = match (message.get("id"), method.as_str()) {
            (Some(_), _) => ExchangeKind::Request,
            (None, "notifications/message") => ExchangeKind::Log,
            (None, _) => ExchangeKind::Notification,
        };
        self.frame(wire, kind, direction, None, (&method, &message.to_string()))
    }

    fn call(&mut self, wire: Wire, id: u32, params: serde_json::Value) -> u32 {
        let message = json!({"id": id, "method": "tools/call", "params": params});
        self.say(wire, Sent, &message)
    }

    fn answer(&mut self, wire: Wire, row: u32, result: serde_json::Value) -> u32 {
        let text = json!({"id": 1, "result": result}).to_string();
        let answer = ("response", text.as_str());
        self.frame(wire, ExchangeKind::Request, Received, Some(row), answer)
    }

    fn notify(
        &mut self,
        wire: Wire,
        direction: Direction,
        method: &str,
        params: serde_json::Value,
    ) -> u32 {
        self.say(
            wire,
            direction,
            &json!({"method": method, "params": params}),
        )
    }

    fn http(&mut self, wire: Wire, line: &str) -> u32 {
        self.frame(wire, ExchangeKind::Http, Sent, None, (line, line))
    }

    fn http_answer(&mut self, wire: Wire, http: u32, text: &str) {
        let wire = wire.over(http);
        self.frame(wire, ExchangeKind::Http, Received, Some(http), ("", text));
    }

    fn oauth(&mut self, wire: Wire) -> u32 {
        let line = "POST /token";
        self.frame(wire, ExchangeKind::Oauth, Sent, None, (line, line))
    }

    /// The row that one is part of, and how.
    fn above(&self, row: u32) -> Option<(u32, EdgeKind, Certainty)> {
        self.links
            .above(row)
            .map(|link| (link.parent, link.edge.kind, link.edge.certainty))
    }

    fn causes(&self, row: u32) -> Vec<(u32, EdgeKind, Certainty)> {
        self.links
            .side_causes(row)
            .map(|link| (link.parent, link.edge.kind, link.edge.certainty))
            .collect()
    }
}

const INPUT: &str = "input_required";

fn asks(keys: &[&str], state: Option<&str>) -> serde_json::Value {
    let question = json!({"method": "elicitation/create", "params": {"message": "?"}});
    let requests: serde_json::Map<_, _> = keys
        .iter()
        .map(|key| ((*key).to_owned(), question.clone()))
        .collect();
    let mut result = json!({"resultType": INPUT, "inputRequests": requests});
    if let Some(state) = state {
        result["requestState"] = json!(state);
    }
    result
}

fn answers(tool: &str, keys: &[&str], state: Option<&str>) -> serde_json::Value {
    let responses: serde_json::Map<_, _> = keys
        .iter()
        .map(|key| ((*key).to_owned(), json!({"action": "accept"})))
        .collect();
    let mut params = json!({"name": tool, "inputResponses": responses});
    if let Some(state) = state {
        params["requestState"] = json!(state);
    }
    params
}

#[test]
fn progress_belongs_to_the_request_of_its_token_and_to_no_other() {
    let mut tape = Tape::new();
    let call = tape.call(STDIO, 1, json!({"_meta": {"progressToken": "a"}}));
    let progress = |tape: &mut Tape, wire, token: serde_json::Value| {
        let params = json!({"progressToken": token, "progress": 1});
        tape.notify(wire, Received, "notifications/progress", params)
    };
    let known = progress(&mut tape, STDIO, json!("a"));
    let unknown = progress(&mut tape, STDIO, json!("b"));
    let elsewhere = progress(&mut tape, STDIO.connection(2), json!("a"));
    assert_eq!(
        tape.above(known),
        Some((call, EdgeKind::Progress, Certainty::Sure))
    );
    assert_eq!(tape.above(unknown), None);
    assert_eq!(tape.above(elsewhere), None);
}

#[test]
fn an_id_that_is_used_again_after_its_answer_names_the_newer_request() {
    let mut tape = Tape::new();
    let meta = json!({"_meta": {"progressToken": 1}});
    let first = tape.call(STDIO, 1, meta.clone());
    tape.answer(STDIO, first, json!({}));
    let second = tape.call(STDIO, 1, meta);
    let params = json!({"requestId": 1});
    let cancelled = tape.notify(STDIO, Sent, "notifications/cancelled", params.clone());
    let progress = json!({"progressToken": 1});
    let progress = tape.notify(STDIO, Received, "notifications/progress", progress);
    assert_eq!(
        tape.above(cancelled),
        Some((second, EdgeKind::Cancellation, Certainty::Sure))
    );
    assert_eq!(tape.above(progress).map(|above| above.0), Some(second));
    // The server's ids are its own.
    let of_server = tape.notify(STDIO, Received, "notifications/cancelled", params);
    assert_eq!(tape.above(of_server), None);
}

#[test]
fn a_round_is_found_by_its_state() {
    let mut tape = Tape::new();
    let one = tape.call(STDIO, 1, json!({"name": "ask"}));
    let other = tape.call(STDIO, 2, json!({"name": "ask"}));
    tape.answer(STDIO, one, asks(&["a"], Some("s1")));
    let asked = tape.answer(STDIO, other, asks(&["a"], Some("s2")));
    let second = tape.call(STDIO, 3, answers("ask", &["a"], Some("s2")));
    assert_eq!(
        tape.above(second),
        Some((other, EdgeKind::Round, Certainty::Sure))
    );
    let waited = tape
        .times
        .asked_before(second, Timestamp::from_millis(1e3))
        .expect("a person was asked");
    assert_eq!(waited.from, Timestamp::from_millis(f64::from(asked) * 10.0));
    assert!(tape.times.is_waiting(one) && !tape.times.is_waiting(other));
    // Further rounds are parts of the first.
    tape.answer(STDIO, second, asks(&["b"], Some("s3")));
    let third = tape.call(STDIO, 4, answers("ask", &["b"], Some("s3")));
    assert_eq!(tape.above(third).map(|above| above.0), Some(other));
}

#[test]
fn a_round_without_an_equal_state_is_inferred_where_one_fits() {
    let mut tape = Tape::new();
    let call = tape.call(STDIO, 1, json!({"name": "ask"}));
    tape.answer(STDIO, call, asks(&["a", "b"], Some("s1")));
    for (tool, keys) in [("ask", &["a"][..]), ("other", &["a", "b"][..])] {
        let unlike = tape.call(STDIO, 2, answers(tool, keys, None));
        assert_eq!(tape.above(unlike), None, "{tool} {keys:?}");
    }
    let unrelated = tape.call(STDIO, 3, json!({"name": "ask"}));
    assert_eq!(tape.above(unrelated), None);
    let elsewhere = STDIO.connection(2);
    let elsewhere = tape.call(elsewhere, 3, answers("ask", &["a", "b"], Some("s1")));
    assert_eq!(tape.above(elsewhere), None);
    let round = tape.call(STDIO, 4, answers("ask", &["b", "a"], None));
    assert_eq!(
        tape.above(round),
        Some((call, EdgeKind::Round, Certainty::Inferred))
    );
}

#[test]
fn an_ambiguous_round_is_not_linked() {
    let mut tape = Tape::new();
    for state in [None, Some("same")] {
        for id in [1, 2] {
            let call = tape.call(STDIO, id, json!({"name": "ask"}));
            tape.answer(STDIO, call, asks(&["a"], state));
        }
        let round = tape.call(STDIO, 3, answers("ask", &["a"], state));
        assert_eq!(tape.above(round), None, "{state:?}");
    }
}

#[test]
fn what_a_server_asks_on_the_stream_of_a_request_is_part_of_it() {
    let mut tape = Tape::new();
    let post = tape.http(STDIO, "POST /mcp");
    let call = tape.call(STDIO.over(post), 1, json!({"name": "ask"}));
    let other_post = tape.http(STDIO, "POST /mcp");
    let other = tape.call(STDIO.over(other_post), 2, json!({"name": "ask"}));
    let question = json!({"id": 1, "method": "elicitation/create", "params": {}});
    let asked = tape.say(STDIO.over(post), Received, &question);
    let log = json!({"level": "info", "data": "x"});
    let logged = tape.notify(
        STDIO.over(other_post),
        Received,
        "notifications/message",
        log,
    );
    assert_eq!(
        tape.above(asked),
        Some((call, EdgeKind::Question, Certainty::Sure))
    );
    assert_eq!(
        tape.above(logged),
        Some((other, EdgeKind::Log, Certainty::Sure))
    );
    assert_eq!(
        tape.above(post),
        Some((call, EdgeKind::Carrier, Certainty::Sure))
    );
    // The stream of the session belongs to no request, also while one is open.
    tape.answer(STDIO.over(other_post), other, json!({}));
    let stream = tape.http(STDIO, "GET /mcp");
    let apart = tape.say(STDIO.over(stream), Received, &question);
    assert_eq!((tape.above(apart), tape.above(stream)), (None, None));
}

#[test]
fn on_stdio_a_question_is_of_the_only_open_request_or_of_none() {
    let mut tape = Tape::new();
    let question = json!({"id": 1, "method": "elicitation/create", "params": {}});
    let early = tape.say(STDIO, Received, &question);
    assert_eq!(tape.above(early), None);
    let call = tape.call(STDIO, 1, json!({"name": "ask"}));
    tape.say(STDIO, Sent, &json!({"id": 7, "method": "ping"}));
    let asked = tape.say(STDIO, Received, &question);
    assert_eq!(
        tape.above(asked),
        Some((call, EdgeKind::Question, Certainty::Inferred))
    );
    let elsewhere = tape.say(STDIO.connection(2), Received, &question);
    assert_eq!(tape.above(elsewhere), None);
    let other = tape.call(STDIO, 2, json!({"name": "ask"}));
    let ambiguous = tape.say(STDIO, Received, &question);
    assert_eq!(tape.above(ambiguous), None);
    tape.answer(STDIO, call, json!({}));
    let again = tape.say(STDIO, Received, &question);
    assert_eq!(tape.above(again).map(|above| above.0), Some(other));
    let ping = json!({"id": 2, "method": "ping"});
    let ping = tape.say(STDIO, Received, &ping);
    assert_eq!(tape.above(ping), None);
}

#[test]
fn nothing_is_inferred_where_older_requests_may_be_open() {
    let mut tape = Tape::new();
    tape.linker = OperationLinker::new(false);
    tape.call(STDIO, 1, json!({"name": "ask"}));
    let question = json!({"id": 1, "method": "elicitation/create", "params": {}});
    let asked = tape.say(STDIO, Received, &question);
    assert_eq!(tape.above(asked), None);
    let wire = STDIO.connection(2);
    let phase = ("connecting", "");
    tape.frame(wire, ExchangeKind::Phase, Received, None, phase);
    let call = tape.call(wire, 1, json!({"name": "ask"}));
    let asked = tape.say(wire, Received, &question);
    assert_eq!(tape.above(asked).map(|above| above.0), Some(call));
}

#[test]
fn a_repeated_request_belongs_to_the_message_that_is_answered_on_it() {
    let mut tape = Tape::new();
    let refused = tape.http(STDIO, "POST /mcp");
    let call = tape.call(STDIO.over(refused), 1, json!({"name": "a"}));
    tape.http_answer(STDIO, refused, "401\nwww-authenticate: Bearer\n");
    let sign_in = STDIO.connection(2);
    let first = tape.oauth(sign_in);
    let token = tape.oauth(sign_in);
    let again = tape.http(STDIO, "POST /mcp");
    assert_eq!(tape.above(again), None);
    tape.answer(STDIO.over(again), call, json!({}));
    let parts = [refused, first, again].map(|row| tape.above(row));
    assert_eq!(
        parts,
        [
            Some((call, EdgeKind::Carrier, Certainty::Sure)),
            Some((call, EdgeKind::SignIn, Certainty::Inferred)),
            Some((call, EdgeKind::Repetition, Certainty::Sure)),
        ]
    );
    assert_eq!(
        tape.above(token),
        Some((first, EdgeKind::SignIn, Certainty::Sure))
    );
    assert_eq!(tape.links.root(token), call);
}

#[test]
fn a_sign_in_belongs_to_no_request_where_two_were_refused_or_another_server_did() {
    let mut tape = Tape::new();
    for id in [1, 2] {
        let post = tape.http(STDIO, "POST /mcp");
        tape.call(STDIO.over(post), id, json!({"name": "a"}));
        tape.http_answer(STDIO, post, "403 Forbidden\nwww-authenticate: Bearer\n");
    }
    let other = Wire {
        server: "other",
        ..STDIO.connection(2)
    };
    let of_other = tape.oauth(other);
    let of_two = tape.oauth(STDIO.connection(3));
    let of_none = tape.oauth(STDIO.connection(4));
    for row in [of_other, of_two, of_none] {
        assert_eq!(tape.above(row), None);
    }
}

#[test]
fn a_task_holds_its_requests_and_notifications_across_connections_of_its_server() {
    let mut tape = Tape::new();
    let call = tape.call(STDIO, 1, json!({"name": "long"}));
    let task = json!({"resultType": "task", "taskId": "t", "status": "working"});
    tape.answer(STDIO, call, task);
    assert_eq!(tape.times.task_of(call), Some(TaskStatus::Working));
    let later = STDIO.connection(9);
    let get = json!({"id": 1, "method": "tasks/get", "params": {"taskId": "t"}});
    let get = tape.say(later, Sent, &get);
    let question = json!({"q": {"method": "elicitation/create"}});
    let status = json!({"taskId": "t", "status": "input_required", "inputRequests": question});
    tape.answer(later, get, status);
    let update = json!({"id": 2, "method": "tasks/update", "params": {"taskId": "t"}});
    let update = tape.say(later, Sent, &update);
    let done = json!({"taskId": "t", "status": "completed"});
    let done = tape.notify(later, Received, "notifications/tasks", done);
    let meta = json!({"_meta": {"io.modelcontextprotocol/related-task": {"taskId": "t"}}});
    let question = json!({"id": 5, "method": "elicitation/create", "params": meta});
    let question = tape.say(later, Received, &question);
    for row in [get, update, done, question] {
        assert_eq!(
            tape.above(row),
            Some((call, EdgeKind::Task, Certainty::Sure)),
            "{row}"
        );
    }
    assert_eq!(tape.times.task_of(call), Some(TaskStatus::Completed));
    let at = Timestamp::from_millis(1e4);
    assert!(tape.times.asked_before(update, at).is_some());
    // Another server may have a task of the same id.
    let other = Wire {
        server: "other",
        ..later.connection(10)
    };
    let get = json!({"id": 1, "method": "tasks/get", "params": {"taskId": "t"}});
    let first = tape.say(other, Sent, &get);
    let second = tape.say(other, Sent, &get);
    assert_eq!(tape.above(first), None);
    assert_eq!(tape.above(second).map(|above| above.0), Some(first));
}

#[test]
fn a_task_of_revision_2025_11_25_is_read_too() {
    let mut tape = Tape::new();
    let call = tape.call(STDIO, 1, json!({"name": "long", "task": {}}));
    tape.answer(
        STDIO,
        call,
        json!({"task": {"taskId": "t", "status": "working"}}),
    );
    let result = json!({"id": 2, "method": "tasks/result", "params": {"taskId": "t"}});
    let result = tape.say(STDIO, Sent, &result);
    assert_eq!(tape.above(result).map(|above| above.0), Some(call));
}

#[test]
fn notifications_of_a_subscription_belong_to_it() {
    let mut tape = Tape::new();
    let listen = json!({"id": 4, "method": "subscriptions/listen", "params": {}});
    let listen = tape.say(STDIO, Sent, &listen);
    let call = tape.call(STDIO, 5, json!({"name": "a"}));
    let changed = |tape: &mut Tape, id: u32| {
        let meta = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": id}});
        tape.notify(STDIO, Received, "notifications/tools/list_changed", meta)
    };
    let known = changed(&mut tape, 4);
    let of_a_call = changed(&mut tape, 5);
    assert_eq!(
        tape.above(known),
        Some((listen, EdgeKind::Subscription, Certainty::Sure))
    );
    assert_eq!((tape.above(of_a_call), tape.above(call)), (None, None));
}

#[test]
fn lists_resources_and_traces_link_operations_without_joining_them() {
    let mut tape = Tape::new();
    let params = json!({});
    let changed = tape.notify(STDIO, Received, "notifications/tools/list_changed", params);
    let next_page = json!({"id": 1, "method": "tools/list", "params": {"cursor": "x"}});
    let next_page = tape.say(STDIO, Sent, &next_page);
    let list = json!({"id": 2, "method": "tools/list"});
    let refresh = tape.say(STDIO, Sent, &list);
    let by_hand = tape.say(STDIO, Sent, &list);
    let cause = (changed, EdgeKind::ListRefresh, Certainty::Inferred);
    assert_eq!(tape.causes(refresh), [cause]);
    assert_eq!(
        (tape.causes(next_page), tape.causes(by_hand)),
        (vec![], vec![])
    );

    let read = |tape: &mut Tape| {
        let read = json!({"id": 3, "method": "resources/read", "params": {"uri": "demo://x"}});
        tape.say(STDIO, Sent, &read)
    };
    let link = json!({"content": [{"type": "resource_link", "uri": "demo://x"}]});
    let call = tape.call(STDIO, 3, json!({"name": "a"}));
    tape.answer(STDIO, call, link.clone());
    let cause = (call, EdgeKind::ResourceLink, Certainty::Inferred);
    let one = read(&mut tape);
    assert_eq!(tape.causes(one), [cause]);
    let other = tape.call(STDIO, 3, json!({"name": "a"}));
    tape.answer(STDIO, other, link);
    let ambiguous = read(&mut tape);
    assert_eq!(tape.causes(ambiguous), []);

    let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let traced = json!({"name": "a", "_meta": {"traceparent": traceparent}});
    let first = tape.call(STDIO, 8, traced.clone());
    let second = tape.call(STDIO.connection(7), 1, traced);
    let cause = (first, EdgeKind::Trace, Certainty::Sure);
    assert_eq!(tape.causes(second), [cause]);
    for row in [refresh, one, ambiguous, second] {
        assert_eq!(tape.links.root(row), row);
    }
}

#[test]
fn requests_of_a_batch_are_answered_one_by_one() {
    let mut tape = Tape::new();
    let batch = json!([
        {"id": 1, "method": "tools/call", "params": {"_meta": {"progressToken": 1}}},
        {"id": 2, "method": "tools/call", "params": {}}
    ])
    .to_string();
    let batch = ("batch", batch.as_str());
    let batch = tape.frame(STDIO, ExchangeKind::Request, Sent, None, batch);
    let progress = json!({"progressToken": 1});
    let progress = tape.notify(STDIO, Received, "notifications/progress", progress);
    assert_eq!(tape.above(progress).map(|above| above.0), Some(batch));
    let answers = json!([{"id": 1, "result": {}}, {"id": 2, "result": {}}]).to_string();
    let answers = ("batch", answers.as_str());
    tape.frame(STDIO, ExchangeKind::Notification, Received, None, answers);
    let call = tape.call(STDIO, 3, json!({"name": "ask"}));
    let question = json!({"id": 1, "method": "roots/list"});
    let question = tape.say(STDIO, Received, &question);
    assert_eq!(tape.above(question).map(|above| above.0), Some(call));
}

#[test]
fn a_stranger_that_goes_on_without_end_is_not_remembered_without_end() {
    let mut tape = Tape::new();
    for number in 0..3 * MAX_CONNECTIONS as u32 {
        let wire = STDIO.connection(number);
        let call = tape.call(wire, 1, json!({"name": "ask"}));
        let task = json!({"resultType": "task", "taskId": number.to_string()});
        tape.answer(wire, call, task);
    }
    assert!(tape.linker.connections.len() <= MAX_CONNECTIONS);
    for number in 0..2 * MAX_TASKS {
        let params = json!({"taskId": format!("x{number}")});
        tape.notify(STDIO, Received, "notifications/tasks", params);
    }
    assert_eq!(tape.linker.tasks.len(), MAX_TASKS);
}
