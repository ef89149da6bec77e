//! Links rows by the rules of the protocol, from their frames in the order of the wire.
//!
//! Memory of open requests, tokens, rounds and tasks is bounded; what is forgotten is
//! not linked.

mod connection;
mod linked_request;
mod round;

use std::{collections::HashMap, sync::Arc};

use memchr::memmem;
use sightglass_model::Timestamp;

use super::{
    Certainty, Edge, EdgeKind,
    facts::{self, MessageFacts, NotificationFacts, RequestFacts, ResultFacts, asks_person},
    links::{Link, Links},
    recent::Recent,
    time::Times,
};
use crate::{Direction, ExchangeKind};
use connection::LinkedConnection;
use linked_request::LinkedRequest;

/// Connections that are remembered.
const MAX_CONNECTIONS: usize = 1_000;
/// Tasks, and traces, that are remembered.
const MAX_TASKS: usize = 10_000;
/// Requests of one server that were refused, until a sign-in follows.
const MAX_REFUSED: usize = 16;

/// One frame as the rules see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObservedFrame<'a> {
    pub frame: u32,
    /// The row that it starts or answers.
    pub row: u32,
    pub starts_row: bool,
    pub connection: u32,
    /// The frame of the HTTP request that carried it, or another that is of no use here; 0 for
    /// none.
    pub carrier: u32,
    pub kind: ExchangeKind,
    pub direction: Direction,
    pub at: Timestamp,
    /// The method of the row, as the record has it.
    pub method: &'a str,
    /// The text; absent where it is too long to be read, or is gone.
    pub payload: Option<&'a [u8]>,
}

/// Everything that is remembered of frames before, to link those that come.
#[derive(Debug)]
pub(crate) struct OperationLinker {
    connections: HashMap<u32, LinkedConnection>,
    tasks: Recent<TaskKey, LinkedTask>,
    /// The first request of each trace.
    traces: Recent<[u8; 16], u32>,
    /// Rows whose HTTP requests were refused, by server, until a sign-in follows.
    refused: HashMap<Arc<str>, Vec<u32>>,
    /// False when connections may have begun before the first frame.
    from_beginning: bool,
}

/// A task by its server, by the side that asked for it, and by its id.
type TaskKey = (Arc<str>, Direction, String);

#[derive(Debug)]
struct LinkedTask {
    /// The row that created it, or else the first that named it.
    row: u32,
    /// The moment since which it asks a person.
    asked_since: Option<Timestamp>,
}

/// Destination of links and times.
pub(crate) struct Found<'a> {
    pub links: &'a mut Links,
    pub times: &'a mut Times,
}

impl Found<'_> {
    fn part(&mut self, child: u32, parent: u32, kind: EdgeKind, certainty: Certainty) {
        let edge = Edge { kind, certainty };
        self.links.add(Link {
            child,
            parent,
            edge,
        });
    }

    /// Notes the time of a request that is part of another; that of a root is in its row.
    fn begins(&mut self, frame: &ObservedFrame<'_>, asks_person: bool) {
        if self.links.above(frame.row).is_some() {
            self.times.begin(frame.row, frame.at, asks_person);
        }
    }

    fn side(&mut self, child: u32, parent: u32, kind: EdgeKind, certainty: Certainty) {
        let edge = Edge { kind, certainty };
        if self.links.root(child) != self.links.root(parent) {
            self.links.add_side(Link {
                child,
                parent,
                edge,
            });
        }
    }
}

impl OperationLinker {
    /// Begins with a frame before which connections may have begun, unless `from_beginning`.
    pub fn new(from_beginning: bool) -> Self {
        Self {
            connections: HashMap::new(),
            tasks: Recent::new(MAX_TASKS),
            traces: Recent::new(MAX_TASKS),
            refused: HashMap::new(),
            from_beginning,
        }
    }

