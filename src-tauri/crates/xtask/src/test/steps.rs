//! Lists the steps of a test run.
//!
//! They come in stages, one after the other; the lanes of a stage run side by side. What is fetched
//! from the network and what one core works on alone go beside the Rust build.

use std::io::IsTerminal;
use std::process::Command;

use super::arguments::{Group, Repeat, TestOptions};
use super::outcome::Counting;
use super::runners::{Programs, Runner};
use crate::lints;
use crate::process::{cargo, npm};
use crate::python::{ENVIRONMENTS, PythonEnvironment};
use crate::setup::{BROWSER_VARIABLE, find_browser};
use crate::ui;
use crate::workspace::Workspace;

/// One program of a test run.
pub struct TestStep {
    pub title: String,
    pub command: Command,
    pub counting: Counting,
    /// Runner whose report tells the tests of this step.
    pub runner: Option<Runner>,
    pub then: Option<FollowUp>,
}

/// Action left to do once a step has succeeded.
pub enum FollowUp {
    /// Remember that `ui/dist` holds the UI built from the present sources.
    NoteUiBuilt,
    /// Remember that these Python packages of the tests are installed.
    NotePythonInstalled(&'static PythonEnvironment),
}

/// Steps one after the other.
pub type Lane = Vec<TestStep>;

/// Returns the stages of the run that `options` ask for. Steps that several groups rest on come
/// once.
///
/// All of Rust is built by one command for the whole workspace: building packages one by
/// one would choose other features for shared dependencies and build those twice.
pub fn plan(workspace: &Workspace, options: &TestOptions) -> Vec<Vec<Lane>> {
    let planner = StepPlanner { workspace, options };
    let mut stages = vec![
        vec![planner.window()],
        vec![planner.rust(), planner.packages()],
    ];
    // One after the other: beside each other they are no faster on two cores, and windows wait.
    stages.extend(planner.suites().into_iter().map(|suite| vec![suite]));
    stages
}

struct StepPlanner<'a> {
    workspace: &'a Workspace,
    options: &'a TestOptions,
}

