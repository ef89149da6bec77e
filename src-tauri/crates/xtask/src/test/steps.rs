//! Lists the steps of a test run, in order.

use std::io::IsTerminal;
use std::process::Command;

use super::totals::Counting;
use crate::display::VirtualDisplay;
use crate::error::TaskError;
use crate::process::{cargo, npm};
use crate::python::{ENVIRONMENTS, Environment};
use crate::setup::{BROWSER_VARIABLE, find_browser};
use crate::ui;
use crate::workspace::Workspace;

/// Steps that can be asked for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The crates and the stories driven through them.
    Rust,
    /// The UI's own checks.
    Ui,
    /// The built UI in a browser.
    Browser,
    /// The real window.
    Window,
}

impl Group {
    pub const ALL: [Self; 4] = [Self::Rust, Self::Ui, Self::Browser, Self::Window];

    /// The group a user calls `name`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "rust" => Some(Self::Rust),
            "ui" => Some(Self::Ui),
            "browser" => Some(Self::Browser),
            "window" => Some(Self::Window),
            _ => None,
        }
    }
}

/// One program of a test run.
pub struct Step {
    pub title: &'static str,
    pub command: Command,
    pub counting: Counting,
    pub then: Option<Then>,
}

/// Action left to do once a step has succeeded.
pub enum Then {
    /// Remember that `ui/dist` holds the UI built from the present sources.
    NoteUiBuilt,
    /// Remember that these Python packages of the tests are installed.
    NotePythonInstalled(&'static Environment),
}

/// The steps that `groups` ask for. Steps that several groups rest on come once.
///
/// All of Rust is built by one command for the whole workspace: building packages one by
/// one would choose other features for shared dependencies and build those twice.
pub fn plan(
    workspace: &Workspace,
    groups: &[Group],
    display: Option<&VirtualDisplay>,
) -> Result<Vec<Step>, TaskError> {
    use Group::{Browser, Rust, Ui, Window};
    let window = display.is_some();
    let wants = |any_of: &[Group]| {
        groups
            .iter()
            .any(|group| any_of.contains(group) && (*group != Window || window))
    };
    let root = workspace.root();
    let cargo = |arguments: &[&str]| {
        let mut command = cargo(root);
        command.args(arguments);
        command
    };
    let ui_script = |name: &str| {
        let mut command = npm(&workspace.ui());
        command.args(["run", name]);
        command
    };
    let mut plan = Plan::default();

    if wants(&[Rust]) {
        plan.add(
            "Rust formatting",
            cargo(&["fmt", "--all", "--check"]),
            Counting::OneCheck,
        );
        // The window's stories are no default target: without a display they cannot run.
        for (title, target) in [
            ("Rust lints", ["--all-targets"].as_slice()),
            ("Rust lints of the window tests", &["--test", "window"]),
        ] {
            let mut lint = cargo(&["clippy", "--workspace"]);
            lint.args(target).args(["--", "-D", "warnings"]);
            plan.add(title, lint, Counting::OneCheck);
        }
    }
    if wants(&[Ui, Browser, Window]) && !ui::is_installed(&workspace.ui()) {
        let mut install = npm(&workspace.ui());
        install.args(ui::INSTALL);
        plan.add("UI packages", install, Counting::Preparation);
    }
    if wants(&[Ui]) {
        plan.add("UI lints", ui_script("lint"), Counting::OneCheck);
        plan.add("UI types", ui_script("typecheck"), Counting::OneCheck);
        plan.add("UI unit tests", ui_script("test"), Counting::Vitest);
    }
    if wants(&[Ui]) || (wants(&[Browser, Window]) && !ui::is_built(workspace)?) {
        plan.add("UI build", ui_script("build"), Counting::Preparation);
        plan.after_last(Then::NoteUiBuilt);
    }
    if wants(&[Rust, Browser, Window]) && !ui::is_installed(&workspace.tests()) {
        let mut install = npm(&workspace.tests());
        install.args(ui::INSTALL);
        plan.add("MCP servers for the tests", install, Counting::Preparation);
    }
    if cfg!(unix) && wants(&[Rust]) && !ui::is_installed(&workspace.interop()) {
        let mut install = npm(&workspace.interop());
        install.args(ui::INSTALL);
        plan.add("MCP clients for the tests", install, Counting::Preparation);
    }
    // The stories that use them tap the servers' streams with a Unix shell.
    let missing = ENVIRONMENTS
        .iter()
        .filter(|python| cfg!(unix) && wants(&[Rust]) && !python.is_installed(workspace));
    for python in missing {
        let [create, install] = python.install(workspace);
        plan.add("Python for the tests", create, Counting::Preparation);
        plan.add(python.title, install, Counting::Preparation);
        plan.after_last(Then::NotePythonInstalled(python));
    }
    if wants(&[Rust, Window]) {
        plan.add(
            "Rust build",
            cargo(&["build", "--workspace", "--all-targets"]),
            Counting::Preparation,
        );
    }
    if wants(&[Rust]) {
        plan.add(
            "Rust tests",
            cargo(&["test", "--workspace", "--no-fail-fast"]),
            Counting::CargoTest,
        );
    }
    if wants(&[Browser]) {
        if !wants(&[Rust, Window]) {
            // Together with the server that it starts.
            let build = cargo(&["build", "--workspace", "--bins"]);
            plan.add("Browser host", build, Counting::Preparation);
        }
        let mut browser = ui_script("e2e");
        // No server is left behind to show a report of failures.
        browser.env("PLAYWRIGHT_HTML_OPEN", "never");
        plan.add("Browser tests", browser, Counting::Playwright);
    }
    if let Some(display) = display.filter(|_| wants(&[Window])) {
        plan.add(
            "Window tests",
            window_tests(
                &cargo(&["test", "--workspace", "--test", "window"]),
                display,
            ),
            Counting::CargoTest,
        );
    }
    Ok(plan.steps)
}

/// Puts `cargo_test` on the virtual display and on a session bus of its own, so that no
/// keychain or running app of the user's is touched.
fn window_tests(cargo_test: &Command, display: &VirtualDisplay) -> Command {
    let mut command = Command::new("dbus-run-session");
    command
        .arg("--")
        .arg(cargo_test.get_program())
        .args(cargo_test.get_args());
    if let Some(folder) = cargo_test.get_current_dir() {
        command.current_dir(folder);
    }
    for (name, value) in cargo_test.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    display.show(&mut command);
    command
}

#[derive(Default)]
struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    fn add(&mut self, title: &'static str, mut command: Command, counting: Counting) {
        if let Some(browser) = find_browser() {
            command.env(BROWSER_VARIABLE, browser);
        }
        // The programs write into a pipe, so they are told that a user is watching.
        if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            command
                .env("CARGO_TERM_COLOR", "always")
                .env("FORCE_COLOR", "1");
        }
        self.steps.push(Step {
            title,
            command,
            counting,
            then: None,
        });
    }

    fn after_last(&mut self, then: Then) {
        if let Some(step) = self.steps.last_mut() {
            step.then = Some(then);
        }
    }
}
