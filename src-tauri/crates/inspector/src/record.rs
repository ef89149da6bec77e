//! Chooses the record that is read, and keeps the settings that are about it.

use std::{sync::Arc, time::Duration};

use sightglass_model::{ExchangeId, ServerId};

use crate::{
    Inspector, InspectorError, lock,
    model_endpoints::check_models,
    record_queries::RecordQueries,
    server_settings::{self, check_network},
    view::{Fact, SessionId, Settings},
};

/// Time that the record has to come to rest before its state is told: a change seldom comes alone, and
/// its size on disk follows it.
const RECORDING_INTERVAL: Duration = Duration::from_secs(1);

impl Inspector {
    /// Publishes the state of recording after each change of the record.
    pub(crate) fn follow_recording(self: &Arc<Self>) {
        let inspector = Arc::downgrade(self);
        let mut revisions = self.recorder.watch();
        let mut last = self.recorder.state();
        tokio::spawn(async move {
            while revisions.changed().await.is_ok() {
                tokio::time::sleep(RECORDING_INTERVAL).await;
                // The state has what came meanwhile.
                revisions.mark_unchanged();
                let Some(inspector) = inspector.upgrade() else {
                    break;
                };
                let recorder = inspector.recorder.clone();
                let Ok(state) = tokio::task::spawn_blocking(move || recorder.state()).await else {
                    break;
                };
                if state != last {
                    last.clone_from(&state);
                    inspector.publisher.publish(Fact::Recording { state });
                }
            }
        });
    }

    /// Queries of the record of an opened session, or without one of this program's own.
    pub fn record_of(&self, session: Option<SessionId>) -> Result<RecordQueries, InspectorError> {
        session.map_or_else(|| Ok(self.record()), |session| self.session_record(session))
    }

    /// Puts a bookmark with a note on a row of this program's own record, or without a note takes
    /// it away.
    ///
    /// # Errors
    /// When there is no such row, there are too many bookmarks, or nothing can be written.
    pub async fn set_bookmark(
        &self,
        id: ExchangeId,
        note: Option<String>,
    ) -> Result<(), InspectorError> {
        self.blocking(move |recorder| Ok(recorder.set_bookmark(id, note.as_deref())?))
            .await
    }

    /// Removes everything from the record.
    pub async fn clear_traffic(&self) -> Result<(), InspectorError> {
        self.resources_read.clear();
        self.blocking(|recorder| Ok(recorder.clear()?)).await
    }

    /// Removes what is on record of one server.
    pub async fn clear_server_traffic(&self, server: &ServerId) -> Result<(), InspectorError> {
        self.resources_read.forget(server);
        let server = server.clone();
        self.blocking(move |recorder| Ok(recorder.clear_server(&server)?))
            .await
    }

    /// Tries to record again after recording stopped by itself.
    ///
    /// # Errors
    /// When recording still does not work; the state says why.
    pub async fn retry_recording(&self) -> Result<(), InspectorError> {
        let outcome = self.blocking(|recorder| Ok(recorder.retry()?)).await;
        self.publisher.publish(Fact::Recording {
            state: self.recorder.state(),
        });
        outcome
    }

    pub fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Keeps what a user chose, and acts on it.
    ///
    /// # Errors
    /// When something of it cannot be used; or when the file cannot be written, and the choice
    /// holds until the end of the program then.
    pub fn save_settings(&self, settings: Settings) -> Result<(), InspectorError> {
        check_network(&settings.network)?;
        check_models(&settings.models)?;
        *lock(&self.settings) = settings.clone();
        self.proxies.set(server_settings::proxies(&settings));
        self.recorder.set_retention(settings.retention);
        self.connections
            .set_message_limit(settings.message_limit_bytes());
        self.connections.set_ping_interval(settings.ping_interval());
        self.publisher.publish(Fact::Settings {
            settings: settings.clone(),
        });
        self.data.write_settings(&settings)
    }
}
