//! Narrates on stderr what happens meanwhile: phases, progress, what crossed the wire, the server's
//! stderr, and the questions that it asks.
//!
//! Declines each question that no rule answers at once: without a window there is no user to answer,
//! and a call that asks would wait for ever.

mod exchanges;

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use sightglass_inspector::{
    AutomaticAnswer, ConnectionEvent, ConnectionStatus, Inspector, PhaseRecord, Progress,
    ServerAnswer, ServerId, ServerQuestion, Subscription,
    view::{Fact, TaskView},
};
use tokio::{sync::oneshot, task::JoinHandle};

use exchanges::{Exchanges, Told};

use crate::{
    console,
    options::CommonOptions,
    style::{FAINT, NAME, WARNING, duration, harmless, styled},
    workflow,
};

/// Tells what happens until it is finished.
pub(crate) struct Narration {
    running: Mutex<Option<(oneshot::Sender<()>, JoinHandle<()>)>>,
}

impl Narration {
    /// Tells what happens from now on, on a server that is about to be connected, or on all.
    pub(crate) fn start(
        inspector: &Arc<Inspector>,
        server: Option<&ServerId>,
        options: &CommonOptions,
    ) -> Self {
        if let Some(server) = server.filter(|_| !options.json || options.verbose) {
            for difference in inspector.servers.sidebar.client_differences(server) {
                tell(&styled(FAINT, &format!("Note: {}", harmless(&difference))));
            }
        }
        let exchanges = told(options).map(|told| Exchanges::new(inspector, told));
        let narrator = Narrator::new(inspector, server, options, exchanges);
        let facts = inspector.subscribe();
        Self::run(|finished| console::inherited(narrator.run(facts, finished)))
    }

    /// Declines questions and tells nothing, for a connection that outlives the command.
    pub(crate) fn silent(inspector: &Arc<Inspector>, server: &ServerId) -> Self {
        let narrator = Narrator {
            inspector: Arc::clone(inspector),
            server: Some(server.clone()),
            verbose: false,
            quiet: true,
            phases_told: HashMap::new(),
            tasks_told: HashSet::new(),
            exchanges: None,
        };
        let facts = inspector.subscribe();
        Self::run(|finished| narrator.run(facts, finished))
    }

    /// Tells what happens from now on, on a server that is connected.
    pub(crate) async fn join(
        inspector: &Arc<Inspector>,
        server: &ServerId,
        options: &CommonOptions,
    ) -> Self {
        let exchanges = match told(options) {
            Some(told) => Some(Exchanges::from_now(inspector, told, server).await),
            None => None,
        };
        let mut narrator = Narrator::new(inspector, Some(server), options, exchanges);
        let status = inspector.servers.open_connections.status(server);
        let over = phases_over(&status).len();
        narrator.phases_told.insert(server.clone(), over);
        // Before the caller goes on, so that nothing is missed.
        let facts = inspector.subscribe();
        Self::run(|finished| console::inherited(narrator.run(facts, finished)))
    }

    fn run<F: Future<Output = ()> + Send + 'static>(
        narrating: impl FnOnce(oneshot::Receiver<()>) -> F,
    ) -> Self {
        let (finish, finished) = oneshot::channel();
        let task = tokio::spawn(narrating(finished));
        Self {
            running: Mutex::new(Some((finish, task))),
        }
    }

    /// Tells what is left to tell.
    pub(crate) async fn finish(&self) {
        let running = self
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some((finish, task)) = running {
            let _ = finish.send(());
            // A panic in it is already reported.
            let _ = task.await;
        }
    }
}

struct Narrator {
    inspector: Arc<Inspector>,
    /// The one server that it is about; `None` for all.
    server: Option<ServerId>,
    verbose: bool,
    quiet: bool,
    phases_told: HashMap<ServerId, usize>,
    /// Ids of the tasks that were told of.
    tasks_told: HashSet<String>,
    exchanges: Option<Exchanges>,
}

/// Returns the part of the record that the options ask for.
fn told(options: &CommonOptions) -> Option<Told> {
    match (options.verbose, options.log_level) {
        (true, _) => Some(Told::Everything),
        (false, Some(_)) => Some(Told::LogMessages),
        (false, None) => None,
    }
}

/// The phases that are over.
fn phases_over(status: &ConnectionStatus) -> Vec<&PhaseRecord> {
    let records = status.timeline.iter().map(|record| &**record);
    records
        .take_while(|record| record.duration.is_some() && !record.phase.is_live())
        .collect()
}

impl Narrator {
    fn new(
        inspector: &Arc<Inspector>,
        server: Option<&ServerId>,
        options: &CommonOptions,
        exchanges: Option<Exchanges>,
    ) -> Self {
        Self {
            inspector: inspector.clone(),
            server: server.cloned(),
            verbose: options.verbose,
            // A program that reads JSON reads it from stderr too.
            quiet: options.json && !options.verbose,
            phases_told: HashMap::new(),
            tasks_told: HashSet::new(),
            exchanges,
        }
    }