impl StepPlanner<'_> {
    fn wants(&self, any_of: &[Group]) -> bool {
        let wanted = &self.options.groups;
        wanted
            .iter()
            .filter(|group| **group != Group::Window || cfg!(target_os = "linux"))
            .any(|group| any_of.contains(group))
    }

    /// Returns true when whole groups are checked, and not a few tests repeated.
    fn is_whole(&self) -> bool {
        self.options.repeat.is_none()
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo(self.workspace.root());
        command.args(arguments);
        command
    }

    fn ui_script(&self, name: &str) -> Command {
        let mut command = npm(&self.workspace.ui());
        command.args(["run", name]);
        command
    }

    /// The window, which is built into the application.
    fn window(&self) -> Lane {
        use Group::{Browser, Rust, Ui, Window};
        let mut lane = Lane::new();
        if !self.wants(&[Ui, Browser, Window, Rust, Group::Quick]) {
            return lane;
        }
        if !ui::is_installed(&self.workspace.ui()) {
            let mut install = npm(&self.workspace.ui());
            install.args(ui::INSTALL);
            lane.push(preparation("UI packages", install));
        }
        // Where it cannot be told, it is built.
        let is_built = ui::is_built(self.workspace).unwrap_or_default();
        if self.wants(&[Ui, Browser, Window]) && !is_built {
            let mut build = preparation("UI build", self.ui_script("build"));
            build.then = Some(FollowUp::NoteUiBuilt);
            lane.push(build);
        }
        lane
    }

    fn rust(&self) -> Lane {
        use Group::{Browser, Quick, Rust, Window};
        let mut lane = Lane::new();
        if self.wants(&[Rust, Quick]) && self.is_whole() {
            let format = self.cargo(&["fmt", "--all", "--check"]);
            lane.push(check("Rust formatting", format));
        }
        // The quick group builds nothing but unit tests, as it runs them.
        if self.wants(&[Rust, Window, Browser]) {
            let mut build = self.cargo(&["build", "--workspace"]);
            build.args(match self.wants(&[Rust, Window]) {
                true => Programs::TARGETS,
                false => &["--bins"],
            });
            lints::add(&mut build);
            lane.push(check("Rust build and lints", build));
        }
        lane
    }

    fn packages(&self) -> Lane {
        use Group::{Browser, Quick, Rust, Ui, Window};
        let mut lane = Lane::new();
        let install = |title: &str, folder: &std::path::Path| {
            let mut install = npm(folder);
            install.args(ui::INSTALL);
            preparation(title, install)
        };
        if self.wants(&[Rust, Browser, Window]) && !ui::is_installed(&self.workspace.tests()) {
            lane.push(install(
                "MCP servers for the tests",
                &self.workspace.tests(),
            ));
        }
        if cfg!(unix) && self.wants(&[Rust]) {
            if !ui::is_installed(&self.workspace.interop()) {
                lane.push(install(
                    "MCP clients for the tests",
                    &self.workspace.interop(),
                ));
            }
            // The stories that use them tap the servers' streams with a Unix shell.
            let missing = ENVIRONMENTS
                .iter()
                .filter(|python| !python.is_installed(self.workspace));
            for python in missing {
                let [create, install] = python.install(self.workspace);
                lane.push(preparation("Python for the tests", create));
                let mut install = preparation(python.title, install);
                install.then = Some(FollowUp::NotePythonInstalled(python));
                lane.push(install);
            }
        }
        if self.wants(&[Ui, Quick]) && self.is_whole() {
            lane.push(check("UI lints", self.ui_script("lint")));
            lane.push(check("UI types", self.ui_script("typecheck")));
        }
        if self.wants(&[Browser]) {
            let build = self.ui_script("build:browser");
            lane.push(preparation("UI build for the browser", build));
        }
        if self.wants(&[Ui, Quick]) {
            lane.extend(self.suite("UI unit tests", &Runner::Vitest));
        }
        lane
    }

    /// Tests that run when everything is built, a lane for each runner.
    fn suites(&self) -> Vec<Lane> {
        use Group::{Browser, Quick, Rust, Window};
        let mut lanes = Vec::new();
        let mut add = |title: &str, programs| {
            lanes.push(self.suite(title, &Runner::Nextest(programs)));
        };
        match (self.wants(&[Rust]), self.wants(&[Window])) {
            (true, true) => add("Rust and window tests", Programs::ALL),
            (true, false) => add("Rust tests", Programs::WITHOUT_WINDOW),
            (false, true) => add("Window tests", Programs::WINDOW),
            (false, false) => {}
        }
        if self.wants(&[Quick]) && !self.wants(&[Rust]) {
            add("Rust lints and unit tests", Programs::UNIT);
        }
        if self.wants(&[Browser]) {
            lanes.push(self.suite("Browser tests", &Runner::Playwright));
        }
        lanes
    }

    /// The tests of a runner, once, or as often as is asked.
    fn suite(&self, title: &str, runner: &Runner) -> Lane {
        let repeat = self.options.repeat.as_ref();
        let starts = match repeat {
            Some(Repeat { times, .. }) if !runner.repeats_by_itself() => *times,
            _ => 1,
        };
        (1..=starts)
            .map(|number| TestStep {
                title: match starts {
                    1 => title.to_owned(),
                    _ => format!("{title}, {number} of {starts}"),
                },
                command: prepared(runner.command(self.workspace, repeat)),
                counting: match repeat {
                    Some(_) => Counting::TestsIfAny,
                    None => Counting::Tests,
                },
                runner: Some(*runner),
                then: None,
            })
            .collect()
    }
}

fn preparation(title: &str, command: Command) -> TestStep {
    step(title, command, Counting::Preparation)
}

fn check(title: &str, command: Command) -> TestStep {
    step(title, command, Counting::OneCheck)
}

fn step(title: &str, command: Command, counting: Counting) -> TestStep {
    TestStep {
        title: title.to_owned(),
        command: prepared(command),
        counting,
        runner: None,
        then: None,
    }
}

/// Tells a program what holds for each of them.
pub fn prepared(mut command: Command) -> Command {
    if let Some(browser) = find_browser() {
        command.env(BROWSER_VARIABLE, browser);
    }
    // The programs write into a pipe, so they are told that a user is watching.
    if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        command
            .env("CARGO_TERM_COLOR", "always")
            .env("FORCE_COLOR", "1");
    }
    command
}