    /// Looks at the next frame. `server` names the server of its connection, in its project.
    pub fn frame(&mut self, frame: &ObservedFrame<'_>, server: &Arc<str>, found: &mut Found<'_>) {
        self.connection(frame);
        match frame.kind {
            ExchangeKind::Http | ExchangeKind::Oauth => self.http(frame, server, found),
            ExchangeKind::Request | ExchangeKind::Notification | ExchangeKind::Log => {
                self.carried(frame, found);
                if frame.starts_row {
                    self.message(frame, server, found);
                } else {
                    self.answer(frame, server, found);
                }
            }
            ExchangeKind::Stderr | ExchangeKind::Phase => {}
        }
    }

    fn connection(&mut self, frame: &ObservedFrame<'_>) -> &mut LinkedConnection {
        let is_known = self.connections.contains_key(&frame.connection);
        if !is_known && self.connections.len() >= MAX_CONNECTIONS {
            let mut last: Vec<u32> = self
                .connections
                .values()
                .map(|one| one.last_frame)
                .collect();
            last.sort_unstable();
            let middle = last.get(last.len() / 2).copied().unwrap_or(0);
            self.connections.retain(|_, one| one.last_frame >= middle);
            self.from_beginning = false;
        }
        let begins = frame.kind == ExchangeKind::Phase && frame.method == "connecting";
        let is_whole = self.from_beginning || begins;
        let connection = self
            .connections
            .entry(frame.connection)
            .or_insert_with(|| LinkedConnection::new(is_whole));
        connection.last_frame = frame.frame;
        connection
    }

    /// Links an HTTP request of a sign-in, and notes which messages were refused.
    fn http(&mut self, frame: &ObservedFrame<'_>, server: &Arc<str>, found: &mut Found<'_>) {
        let connection = self.connection(frame);
        if !frame.starts_row {
            found.times.end(frame.row, frame.at);
            let refused = connection
                .owner(frame.carrier)
                .filter(|_| frame.payload.is_some_and(is_refusal));
            let rows = self.refused.entry(server.clone()).or_default();
            if let Some(row) = refused.filter(|row| !rows.contains(row))
                && rows.len() < MAX_REFUSED
            {
                rows.push(row);
            }
            return;
        }
        connection.http_started(frame);
        if frame.kind != ExchangeKind::Oauth {
            return;
        }
        // The requests of one sign-in have a connection of their own.
        if let Some(first) = connection.sign_in {
            found.part(frame.row, first, EdgeKind::SignIn, Certainty::Sure);
            found.begins(frame, false);
            return;
        }
        connection.sign_in = Some(frame.row);
        if let [refused] = self.refused.remove(server).unwrap_or_default()[..] {
            found.part(frame.row, refused, EdgeKind::SignIn, Certainty::Inferred);
            found.begins(frame, false);
        }
    }

    /// Links the HTTP request that carried a message.
    fn carried(&mut self, frame: &ObservedFrame<'_>, found: &mut Found<'_>) {
        let is_answer = !frame.starts_row;
        if frame.direction == Direction::Received && !is_answer {
            return;
        }
        if let Some(http) = self.connection(frame).own(frame.carrier, frame.row) {
            let kind = match frame.direction {
                Direction::Sent => EdgeKind::Carrier,
                Direction::Received => EdgeKind::Repetition,
            };
            found.part(http, frame.row, kind, Certainty::Sure);
        }
    }

    fn message(&mut self, frame: &ObservedFrame<'_>, server: &Arc<str>, found: &mut Found<'_>) {
        let Some(payload) = frame.payload else {
            return;
        };
        // What a log message says is the server's own, and long.
        if frame.kind == ExchangeKind::Log && memmem::find(payload, b"/related-task\"").is_none() {
            self.during(frame, EdgeKind::Log, found);
            return;
        }
        for message in facts::messages(payload) {
            match message {
                MessageFacts::Request(request) => self.request(frame, server, request, found),
                MessageFacts::Notification(notification) => {
                    self.notification(frame, server, &notification, found);
                }
                MessageFacts::Answer(Some(id)) => self.connection(frame).answered(frame, id),
                MessageFacts::Answer(None) => {}
            }
        }
    }

