//! Runs work that may block on threads that are there for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sightglass_traffic::Recorder;

use crate::error::InspectorError;

/// Runs something on a record that may block on the disk or take long. A panic of it is an error.
pub async fn run_blocking<T: Send + 'static>(
    recorder: &Recorder,
    work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
) -> Result<T, InspectorError> {
    let recorder = recorder.clone();
    // Caught on its own thread, where the place of the panic is known.
    let work = move || {
        catch_unwind(AssertUnwindSafe(|| work(&recorder)))
            .unwrap_or_else(|panic| Err(InspectorError::caught(&*panic)))
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| InspectorError::Closing)?
}
