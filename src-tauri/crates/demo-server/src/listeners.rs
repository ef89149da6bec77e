//! Receivers of changes: clients of the initialize era through their connection,
//! modern ones through `subscriptions/listen`.

use std::sync::{Arc, Mutex, Weak};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    lock::lock,
    message::{Message, RequestId},
    protocol::META_SUBSCRIPTION_ID,
    sink::Sink,
};

/// The `notifications` member of `subscriptions/listen` (2026-07-28).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ListenFilter {
    pub tools_list_changed: Option<bool>,
    pub prompts_list_changed: Option<bool>,
    pub resources_list_changed: Option<bool>,
    pub resource_subscriptions: Option<Vec<String>>,
    pub task_ids: Option<Vec<String>>,
}

impl ListenFilter {
    /// The changes that a client of the initialize era is told of without asking.
    pub fn every_list() -> ListenFilter {
        ListenFilter {
            tools_list_changed: Some(true),
            prompts_list_changed: Some(true),
            resources_list_changed: Some(true),
            resource_subscriptions: None,
            task_ids: None,
        }
    }

    /// The filter as JSON, without the members that are off.
    pub fn to_value(&self) -> Value {
        let mut object = Map::new();
        for (key, on) in [
            ("toolsListChanged", self.tools_list_changed),
            ("promptsListChanged", self.prompts_list_changed),
            ("resourcesListChanged", self.resources_list_changed),
        ] {
            if on == Some(true) {
                object.insert(key.to_owned(), Value::Bool(true));
            }
        }
        if let Some(uris) = &self.resource_subscriptions {
            object.insert("resourceSubscriptions".to_owned(), json!(uris));
        }
        if let Some(ids) = &self.task_ids {
            object.insert("taskIds".to_owned(), json!(ids));
        }
        Value::Object(object)
    }

    fn accepts(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools_list_changed == Some(true),
            Change::Resources => self.resources_list_changed == Some(true),
            Change::Resource(uri) => self
                .resource_subscriptions
                .as_ref()
                .is_some_and(|uris| uris.contains(uri)),
            Change::Task(id, _) => self.task_ids.as_ref().is_some_and(|ids| ids.contains(id)),
        }
    }
}

/// Something that happened to the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Tools came or went.
    Tools,
    /// Resources came or went.
    Resources,
    /// The content of the resource with this URI changed.
    Resource(String),
    /// The task with this id got further; it is this now (SEP-2663).
    Task(String, Value),
}

/// One receiver of changes.
pub struct Listener {
    sink: Sink,
    filter: Mutex<ListenFilter>,
    /// The id of the `subscriptions/listen` request, in the modern era.
    subscription: Option<RequestId>,
    /// Held while something is sent, so that no change overtakes the
    /// acknowledgement.
    turn: tokio::sync::Mutex<()>,
}

impl Listener {
    /// A receiver of what `filter` lets through.
    pub fn new(sink: Sink, filter: ListenFilter, subscription: Option<RequestId>) -> Arc<Listener> {
        Arc::new(Listener {
            sink,
            filter: Mutex::new(filter),
            subscription,
            turn: tokio::sync::Mutex::default(),
        })
    }

    /// Also hear of this resource (`resources/subscribe`).
    pub fn subscribe(&self, uri: &str) {
        let mut filter = lock(&self.filter);
        let uris = filter.resource_subscriptions.get_or_insert_default();
        if !uris.iter().any(|known| known == uri) {
            uris.push(uri.to_owned());
        }
    }

    /// No longer hear of this resource (`resources/unsubscribe`).
    pub fn unsubscribe(&self, uri: &str) {
        if let Some(uris) = &mut lock(&self.filter).resource_subscriptions {
            uris.retain(|known| known != uri);
        }
    }

    fn accepts(&self, change: &Change) -> bool {
        lock(&self.filter).accepts(change)
    }

    fn notification(&self, change: &Change) -> Message {
        let mut params = Map::new();
        if let Some(id) = &self.subscription {
            params.insert(
                "_meta".to_owned(),
                json!({ META_SUBSCRIPTION_ID: id.to_value() }),
            );
        }
        let method = match change {
            Change::Tools => "notifications/tools/list_changed",
            Change::Resources => "notifications/resources/list_changed",
            Change::Resource(uri) => {
                params.insert("uri".to_owned(), Value::String(uri.clone()));
                "notifications/resources/updated"
            }
            Change::Task(_, facts) => {
                if let Value::Object(facts) = facts {
                    params.extend(facts.clone());
                }
                "notifications/tasks"
            }
        };
        Message::notification(method, &Value::Object(params))
    }
}

/// All receivers; one that is no longer held elsewhere is forgotten.
#[derive(Default)]
pub struct Listeners(Mutex<Vec<Weak<Listener>>>);

impl Listeners {
    /// Adds a receiver, for as long as the caller keeps it.
    pub fn add(&self, listener: &Arc<Listener>) {
        lock(&self.0).push(Arc::downgrade(listener));
    }

    /// Adds a receiver that is sent `acknowledgement` before it hears of any
    /// change, and hears of every change from the moment it has that.
    pub async fn add_acknowledged(&self, listener: &Arc<Listener>, acknowledgement: Message) {
        let _turn = listener.turn.lock().await;
        self.add(listener);
        listener.sink.send(acknowledgement).await;
    }

    /// Tells everybody who wants to know. Returns how many that were.
    pub async fn tell(&self, change: &Change) -> usize {
        let interested: Vec<Arc<Listener>> = {
            let mut listeners = lock(&self.0);
            listeners.retain(|listener| listener.strong_count() > 0);
            listeners
                .iter()
                .filter_map(Weak::upgrade)
                .filter(|listener| listener.accepts(change))
                .collect()
        };
        for listener in &interested {
            let _turn = listener.turn.lock().await;
            listener.sink.broadcast(listener.notification(change)).await;
        }
        interested.len()
    }
}
