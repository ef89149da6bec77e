//! Keeps the threads of the record running until the last handle is dropped.

use std::{
    sync::{Arc, Mutex},
    thread::JoinHandle,
};

use sightglass_model::lock;

use crate::{query::Queries, queue::SharedRecord};

/// Owns the threads of the record.
pub(crate) struct RecorderThreads {
    pub shared: Arc<SharedRecord>,
    pub queries: Queries,
    pub threads: Mutex<Vec<JoinHandle<()>>>,
}

impl RecorderThreads {
    /// Ends the threads, once what is queued is written.
    pub fn close(&self) {
        self.shared.change(|queue| queue.stopping = true);
        self.shared.work.notify_all();
        self.shared.changed.notify_all();
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in threads {
            // A panic of a thread has been reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for RecorderThreads {
    fn drop(&mut self) {
        self.close();
    }
}
