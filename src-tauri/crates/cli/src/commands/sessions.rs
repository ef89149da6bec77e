//! `connect`, `sessions` and `close`: connections that outlive a command.

use std::{path::PathBuf, sync::Arc};

use anstyle::Style;
use clap::Args;
use serde_json::json;

use crate::{
    addressed::{Addressed, refuse_more},
    console,
    error::CliError,
    host::{BackgroundCommand, Host},
    kept_sessions::KeptSessions,
    options::CommonOptions,
    outcome::Outcome,
    session::{KeptState, KeptView, NamedSession, SessionParts, StoredSession},
    session_name::SessionName,
    style::{BAD, FAINT, GOOD, NAME, WARNING, harmless, styled},
    table::Table,
    target::Target,
};

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli connect <TARGET> <@NAME> [OPTIONS]\n       \
                      sightglass-cli connect <@NAME> [OPTIONS] -- PROGRAM [ARGS]…",
    after_help = "@NAME before a command uses the connection, as in `sightglass-cli @NAME tools \
                  list`. Options about the server count for all of these commands; with \
                  --confirm-calls each call is agreed to."
)]
pub(crate) struct Connect {
    #[command(flatten)]
    addressed: Addressed,
}

#[derive(Debug, Args)]
pub(crate) struct ListSessions {}

#[derive(Debug, Args)]
pub(crate) struct CloseSessions {
    /// The sessions to close
    #[arg(value_name = "@NAME", required_unless_present = "all")]
    names: Vec<String>,
    /// Close all, and end the background process
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
}

impl Connect {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let command = host.sessions()?;
        let (target, name) = self.target()?;
        let _turn = command.sessions.turn(&name).await;
        if let Some(open) = command.sessions.find(&name) {
            return Err(CliError::usage(
                &format!("{name} is a session of {} already.", open.spec().name),
                &format!("`sightglass-cli close {name}` ends it. Or choose another name."),
            ));
        }
        let directory = console::directory();
        let session = open(command, target, name, host.options.clone(), directory).await?;
        let (view, name) = (session.view(), &session.name);
        let use_it = format!(
            "`sightglass-cli {name} tools list` uses it, `sightglass-cli close {name}` ends it."
        );
        let text = format!(
            "{} {name} is connected to {}.\n{}\n",
            styled(GOOD, "✓"),
            harmless(&view.server),
            styled(FAINT, &use_it),
        );
        Outcome::of(&view, text)
    }

    /// The server and the name that are given.
    fn target(self) -> Result<(Target, SessionName), CliError> {
        let (target, words) = self.addressed.split()?;
        let Some((word, more)) = words.split_first() else {
            return Err(CliError::usage(
                "The session has no name.",
                "Give one after the target, with an @ before it: `sightglass-cli connect TARGET \
                 @NAME`.",
            ));
        };
        refuse_more(more)?;
        Ok((target, named(word)?))
    }
}

fn named(word: &str) -> Result<SessionName, CliError> {
    SessionName::read(word).ok_or_else(|| {
        CliError::usage(
            &format!("{word} is no name of a session."),
            "It begins with an @, and has at most 64 letters, digits, `.`, `_` and `-` after it.",
        )
    })
}

/// Connects, and keeps the session.
async fn open(
    command: &BackgroundCommand,
    target: Target,
    name: SessionName,
    options: CommonOptions,
    directory: PathBuf,
) -> Result<Arc<NamedSession>, CliError> {
    let sessions = &command.sessions;
    let host = Host::open_for_session(sessions, options.clone())?;
    let (id, spec) = match host.connect(&target).await {
        Ok(server) => (server.id, server.spec),
        Err(error) => {
            host.close().await;
            return Err(error);
        }
    };
    host.finish().await;
    let stored = StoredSession {
        server: spec.name.clone(),
        directory,
        words: (!options.may_hold_secret() && !target.holds_secret())
            .then(|| command.words.clone()),
    };
    let session = Arc::new(NamedSession::new(SessionParts {
        name,
        inspector: host.inspector,
        options,
        target,
        id,
        spec,
        directory: stored.directory.clone(),
    }));
    sessions.insert(Arc::clone(&session), stored)?;
    Ok(session)
}

