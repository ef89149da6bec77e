//! `replay`: sends the requests of a session file again.

use std::path::PathBuf;

use clap::Args;
use sightglass_inspector::{
    Consent, recorded_calls,
    view::{ReplayOutcome, ReplayStep},
};

use crate::{
    addressed::Addressed,
    error::{CliError, Exit},
    host::Host,
    json,
    outcome::Outcome,
    style::{BAD, FAINT, GOOD, NAME, WARNING, harmless, styled},
    terminal,
};

#[derive(Debug, Args)]
#[command(
    after_help = "Sends lists, calls, reads and completions in the order of the recording, over a \
                  connection of its own. Before a tool is called that is not declared read-only, or \
                  is declared destructive, you are asked; without a terminal it is left out. \
                  Identifiers, times and durations are not compared. Exit code 5 when an answer \
                  differs."
)]
pub(crate) struct Replay {
    /// The session file
    file: PathBuf,
    #[command(flatten)]
    addressed: Addressed,
    /// The recorded server, of a file with several
    #[arg(long, value_name = "NAME")]
    recorded: Option<String>,
}

impl Replay {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (file, recorded) = (self.file, self.recorded);
        let read = tokio::task::spawn_blocking(move || recorded_calls(&file, recorded.as_deref()));
        let calls = read.await.map_err(|_| CliError::interrupted())??;
        let server = host.connect(&self.addressed.alone()?).await?;
        let inspector = server.inspector();
        let steps = inspector.record.replays.replay_steps(&server.id, &calls);
        let (mut results, mut text, mut different) = (Vec::new(), String::new(), 0_usize);
        for (call, step) in calls.iter().zip(&steps) {
            let consent = match step.may_change {
                true if agreed(step, &call.params) => Some(Consent::Given),
                true => None,
                false => Some(Consent::None),
            };
            let outcome = match consent {
                Some(consent) => {
                    inspector
                        .record
                        .replays
                        .replay_call(&server.id, call, consent)
                        .await?
                }
                None => ReplayOutcome::Skipped,
            };
            let is_bad = matches!(
                outcome,
                ReplayOutcome::Different { .. } | ReplayOutcome::Unanswered { .. }
            );
            different += usize::from(is_bad);
            text.push_str(&line_of(step, &outcome));
            results.push(serde_json::json!({ "step": step, "outcome": outcome }));
        }
        let outcome = Outcome::new(serde_json::json!({ "results": results }).to_string(), text);
        Ok(match different {
            0 => outcome,
            _ => outcome.with_error(CliError::requests(
                Exit::CheckFailed,
                &format!("{different} of {} answers differ.", calls.len()),
            )),
        })
    }
}

/// Asks whether to send a call that may change something. All of it is shown: a part that is left out
/// would be sent unseen.
fn agreed(step: &ReplayStep, params: &str) -> bool {
    let name = step.name.as_deref().unwrap_or_default();
    let shown = format!(
        "{} is not declared read-only:\n{}\n",
        styled(NAME, &harmless(name)),
        json::pretty(params)
    );
    terminal::is_there() && terminal::ask(&shown, "Send it?")
}

fn line_of(step: &ReplayStep, outcome: &ReplayOutcome) -> String {
    let (style, glyph, remark) = match outcome {
        ReplayOutcome::Same => (GOOD, "✓", String::new()),
        ReplayOutcome::Different { difference } => (BAD, "✗", difference.clone()),
        ReplayOutcome::NothingToCompare => (FAINT, "·", "no answer was recorded".to_owned()),
        ReplayOutcome::Unanswered { reason } => (BAD, "✗", reason.clone()),
        ReplayOutcome::Skipped => (WARNING, "-", "not sent: it may change something".to_owned()),
    };
    let name = step.name.as_deref().unwrap_or_default();
    let mut text = format!(
        "{} {} {}\n",
        styled(style, glyph),
        harmless(&step.method),
        styled(NAME, &harmless(name))
    );
    for line in remark.lines() {
        text.push_str(&format!("  {}\n", harmless(line)));
    }
    text
}
