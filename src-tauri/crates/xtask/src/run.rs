//! `cargo xtask run`: builds the app and opens it.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::display::{self, VirtualDisplay};
use crate::error::TaskError;
use crate::process::{announce, cargo, run as run_to_end, watch};
use crate::setup::{self, Purpose};
use crate::ui;
use crate::workspace::Workspace;

const USAGE: &str = "usage: cargo xtask run [--release] [-- PROJECT_DIR]";

/// Time limit for the app to draw its window for the picture, on a slow machine.
const PICTURE_TIMEOUT: Duration = Duration::from_secs(120);

/// A picture of one colour is smaller than this, one of the window ten times as large.
const MIN_PICTURE_BYTES: u64 = 20_000;

/// Builds the app and opens it; without a display, takes a picture of its window.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskError> {
    let options = RunOptions::from_arguments(arguments)?;
    setup::prepare(Purpose::Run)?;
    ui::prepare(workspace)?;

    announce("Building the app");
    let mut build = cargo(workspace.root());
    // The command line too: the app finds its demo server and its reaper there. Of the workspace,
    // and not of two packages, so that the tests use the same features of every dependency, and
    // none is built twice.
    build.args(["build", "--workspace"]);
    build.args(["--bin", "sightglass", "--bin", "sightglass-cli"]);
    if options.profile == "release" {
        build.arg("--release");
    }
    run_to_end(&mut build, "building the app", "correct the error above")?;

    let mut app = Command::new(workspace.program(options.profile, "sightglass"));
    if let Some(project) = &options.project {
        app.arg(project);
    }
    if display::is_absent() {
        return take_picture(workspace, &mut app);
    }
    announce("Opening Sightglass (close its window, or press Ctrl+C here, to end it)");
    run_to_end(
        &mut app,
        "Sightglass",
        "read its last messages above; with SIGHTGLASS_LOG=debug it says more",
    )
}

/// Opens the app on its demo server on a virtual display and saves what its window shows.
fn take_picture(workspace: &Workspace, app: &mut Command) -> Result<(), TaskError> {
    let picture = workspace.target().join("sightglass.png");
    announce("There is no display: opening the app on a virtual one to take its picture");
    let data = DataFolder::create(workspace.target())?;
    remove_if_there(&picture)?;

    let display = VirtualDisplay::start()?;
    display.show(app);
    app.env("SIGHTGLASS_SNAPSHOT", &picture)
        .env("SIGHTGLASS_DATA_DIR", &data.path);
    let ending = watch(app, Some(PICTURE_TIMEOUT))?;
    let fix = "read the app's messages above; with SIGHTGLASS_LOG=debug it says more";
    match ending.status {
        Some(status) if status.success() => {}
        Some(status) => {
            return Err(TaskError::Failed {
                what: "taking the picture".into(),
                status,
                fix: fix.into(),
            });
        }
        None => {
            return Err(TaskError::TimedOut {
                what: "taking the picture".into(),
                limit: PICTURE_TIMEOUT,
                fix: fix.into(),
            });
        }
    }
    let no_result = |what| TaskError::NoResult {
        what,
        fix: fix.into(),
    };
    let (width, height) = png_size(&picture)
        .ok_or_else(|| no_result(format!("the app left no picture in {}", picture.display())))?;
    let bytes = fs::metadata(&picture).map_or(0, |found| found.len());
    if bytes < MIN_PICTURE_BYTES {
        return Err(no_result(format!("{} is empty", picture.display())));
    }
    println!(
        "\nA picture of the window ({width} × {height}): {}",
        picture.display()
    );
    if let Some(shown) = ending.output.lines().last() {
        println!("It shows: {shown}");
    }
    println!("On a machine with a display, this command opens the window instead.");
    Ok(())
}

/// Options from the command line.
#[derive(Debug, PartialEq)]
struct RunOptions {
    /// Cargo's name of the folder the program is built into.
    profile: &'static str,
    /// The project to open; the current folder when absent.
    project: Option<PathBuf>,
}

impl RunOptions {
    fn from_arguments(arguments: &[String]) -> Result<Self, TaskError> {
        let mut options = Self {
            profile: "debug",
            project: None,
        };
        let mut takes_options = true;
        for argument in arguments {
            match argument.as_str() {
                "--" if takes_options => takes_options = false,
                "--release" if takes_options => options.profile = "release",
                other if takes_options && other.starts_with('-') => {
                    return Err(TaskError::Usage {
                        problem: format!("run has no option \"{other}\""),
                        usage: USAGE,
                    });
                }
                folder if options.project.is_none() => options.project = Some(folder.into()),
                _ => {
                    return Err(TaskError::Usage {
                        problem: "run opens one project at a time".into(),
                        usage: USAGE,
                    });
                }
            }
        }
        Ok(options)
    }
}

/// A data folder for one picture, so that it never shows or changes a user's own data.
struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    fn create(target: &Path) -> Result<Self, TaskError> {
        let path = target
            .join("xtask")
            .join(format!("picture-{}", std::process::id()));
        match fs::create_dir_all(&path) {
            Ok(()) => Ok(Self { path }),
            Err(source) => Err(TaskError::File { path, source }),
        }
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        // Left-overs lie in `target/` and do no harm.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn remove_if_there(path: &Path) -> Result<(), TaskError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(TaskError::File {
            path: path.into(),
            source,
        }),
        _ => Ok(()),
    }
}

/// Width and height of a PNG file, in pixels, from its header (PNG specification, 11.2.2).
fn png_size(path: &Path) -> Option<(u32, u32)> {
    let mut header = [0; 24];
    fs::File::open(path).ok()?.read_exact(&mut header).ok()?;
    let number = |at: usize| {
        let bytes = header.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_be_bytes(bytes))
    };
    header
        .starts_with(b"\x89PNG\r\n\x1a\n")
        .then_some((number(16)?, number(20)?))
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    fn options(arguments: &[&str]) -> Result<RunOptions, TaskError> {
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).into()).collect();
        RunOptions::from_arguments(&arguments)
    }

    #[test]
    fn a_project_is_named_with_or_without_the_separator() {
        let expected = RunOptions {
            profile: "debug",
            project: Some("shop".into()),
        };
        assert_eq!(options(&["--", "shop"]).expect("understood"), expected);
        assert_eq!(options(&["shop"]).expect("understood"), expected);
    }

    #[test]
    fn the_release_build_is_an_option_and_a_folder_may_look_like_one() {
        let found = options(&["--release", "--", "--release"]).expect("understood");
        assert_eq!(found.profile, "release");
        assert_eq!(found.project, Some("--release".into()));
    }

    #[test]
    fn unknown_options_and_second_projects_are_refused() {
        assert!(options(&["--relase"]).is_err());
        assert!(options(&["one", "two"]).is_err());
    }

    #[test]
    fn the_size_of_a_picture_is_read_from_its_header() {
        let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests");
        let icon = Path::new(&root).join("../../../icons/128x128.png");
        assert_eq!(png_size(&icon), Some((128, 128)));
        assert_eq!(png_size(&Path::new(&root).join("Cargo.toml")), None);
    }
}
