//! Runs connections and the record at a lower priority than the window, and gives memory back.
//!
//! A server that sends a hundred thousand messages keeps every core busy: with itself, and
//! with reading and recording what it sends. What draws has to compete with that, and a window
//! that stands still is worse than messages that arrive a little later. So the threads that
//! connect and record come after those that draw. Nothing is slower for it while a core is
//! free.

use std::io;

use sightglass_inspector::Inspector;
use tokio::runtime::{Builder, Runtime};

/// The runtime of all connections. The environment variables in `own` are for this process
/// alone.
pub(crate) fn runtime(own: Vec<&'static str>) -> io::Result<Runtime> {
    // Servers are not to be set back: they take the priority of the thread that starts them,
    // and it that of this one.
    sightglass_inspector::prepare_to_start_processes(own);
    Builder::new_multi_thread()
        .enable_all()
        .on_thread_start(stand_back)
        .build()
}

/// Sets the current thread back, and those that it starts.
#[cfg(target_os = "linux")]
fn stand_back() {
    /// A tenth of the share that a thread has otherwise (sched(7), "The nice value").
    const NICENESS: libc::c_int = 10;
    // SAFETY: setpriority(2) touches no memory of ours. Linux takes 0 for the calling thread.
    let refused = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) } != 0;
    if refused {
        tracing::debug!(
            "a thread keeps its priority: {}",
            io::Error::last_os_error()
        );
    }
}

/// macOS puts the thread of the window first by itself, and Windows the window that a user
/// uses.
#[cfg(not(target_os = "linux"))]
fn stand_back() {}

/// Gives memory back to the system whenever the record has come to rest. The C library keeps
/// what was freed, for the next burst: 25 MB after a hundred thousand messages.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn return_memory_at_rest(inspector: &Inspector) {
    use std::time::Duration;

    /// Without a new message.
    const REST_INTERVAL: Duration = Duration::from_secs(2);

    let mut record = inspector.core.record().watch();
    tauri::async_runtime::spawn(async move {
        loop {
            while let Ok(change) = tokio::time::timeout(REST_INTERVAL, record.changed()).await {
                if change.is_err() {
                    return;
                }
            }
            // SAFETY: malloc_trim(3) may be called at any time, from any thread.
            let trimming = tokio::task::spawn_blocking(|| unsafe { libc::malloc_trim(0) });
            if trimming.await.is_err() || record.changed().await.is_err() {
                return;
            }
        }
    });
}

/// Other C libraries do so by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn return_memory_at_rest(_inspector: &Inspector) {}
