//! The options that every command takes.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{console, error::CliError};
use clap::{Args, ValueEnum};
use sightglass_inspector::{
    AuthSettings, CLIENT_SECRET_VARIABLE, Era, EraChoice, Phase, Secret, TimeLimits,
};

/// Options that every command takes, besides its own arguments.
#[derive(Debug, Clone, Args)]
pub(crate) struct CommonOptions {
    /// The project whose servers are meant; the current directory by default
    #[arg(global = true, long, value_name = "DIR", help_heading = "Which server")]
    pub project: Option<PathBuf>,
    /// Take the target for an entry of this file of any client, in JSON or TOML. It is shown whole, and
    /// used once you agree
    #[arg(
        global = true,
        long,
        value_name = "FILE",
        help_heading = "Which server"
    )]
    pub config: Option<PathBuf>,
    /// With --config: use the entry without being asked, as long as it is the one with this
    /// fingerprint, which is told where it is not approved
    #[arg(
        global = true,
        long,
        value_name = "FINGERPRINT",
        requires = "config",
        help_heading = "Which server"
    )]
    pub approve_entry: Option<String>,
    /// With --config: a variable of your environment that the entry may read; may be repeated
    #[arg(
        global = true,
        long = "entry-variable",
        value_name = "NAME",
        requires = "config",
        help_heading = "Which server"
    )]
    pub entry_variables: Vec<String>,
    /// Transport: auto tries http and then sse for a URL that does not tell
    #[arg(
        global = true,
        long,
        value_enum,
        value_name = "HOW",
        default_value = "auto",
        hide_default_value = true,
        help_heading = "Which server"
    )]
    pub transport: TransportOption,
    /// Generation of the protocol to speak: modern is 2026-07-28, legacy everything before
    #[arg(
        global = true,
        long,
        value_enum,
        value_name = "ERA",
        help_heading = "Which server"
    )]
    pub era: Option<EraOption>,
    /// A header for every HTTP request
    #[arg(global = true, long = "header", value_name = "K:V", value_parser = header, help_heading = "Which server")]
    pub headers: Vec<Named>,
    /// A variable for the program's environment; with `test` the name of an environment of the
    /// tests
    #[arg(global = true, long = "env", value_name = "K=V", value_parser = environment, help_heading = "Which server")]
    pub environment: Vec<EnvironmentOption>,
    /// Place where the program starts; the project by default, where it is trusted
    #[arg(global = true, long, value_name = "DIR", help_heading = "Which server")]
    pub cwd: Option<PathBuf>,
    /// The client to sign in with, when it was registered by hand
    #[arg(global = true, long, value_name = "ID", help_heading = "Which server")]
    pub client_id: Option<String>,
    /// Its secret; SIGHTGLASS_CLIENT_SECRET holds it out of sight of other programs
    #[arg(
        global = true,
        long,
        value_name = "SECRET",
        value_parser = secret,
        requires = "client_id",
        help_heading = "Which server"
    )]
    pub client_secret: Option<Secret<String>>,
    /// The account to use for this call, of those that are signed in
    #[arg(
        global = true,
        long,
        value_name = "NAME",
        help_heading = "Which server"
    )]
    pub identity: Option<String>,
    /// Certificate authorities in PEM to trust for this call, instead of those of the settings
    #[arg(
        global = true,
        long,
        value_name = "FILE",
        help_heading = "Which server"
    )]
    pub ca: Option<PathBuf>,
    /// Accept any certificate for this call; whoever is on the way can read it
    #[arg(global = true, long, help_heading = "Which server")]
    pub insecure: bool,
    /// A file of rules that answer questions of servers, instead of your own; what no rule
    /// answers is declined
    #[arg(
        global = true,
        long,
        value_name = "FILE",
        help_heading = "Which server"
    )]
    pub rules: Option<PathBuf>,
    /// Send also calls that have to be confirmed: of tools that declare that they may destroy
    /// something, and those about which the rules of a client ask
    #[arg(global = true, long, help_heading = "Which server")]
    pub confirm_calls: bool,
    /// Time limit for connecting, in milliseconds
    #[arg(global = true, long, value_name = "MS", help_heading = "Limits")]
    pub connect_timeout: Option<u64>,
    /// Time limit for one answer, in milliseconds; begins again with each progress
    #[arg(global = true, long, value_name = "MS", help_heading = "Limits")]
    pub timeout: Option<u64>,
    /// Ask the server for its log messages from this level on, and print them on stderr
    #[arg(
        global = true,
        long,
        value_enum,
        value_name = "LEVEL",
        help_heading = "Output"
    )]
    pub log_level: Option<LogLevel>,
    /// Print at most this many characters of the result, and say how many there are
    #[arg(global = true, long, value_name = "N", help_heading = "Output")]
    pub max_chars: Option<usize>,
    /// Print the result as JSON, the server's own as it came, and errors as JSON on stderr
    #[arg(global = true, long, help_heading = "Output")]
    pub json: bool,
    /// Show the phases, progress, every message and HTTP header, and what the server writes to
    /// stderr
    #[arg(global = true, long, short, help_heading = "Output")]
    pub verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransportOption {
    Auto,
    Http,
    Sse,
    Ws,
    Stdio,
}

