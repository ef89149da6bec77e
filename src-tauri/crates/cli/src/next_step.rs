//! Next steps after refusals, as commands and options. What the window offers instead is worded
//! where the refusal is made.

use sightglass_inspector::{
    AuthError, Awaited, ConnectionError, Failure, FailureReport, HintAction, HttpFault,
    InspectorError, SignInFailure, SignInRemedy, StartFault, command_line, shell_quoted,
};

use crate::{session_name::SessionName, target::Target};

/// Next step where signing in is turned off.
pub(crate) const SIGN_IN_IS_OFF: &str = "Turn it on in its entry, or give a token with `--header \
     'Authorization: Bearer TOKEN'`.";

/// Next step after a defect of the program.
const REPORT: &str = "This is a fault in Sightglass, not in the server. Send these lines to its \
     developers.";

/// Changes of letters that a name may need to be meant.
const NEAR: usize = 2;

/// Names that are told where one was not found.
const MAX_NAMES: usize = 20;

/// Asks whether one of the nearest names was meant by one that is none of these.
pub(crate) fn did_you_mean(name: &str, names: &[String]) -> Option<String> {
    let most = NEAR.min(name.chars().count() / 2);
    let near: Vec<(usize, &str)> = names
        .iter()
        .map(|known| (strsim::osa_distance(name, known), known.as_str()))
        .filter(|(changes, _)| *changes <= most)
        .collect();
    let fewest = near.iter().map(|(changes, _)| *changes).min()?;
    let nearest = near.iter().filter(|(changes, _)| *changes == fewest);
    let nearest: Vec<&str> = nearest.map(|(_, known)| *known).take(MAX_NAMES).collect();
    // It is one of them.
    (fewest > 0).then(|| format!("Did you mean {}?", nearest.join(" or ")))
}

/// Returns what may be meant by a name that is none of these: those that are nearest, and which there
/// are.
pub(crate) fn instead_of(name: &str, names: &[String], kind: &str) -> String {
    let question = did_you_mean(name, names)
        .map(|question| format!("{question} "))
        .unwrap_or_default();
    let listed = names[..names.len().min(MAX_NAMES)].join(", ");
    match names.len().checked_sub(MAX_NAMES) {
        _ if names.is_empty() => format!("There are no {kind}."),
        None | Some(0) => format!("{question}The {kind} are: {listed}."),
        Some(more) => format!("{question}The {kind} are: {listed}, and {more} more."),
    }
}

/// Returns the next step after an error of the façade.
pub(crate) fn after(error: &InspectorError) -> Option<String> {
    let step = match error {
        InspectorError::NotApproved { server, .. } | InspectorError::EntryChanged { server } => {
            format!(
                "See what it starts and approve it: `sightglass-cli config approve {}`.",
                shell_quoted(server.as_str())
            )
        }
        InspectorError::NotApprovedNorTrusted { server, .. } => format!(
            "See what it starts and approve it: `sightglass-cli config approve {}`. Then trust the \
             folder: `sightglass-cli config trust`.",
            shell_quoted(server.as_str())
        ),
        InspectorError::FolderNotTrusted { .. } => {
            "Trust the folder, if you trust whoever wrote it: `sightglass-cli config trust`."
                .to_owned()
        }
        InspectorError::NoPlaceToStart { .. } => {
            "Trust the folder, so that it can start there: `sightglass-cli config trust`. Or set \
             SIGHTGLASS_DATA_DIR to a directory outside the folder."
                .to_owned()
        }
        InspectorError::RemoteLoad { host, .. } | InspectorError::RemoteSuite { host } => format!(
            "Only test servers of your own. If this is one, add `--allow-remote {}`.",
            shell_quoted(host)
        ),
        InspectorError::SeveralRecorded { .. } => {
            "`--recorded NAME` chooses one of them.".to_owned()
        }
        InspectorError::NoSuchTool { tool, tools } => instead_of(tool, tools, "tools"),
        InspectorError::ToolWithEffects { .. } => {
            "If it may be called, add `--allow-effects`.".to_owned()
        }
        InspectorError::DeniedByRule { .. } => {
            "Calls of this server are held to these rules: change the rule, or end that in the \
             window, in the tab In clients, under Permissions."
                .to_owned()
        }
        InspectorError::Connection(ConnectionError::NotConnected) => {
            "Run the command again: each connects anew. `--verbose` shows what happens on the \
             connection."
                .to_owned()
        }
        InspectorError::NotConfirmed { .. } => {
            "If it is to be called, add `--confirm-calls`.".to_owned()
        }
        InspectorError::Auth(AuthError::TurnedOff) => SIGN_IN_IS_OFF.to_owned(),
        InspectorError::Auth(AuthError::NoToken) => {
            "Sign in first: `sightglass-cli login TARGET`.".to_owned()
        }
        InspectorError::Auth(AuthError::Vault(_)) => keychain("`sightglass-cli login TARGET`"),
        InspectorError::Internal(_) => REPORT.to_owned(),
        error => return error.hint(),
    };
    Some(step)
}

