//! `shell`: a prompt for commands, on one server or on all.

use clap::Args;

use crate::addressed::Addressed;

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli shell [TARGET | @NAME] [OPTIONS]\n       \
                      sightglass-cli shell [OPTIONS] -- PROGRAM [ARGS]…",
    after_help = "With a target it connects, and what is typed is for that server: tools list, tools call \
                  TOOL …. With @NAME it is for a session. JSON needs no quotes, and goes on over \
                  several lines."
)]
pub(crate) struct ShellCommand {
    #[command(flatten)]
    addressed: Addressed,
}

impl ShellCommand {
    /// Returns the server or the session that is named; nothing for a shell without one.
    pub(crate) fn server(&self) -> Option<&str> {
        self.addressed.first()
    }
}
