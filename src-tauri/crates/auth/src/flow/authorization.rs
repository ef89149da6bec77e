//! Sends the user to the authorization server, and checks the response (RFC 6749,
//! section 4.1; RFC 7636; RFC 8707; RFC 9207).

use std::sync::Arc;

use oauth2::{CsrfToken, PkceCodeChallenge};
use sightglass_model::{Timestamp, Verdict};
use sightglass_secrets::{Secret, mask_url_parameters};
use url::Url;

use super::{
    AuthorizationRequest, Flow, SignInError,
    callback::{BrowserResponse, Callback, ResponseCheck},
    progress::{Requirement, SignInProgress, parameter},
    refusal::RequestedAccess,
};
use crate::{
    AuthorizationParameter, SignInPurpose, SignInRemedy, SignInState, StepKind, clause,
    http::OauthRequest,
    oauth::{
        metadata::{Described, ServerMetadata, canonical, described},
        parameters::check_parameters,
    },
    view::wider_words,
};

/// Port of the redirect URI where the browser cannot reach this program and the user pastes the
/// address.
const MANUAL_PORT: u16 = 33418;

impl Flow {
    /// The steps `authorization` and `callback`: the callback listens before the browser goes.
    pub(super) async fn authorization(
        &mut self,
        reached: &mut StepKind,
    ) -> Result<(), SignInError> {
        if !self.has_user() {
            let words = "This kind of sign-in needs no browser";
            self.progress.skipped(StepKind::Authorization, words);
            self.progress.begin(StepKind::Callback);
            self.progress.skipped(StepKind::Callback, words);
            *reached = StepKind::Callback;
            return Ok(());
        }
        let metadata = if self.is_interactive() {
            self.metadata()?.clone()
        } else {
            self.provider()?.clone()
        };
        let callback = self.listen().await?;
        let redirect_uri = match &callback {
            Some(callback) => callback.redirect_uri(),
            None => self.manual_redirect_uri()?,
        };
        let address = if self.is_interactive() {
            self.request_address(&metadata, &redirect_uri)?
        } else {
            self.provider_address(&metadata, &redirect_uri).await?
        };
        let request = self
            .progress
            .pause(StepKind::Authorization, OauthRequest::get(address))
            .await?;
        self.open_browser(&request.url)?;
        *reached = StepKind::Callback;
        self.progress.begin(StepKind::Callback);
        self.progress.pause_before(StepKind::Callback).await?;
        let judged = ResponseRules {
            issuer: metadata.issuer.clone(),
            names_issuer: metadata.authorization_response_iss_parameter_supported,
            access: match self.is_interactive() {
                true => Some(self.requested_access(&metadata)),
                false => None,
            },
        };
        let answer = self.wait_for_response(callback, &judged).await?;
        let code = judged.code(&self.progress, &answer)?;
        self.http.learn(std::slice::from_ref(&code));
        self.findings.code = Some(code);
        self.progress
            .done(StepKind::Callback, "The browser came back with a code");
        Ok(())
    }

    pub(super) fn authorization_request(&self) -> Result<&AuthorizationRequest, SignInError> {
        self.findings.authorization.as_ref().ok_or_else(|| {
            SignInError::failed(
                "The browser was not sent out yet.",
                "Restart from the authorization.",
            )
        })
    }

    /// Listens for the browser, save in manual mode, where the user pastes the address.
    async fn listen(&self) -> Result<Option<Callback>, SignInError> {
        if self.request.manual {
            return Ok(None);
        }
        let wanted = self.wanted_redirect()?;
        let registered = self.registered_redirect();
        let registered = registered.and_then(|used| wanted.port_of(used));
        Callback::listen(wanted.or_port(registered)).await.map(Some)
    }

    /// The redirect address that the client of this request was registered with.
    fn registered_redirect(&self) -> Option<&str> {
        let client = self.findings.client.as_ref()?;
        let redirect = client.redirect_uri.as_deref();
        // The identity provider knows another client.
        redirect.filter(|_| self.is_interactive())
    }

    fn manual_redirect_uri(&self) -> Result<String, SignInError> {
        match self.registered_redirect() {
            Some(registered) => Ok(registered.to_owned()),
            None => {
                let wanted = self.wanted_redirect()?;
                Ok(wanted.uri(wanted.port().unwrap_or(MANUAL_PORT)))
            }
        }
    }

