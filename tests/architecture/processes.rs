//! Child processes are started from one place.

use std::path::PathBuf;

use crate::source::modules;

/// The module that makes the commands of child processes, without what they must not inherit.
const HOME: [&str; 4] = ["connection", "transport", "stdio", "spawner"];

/// The demo server, which is a program of its own, and the build tool.
const OTHERS: [&str; 2] = ["demo-server", "xtask"];

#[test]
fn commands_of_child_processes_are_made_in_one_module() {
    let crates = crate::crates_and_shell().into_iter();
    let mut makers = Vec::new();
    for (name, path) in crates.filter(|(name, _)| !OTHERS.contains(&name.as_str())) {
        for (module, text) in modules(&path.join("src")) {
            if makes_a_command(&text) {
                let names = std::iter::once(name.clone()).chain(module);
                makers.push(names.collect::<PathBuf>());
            }
        }
    }
    assert_eq!(makers, [HOME.iter().collect::<PathBuf>()]);
}

/// Tells whether a text without comments and literals makes a command, or has a library make one.
fn makes_a_command(text: &str) -> bool {
    let names_one = text.contains("process::Command") || text.contains("process::{");
    let others = [
        "CommandWrap::with_new(",
        "open::that",
        ".open_url(",
        ".shell().command(",
    ];
    (names_one && text.contains("Command::new(")) || others.iter().any(|other| text.contains(other))
}

#[test]
fn a_text_that_makes_a_command_is_found() {
    assert!(makes_a_command(
        "use std::process::{Command, Stdio}; Command::new(\"\")"
    ));
    assert!(makes_a_command("std::process::Command::new(\"\")"));
    assert!(makes_a_command("app.opener().open_url(address, None)"));
    assert!(!makes_a_command("clap::Command::new(\"\")"));
    assert!(!makes_a_command(
        "use tokio::process::Command; Command::from(child_command(\"\"))"
    ));
}
