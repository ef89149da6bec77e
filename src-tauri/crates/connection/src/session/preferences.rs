//! Session preferences: the subscribed resources and the log level, which outlive a session and
//! are asked for again in the next one.

use std::{collections::BTreeSet, sync::Mutex};

use sightglass_json_text::quoted;
use sightglass_model::{Era, Failure};
use tokio::sync::watch;

use crate::{
    ConnectionEvent, json::Params, rpc::peer::OutgoingRequest, session::context::RequestContext,
    sync::lock,
};

/// The resources whose updates are wanted, and how often that has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Watched {
    pub revision: u64,
    pub resources: BTreeSet<String>,
    pub tasks: BTreeSet<String>,
}

/// State of the newest subscription of the stateless era.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Subscribed {
    revision: u64,
    accepted: bool,
}

pub(crate) struct SessionPreferences {
    watched: watch::Sender<Watched>,
    subscribed: watch::Sender<Subscribed>,
    log_level: Mutex<Option<String>>,
}

impl SessionPreferences {
    pub(crate) fn new() -> Self {
        Self {
            watched: watch::Sender::new(Watched::default()),
            subscribed: watch::Sender::new(Subscribed::default()),
            log_level: Mutex::default(),
        }
    }

    /// Forgets them all: the user connects anew.
    pub(crate) fn forget(&self) {
        self.watched.send_modify(|watched| {
            watched.resources.clear();
            watched.tasks.clear();
            watched.revision += 1;
        });
        *lock(&self.log_level) = None;
    }

    /// Changes the set of resources whose updates are wanted. Returns its revision.
    pub(crate) fn watch(&self, change: impl FnOnce(&mut BTreeSet<String>) -> bool) -> u64 {
        self.watched.send_if_modified(|watched| {
            let changed = change(&mut watched.resources);
            watched.revision += u64::from(changed);
            changed
        });
        self.watched.borrow().revision
    }

    /// Replaces the set of tasks that are followed.
    pub(crate) fn watch_tasks(&self, tasks: BTreeSet<String>) {
        self.watched.send_if_modified(|watched| {
            let changed = watched.tasks != tasks;
            watched.tasks = tasks;
            watched.revision += u64::from(changed);
            changed
        });
    }

    pub(crate) fn watched(&self) -> watch::Receiver<Watched> {
        self.watched.subscribe()
    }

    /// The server acknowledged the subscription of this revision, or refused it.
    pub(crate) fn subscribed(&self, revision: u64, accepted: bool) {
        self.subscribed
            .send_replace(Subscribed { revision, accepted });
    }

    /// The server does not go on with the subscriptions of these resources: they are wanted no
    /// longer, and that is told.
    pub(crate) fn refused(&self, context: &RequestContext, uris: BTreeSet<String>) {
        self.watch(|watched| {
            let before = watched.len();
            watched.retain(|uri| !uris.contains(uri));
            watched.len() < before
        });
        for uri in uris {
            let server = context.peer.key.server.clone();
            let event = ConnectionEvent::SubscriptionRefused { server, uri };
            context.peer.emit(event);
        }
    }

    /// Waits for what becomes of the subscription of this revision or a later one. One without
    /// what was `wanted` in this revision follows a refusal.
    pub(crate) async fn outcome(&self, revision: u64, wanted: Option<&str>) -> bool {
        let mut subscribed = self.subscribed.subscribe();
        let outcome = subscribed
            .wait_for(|subscribed| subscribed.revision >= revision)
            .await;
        outcome.is_ok_and(|subscribed| subscribed.accepted)
            && wanted.is_none_or(|uri| self.watched.borrow().resources.contains(uri))
    }

    pub(crate) fn log_level(&self) -> Option<String> {
        lock(&self.log_level).clone()
    }

    pub(crate) fn set_log_level(&self, level: &str) {
        *lock(&self.log_level) = Some(level.to_owned());
    }

    /// Tells a new session of the `initialize` era what the one before it knew. In the
    /// stateless era the long-lived subscription and each request say so themselves.
    pub(crate) async fn ask_again(&self, context: &RequestContext) -> Failure {
        if context.era == Era::Modern {
            return std::future::pending().await;
        }
        let level = self.log_level();
        let level = level.map(|level| {
            (
                "logging/setLevel",
                Params::object(&[("level", &quoted(&level))]),
                None,
            )
        });
        let resources = self.watched.borrow().resources.clone();
        let resources = resources.into_iter().map(|uri| {
            (
                "resources/subscribe",
                Params::object(&[("uri", &quoted(&uri))]),
                Some(uri),
            )
        });
        for (method, params, uri) in level.into_iter().chain(resources) {
            let mut pending = context
                .peer
                .request(OutgoingRequest::plain(method, &params, &[]))
                .await;
            let is_refused = pending.response().await.is_ok_and(|answer| answer.is_error);
            // The record has the answer; a refusal leaves the connection as good as it was.
            if let (Some(uri), true) = (uri, is_refused) {
                self.refused(context, BTreeSet::from([uri]));
            }
        }
        std::future::pending().await
    }
}
