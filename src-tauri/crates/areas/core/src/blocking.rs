//! Runs work that may block on threads that are there for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sightglass_traffic::Recorder;
use tokio::sync::oneshot;

use crate::error::InspectorError;

/// Runs something on a record that may block on the disk or take long. A panic of it is an error.
pub async fn run_blocking<T: Send + 'static>(
    recorder: &Recorder,
    work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
) -> Result<T, InspectorError> {
    let recorder = recorder.clone();
    let (sender, ended) = oneshot::channel();
    // Boxed, so that the task is compiled once and not for each kind of work.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        // Caught on its own thread, where the place of the panic is known.
        let done = catch_unwind(AssertUnwindSafe(|| work(&recorder)))
            .unwrap_or_else(|panic| Err(InspectorError::caught(&*panic)));
        drop(recorder);
        // Whoever asked may wait no longer.
        let _ = sender.send(done);
    });
    tokio::task::spawn_blocking(work);
    ended.await.map_err(|_| InspectorError::Closing)?
}
