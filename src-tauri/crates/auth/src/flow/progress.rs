//! Tracks one sign-in for its observers: its steps, and the means to pause, edit, continue, answer
//! and cancel.

use std::{
    sync::{Arc, Mutex, OnceLock},
    time::Instant,
};

use sightglass_model::{Clause, Timestamp, Verdict, lock};
use sightglass_secrets::Secret;
use sightglass_traffic::ConnectionRecorder;
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{Findings, SignInError};
use crate::{
    AuthError, EndpointQuestion, IssuerQuestion, RequestDraft, SignInFailure, SignInPurpose,
    SignInRemedy, SignInState, SignInView, StepExchange, StepKind, StepState, StepView, clause,
    http::{ExchangeError, OauthRequest, OauthResponse, SignInClient},
    view::compared,
};

/// Place of the settings in the window, as hints name it at the beginning of a sentence or within
/// one.
const SETTINGS: &str = "nder Sign-in, Client";

/// A sign-in that runs, or ran.
pub(crate) struct SignInProgress {
    view: Mutex<SignInView>,
    /// Findings so far, for a restart from the middle.
    findings: Mutex<Findings>,
    began: Mutex<[Option<Instant>; StepKind::ALL.len()]>,
    started: Instant,
    on_change: Box<dyn Fn() + Send + Sync>,
    pub cancel: CancellationToken,
    go_on: Notify,
    agreed: Notify,
    edited: Mutex<Option<RequestDraft>>,
    /// The `state` of the answer that is awaited.
    awaited: Mutex<Option<Secret<String>>>,
    pasted: mpsc::Sender<Url>,
    pub answers: tokio::sync::Mutex<mpsc::Receiver<Url>>,
    /// Record of the requests, whose redactor knows the secrets.
    recorder: OnceLock<ConnectionRecorder>,
}

impl SignInProgress {
    /// Makes the progress of a sign-in that begins with these findings of an earlier one.
    pub fn new(
        view: SignInView,
        findings: Findings,
        on_change: impl Fn() + Send + Sync + 'static,
    ) -> Arc<Self> {
        let (pasted, answers) = mpsc::channel(4);
        Arc::new(Self {
            view: Mutex::new(view),
            findings: Mutex::new(findings),
            began: Mutex::default(),
            started: Instant::now(),
            on_change: Box::new(on_change),
            cancel: CancellationToken::new(),
            go_on: Notify::new(),
            agreed: Notify::new(),
            edited: Mutex::default(),
            awaited: Mutex::default(),
            pasted,
            answers: tokio::sync::Mutex::new(answers),
            recorder: OnceLock::new(),
        })
    }

    /// Returns the place where the requests are recorded. What is masked there is masked here too.
    pub fn records_on(&self, recorder: ConnectionRecorder) {
        // A sign-in has one record.
        let _ = self.recorder.set(recorder);
    }

    /// A text about the sign-in with every secret masked that it came upon.
    pub fn masked(&self, text: String) -> String {
        match self.recorder.get() {
            Some(recorder) => recorder.masked(&text),
            None => text,
        }
    }

    pub fn findings(&self) -> Findings {
        lock(&self.findings).clone()
    }

    pub fn store_findings(&self, findings: Findings) {
        *lock(&self.findings) = findings;
    }

    pub fn view(&self) -> SignInView {
        lock(&self.view).clone()
    }

    pub fn is_over(&self) -> bool {
        lock(&self.view).state.is_over()
    }

    /// Changes what is seen, and tells.
    pub fn change(&self, change: impl FnOnce(&mut SignInView)) {
        change(&mut lock(&self.view));
        (self.on_change)();
    }

    pub fn state(&self, state: SignInState) {
        self.change(|view| view.state = state);
    }

    fn step(&self, step: StepKind, change: impl FnOnce(&mut StepView)) {
        self.change(|view| {
            if let Some(seen) = view.steps.iter_mut().find(|seen| seen.step == step) {
                change(seen);
            }
        });
    }

