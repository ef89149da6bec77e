//! `cargo xtask setup`: installs what a build needs on the machine.
//!
//! On Debian and Ubuntu missing packages are installed; on every other system the exact
//! command is printed, since systems differ too much.

mod browser;
mod node;

#[cfg(target_os = "linux")]
mod apt;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;

#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "macos")]
use macos as system;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

pub use browser::{VARIABLE as BROWSER_VARIABLE, find as find_browser};

use crate::error::TaskError;

const USAGE: &str = "usage: cargo xtask setup [run|test]";

/// Purpose that the machine is prepared for. Each includes building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Build,
    Run,
    Test,
    Bench,
}

impl Purpose {
    /// Reads the purpose off `cargo xtask setup`'s arguments; running is the default.
    pub fn from_arguments(arguments: &[String]) -> Result<Self, TaskError> {
        match arguments {
            [] => Ok(Self::Run),
            [name] if name == "run" => Ok(Self::Run),
            [name] if name == "test" => Ok(Self::Test),
            _ => Err(TaskError::Usage {
                problem: format!("setup knows no \"{}\"", arguments.join(" ")),
                usage: USAGE,
            }),
        }
    }
}

/// Makes the machine ready for `purpose`, or says the one thing to install.
pub fn prepare(purpose: Purpose) -> Result<(), TaskError> {
    node::check()?;
    system::prepare(purpose)
}
