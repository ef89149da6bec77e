//! Publishes facts with sequence numbers to all subscribers, and announces changes to the areas
//! above the one that made them.
//!
//! Most facts replace an earlier one of the same thing: a status, a list, a progress. A
//! subscriber that falls behind, as a window does that draws something large, needs only the
//! latest of each. So what waits for it is thinned out when it becomes much, and a server cannot
//! fill the memory by making facts. How many updates were left out is a fact itself.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use sightglass_connection::{ConnectionEvent, EventSubscriber};
use sightglass_model::{ConnectionStatus, ServerId, lock};
use tokio::sync::Notify;

use crate::view::{Fact, InspectorEvent, LoadEvent, ServerView};

/// A batch carries no more facts than this.
const MAX_BATCH: usize = 512;
/// Number of facts beyond which those that wait for a subscriber are thinned out.
const MAX_QUEUED: usize = 4096;
/// Updates of different resources that are left then.
const MAX_QUEUED_UPDATES: usize = 1024;

/// Numbers facts and hands them on.
#[derive(Default)]
pub struct Publisher {
    state: Mutex<PublisherState>,
    handlers: Mutex<Vec<NoticeHandler>>,
}

type NoticeHandler = Arc<dyn Fn(&Notice) + Send + Sync>;

/// Change that an area announces, for areas above it to publish or to act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The servers changed, or what is shown of them.
    Servers,
    /// One server changed, or what is shown of it.
    Server(ServerId),
    /// The configuration, or what is judged by it, changed; and with it what is shown of the
    /// servers.
    Configuration,
    /// The user's answer about the project's folder changed.
    FolderTrust,
}

#[derive(Default)]
struct PublisherState {
    sequence: u32,
    subscribers: Vec<Arc<FactQueue>>,
    /// The status of each server that was told last.
    statuses: HashMap<ServerId, Arc<ConnectionStatus>>,
}

type FactFilter = Box<dyn Fn(&Fact) -> bool + Send + Sync>;

/// Facts that wait for one subscriber.
struct FactQueue {
    /// Names the facts that the subscriber wants. It does not wake for the others.
    is_wanted: FactFilter,
    facts: Mutex<QueuedFacts>,
    arrived: Notify,
    /// True when the publisher is gone.
    is_closed: AtomicBool,
}

#[derive(Default)]
struct QueuedFacts {
    events: VecDeque<InspectorEvent>,
    /// The length after the last thinning, so that it is not done again for each fact.
    thinned: usize,
}

impl Publisher {
    /// Hands a fact to every subscriber.
    pub fn publish(&self, mut fact: Fact) {
        let mut state = lock(&self.state);
        state.bring_up_to_date(&mut fact);
        state.sequence = state.sequence.wrapping_add(1);
        let event = InspectorEvent {
            sequence: state.sequence,
            fact,
        };
        // The other owner is the subscription.
        state
            .subscribers
            .retain(|queue| Arc::strong_count(queue) > 1);
        for queue in &state.subscribers {
            if (queue.is_wanted)(&event.fact) {
                lock(&queue.facts).push(event.clone());
                queue.arrived.notify_one();
            }
        }
    }

    /// Registers a handler of notices, which is called after those that were registered before it.
    pub fn on_notice(&self, handler: impl Fn(&Notice) + Send + Sync + 'static) {
        lock(&self.handlers).push(Arc::new(handler));
    }

    /// Announces a change. It is handled when this returns. Handlers take locks of the areas above,
    /// so that the caller must hold none of those.
    pub fn notify(&self, notice: &Notice) {
        let handlers = lock(&self.handlers).clone();
        for handler in handlers {
            handler(notice);
        }
    }

    /// Subscribes to every fact from now on.
    pub fn subscribe(&self) -> Subscription {
        self.subscribe_to(|_| true)
    }

    /// Subscribes to the facts that `is_wanted` names. Each call makes several that few want, and a
    /// task that wakes for them is in the way of the call. It is asked once about each fact, in
    /// their order, and must neither block nor publish.
    pub fn subscribe_to(
        &self,
        is_wanted: impl Fn(&Fact) -> bool + Send + Sync + 'static,
    ) -> Subscription {
        let queue = Arc::new(FactQueue {
            is_wanted: Box::new(is_wanted),
            facts: Mutex::default(),
            arrived: Notify::new(),
            is_closed: AtomicBool::new(false),
        });
        lock(&self.state).subscribers.push(Arc::clone(&queue));
        Subscription { queue }
    }

