//! Runs the steps of a sign-in, one after the other.
//!
//! Each step keeps what it found in [`Findings`], so that one can start again from any of
//! them. What is checked, and by which clause, is said where it is checked.

mod authorization;
mod callback;
mod discovery;
mod documented_tokens;
mod endpoints;
mod error;
mod findings;
mod guess;
mod identity_assertion;
mod identity_provider;
mod progress;
mod refusal;
mod registration;
mod token;
mod token_checks;

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use sightglass_http::Method;
use sightglass_model::Verdict;
use url::Url;

use crate::{
    AuthMode, AuthSettings, PermittedTarget, SignInPurpose, SignInRemedy, SignInRequest, StepKind,
    Target,
    http::{OauthRequest, OauthResponse, SignInClient},
    oauth::{challenge::Challenge, metadata::web_address},
    settings::addresses,
    state::AuthState,
};
pub use callback::BROWSER_TIMEOUT;
pub(crate) use error::SignInError;
pub(crate) use findings::Findings;
use findings::{AuthorizationRequest, DiscoveredServer, ProtectedResource, RegisteredClient};
pub(crate) use progress::{SignInProgress, fresh};

/// One sign-in under way.
pub(crate) struct Flow {
    pub state: Arc<AuthState>,
    pub target: PermittedTarget,
    pub identity: String,
    pub purpose: SignInPurpose,
    /// The user asked for it and can be sent to the browser.
    pub is_attended: bool,
    pub settings: AuthSettings,
    pub request: SignInRequest,
    pub progress: Arc<SignInProgress>,
    pub findings: Findings,
    /// The user asked for a new client: the one that is known already does not do.
    register_anew: bool,
    http: SignInClient,
    /// The server's address, as HTTP has it.
    server: Url,
}

/// Input of a flow.
pub(crate) struct SignInInput {
    pub state: Arc<AuthState>,
    pub target: PermittedTarget,
    pub identity: String,
    pub purpose: SignInPurpose,
    pub request: SignInRequest,
    pub progress: Arc<SignInProgress>,
    pub from: StepKind,
    /// The user asked for it and can be sent to the browser.
    pub is_attended: bool,
}

/// Runs a sign-in to its end, and keeps what it found.
pub(crate) async fn run(input: SignInInput) -> Result<(), SignInError> {
    let from = match input.from {
        // Without the browser's request there is nothing to wait for.
        StepKind::Callback => StepKind::Authorization,
        step => step,
    };
    let progress = Arc::clone(&input.progress);
    let recorder = input.state.http.record(&input.target);
    progress.records_on(recorder.clone());
    let http = match input.state.http.client(&input.target, recorder.clone()) {
        Ok(http) => http,
        Err(message) => {
            let error = SignInError::failed(message, "Correct the server's entry.");
            progress.finish(from, Err(error.clone()));
            return Err(error);
        }
    };
    let register_anew = from == StepKind::Registration || input.request.registers_anew;
    let mut flow = Flow {
        settings: input.state.store.effective_settings(&input.target),
        state: input.state,
        target: input.target,
        identity: input.identity,
        purpose: input.purpose,
        is_attended: input.is_attended,
        request: input.request,
        findings: progress.findings().before(from),
        progress: Arc::clone(&progress),
        register_anew,
        server: web_address(http.server().clone()),
        http,
    };
    let mut reached = from;
    let outcome = flow.go(from, &mut reached).await;
    // Before the end is published: it may be restarted from the middle at once.
    progress.store_findings(flow.findings);
    progress.finish(reached, outcome.clone());
    recorder.ended();
    outcome
}

impl Flow {
    async fn go(&mut self, from: StepKind, reached: &mut StepKind) -> Result<(), SignInError> {
        for step in StepKind::ALL {
            // The callback belongs to the authorization: it listens before the browser opens.
            if step < from || step == StepKind::Callback {
                continue;
            }
            *reached = step;
            self.progress.begin(step);
            match step {
                StepKind::Challenge => self.challenge().await?,
                StepKind::ResourceMetadata => self.resource_metadata().await?,
                StepKind::ServerMetadata => self.server_metadata().await?,
                StepKind::Registration => self.registration().await?,
                StepKind::Authorization => self.authorization(reached).await?,
                StepKind::Callback => {}
                StepKind::Token => self.token().await?,
                StepKind::Retry => self.retry().await?,
            }
        }
        Ok(())
    }

    /// Returns true when the user signs in at the authorization server in the browser.
    fn is_interactive(&self) -> bool {
        matches!(self.purpose, SignInPurpose::SignIn | SignInPurpose::StepUp)
    }

    /// Returns true when the user takes part in the browser, there or at the identity provider.
    fn has_user(&self) -> bool {
        self.is_interactive() || self.signs_in_at_provider()
    }

