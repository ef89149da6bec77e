//! Inbox of questions that servers ask of the user, each until it is answered or withdrawn.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::value::RawValue;
use sightglass_json_text::Members;
use sightglass_model::{FrameId, ServerId, Timestamp};
use tokio::sync::{oneshot, watch};

use crate::{
    AutomaticAnswer, ByRule, ConnectionError, ConnectionEvent, QuestionRules, RuleAnswer,
    ServerAnswer, ServerQuestion, Settlement,
    rpc::roots::{RootsOf, roots_result},
    status::{event::EventSink, key::ConnectionKey},
    sync::lock,
};

/// Questions of one server that may wait at once. A user answers them one by one, and each is
/// kept and shown in full.
const MAX_OPEN: usize = 100;
/// Bytes that the open questions of one server may have together.
const MAX_OPEN_BYTES: usize = 64 << 20;
/// A question that the server took back counts as open for this long, so that asking and taking
/// back in turn is bounded too.
const WITHDRAWN_KEPT: Duration = Duration::from_secs(10);
/// JSON-RPC: the first code for errors of an implementation's own.
const TOO_MANY_QUESTIONS: i32 = -32000;
/// Number of automatic answers that are kept, of all servers together.
const MAX_AUTOMATIC_ANSWERS: usize = 50;
/// The same answer to the same server is told again after this long, in milliseconds: a server
/// may ask a thousand times a second.
const SAME_ANSWER_INTERVAL: f64 = 1000.0;
/// The code for a question that is refused: the one that MCP gives to a refusal by the user
/// (sampling, error handling).
const CALL_ENDED: i32 = -1;

/// A question as it comes from the server.
pub(crate) struct IncomingQuestion {
    pub connection: ConnectionKey,
    /// Name of the input request, in the stateless era.
    pub input: Option<String>,
    pub method: String,
    pub params: String,
    /// The calls that it can belong to.
    pub calls: Vec<String>,
    pub frame: Option<FrameId>,
    /// The JSON text of the id under which the server asks; absent in the stateless era,
    /// where questions come inside a result.
    pub wire_id: Option<String>,
    /// True when the call is sent again once this is answered, so that the answer says "done"
    /// rather than "yes".
    pub before_another_try: bool,
    /// The rest of the call's time limit.
    pub time_left: Option<Duration>,
}

/// A question that is answered at once, without the user.
pub(crate) enum AtOnce {
    /// Too many questions of that server wait.
    TooMany(ServerAnswer),
    Rule(Box<RuleAnswer>),
}

struct OpenQuestion {
    connection: ConnectionKey,
    question: ServerQuestion,
    /// The calls that it can belong to and that are still under way.
    calls: Vec<String>,
    wire_id: Option<String>,
    answer: oneshot::Sender<ServerAnswer>,
}

pub(crate) struct Inbox {
    next: AtomicU32,
    open: Mutex<BTreeMap<u32, OpenQuestion>>,
    /// Told whenever a question comes or is settled.
    changed: watch::Sender<()>,
    /// When the server of each connection took questions back.
    taken_back: Mutex<HashMap<ConnectionKey, VecDeque<Instant>>>,
    /// The newest answers that were given without asking, the oldest first.
    automatic: Mutex<VecDeque<AutomaticAnswer>>,
    roots: RootsOf,
    /// Rules that are asked in their order, until one is about the question.
    rules: Vec<Arc<dyn QuestionRules>>,
    events: EventSink,
}

impl Inbox {
    pub(crate) fn new(
        events: EventSink,
        roots: RootsOf,
        rules: Vec<Arc<dyn QuestionRules>>,
    ) -> Self {
        Self {
            next: AtomicU32::new(1),
            open: Mutex::default(),
            changed: watch::Sender::new(()),
            taken_back: Mutex::default(),
            automatic: Mutex::default(),
            roots,
            rules,
            events,
        }
    }