    /// Returns the number of the newest fact. A snapshot that is taken afterwards holds every fact
    /// up to it; facts that arise meanwhile may be in it too, and applying them again changes
    /// nothing.
    pub fn sequence(&self) -> u32 {
        lock(&self.state).sequence
    }
}

impl EventSubscriber for Publisher {
    /// Publishes what happens on connections, but for what only stores act on.
    fn receive(&self, event: &ConnectionEvent) {
        match event {
            ConnectionEvent::ResourceAnnounced { .. } | ConnectionEvent::TaskReported { .. } => {}
            event => self.publish(Fact::Connection {
                event: Box::new(event.clone()),
            }),
        }
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        for queue in &lock(&self.state).subscribers {
            queue.is_closed.store(true, Ordering::Release);
            queue.arrived.notify_one();
        }
    }
}

impl PublisherState {
    /// Gives servers the statuses that were told since they were read. One that changed meanwhile is
    /// not told again, and a subscriber would keep the older one for good.
    fn bring_up_to_date(&mut self, fact: &mut Fact) {
        match fact {
            Fact::Connection { event } => {
                if let ConnectionEvent::Status { server, status } = &**event {
                    self.statuses.insert(server.clone(), Arc::clone(status));
                }
            }
            Fact::Servers { servers, .. } => {
                let ids: HashSet<&ServerId> = servers.iter().map(|server| &server.id).collect();
                self.statuses.retain(|server, _| ids.contains(server));
                for server in servers {
                    self.bring_server_up_to_date(server);
                }
            }
            Fact::Server { server } => self.bring_server_up_to_date(server),
            _ => {}
        }
    }

    fn bring_server_up_to_date(&self, server: &mut ServerView) {
        if let Some(told) = self.statuses.get(&server.id) {
            server.status.clone_from(told);
        }
    }
}

impl QueuedFacts {
    fn push(&mut self, event: InspectorEvent) {
        self.events.push_back(event);
        if self.events.len() > MAX_QUEUED.max(2 * self.thinned) {
            self.thin_out();
        }
    }

    /// Leaves the latest fact about each thing, and the latest updates of resources.
    fn thin_out(&mut self) {
        let mut seen = HashSet::new();
        let mut updates = 0;
        let mut dropped = DroppedUpdates::default();
        let mut left: VecDeque<InspectorEvent> = VecDeque::new();
        for event in self.events.drain(..).rev() {
            if let Fact::UpdatesDropped { count } = event.fact {
                dropped.record(count, event.sequence, left.len());
                continue;
            }
            if subject(&event.fact).is_some_and(|subject| !seen.insert(subject)) {
                continue;
            }
            if is_update(&event.fact) {
                updates += 1;
                if updates > MAX_QUEUED_UPDATES {
                    dropped.record(1, event.sequence, left.len());
                    continue;
                }
            }
            left.push_front(event);
        }
        if let Some((event, newer)) = dropped.into_event() {
            left.insert(left.len() - newer, event);
        }
        self.thinned = left.len();
        self.events = left;
    }
}

/// The updates that are left out, published in the place of the newest of them.
#[derive(Default)]
struct DroppedUpdates {
    count: u32,
    /// The newest one's number, and how many facts that are left are newer.
    newest: Option<(u32, usize)>,
}

impl DroppedUpdates {
    fn record(&mut self, count: u32, sequence: u32, newer: usize) {
        self.count = self.count.saturating_add(count);
        self.newest.get_or_insert((sequence, newer));
    }

    fn into_event(self) -> Option<(InspectorEvent, usize)> {
        let (sequence, newer) = self.newest?;
        let fact = Fact::UpdatesDropped { count: self.count };
        Some((InspectorEvent { sequence, fact }, newer))
    }
}

