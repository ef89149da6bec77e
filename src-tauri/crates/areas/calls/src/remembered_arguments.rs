//! Arguments of calls that are remembered for the next time, without the secrets in them.

use std::{
    borrow::Cow,
    cell::LazyCell,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use sightglass_area_core::{core::Core, persistence::Persistence, sensitive};
use sightglass_area_servers::{server_settings::SettingsByServer, sign_in_target::SignInTargets};
use sightglass_model::{ServerId, lock};
use sightglass_secrets::Redactor;

use crate::lists::Lists;

/// Time that arguments wait for others before they are written to disk.
const SAVING_DELAY: Duration = Duration::from_millis(500);

/// Arguments of calls that are remembered for the next time, without the secrets in them.
pub struct SavedArguments {
    pub(crate) core: Arc<Core>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub(crate) sign_in_targets: Arc<SignInTargets>,
    /// True when the arguments are newer than their file.
    pub(crate) unsaved_arguments: AtomicBool,
    /// For work that goes on in the background.
    pub(crate) this: Weak<SavedArguments>,
}

impl SavedArguments {
    /// The arguments of a call without the secrets in them, which are masked in the record from
    /// now on.
    pub fn without_secrets<'a>(
        &self,
        server: &ServerId,
        arguments: &'a str,
        definition: Option<&str>,
    ) -> Cow<'a, str> {
        let of_spec = LazyCell::new(|| {
            let spec = self.sign_in_targets.resolved_spec(server);
            Redactor::new(spec.map(|spec| spec.secrets()).unwrap_or_default())
        });
        let is_known = |text: &str| match self.core.connections.masked(server, text) {
            Some(masked) => masked != text,
            // It was never connected to.
            None => of_spec.bytes(text.as_bytes()).is_some(),
        };
        let Ok(mut value) = serde_json::from_str::<Value>(arguments) else {
            return Cow::Borrowed(arguments);
        };
        let before = value.clone();
        let secrets = sensitive::extract_secrets(&mut value, definition, &is_known);
        self.core.connections.learn(server, &secrets);
        if value == before {
            // As it is written: numbers may have more digits than are read here.
            Cow::Borrowed(arguments)
        } else {
            Cow::Owned(value.to_string())
        }
    }

    /// Remembers the arguments at once, and writes them to disk a little later: writing a
    /// file takes longer than many a call.
    pub fn remember_arguments(&self, server: &ServerId, tool: &str, arguments: &str) {
        if !self.server_settings.server_settings(server).record {
            return;
        }
        {
            let mut remembered = lock(&self.lists.remembered);
            if self.core.options.persistence != Persistence::Everything
                || remembered.get(server, tool) == Some(arguments)
            {
                return;
            }
            remembered.remember(server, tool, arguments);
        }
        if self.unsaved_arguments.swap(true, Ordering::AcqRel) {
            return;
        }
        let this = self.this.clone();
        tokio::spawn(async move {
            tokio::time::sleep(SAVING_DELAY).await;
            let Some(this) = this.upgrade() else {
                return;
            };
            // Only a closing application interrupts this, and that saves them itself.
            let _ = tokio::task::spawn_blocking(move || this.save_arguments()).await;
        });
    }

    /// Writes the remembered arguments to disk when they changed since they last were.
    pub fn save_arguments(&self) {
        if !self.unsaved_arguments.swap(false, Ordering::AcqRel) {
            return;
        }
        let remembered = lock(&self.lists.remembered).clone();
        if let Err(error) = self.core.data.write_arguments(&remembered) {
            tracing::warn!("{error}");
        }
    }
}
