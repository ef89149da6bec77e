//! Reads the record for the window, and keeps the settings that are about it.

use std::path::PathBuf;

use bytes::Bytes;
use sightglass_model::{ExchangeId, FrameId, ServerId};
use sightglass_traffic::{
    Causality, ExchangeDetail, LinePage, OperationPage, OperationQuery, OperationTree,
    PayloadMatches, PayloadQuery, RecordRevision, Recorder, TrafficPage, TrafficQuery,
};
use tokio::sync::watch;

use crate::{
    Inspector, InspectorError, lock,
    record_queries::RecordQueries,
    server_settings::{self, check_network},
    view::{CopyForm, Fact, Settings},
};

impl Inspector {
    /// Queries of this program's own record.
    pub fn record(&self) -> RecordQueries {
        RecordQueries::new(self.recorder.clone())
    }

    /// Rows that match, oldest first; `offset` counts from the newest.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn traffic_window(
        &self,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<TrafficPage, InspectorError> {
        self.record().window(query, offset, limit).await
    }

    /// Operations of which a row matches, oldest first; `offset` counts from the newest.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn traffic_operations(
        &self,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationPage, InspectorError> {
        self.record().operations(query, offset, limit).await
    }

    /// Rows of the tree of an operation, `limit` of them after the first `offset`.
    ///
    /// # Errors
    /// When there is no such row, or the record cannot be read.
    pub async fn traffic_operation(
        &self,
        query: OperationQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationTree, InspectorError> {
        self.record().operation(query, offset, limit).await
    }

    /// Causes and effects of a row. Any frame of the row names it.
    ///
    /// # Errors
    /// When there is no such row, or the record cannot be read.
    pub async fn traffic_causality(&self, id: ExchangeId) -> Result<Causality, InspectorError> {
        self.record().causality(id).await
    }

    /// One row with its frames and the HTTP request that carried it.
    ///
    /// # Errors
    /// When there is no such row, or the record cannot be read.
    pub async fn traffic_detail(&self, id: ExchangeId) -> Result<ExchangeDetail, InspectorError> {
        self.record().detail(id).await
    }

    /// Lines of a payload.
    ///
    /// # Errors
    /// When there is no such frame or part, or the record cannot be read.
    pub async fn payload_lines(
        &self,
        query: PayloadQuery,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        self.record().payload_lines(query, first_line, count).await
    }

    /// A payload, or a part of one, as one text.
    ///
    /// # Errors
    /// When it is larger than 1 MiB, besides the reasons of [`payload_lines`](Self::payload_lines).
    pub async fn payload_text(&self, query: PayloadQuery) -> Result<String, InspectorError> {
        self.record().payload_text(query).await
    }

    /// Finds the places of a text in a payload, whatever its case.
    ///
    /// # Errors
    /// As [`payload_lines`](Self::payload_lines).
    pub async fn search_payload(
        &self,
        query: PayloadQuery,
        text: String,
    ) -> Result<PayloadMatches, InspectorError> {
        self.record().search_payload(query, text).await
    }

    /// The whole of a frame, as recorded.
    ///
    /// # Errors
    /// When there is no such frame, or the record cannot be read.
    pub async fn payload(&self, frame: FrameId) -> Result<Bytes, InspectorError> {
        self.record().payload(frame).await
    }

    /// Lines of a hex dump of the base64 string at `pointer`.
    ///
    /// # Errors
    /// When there is no such string, or it is not base64.
    pub async fn blob_hex(
        &self,
        frame: FrameId,
        pointer: String,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        self.record()
            .blob_hex(frame, pointer, first_line, count)
            .await
    }

    /// The base64 string at `pointer`.
    ///
    /// # Errors
    /// When there is no such string, or it is larger than 64 MiB.
    pub async fn blob_base64(
        &self,
        frame: FrameId,
        pointer: String,
    ) -> Result<String, InspectorError> {
        self.record().blob_base64(frame, pointer).await
    }

    /// Saves the part of a payload at `pointer`: the decoded bytes where it is base64 by its
    /// place in the protocol (`data` or `blob`), the text of any other string, and JSON as it
    /// is.
    ///
    /// # Errors
    /// When there is no such part, or the file cannot be written.
    pub async fn save_part(
        &self,
        frame: FrameId,
        pointer: String,
        path: PathBuf,
    ) -> Result<(), InspectorError> {
        self.record().save_part(frame, pointer, path).await
    }

    /// A row as text for the clipboard.
    ///
    /// # Errors
    /// When there is no such row, or it did not travel over HTTP and is wanted as curl.
    pub async fn copy_exchange(
        &self,
        id: ExchangeId,
        form: CopyForm,
    ) -> Result<String, InspectorError> {
        self.record().copy_exchange(id, form).await
    }

    /// Removes everything from the record.
    ///
    /// # Errors
    /// When the record cannot be changed.
    pub async fn clear_traffic(&self) -> Result<(), InspectorError> {
        self.blocking(|recorder| Ok(recorder.clear()?)).await
    }

    /// Removes what is on record of one server.
    ///
    /// # Errors
    /// When the record cannot be changed.
    pub async fn clear_server_traffic(&self, server: &ServerId) -> Result<(), InspectorError> {
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

    /// Watches the revision of the record; it changes at most fifteen times a second.
    pub fn watch_traffic(&self) -> watch::Receiver<RecordRevision> {
        self.recorder.watch()
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

    /// Runs something that may block on the disk or take long.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
    ) -> Result<T, InspectorError> {
        self.record().blocking(work).await
    }
}