    /// A step begins. Steps that send nothing pause here.
    pub fn begin(&self, step: StepKind) {
        lock(&self.began)[step as usize] = Some(Instant::now());
        self.step(step, |seen| {
            *seen = StepView {
                state: StepState::Running,
                started: Some(Timestamp::now()),
                ..pending(step)
            };
        });
    }

    pub fn done(&self, step: StepKind, summary: impl Into<String>) {
        self.end(step, StepState::Done, summary.into());
    }

    /// A step is over, and what it came to is a guess.
    pub fn guessed(&self, step: StepKind, summary: impl Into<String>) {
        self.end(step, StepState::Guessed, summary.into());
    }

    pub fn skipped(&self, step: StepKind, summary: impl Into<String>) {
        self.end(step, StepState::Skipped, summary.into());
    }

    fn end(&self, step: StepKind, state: StepState, summary: String) {
        let duration = lock(&self.began)[step as usize].map(|began| began.elapsed().into());
        let summary = self.masked(summary);
        self.step(step, |seen| {
            seen.state = state;
            seen.duration = duration;
            seen.summary = Some(summary);
            seen.draft = None;
        });
    }

    /// The sign-in is over.
    pub fn finish(&self, step: StepKind, outcome: Result<(), SignInError>) {
        let mut question = None;
        let (state, failure) = match outcome {
            Ok(()) => (SignInState::Succeeded, None),
            Err(SignInError::IssuerNotAgreed(asked)) => {
                let message = asked.message();
                self.end(step, StepState::Failed, message.clone());
                let failure = SignInFailure {
                    step,
                    message,
                    hint: asked.hint().to_owned(),
                    clause: Some(clause::issuer_binding()),
                    remedy: Some(SignInRemedy::Issuer(asked.issuer.clone())),
                    wants_token: false,
                };
                question = Some(asked);
                (SignInState::Failed, Some(failure))
            }
            Err(SignInError::Cancelled) => {
                self.end(step, StepState::Skipped, "Cancelled".to_owned());
                (SignInState::Cancelled, None)
            }
            Err(SignInError::Failed {
                message,
                hint,
                clause,
                remedy,
                wants_token,
            }) => {
                let (message, hint) = (self.masked(message), self.masked(hint));
                let remedy = match remedy {
                    Some(remedy) => Some(remedy.rewritten(|text| self.masked(text))),
                    None if hint.contains(SETTINGS) => Some(SignInRemedy::Settings),
                    None => None,
                };
                self.end(step, StepState::Failed, message.clone());
                let failure = SignInFailure {
                    step,
                    message,
                    hint,
                    clause,
                    remedy,
                    wants_token,
                };
                (SignInState::Failed, Some(failure))
            }
        };
        self.change(|view| {
            view.state = state;
            view.failure = failure;
            view.issuer_question = question;
            view.endpoint_question = None;
            view.duration = Some(self.started.elapsed().into());
            view.deadline = None;
        });
    }

    pub fn check(
        &self,
        step: StepKind,
        verdict: Verdict,
        subject: &str,
        expected: impl Into<String>,
        actual: impl Into<String>,
        clause: Clause,
    ) {
        let expected = self.masked(expected.into());
        let actual = self.masked(actual.into());
        let check = compared(subject, verdict, expected, actual, clause);
        self.step(step, |seen| seen.checks.push(check));
    }

    /// Records the outcome of a check and refuses to go on where it failed.
    pub fn require(&self, step: StepKind, requirement: Requirement) -> Result<(), SignInError> {
        let verdict = if requirement.holds {
            Verdict::Passed
        } else {
            Verdict::Failed
        };
        self.check(
            step,
            verdict,
            requirement.subject,
            requirement.expected,
            requirement.actual,
            requirement.clause.clone(),
        );
        if requirement.holds {
            return Ok(());
        }
        Err(SignInError::refused(
            requirement.message,
            requirement.hint,
            requirement.clause,
        ))
    }

