//! Starting: from the process's start until the window can be used, and what it weighs then.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;
use sightglass_tests::window::{Directories, Process, processes, settle};

use crate::{
    figures::{Aim, Figures},
    setting::{Outcome, Setting, application, directories},
    statistics::median,
};

/// Line that the application logs once the page has drawn itself.
const READY: &str = "window ready";

/// Until an idle application has come to rest.
const REST_DELAY: Duration = Duration::from_secs(5);

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let directories = directories(json!({ "load": setting.load_server(100, 100) }))?;
    // The first launch ever fills the caches of the system and of WebKit.
    drop(Launched::new(&directories)?);
    let mut durations = Vec::new();
    let mut memory = Vec::new();
    for run in 0..setting.runs.max(5) {
        let launched = Launched::new(&directories)?;
        durations.push(launched.duration.as_secs_f64() * 1000.0);
        if run < setting.runs {
            tokio::time::sleep(REST_DELAY).await;
            let process = Process::with_id(launched.child.id()).ok_or("the application ended")?;
            memory.push(setting.memory(&process));
        }
    }
    figures.add(
        "launch_to_interactive_ms",
        median(&durations),
        Aim::AtMost(700.0),
    );
    figures.add("memory_idle_mb", median(&memory), Aim::AtMost(300.0));
    Ok(())
}

/// The application, started without a driver. It ends with this value.
struct Launched {
    child: Child,
    duration: Duration,
}

impl Launched {
    fn new(directories: &Directories) -> Outcome<Self> {
        let mut command = Command::new(application());
        settle(&mut command, directories);
        command
            .arg(directories.project())
            .env("SIGHTGLASS_LOG", "sightglass_app=info")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = command.spawn()?;
        let errors = child.stderr.take().ok_or("stderr was not piped")?;
        let mut launched = Self {
            child,
            duration: Duration::ZERO,
        };
        let mut lines = BufReader::new(errors).lines().map_while(Result::ok);
        if !lines.any(|line| line.contains(READY)) {
            return Err(format!("the application never logged \"{READY}\"").into());
        }
        launched.duration = started.elapsed();
        // It must not wait for a reader of what else it logs.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(launched)
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        let started = processes::descendants(self.child.id());
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        started.iter().for_each(Process::kill);
    }
}