    /// The address of the authorization request.
    fn request_address(
        &mut self,
        metadata: &ServerMetadata,
        redirect_uri: &str,
    ) -> Result<Url, SignInError> {
        let endpoint = metadata
            .authorization_endpoint
            .as_deref()
            .unwrap_or_default();
        let mut address = self.visitable("authorization_endpoint", endpoint)?;
        let client = self.client()?.client.clone();
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let state = CsrfToken::new_random();
        let scopes = self.scopes(metadata);
        let resource = self.requested_resource();
        let added = self.added_parameters()?;
        let has_prompt = added.iter().any(|parameter| parameter.name == "prompt");
        {
            let mut query = address.query_pairs_mut();
            query
                .append_pair("response_type", "code")
                .append_pair("client_id", &client.id)
                .append_pair("redirect_uri", redirect_uri)
                .append_pair("code_challenge", challenge.as_str())
                .append_pair("code_challenge_method", "S256")
                .append_pair("state", state.secret());
            if let Some(resource) = &resource {
                query.append_pair("resource", resource);
            }
            if !scopes.is_empty() {
                query.append_pair("scope", &scopes.join(" "));
            }
            if !has_prompt && scopes.iter().any(|scope| scope == "offline_access") {
                // Without it the scope is ignored (OpenID Connect Core, section 11).
                query.append_pair("prompt", "consent");
            }
            for parameter in added {
                query.append_pair(&parameter.name, &parameter.value);
            }
        }
        self.check_request(&scopes, resource);
        self.findings.authorization = Some(AuthorizationRequest {
            state: Secret::new(state.secret().clone()),
            verifier: Secret::new(verifier.secret().clone()),
            nonce: None,
            redirect_uri: redirect_uri.to_owned(),
            scopes,
        });
        Ok(address)
    }

    fn check_request(&self, scopes: &[String], resource: Option<String>) {
        let step = StepKind::Authorization;
        let passed = |subject: &str, expected: &str, actual: String, clause| {
            self.progress
                .check(step, Verdict::Passed, subject, expected, actual, clause);
        };
        passed(
            "code_challenge_method",
            "S256",
            "S256".to_owned(),
            clause::pkce(),
        );
        let is_wider = described(&self.resource(), &self.server) == Described::Wider;
        match resource {
            Some(resource) if is_wider => self.progress.check(
                step,
                Verdict::Warning,
                "resource",
                canonical(&self.server),
                format!("{resource}: {}", wider_words(&resource)),
                clause::resource_indicators(),
            ),
            Some(resource) => passed(
                "resource",
                "the address of the server",
                resource,
                clause::resource_indicators(),
            ),
            None => self.check_omitted_resource(step),
        }
        let scopes = if scopes.is_empty() {
            "none".to_owned()
        } else {
            scopes.join(" ")
        };
        passed("scope", self.scope_source(), scopes, clause::scopes());
        self.check_added_parameters();
    }

    /// The parameters that the user added to the authorization request.
    pub(super) fn added_parameters(&self) -> Result<&[AuthorizationParameter], SignInError> {
        let added = &self.settings.authorization_parameters;
        // The file of the settings may have been edited since they were checked.
        check_parameters(added).map_err(|error| {
            SignInError::failed(error.to_string(), "Correct it under Sign-in, Client.")
        })?;
        Ok(added)
    }

    /// Shows which parameters the user added.
    pub(super) fn check_added_parameters(&self) {
        let added = &self.settings.authorization_parameters;
        if added.is_empty() {
            return;
        }
        let names: Vec<&str> = added.iter().map(|added| added.name.as_str()).collect();
        self.progress.check(
            StepKind::Authorization,
            Verdict::Passed,
            "added parameters",
            "as set by hand",
            names.join(", "),
            clause::added_parameters(),
        );
    }

    /// The resource as it is sent to the authorization server; none where the user left it out.
    pub(super) fn requested_resource(&self) -> Option<String> {
        (!self.settings.omit_resource).then(|| self.resource())
    }

    /// Shows that a request goes out without `resource`, and why.
    pub(super) fn check_omitted_resource(&self, step: StepKind) {
        self.progress.check(
            step,
            Verdict::Overridden,
            "resource",
            self.resource(),
            "left out: the sign-in settings say that this authorization server refuses it",
            clause::resource_indicators(),
        );
    }

    /// The resource that the token is for.
    pub(super) fn resource(&self) -> String {
        self.findings
            .resource
            .as_ref()
            .map(|resource| resource.resource.clone())
            .unwrap_or_else(|| canonical(&self.server))
    }

