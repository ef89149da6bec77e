//! Installs packages on Debian, Ubuntu and their derivatives.

use std::process::Command;

use crate::error::TaskError;
use crate::process::{announce, ask, find_on_path, run};

/// Those of `packages` that are not installed.
pub fn missing<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let listing = ask(Command::new("dpkg-query")
        .args(["--show", "--showformat=${Package} ${db:Status-Status}\\n"])
        .args(packages)
        .env("LC_ALL", "C"))
    .unwrap_or_default();
    not_installed(packages, &listing)
}

/// Installs packages, each given with the reason it is needed, after saying so.
pub fn install(reasons: &[(&str, &str)]) -> Result<(), TaskError> {
    if reasons.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = reasons.iter().map(|(package, _)| *package).collect();
    announce("Installing the system packages that are missing");
    for (package, reason) in reasons {
        println!("    {package:<24} {reason}");
    }
    let by_hand = format!(
        "apt-get install --no-install-recommends {}",
        packages.join(" ")
    );
    let administrator = Administrator::find(&by_hand)?;
    let fix = format!("run `{by_hand}` as administrator and read what it says");

    let policy = ask(Command::new("apt-cache")
        .arg("policy")
        .args(&packages)
        .env("LC_ALL", "C"))
    .unwrap_or_default();
    let mut updated = false;
    if installable(&policy) < packages.len() {
        update(administrator, &fix)?;
        updated = true;
    }
    let attempt = || {
        run(
            administrator
                .apt_get()
                .args(["install", "--yes", "--no-install-recommends"])
                .args(&packages),
            "installing the packages",
            &fix,
        )
    };
    match attempt() {
        // Package lists that are merely old name files that are no longer there.
        Err(TaskError::Failed { .. }) if !updated => {
            update(administrator, &fix)?;
            attempt()
        }
        outcome => outcome,
    }
}

fn update(administrator: Administrator, fix: &str) -> Result<(), TaskError> {
    announce("Refreshing the lists of packages");
    run(
        administrator.apt_get().arg("update"),
        "refreshing the lists of packages",
        fix,
    )
}

/// The way to administrator rights.
#[derive(Clone, Copy)]
enum Administrator {
    Already,
    Sudo,
}

impl Administrator {
    fn find(by_hand: &str) -> Result<Self, TaskError> {
        let user = ask(Command::new("id").arg("-u")).unwrap_or_default();
        if user.trim() == "0" {
            return Ok(Self::Already);
        }
        if find_on_path(&["sudo"]).is_some() {
            println!("    (with sudo, which may ask for your password)");
            return Ok(Self::Sudo);
        }
        Err(TaskError::Missing {
            what: "the right to install packages (there is no sudo)".into(),
            fix: format!("as administrator, run: {by_hand}"),
        })
    }

    fn apt_get(self) -> Command {
        // `env` behind sudo, because sudo clears the environment.
        let mut command = match self {
            Self::Already => Command::new("env"),
            Self::Sudo => {
                let mut sudo = Command::new("sudo");
                sudo.arg("env");
                sudo
            }
        };
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    }
}

/// Those of `packages` that dpkg-query's `listing` ("name status" lines) does not call
/// installed. Removed packages stay listed, as `config-files`.
fn not_installed<'a>(packages: &[&'a str], listing: &str) -> Vec<&'a str> {
    packages
        .iter()
        .copied()
        .filter(|package| {
            !listing
                .lines()
                .any(|line| line.split_once(' ') == Some((package, "installed")))
        })
        .collect()
}

/// Counts the packages that apt-cache's `policy` says can be installed from the lists at hand.
fn installable(policy: &str) -> usize {
    policy
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Candidate: "))
        .filter(|candidate| *candidate != "(none)")
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_missing_when_unknown_removed_or_half_installed() {
        let listing = "pkg-config installed\nxvfb config-files\ndbus half-configured\n";
        assert_eq!(
            not_installed(&["pkg-config", "xvfb", "dbus", "chromium"], listing),
            ["xvfb", "dbus", "chromium"]
        );
    }

    #[test]
    fn a_package_is_not_taken_for_another_whose_name_it_begins() {
        assert_eq!(not_installed(&["dbus"], "dbus-x11 installed\n"), ["dbus"]);
    }

    #[test]
    fn a_package_of_two_architectures_is_installed_when_one_is() {
        let listing = "xvfb config-files\nxvfb installed\n";
        assert!(not_installed(&["xvfb"], listing).is_empty());
    }

    #[test]
    fn packages_without_a_candidate_call_for_fresh_lists() {
        let policy = "xvfb:\n  Installed: (none)\n  Candidate: 2:21.1.7\n  Version table:\n\
                      dbus:\n  Installed: (none)\n  Candidate: (none)\n";
        assert_eq!(installable(policy), 1);
        assert_eq!(installable(""), 0);
    }
}
