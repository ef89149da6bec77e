//! Handle that keeps the threads of the record running.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
};

use crate::{log::Shared, reader::Reader};

/// Owns the threads of the record.
pub(crate) struct Handle {
    pub shared: Arc<Shared>,
    pub reader: Reader,
    pub threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Handle {
    /// Ends the threads, once what is queued is written.
    pub fn close(&self) {
        self.shared.change(|log| log.stopping = true);
        self.shared.work.notify_all();
        self.shared.changed.notify_all();
        let threads = {
            let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *threads)
        };
        for thread in threads {
            // A panic of a thread has been reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.close();
    }
}