/// Returns the subject of a fact, which replaces earlier facts of the same subject.
fn subject(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Connection { event } => match &**event {
            ConnectionEvent::Status { server, .. } => format!("status {server}"),
            ConnectionEvent::List { server, change } => {
                format!("{} {server}", change.list.method())
            }
            ConnectionEvent::Progress { server, call, .. } => format!("progress {server} {call}"),
            ConnectionEvent::ResourceUpdated { server, uri } => format!("update {server} {uri}"),
            ConnectionEvent::ResourcesUpdated { server } => format!("updates {server}"),
            ConnectionEvent::SubscriptionRefused { server, uri } => {
                format!("subscription {server} {uri}")
            }
            // A question that is settled already need not arrive first.
            ConnectionEvent::QuestionArrived { question } => format!("question {}", question.id),
            ConnectionEvent::QuestionSettled { id, .. } => format!("question {id}"),
            // No fact is made of it.
            ConnectionEvent::ResourceAnnounced { .. } | ConnectionEvent::TaskReported { .. } => {
                return None;
            }
            // The newest answer of each rule to each server; the snapshot has the others.
            ConnectionEvent::AnsweredAutomatically { answer } => {
                let rule = answer.rule.as_deref().unwrap_or_default();
                format!("answer {} {} {rule}", answer.method, answer.server)
            }
        },
        Fact::Servers { .. } | Fact::ServersChanged { .. } => "servers".to_owned(),
        Fact::Server { server } => format!("server {}", server.id),
        Fact::Configuration { .. } => "configuration".to_owned(),
        Fact::Recording { .. } => "recording".to_owned(),
        Fact::Settings { .. } => "settings".to_owned(),
        Fact::Folder { .. } => "folder".to_owned(),
        Fact::Confirmations { .. } => "confirmations".to_owned(),
        Fact::AnswerRules { .. } => "answer rules".to_owned(),
        Fact::Requests { .. } => "requests".to_owned(),
        Fact::Restarts { .. } => "restarts".to_owned(),
        Fact::Surface { server } => format!("surface {server}"),
        Fact::Sessions { .. } => "sessions".to_owned(),
        Fact::Task { task } => format!("task {} {}", task.server, task.facts.id),
        Fact::TaskForgotten { server, id } => format!("task {server} {id}"),
        // How far it is; its end replaces that.
        Fact::Load { event } => match &**event {
            LoadEvent::Progress { server, .. } => format!("load {server}"),
            LoadEvent::Started { .. } | LoadEvent::Ended { .. } => return None,
        },
        Fact::Export { progress } => format!("export {}", progress.run),
        Fact::RequestRun { .. }
        | Fact::Conformance { .. }
        | Fact::Doctor { .. }
        | Fact::Auth { .. }
        | Fact::UpdatesDropped { .. } => return None,
    })
}

fn is_update(fact: &Fact) -> bool {
    matches!(fact, Fact::Connection { event } if matches!(**event, ConnectionEvent::ResourceUpdated { .. }))
}

/// The facts from the moment of subscribing.
pub struct Subscription {
    queue: Arc<FactQueue>,
}

