//! Publishes that the sign-in state of a server changed.
//!
//! Grants, challenges and running sign-ins change below the code that can show the whole state, so
//! they hold this handle, and the top of the crate sets its listener.

use std::sync::{Arc, OnceLock};

use sightglass_model::ServerId;

type Listener = Box<dyn Fn(&ServerId) + Send + Sync>;

#[derive(Clone, Default)]
pub(crate) struct ChangeSignal(Arc<OnceLock<Listener>>);

impl ChangeSignal {
    /// Sets the one listener.
    pub fn set_listener(&self, listener: impl Fn(&ServerId) + Send + Sync + 'static) {
        // `SignIns` sets it once, when it makes the rest.
        let _ = self.0.set(Box::new(listener));
    }

    pub fn publish(&self, server: &ServerId) {
        if let Some(listener) = self.0.get() {
            listener(server);
        }
    }
}
