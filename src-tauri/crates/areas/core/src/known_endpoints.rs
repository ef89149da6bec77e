//! Stores the transport and era by which each server was reached, for the next start.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sightglass_connection::{ConnectionEvent, EventSubscriber};
use sightglass_model::{KnownEndpoint, ServerId, lock};

use crate::files::DataFiles;

/// Time to wait for more before the file is written.
const SAVING_DELAY: Duration = Duration::from_millis(500);

pub struct KnownEndpoints(Arc<FoundEndpoints>);

struct FoundEndpoints {
    /// Files to write; `None` when nothing is to be kept.
    data: Option<DataFiles>,
    by_server: Mutex<HashMap<ServerId, KnownEndpoint>>,
    unsaved: AtomicBool,
}

impl KnownEndpoints {
    pub fn new(data: Option<DataFiles>, found: HashMap<ServerId, KnownEndpoint>) -> Self {
        Self(Arc::new(FoundEndpoints {
            data,
            by_server: Mutex::new(found),
            unsaved: AtomicBool::new(false),
        }))
    }
}

impl EventSubscriber for KnownEndpoints {
    /// Learns from what happens. Writing takes place later and elsewhere.
    fn receive(&self, event: &ConnectionEvent) {
        let ConnectionEvent::Status { server, status } = event else {
            return;
        };
        {
            let mut found = lock(&self.0.by_server);
            if found.get(server) == status.known_endpoint.as_ref() {
                return;
            }
            match &status.known_endpoint {
                Some(way) => found.insert(server.clone(), way.clone()),
                None => found.remove(server),
            };
        }
        if self.0.data.is_none() || self.0.unsaved.swap(true, Ordering::AcqRel) {
            return;
        }
        let found = Arc::clone(&self.0);
        let saving = async move {
            tokio::time::sleep(SAVING_DELAY).await;
            // Only a closing application interrupts this; what is lost is found out again.
            let _ = tokio::task::spawn_blocking(move || found.save()).await;
        };
        // Events can come from outside the runtime, as when a server is forgotten.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(saving);
        }
    }
}

impl FoundEndpoints {
    fn save(&self) {
        self.unsaved.store(false, Ordering::Release);
        let found = lock(&self.by_server).clone();
        if let Some(data) = &self.data
            && let Err(error) = data.write_found(&found)
        {
            tracing::warn!("{error}");
        }
    }
}
