//! Explains why a server cannot connect, before any attempt.
//!
//! The sidebar, the header and the main pane show the same [`ObstacleView`], so that they cannot
//! differ. What an attempt came to is worded by [`Failure`](sightglass_model::Failure) in the same
//! way: a short reason, and a sentence that says what to do.

use std::sync::Arc;

use sightglass_area_core::{
    config_workspace::ConfiguredServer,
    view::{Blocked, ObstacleAction, ObstacleView},
};
use sightglass_config::{InputValue, Problem, ProblemKind, SECRET_PREFIX, Severity};
use sightglass_model::visible;

use crate::{resolution::SpecResolver, session_variables::SessionVariables};

/// Explains why a server cannot connect, before any attempt.
pub struct Obstacles {
    pub(crate) resolution: Arc<SpecResolver>,
    pub(crate) session_variables: Arc<SessionVariables>,
}

impl Obstacles {
    /// Returns the reason why a server cannot connect, where one is known. `blocked` is what keeps
    /// it from that by trust and policy, and `untrusted_use` what it uses of a folder that is not
    /// trusted.
    pub fn obstacle(
        &self,
        server: &ConfiguredServer,
        blocked: Option<&Blocked>,
        untrusted_use: Option<String>,
    ) -> Option<ObstacleView> {
        let errors: Vec<&Problem> = server
            .definition
            .problems()
            .filter(|problem| problem.severity == Severity::Error)
            .collect();
        if let Some(refused) = server.definition.refused.first() {
            return Some(refused_by_client(server, refused));
        }
        if !errors.is_empty() {
            return Some(invalid_entry(&errors));
        }
        match blocked {
            Some(Blocked::Refused { rule }) => return Some(refused(rule)),
            Some(Blocked::Waiting) => return Some(waiting()),
            Some(Blocked::FolderNotTrusted) => {
                return Some(
                    self.unresolved_entry(server)
                        .unwrap_or_else(|| no_trust(untrusted_use)),
                );
            }
            None => {}
        }
        self.unresolved_entry(server)
    }

    /// The variables that are missing, or what else keeps them from being put in.
    fn unresolved_entry(&self, server: &ConfiguredServer) -> Option<ObstacleView> {
        let plan = server.plan();
        let environment =
            self.session_variables
                .environment_for_judging(&server.id, &server.place.path, plan);
        let problems = plan
            .resolve(self.resolution.resolve_options(&*environment))
            .err()
            .unwrap_or_default();
        let (first, _) = problems.split_first()?;
        let missing = self.unset_variables(server);
        if missing.is_empty() {
            return Some(invalid_entry(&problems.iter().collect::<Vec<_>>()));
        }
        Some(unset(server, &missing, first, &problems))
    }

    /// The names of the variables that an entry needs and that have no value.
    fn unset_variables(&self, server: &ConfiguredServer) -> Vec<String> {
        let plan = server.plan();
        let environment =
            self.session_variables
                .environment_for_judging(&server.id, &server.place.path, plan);
        plan.unset_variables(self.resolution.resolve_options(&*environment))
    }
}