/// Returns the next step after a connection to a target failed.
pub(crate) fn after_failure(target: &Target, report: &FailureReport) -> String {
    let hint = report.hint.text.as_str();
    let login = target.command("login", "");
    match &report.failure {
        Failure::TimedOut {
            awaited: awaited @ Awaited::Events,
            phase,
            ..
        } => format!(
            "{} If it is only slow, give it longer with `--connect-timeout MS`.",
            awaited.likely_cause(*phase).unwrap_or_default()
        ),
        Failure::TimedOut { prompt: None, .. } => "Give it longer with `--connect-timeout MS`; \
                                                   `--verbose` shows what it says meanwhile."
            .to_owned(),
        Failure::ProtocolError {
            unknown_era: Some(_),
            ..
        } => "The server does not seem to speak the generation of the protocol that is set. Give \
              `--era auto`, and the one that it speaks is found."
            .to_owned(),
        failure if failure.refuses_version() => {
            "The server does not speak the version of the protocol that it was offered. `--era \
             modern` offers it 2026-07-28 alone, `--era legacy` what came before."
                .to_owned()
        }
        Failure::ProtocolError { .. } => format!("{hint} `--verbose` prints them."),
        Failure::SpawnFailed {
            fault: StartFault::ArgumentsInCommand { program, arguments },
            ..
        } if matches!(target, Target::Program { .. }) => format!(
            "After `--` each word stands by itself: `-- {}`.",
            command_line(std::iter::once(program).chain(arguments))
        ),
        Failure::SpawnFailed {
            fault: StartFault::NoDirectory { .. },
            ..
        } => "Make the directory, or name another one with `--cwd DIR`.".to_owned(),
        Failure::Network {
            fault: Some(HttpFault::NoEventStream),
            ..
        } => format!("{hint} `--transport http` does the one, `--transport auto` the other."),
        Failure::Network {
            proxy: Some(proxy), ..
        } if proxy.is_of_settings() => {
            format!("{hint} These settings are those of the window.")
        }
        Failure::CertificateRefused { .. } => format!(
            "{hint} `--insecure` accepts any for one call, and `--ca FILE` those of the authority \
             in that file."
        ),
        Failure::ClientRegistrationRequired { issuer } => format!(
            "{issuer} registers no client by itself. {}",
            register_by_hand(target)
        ),
        Failure::TokenUnreadable { .. } => keychain(&login),
        Failure::InternalError { .. } => REPORT.to_owned(),
        // It is nothing that a sign-in would mend.
        Failure::SignInRequired { .. } if report.hint.action != HintAction::SignIn => {
            match &report.hint.action {
                HintAction::SetHeader { name } => {
                    format!("{hint} For one call, `--header '{name}: KEY'` gives it.")
                }
                _ => hint.to_owned(),
            }
        }
        Failure::SignInRequired { status: 403, .. } => format!("{hint} To do that: {login}."),
        Failure::SignInRequired { token: Some(_), .. } => {
            format!("{hint} To sign in again: {login}.")
        }
        Failure::SignInRequired {
            challenge: None,
            body: Some(_),
            ..
        } => format!(
            "The server names no way to sign in; the body of its answer says why it refuses. If it \
             is about a token or a key, sign in with {login}, or give a token with `--header \
             'Authorization: Bearer TOKEN'`."
        ),
        Failure::SignInRequired { .. } => format!(
            "Sign in with {login}, or give a token with `--header 'Authorization: Bearer TOKEN'`."
        ),
        _ => match &report.hint.action {
            HintAction::SetVariable { name } => {
                format!("{hint} For one call, `--env {name}=VALUE` sets it there.")
            }
            _ => hint.to_owned(),
        },
    }
}

