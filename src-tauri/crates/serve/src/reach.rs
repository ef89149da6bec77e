//! Reaches servers for agents: finds them by name, connects, and refuses what may not be reached.

use std::{
    collections::HashMap,
    env,
    path::Path,
    sync::{Arc, Mutex},
};

use sightglass_connection::ConnectionError;
use sightglass_inspector::{
    Endpoint, ErrorCode, FailureReport, Inspector, InspectorError, Phase, ServerId, ServerSpec,
};
use sightglass_model::{Wildcards, lock};
use thiserror::Error;

use crate::outgoing::Outgoing;

/// Environment variable of each program that is started while something is served. One that has it
/// serves nothing: it would be served behind itself.
pub const SERVING_VARIABLE: &str = "SIGHTGLASS_SERVING";

/// The program's name, and the command by which it serves.
const PROGRAM: &str = "sightglass-cli";
const SERVE: &str = "serve";

/// Reason why an agent does not get what it asked for. Its text goes to the agent.
#[derive(Debug, Error)]
pub enum ServingError {
    #[error("{error}{}", advice(error))]
    Inspector {
        #[from]
        error: InspectorError,
    },
    #[error("{server} is not connected: {reason}. {hint}")]
    NotReached {
        server: String,
        reason: String,
        hint: String,
    },
    #[error(
        "{0} serves Sightglass itself, and nothing is served behind itself. Nothing was started."
    )]
    Itself(String),
    #[error("{0} is not among what the user lends to agents (`--allow`, `--deny`).")]
    NotLent(String),
    #[error("{server} has no {kind} {name}.{suggestion}")]
    NotListed {
        server: String,
        kind: &'static str,
        name: String,
        suggestion: String,
    },
    /// The arguments of the agent are wrong.
    #[error("{0}")]
    Arguments(String),
}

impl From<ConnectionError> for ServingError {
    fn from(error: ConnectionError) -> Self {
        InspectorError::from(error).into()
    }
}

/// Returns the next step, also for what a user alone can do.
fn advice(error: &InspectorError) -> String {
    match error.code() {
        ErrorCode::NotApproved => " An agent cannot approve it. Ask the user to look at it and to \
             approve it, in the window or with `sightglass-cli config approve`."
            .to_owned(),
        ErrorCode::FolderNotTrusted => " An agent cannot trust a folder. Ask the user to, in the \
             window or with `sightglass-cli config trust`."
            .to_owned(),
        ErrorCode::NotConfirmed => {
            " An agent cannot confirm it. The user has to agree: by calling \
             it in the window, or by serving with `--confirm-calls`."
                .to_owned()
        }
        _ => error
            .hint()
            .map(|hint| format!(" {hint}"))
            .unwrap_or_default(),
    }
}

/// Patterns of the names that agents may use, in which `*` stands for any characters.
#[derive(Debug, Clone, Default)]
pub struct NamePatterns {
    /// All names where it is empty.
    pub allow: Vec<String>,
    /// Wins over what is allowed.
    pub deny: Vec<String>,
}

impl NamePatterns {
    /// Returns true for a name, `SERVER__NAME`, that may be used.
    pub fn permit(&self, name: &str) -> bool {
        let is_in = |patterns: &[String]| {
            let mut patterns = patterns.iter();
            patterns.any(|pattern| Wildcards::Star.matches(pattern, name))
        };
        (self.allow.is_empty() || is_in(&self.allow)) && !is_in(&self.deny)
    }
}

/// Reaches servers for agents.
pub struct Reach {
    inspector: Arc<Inspector>,
    outgoing: Arc<Outgoing>,
    pub patterns: NamePatterns,
    /// Endpoints of servers that are reached otherwise than their entry says, or that have none.
    specs: HashMap<ServerId, ServerSpec>,
    /// Held by the one that connects to a server; others wait for the same connection.
    connecting: Mutex<HashMap<ServerId, Arc<tokio::sync::Mutex<()>>>>,
}

impl Reach {
    pub fn new(
        inspector: Arc<Inspector>,
        outgoing: Arc<Outgoing>,
        patterns: NamePatterns,
        specs: HashMap<ServerId, ServerSpec>,
    ) -> Self {
        Self {
            inspector,
            outgoing,
            patterns,
            specs,
            connecting: Mutex::default(),
        }
    }

    /// Finds a server by its name or its id.
    pub fn server(&self, name: &str) -> Result<ServerId, ServingError> {
        Ok(self.inspector.servers.names.find_server(name)?)
    }

    /// Refuses a name that the user did not lend.
    pub fn check_name(&self, name: &str) -> Result<(), ServingError> {
        match self.patterns.permit(name) {
            true => Ok(()),
            false => Err(ServingError::NotLent(name.to_owned())),
        }
    }