    /// Puts a question, unless a rule answers it. `mask` masks the secrets in what is shown of a
    /// rule's answer. The future yields the answer, or nothing when it was withdrawn.
    /// Dropping the future withdraws the question.
    ///
    /// # Errors
    ///
    /// The answer to give at once: that of a rule, or when too many questions of that server wait.
    pub(crate) fn ask(
        self: &Arc<Self>,
        incoming: IncomingQuestion,
        mask: &dyn Fn(&str) -> String,
    ) -> Result<impl Future<Output = Option<ServerAnswer>> + use<>, AtOnce> {
        let recent = self.recently_taken_back(&incoming.connection);
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        // With several under way it could belong to any.
        let call = match incoming.calls.as_slice() {
            [call] => Some(call.clone()),
            _ => None,
        };
        let mut question = ServerQuestion {
            id,
            server: incoming.connection.server.clone(),
            input: incoming.input,
            method: incoming.method,
            params: incoming.params,
            at: Timestamp::now().as_millis(),
            call,
            frame: incoming.frame,
            before_another_try: incoming.before_another_try,
            time_left: incoming.time_left.map(|left| left.as_secs_f64() * 1000.0),
            remark: None,
            awaits_model: false,
        };
        match self.decide(&question) {
            ByRule::None => {}
            ByRule::Ask { remark } => question.remark = Some(remark),
            ByRule::Model { remark } => {
                question.remark = Some(remark);
                question.awaits_model = true;
            }
            ByRule::Answer(answer) => {
                self.publish_automatic(AutomaticAnswer {
                    server: question.server,
                    method: question.method,
                    rule: Some(answer.rule.clone()),
                    message: answer.message.as_deref().map(mask),
                    json: mask(&answer.shown),
                    at: question.at,
                    call: question.call,
                    frame: question.frame,
                });
                return Err(AtOnce::Rule(Box::new(answer)));
            }
        }
        let (answer, answered) = oneshot::channel();
        {
            let mut open = lock(&self.open);
            let others = open
                .values()
                .filter(|open| open.connection == incoming.connection);
            let (count, bytes) = others
                .fold((recent, question.params.len()), |(count, bytes), open| {
                    (count + 1, bytes + open.question.params.len())
                });
            if count >= MAX_OPEN || bytes > MAX_OPEN_BYTES {
                return Err(AtOnce::TooMany(too_many()));
            }
            open.insert(
                id,
                OpenQuestion {
                    connection: incoming.connection,
                    question: question.clone(),
                    calls: incoming.calls,
                    wire_id: incoming.wire_id,
                    answer,
                },
            );
        }
        self.changed.send_replace(());
        (self.events)(ConnectionEvent::QuestionArrived { question });
        let withdrawal = QuestionWithdrawal {
            inbox: Arc::clone(self),
            id,
        };
        Ok(async move {
            let answer = answered.await.ok();
            drop(withdrawal);
            answer
        })
    }

    /// Applies the rules to a question.
    fn decide(&self, question: &ServerQuestion) -> ByRule {
        self.rules
            .iter()
            .map(|rules| rules.decide(question))
            .find(|decision| !matches!(decision, ByRule::None))
            .unwrap_or(ByRule::None)
    }

    fn recently_taken_back(&self, connection: &ConnectionKey) -> usize {
        let mut taken_back = lock(&self.taken_back);
        let Some(times) = taken_back.get_mut(connection) else {
            return 0;
        };
        times.retain(|time| time.elapsed() < WITHDRAWN_KEPT);
        let count = times.len();
        if count == 0 {
            taken_back.remove(connection);
        }
        count
    }

    /// The result of `roots/list` for a server, which is told as an automatic answer.
    pub(crate) fn answer_roots(
        &self,
        server: &ServerId,
        call: Option<String>,
        frame: Option<FrameId>,
    ) -> String {
        let json = roots_result(&(self.roots)(server));
        self.publish_automatic(AutomaticAnswer {
            server: server.clone(),
            method: "roots/list".to_owned(),
            rule: None,
            message: None,
            json: json.clone(),
            at: Timestamp::now().as_millis(),
            call,
            frame,
        });
        json
    }

    /// Keeps an automatic answer and tells it, unless the same was told a moment ago.
    fn publish_automatic(&self, answer: AutomaticAnswer) {
        let is_repeated = {
            let mut automatic = lock(&self.automatic);
            let is_repeated = automatic.iter().rev().any(|earlier| {
                earlier.server == answer.server
                    && earlier.method == answer.method
                    && earlier.rule == answer.rule
                    && earlier.json == answer.json
                    && answer.at - earlier.at < SAME_ANSWER_INTERVAL
            });
            if !is_repeated {
                automatic.push_back(answer.clone());
                if automatic.len() > MAX_AUTOMATIC_ANSWERS {
                    automatic.pop_front();
                }
            }
            is_repeated
        };
        if !is_repeated {
            (self.events)(ConnectionEvent::AnsweredAutomatically { answer });
        }
    }

    /// The newest automatic answers, the oldest first.
    pub(crate) fn automatic_answers(&self) -> Vec<AutomaticAnswer> {
        lock(&self.automatic).iter().cloned().collect()
    }

    /// All open questions, oldest first.
    pub(crate) fn questions(&self) -> Vec<ServerQuestion> {
        lock(&self.open)
            .values()
            .map(|open| open.question.clone())
            .collect()
    }

