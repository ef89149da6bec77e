//! Checks for Node and npm, which build the UI.

use std::process::Command;

use crate::error::TaskError;
use crate::process::{ask, npm};

/// The oldest Node that the UI's build tools run on.
const MIN_VERSION: (u32, u32) = (20, 19);

/// Makes sure that a recent enough Node and npm are on PATH.
pub fn check() -> Result<(), TaskError> {
    let missing = |what: String| TaskError::Missing {
        what,
        fix: "install the current LTS of Node from https://nodejs.org/en/download \
              (npm comes with it) and open a new terminal"
            .into(),
    };
    let wanted = format!("Node {}.{} or newer", MIN_VERSION.0, MIN_VERSION.1);
    let answer = ask(Command::new("node").arg("--version"))
        .ok_or_else(|| missing(format!("{wanted} (there is no `node` on PATH)")))?;
    match version(&answer) {
        Some(found) if found >= MIN_VERSION => {}
        _ => return Err(missing(format!("{wanted} (found {})", answer.trim()))),
    }
    let here = std::path::Path::new(".");
    match ask(npm(here).arg("--version")).as_deref().and_then(version) {
        Some(_) => Ok(()),
        None => Err(missing("npm".into())),
    }
}

/// Major and minor number of `v20.19.5` or `10.8.2`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().trim_start_matches('v').split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version("v20.9.0\n"), Some((20, 9)));
        assert!(version("v20.9.0") < Some(MIN_VERSION));
        assert!(version("v22.1.0") >= Some(MIN_VERSION));
    }

    #[test]
    fn what_is_no_version_is_not_taken_for_one() {
        assert_eq!(version(""), None);
        assert_eq!(version("command not found"), None);
    }
}
