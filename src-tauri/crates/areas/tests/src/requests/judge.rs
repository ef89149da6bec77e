//! Judges the answer to a request by the expectations of its file.

use std::{path::PathBuf, sync::Arc, time::Duration};

use serde_json::Value;
use sightglass_area_calls::schema;
use sightglass_model::Verdict;
use sightglass_requests::{
    CaseError, CaseReport, CheckReport, Evaluation, Expectation, Observation, Predicate,
    RequestFile, Snapshot, Source, captured, evaluate, refuse_link, snapshot_path,
};

use super::exchange::Answered;

/// Time after which a request cannot be judged: its expectations and the answer are strangers'.
const JUDGEMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// Everything that the judgement of one answer needs.
pub(super) struct Case {
    pub file: Arc<RequestFile>,
    /// The expectations of the file, with their references filled in.
    pub expectations: Vec<Expectation>,
    pub answered: Answered,
    /// The file of the request.
    pub path: PathBuf,
    /// Write snapshots instead of comparing them.
    pub update: bool,
    /// Masks secrets in what is shown of the answer.
    pub mask: Box<dyn Fn(&str) -> String + Send>,
}

/// The outcome for one answer.
#[derive(Default)]
pub(super) struct Judgement {
    checks: Vec<CheckReport>,
    updated: Vec<String>,
    /// Reason why it failed although every expectation holds.
    refusal: Option<String>,
    /// Reason why it cannot be judged.
    error: Option<String>,
    /// The values that later requests use.
    pub captures: Vec<(String, Value)>,
}

impl Case {
    /// Judges on a thread that may block, and gives up after a while.
    pub async fn judged(self) -> Judgement {
        let work = tokio::task::spawn_blocking(move || self.judge());
        let error = match tokio::time::timeout(JUDGEMENT_TIMEOUT, work).await {
            Ok(Ok(judgement)) => return judgement,
            Ok(Err(_)) => "Judging the answer failed.".to_owned(),
            Err(_) => format!(
                "Judging the answer takes longer than {} s. Expect less of so large an answer.",
                JUDGEMENT_TIMEOUT.as_secs()
            ),
        };
        Judgement {
            error: Some(error),
            ..Judgement::default()
        }
    }

    fn judge(&self) -> Judgement {
        let mut judgement = Judgement::default();
        if let Err(reason) = self.check(&mut judgement) {
            judgement.error = Some(reason);
            return judgement;
        }
        if self.expectations.is_empty()
            && let Some(refusal) = refusal(&self.answered.observation)
        {
            judgement.refusal = Some(refusal);
            return judgement;
        }
        for (name, source) in &self.file.captures {
            match captured(source, &self.answered.observation) {
                Ok(value) => judgement.captures.push((name.clone(), value)),
                Err(reason) => judgement.error = Some(reason),
            }
        }
        judgement
    }

    /// Evaluates the expectations, and writes the snapshots that are to be.
    fn check(&self, judgement: &mut Judgement) -> Result<(), String> {
        let path = snapshot_path(&self.path);
        let is_snapshot = |expectation: &Expectation| expectation.predicate == Predicate::Snapshot;
        let stored = match self.expectations.iter().any(is_snapshot) {
            true => read_snapshot(&path)?,
            false => Snapshot::default(),
        };
        let mut snapshot = stored.clone();
        for expectation in &self.expectations {
            let mut with = Evaluation {
                observation: match is_snapshot(expectation) {
                    // It is written into a file of the project: without secrets.
                    true => &self.answered.recorded,
                    false => &self.answered.observation,
                },
                snapshot: &mut snapshot,
                update: self.update,
                masks: &self.file.masks,
                conforms: &schema::conforms,
                mask: &self.mask,
            };
            let mut check = evaluate(expectation, &mut with);
            if self.update && is_snapshot(expectation) && check.passed {
                judgement.updated.push(expectation.source.to_string());
            }
            if !check.passed
                && let Some(schema) = &self.answered.observation.output_schema
                && matches!(expectation.source, Source::OutputSchema)
            {
                check.message = Some(schema.problems.join("\n"));
            }
            judgement.checks.push(check);
        }
        if snapshot == stored {
            judgement.updated.clear();
            return Ok(());
        }
        sightglass_files::replace(&path, snapshot.text().as_bytes()).map_err(|error| {
            judgement.updated.clear();
            format!("{} was not written: {error}.", path.display())
        })
    }
}

impl Judgement {
    /// Enters the outcome into a report.
    pub fn enter(self, report: &mut CaseReport) {
        report.checks = self.checks;
        report.updated = self.updated;
        report.verdict = match (&self.error, &self.refusal) {
            (Some(_), _) => Verdict::Error,
            (None, Some(_)) => Verdict::Failed,
            (None, None) if report.failures().next().is_some() => Verdict::Failed,
            (None, None) => Verdict::Passed,
        };
        report.error = self.error.is_some().then_some(CaseError::Request);
        report.reason = self.error.or(self.refusal);
    }
}

/// Says how the server refused a request that expects nothing in particular.
fn refusal(observation: &Observation) -> Option<String> {
    if let Some(error) = &observation.error {
        return Some(format!(
            "The server answered with an error: {} (code {}).",
            error.message,
            sightglass_requests::shown(&error.code)
        ));
    }
    let result = observation.result.as_ref()?;
    (result.get("isError") == Some(&true.into()))
        .then(|| "The tool answered with an error (isError).".to_owned())
}

fn read_snapshot(path: &std::path::Path) -> Result<Snapshot, String> {
    refuse_link(path).map_err(|error| error.to_string())?;
    let bytes = match sightglass_files::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.is_absence() => return Ok(Snapshot::default()),
        Err(error) => return Err(format!("{} cannot be read: {error}.", path.display())),
    };
    Snapshot::parse(&String::from_utf8_lossy(&bytes))
        .map_err(|reason| format!("{} is no snapshot: {reason}.", path.display()))
}