    fn request(
        &mut self,
        frame: &ObservedFrame<'_>,
        server: &Arc<str>,
        request: RequestFacts<'_>,
        found: &mut Found<'_>,
    ) {
        let mut first = frame.row;
        let is_about_task = request.method.starts_with("tasks/");
        if let Some(task) = request.task.as_ref().filter(|_| is_about_task) {
            self.about_task(frame, server, frame.direction, task, found);
            self.task_request(frame, server, &request.method, task, found);
        } else if let Some(task) = &request.related_task {
            self.related(frame, server, task, found);
        }
        let connection = self.connection(frame);
        if let Some(round) = connection
            .requests(frame.direction)
            .rounds
            .returned(&request)
            && (round.certainty == Certainty::Sure || connection.is_whole)
        {
            let requests = connection.requests(frame.direction);
            if let Some(candidate) = requests.rounds.take(round.row) {
                found.times.continued(round.row);
                first = candidate.first;
                found.part(frame.row, first, EdgeKind::Round, round.certainty);
                found.begins(frame, false);
                if candidate.asks_person {
                    found.times.asked(frame.row, candidate.at);
                }
            }
        }
        if frame.direction == Direction::Received && request.method != "ping" {
            self.during(frame, EdgeKind::Question, found);
        }
        if frame.direction == Direction::Received {
            let asks = asks_person(&request.method);
            found.begins(frame, asks);
        }
        let connection = self.connection(frame);
        if frame.direction == Direction::Sent {
            connection.side_causes(frame.row, &request, found);
        }
        connection.asked(frame, &request, first);
        if let Some(trace) = request.trace {
            match self.traces.get(&trace) {
                Some(begun) => found.side(frame.row, *begun, EdgeKind::Trace, Certainty::Sure),
                None => self.traces.insert(trace, frame.row),
            }
        }
    }

    fn notification(
        &mut self,
        frame: &ObservedFrame<'_>,
        server: &Arc<str>,
        notification: &NotificationFacts<'_>,
        found: &mut Found<'_>,
    ) {
        let method = notification.method.as_str();
        let is_about_task = matches!(method, "notifications/tasks" | "notifications/tasks/status");
        if let Some(task) = notification.task.as_ref().filter(|_| is_about_task) {
            let asker = opposite(frame.direction);
            let row = self.about_task(frame, server, asker, task, found);
            found.begins(frame, false);
            found.times.end(frame.row, frame.at);
            if let Some(status) = notification.status {
                found.times.task(row, status);
            }
        } else if let Some(task) = &notification.related_task {
            self.related(frame, server, task, found);
        }
        let connection = self.connection(frame);
        match method {
            "notifications/progress" => {
                let asked = connection.requests(opposite(frame.direction));
                let token = notification.progress_token;
                if let Some(row) = token.and_then(|token| asked.by_token.get(token)) {
                    found.part(frame.row, *row, EdgeKind::Progress, Certainty::Sure);
                }
            }
            "notifications/cancelled" => {
                let requests = connection.requests(frame.direction);
                let id = notification.request_id;
                if let Some(row) = id.and_then(|id| requests.by_id.get(id)).copied() {
                    requests.open.remove(&row);
                    found.part(frame.row, row, EdgeKind::Cancellation, Certainty::Sure);
                }
            }
            "notifications/message" => self.during(frame, EdgeKind::Log, found),
            _ => {
                if let Some(id) = notification.subscription
                    && let Some(row) = connection.subscription(frame.direction, id)
                {
                    found.part(frame.row, row, EdgeKind::Subscription, Certainty::Sure);
                }
                if frame.direction == Direction::Received {
                    connection.list_changed(method, frame.row);
                }
            }
        }
    }

    /// Links what a server sent while it worked on a request of ours.
    fn during(&mut self, frame: &ObservedFrame<'_>, kind: EdgeKind, found: &mut Found<'_>) {
        if frame.direction == Direction::Sent {
            return;
        }
        let connection = self.connection(frame);
        if let Some(owner) = connection.owner(frame.carrier) {
            found.part(frame.row, owner, kind, Certainty::Sure);
        } else if let Some(only) = connection.only_open() {
            found.part(frame.row, only, kind, Certainty::Inferred);
        }
    }