    /// The statuses that the requests of a step were answered with; absent where none came.
    pub fn statuses(&self, step: StepKind) -> Vec<Option<u16>> {
        let view = lock(&self.view);
        let steps = view.steps.iter().filter(|seen| seen.step == step);
        steps
            .flat_map(|seen| &seen.exchanges)
            .map(|exchange| exchange.status)
            .collect()
    }

    /// Returns the first request of a step that was answered with neither a document nor that there
    /// is none, and the status: something stands before the document, or breaks it.
    pub fn broken_answer(&self, step: StepKind) -> Option<(String, u16)> {
        let view = lock(&self.view);
        let mut exchanges = view
            .steps
            .iter()
            .filter(|seen| seen.step == step)
            .flat_map(|seen| &seen.exchanges);
        exchanges.find_map(|exchange| match exchange.status {
            None | Some(..=399 | 404 | 405 | 410) => None,
            Some(status) => Some((exchange.url.clone(), status)),
        })
    }

    /// Returns true when an answer to the requests of a step was used.
    pub fn has_chosen(&self, step: StepKind) -> bool {
        let view = lock(&self.view);
        let mut steps = view.steps.iter().filter(|seen| seen.step == step);
        steps.any(|seen| seen.exchanges.iter().any(|exchange| exchange.chosen))
    }

    /// Marks the last exchange of a step as the one that was used.
    pub fn chosen(&self, step: StepKind) {
        self.step(step, |seen| {
            if let Some(last) = seen.exchanges.last_mut() {
                last.chosen = true;
            }
        });
    }

    /// Adds to the last exchange's remark.
    pub fn remark(&self, step: StepKind, words: &str) {
        let words = self.masked(words.to_owned());
        self.step(step, |seen| {
            if let Some(last) = seen.exchanges.last_mut() {
                last.remark = Some(match last.remark.take() {
                    Some(remark) => format!("{remark}: {words}"),
                    None => words.clone(),
                });
            }
        });
    }

    /// An exchange of a step, or news of one.
    pub fn exchange(&self, step: StepKind, exchange: StepExchange) {
        self.step(step, |seen| exchange.record_in(&mut seen.exchanges));
    }

    /// Sends a request of a step, after the pause that may be set before it.
    ///
    /// # Errors
    /// The outer error ends the sign-in, the inner one is the network's.
    pub async fn send(
        &self,
        http: &SignInClient,
        step: StepKind,
        outgoing: OauthRequest,
        remark: &str,
    ) -> Result<Result<OauthResponse, ExchangeError>, SignInError> {
        let outgoing = self.pause(step, outgoing).await?;
        let sending = http.send(outgoing, remark, |exchange| self.exchange(step, exchange));
        tokio::select! {
            answered = sending => Ok(answered),
            () = self.cancel.cancelled() => Err(SignInError::Cancelled),
        }
    }

    /// Waits where a pause is set before this step, and gives back the request as edited.
    pub async fn pause(
        &self,
        step: StepKind,
        outgoing: OauthRequest,
    ) -> Result<OauthRequest, SignInError> {
        let draft = outgoing.draft();
        match self.wait_for_user(step, Some(draft)).await? {
            Some(edited) => outgoing
                .edited(edited)
                .map_err(|words| SignInError::failed(words, "Restart from this step.")),
            None => Ok(outgoing),
        }
    }

    /// Waits before a step that sends nothing itself.
    pub async fn pause_before(&self, step: StepKind) -> Result<(), SignInError> {
        self.wait_for_user(step, None).await.map(drop)
    }