    pub(crate) fn answer(&self, id: u32, answer: ServerAnswer) -> Result<(), ConnectionError> {
        if let ServerAnswer::Result { json } = &answer {
            serde_json::from_str::<&RawValue>(json).map_err(|error| {
                ConnectionError::InvalidParams {
                    message: error.to_string(),
                }
            })?;
        }
        let open = lock(&self.open)
            .remove(&id)
            .ok_or_else(|| ConnectionError::NotFound {
                what: "that question".to_owned(),
            })?;
        // The server may have gone between; the question is settled either way.
        let _ = open.answer.send(answer);
        self.publish_settled(id, Settlement::Answered);
        Ok(())
    }

    /// Answers a question that is open still as a rule wants it, and tells so.
    pub(crate) fn answer_by_rule(
        &self,
        id: u32,
        rule: &str,
        answer: ServerAnswer,
        shown: String,
    ) -> Result<ConnectionKey, ConnectionError> {
        let open = lock(&self.open)
            .get(&id)
            .map(|open| (open.connection.clone(), open.question.clone()));
        let (connection, question) = open.ok_or_else(|| ConnectionError::NotFound {
            what: "that question".to_owned(),
        })?;
        self.answer(id, answer)?;
        self.publish_automatic(AutomaticAnswer {
            server: question.server,
            method: question.method,
            rule: Some(rule.to_owned()),
            message: None,
            json: shown,
            at: Timestamp::now().as_millis(),
            call: question.call,
            frame: question.frame,
        });
        Ok(connection)
    }

    /// Leaves a question for which a model was asked to the user.
    pub(crate) fn leave_to_user(&self, id: u32, remark: String) {
        let question = lock(&self.open).get_mut(&id).map(|open| {
            open.question.awaits_model = false;
            open.question.remark = Some(remark);
            open.question.clone()
        });
        if let Some(question) = question {
            (self.events)(ConnectionEvent::QuestionArrived { question });
        }
    }

    /// Tells whenever a question comes or is settled.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Tells if a question waits that belongs to this call, or of which that cannot be told.
    pub(crate) fn has_question(&self, connection: &ConnectionKey, call: &str) -> bool {
        lock(&self.open).values().any(|open| {
            open.connection == *connection
                && (open.calls.is_empty() || open.calls.iter().any(|known| known == call))
        })
    }

    /// The call ended without an answer, and with it the questions that can belong to no other.
    /// A server that asked under an id of its own is told, so that it does not wait.
    pub(crate) fn call_ended(&self, connection: &ConnectionKey, call: &str) {
        let ended: Vec<(u32, OpenQuestion)> = {
            let mut open = lock(&self.open);
            let mut ids = Vec::new();
            for (id, question) in open.iter_mut() {
                if question.connection != *connection || question.calls.is_empty() {
                    continue;
                }
                question.calls.retain(|known| known != call);
                if question.calls.is_empty() {
                    ids.push(*id);
                }
            }
            ids.into_iter()
                .filter_map(|id| Some((id, open.remove(&id)?)))
                .collect()
        };
        for (id, open) in ended {
            // The connection may be over too.
            let _ = open.answer.send(dismissal(&open.question.method));
            self.publish_settled(id, Settlement::CallEnded);
        }
    }

    /// The call was answered. A question that came meanwhile may be of the server's own accord,
    /// so that it stays.
    pub(crate) fn call_answered(&self, connection: &ConnectionKey, call: &str) {
        for question in lock(&self.open).values_mut() {
            if question.connection == *connection && question.calls.len() > 1 {
                question.calls.retain(|known| known != call);
            }
        }
    }

    /// The server says that a page was dealt with (MCP 2025-11-25, elicitation in URL mode).
    /// A call that waits for that goes on.
    pub(crate) fn complete(&self, connection: &ConnectionKey, elicitation: &str) {
        let waiting = lock(&self.open).iter().find_map(|(id, open)| {
            let may_be = open.question.before_another_try && open.connection == *connection;
            if !may_be {
                return None;
            }
            let asked = Members::parse(&open.question.params)
                .ok()?
                .string("elicitationId")?;
            (asked == elicitation).then_some(*id)
        });
        if let Some(id) = waiting {
            let json = r#"{"action":"accept"}"#.to_owned();
            // Somebody may have answered in between, which is as good.
            let _ = self.answer(id, ServerAnswer::Result { json });
        }
    }

    /// The server took a question back.
    pub(crate) fn withdraw(&self, connection: &ConnectionKey, wire_id: &str) {
        let settled = self.settle(
            |open| open.connection == *connection && open.wire_id.as_deref() == Some(wire_id),
            |_| Settlement::Withdrawn,
        );
        if settled > 0 {
            let mut taken_back = lock(&self.taken_back);
            let times = taken_back.entry(connection.clone()).or_default();
            times.extend(std::iter::repeat_n(Instant::now(), settled));
        }
    }

