//! `sightglass-cli serve`, spoken to by agents.

mod lent;
mod own;

use std::process::Command;

use serde_json::{Value, json};
use sightglass_tests::programs;

use crate::command_line::Machine;

/// The entry of the demo server in a file.
pub(crate) fn demo(arguments: &[&str]) -> Value {
    json!({ "command": programs::own("sightglass-demo-server"), "args": arguments })
}

/// The command that serves on a machine.
pub(crate) fn serve(machine: &Machine, words: &[&str]) -> Command {
    machine.command(&[&["serve"], words].concat())
}
