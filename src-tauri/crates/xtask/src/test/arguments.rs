//! The command line of `cargo xtask test`.

use crate::error::TaskError;

pub const USAGE: &str = "usage: cargo xtask test [quick|rust|ui|browser|window]… [--repeat N NAME]";

/// Checks that can be asked for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Formatting, lints and unit tests: what answers within minutes.
    Quick,
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
    /// Groups that make up a whole run. Each check of the quick one is in another, too.
    pub const ALL: [Self; 4] = [Self::Rust, Self::Ui, Self::Browser, Self::Window];

    /// The group a user calls `name`.
    fn named(name: &str) -> Option<Self> {
        match name {
            "quick" => Some(Self::Quick),
            "rust" => Some(Self::Rust),
            "ui" => Some(Self::Ui),
            "browser" => Some(Self::Browser),
            "window" => Some(Self::Window),
            _ => None,
        }
    }
}

/// Tests to run again and again, to find one that does not always pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    pub times: u32,
    /// Part of the names of the tests.
    pub name: String,
}

/// Options from the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct TestOptions {
    pub groups: Vec<Group>,
    pub repeat: Option<Repeat>,
}

impl TestOptions {
    pub fn from_arguments(arguments: &[String]) -> Result<Self, TaskError> {
        let usage = |problem: String| TaskError::Usage {
            problem,
            usage: USAGE,
        };
        let mut groups = Vec::new();
        let mut repeat = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "--repeat" {
                let times = rest.next().and_then(|text| text.parse().ok());
                let (Some(times @ 1..), Some(name)) = (times, rest.next()) else {
                    return Err(usage(
                        "--repeat takes how often, and a part of the tests' names".into(),
                    ));
                };
                repeat = Some(Repeat {
                    times,
                    name: name.clone(),
                });
                continue;
            }
            let group = Group::named(argument)
                .ok_or_else(|| usage(format!("there is no group of tests \"{argument}\"")))?;
            groups.push(group);
        }
        if groups.is_empty() {
            groups = Group::ALL.to_vec();
        }
        Ok(Self { groups, repeat })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Result<TestOptions, TaskError> {
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).into()).collect();
        TestOptions::from_arguments(&arguments)
    }

    #[test]
    fn without_a_selection_everything_runs() {
        let found = options(&[]).expect("understood");
        assert_eq!(found.groups, Group::ALL);
        assert_eq!(found.repeat, None);
    }

    #[test]
    fn a_misspelt_group_is_refused_rather_than_skipped() {
        assert!(options(&["windows"]).is_err());
        let found = options(&["ui", "rust"]).expect("understood");
        assert_eq!(found.groups, [Group::Ui, Group::Rust]);
    }

    #[test]
    fn a_test_is_repeated_by_a_part_of_its_name() {
        let found = options(&["browser", "--repeat", "10", "a click selects"]);
        let repeat = Repeat {
            times: 10,
            name: "a click selects".into(),
        };
        let expected = TestOptions {
            groups: vec![Group::Browser],
            repeat: Some(repeat),
        };
        assert_eq!(found.expect("understood"), expected);
        for wrong in [
            &["--repeat"][..],
            &["--repeat", "10"],
            &["--repeat", "0", "x"],
            &["--repeat", "x", "10"],
        ] {
            assert!(options(wrong).is_err(), "{wrong:?}");
        }
    }
}