/// Level of log messages (MCP, Logging; RFC 5424, section 6.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl LogLevel {
    /// Returns the word of the protocol.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EraOption {
    Auto,
    Modern,
    Legacy,
}

impl EraOption {
    /// The one era that is meant; `None` for either.
    pub(crate) fn exact(self) -> Option<Era> {
        match self {
            Self::Auto => None,
            Self::Modern => Some(Era::Modern),
            Self::Legacy => Some(Era::Legacy),
        }
    }
}

impl From<EraOption> for EraChoice {
    fn from(era: EraOption) -> Self {
        match era {
            EraOption::Auto => Self::Auto,
            EraOption::Modern => Self::Modern,
            EraOption::Legacy => Self::Legacy,
        }
    }
}

/// Value of `--env`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EnvironmentOption {
    /// `K=V`: a variable of the program that is started.
    Variable(Named),
    /// The name of an environment of the requests.
    Name(String),
}

/// A name and a value, which may be a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub name: String,
    pub value: Secret<String>,
}

fn header(text: &str) -> Result<Named, String> {
    named(text, ':').ok_or_else(|| "write it as NAME:VALUE".to_owned())
}

fn environment(text: &str) -> Result<EnvironmentOption, Infallible> {
    Ok(match text.split_once('=') {
        Some((name, value)) => EnvironmentOption::Variable(Named {
            name: name.to_owned(),
            value: Secret::new(value.to_owned()),
        }),
        None => EnvironmentOption::Name(text.to_owned()),
    })
}

fn named(text: &str, separator: char) -> Option<Named> {
    let (name, value) = text.split_once(separator)?;
    Some(Named {
        name: name.trim().to_owned(),
        value: Secret::new(value.trim().to_owned()),
    })
    .filter(|named| !named.name.is_empty())
}

fn secret(text: &str) -> Result<Secret<String>, Infallible> {
    Ok(Secret::new(text.to_owned()))
}

impl CommonOptions {
    /// Takes relative paths from a directory, which is the project where none is named.
    pub(crate) fn in_directory(&mut self, directory: &Path) {
        self.project.get_or_insert_default();
        for path in [
            &mut self.project,
            &mut self.cwd,
            &mut self.ca,
            &mut self.rules,
        ] {
            *path = path.take().map(|path| directory.join(path));
        }
    }