    async fn challenge(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Challenge;
        if let Some(known) = self
            .state
            .challenges
            .challenge_at(&self.target.server, &self.server)
        {
            self.progress.pause_before(step).await?;
            self.findings.challenge = Some(known);
        } else {
            self.probe().await?;
        }
        let Some(challenge) = &self.findings.challenge else {
            self.progress
                .done(step, "The server answered without a sign-in.");
            return Ok(());
        };
        let header = challenge.header.as_deref().unwrap_or("none");
        let bearer = challenge.bearer();
        self.progress.check(
            step,
            verdict_of(bearer.is_some()),
            "WWW-Authenticate",
            "a Bearer challenge",
            header,
            crate::clause::challenge(),
        );
        let named = bearer
            .as_ref()
            .and_then(|bearer| bearer.resource_metadata.as_deref());
        self.progress.check(
            step,
            verdict_of(named.is_some()),
            "resource_metadata",
            "the address of the resource metadata",
            named.unwrap_or("none; the well-known places are tried"),
            crate::clause::challenge_metadata(),
        );
        if self.purpose == SignInPurpose::StepUp {
            self.check_step_up(challenge)?;
        }
        let words = challenge.view().message;
        self.progress.done(step, words);
        Ok(())
    }

    /// Refuses a step-up that would change nothing: the union of scopes is asked for once. A server that still wants the same after that
    /// would get the same token again.
    fn check_step_up(&self, challenge: &Challenge) -> Result<(), SignInError> {
        let (server, identity) = (&self.target.server, &self.identity);
        let Some(grant) = self.state.store.grant(server, identity) else {
            return Ok(());
        };
        let mut wanted = challenge.scopes().unwrap_or_default();
        wanted.extend(self.state.store.missing_scopes(server, identity, &grant));
        let granted = grant.scopes_granted;
        let has_all = !wanted.is_empty() && wanted.iter().all(|scope| granted.contains(scope));
        if !has_all {
            return Ok(());
        }
        Err(SignInError::refused(
            format!(
                "The server asks for {}, which the token already has. Asking again would change \
                 nothing: the account itself may lack the permission, or the server checks another \
                 claim.",
                wanted.join(" ")
            ),
            "Restart from the next step to sign in anyway.",
            crate::clause::insufficient_scope(),
        )
        .mended_by(SignInRemedy::SignOut))
    }

    /// Sends the server a harmless request, to get its challenge.
    async fn probe(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Challenge;
        let mut next = Some((
            probe_request(&self.target)?,
            "something harmless, without a token",
        ));
        while let Some((request, remark)) = next {
            let sent = self
                .progress
                .send(&self.http, step, request.clone(), remark)
                .await?;
            let answer = sent.map_err(|unanswered| {
                let hint = "Check that the server is running and that its address is right.";
                SignInError::no_response(unanswered, hint)
            })?;
            if matches!(answer.status, 401 | 403) {
                self.findings.challenge = Some(Challenge {
                    url: self.target.url.clone(),
                    status: answer.status,
                    header: answer.header("www-authenticate"),
                    peer: answer.peer,
                });
                return Ok(());
            }
            next = stream_request(&request, &answer)
                .map(|request| (request, "its stream, without a token"));
            if next.is_none() {
                self.progress.check(
                    step,
                    Verdict::Warning,
                    "status",
                    "401",
                    answer.status.to_string(),
                    crate::clause::challenge(),
                );
            }
        }
        Ok(())
    }

    async fn retry(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Retry;
        self.progress.pause_before(step).await?;
        self.state.challenges.forget(&self.target.server);
        let (store, server) = (&self.state.store, &self.target.server);
        if !store.is_chosen(server, &self.identity) || !self.has_user() {
            self.progress
                .skipped(step, "The next connection of this account uses the token.");
            return Ok(());
        }
        let server = self.target.server.clone();
        let reconnect = async {
            match self.state.reconnect.get() {
                Some(reconnect) => reconnect(server).await,
                None => Err("there is no connection".to_owned()),
            }
        };
        let outcome = tokio::select! {
            outcome = reconnect => outcome,
            () = self.progress.cancel.cancelled() => return Err(SignInError::Cancelled),
        };
        self.progress.check(
            step,
            match &outcome {
                Ok(_) => Verdict::Passed,
                Err(_) => Verdict::Failed,
            },
            "connection with the token",
            "the server accepts it",
            match &outcome {
                Ok(words) | Err(words) => words.clone(),
            },
            crate::clause::token_use(),
        );
        match outcome {
            Ok(words) => {
                self.progress.done(step, words);
                Ok(())
            }
            Err(words) => Err(SignInError::refused(
                format!("You are signed in, and the connection failed: {words}."),
                "Check the audience and the scopes of the token. The messages show what the server \
                 answered.",
                crate::clause::token_use(),
            )),
        }
    }

