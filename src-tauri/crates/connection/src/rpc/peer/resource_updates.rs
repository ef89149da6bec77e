//! Limits the rate of resource updates: one event for each resource per interval.
//!
//! A notification costs a server nothing, and each update that is told is kept until the window
//! has drawn it. So what comes within [`INTERVAL`] of an update that was told is told once for
//! each URI, for [`MAX_UPDATES`] URIs at most; how many were left out is on record.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::Peer;
use crate::{ConnectionEvent, sync::lock, transport::TransportEvents};

const INTERVAL: Duration = Duration::from_millis(100);
/// URIs that are told together.
const MAX_UPDATES: usize = 100;
/// An update of a longer URI is on record and nothing more: no subscription can name it.
const MAX_URI_BYTES: usize = 8 * 1024;

#[derive(Default)]
pub(super) struct ResourceUpdates(Mutex<WaitingUpdates>);

#[derive(Default)]
struct WaitingUpdates {
    /// True when an update was told within the interval.
    is_recent: bool,
    uris: BTreeSet<String>,
    /// Updates of further resources.
    left_out: u64,
}

/// Fate of an update.
enum Fate {
    /// It is the first in a while.
    TellNow,
    Waits,
}

impl ResourceUpdates {
    fn note(&self, uri: &str) -> Fate {
        let mut waiting = lock(&self.0);
        if !waiting.is_recent {
            waiting.is_recent = true;
            return Fate::TellNow;
        }
        let is_known = waiting.uris.contains(uri);
        if !is_known && waiting.uris.len() < MAX_UPDATES {
            waiting.uris.insert(uri.to_owned());
        } else if !is_known {
            waiting.left_out += 1;
        }
        Fate::Waits
    }

    /// Takes what waits; nothing when there was nothing, and the next update is told at once.
    fn take(&self) -> Option<(BTreeSet<String>, u64)> {
        let mut waiting = lock(&self.0);
        let uris = std::mem::take(&mut waiting.uris);
        let left_out = std::mem::take(&mut waiting.left_out);
        waiting.is_recent = !uris.is_empty() || left_out > 0;
        waiting.is_recent.then_some((uris, left_out))
    }
}

impl Peer {
    /// The server says that a resource changed.
    pub(super) fn resource_updated(self: &Arc<Self>, uri: &str) {
        if uri.len() > MAX_URI_BYTES {
            return;
        }
        self.emit(ConnectionEvent::ResourceAnnounced {
            server: self.key.server.clone(),
            uri: uri.to_owned(),
        });
        if let Fate::Waits = self.updates.note(uri) {
            return;
        }
        self.publish_update(uri.to_owned());
        let peer = Arc::clone(self);
        self.spawn(async move {
            loop {
                tokio::time::sleep(INTERVAL).await;
                let Some((uris, left_out)) = peer.updates.take() else {
                    return;
                };
                uris.into_iter().for_each(|uri| peer.publish_update(uri));
                if left_out > 0 {
                    let message = format!(
                        "The server announced changes of more than {MAX_UPDATES} resources at \
                         once. {left_out} announcements were recorded and are not shown."
                    );
                    peer.connection.recorder.note("dropped", &message);
                    peer.emit(ConnectionEvent::ResourcesUpdated {
                        server: peer.key.server.clone(),
                    });
                }
            }
        });
    }

    fn publish_update(&self, uri: String) {
        self.emit(ConnectionEvent::ResourceUpdated {
            server: self.key.server.clone(),
            uri,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_of_one_resource_are_told_once_and_of_too_many_are_counted() {
        let updates = ResourceUpdates::default();
        assert!(matches!(updates.note("file:///first"), Fate::TellNow));
        for _ in 0..1000 {
            assert!(matches!(updates.note("file:///same"), Fate::Waits));
        }
        for number in 0..150 {
            updates.note(&format!("file:///{number}"));
        }
        let (uris, left_out) = updates.take().unwrap();
        assert_eq!((uris.len(), left_out), (MAX_UPDATES, 51));
        assert!(uris.contains("file:///same"));
        assert!(updates.take().is_none());
        assert!(matches!(updates.note("file:///same"), Fate::TellNow));
    }
}
