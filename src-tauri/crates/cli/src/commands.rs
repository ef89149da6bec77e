//! The commands, a file each.
//!
//! A new one is a file with its arguments (`clap::Args`) and `run`, a variant here, and an arm
//! in [`CliCommand::run`].

mod completions;
mod config;
mod conformance;
mod contents;
mod doctor;
mod export;
mod grep;
mod guide;
mod info;
mod listing;
mod load;
#[cfg(test)]
mod managed_policy;
mod model;
mod operations;
mod ping;
mod prompts;
mod replay;
mod resources;
mod restart;
mod rules;
mod serve;
mod servers;
mod session;
pub(crate) mod sessions;
pub(crate) mod shell;
mod sign_in;
mod skills;
mod surface;
mod tasks;
mod test;
mod tools;
mod watch;

use clap::{Args as _, Subcommand};
use sightglass_inspector::ListKind;

use crate::{
    error::CliError,
    host::{Host, HostNeeds},
    options::CommonOptions,
    outcome::Outcome,
};

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// List the configured servers
    Servers(servers::ListServers),
    /// Show, explain, check and change the configuration files of every client
    #[command(subcommand)]
    Config(config::Config),
    /// List, show or call tools
    #[command(subcommand)]
    Tools(tools::Tools),
    /// Ask about tasks that earlier calls became
    #[command(subcommand)]
    Tasks(tasks::Tasks),
    /// List, read or watch resources
    #[command(subcommand)]
    Resources(resources::Resources),
    /// List or get prompts
    #[command(subcommand)]
    Prompts(prompts::Prompts),
    /// Find tools, resources and prompts of all servers by a text
    Grep(grep::Grep),
    /// Tell what a server announces and what changes in it, a line each
    Watch(watch::Watch),
    /// List skills, or hold their files against what the server says of them
    #[command(subcommand)]
    Skills(skills::Skills),
    /// List, check or try the rules that answer questions of servers
    #[command(subcommand)]
    Rules(rules::Rules),
    /// Ask the server for a sign of life
    Ping(ping::Ping),
    /// Show what the handshake told about a server
    Info(info::Info),
    /// Connect to a server, end it and connect again, and tell what is different then
    Restart(restart::Restart),
    /// Connect to a server, and keep the connection for later commands, under a name
    Connect(sessions::Connect),
    /// List the sessions, and how each is
    Sessions(sessions::ListSessions),
    /// End sessions, with their servers
    Close(sessions::CloseSessions),
    /// Give commands one after the other, with completion and a history
    Shell(shell::ShellCommand),
    /// Check the way to a server step by step, or to all that are configured
    Doctor(doctor::Doctor),
    /// Sign in to a server
    Login(sign_in::Login),
    /// Forget the sign-in to a server
    Logout(sign_in::Logout),
    /// Store what a server shows of itself, to compare later ones with
    Pin(surface::Pin),
    /// Tell what changed in a server since it was pinned, and fail when it breaks callers
    Drift(surface::Drift),
    /// Compare what two servers, or session files, show of themselves
    Diff(surface::Diff),
    /// Find what other clients do not understand, and what misleads a model
    Lint(surface::Lint),
    /// Show what a client's model sees of a server, and what it may call
    #[command(subcommand)]
    Model(model::Model),
    /// Check a session file, and fail when something is wrong
    Check(session::CheckSession),
    /// Send the requests of a session file to a server again, and compare the answers
    Replay(replay::Replay),
    /// Serve a session file as an MCP server that answers as the recorded one did
    Mock(session::ServeMock),
    /// Serve Sightglass, or servers that it reaches, to agents as an MCP server
    Serve(serve::Serve),
    /// Run the project's tests
    Test(test::RunTests),
    /// Check a server of your own against the specification, in both generations of the protocol
    Conformance(conformance::Conformance),
    /// Call a tool of a server of your own at a steady rate, and measure the answers
    Load(load::Load),
    /// List the calls that the window recorded, or show all that belongs to one
    Operations(operations::ListOperations),
    /// Write what the window recorded to a file, with secrets masked
    Export(export::Export),
    /// Read a chapter of the guide, or list them
    Guide(guide::ReadGuide),
    /// Print the script by which a shell completes commands and options
    Completions(completions::Completions),
}

