//! Arguments of calls that are remembered for the next time, without the secrets in them.

use std::{borrow::Cow, cell::LazyCell, sync::atomic::Ordering, time::Duration};

use serde_json::Value;
use sightglass_model::ServerId;
use sightglass_secrets::Redactor;

use crate::{Inspector, Persistence, lock, sensitive};

/// Time that arguments wait for others before they are written to disk.
const SAVING_DELAY: Duration = Duration::from_millis(500);

impl Inspector {
    /// The arguments of a call without the secrets in them, which are masked in the record from
    /// now on.
    pub(crate) fn without_secrets<'a>(
        &self,
        server: &ServerId,
        arguments: &'a str,
        definition: Option<&str>,
    ) -> Cow<'a, str> {
        let of_spec = LazyCell::new(|| {
            let spec = self.resolved_spec(server);
            Redactor::new(spec.map(|spec| spec.secrets()).unwrap_or_default())
        });
        let is_known = |text: &str| match self.connections.masked(server, text) {
            Some(masked) => masked != text,
            // It was never connected to.
            None => of_spec.bytes(text.as_bytes()).is_some(),
        };
        let Ok(mut value) = serde_json::from_str::<Value>(arguments) else {
            return Cow::Borrowed(arguments);
        };
        let before = value.clone();
        let secrets = sensitive::extract_secrets(&mut value, definition, &is_known);
        self.connections.learn(server, &secrets);
        if value == before {
            // As it is written: numbers may have more digits than are read here.
            Cow::Borrowed(arguments)
        } else {
            Cow::Owned(value.to_string())
        }
    }

    /// Remembers the arguments at once, and writes them to disk a little later: writing a
    /// file takes longer than many a call.
    pub(crate) fn remember_arguments(&self, server: &ServerId, tool: &str, arguments: &str) {
        if !self.server_settings(server).record {
            return;
        }
        {
            let mut remembered = lock(&self.remembered);
            if self.options.persistence == Persistence::Nothing
                || remembered.get(server, tool) == Some(arguments)
            {
                return;
            }
            remembered.remember(server, tool, arguments);
        }
        if self.unsaved_arguments.swap(true, Ordering::AcqRel) {
            return;
        }
        let inspector = self.this.clone();
        tokio::spawn(async move {
            tokio::time::sleep(SAVING_DELAY).await;
            let Some(inspector) = inspector.upgrade() else {
                return;
            };
            // Only a closing application interrupts this, and that saves them itself.
            let _ = tokio::task::spawn_blocking(move || inspector.save_arguments()).await;
        });
    }

    /// Writes the remembered arguments to disk when they changed since they last were.
    pub(crate) fn save_arguments(&self) {
        if !self.unsaved_arguments.swap(false, Ordering::AcqRel) {
            return;
        }
        let remembered = lock(&self.remembered).clone();
        if let Err(error) = self.data.write_arguments(&remembered) {
            tracing::warn!("{error}");
        }
    }
}
