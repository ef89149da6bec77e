//! Chooses the record that is read, marks rows of it, and clears it.

use std::{sync::Arc, time::Duration};

use sightglass_area_calls::resource_cache::CachedResources;
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    record_queries::RecordQueries,
    view::{Fact, SessionId},
};
use sightglass_model::{ExchangeId, ServerId};

use crate::sessions::SessionFiles;

/// Time that the record has to come to rest before its state is told: a change seldom comes alone, and
/// its size on disk follows it.
const RECORDING_INTERVAL: Duration = Duration::from_secs(1);

/// Chooses the record that is read, marks rows of it, and clears it.
pub struct Recording {
    pub(crate) core: Arc<Core>,
    pub(crate) resources: Arc<CachedResources>,
    pub(crate) sessions: Arc<SessionFiles>,
}

#[commands]
impl Recording {
    /// Publishes the state of recording after each change of the record.
    pub fn follow_recording(self: &Arc<Self>) {
        let this = Arc::downgrade(self);
        let mut revisions = self.core.recorder.watch();
        let mut last = self.core.recorder.state();
        tokio::spawn(async move {
            while revisions.changed().await.is_ok() {
                tokio::time::sleep(RECORDING_INTERVAL).await;
                // The state has what came meanwhile.
                revisions.mark_unchanged();
                let Some(this) = this.upgrade() else {
                    break;
                };
                let recorder = this.core.recorder.clone();
                let Ok(state) = tokio::task::spawn_blocking(move || recorder.state()).await else {
                    break;
                };
                if state != last {
                    last.clone_from(&state);
                    this.core.publisher.publish(Fact::Recording { state });
                }
            }
        });
    }

    /// Queries of the record of an opened session, or without one of this program's own.
    pub fn record_of(&self, session: Option<SessionId>) -> Result<RecordQueries, InspectorError> {
        session.map_or_else(
            || Ok(self.core.record()),
            |session| self.sessions.session_record(session),
        )
    }

    /// Puts a bookmark with a note on a row of this program's own record, or without a note takes
    /// it away.
    ///
    /// # Errors
    /// When there is no such row, there are too many bookmarks, or nothing can be written.
    #[command(name = "update_bookmark")]
    pub async fn set_bookmark(
        &self,
        id: ExchangeId,
        note: Option<String>,
    ) -> Result<(), InspectorError> {
        self.core
            .blocking(move |recorder| Ok(recorder.set_bookmark(id, note.as_deref())?))
            .await
    }

    /// Removes everything from the record.
    #[command]
    pub async fn clear_traffic(&self) -> Result<(), InspectorError> {
        self.resources.cache.clear();
        self.core.blocking(|recorder| Ok(recorder.clear()?)).await
    }

    /// Removes what is on record of one server.
    #[command]
    pub async fn clear_server_traffic(&self, server: &ServerId) -> Result<(), InspectorError> {
        self.resources.cache.forget(server);
        let server = server.clone();
        self.core
            .blocking(move |recorder| Ok(recorder.clear_server(&server)?))
            .await
    }

    /// Tries to record again after recording stopped by itself.
    ///
    /// # Errors
    /// When recording still does not work; the state says why.
    #[command]
    pub async fn retry_recording(&self) -> Result<(), InspectorError> {
        let outcome = self.core.blocking(|recorder| Ok(recorder.retry()?)).await;
        self.core.publisher.publish(Fact::Recording {
            state: self.core.recorder.state(),
        });
        outcome
    }
}