/// Returns the step that finds the path of an endpoint, where there is none at that of the target.
pub(crate) fn search(target: &Target, failure: &Failure) -> Option<String> {
    failure
        .may_be_elsewhere()
        .then(|| format!("{} tries them.", target.command("doctor", "")))
}

/// Returns the next step where a session is not live.
pub(crate) fn of_session(session: &SessionName) -> String {
    format!(
        "Each command on {session} tries it again, and `sightglass-cli sessions` shows how it is."
    )
}

/// Returns the next step after a failed sign-in to a target.
pub(crate) fn after_sign_in(target: &Target, failure: &SignInFailure) -> String {
    let login = |options: &str| target.command("login", options);
    let hint = failure.hint.as_str();
    let step = match &failure.remedy {
        None => return hint.to_owned(),
        Some(SignInRemedy::EnteredClient { instead: None }) => return register_by_hand(target),
        Some(SignInRemedy::EnteredClient {
            instead: Some(token),
        }) => {
            return format!(
                "{} {token} For one call, `--header 'Authorization: Bearer TOKEN'` gives it.",
                register_by_hand(target)
            );
        }
        Some(SignInRemedy::NewClient) => {
            return format!(
                "Sign in again: {} gets a new client, and {} names one. For a browser on another \
                 machine: {}.",
                login("--register"),
                login("--client-id ID"),
                login("--manual")
            );
        }
        Some(SignInRemedy::Manual) => {
            return format!(
                "{} takes the address that a browser elsewhere ends at.",
                login("--manual")
            );
        }
        Some(SignInRemedy::Header) => {
            return "Give it with `--header 'Authorization: VALUE'`, or set the header \
                    `Authorization` of its entry."
                .to_owned();
        }
        Some(SignInRemedy::SignOut) => {
            return format!(
                "To sign in anyway: {}, then {}.",
                target.command("logout", ""),
                login("")
            );
        }
        Some(SignInRemedy::SecretStorage) => return keychain(&login("")),
        Some(SignInRemedy::Issuer(issuer)) => {
            let options = format!("--issuer {}", shell_quoted(issuer));
            return format!(
                "Nothing was sent there. If it is the right one, agree to it: {}.",
                login(&options)
            );
        }
        Some(SignInRemedy::Scopes(Some(scopes))) if !scopes.is_empty() => format!(
            "{} asks for that, `--scope ''` for none.",
            login(&format!("--scope {}", shell_quoted(&scopes.join(" "))))
        ),
        Some(SignInRemedy::Scopes(_)) => format!(
            "{} asks for others, `--scope ''` for none.",
            login("--scope 'SCOPE …'")
        ),
        Some(SignInRemedy::OmitResource) => {
            return format!(
                "Ask the operator of the authorization server to add this resource, or leave it \
                 out of the request: {}.",
                login("--resource omit")
            );
        }
        Some(SignInRemedy::Settings) => match target {
            Target::Named(_) => {
                "The window has this setting, and it holds for this command too.".to_owned()
            }
            _ => "The window has this setting, for the servers of a file: `sightglass-cli config \
                  add` puts one into a file."
                .to_owned(),
        },
    };
    format!("{hint} {step}")
}

/// Returns the next step where the place of the secrets gives or takes nothing.
fn keychain(login: &str) -> String {
    format!(
        "Unlock the keychain, or make the file of the secrets readable. Without a keychain, \
         SIGHTGLASS_KEYCHAIN=off keeps secrets in a file that only you can read: sign in again \
         then with {login}."
    )
}

