//! Installs system packages on Linux.

use std::process::Command;

use super::{Purpose, apt, browser};
use crate::display;
use crate::error::TaskError;
use crate::process::find_on_path;
use crate::python;

/// One thing the system has to offer.
struct SystemNeed {
    /// Name of the program, as shown to the user.
    what: &'static str,
    /// Sign of its presence, on systems whose packages are not asked about.
    sign: Sign,
    /// The packages that bring it, by family; Fedora's may be named by a path inside.
    debian: &'static str,
    fedora: &'static str,
    arch: &'static str,
}

/// Sign that can be looked for without knowing the system's package manager.
enum Sign {
    Program(&'static str),
    Library(&'static str),
}

const COMPILER: SystemNeed = SystemNeed {
    what: "a C compiler",
    sign: Sign::Program("cc"),
    debian: "build-essential",
    fedora: "gcc-c++",
    arch: "base-devel",
};
const PKG_CONFIG: SystemNeed = SystemNeed {
    what: "pkg-config, which finds libraries",
    sign: Sign::Program("pkg-config"),
    debian: "pkg-config",
    fedora: "pkgconf-pkg-config",
    arch: "pkgconf",
};
const WEBKIT: SystemNeed = SystemNeed {
    what: "WebKitGTK 4.1, which draws the window",
    sign: Sign::Library("webkit2gtk-4.1"),
    debian: "libwebkit2gtk-4.1-dev",
    fedora: "webkit2gtk4.1-devel",
    arch: "webkit2gtk-4.1",
};
const XVFB: SystemNeed = SystemNeed {
    what: "Xvfb, a display in memory",
    sign: Sign::Program("Xvfb"),
    debian: "xvfb",
    fedora: "/usr/bin/Xvfb",
    arch: "xorg-server-xvfb",
};
const DBUS: SystemNeed = SystemNeed {
    what: "D-Bus, for a session bus of the tests' own",
    sign: Sign::Program("dbus-run-session"),
    debian: "dbus",
    fedora: "/usr/bin/dbus-run-session",
    arch: "dbus",
};
const KEYRING: SystemNeed = SystemNeed {
    what: "GNOME Keyring, the keychain the tests store secrets in",
    sign: Sign::Program("gnome-keyring-daemon"),
    debian: "gnome-keyring",
    fedora: "gnome-keyring",
    arch: "gnome-keyring",
};
const ACCESSIBILITY: SystemNeed = SystemNeed {
    what: "AT-SPI, the bus on which the tests read what a screen reader is told",
    sign: Sign::Library("atspi-2"),
    debian: "at-spi2-core",
    fedora: "at-spi2-core",
    arch: "at-spi2-core",
};
const WEBDRIVER: SystemNeed = SystemNeed {
    what: "WebKitWebDriver, which operates the window in tests",
    sign: Sign::Program("WebKitWebDriver"),
    debian: "webkit2gtk-driver",
    fedora: "/usr/bin/WebKitWebDriver",
    arch: "webkitgtk-6.0",
};
const PYTHON: SystemNeed = SystemNeed {
    what: "Python, which some of the tests' MCP servers are written in",
    sign: Sign::Program("python3"),
    debian: "python3-venv",
    fedora: "python3",
    arch: "python",
};
const BROWSER: SystemNeed = SystemNeed {
    what: "Chromium, the browser the UI's tests run in",
    sign: Sign::Program("chromium"),
    debian: "chromium",
    fedora: "chromium",
    arch: "chromium",
};
/// Debian alone has it, Ubuntu does not.
const HEADLESS_BROWSER: SystemNeed = SystemNeed {
    what: "Chromium without a window, the browser the UI's tests run in",
    sign: Sign::Program("chromium-headless-shell"),
    debian: "chromium-headless-shell",
    ..BROWSER
};

/// Checks, and on Debian and Ubuntu installs, the packages that `purpose` needs.
pub fn prepare(purpose: Purpose) -> Result<(), TaskError> {
    let about = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let needs = needs(purpose, &about);
    let family = Family::of(&about);
    if family == Family::Debian {
        let packages: Vec<&str> = needs.iter().map(|need| need.debian).collect();
        let missing = apt::missing(&packages);
        let reasons = needs
            .iter()
            .filter(|need| missing.contains(&need.debian))
            .map(|need| (need.debian, need.what))
            .collect::<Vec<_>>();
        return apt::install(&reasons);
    }
    let absent: Vec<&SystemNeed> = needs.into_iter().filter(|need| !need.is_met()).collect();
    if absent.is_empty() {
        return Ok(());
    }
    Err(TaskError::Missing {
        what: absent
            .iter()
            .map(|need| need.what)
            .collect::<Vec<_>>()
            .join("; "),
        fix: family.advice(&absent),
    })
}

/// The needs of `purpose` on the system that `about`, the text of `/etc/os-release`, describes.
fn needs(purpose: Purpose, about: &str) -> Vec<&'static SystemNeed> {
    let mut needs = vec![&COMPILER, &PKG_CONFIG, &WEBKIT];
    match purpose {
        Purpose::Build => {}
        Purpose::Run => {
            if display::is_absent() {
                needs.push(&XVFB);
            }
        }
        Purpose::Bench => needs.extend([&XVFB, &WEBDRIVER]),
        Purpose::Test => {
            needs.extend([&XVFB, &DBUS, &KEYRING, &ACCESSIBILITY, &WEBDRIVER]);
            if browser::find().is_none() {
                let is_debian = about.lines().any(|line| line == "ID=debian");
                needs.push(if is_debian {
                    &HEADLESS_BROWSER
                } else {
                    &BROWSER
                });
            }
            if !python::has_environments() {
                needs.push(&PYTHON);
            }
        }
    }
    needs
}

impl SystemNeed {
    fn is_met(&self) -> bool {
        match self.sign {
            Sign::Program(name) => find_on_path(&[name]).is_some(),
            Sign::Library(name) => Command::new("pkg-config")
                .args(["--exists", name])
                .status()
                .is_ok_and(|status| status.success()),
        }
    }
}

/// Systems that share a package manager and package names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Debian,
    Fedora,
    Arch,
    Other,
}