    async fn wait_for_user(
        &self,
        step: StepKind,
        draft: Option<RequestDraft>,
    ) -> Result<Option<RequestDraft>, SignInError> {
        if self.cancel.is_cancelled() {
            return Err(SignInError::Cancelled);
        }
        let wanted = {
            let view = lock(&self.view);
            let untouched = view
                .steps
                .iter()
                .any(|seen| seen.step == step && seen.exchanges.is_empty());
            untouched && view.pauses.contains(&step)
        };
        if !wanted {
            return Ok(None);
        }
        lock(&self.edited).take();
        self.change(|view| {
            view.state = SignInState::Paused;
            // A pause is made once; the next one is set when going on.
            view.pauses.retain(|pause| *pause != step);
            if let Some(seen) = view.steps.iter_mut().find(|seen| seen.step == step) {
                seen.state = StepState::Paused;
                seen.draft = draft;
            }
        });
        tokio::select! {
            () = self.go_on.notified() => {}
            () = self.cancel.cancelled() => return Err(SignInError::Cancelled),
        }
        lock(&self.began)[step as usize] = Some(Instant::now());
        self.change(|view| {
            view.state = SignInState::Running;
            if let Some(seen) = view.steps.iter_mut().find(|seen| seen.step == step) {
                seen.state = StepState::Running;
                seen.draft = None;
            }
        });
        Ok(lock(&self.edited).take())
    }

    /// Asks whether what was entered may go to this authorization server, and waits for the user.
    pub async fn ask_about_issuer(&self, question: IssuerQuestion) -> Result<(), SignInError> {
        self.ask(|view| view.issuer_question = Some(question)).await
    }

    /// Asks whether the code of one origin may go to another, and waits for the user.
    pub async fn ask_about_endpoints(&self, question: EndpointQuestion) -> Result<(), SignInError> {
        self.ask(|view| view.endpoint_question = Some(question))
            .await
    }

    async fn ask(&self, question: impl FnOnce(&mut SignInView)) -> Result<(), SignInError> {
        self.change(|view| {
            question(view);
            view.state = SignInState::WaitingForAgreement;
        });
        let outcome = tokio::select! {
            () = self.agreed.notified() => Ok(()),
            () = self.cancel.cancelled() => Err(SignInError::Cancelled),
        };
        self.change(|view| {
            if outcome.is_ok() {
                view.state = SignInState::Running;
            }
            view.issuer_question = None;
            view.endpoint_question = None;
        });
        outcome
    }

    /// The user agreed to the authorization server that was asked about.
    pub fn agree_to_issuer(&self) {
        self.answer(|view| view.issuer_question.take().is_some());
    }

    /// The user agreed to the origins that were asked about.
    pub fn agree_to_endpoints(&self) {
        self.answer(|view| view.endpoint_question.take().is_some());
    }

    /// Takes a question back, and goes on where it was waited for.
    fn answer(&self, take: impl FnOnce(&mut SignInView) -> bool) {
        let mut is_waiting = false;
        self.change(|view| {
            is_waiting = take(view) && view.state == SignInState::WaitingForAgreement;
            if is_waiting {
                view.state = SignInState::Running;
            }
        });
        if is_waiting {
            self.agreed.notify_one();
        }
    }

    /// Sets the steps to pause before; false when it is over.
    pub fn set_pauses(&self, pauses: Vec<StepKind>) -> bool {
        if self.is_over() {
            return false;
        }
        self.change(|view| view.pauses = pauses);
        true
    }

    /// Ends a pause; false when there is none.
    pub fn go_on(&self, edited: Option<RequestDraft>, pauses: Vec<StepKind>) -> bool {
        let mut view = lock(&self.view);
        if view.state != SignInState::Paused {
            return false;
        }
        view.pauses = pauses;
        drop(view);
        *lock(&self.edited) = edited;
        self.go_on.notify_one();
        true
    }

    /// Sets the `state` of the response that is awaited.
    pub fn awaits(&self, state: Secret<String>) {
        *lock(&self.awaited) = Some(state);
    }