fn unset(
    server: &ConfiguredServer,
    missing: &[String],
    first: &Problem,
    problems: &[Problem],
) -> ObstacleView {
    let mut inputs = 0;
    let mut secrets = 0;
    let mut names = Vec::new();
    let mut actions: Vec<ObstacleAction> = Vec::new();
    for name in missing {
        let id = name.strip_prefix("input:");
        let secret = name.strip_prefix(SECRET_PREFIX);
        inputs += usize::from(id.is_some());
        secrets += usize::from(secret.is_some());
        names.push(visible(id.or(secret).unwrap_or(name)).into_owned());
        actions.push(ObstacleAction::SetVariable {
            name: name.clone(),
            input: id
                .and_then(|id| server.definition.input(id))
                .map(shown_input),
        });
    }
    let names = names.join(", ");
    actions.push(ObstacleAction::EditServer);
    actions.push(open_line(first));
    let evidence = evidence(&problems.iter().collect::<Vec<_>>());
    if inputs == missing.len() {
        let client = server.client().title();
        return ObstacleView {
            reason: format!("Needs {names}"),
            hint: format!(
                "{client} asks for this when it starts the server. What you enter here is kept in \
                 memory until you quit Sightglass."
            ),
            evidence,
            actions,
        };
    }
    if secrets == missing.len() {
        return ObstacleView {
            reason: format!("Needs {names}"),
            hint:
                "No value is kept for this entry: it is new here, or it was changed since one was \
                   entered. What you enter is kept in the keychain for the entry as it is now."
                    .to_owned(),
            evidence,
            actions,
        };
    }
    ObstacleView {
        reason: match missing.len() {
            1 => format!("{names} is not set"),
            _ => format!("{names} are not set"),
        },
        hint: match missing.len() {
            1 => "The entry uses this variable. Set it for this session, or in the environment \
                  before you start Sightglass."
                .to_owned(),
            _ => "The entry uses these variables. Set them for this session, or in the \
                  environment before you start Sightglass."
                .to_owned(),
        },
        evidence,
        actions,
    }
}

/// An input with the texts of its file as they can be shown.
fn shown_input(input: &InputValue) -> InputValue {
    let shown = |text: &String| visible(text).into_owned();
    InputValue {
        description: input.description.as_ref().map(shown),
        ..input.clone()
    }
}

fn invalid_entry(problems: &[&Problem]) -> ObstacleView {
    let mut actions: Vec<ObstacleAction> = Vec::new();
    actions.extend(problems.first().map(|first| open_line(first)));
    actions.push(ObstacleAction::EditServer);
    ObstacleView {
        reason: "Invalid entry".to_owned(),
        hint: "Correct the entry. It is reloaded when its file is saved.".to_owned(),
        evidence: evidence(problems),
        actions,
    }
}

/// Explains that the client of a server does not accept its entry, in the words that a connection is
/// refused with.
fn refused_by_client(server: &ConfiguredServer, problem: &Problem) -> ObstacleView {
    ObstacleView {
        reason: format!("{} does not accept it", server.client().title()),
        hint: visible(&problem.message).into_owned(),
        evidence: vec![format!("Line {}, column {}.", problem.line, problem.column)],
        actions: vec![open_line(problem), ObstacleAction::EditServer],
    }
}

fn refused(rule: &str) -> ObstacleView {
    ObstacleView {
        reason: "Refused by policy".to_owned(),
        hint: format!(
            "The managed policy on this computer {}. Only its administrator can change it.",
            visible(rule)
        ),
        evidence: Vec::new(),
        actions: vec![ObstacleAction::Explain],
    }
}

fn waiting() -> ObstacleView {
    ObstacleView {
        reason: "Needs approval".to_owned(),
        hint: "This server comes from the project's files. Check what it runs, then approve it."
            .to_owned(),
        evidence: Vec::new(),
        actions: vec![ObstacleAction::Approve],
    }
}

fn no_trust(reason: Option<String>) -> ObstacleView {
    ObstacleView {
        reason: "Needs trust in the folder".to_owned(),
        hint:
            "This server runs in the project's folder or uses what lies in it, and the folder is \
               not trusted yet."
                .to_owned(),
        evidence: reason.into_iter().collect(),
        actions: vec![ObstacleAction::TrustFolder],
    }
}

fn open_line(problem: &Problem) -> ObstacleAction {
    ObstacleAction::OpenLine {
        line: problem.line,
        column: problem.column,
    }
}

fn evidence(problems: &[&Problem]) -> Vec<String> {
    problems
        .iter()
        .map(|problem| match problem.kind {
            // What to do about it stands in the hint.
            ProblemKind::UnsetVariable => {
                let end = problem.message.find(". ").map_or(0, |at| at + 1);
                let text = match end {
                    0 => problem.message.as_str(),
                    end => &problem.message[..end],
                };
                format!("Line {}: {}", problem.line, visible(text))
            }
            _ => format!("Line {}: {}", problem.line, visible(&problem.message)),
        })
        .collect()
}