/// Returns the next step where the authorization server registers no client by itself.
fn register_by_hand(target: &Target) -> String {
    format!(
        "Register a client there by hand, and name its id: {}. Its secret, where it has one, goes \
         into `--client-secret` or the variable SIGHTGLASS_CLIENT_SECRET.",
        target.command("login", "--client-id ID")
    )
}

#[cfg(test)]
mod tests {
    use sightglass_inspector::{Client, StepKind};

    use super::*;

    fn failed(remedy: Option<SignInRemedy>) -> SignInFailure {
        SignInFailure {
            step: StepKind::Callback,
            message: "It was refused.".to_owned(),
            hint: "Set it otherwise.".to_owned(),
            clause: None,
            remedy,
            wants_token: false,
        }
    }

    #[test]
    fn the_names_that_are_near_are_told_before_all() {
        let names = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let known = names(&["echo", "each", "sum"]);
        let step = instead_of("ecko", &known, "tools");
        assert_eq!(step, "Did you mean echo? The tools are: echo, each, sum.");
        let step = instead_of("echi", &known, "tools");
        assert!(step.starts_with("Did you mean echo? "), "{step}");
        let step = instead_of("eacho", &known, "tools");
        assert!(step.starts_with("Did you mean echo or each? "), "{step}");
        assert!(!instead_of("wholly", &known, "tools").starts_with("Did"));
        assert_eq!(instead_of("x", &[], "tools"), "There are no tools.");
        let many: Vec<String> = (0..25).map(|number| format!("tool-{number}")).collect();
        let step = instead_of("x", &many, "tools");
        assert!(step.ends_with("tool-19, and 5 more."), "{step}");
    }

    #[test]
    fn what_the_window_alone_has_is_looked_for_there() {
        let denied = InspectorError::DeniedByRule {
            tool: "erase".to_owned(),
            client: Client::ClaudeCode,
            rule: None,
            reason: "no rule allows it".to_owned(),
        };
        let step = after(&denied).expect("a step");
        assert!(
            step.contains("in the tab In clients, under Permissions"),
            "{step}"
        );
    }

    #[test]
    fn the_next_step_names_the_command_that_takes_it() {
        let target = Target::Named("notes".to_owned());
        let scopes = |scopes: &[&str]| {
            let scopes = scopes.iter().map(|scope| (*scope).to_owned());
            Some(SignInRemedy::Scopes(Some(scopes.collect())))
        };
        for (remedy, step) in [
            (
                scopes(&["read", "write"]),
                "`sightglass-cli login notes --scope 'read write'`",
            ),
            (scopes(&[]), "`--scope ''` for none."),
            (
                Some(SignInRemedy::Scopes(None)),
                "login notes --scope 'SCOPE …'`",
            ),
            (
                Some(SignInRemedy::OmitResource),
                "login notes --resource omit`",
            ),
            (
                Some(SignInRemedy::EnteredClient { instead: None }),
                "login notes --client-id ID`",
            ),
            (
                Some(SignInRemedy::EnteredClient {
                    instead: Some("It takes a token.".to_owned()),
                }),
                "It takes a token. For one call, `--header",
            ),
            (Some(SignInRemedy::NewClient), "login notes --register`"),
            (Some(SignInRemedy::Manual), "login notes --manual`"),
            (Some(SignInRemedy::SignOut), "`sightglass-cli logout notes`"),
            (Some(SignInRemedy::SecretStorage), "SIGHTGLASS_KEYCHAIN=off"),
            (
                Some(SignInRemedy::Issuer("https://as.test".to_owned())),
                "login notes --issuer https://as.test`",
            ),
            (
                Some(SignInRemedy::Header),
                "`--header 'Authorization: VALUE'`",
            ),
            (
                Some(SignInRemedy::Settings),
                "Set it otherwise. The window has this setting, and",
            ),
            (None, "Set it otherwise."),
        ] {
            let hint = after_sign_in(&target, &failed(remedy));
            assert!(hint.contains(step), "{hint}");
        }
    }
}
