//! `shell`: a prompt for commands, on one server or on all.

use std::ffi::OsString;

use clap::Args;

use crate::{
    addressed::Addressed,
    error::{CliError, Exit},
    session_name::SessionName,
    shell::{self, ShellServer},
};

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli shell [TARGET | @NAME] [OPTIONS]\n       \
                      sightglass-cli shell [OPTIONS] -- PROGRAM [ARGS]…",
    after_help = "With a target it connects, and `tools list` or `tools call TOOL …` are for that server; \
                  with @NAME for a session. JSON needs no quotes, and goes on over several lines."
)]
pub(crate) struct ShellCommand {
    #[command(flatten)]
    addressed: Addressed,
}

impl ShellCommand {
    /// Runs it. `words` are those of the command line, with the program first.
    pub(crate) async fn run(self, words: Vec<OsString>) -> Result<Exit, CliError> {
        let server = match self.addressed.first() {
            None => ShellServer::Any,
            Some(word) => match SessionName::read(word) {
                Some(name) => ShellServer::Session(name),
                None => ShellServer::Own(as_connect(words)),
            },
        };
        shell::run(server).await
    }
}

/// The same command line with `connect` for `shell`.
fn as_connect(words: Vec<OsString>) -> Vec<OsString> {
    let mut is_replaced = false;
    let replaced = words.into_iter().map(|word| match word.to_str() {
        Some("shell") if !is_replaced => {
            is_replaced = true;
            OsString::from("connect")
        }
        _ => word,
    });
    replaced.collect()
}