/// Returns the open session of a name. One whose name is kept is connected again, as it was.
pub(crate) async fn session(
    sessions: &Arc<KeptSessions>,
    name: &SessionName,
    parse: impl FnOnce(&StoredSession, &[String]) -> Option<(Connect, CommonOptions)>,
) -> Result<Arc<NamedSession>, CliError> {
    if let Some(open) = sessions.find(name) {
        return Ok(open);
    }
    let _turn = sessions.turn(name).await;
    // Another command may have connected it meanwhile.
    if let Some(open) = sessions.find(name) {
        return Ok(open);
    }
    let Some(stored) = sessions.stored(name) else {
        return Err(CliError::usage(
            &format!("There is no session {name}."),
            &format!(
                "`sightglass-cli sessions` lists them, and `sightglass-cli connect TARGET {name}` \
                 makes it."
            ),
        ));
    };
    let parsed = stored
        .words
        .as_deref()
        .and_then(|words| parse(&stored, words));
    let (Some(words), Some((connect, options))) = (stored.words.clone(), parsed) else {
        return Err(CliError::usage(
            &format!("{name} is not connected any more."),
            &format!(
                "What it was connected with is not kept, since a secret may be in it. Connect it \
                 again, with the options: `{} …`.",
                stored.view(name).recovery.unwrap_or_default()
            ),
        ));
    };
    let (target, _) = connect.target()?;
    let command = BackgroundCommand {
        sessions: Arc::clone(sessions),
        words,
    };
    open(&command, target, name.clone(), options, stored.directory).await
}

impl ListSessions {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        listing(&host.sessions()?.sessions.views())
    }
}

/// Lists sessions.
pub(crate) fn listing(views: &[KeptView]) -> Result<Outcome, CliError> {
    let mut table = Table::default();
    for view in views {
        let style = match view.state {
            KeptState::Live => GOOD,
            KeptState::Connecting => WARNING,
            KeptState::Crashed | KeptState::Unauthorized | KeptState::Expired => BAD,
            KeptState::Disconnected => FAINT,
        };
        let reason = view.reason.as_deref().map(|reason| format!("{reason}. "));
        let recovery = view.recovery.as_ref().map(|command| format!("`{command}`"));
        table.row([
            (view.name.to_string(), NAME),
            (view.server.clone(), Style::new()),
            (view.state.word().to_owned(), style),
            (
                reason.unwrap_or_default() + &recovery.unwrap_or_default(),
                FAINT,
            ),
        ]);
    }
    let text = match views {
        [] => {
            "There are no sessions. `sightglass-cli connect TARGET @NAME` makes one.\n".to_owned()
        }
        _ => table.render(),
    };
    Outcome::of(&json!({ "sessions": views }), text)
}

impl CloseSessions {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let sessions = &host.sessions()?.sessions;
        let names = match self.all {
            true => sessions.views().into_iter().map(|view| view.name).collect(),
            false => {
                let names = self.names.iter().map(|word| named(word));
                names.collect::<Result<Vec<_>, _>>()?
            }
        };
        let mut closed = Vec::new();
        let mut unknown = None;
        for name in names {
            match sessions.close(&name).await? {
                true => closed.push(name),
                false => unknown = Some(name),
            }
        }
        if self.all {
            sessions.end.cancel();
        }
        let outcome = closing(&closed)?;
        Ok(match unknown {
            None => outcome,
            Some(name) => outcome.with_error(CliError::usage(
                &format!("There is no session {name}."),
                "`sightglass-cli sessions` lists them.",
            )),
        })
    }
}

/// Tells which sessions were closed.
pub(crate) fn closing(closed: &[SessionName]) -> Result<Outcome, CliError> {
    let lines = closed
        .iter()
        .map(|name| format!("{} {name} is closed.\n", styled(GOOD, "✓")));
    let text = match closed {
        [] => "There are no sessions.\n".to_owned(),
        _ => lines.collect(),
    };
    Outcome::of(&json!({ "closed": closed }), text)
}
