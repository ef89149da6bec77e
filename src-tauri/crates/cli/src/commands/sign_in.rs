//! `login` and `logout`: the same sign-in as in the window, with the same grants.

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use sightglass_inspector::{
    AuthStatus, AuthorizationParameter, EndpointQuestion, RegistrationKind, ServerId, ServerSpec,
    SignInRequest, SignInState, SignInView, entirely_visible, shell_quoted, view::Fact,
};
use sightglass_json_text::{object, quoted};

use crate::{
    addressed::Addressed,
    error::CliError,
    host::Host,
    next_step,
    outcome::Outcome,
    style::{GOOD, harmless, styled},
    target::Target,
    terminal,
};

#[derive(Debug, Args)]
pub(crate) struct Login {
    #[command(flatten)]
    addressed: Addressed,
    /// Print the address instead of opening a browser, and read the one it ends at from stdin
    #[arg(long)]
    manual: bool,
    /// The authorization server that may get the client secret or key that was entered
    #[arg(long, value_name = "URL")]
    issuer: Option<String>,
    /// The origin of the token endpoint that may get the code where the user signs in at another
    /// origin
    #[arg(long, value_name = "URL")]
    token_origin: Option<String>,
    /// Scopes to ask for, separated by spaces, instead of those that the server wants; empty for none
    #[arg(long, value_name = "SCOPES")]
    scope: Option<String>,
    /// Register a new client, in place of the one that was registered before
    #[arg(long)]
    register: bool,
    #[command(flatten)]
    options: RequestOptions,
}