    /// Names the first option that counts when a connection is made, and so belongs to `connect`.
    pub(crate) fn of_connecting(&self) -> Option<&'static str> {
        [
            ("--project", self.project.is_some()),
            ("--transport", self.transport != TransportOption::Auto),
            ("--era", self.era.is_some()),
            ("--header", !self.headers.is_empty()),
            ("--env", !self.environment.is_empty()),
            ("--cwd", self.cwd.is_some()),
            ("--client-id", self.client_id.is_some()),
            ("--identity", self.identity.is_some()),
            ("--ca", self.ca.is_some()),
            ("--insecure", self.insecure),
            ("--rules", self.rules.is_some()),
            ("--connect-timeout", self.connect_timeout.is_some()),
            ("--timeout", self.timeout.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// Returns true when a secret may be among them.
    pub(crate) fn may_hold_secret(&self) -> bool {
        let (_, client_secret) = self.client();
        !self.headers.is_empty() || !self.environment.is_empty() || client_secret.is_some()
    }

    /// The variables of the program that is started.
    pub(crate) fn variables(&self) -> Result<Vec<&Named>, CliError> {
        let variables = self.environment.iter().map(|option| match option {
            EnvironmentOption::Variable(variable) => Ok(variable),
            EnvironmentOption::Name(name) => Err(CliError::usage(
                &format!("--env {name} is no variable."),
                "Write it as `--env NAME=VALUE`.",
            )),
        });
        variables.collect()
    }

    /// The client to sign in with and its secret, which the environment can hold too.
    pub(crate) fn client(&self) -> (AuthSettings, Option<Secret<String>>) {
        let settings = AuthSettings {
            client_id: self.client_id.clone(),
            ..AuthSettings::default()
        };
        let secret = self.client_id.as_ref().and_then(|_| {
            let given = self.client_secret.clone();
            given.or_else(|| console::variables()(CLIENT_SECRET_VARIABLE).map(Secret::new))
        });
        (settings, secret)
    }

    /// Refuses options that are meant for one server, for a command that is about several: each would
    /// get them, a token and a program's variables among them.
    pub(crate) fn refuse_those_of_one_server(
        &self,
        reason: &str,
        hint: &str,
    ) -> Result<(), CliError> {
        let given = [
            ("--config", self.config.is_some()),
            ("--header", !self.headers.is_empty()),
            ("--env", !self.environment.is_empty()),
            ("--cwd", self.cwd.is_some()),
            ("--client-id", self.client_id.is_some()),
            ("--identity", self.identity.is_some()),
            ("--ca", self.ca.is_some()),
            ("--insecure", self.insecure),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(CliError::usage(
                &format!("{option} is for one server, and {reason}."),
                hint,
            )),
            None => Ok(()),
        }
    }

    /// Puts the limits of the command line over those of the configuration.
    ///
    /// A limit for connecting replaces those of the single phases as well, so that it can also
    /// be longer than they are.
    pub(crate) fn limit(&self, limits: &mut TimeLimits) {
        const CONNECTING: [Phase; 6] = [
            Phase::Connecting,
            Phase::Initializing,
            Phase::Handshaking,
            Phase::ListingResources,
            Phase::ListingTools,
            Phase::ListingPrompts,
        ];
        if let Some(limit) = self.connect_timeout.map(Duration::from_millis) {
            limits.startup = Some(limit);
            limits.chosen.startup = None;
            for phase in CONNECTING {
                limits.phases.insert(phase.name(), limit);
            }
        }
        if let Some(limit) = self.timeout.map(Duration::from_millis) {
            limits.phases.remove(Phase::Executing.name());
            limits.tool = Some(limit);
            limits.chosen.tool = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_split_at_its_first_colon() {
        let named = header("Authorization: Bearer a:b").expect("a header");
        assert_eq!(
            (named.name.as_str(), named.value.expose().as_str()),
            ("Authorization", "Bearer a:b")
        );
        assert!(header("no value").is_err());
    }

    #[test]
    fn the_value_of_a_variable_is_taken_as_it_is() {
        let Ok(EnvironmentOption::Variable(named)) = environment("K= a=b ") else {
            panic!("no variable");
        };
        assert_eq!(
            (named.name.as_str(), named.value.expose().as_str()),
            ("K", " a=b ")
        );
        assert_eq!(environment("ci"), Ok(EnvironmentOption::Name("ci".into())));
    }
}
