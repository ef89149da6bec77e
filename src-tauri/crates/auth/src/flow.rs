//! The steps of a sign-in, one after the other.
//!
//! Each step keeps what it found in [`Findings`], so that one can start again from any of
//! them. What is checked, and by which clause, is said where it is checked.

mod authorization;
mod discovery;
mod identity_assertion;
mod registration;
mod token;
mod token_checks;
mod token_response;

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use sightglass_secrets::Secret;
use url::Url;

use crate::{
    AuthMode, AuthSettings, SignInPurpose, SignInRequest, StepKind, Target,
    challenge::Challenge,
    client::Client,
    http::{HttpClient, HttpRequest, HttpResponse},
    metadata::{ServerMetadata, web_address},
    progress::SignInProgress,
    sign_in_error::SignInError,
    sign_ins::AuthState,
    token::Tokens,
};
pub(crate) use token::{refresh_form, token_request};
pub(crate) use token_response::read_token_response;

/// Findings of the steps so far.
#[derive(Clone, Default)]
pub(crate) struct Findings {
    pub challenge: Option<Challenge>,
    pub resource: Option<ProtectedResource>,
    pub server: Option<ServerMetadata>,
    pub client: Option<RegisteredClient>,
    pub authorization: Option<AuthorizationRequest>,
    pub code: Option<Secret<String>>,
    pub tokens: Option<Tokens>,
}

/// The protected resource.
#[derive(Clone)]
pub(crate) struct ProtectedResource {
    /// As the token is asked for (RFC 8707).
    pub resource: String,
    /// Absent: the authorization server is the server itself (MCP 2025-03-26).
    pub issuer: Option<String>,
    pub scopes: Option<Vec<String>>,
}

#[derive(Clone)]
pub(crate) struct RegisteredClient {
    pub client: Client,
    pub redirect_uri: Option<String>,
}

/// Parameters that the browser was sent out with.
#[derive(Clone)]
pub(crate) struct AuthorizationRequest {
    pub state: Secret<String>,
    pub verifier: Secret<String>,
    pub redirect_uri: String,
    pub scopes: Vec<String>,
}

impl Findings {
    /// Without what this step and those after it found.
    fn before(mut self, step: StepKind) -> Self {
        if step <= StepKind::Challenge {
            self.challenge = None;
        }
        if step <= StepKind::ResourceMetadata {
            self.resource = None;
        }
        if step <= StepKind::ServerMetadata {
            self.server = None;
        }
        if step <= StepKind::Registration {
            self.client = None;
        }
        if step <= StepKind::Callback {
            self.authorization = None;
            self.code = None;
        }
        if step <= StepKind::Token {
            self.tokens = None;
        }
        self
    }
}

/// One sign-in under way.
pub(crate) struct Flow {
    pub shared: Arc<AuthState>,
    pub target: Target,
    pub identity: String,
    pub purpose: SignInPurpose,
    pub settings: AuthSettings,
    pub request: SignInRequest,
    pub progress: Arc<SignInProgress>,
    pub findings: Findings,
    /// A person asked for this very step: what is known already does not do.
    register_anew: bool,
    web: HttpClient,
    /// The server's address, as HTTP has it.
    server: Url,
}

/// Input of a flow.
pub(crate) struct SignInInput {
    pub shared: Arc<AuthState>,
    pub target: Target,
    pub identity: String,
    pub purpose: SignInPurpose,
    pub request: SignInRequest,
    pub progress: Arc<SignInProgress>,
    pub findings: Findings,
    pub from: StepKind,
}