/// Options of the authorization request.
#[derive(Debug, Args)]
struct RequestOptions {
    /// Address that the browser is sent back to, for a client with a fixed one on this machine; kept
    /// for the server, empty for the usual one
    #[arg(long, value_name = "URL")]
    redirect_uri: Option<String>,
    /// Send the parameter `resource`, or omit it where it is refused; kept for the server
    #[arg(long, value_enum, value_name = "HOW")]
    resource: Option<Resource>,
    /// A parameter to add to the authorization request, such as `audience`; kept for the server
    #[arg(long = "parameter", value_name = "K=V", value_parser = parameter)]
    parameters: Vec<AuthorizationParameter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Resource {
    Send,
    Omit,
}

fn parameter(text: &str) -> Result<AuthorizationParameter, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| "write it as NAME=VALUE".to_owned())?;
    Ok(AuthorizationParameter {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

#[derive(Debug, Args)]
pub(crate) struct Logout {
    #[command(flatten)]
    addressed: Addressed,
}

impl Login {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let Self {
            addressed,
            manual,
            issuer,
            token_origin,
            scope,
            register,
            options,
        } = self;
        let target = addressed.alone()?;
        let (server, ServerSpec { name, .. }) = host.add_ad_hoc_server(&target).await?;
        if let Some(issuer) = &issuer {
            host.inspector.sign_in.agree_to_issuer(&server, issuer)?;
        }
        options.keep(host, &server).await?;
        let mut facts = host.inspector.subscribe();
        host.inspector.sign_in.sign_in(
            &server,
            SignInRequest {
                manual,
                identity: host.options.identity.clone(),
                scopes: scope.as_deref().map(words),
                registers_anew: register,
                ..SignInRequest::default()
            },
        )?;
        let mut shown = None;
        loop {
            let view = host.inspector.sign_in.auth_view(&server).await?;
            let Some(attempt) = view.attempt else {
                return Err(CliError::interrupted());
            };
            if let Some(address) = &attempt.address
                && shown.as_ref() != Some(address)
            {
                shown = Some(address.clone());
                // A program that reads JSON reads it from stderr too.
                if manual || !host.options.json {
                    show(&attempt, address);
                }
                if manual {
                    paste(host, &server).await?;
                }
            }
            match attempt.state {
                SignInState::Succeeded => {
                    let identity = host.options.identity.as_ref().unwrap_or(&view.identity);
                    let identity = view
                        .identities
                        .iter()
                        .find(|known| known.name == *identity)
                        .cloned();
                    let grant = identity.and_then(|known| known.grant);
                    if let Some(wider) = grant
                        .as_ref()
                        .and_then(|known| known.wider_resource.as_ref())
                    {
                        let words =
                            format!("The token counts for all of {wider}, not for {name} alone.");
                        eprintln!("{}", harmless(&words));
                    }
                    let account = grant.and_then(|known| known.account);
                    let text = match &account {
                        Some(account) => format!("Signed in to {name} as {account}"),
                        None => format!("Signed in to {name}"),
                    };
                    let account = account.as_deref().map_or("null".to_owned(), quoted);
                    return Ok(Outcome::new(
                        object([("signedIn", "true"), ("account", account.as_str())]),
                        format!("{} {}\n", styled(GOOD, "✓"), harmless(&text)),
                    ));
                }
                SignInState::Failed | SignInState::Cancelled => {
                    return Err(attempt
                        .failure
                        .map_or_else(CliError::interrupted, |failure| {
                            let hint = next_step::after_sign_in(&target, &failure);
                            CliError::authentication("sign_in_failed", &failure.message, &hint)
                        }));
                }
                SignInState::WaitingForAgreement => {
                    if let Some(question) = &attempt.endpoint_question {
                        let origin = token_origin.as_deref();
                        answer(host, &target, (&server, name.as_str()), origin, question)?;
                        continue;
                    }
                    let issuer = attempt
                        .issuer_question
                        .map(|question| question.issuer)
                        .unwrap_or_default();
                    let asked = format!(
                        "{name} names {issuer} as its authorization server. What you entered for \
                         your client goes there."
                    );
                    if !is_confirmed(host, &asked, "Is your client registered there?") {
                        host.inspector.sign_in.cancel_sign_in(&server);
                        return Err(CliError::not_agreed(&name, &target, &issuer));
                    }
                    host.inspector.sign_in.agree_to_issuer(&server, &issuer)?;
                    continue;
                }
                _ => {}
            }
            wait(&mut facts).await?;
        }
    }
}

/// Asks the user, where there is one to ask.
fn is_confirmed(host: &Host, words: &str, question: &str) -> bool {
    !host.options.json
        && terminal::is_there()
        && terminal::ask(
            &format!("{}\n", entirely_visible(words)),
            &entirely_visible(question),
        )
}

/// Answers whether the code of one origin may go to another: by the option, or by the user where
/// there is one.
fn answer(
    host: &Host,
    target: &Target,
    (server, name): (&ServerId, &str),
    token_origin: Option<&str>,
    question: &EndpointQuestion,
) -> Result<(), CliError> {
    let is_named = token_origin.is_some_and(|named| named.trim_end_matches('/') == question.token);
    let is_agreed = is_named
        || is_confirmed(
            host,
            &question.message(),
            &format!("Do both belong to {}?", question.issuer),
        );
    if !is_agreed {
        host.inspector.sign_in.cancel_sign_in(server);
        return Err(CliError::endpoints_not_agreed(name, target, question));
    }
    host.inspector
        .sign_in
        .agree_to_endpoints(server, question)?;
    Ok(())
}

impl RequestOptions {
    /// Saves the options of the authorization request: a refresh needs them too.
    async fn keep(&self, host: &Host, server: &ServerId) -> Result<(), CliError> {
        let mut settings = host.inspector.sign_in.auth_settings(server).await?.settings;
        let before = settings.clone();
        if let Some(redirect) = &self.redirect_uri {
            settings.redirect_uri = Some(redirect.clone());
        }
        if let Some(resource) = self.resource {
            settings.omit_resource = resource == Resource::Omit;
        }
        if !self.parameters.is_empty() {
            settings
                .authorization_parameters
                .clone_from(&self.parameters);
        }
        if settings != before {
            host.inspector
                .sign_in
                .update_auth_settings(server, settings)
                .await?;
        }
        Ok(())
    }
}

fn words(scopes: &str) -> Vec<String> {
    scopes.split_whitespace().map(str::to_owned).collect()
}

/// On stderr, since it is not the result.
fn show(attempt: &SignInView, address: &str) {
    let advice = page_error_advice(attempt);
    if attempt.manual {
        eprintln!(
            "Open this address in a browser:\n\n  {address}\n\n{advice}\n\nThen paste the address \
             that the browser ends at, and press Enter:"
        );
    } else {
        eprintln!("Continue in the browser. If none opens, go to:\n\n  {address}\n\n{advice}\n");
    }
}

/// Returns what to do where the authorization server shows an error and does not send the browser
/// back: it may not do that for a client or a redirect URI that it does not know (RFC 6749, section
/// 4.1.2.1), so that nothing of it is heard here.
fn page_error_advice(attempt: &SignInView) -> String {
    let redirect = attempt.redirect_uri.as_deref().unwrap_or_default();
    let (redirect, word) = (harmless(redirect), shell_quoted(redirect));
    let check = match attempt.client {
        Some(RegistrationKind::Dynamic) => format!(
            "If it no longer knows this client, end this and add `--register`. If it refuses the \
             redirect URI, register a client there by hand with {redirect}, and add `--client-id ID \
             --redirect-uri {word}`."
        ),
        Some(RegistrationKind::PreRegistered) => format!(
            "Check that the client of your `--client-id` or of your settings is registered there \
             with the redirect URI {redirect}. Where it has another one on this machine, add \
             `--redirect-uri URL`."
        ),
        Some(RegistrationKind::MetadataDocument) | None => format!(
            "If it refuses the client or the redirect URI, register a client there by hand with \
             {redirect}, and add `--client-id ID --redirect-uri {word}`."
        ),
    };
    format!("If the page there shows an error, nothing comes back here. {check}")
}

/// Reads addresses until one is the answer that is awaited.
async fn paste(host: &Host, server: &ServerId) -> Result<(), CliError> {
    loop {
        let line = tokio::task::spawn_blocking(|| {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).map(|_| line)
        })
        .await;
        let Ok(Ok(line)) = line else {
            return Err(CliError::interrupted());
        };
        let Err(error) = host.inspector.sign_in.paste_redirect(server, &line) else {
            return Ok(());
        };
        let attempt = host.inspector.sign_in.auth_view(server).await?.attempt;
        let waits = attempt.is_some_and(|known| known.state == SignInState::WaitingForPaste);
        if !waits || line.is_empty() || !std::io::stdin().is_terminal() {
            return Err(error.into());
        }
        eprintln!("{}", harmless(&error.to_string()));
    }
}

/// Waits for the next sign-in event.
async fn wait(facts: &mut sightglass_inspector::Subscription) -> Result<(), CliError> {
    loop {
        let batch = facts.next_batch().await.ok_or_else(CliError::interrupted)?;
        if batch
            .iter()
            .any(|event| matches!(event.fact, Fact::Auth { .. }))
        {
            return Ok(());
        }
    }
}

impl Logout {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let target = self.addressed.alone()?;
        let server = match target.refused(&host.inspector) {
            Some(server) => server,
            None => host.add_ad_hoc_server(&target).await?.0,
        };
        let before = host.inspector.sign_in.auth_view(&server).await?.status;
        let identity = host.options.identity.clone();
        let report = host.inspector.sign_in.sign_out(&server, identity).await?;
        let text = match before {
            AuthStatus::SignedOut if report.exchanges.is_empty() => "Not signed in.".to_owned(),
            _ => report.message,
        };
        let revoked = if report.revoked { "true" } else { "false" };
        Ok(Outcome::new(
            object([("signedIn", "false"), ("revoked", revoked)]),
            format!("{}\n", harmless(&text)),
        ))
    }
}
