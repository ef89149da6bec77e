//! The tasks that serve a wire: they end with it, and a defect in one of them ends it.
//!
//! A server that misbehaves must not be heard after the end, so no task may outlive the wire
//! unless its work is the end itself (a farewell, the rest of a process's output). And a task
//! that panicked would leave a connection that looks alive and answers nothing.

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures::FutureExt;
use sightglass_model::InternalError;
use tokio::task::AbortHandle;

use super::{LinkEnd, Wire};

impl Wire {
    /// Runs a task until it is done or the wire ends.
    pub(crate) fn spawn(
        self: &Arc<Self>,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> AbortHandle {
        let ended = self.ended.clone();
        self.spawn_to_completion(async move {
            tokio::select! {
                biased;
                () = ended.cancelled() => {}
                () = task => {}
            }
        })
    }

    /// Runs a task that goes on after the end, for what ends by itself or is aborted.
    pub(crate) fn spawn_to_completion(
        self: &Arc<Self>,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> AbortHandle {
        let wire = Arc::clone(self);
        let task = async move {
            if let Err(panic) = AssertUnwindSafe(task).catch_unwind().await {
                wire.end(LinkEnd::Failed(InternalError::caught(&*panic).into()));
            }
        };
        tokio::spawn(task).abort_handle()
    }
}