    /// The connection is over, and with it its questions.
    pub(crate) fn withdraw_all(&self, connection: &ConnectionKey) {
        self.settle(
            |open| open.connection == *connection,
            |open| match open.calls.is_empty() {
                true => Settlement::ConnectionEnded,
                false => Settlement::CallEnded,
            },
        );
    }

    /// Settles questions without an answer, and says how many.
    fn settle(
        &self,
        which: impl Fn(&OpenQuestion) -> bool,
        how: impl Fn(&OpenQuestion) -> Settlement,
    ) -> usize {
        let settled: Vec<(u32, Settlement)> = {
            let mut open = lock(&self.open);
            let settled: Vec<(u32, Settlement)> = open
                .iter()
                .filter(|(_, open)| which(open))
                .map(|(id, open)| (*id, how(open)))
                .collect();
            for (id, _) in &settled {
                open.remove(id);
            }
            settled
        };
        for (id, how) in &settled {
            self.publish_settled(*id, *how);
        }
        settled.len()
    }

    fn publish_settled(&self, id: u32, how: Settlement) {
        self.changed.send_replace(());
        (self.events)(ConnectionEvent::QuestionSettled { id, how });
    }
}

fn too_many() -> ServerAnswer {
    ServerAnswer::Error {
        code: TOO_MANY_QUESTIONS,
        message: format!(
            "Too many questions wait for the user: {MAX_OPEN} of one server at most, and {} MiB. \
             Ask again when some are answered.",
            MAX_OPEN_BYTES >> 20
        ),
    }
}

/// Returns the answer to a question that stays unanswered.
fn dismissal(method: &str) -> ServerAnswer {
    match method {
        "elicitation/create" => ServerAnswer::Result {
            json: r#"{"action":"cancel"}"#.to_owned(),
        },
        _ => ServerAnswer::Error {
            code: CALL_ENDED,
            message: "The call that this belonged to has ended".to_owned(),
        },
    }
}

struct QuestionWithdrawal {
    inbox: Arc<Inbox>,
    id: u32,
}

impl Drop for QuestionWithdrawal {
    fn drop(&mut self) {
        let id = self.id;
        // Dropped unanswered only with the call that waits for it.
        self.inbox
            .settle(|open| open.question.id == id, |_| Settlement::CallEnded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(server: &str, id: u32, params: String) -> IncomingQuestion {
        IncomingQuestion {
            input: None,
            connection: ServerId::new("test", server).into(),
            method: "elicitation/create".to_owned(),
            params,
            calls: Vec::new(),
            frame: None,
            wire_id: Some(id.to_string()),
            before_another_try: false,
            time_left: None,
        }
    }

    fn inbox() -> Arc<Inbox> {
        Arc::new(Inbox::new(
            Arc::new(|_| {}),
            Arc::new(|_| Vec::new()),
            Vec::new(),
        ))
    }

    #[test]
    fn a_hundred_questions_of_one_server_wait_and_the_next_is_refused() {
        let inbox = inbox();
        let ask =
            |server: &str, id| inbox.ask(question(server, id, "{}".to_owned()), &str::to_owned);
        let waiting: Vec<_> = (0..100).map(|id| ask("loud", id).ok().unwrap()).collect();
        let Err(AtOnce::TooMany(ServerAnswer::Error { code, message })) = ask("loud", 100) else {
            panic!("it is refused");
        };
        assert_eq!(code, -32000);
        assert!(message.contains("100 of one server"), "{message}");
        assert!(ask("quiet", 1).is_ok(), "another server is not refused");
        drop(waiting);
        assert!(ask("loud", 101).is_ok());
    }

    #[test]
    fn questions_may_not_be_larger_than_the_limit_together() {
        let inbox = inbox();
        let large = || "x".repeat(MAX_OPEN_BYTES / 2 - 10);
        let _first = inbox
            .ask(question("loud", 1, large()), &str::to_owned)
            .ok()
            .unwrap();
        let _second = inbox
            .ask(question("loud", 2, large()), &str::to_owned)
            .ok()
            .unwrap();
        assert!(
            inbox
                .ask(question("loud", 3, large()), &str::to_owned)
                .is_err()
        );
    }

    #[test]
    fn asking_and_taking_back_in_turn_is_refused_after_a_hundred_times() {
        let inbox = inbox();
        let connection = ConnectionKey::from(ServerId::new("test", "loud"));
        for id in 0..100 {
            let _asked = inbox
                .ask(question("loud", id, "{}".to_owned()), &str::to_owned)
                .ok()
                .unwrap();
            inbox.withdraw(&connection, &id.to_string());
        }
        assert!(
            inbox
                .ask(question("loud", 100, "{}".to_owned()), &str::to_owned)
                .is_err()
        );
        assert!(inbox.questions().is_empty());
    }
}
