//! Stores the transport and era by which each server was reached, for the next start.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sightglass_connection::ConnectionEvent;
use sightglass_model::{KnownEndpoint, ServerId};

use crate::{files::DataFiles, lock};

/// Time to wait for more before the file is written.
const SAVING_DELAY: Duration = Duration::from_millis(500);

pub(crate) struct KnownEndpoints {
    /// Files to write; `None` when nothing is to be kept.
    data: Option<DataFiles>,
    found: Mutex<HashMap<ServerId, KnownEndpoint>>,
    unsaved: AtomicBool,
}

impl KnownEndpoints {
    pub fn new(data: Option<DataFiles>, found: HashMap<ServerId, KnownEndpoint>) -> Self {
        Self {
            data,
            found: Mutex::new(found),
            unsaved: AtomicBool::new(false),
        }
    }

    /// Learns from what happens. Writing takes place later and elsewhere.
    pub fn note(self: &Arc<Self>, event: &ConnectionEvent) {
        let ConnectionEvent::Status { server, status } = event else {
            return;
        };
        {
            let mut found = lock(&self.found);
            if found.get(server) == status.known_endpoint.as_ref() {
                return;
            }
            match &status.known_endpoint {
                Some(way) => found.insert(server.clone(), way.clone()),
                None => found.remove(server),
            };
        }
        if self.data.is_none() || self.unsaved.swap(true, Ordering::AcqRel) {
            return;
        }
        let known_endpoints = Arc::clone(self);
        let saving = async move {
            tokio::time::sleep(SAVING_DELAY).await;
            // Only a closing application interrupts this; what is lost is found out again.
            let _ = tokio::task::spawn_blocking(move || known_endpoints.save()).await;
        };
        // Events can come from outside the runtime, as when a server is forgotten.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(saving);
        }
    }

    fn save(&self) {
        self.unsaved.store(false, Ordering::Release);
        let found = lock(&self.found).clone();
        if let Some(data) = &self.data
            && let Err(error) = data.write_found(&found)
        {
            tracing::warn!("{error}");
        }
    }
}
