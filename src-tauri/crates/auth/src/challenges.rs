//! Keeps the last challenge of each server, until a sign-in met it.

use std::{collections::HashMap, sync::Mutex};

use sightglass_model::{ServerId, lock};
use url::Url;

use crate::{change_signal::ChangeSignal, oauth::challenge::Challenge};

pub(crate) struct Challenges {
    by_server: Mutex<HashMap<ServerId, Challenge>>,
    change_signal: ChangeSignal,
}

impl Challenges {
    pub fn new(change_signal: ChangeSignal) -> Self {
        Self {
            by_server: Mutex::default(),
            change_signal,
        }
    }

    pub fn get(&self, server: &ServerId) -> Option<Challenge> {
        lock(&self.by_server).get(server).cloned()
    }

    /// Returns the last challenge, if it came from this address.
    pub fn challenge_at(&self, server: &ServerId, url: &Url) -> Option<Challenge> {
        self.get(server).filter(|challenge| challenge.is_from(url))
    }

    pub fn record(&self, server: &ServerId, challenge: Challenge) {
        lock(&self.by_server).insert(server.clone(), challenge);
        self.change_signal.publish(server);
    }

    pub fn forget(&self, server: &ServerId) {
        lock(&self.by_server).remove(server);
    }
}