    /// Returns the scopes to ask for: what the user says, what the challenge names, what the
    /// resource metadata lists, or none (MCP, Scope Selection Strategy). A step-up keeps those
    /// that were granted before.
    pub(super) fn scopes(&self, metadata: &ServerMetadata) -> Vec<String> {
        if let Some(scopes) = self
            .request
            .scopes
            .clone()
            .or_else(|| self.settings.scopes.clone())
        {
            return scopes;
        }
        let challenged = self
            .findings
            .challenge
            .as_ref()
            .and_then(|challenge| challenge.scopes());
        let listed = || {
            self.findings
                .resource
                .as_ref()
                .and_then(|resource| resource.scopes.clone())
        };
        let mut scopes = challenged.or_else(listed).unwrap_or_default();
        if self.purpose == SignInPurpose::StepUp
            && let Some(grant) = self.state.store.grant(&self.target.server, &self.identity)
        {
            let (server, identity) = (&self.target.server, &self.identity);
            for scope in self.state.store.missing_scopes(server, identity, &grant) {
                if !scopes.contains(&scope) {
                    scopes.push(scope);
                }
            }
            let before = if grant.scopes_granted.is_empty() {
                grant.scopes_requested
            } else {
                grant.scopes_granted
            };
            for scope in before.into_iter().rev() {
                if !scopes.contains(&scope) {
                    scopes.insert(0, scope);
                }
            }
        }
        let offers_offline = metadata
            .scopes_supported
            .as_ref()
            .is_some_and(|supported| supported.iter().any(|scope| scope == "offline_access"));
        let offline = "offline_access".to_owned();
        if offers_offline
            && self.is_interactive()
            && !scopes.is_empty()
            && !scopes.contains(&offline)
        {
            scopes.push(offline);
        }
        scopes
    }

    fn scope_source(&self) -> &'static str {
        let challenged = self
            .findings
            .challenge
            .as_ref()
            .and_then(|challenge| challenge.scopes());
        if self.request.scopes.is_some() || self.settings.scopes.is_some() {
            "as set by hand"
        } else if self.purpose == SignInPurpose::StepUp {
            "as the challenge says, with those granted before"
        } else if challenged.is_some() {
            "as the challenge says"
        } else {
            "as the resource metadata lists them, or none"
        }
    }

    /// Opens the browser, or shows where to go.
    fn open_browser(&self, address: &Url) -> Result<(), SignInError> {
        let manual = self.request.manual;
        let patience = self.state.browser_timeout;
        let asked = self.authorization_request()?;
        let redirect_uri = asked.redirect_uri.clone();
        self.progress.awaits(asked.state.clone());
        self.progress.change(|view| {
            view.address = Some(address.to_string());
            view.redirect_uri = Some(redirect_uri);
            view.deadline = Some(Timestamp::now() + patience);
            view.state = if manual {
                SignInState::WaitingForPaste
            } else {
                SignInState::WaitingForBrowser
            };
        });
        self.http.note(&format!(
            "{} {}",
            if manual {
                "the user opens"
            } else {
                "the browser is sent to"
            },
            mask_url_parameters(address.as_str())
        ));
        if manual {
            self.progress.done(
                StepKind::Authorization,
                "Open the address in any browser, then paste the one it ends at",
            );
            return Ok(());
        }
        match (self.state.open_browser)(address.as_str()) {
            Ok(()) => {
                self.progress
                    .done(StepKind::Authorization, "The browser is open");
                Ok(())
            }
            // The address is shown, so the user can still go there.
            Err(words) => {
                self.progress.done(
                    StepKind::Authorization,
                    format!("No browser could be opened ({words}). Open the address yourself"),
                );
                Ok(())
            }
        }
    }

    /// Waits for the response that carries our `state`.
    async fn wait_for_response(
        &self,
        callback: Option<Callback>,
        judged: &ResponseRules,
    ) -> Result<Url, SignInError> {
        let listening = async {
            match callback {
                Some(callback) => callback.answer(judged.for_page(&self.progress)).await,
                None => std::future::pending().await,
            }
        };
        let mut answers = self.progress.answers.lock().await;
        let patience = self.state.browser_timeout;
        let answer = tokio::select! {
            answer = listening => answer,
            pasted = answers.recv() => pasted,
            () = self.progress.cancel.cancelled() => return Err(SignInError::Cancelled),
            () = tokio::time::sleep(patience) => None,
        };
        self.progress.change(|view| {
            view.state = SignInState::Running;
            view.deadline = None;
        });
        answer.ok_or_else(|| {
            SignInError::refused(
                format!(
                    "No answer from the browser within {} seconds.",
                    patience.as_secs()
                ),
                "Sign in again. If the browser shows an error page, restart from the registration \
                 to get a new client. If the browser runs on another machine, sign in with a \
                 browser elsewhere.",
                clause::loopback(),
            )
            .mended_by(SignInRemedy::NewClient)
        })
    }
}

/// Verdict on the answer of the browser.
#[derive(Clone)]
struct ResponseRules {
    issuer: String,
    /// True when the authorization server says that it names itself in every answer.
    names_issuer: bool,
    /// Access that was asked for; absent at the identity provider, which has its own.
    access: Option<RequestedAccess>,
}

