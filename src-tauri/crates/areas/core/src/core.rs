//! State that every area shares, and what is done with it alone.

use std::sync::{Arc, Mutex};

use sightglass_auth::SignIns;
use sightglass_connection::Connections;
use sightglass_http::CurrentProxies;
use sightglass_secrets::Vault;
use sightglass_traffic::Recorder;

use crate::{
    blocking::run_blocking, config_workspace::ConfigWorkspace, error::InspectorError,
    files::DataFiles, options::InspectorOptions, publisher::Publisher,
    record_queries::RecordQueries, view::Settings,
};

/// State that every area shares.
pub struct Core {
    pub options: InspectorOptions,
    pub recorder: Recorder,
    pub connections: Connections,
    pub sign_ins: SignIns,
    pub vault: Vault,
    pub config: Arc<ConfigWorkspace>,
    pub publisher: Arc<Publisher>,
    pub data: DataFiles,
    pub settings: Mutex<Settings>,
    pub proxies: Arc<CurrentProxies>,
}

impl Core {
    /// Queries of this program's own record.
    pub fn record(&self) -> RecordQueries {
        RecordQueries::new(self.recorder.clone())
    }

    /// Runs something that may block on the disk or take long.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
    ) -> Result<T, InspectorError> {
        run_blocking(&self.recorder, work).await
    }
}
