//! Keeps the last sign-in to each server, the one that runs included.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use sightglass_model::{ServerId, lock};

use crate::{SignInRequest, flow::SignInProgress};

/// The last sign-in to one server.
#[derive(Clone)]
pub(crate) struct SignInAttempt {
    pub progress: Arc<SignInProgress>,
    pub request: SignInRequest,
}

#[derive(Default)]
pub(crate) struct Attempts {
    by_server: Mutex<HashMap<ServerId, SignInAttempt>>,
    last_id: AtomicU32,
}

impl Attempts {
    /// Returns an id that no other attempt has while the program runs.
    pub fn next_id(&self) -> u32 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub fn get(&self, server: &ServerId) -> Option<SignInAttempt> {
        lock(&self.by_server).get(server).cloned()
    }

    pub fn progress(&self, server: &ServerId) -> Option<Arc<SignInProgress>> {
        self.get(server).map(|attempt| attempt.progress)
    }

    /// Cancels the attempt of this server, and returns it.
    pub fn cancel(&self, server: &ServerId) -> Option<SignInAttempt> {
        let previous = lock(&self.by_server).remove(server)?;
        previous.progress.cancel.cancel();
        Some(previous)
    }

    /// Keeps an attempt in place of the one before, which is cancelled.
    pub fn put(&self, server: &ServerId, attempt: SignInAttempt) {
        if let Some(previous) = lock(&self.by_server).insert(server.clone(), attempt) {
            previous.progress.cancel.cancel();
        }
    }
}