    /// Returns once a server is ready, which is connected for that where it is not.
    ///
    /// # Errors
    /// When it may not be reached, or cannot be.
    pub async fn ready(&self, server: &ServerId) -> Result<(), ServingError> {
        let connections = &self.inspector.servers.open_connections;
        // Calls wait by themselves for a connection that is being made again.
        let is_usable = || {
            let status = connections.status(server);
            status.phase.is_live() || status.reconnection.is_some()
        };
        if is_usable() {
            return Ok(());
        }
        let turn = Arc::clone(lock(&self.connecting).entry(server.clone()).or_default());
        let _turn = turn.lock().await;
        if is_usable() {
            return Ok(());
        }
        let before = connections.status(server);
        let before = match before.phase.is_at_rest() {
            true => {
                self.connect(server).await?;
                before.connection
            }
            false => None,
        };
        let settled = connections.settled(&server.into(), before).await;
        self.outgoing.secrets_changed();
        settled.map(drop).map_err(|reason| {
            let failure = connections.status(server).failure;
            self.not_reached(server, reason, failure)
        })
    }

    async fn connect(&self, server: &ServerId) -> Result<(), ServingError> {
        let lifecycle = &self.inspector.servers.lifecycle;
        if let Some(spec) = self.specs.get(server) {
            refuse_itself(spec)?;
            return Ok(lifecycle.connect_as(server, spec.clone())?);
        }
        lifecycle.read_entry_secrets(server).await?;
        refuse_itself(&self.inspector.servers.specs.spec(server)?)?;
        Ok(lifecycle.connect(server)?)
    }

    fn not_reached(
        &self,
        server: &ServerId,
        reason: String,
        failure: Option<FailureReport>,
    ) -> ServingError {
        ServingError::NotReached {
            server: server.name().to_owned(),
            reason,
            hint: failure.map(|failure| failure.hint.text).unwrap_or_default(),
        }
    }

    /// Refuses a server that serves what serves it.
    pub fn check_itself(&self, server: &ServerId) -> Result<(), ServingError> {
        match self.specs.get(server) {
            Some(spec) => refuse_itself(spec),
            // One that cannot be resolved is not started either, and whoever starts it says why.
            None => match self.inspector.servers.specs.spec(server) {
                Ok(spec) => refuse_itself(&spec),
                Err(_) => Ok(()),
            },
        }
    }

    /// Returns the phase of a server.
    pub fn phase(&self, server: &ServerId) -> Phase {
        let connections = &self.inspector.servers.open_connections;
        connections.status(server).phase
    }
}

/// Refuses a program that serves what serves it.
fn refuse_itself(spec: &ServerSpec) -> Result<(), ServingError> {
    let Endpoint::Stdio {
        command, arguments, ..
    } = &spec.endpoint
    else {
        return Ok(());
    };
    let words = std::iter::once(command.as_str()).chain(arguments.iter().map(String::as_str));
    // Also behind a shell or another program that starts it.
    let words: Vec<&str> = words.flat_map(str::split_whitespace).collect();
    let names_program = words.iter().any(|word| is_this_program(word));
    match names_program && words.contains(&SERVE) {
        true => Err(ServingError::Itself(spec.name.clone())),
        false => Ok(()),
    }
}

fn is_this_program(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    let path = Path::new(word);
    let is_named = path.file_stem().is_some_and(|stem| stem == PROGRAM);
    let is_same = || {
        let (this, that) = (env::current_exe(), path.canonicalize());
        this.and_then(|this| this.canonicalize())
            .is_ok_and(|this| that.is_ok_and(|that| this == that))
    };
    is_named || (path.is_absolute() && is_same())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_wins_over_what_is_allowed() {
        let patterns = |allow: &[&str], deny: &[&str]| NamePatterns {
            allow: allow.iter().map(|text| (*text).to_owned()).collect(),
            deny: deny.iter().map(|text| (*text).to_owned()).collect(),
        };
        assert!(patterns(&[], &[]).permit("files__read"));
        let reads = patterns(&["files__*"], &["*__write*"]);
        assert!(reads.permit("files__read"));
        assert!(!reads.permit("files__write_file") && !reads.permit("mail__read"));
    }

    #[test]
    fn the_program_is_known_by_its_name_and_behind_a_shell() {
        for word in [
            "sightglass-cli",
            "/usr/bin/sightglass-cli",
            "'sightglass-cli",
        ] {
            assert!(is_this_program(word), "{word}");
        }
        assert!(!is_this_program("sightglass-demo-server"));
    }
}
