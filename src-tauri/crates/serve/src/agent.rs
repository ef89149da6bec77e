//! One client of what is served: what it said of itself, what runs for it, and what it was asked.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use sightglass_inspector::{Era, brief, visible};
use sightglass_json_text::{Members, object, quoted};
use sightglass_model::lock;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{
    message::{self, RefusedRequest},
    protocol::code,
};

/// Requests of one agent that run at once. Further ones are refused.
const MAX_RUNNING: usize = 64;
/// Characters of an agent's name that are kept.
const MAX_NAME: usize = 100;

/// Kinds of questions that an agent can put to its user (MCP, Capabilities).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AskingAbilities {
    pub forms: bool,
    pub pages: bool,
    pub sampling: bool,
}

/// Name and abilities of an agent, as it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentFacts {
    /// Name and version, as they go on record.
    pub name: String,
    pub abilities: AskingAbilities,
}

impl AgentFacts {
    /// Reads `clientInfo` and `capabilities`, both JSON texts.
    pub fn read(info: Option<&str>, capabilities: Option<&str>) -> Self {
        let info = info.and_then(|text| Members::parse(text).ok());
        let named = |name| info.as_ref().and_then(|info| info.string(name));
        let name = match (named("name"), named("version")) {
            (Some(name), Some(version)) => format!("{name} {version}"),
            (Some(name), None) => name,
            (None, _) => "an agent without a name".to_owned(),
        };
        let capabilities = capabilities.and_then(|text| Members::parse(text).ok());
        let given = |name| capabilities.as_ref().and_then(|all| all.given(name));
        let kinds = given("elicitation").and_then(|text| Members::parse(text).ok());
        let asks = |kind| kinds.as_ref().is_some_and(|all| all.given(kind).is_some());
        Self {
            name: brief(&visible(&name), MAX_NAME).into_owned(),
            abilities: AskingAbilities {
                // Without a kind forms are meant (MCP 2025-11-25, Elicitation, Capabilities).
                forms: kinds.is_some() && (asks("form") || !asks("url")),
                pages: asks("url"),
                sampling: given("sampling").is_some(),
            },
        }
    }
}

/// Destination of messages to an agent: its only one, or that of one request.
#[derive(Clone)]
pub struct AgentSink(mpsc::Sender<String>);

impl AgentSink {
    pub fn new(messages: mpsc::Sender<String>) -> Self {
        Self(messages)
    }

    /// Sends a message, as soon as the agent reads.
    pub async fn send(&self, mut text: String) {
        // A message is one line, and JSON allows line breaks between tokens alone.
        if text.contains(['\n', '\r']) {
            text = text.replace(['\n', '\r'], " ");
        }
        // Fails where it is gone, and nobody is left to tell.
        let _ = self.0.send(text).await;
    }
}

/// One client of what is served.
#[derive(Default)]
pub struct Agent {
    /// Facts of `initialize`; absent before it.
    session: Mutex<Option<AgentFacts>>,
    /// Requests that run, by the text of their ids.
    running: Mutex<HashMap<String, CancellationToken>>,
    /// Requests of ours that wait for its answer, by their ids.
    asked: Mutex<HashMap<String, oneshot::Sender<Result<String, String>>>>,
    questions: AtomicU32,
    closed: CancellationToken,
}

impl Agent {
    pub fn session(&self) -> Option<AgentFacts> {
        lock(&self.session).clone()
    }

    pub fn begin_session(&self, facts: AgentFacts) {
        *lock(&self.session) = Some(facts);
    }

    /// Begins a request, and returns what cancels it.
    ///
    /// # Errors
    /// When too many run, or one of this id does.
    pub fn begin(self: &Arc<Self>, id: &str) -> Result<RunningForAgent, RefusedRequest> {
        let mut running = lock(&self.running);
        if running.contains_key(id) {
            let words = "A request with this id is under way";
            return Err(RefusedRequest::new(code::INVALID_REQUEST, words));
        }
        if running.len() >= MAX_RUNNING {
            let words = format!("{MAX_RUNNING} requests are under way; wait for one of them");
            return Err(RefusedRequest::new(code::BUSY, words));
        }
        let cancelled = self.closed.child_token();
        running.insert(id.to_owned(), cancelled.clone());
        Ok(RunningForAgent {
            agent: Arc::clone(self),
            id: id.to_owned(),
            cancelled,
        })
    }

    /// Cancels a request. One that is not known has ended already (MCP, Cancellation).
    pub fn cancel(&self, id: &str) {
        if let Some(cancelled) = lock(&self.running).get(id) {
            cancelled.cancel();
        }
    }

    /// Ends all that runs for it, also what is begun later.
    pub fn close(&self) {
        self.closed.cancel();
        lock(&self.asked).clear();
    }

