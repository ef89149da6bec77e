//! Starting: from the process's start until the window can be used, and what it weighs then,
//! beside a Tauri window on an empty page.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Directories, Process, processes, settle},
};

use crate::{
    figures::{Aim, Figures},
    setting::{Outcome, Setting, application, directories},
    statistics::median,
};

/// Line that both programs write to stderr once the page is painted.
const READY: &str = "window ready";

/// Time after which an idle application has come to rest.
const REST_DELAY: Duration = Duration::from_secs(5);

/// The program that the launch is held against.
const EMPTY_WINDOW: &str = "sightglass-bench-empty-window";

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let (ours, empty) = compare(setting, setting.runs.max(5), setting.runs).await?;
    let (launch, floor) = (median(&ours.durations), median(&empty.durations));
    figures.add("launch_to_interactive_ms", launch, Aim::AtMost(700.0));
    figures.add("launch_empty_window_ms", floor, Aim::Reference);
    figures.add(
        "launch_to_empty_window_ratio",
        launch / floor,
        Aim::AtMost(1.25),
    );
    let (memory, floor) = (median(&ours.memory), median(&empty.memory));
    figures.add("memory_idle_mb", memory, Aim::AtMost(300.0));
    figures.add("memory_empty_window_mb", floor, Aim::Reference);
    figures.add(
        "memory_idle_above_empty_window_mb",
        memory - floor,
        Aim::AtMost(60.0),
    );
    Ok(())
}

/// Launches the application and the empty window, and weighs both at the first `weighed` of them.
pub async fn compare(
    setting: &Setting,
    launches: usize,
    weighed: usize,
) -> Outcome<(Launches, Launches)> {
    let directories = directories(json!({ "load": setting.load_server(100, 100) }))?;
    let mut ours = Launches::of(application());
    let mut empty = Launches::of(programs::own(EMPTY_WINDOW));
    // The first launch ever fills the caches of the system and of WebKit.
    ours.warm_up(&directories)?;
    empty.warm_up(&directories)?;
    // Turn by turn, so that both meet the same machine.
    for run in 0..launches {
        let weighed = run < weighed;
        ours.measure(setting, &directories, weighed).await?;
        empty.measure(setting, &directories, weighed).await?;
    }
    Ok((ours, empty))
}

/// The memory of the empty window at rest, in megabytes.
pub async fn empty_window_memory(setting: &Setting) -> Outcome<f64> {
    let directories = directories(json!({}))?;
    let mut empty = Launches::of(programs::own(EMPTY_WINDOW));
    empty.measure(setting, &directories, true).await?;
    Ok(median(&empty.memory))
}

/// The time from the process's start until the window can be used, in milliseconds.
pub fn once(directories: &Directories) -> Outcome<f64> {
    let launched = Launched::new(&application(), directories)?;
    Ok(launched.duration.as_secs_f64() * 1000.0)
}

/// Launches of one program.
pub struct Launches {
    program: PathBuf,
    /// In milliseconds.
    pub durations: Vec<f64>,
    /// In megabytes.
    pub memory: Vec<f64>,
}

impl Launches {
    fn of(program: PathBuf) -> Self {
        Self {
            program,
            durations: Vec::new(),
            memory: Vec::new(),
        }
    }

    fn warm_up(&self, directories: &Directories) -> Outcome {
        Launched::new(&self.program, directories).map(drop)
    }

    async fn measure(
        &mut self,
        setting: &Setting,
        directories: &Directories,
        weighed: bool,
    ) -> Outcome {
        let launched = Launched::new(&self.program, directories)?;
        self.durations
            .push(launched.duration.as_secs_f64() * 1000.0);
        if weighed {
            tokio::time::sleep(REST_DELAY).await;
            let process = Process::with_id(launched.child.id()).ok_or("the application ended")?;
            self.memory.push(setting.memory(&process));
        }
        Ok(())
    }
}

/// A program with a window, started without a driver. It ends with this value.
struct Launched {
    child: Child,
    duration: Duration,
}

impl Launched {
    fn new(program: &Path, directories: &Directories) -> Outcome<Self> {
        let mut command = Command::new(program);
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