    /// Looks at an answer, whose row is that of its request.
    fn answer(&mut self, frame: &ObservedFrame<'_>, server: &Arc<str>, found: &mut Found<'_>) {
        found.times.end(frame.row, frame.at);
        let asker = opposite(frame.direction);
        let Some(open) = self
            .connection(frame)
            .requests(asker)
            .open
            .remove(&frame.row)
        else {
            return;
        };
        if let Some(result) = frame.payload.and_then(facts::result) {
            self.result(frame, server, &open, result, found);
        }
    }

    fn result(
        &mut self,
        frame: &ObservedFrame<'_>,
        server: &Arc<str>,
        open: &LinkedRequest,
        result: ResultFacts<'_>,
        found: &mut Found<'_>,
    ) {
        let asker = opposite(frame.direction);
        if let Some(task) = result.task {
            let key = (server.clone(), asker, task);
            if self.tasks.get(&key).is_none() && !open.method.starts_with("tasks/") {
                let task = LinkedTask {
                    row: frame.row,
                    asked_since: None,
                };
                self.tasks.insert(key.clone(), task);
            }
            if let Some(task) = self.tasks.get_mut(&key) {
                if result.task_asks {
                    task.asked_since.get_or_insert(frame.at);
                }
                if let Some(status) = result.status {
                    found.times.task(task.row, status);
                }
            }
        }
        let connection = self.connection(frame);
        if asker == Direction::Sent {
            connection.linked_resources(frame.row, result.resource_links);
        }
        if let Some(required) = result.input_required {
            let asked_since = required.asks_person.then_some(frame.at);
            let rounds = &mut connection.requests(asker).rounds;
            if rounds.required(frame, open, required) {
                found.times.input_required(frame.row, asked_since);
            }
        }
    }

    /// Links a message about a task, and returns the row that stands for the task.
    fn about_task(
        &mut self,
        frame: &ObservedFrame<'_>,
        server: &Arc<str>,
        asker: Direction,
        task: &str,
        found: &mut Found<'_>,
    ) -> u32 {
        let key = (server.clone(), asker, task.to_owned());
        if let Some(task) = self.tasks.get(&key) {
            found.part(frame.row, task.row, EdgeKind::Task, Certainty::Sure);
            return task.row;
        }
        // Who created it is not on record: the first message about it stands for it.
        let task = LinkedTask {
            row: frame.row,
            asked_since: None,
        };
        self.tasks.insert(key, task);
        frame.row
    }

    /// Notes the time of a request about a task, and that it brings answers.
    fn task_request(
        &mut self,
        frame: &ObservedFrame<'_>,
        server: &Arc<str>,
        method: &str,
        task: &str,
        found: &mut Found<'_>,
    ) {
        found.begins(frame, false);
        let key = (server.clone(), frame.direction, task.to_owned());
        if method == "tasks/update"
            && let Some(task) = self.tasks.get_mut(&key)
            && let Some(since) = task.asked_since.take()
        {
            found.times.asked(frame.row, since);
        }
    }

    /// Links a message that says in its `_meta` that it belongs to a task.
    fn related(
        &self,
        frame: &ObservedFrame<'_>,
        server: &Arc<str>,
        task: &str,
        found: &mut Found<'_>,
    ) {
        let rows = [Direction::Sent, Direction::Received].map(|asker| {
            let key = (server.clone(), asker, task.to_owned());
            self.tasks.get(&key).map(|task| task.row)
        });
        // Both sides may have a task of one id.
        if let [Some(row), None] | [None, Some(row)] = rows {
            found.part(frame.row, row, EdgeKind::Task, Certainty::Sure);
        }
    }
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Sent => Direction::Received,
        Direction::Received => Direction::Sent,
    }
}

/// Returns true for an answer that asks for a sign-in (RFC 6750, section 3): a 401, or a 403 with a
/// challenge.
fn is_refusal(text: &[u8]) -> bool {
    match facts::http_status(text) {
        Some(401) => true,
        Some(403) => memmem::find(&text.to_ascii_lowercase(), b"\nwww-authenticate:").is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