    /// Sends a request to the agent, and returns its result or its error, both JSON texts. `None`
    /// when it is gone. Dropping the future takes the request back.
    pub async fn ask(
        &self,
        sink: &AgentSink,
        method: &str,
        params: &str,
    ) -> Option<Result<String, String>> {
        let number = self.questions.fetch_add(1, Ordering::Relaxed);
        let id = format!("sightglass-{number}");
        let (answer, answered) = oneshot::channel();
        lock(&self.asked).insert(id.clone(), answer);
        let mut withdrawal = AskedWithdrawal {
            agent: self,
            sink,
            id: Some(id.clone()),
        };
        sink.send(message::request(&id, method, params)).await;
        let answer = answered.await.ok();
        withdrawal.id = None;
        answer
    }

    /// Takes the answer to a request of ours. One that nobody waits for is dropped.
    pub fn answered(&self, id: &str, outcome: Result<&str, &str>) {
        let Ok(id) = serde_json::from_str::<String>(id) else {
            return;
        };
        if let Some(asked) = lock(&self.asked).remove(&id) {
            let outcome = outcome.map(str::to_owned).map_err(str::to_owned);
            // The call that asked may have ended meanwhile.
            let _ = asked.send(outcome);
        }
    }
}

/// Takes a request to the agent back that nobody waits for any more.
struct AskedWithdrawal<'a> {
    agent: &'a Agent,
    sink: &'a AgentSink,
    id: Option<String>,
}

impl Drop for AskedWithdrawal<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        lock(&self.agent.asked).remove(&id);
        let params = object([("requestId", quoted(&id).as_str())]);
        // An agent whose queue is full does not read, and would not act on it.
        let text = message::notification("notifications/cancelled", &params);
        let _ = self.sink.0.try_send(text);
    }
}

/// A request that runs for an agent, until this is dropped.
pub struct RunningForAgent {
    agent: Arc<Agent>,
    id: String,
    pub cancelled: CancellationToken,
}

impl Drop for RunningForAgent {
    fn drop(&mut self) {
        lock(&self.agent.running).remove(&self.id);
    }
}

/// A request of an agent, with what belongs to it.
pub struct AgentRequest {
    pub agent: Arc<Agent>,
    /// Destination of messages that belong to it.
    pub sink: AgentSink,
    /// The id as it was written.
    pub id: String,
    pub era: Era,
    pub facts: AgentFacts,
    /// From `_meta.progressToken`, as it was written.
    pub progress_token: Option<String>,
    /// The members of `_meta` that are the agent's own, such as `traceparent`: name and JSON text.
    pub meta: Vec<(String, String)>,
}

impl AgentRequest {
    /// Announces progress, where the agent wants to know. `members` are those of the notification
    /// but the token.
    pub async fn announce_progress(&self, members: &[(&str, String)]) {
        let Some(token) = &self.progress_token else {
            return;
        };
        let token = [("progressToken", token.as_str())];
        let members = members.iter().map(|(name, text)| (*name, text.as_str()));
        let params = object(token.into_iter().chain(members));
        let text = message::notification("notifications/progress", &params);
        self.sink.send(text).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_are_read_as_the_revisions_write_them() {
        let abilities = |capabilities: &str| AgentFacts::read(None, Some(capabilities)).abilities;
        assert_eq!(abilities("{}"), AskingAbilities::default());
        let forms = abilities(r#"{"elicitation":{}}"#);
        assert!(forms.forms && !forms.pages && !forms.sampling);
        let pages = abilities(r#"{"elicitation":{"url":{}},"sampling":{}}"#);
        assert!(!pages.forms && pages.pages && pages.sampling);
        let both = abilities(r#"{"elicitation":{"form":{},"url":{}}}"#);
        assert!(both.forms && both.pages);
    }

    #[test]
    fn a_name_is_short_and_visible() {
        let long = format!(r#"{{"name":"a\u202e{}"}}"#, "b".repeat(200));
        let name = AgentFacts::read(Some(&long), None).name;
        assert!(name.chars().count() <= MAX_NAME + 1 && !name.contains('\u{202e}'));
    }

    #[test]
    fn a_flood_of_requests_is_refused_beyond_a_number() {
        let agent = Arc::<Agent>::default();
        let held: Vec<_> = (0..MAX_RUNNING)
            .map(|id| agent.begin(&id.to_string()).map_err(|error| error.code))
            .collect();
        assert!(held.iter().all(Result::is_ok));
        let refused = agent.begin("next").err().expect("too many");
        assert_eq!(refused.code, code::BUSY);
        drop(held);
        assert!(agent.begin("next").is_ok());
    }
}
