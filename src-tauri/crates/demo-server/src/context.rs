//! One request in progress: its client, the client's capabilities, and how to talk to
//! them before the answer.

use std::{future::Future, pin::Pin, sync::Arc};

use bytes::Bytes;
use serde_json::{Map, Value, json, value::RawValue};
use tokio_util::sync::CancellationToken;

use crate::{
    connection::ClientConnection,
    message::{Message, RequestId, RpcError},
    protocol::{Era, Level, code},
    question::{Ability, Question},
    server::Server,
    sink::Sink,
};

/// Answer of a handler.
#[derive(Debug)]
pub enum Reply {
    /// A result object.
    Result(Value),
    /// A result object as the text between its braces, in pieces. For answers that
    /// are large or asked for often.
    Fields(Vec<Bytes>),
    /// A JSON-RPC error.
    Error(RpcError),
    /// A whole message exactly as it is to appear on the wire, right or wrong.
    Verbatim(Message),
    /// Nothing: the request was cancelled, or silence is the point.
    Silence,
}

/// An answer, now or later.
pub enum Outcome {
    /// At once.
    Now(Reply),
    /// As a task, which is dropped when the request is cancelled.
    Later(Pin<Box<dyn Future<Output = Reply> + Send>>),
}

impl Outcome {
    /// Work to be done as a task.
    pub fn later(work: impl Future<Output = Reply> + Send + 'static) -> Outcome {
        Outcome::Later(Box::pin(work))
    }
}

impl From<Reply> for Outcome {
    fn from(reply: Reply) -> Outcome {
        Outcome::Now(reply)
    }
}

impl From<RpcError> for Outcome {
    fn from(error: RpcError) -> Outcome {
        Outcome::Now(Reply::Error(error))
    }
}

/// Reason why a question has no answer (yet).
#[derive(Debug)]
pub enum Unanswered {
    /// The client did not declare that it can answer.
    Unable(Ability),
    /// Modern era: answer the request with this, and the client will retry it.
    AskFirst(Reply),
    /// The client answered with a JSON-RPC error.
    Refused(Value),
    /// The connection closed.
    Gone,
}

/// One request being worked on.
#[derive(Clone)]
pub struct Context {
    pub server: Arc<Server>,
    pub connection: Arc<ClientConnection>,
    /// Takes what belongs to this request: progress, logs, questions.
    pub sink: Sink,
    pub id: RequestId,
    pub era: Era,
    /// Capabilities that the client declared, at `initialize` or with this request.
    pub capabilities: Arc<Value>,
    /// From `_meta.progressToken`, as text.
    pub progress_token: Option<Box<RawValue>>,
    /// The least severe level this request may log at; `None`: not at all.
    pub log_level: Option<Level>,
    /// Modern era: the client's answers in earlier rounds and in this one.
    pub answers: Map<String, Value>,
    pub cancelled: CancellationToken,
}

impl Context {
    /// Returns true when the client wants messages of this level.
    pub fn wants(&self, level: Level) -> bool {
        self.log_level.is_some_and(|threshold| level >= threshold)
    }

    /// Sends `notifications/message`, if wanted.
    pub async fn log(&self, level: Level, data: Value) {
        if self.wants(level) {
            let params = json!({ "level": level.name(), "logger": "demo", "data": data });
            self.sink
                .send(Message::notification("notifications/message", &params))
                .await;
        }
    }

    /// Sends `notifications/progress`, if the client gave a token.
    pub async fn progress(&self, progress: u64, total: u64, text: &str) {
        if let Some(token) = &self.progress_token {
            let text = Value::from(text);
            self.sink
                .send(Message::from(format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{progress},"total":{total},"message":{text}}}}}"#
                )))
                .await;
        }
    }

    /// Asks the client one thing. See [`Context::ask_all`].
    pub async fn ask(&self, question: Question) -> Result<Value, Unanswered> {
        let mut answers = self.ask_all(vec![question]).await?;
        answers.pop().ok_or(Unanswered::Gone)
    }

    /// Asks the client several things and returns the answers in order: in the
    /// initialize era by a request each; in the modern era by ending this round
    /// with `input_required`, after which the client retries and the handler, run
    /// again from its start, finds the answers here.
    ///
    /// # Errors
    ///
    /// Why there is no answer, or the reply that asks for one.
    pub async fn ask_all(&self, questions: Vec<Question>) -> Result<Vec<Value>, Unanswered> {
        for question in &questions {
            if !question.needs.is_declared_in(&self.capabilities) {
                return Err(Unanswered::Unable(question.needs));
            }
        }
        match self.era {
            Era::Modern => self.answered_in_a_round(questions),
            Era::Initialize => {
                let mut answers = Vec::with_capacity(questions.len());
                for question in questions {
                    // One JSON body leaves no room for requests beside the answer.
                    let sink = match &self.sink {
                        Sink::Nowhere => self.connection.home(),
                        sink => sink,
                    };
                    match self
                        .connection
                        .ask(sink, question.method, &question.params)
                        .await
                    {
                        Some(Ok(answer)) => answers.push(answer),
                        Some(Err(error)) => return Err(Unanswered::Refused(error)),
                        None => return Err(Unanswered::Gone),
                    }
                }
                Ok(answers)
            }
        }
    }

    fn answered_in_a_round(&self, questions: Vec<Question>) -> Result<Vec<Value>, Unanswered> {
        let mut requests = Map::new();
        let mut answers = Vec::with_capacity(questions.len());
        for question in questions {
            match self.answers.get(&question.key) {
                Some(answer) => answers.push(answer.clone()),
                None => {
                    requests.insert(
                        question.key,
                        json!({ "method": question.method, "params": question.params }),
                    );
                }
            }
        }
        if requests.is_empty() {
            return Ok(answers);
        }
        Err(Unanswered::AskFirst(self.input_required(Some(requests))))
    }

    /// Ends a round of the modern era; without requests it only asks to come back.
    pub fn input_required(&self, requests: Option<Map<String, Value>>) -> Reply {
        let mut result = Map::new();
        result.insert("resultType".to_owned(), json!("input_required"));
        if let Some(requests) = requests {
            result.insert("inputRequests".to_owned(), Value::Object(requests));
        }
        let state = self.server.remember(self.answers.clone());
        result.insert("requestState".to_owned(), Value::String(state));
        Reply::Result(Value::Object(result))
    }
}

impl Unanswered {
    /// The reply of a request that cannot go on without the answer.
    pub fn into_reply(self, era: Era) -> Reply {
        match self {
            Unanswered::AskFirst(reply) => reply,
            Unanswered::Gone => Reply::Silence,
            Unanswered::Refused(error) => Reply::Error(
                RpcError::new(code::INTERNAL_ERROR, "The client answered with an error")
                    .with_data(json!({ "clientError": error })),
            ),
            Unanswered::Unable(ability) => {
                let code = match era {
                    Era::Modern => code::MISSING_CLIENT_CAPABILITY,
                    Era::Initialize => code::INVALID_REQUEST,
                };
                Reply::Error(
                    RpcError::new(code, "Missing required client capability")
                        .with_data(json!({ "requiredCapabilities": ability.capability() })),
                )
            }
        }
    }
}
