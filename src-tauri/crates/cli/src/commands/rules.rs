//! `rules`: the rules that answer questions of servers.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use sightglass_inspector::{
    Era,
    view::{AnswerRulesView, RuleTrial},
};

use crate::{
    addressed::Addressed,
    error::CliError,
    host::Host,
    json,
    options::EraOption,
    outcome::Outcome,
    style::{FAINT, GOOD, NAME, WARNING, harmless, styled},
    table::Table,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// List the rules, the first that is about a question decides
    List,
    /// Check a file of rules, your own by default; fails when something is wrong
    Check(CheckRules),
    /// Tell what the rules do with a question of a server; nothing is sent
    Try(Try),
}

#[derive(Debug, Args)]
pub(crate) struct CheckRules {
    /// The file of rules
    file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(override_usage = "sightglass-cli rules try <TARGET> <PARAMS> [OPTIONS]")]
pub(crate) struct Try {
    /// The server, then the `params` of the question as JSON
    #[command(flatten)]
    addressed: Addressed,
    /// The kind of question
    #[arg(long, value_enum, default_value = "elicitation")]
    kind: QuestionMethod,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum QuestionMethod {
    /// `elicitation/create`
    Elicitation,
    /// `sampling/createMessage`
    Sampling,
}

impl Rules {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::List => shown(&host.inspector.calls.answer_rules.answer_rules()),
            Self::Check(check) => check.run(host),
            Self::Try(trial) => trial.run(host).await,
        }
    }
}

/// The rules, or everything that is wrong with their file.
fn shown(view: &AnswerRulesView) -> Result<Outcome, CliError> {
    let mut table = Table::default();
    for rule in &view.rules {
        table.row([
            (harmless(&rule.name), NAME),
            (harmless(&rule.conditions), FAINT),
            (harmless(&rule.answer), GOOD),
        ]);
    }
    let path = harmless(&view.path);
    let problems: String = view
        .problems
        .iter()
        .map(|problem| format!("{}\n", harmless(&format!("{path}:{problem}"))))
        .collect();
    let text = match (view.problems.is_empty(), view.rules.is_empty()) {
        (false, _) => problems,
        (true, true) => format!("There are no rules in {path}, so every question is declined.\n"),
        (true, false) => format!("{}\n{}\n", table.render(), styled(FAINT, &path)),
    };
    let outcome = Outcome::of(view, text)?;
    Ok(match view.problems.is_empty() {
        true => outcome,
        false => outcome.with_error(CliError::check(
            "While the file is broken, none of its rules answers.",
        )),
    })
}

impl CheckRules {
    fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let rules = &host.inspector.calls.answer_rules;
        match self.file {
            Some(file) => shown(&rules.check_answer_rules_file(&file)?),
            None => shown(&rules.answer_rules()),
        }
    }
}

impl Try {
    async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (target, words) = self.addressed.split()?;
        let [params] = words.as_slice() else {
            return Err(CliError::usage(
                "A question is given by its parameters.",
                "Write them as JSON behind the server: '{\"message\": \"…\"}'.",
            ));
        };
        if json::value(params).is_none() {
            return Err(CliError::usage(
                "The parameters of the question are not JSON.",
                "Take them from a record, or write them as '{\"message\": \"…\"}'.",
            ));
        }
        let (id, _) = host.add_ad_hoc_server(&target).await?;
        let method = match self.kind {
            QuestionMethod::Elicitation => "elicitation/create",
            QuestionMethod::Sampling => "sampling/createMessage",
        };
        let era = host.options.era.and_then(EraOption::exact);
        let eras = era.map_or(vec![Era::Modern, Era::Legacy], |era| vec![era]);
        let rules = &host.inspector.calls.answer_rules;
        let tried: Vec<(Era, RuleTrial)> = eras
            .into_iter()
            .map(|era| (era, rules.try_answer_rules(&id, era, method, params)))
            .collect();
        // The two differ only where a rule names an era.
        let differ = tried.windows(2).any(|pair| pair[0].1 != pair[1].1);
        let shown = if differ { &tried[..] } else { &tried[..1] };
        let text: String = shown
            .iter()
            .map(|(era, trial)| {
                let era = match (differ, era) {
                    (false, _) => "",
                    (true, Era::Modern) => "modern: ",
                    (true, Era::Legacy) => "legacy: ",
                };
                format!("{era}{}\n", in_words(trial))
            })
            .collect();
        let result = json!({
            "server": id,
            "method": method,
            "trials": shown.iter().map(|(era, trial)| json!({
                "era": differ.then_some(era),
                "rule": trial.rule,
                "reason": trial.reason,
                "answer": trial.answer,
            })).collect::<Vec<_>>(),
        });
        Ok(Outcome::new(result.to_string(), text))
    }
}

fn in_words(trial: &RuleTrial) -> String {
    match trial {
        RuleTrial { rule: None, .. } => {
            "No rule is about it. Without a window it is declined.".to_owned()
        }
        RuleTrial {
            rule: Some(rule),
            answer: Some(answer),
            ..
        } => format!("{}  {}", styled(NAME, &harmless(rule)), harmless(answer)),
        RuleTrial {
            rule: Some(rule),
            reason,
            ..
        } => format!(
            "{}  {}",
            styled(NAME, &harmless(rule)),
            styled(
                WARNING,
                &harmless(reason.as_deref().unwrap_or("asks the user"))
            )
        ),
    }
}