    /// Returns true when this is the answer that is awaited. One that is not belongs to another
    /// sign-in, or another program made it up: it is noted among the checks, once however often it
    /// comes, and the waiting goes on.
    pub fn is_awaited(&self, address: &Url) -> bool {
        let actual = parameter(address, "state");
        if actual.is_some()
            && actual
                == lock(&self.awaited)
                    .as_ref()
                    .map(|state| state.expose().clone())
        {
            return true;
        }
        let actual = match actual {
            Some(_) => "another one, so the answer was not used",
            None => "none, so the answer was not used",
        };
        let expected = "the one that was sent";
        let check = compared("state", Verdict::Failed, expected, actual, clause::state());
        // Any program on this machine can send a thousand of these a second.
        let is_news = {
            let mut view = lock(&self.view);
            let callback = &mut view.steps[StepKind::Callback as usize];
            let is_news = !callback.checks.contains(&check);
            if is_news {
                callback.checks.push(check);
                callback.summary = Some(OTHER_RESPONSE.to_owned());
            }
            is_news
        };
        if is_news {
            (self.on_change)();
        }
        false
    }

    /// Hands over the address that the browser was sent back to.
    pub fn paste(&self, address: Url) -> Result<(), AuthError> {
        let waiting = matches!(
            lock(&self.view).state,
            SignInState::WaitingForBrowser | SignInState::WaitingForPaste
        );
        if !waiting {
            return Err(AuthError::NotUnderWay);
        }
        if !self.is_awaited(&address) {
            return Err(AuthError::Invalid(
                "This address does not belong to this sign-in: its `state` is another. Copy the \
                 final address of the tab that this sign-in opened."
                    .to_owned(),
            ));
        }
        self.pasted
            .try_send(address)
            .map_err(|_| AuthError::NotUnderWay)
    }
}

/// Message while the waiting goes on after an answer that was not ours.
const OTHER_RESPONSE: &str = "An answer with another `state` came, from another sign-in or \
                              another program. It was not used; still waiting";

/// A parameter of an address. Of one that stands there twice none counts (RFC 6749, section
/// 3.1): it is empty.
pub(crate) fn parameter(address: &Url, name: &str) -> Option<String> {
    let mut values = address
        .query_pairs()
        .filter(|(known, _)| known == name)
        .map(|(_, value)| value.into_owned());
    let value = values.next()?;
    Some(values.next().map_or(value, |_| String::new()))
}

/// One check on which the sign-in depends.
pub(crate) struct Requirement {
    pub holds: bool,
    pub subject: &'static str,
    pub expected: String,
    pub actual: String,
    pub clause: Clause,
    /// Message where it does not hold.
    pub message: String,
    pub hint: String,
}

/// A sign-in of which nothing has happened yet.
pub(crate) fn fresh(id: u32, identity: &str, purpose: SignInPurpose) -> SignInView {
    SignInView {
        id,
        identity: identity.to_owned(),
        purpose,
        started: Timestamp::now(),
        duration: None,
        state: SignInState::Running,
        steps: StepKind::ALL.into_iter().map(pending).collect(),
        pauses: Vec::new(),
        address: None,
        redirect_uri: None,
        deadline: None,
        manual: false,
        client: None,
        issuer_question: None,
        endpoint_question: None,
        failure: None,
    }
}

fn pending(step: StepKind) -> StepView {
    StepView {
        step,
        state: StepState::Pending,
        started: None,
        duration: None,
        summary: None,
        exchanges: Vec::new(),
        checks: Vec::new(),
        draft: None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn answers_that_are_made_up_are_told_once_however_many_come() {
        let told = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&told);
        let view = fresh(1, "default", SignInPurpose::SignIn);
        let progress = SignInProgress::new(view, Findings::default(), move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        progress.awaits(Secret::new("right".to_owned()));
        let address = |query: &str| -> Url {
            let address = format!("http://127.0.0.1:1/callback?{query}");
            address.parse().expect("an address")
        };
        for number in 0..1000 {
            assert!(!progress.is_awaited(&address(&format!("code=c&state={number}"))));
            assert!(!progress.is_awaited(&address("code=c")));
        }
        assert_eq!(told.load(Ordering::Relaxed), 2);
        let steps = progress.view().steps;
        assert_eq!(steps[StepKind::Callback as usize].checks.len(), 2);
        assert!(progress.is_awaited(&address("code=c&state=right")));
    }
}