    /// An address that metadata or the user named, if it may be visited.
    fn visitable(&self, what: &str, address: &str) -> Result<Url, SignInError> {
        let url = Url::parse(address).map_err(|error| {
            SignInError::refused(
                format!("The {what} {address} is not a valid address: {error}."),
                self.remedy(
                    address,
                    "Ask the authorization server's operator, or enter the endpoint by hand under \
                     Settings, Sign-in, Client.",
                ),
                crate::clause::server_metadata(),
            )
        })?;
        if !is_plainly_spelled(address, &url) {
            let remedy = self.remedy(
                address,
                "Ask the authorization server's operator to correct it.",
            );
            return Err(SignInError::refused(
                format!(
                    "The {what} {address} is refused: it is spelled so that it can be taken for \
                     another's."
                ),
                format!(
                    "An address here has no user name, blank, backslash or letter beyond ASCII \
                     (RFC 3986). {remedy}"
                ),
                crate::clause::server_metadata(),
            ));
        }
        self.http.may_visit(&url).map_err(|refused| {
            SignInError::refused(
                format!("The {what} {address} is refused. {}", refused.message),
                self.remedy(
                    address,
                    "Ask the server's operator, or enter the endpoint by hand under Sign-in, \
                     Client.",
                ),
                crate::clause::refused_address(refused.reason),
            )
        })?;
        Ok(url)
    }

    /// Returns what to do about an address that is refused: this, or for one of the settings that
    /// it can be corrected there.
    fn remedy(&self, address: &str, of_metadata: &str) -> String {
        let mut settings = self.settings.clone();
        let is_entered = addresses(&mut settings)
            .iter()
            .any(|(_, entered)| entered.as_deref() == Some(address));
        if is_entered {
            "Ask the authorization server's operator for the right one, or correct it under \
             Sign-in, Client."
                .to_owned()
        } else {
            of_metadata.to_owned()
        }
    }
}

/// A request that does nothing on any server: a ping, or the input of a WebSocket.
pub(crate) fn probe_request(target: &Target) -> Result<OauthRequest, SignInError> {
    let server = Url::parse(&target.url).map_err(|error| {
        let message = format!("The server's address is invalid: {error}.");
        SignInError::failed(message, "Correct the server's entry.")
    })?;
    let mut request = if matches!(server.scheme(), "ws" | "wss") {
        // Any sixteen bytes that were not used before (RFC 6455, section 4.1).
        let random = oauth2::CsrfToken::new_random();
        let key = STANDARD.encode(&random.secret().as_bytes()[..16]);
        OauthRequest::get(web_address(server))
            .with_header("connection", "Upgrade")
            .with_header("upgrade", "websocket")
            .with_header("sec-websocket-version", "13")
            .with_header("sec-websocket-protocol", "mcp")
            .with_header("sec-websocket-key", &key)
    } else {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_owned();
        OauthRequest::post_json(server, body)
            .with_header("accept", "application/json, text/event-stream")
    };
    // The user chose this address; the rules for addresses from metadata are not for it.
    request.is_to_server = true;
    for (name, value) in &target.headers {
        request = request.with_header(name, value.expose());
    }
    Ok(request)
}

/// Returns the request to send after a probe that says nothing about access: an older server takes
/// no messages at this address, and says so before it looks at anything. It opens its stream there.
pub(crate) fn stream_request(probe: &OauthRequest, answer: &OauthResponse) -> Option<OauthRequest> {
    if probe.body.is_none() || !matches!(answer.status, 404 | 405) {
        return None;
    }
    let mut request = OauthRequest {
        method: Method::GET,
        body: None,
        ..probe.clone()
    }
    .with_header("accept", "text/event-stream");
    request.headers.retain(|(name, _)| name != "content-type");
    Some(request)
}

/// Returns the purpose of a sign-in of this kind.
pub(crate) fn purpose_of(mode: AuthMode, is_step_up: bool) -> SignInPurpose {
    match mode {
        AuthMode::ClientCredentials => SignInPurpose::ClientCredentials,
        AuthMode::Enterprise => SignInPurpose::Enterprise,
        AuthMode::Workload => SignInPurpose::Workload,
        _ if is_step_up => SignInPurpose::StepUp,
        _ => SignInPurpose::SignIn,
    }
}

fn verdict_of(holds: bool) -> Verdict {
    if holds {
        Verdict::Passed
    } else {
        Verdict::Warning
    }
}

/// Returns true when an address shows its host as a person reads it. Parsers of the web accept
/// more: blanks and a name before an `@`, backslashes, and letters that look like others.
fn is_plainly_spelled(address: &str, url: &Url) -> bool {
    let is_plain = |character: char| character.is_ascii_graphic() && character != '\\';
    address.chars().all(is_plain) && url.username().is_empty() && url.password().is_none()
}