impl CliCommand {
    /// Returns its needs, for the host.
    pub(crate) fn needs(&self) -> HostNeeds {
        let demo = matches!(
            self,
            Self::Test(_) | Self::Conformance(_) | Self::Load(_) | Self::Serve(_)
        );
        HostNeeds {
            lists: self.lists(),
            demo,
            browser: !self.serves(),
        }
    }

    /// The lists that it needs loaded.
    fn lists(&self) -> &'static [ListKind] {
        match self {
            Self::Servers(_)
            | Self::Check(_)
            | Self::Mock(_)
            | Self::Config(_)
            | Self::Operations(_)
            | Self::Export(_)
            | Self::Guide(_)
            | Self::Completions(_)
            | Self::Ping(_)
            | Self::Tasks(_)
            | Self::Skills(_)
            | Self::Rules(_)
            | Self::Login(_)
            | Self::Logout(_)
            | Self::Conformance(_)
            | Self::Connect(_)
            | Self::Sessions(_)
            | Self::Close(_)
            | Self::Shell(_)
            | Self::Load(_) => &[],
            Self::Tools(_) | Self::Replay(_) | Self::Test(_) => &[ListKind::Tools],
            Self::Resources(resources) => resources.lists(),
            Self::Prompts(prompts) => prompts.lists(),
            Self::Model(model) => model.lists(),
            Self::Info(_)
            | Self::Grep(_)
            | Self::Watch(_)
            | Self::Restart(_)
            | Self::Doctor(_)
            | Self::Pin(_)
            | Self::Drift(_)
            | Self::Diff(_)
            | Self::Lint(_)
            | Self::Serve(_) => &ListKind::ALL,
        }
    }

    /// Returns true for a command that is about sessions, and runs where they are.
    pub(crate) fn is_about_sessions(&self) -> bool {
        matches!(self, Self::Connect(_) | Self::Sessions(_) | Self::Close(_))
    }

    /// Returns true for the one that serves agents, for as long as it runs.
    pub(crate) fn serves(&self) -> bool {
        matches!(self, Self::Serve(_))
    }

    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::Servers(servers) => servers.run(host),
            Self::Config(config) => config.run(host),
            Self::Tools(tools) => tools.run(host).await,
            Self::Tasks(tasks) => tasks.run(host).await,
            Self::Resources(resources) => resources.run(host).await,
            Self::Prompts(prompts) => prompts.run(host).await,
            Self::Grep(grep) => grep.run(host).await,
            Self::Watch(watch) => watch.run(host).await,
            Self::Skills(skills) => skills.run(host).await,
            Self::Rules(rules) => rules.run(host).await,
            Self::Ping(ping) => ping.run(host).await,
            Self::Info(info) => info.run(host).await,
            Self::Restart(restart) => restart.run(host).await,
            Self::Connect(connect) => connect.run(host).await,
            Self::Sessions(sessions) => sessions.run(host),
            Self::Close(close) => close.run(host).await,
            // A shell has no host of its own.
            Self::Shell(_) => Err(CliError::usage(
                "A shell runs here already.",
                "Leave out the word shell; Ctrl-D ends this one.",
            )),
            Self::Doctor(doctor) => doctor.run(host).await,
            Self::Login(login) => login.run(host).await,
            Self::Logout(logout) => logout.run(host).await,
            Self::Pin(pin) => pin.run(host).await,
            Self::Drift(drift) => drift.run(host).await,
            Self::Diff(diff) => diff.run(host).await,
            Self::Lint(lint) => lint.run(host).await,
            Self::Model(model) => model.run(host).await,
            Self::Check(check) => check.run().await,
            Self::Replay(replay) => replay.run(host).await,
            Self::Mock(mock) => mock.run().await,
            Self::Serve(serve) => serve.run(host).await,
            Self::Test(test) => test.run(host).await,
            Self::Conformance(conformance) => conformance.run(host).await,
            Self::Load(load) => load.run(host).await,
            Self::Operations(operations) => operations.run(host).await,
            Self::Export(export) => export.run(host).await,
            Self::Guide(guide) => guide.run(),
            Self::Completions(completions) => completions.run(definition()),
        }
    }
}

/// The program's commands and options, for what is generated of them.
fn definition() -> clap::Command {
    let program = clap::Command::new("sightglass-cli").disable_help_subcommand(true);
    CommonOptions::augment_args(CliCommand::augment_subcommands(program))
}
