//! Queries of a record: of this program's own, or of an opened session.

use bytes::Bytes;
use sightglass_model::{ExchangeId, FrameId};
use sightglass_traffic::{
    ExchangeDetail, OperationPage, OperationQuery, OperationTree, RecordRevision, Recorder,
    TrafficPage, TrafficQuery,
};
use tokio::sync::watch;

use crate::{blocking::run_blocking, error::InspectorError};

/// Queries of one record, each run where it may block and with the error of the areas. What they
/// answer is told at the methods of [`Recorder`]. Cheap to clone.
#[derive(Clone)]
pub struct RecordQueries {
    recorder: Recorder,
}

impl RecordQueries {
    pub fn new(recorder: Recorder) -> Self {
        Self { recorder }
    }

    /// Rows that match, oldest first; `offset` counts from the newest.
    pub async fn window(
        &self,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<TrafficPage, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.page(&query, offset, limit)?))
            .await
    }

    /// Operations of which a row matches, oldest first; `offset` counts from the newest.
    pub async fn operations(
        &self,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationPage, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.operations(&query, offset, limit)?))
            .await
    }

    /// Rows of the tree of an operation, `limit` of them after the first `offset`.
    pub async fn operation(
        &self,
        query: OperationQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationTree, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.operation(&query, offset, limit)?))
            .await
    }

    /// One row with its frames and the HTTP request that carried it.
    pub async fn detail(&self, id: ExchangeId) -> Result<ExchangeDetail, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.detail(id)?))
            .await
    }

    /// The whole of a frame, as recorded.
    pub async fn payload(&self, frame: FrameId) -> Result<Bytes, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.payload(frame)?))
            .await
    }

    /// Watches the revision of the record; it changes at most fifteen times a second.
    pub fn watch(&self) -> watch::Receiver<RecordRevision> {
        self.recorder.watch()
    }

    /// Runs something that may block on the disk or take long.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
    ) -> Result<T, InspectorError> {
        run_blocking(&self.recorder, work).await
    }
}