/// Runs a sign-in to its end, and keeps what it found.
pub(crate) async fn run(beginning: SignInInput) -> Result<(), SignInError> {
    let from = match beginning.from {
        // Without the browser's request there is nothing to wait for.
        StepKind::Callback => StepKind::Authorization,
        step => step,
    };
    let progress = Arc::clone(&beginning.progress);
    let tape = beginning.shared.options.recorder.start_connection(
        beginning.target.server.clone(),
        &beginning.target.name,
        beginning.target.redactor(),
    );
    progress.records_on(tape.clone());
    let web = match Url::parse(&beginning.target.url) {
        Ok(server) => {
            let http = &beginning.shared.options.http;
            HttpClient::new(
                server.clone(),
                beginning.shared.reached(&beginning.target),
                &beginning.target.trust,
                &**http,
                tape.clone(),
            )
            .map(|web| (web, server))
        }
        Err(error) => Err(format!("The server's address is not one: {error}.")),
    };
    let (web, server) = match web {
        Ok(found) => found,
        Err(message) => {
            let halt = SignInError::failed(message, "Correct the server's entry.");
            progress.finish(from, Err(halt.clone()));
            return Err(halt);
        }
    };
    let mut flow = Flow {
        settings: beginning.shared.effective_settings(&beginning.target),
        shared: beginning.shared,
        target: beginning.target,
        identity: beginning.identity,
        purpose: beginning.purpose,
        request: beginning.request,
        findings: beginning.findings.before(from),
        progress: Arc::clone(&progress),
        register_anew: from == StepKind::Registration,
        web,
        server: web_address(server),
    };
    let mut reached = from;
    let outcome = flow.go(from, &mut reached).await;
    // Before the end is told: whoever hears of it may do it again from the middle at once.
    flow.shared
        .keep_findings(&flow.target.server, &progress, flow.findings);
    progress.finish(reached, outcome.clone());
    tape.ended();
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

    /// Returns true when a person takes part in the browser.
    fn is_interactive(&self) -> bool {
        matches!(self.purpose, SignInPurpose::SignIn | SignInPurpose::StepUp)
    }

    async fn challenge(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Challenge;
        if let Some(known) = self.shared.challenge_of(&self.target.server, &self.server) {
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

    /// The union of scopes is asked for once. A server that still wants the same after that
    /// would get the same token again.
    fn check_step_up(&self, challenge: &Challenge) -> Result<(), SignInError> {
        let (server, identity) = (&self.target.server, &self.identity);
        let Some(grant) = self.shared.grant(server, identity) else {
            return Ok(());
        };
        let mut wanted = challenge.scopes().unwrap_or_default();
        wanted.extend(self.shared.missing_scopes(server, identity, &grant));
        let granted = grant.scopes_granted;
        let has_all = !wanted.is_empty() && wanted.iter().all(|scope| granted.contains(scope));
        if !has_all {
            return Ok(());
        }
        Err(SignInError::refused(
            format!(
                "The server asks for {}, and the token has it already. Asking again would change \
                 nothing.",
                wanted.join(" ")
            ),
            "The account may lack the permission itself, or the server looks at another claim than \
             it asks for. Restart from the next step to sign in all the same.",
            crate::clause::insufficient_scope(),
        ))
    }

    /// Asks the server for something harmless, to see how it refuses.
    async fn probe(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Challenge;
        let mut next = Some((
            probe_request(&self.target)?,
            "something harmless, without a token",
        ));
        while let Some((request, remark)) = next {
            let sent = self
                .progress
                .send(&self.web, step, request.clone(), remark)
                .await?;
            let answer = sent.map_err(|unanswered| {
                let hint = "Check that the server runs and that its address is right.";
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
                    crate::CheckVerdict::Warned,
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
        self.shared.forget_challenge(&self.target.server);
        if !self.shared.is_chosen(&self.target.server, &self.identity) || !self.is_interactive() {
            self.progress
                .skipped(step, "The next connection of this identity uses the token.");
            return Ok(());
        }
        let reconnect = (self.shared.options.reconnect)(self.target.server.clone());
        let outcome = tokio::select! {
            outcome = reconnect => outcome,
            () = self.progress.cancel.cancelled() => return Err(SignInError::Cancelled),
        };
        self.progress.check(
            step,
            match &outcome {
                Ok(_) => crate::CheckVerdict::Passed,
                Err(_) => crate::CheckVerdict::Failed,
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
                "Look at the token in the token lab: its audience and scopes say what it is good \
                 for. The traffic shows what the server answered.",
                crate::clause::token_use(),
            )),
        }
    }
}

/// A request that does nothing on any server: a ping, or the beginning of a WebSocket.
pub(crate) fn probe_request(target: &Target) -> Result<HttpRequest, SignInError> {
    let server = Url::parse(&target.url).map_err(|error| {
        let message = format!("The server's address is not one: {error}.");
        SignInError::failed(message, "Correct the server's entry.")
    })?;
    let mut request = if matches!(server.scheme(), "ws" | "wss") {
        // Any sixteen bytes that nobody used before (RFC 6455, section 4.1).
        let random = oauth2::CsrfToken::new_random();
        let key = STANDARD.encode(&random.secret().as_bytes()[..16]);
        HttpRequest::get(web_address(server))
            .with_header("connection", "Upgrade")
            .with_header("upgrade", "websocket")
            .with_header("sec-websocket-version", "13")
            .with_header("sec-websocket-protocol", "mcp")
            .with_header("sec-websocket-key", &key)
    } else {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_owned();
        HttpRequest::post_json(server, body)
            .with_header("accept", "application/json, text/event-stream")
    };
    // The person chose this address; the rules for addresses from metadata are not for it.
    request.is_to_server = true;
    for (name, value) in &target.headers {
        request = request.with_header(name, value.expose());
    }
    Ok(request)
}

/// Returns the request to send after a probe that says nothing about access: an older server takes
/// no messages at this address, and says so before it looks at anything. It opens its stream there.
pub(crate) fn stream_request(probe: &HttpRequest, answer: &HttpResponse) -> Option<HttpRequest> {
    if probe.body.is_none() || !matches!(answer.status, 404 | 405) {
        return None;
    }
    let mut request = HttpRequest {
        method: reqwest::Method::GET,
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

fn verdict_of(holds: bool) -> crate::CheckVerdict {
    if holds {
        crate::CheckVerdict::Passed
    } else {
        crate::CheckVerdict::Warned
    }
}

/// An address that metadata or a person named, if it may be visited.
fn visitable(what: &str, address: &str, web: &HttpClient) -> Result<Url, SignInError> {
    let url = Url::parse(address).map_err(|error| {
        SignInError::refused(
            format!("The {what} {address} is not an address: {error}."),
            "Tell whoever runs the authorization server, or enter the endpoint by hand.",
            crate::clause::server_metadata(),
        )
    })?;
    web.may_visit(&url).map_err(|unanswered| {
        SignInError::refused(
            format!("The {what} {address} is refused. {}", unanswered.message),
            "Tell whoever runs the server, or enter the endpoint by hand.",
            unanswered.clause.unwrap_or_else(crate::clause::scheme),
        )
    })?;
    Ok(url)
}