impl Family {
    /// Reads the family off the text of `/etc/os-release` (os-release(5)).
    fn of(about: &str) -> Self {
        let names = about
            .lines()
            .filter_map(|line| line.strip_prefix("ID=").or(line.strip_prefix("ID_LIKE=")))
            .flat_map(|value| value.trim_matches(['"', '\'']).split(' '));
        for name in names {
            match name {
                "debian" | "ubuntu" => return Self::Debian,
                "fedora" | "rhel" => return Self::Fedora,
                "arch" => return Self::Arch,
                _ => {}
            }
        }
        Self::Other
    }

    /// The command that installs `needs`.
    fn advice(self, needs: &[&SystemNeed]) -> String {
        let list = |name: fn(&SystemNeed) -> &'static str| {
            needs
                .iter()
                .map(|need| name(need))
                .collect::<Vec<_>>()
                .join(" ")
        };
        match self {
            Self::Debian => format!("sudo apt-get install {}", list(|need| need.debian)),
            Self::Fedora => format!("sudo dnf install {}", list(|need| need.fedora)),
            Self::Arch => format!("sudo pacman -S --needed {}", list(|need| need.arch)),
            Self::Other => format!(
                "install what your system calls these Debian packages: {}",
                list(|need| need.debian)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_known_by_its_own_name_or_by_what_it_is_like() {
        assert_eq!(Family::of("NAME=x\nID=debian\n"), Family::Debian);
        assert_eq!(
            Family::of("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"),
            Family::Debian
        );
        assert_eq!(
            Family::of("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"),
            Family::Fedora
        );
        assert_eq!(Family::of("ID=arch\n"), Family::Arch);
        assert_eq!(Family::of("ID=nixos\n"), Family::Other);
        assert_eq!(Family::of(""), Family::Other);
    }

    #[test]
    fn the_advice_is_a_command_to_paste() {
        assert_eq!(
            Family::Fedora.advice(&[&WEBKIT, &XVFB]),
            "sudo dnf install webkit2gtk4.1-devel /usr/bin/Xvfb"
        );
    }

    #[test]
    fn every_purpose_includes_building() {
        for purpose in [Purpose::Build, Purpose::Run, Purpose::Test, Purpose::Bench] {
            let packages: Vec<_> = needs(purpose, "").iter().map(|need| need.debian).collect();
            assert!(
                packages.contains(&"libwebkit2gtk-4.1-dev"),
                "{purpose:?}: {packages:?}"
            );
        }
    }
}