impl Subscription {
    /// Waits for the next facts. `None` when the publisher is gone.
    pub async fn next_batch(&mut self) -> Option<Vec<InspectorEvent>> {
        loop {
            let batch: Vec<InspectorEvent> = {
                let mut waiting = lock(&self.queue.facts);
                let count = waiting.events.len().min(MAX_BATCH);
                waiting.thinned = waiting.thinned.saturating_sub(count);
                waiting.events.drain(..count).collect()
            };
            if !batch.is_empty() {
                return Some(batch);
            }
            if self.queue.is_closed.load(Ordering::Acquire) {
                return None;
            }
            // A fact that came since is remembered by the notification.
            self.queue.arrived.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use sightglass_model::{EraChoice, Phase, ServerId, Timestamp};

    use super::*;
    use crate::view::{RootsView, ServerOrigin, Settings};

    fn fact() -> Fact {
        Fact::Settings {
            settings: Settings::default(),
        }
    }

    fn updated(uri: String) -> Fact {
        Fact::Connection {
            event: Box::new(ConnectionEvent::ResourceUpdated {
                server: ServerId::demo(),
                uri,
            }),
        }
    }

    fn status(phase: Phase) -> ConnectionStatus {
        ConnectionStatus {
            phase,
            ..ConnectionStatus::disconnected(Timestamp::now())
        }
    }

    fn told(phase: Phase) -> Fact {
        Fact::Connection {
            event: Box::new(ConnectionEvent::Status {
                server: ServerId::demo(),
                status: Arc::new(status(phase)),
            }),
        }
    }

    fn server(phase: Phase) -> ServerView {
        ServerView {
            id: ServerId::demo(),
            name: "Demo".to_owned(),
            origin: ServerOrigin::BuiltIn,
            target: None,
            client_title: String::new(),
            scope_title: String::new(),
            also: Vec::new(),
            path: None,
            line: None,
            summary: String::new(),
            transport: None,
            era: EraChoice::Auto,
            problems: Vec::new(),
            shadowed: Vec::new(),
            disabled: false,
            differences: Vec::new(),
            blocked: None,
            obstacle: None,
            session_variables: Vec::new(),
            start: None,
            roots: RootsView {
                folders: Vec::new(),
                is_default: true,
            },
            status: status(phase),
            lists: Vec::new(),
            limits: Vec::new(),
        }
    }

    fn servers(servers: Vec<ServerView>) -> Fact {
        Fact::Servers {
            servers,
            files: Vec::new(),
        }
    }

    fn settled(id: u32) -> Fact {
        Fact::Connection {
            event: Box::new(ConnectionEvent::QuestionSettled {
                id,
                how: sightglass_connection::Settlement::Answered,
            }),
        }
    }

    #[tokio::test]
    async fn a_subscriber_hears_every_fact_from_then_on_in_order() {
        let publisher = Publisher::default();
        publisher.publish(fact());
        let mut subscription = publisher.subscribe();
        assert_eq!(publisher.sequence(), 1);
        publisher.publish(fact());
        publisher.publish(fact());
        let sequences: Vec<u32> = subscription
            .next_batch()
            .await
            .expect("the publisher lives")
            .iter()
            .map(|event| event.sequence)
            .collect();
        assert_eq!(sequences, [2, 3]);
        drop(publisher);
        assert!(subscription.next_batch().await.is_none());
    }

    #[tokio::test]
    async fn what_a_subscriber_does_not_want_does_not_wait_for_it() {
        let publisher = Publisher::default();
        let mut subscription = publisher.subscribe_to(|fact| *fact == settled(2));
        for id in 0..4 {
            publisher.publish(settled(id));
        }
        assert_eq!(lock(&subscription.queue.facts).events.len(), 1);
        let batch = subscription.next_batch().await.expect("one");
        assert_eq!(batch[0].fact, settled(2));
        assert_eq!(batch[0].sequence, 3, "all are numbered");
    }

    #[tokio::test]
    async fn a_status_that_was_told_while_the_servers_were_read_stays() {
        let publisher = Publisher::default();
        let mut subscription = publisher.subscribe();
        let before = server(Phase::Disconnected);
        publisher.publish(told(Phase::Ready));
        publisher.publish(Fact::Server {
            server: Box::new(before.clone()),
        });
        publisher.publish(servers(vec![before.clone()]));
        // One that is gone, and comes again, is as it was read.
        publisher.publish(servers(Vec::new()));
        publisher.publish(servers(vec![before]));
        let batch = subscription
            .next_batch()
            .await
            .expect("the publisher lives");
        let phases: Vec<Vec<Phase>> = batch
            .iter()
            .filter_map(|event| match &event.fact {
                Fact::Servers { servers, .. } => Some(servers.as_slice()),
                Fact::Server { server } => Some(std::slice::from_ref(&**server)),
                _ => None,
            })
            .map(|servers| servers.iter().map(|server| server.status.phase).collect())
            .collect();
        assert_eq!(
            phases,
            [
                vec![Phase::Ready],
                vec![Phase::Ready],
                Vec::new(),
                vec![Phase::Disconnected]
            ]
        );
    }

    #[test]
    fn a_notice_is_handled_in_the_order_of_registration_before_the_caller_goes_on() {
        let publisher = Publisher::default();
        let handled = Arc::<Mutex<Vec<(u32, Notice)>>>::default();
        for handler in [1, 2] {
            let handled = Arc::clone(&handled);
            publisher.on_notice(move |notice| lock(&handled).push((handler, notice.clone())));
        }
        publisher.notify(&Notice::Servers);
        let expected = [(1, Notice::Servers), (2, Notice::Servers)];
        assert_eq!(*lock(&handled), expected);
    }

    #[tokio::test]
    async fn what_waits_for_one_that_is_behind_is_bounded_and_the_latest_is_there() {
        let publisher = Publisher::default();
        let mut subscription = publisher.subscribe();
        publisher.publish(settled(7));
        for number in 0..100_000 {
            publisher.publish(updated(format!("file:///{number}")));
            publisher.publish(fact());
        }
        let waiting = lock(&subscription.queue.facts).events.len();
        assert!(waiting <= MAX_QUEUED, "{waiting} facts wait");
        let mut heard = Vec::new();
        while heard.len() < waiting {
            heard.extend(subscription.next_batch().await.expect("there is more"));
        }
        assert_eq!(heard[0].fact, settled(7), "what nothing replaces stays");
        assert!(heard.is_sorted_by_key(|event| event.sequence));
        let latest = heard.iter().rev().find(|event| is_update(&event.fact));
        assert_eq!(latest.expect("one").fact, updated("file:///99999".into()));
        let updates = heard.iter().filter(|event| is_update(&event.fact)).count();
        let dropped: Vec<u32> = heard
            .iter()
            .filter_map(|event| match event.fact {
                Fact::UpdatesDropped { count } => Some(count),
                _ => None,
            })
            .collect();
        assert_eq!(dropped, [100_000 - updates as u32], "it is said how many");
    }
}
