//! Settings of a run.

use std::{error::Error, path::PathBuf, sync::Arc, time::Duration};

use serde_json::{Value, json};
use sightglass_tests::{
    programs,
    window::{AppWindow, Directories, Process, processes},
};

/// A measurement that could not be taken says why.
pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Settings of a whole run.
pub struct Setting {
    /// Number of repetitions of a measurement; the median counts.
    pub runs: usize,
    /// Duration of the soak.
    pub soak: Duration,
    /// The server that produces the load.
    pub server: PathBuf,
}

impl Setting {
    /// The configuration of a load server with that many tools, `page_size` to a page; 0 is
    /// all of them in one.
    pub fn load_server(&self, tools: usize, page_size: usize) -> Value {
        let (tools, page_size) = (tools.to_string(), page_size.to_string());
        json!({
            "command": self.server,
            "args": ["--load", "--tools", tools, "--page-size", page_size],
        })
    }

    /// The memory of an application in megabytes (10⁶ bytes): the proportional set size of
    /// all its processes, WebKit's included. The servers that it is connected to are other
    /// programs and do not count.
    pub fn memory(&self, application: &Process) -> f64 {
        let mut processes = processes::descendants(application.id);
        processes.retain(|process| !processes::executes(process, &self.server));
        processes.push(application.clone());
        let bytes: u64 = processes
            .iter()
            .filter_map(Process::proportional_set_size)
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "memory fits 53 bits")]
        let megabytes = bytes as f64 / 1e6;
        megabytes
    }

    /// As [`memory`](Self::memory), once it has settled: caches and garbage are given back
    /// some seconds after the work.
    pub async fn settled_memory(&self, window: &AppWindow) -> f64 {
        tokio::time::sleep(Duration::from_secs(6)).await;
        self.memory(window.application())
    }
}

/// The application, as built beside this program.
pub fn application() -> PathBuf {
    programs::own("sightglass")
}

/// Directories with these servers configured.
pub fn directories(servers: Value) -> Outcome<Arc<Directories>> {
    let directories = Directories::new()?;
    directories.configure(servers)?;
    Ok(Arc::new(directories))
}