impl ResponseRules {
    /// Returns the check that chooses the page for the browser.
    fn for_page(&self, progress: &Arc<SignInProgress>) -> ResponseCheck {
        let (judged, progress) = (self.clone(), Arc::clone(progress));
        Arc::new(move |address| {
            if !progress.is_awaited(address) {
                return BrowserResponse::Stray(
                    "This is not the answer to the sign-in that Sightglass waits for, so it was \
                     not used. Answer in the tab that Sightglass opened."
                        .to_owned(),
                );
            }
            if judged.issuer_problem(address).is_some() {
                return BrowserResponse::Answer(Err(
                    "The answer comes from elsewhere, so it was not used. Sightglass shows what \
                     is wrong with it."
                        .to_owned(),
                ));
            }
            BrowserResponse::Answer(match parameter(address, "error") {
                Some(error) => Err(error_words(&error, address)),
                None => Ok(()),
            })
        })
    }

    fn issuer_problem(&self, address: &Url) -> Option<String> {
        match parameter(address, "iss") {
            Some(issuer) if issuer == self.issuer => None,
            Some(issuer) => Some(issuer),
            None => self.names_issuer.then(|| "none".to_owned()),
        }
    }

    /// The code in the answer that carried our `state`, after everything else about it was
    /// checked. What another server wrote is not shown as the words of this one, so an error
    /// comes last.
    fn code(
        &self,
        progress: &SignInProgress,
        address: &Url,
    ) -> Result<Secret<String>, SignInError> {
        let step = StepKind::Callback;
        progress.check(
            step,
            Verdict::Passed,
            "state",
            "the one that was sent",
            "the same",
            clause::state(),
        );
        let other_issuer = self.issuer_problem(address);
        let actual = other_issuer
            .clone()
            .or_else(|| parameter(address, "iss"))
            .unwrap_or_else(|| "none".to_owned());
        if other_issuer.is_none() && actual == "none" {
            progress.check(
                step,
                Verdict::Warning,
                "iss",
                &self.issuer,
                "none, and the metadata promises none",
                clause::response_issuer(),
            );
        } else {
            progress.require(
                step,
                Requirement {
                    holds: other_issuer.is_none(),
                    subject: "iss",
                    expected: self.issuer.clone(),
                    actual: actual.clone(),
                    clause: clause::response_issuer(),
                    message: if actual == "none" {
                        format!("{} declares `iss` in every answer, but this one has none. It may \
                                 come from another server.", self.issuer)
                    } else {
                        format!("The answer comes from {actual}, and this sign-in is with {}. A code of one server must not reach another.", self.issuer)
                    },
                    hint: "Do not continue until you know why the answer comes from another \
                           server."
                        .to_owned(),
                },
            )?;
        }
        if let Some(error) = parameter(address, "error") {
            progress.check(
                step,
                Verdict::Failed,
                "answer",
                "a code",
                format!("error={error}"),
                clause::error_redirect(),
            );
            return Err(self.refusal(&error, address));
        }
        match parameter(address, "code").filter(|code| !code.is_empty()) {
            Some(code) => Ok(Secret::new(code)),
            None => Err(SignInError::refused(
                "The answer holds neither a code nor an error.",
                "Sign in again. If you pasted the address, paste all of it.",
                clause::error_redirect(),
            )),
        }
    }

    /// The error with which the browser came back.
    fn refusal(&self, error: &str, address: &Url) -> SignInError {
        let refused = |hint: &str| {
            SignInError::refused(error_words(error, address), hint, clause::error_redirect())
        };
        let description = parameter(address, "error_description").unwrap_or_default();
        let access = self.access.as_ref();
        if let Some(advice) = access.and_then(|access| access.advice(error, &description)) {
            return refused(&advice.hint).mended_by(advice.remedy);
        }
        match error {
            "unauthorized_client" | "invalid_client" => refused(
                "Restart from the registration to get a new client, or enter one under Sign-in, \
                 Client.",
            )
            .mended_by(SignInRemedy::NewClient),
            _ => refused(error_hint(error)),
        }
    }
}

fn error_words(error: &str, address: &Url) -> String {
    match parameter(address, "error_description").filter(|words| !words.is_empty()) {
        Some(description) => format!("The authorization server refused: {description} ({error})."),
        None => format!("The authorization server refused: {error}."),
    }
}

/// RFC 6749, section 4.1.2.1.
fn error_hint(error: &str) -> &'static str {
    match error {
        "access_denied" => {
            "Consent was denied by you or by a rule of the account. Sign in again \
                            to give consent."
        }
        "temporarily_unavailable" | "server_error" => "Try again in a while.",
        _ => "The steps show the request that was refused.",
    }
}
