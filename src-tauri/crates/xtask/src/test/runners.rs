//! The three test runners: their commands, and how a test that failed is run again.

use std::path::PathBuf;
use std::process::Command;

use super::arguments::Repeat;
use super::junit::{self, TestCase};
use crate::nextest;
use crate::process::npm;
use crate::workspace::Workspace;

/// Test programs of Cargo that run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Programs {
    /// Targets that are built.
    targets: &'static [&'static str],
    /// Those of them that run, as a filter expression of nextest.
    filter: &'static str,
}

impl Programs {
    /// Targets whose programs are built for the tests. Not the examples: they are for a person who
    /// measures one part.
    pub const TARGETS: &[&str] = &["--lib", "--bins", "--tests"];
    pub const ALL: Self = Self::among(Self::TARGETS, "all()");
    pub const WITHOUT_WINDOW: Self = Self::among(Self::TARGETS, "not binary(=window)");
    pub const WINDOW: Self = Self::among(Self::TARGETS, "binary(=window)");
    pub const UNIT: Self = Self::among(&["--lib", "--bins"], "all()");

    const fn among(targets: &'static [&'static str], filter: &'static str) -> Self {
        Self { targets, filter }
    }
}

/// A program that runs tests and writes a report of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// cargo-nextest, in the whole workspace.
    Nextest(Programs),
    /// Vitest, in `ui`.
    Vitest,
    /// Playwright, in `ui`.
    Playwright,
}

impl Runner {
    /// The command that runs all tests, or some of them as often as is asked.
    pub fn command(&self, workspace: &Workspace, repeat: Option<&Repeat>) -> Command {
        let mut command = self.bare(workspace);
        match self {
            Self::Nextest(programs) => {
                command.args(["--filterset", programs.filter]);
                if let Some(repeat) = repeat {
                    command.args(["--no-tests", "pass", &repeat.name]);
                }
            }
            Self::Vitest => {
                if let Some(repeat) = repeat {
                    command.args(["--passWithNoTests", "--testNamePattern", &repeat.name]);
                }
            }
            Self::Playwright => {
                if let Some(repeat) = repeat {
                    let times = repeat.times.to_string();
                    command.args(["--pass-with-no-tests", "--repeat-each", &times]);
                    command.args(["--grep", &repeat.name]);
                }
            }
        }
        command
    }

    /// Returns true when one start of the runner repeats each test as often as is asked.
    pub fn repeats_by_itself(&self) -> bool {
        *self == Self::Playwright
    }

    /// The command that runs these tests once more, one at a time. It may run their neighbours
    /// too: of its report only these tests count.
    pub fn again(&self, workspace: &Workspace, failed: &[TestCase]) -> Command {
        let mut command = self.bare(workspace);
        match self {
            Self::Nextest(_) => {
                let these: Vec<String> = failed
                    .iter()
                    .map(|test| format!("(binary_id(={}) & test(={}))", test.suite, test.name))
                    .collect();
                command.args(["--test-threads", "1", "--filterset", &these.join(" | ")]);
            }
            Self::Vitest => {
                let mut files: Vec<&str> = failed.iter().map(|test| test.suite.as_str()).collect();
                files.sort_unstable();
                files.dedup();
                command.arg("--no-file-parallelism").args(files);
            }
            Self::Playwright => {
                command.args(["--workers", "1", "--last-failed"]);
            }
        }
        command
    }

    fn bare(&self, workspace: &Workspace) -> Command {
        let ui_package = |name: &str| {
            let mut command = npm(&workspace.ui());
            command.args(["exec", "--offline", "--", name]);
            command
        };
        let report = self.report(workspace);
        match self {
            Self::Nextest(programs) => {
                let mut command = nextest::command(workspace);
                command.args(["run", "--workspace"]).args(programs.targets);
                // Most wait for a process, so that a core serves two.
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                command.env("NEXTEST_TEST_THREADS", (2 * cores).to_string());
                command
            }
            Self::Vitest => {
                let mut command = ui_package("vitest");
                command.args(["run", "--reporter", "default", "--reporter", "junit"]);
                command.arg(format!("--outputFile.junit={}", report.display()));
                command
            }
            Self::Playwright => {
                let mut command = ui_package("playwright");
                command
                    .args(["test", "--config", "../tests/ui/playwright.config.ts"])
                    .args(["--reporter", "list,junit"])
                    .env("PLAYWRIGHT_JUNIT_OUTPUT_FILE", &report)
                    // No server is left behind to show a report of failures.
                    .env("PLAYWRIGHT_HTML_OPEN", "never");
                command
            }
        }
    }

    /// The report of the last run.
    fn report(&self, workspace: &Workspace) -> PathBuf {
        let target = workspace.target();
        match self {
            // `.config/nextest.toml` says so.
            Self::Nextest(_) => workspace.root().join("target/nextest/default/junit.xml"),
            Self::Vitest => target.join("xtask/vitest.xml"),
            Self::Playwright => target.join("xtask/playwright.xml"),
        }
    }

    /// Removes the report of an earlier run, so that it is not taken for that of the next one.
    pub fn forget_report(&self, workspace: &Workspace) {
        // Where there is none, there is nothing to forget.
        let _ = std::fs::remove_file(self.report(workspace));
    }

    /// Reads the tests that ran last.
    pub fn tests(&self, workspace: &Workspace) -> Vec<TestCase> {
        let report = std::fs::read_to_string(self.report(workspace)).unwrap_or_default();
        junit::tests(&report)
    }
}