    async fn run(mut self, mut facts: Subscription, mut finished: oneshot::Receiver<()>) {
        let mut record = self.inspector.core.record().watch();
        loop {
            tokio::select! {
                biased;
                batch = facts.next_batch() => {
                    let Some(batch) = batch else { break };
                    for event in batch {
                        match event.fact {
                            Fact::Connection { event } => self.event(*event),
                            Fact::Task { task } => self.task(&task),
                            _ => {}
                        }
                    }
                }
                changed = record.changed(), if self.exchanges.is_some() => {
                    if changed.is_err() {
                        break;
                    }
                    self.print_new().await;
                }
                _ = &mut finished => break,
            }
        }
        if let Some(server) = self.server.clone() {
            let status = self.inspector.servers.open_connections.status(&server);
            self.status(&server, &status);
        }
        self.print_new().await;
    }

    /// Tells what is new on record, as far as it is wanted.
    async fn print_new(&mut self) {
        if let Some(exchanges) = &mut self.exchanges {
            exchanges.print_new().await;
        }
    }

    fn event(&mut self, event: ConnectionEvent) {
        match event {
            ConnectionEvent::Status { server, status } => self.status(&server, &status),
            ConnectionEvent::Progress { progress, .. } => self.progress(&progress),
            // A model is asked; where it fails the question arrives again.
            ConnectionEvent::QuestionArrived { question } if question.awaits_model => {}
            ConnectionEvent::QuestionArrived { question } => self.decline(&question),
            ConnectionEvent::AnsweredAutomatically { answer } => self.answered(&answer),
            _ => {}
        }
    }

    /// Tells that a call is a task now, and how far it is.
    fn task(&mut self, task: &TaskView) {
        let is_new = self.tasks_told.insert(task.facts.id.clone());
        if self.quiet || !(is_new || self.verbose) {
            return;
        }
        let message = task.facts.message.as_deref().unwrap_or_default();
        tell(&format!(
            "{} {} {}",
            styled(NAME, "Task"),
            harmless(&task.facts.id),
            styled(FAINT, &harmless(message))
        ));
    }

    /// Tells the phases that are over.
    fn status(&mut self, server: &ServerId, status: &ConnectionStatus) {
        if !self.verbose {
            return;
        }
        let over = phases_over(status);
        // Another attempt begins its timeline anew.
        let told = self.phases_told.get(server).copied().unwrap_or_default();
        let name = match self.server {
            Some(_) => String::new(),
            None => format!("{} ", harmless(server.name())),
        };
        for record in &over[told.min(over.len())..] {
            let took = duration(record.duration.unwrap_or_default());
            let detail = record.detail.as_deref().unwrap_or_default();
            tell(&format!(
                "{name}{} {} {}",
                styled(NAME, &format!("{:<19}", record.phase.to_string())),
                styled(FAINT, &format!("{took:>8}")),
                harmless(detail)
            ));
        }
        self.phases_told.insert(server.clone(), over.len());
    }

    fn progress(&self, progress: &Progress) {
        if !self.verbose {
            return;
        }
        let of = progress
            .total
            .map(|total| format!(" of {total}"))
            .unwrap_or_default();
        let message = progress.message.as_deref().unwrap_or_default();
        tell(&format!(
            "{} {}{of} {}",
            styled(NAME, "Progress"),
            progress.progress,
            harmless(message)
        ));
    }

    /// Tells which rule answered a question.
    fn answered(&self, answer: &AutomaticAnswer) {
        let Some(rule) = answer.rule.as_deref().filter(|_| !self.quiet) else {
            return;
        };
        tell(&format!(
            "{} {} {}",
            styled(NAME, "Rule"),
            harmless(rule),
            styled(FAINT, &format!("answered {}", answer.method))
        ));
    }

    fn decline(&self, question: &ServerQuestion) {
        let answer = match question.method.as_str() {
            "elicitation/create" => ServerAnswer::Result {
                json: r#"{"action":"decline"}"#.to_owned(),
            },
            // MCP, sampling: the code for a user's no.
            _ => ServerAnswer::Error {
                code: -1,
                message: "User rejected sampling request".to_owned(),
            },
        };
        // The server may have taken it back already, or another command may have declined it.
        let _ = self
            .inspector
            .calls
            .requests
            .answer_question(question.id, answer);
        if !self.quiet {
            tell(&styled(
                WARNING,
                &format!(
                    "The server asked for {}, which was declined; a rule can answer it, of your own \
                     or of `--rules FILE`.{}",
                    question.method,
                    question
                        .remark
                        .as_deref()
                        .map(|remark| format!(" {}", harmless(remark)))
                        .unwrap_or_default(),
                ),
            ));
        }
    }
}

/// A line on stderr.
pub(crate) fn tell(line: &str) {
    let line = workflow::harmless(line);
    console::tell(&format!("{line}\n"));
}
