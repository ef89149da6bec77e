//! State that every area shares, and what is done with it alone.

use std::sync::{Arc, Mutex};

use sightglass_auth::SignIns;
use sightglass_connection::Connections;
use sightglass_http::CurrentProxies;
use sightglass_secrets::Vault;
use sightglass_traffic::Recorder;

use crate::{
    InspectorError, InspectorOptions, RecordQueries, blocking::run_blocking,
    config_workspace::ConfigWorkspace, files::DataFiles, publisher::Publisher, view::Settings,
};

/// State that every area shares.
pub struct Core {
    pub(crate) options: InspectorOptions,
    pub(crate) recorder: Recorder,
    pub(crate) connections: Connections,
    pub(crate) sign_ins: SignIns,
    pub(crate) vault: Vault,
    pub(crate) config: Arc<ConfigWorkspace>,
    pub(crate) publisher: Arc<Publisher>,
    pub(crate) data: DataFiles,
    pub(crate) settings: Mutex<Settings>,
    pub(crate) proxies: Arc<CurrentProxies>,
}

impl Core {
    /// Queries of this program's own record.
    pub fn record(&self) -> RecordQueries {
        RecordQueries::new(self.recorder.clone())
    }

    /// Runs something that may block on the disk or take long.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
    ) -> Result<T, InspectorError> {
        run_blocking(&self.recorder, work).await
    }
}
