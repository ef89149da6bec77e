//! Arguments of calls that are remembered for the next time, without the secrets in them.

use crate::lists::Lists;
use sightglass_area_core::core::Core;
use sightglass_area_servers::{server_settings::SettingsByServer, sign_in_target::SignInTargets};
use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::AtomicBool;
use std::{borrow::Cow, cell::LazyCell, sync::atomic::Ordering, time::Duration};

use serde_json::Value;
use sightglass_model::ServerId;
use sightglass_secrets::Redactor;

use sightglass_area_core::{persistence::Persistence, sensitive};
use sightglass_model::lock;

/// Time that arguments wait for others before they are written to disk.
const SAVING_DELAY: Duration = Duration::from_millis(500);

/// Arguments of calls that are remembered for the next time, without the secrets in them.
pub struct SavedArguments {
    pub core: Arc<Core>,
    pub lists: Arc<Lists>,
    pub server_settings: Arc<SettingsByServer>,
    pub sign_in_targets: Arc<SignInTargets>,
    /// True when `remembered` is newer than its file.
    pub unsaved_arguments: AtomicBool,
    /// For work that goes on in the background.
    pub this: Weak<SavedArguments>,
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
            if self.core.options.persistence == Persistence::Nothing
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
