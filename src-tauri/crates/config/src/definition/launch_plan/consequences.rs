//! Says in sentences what connecting does: what starts, and which variables of the user's
//! environment go where.

use std::collections::HashSet;

use serde::Serialize;
use sightglass_model::{entirely_visible, is_loopback_host};

use super::LaunchPlan;
use crate::{
    entry::{UnexpandedEndpoint, UnexpandedRemote, UnexpandedText},
    entry::{
        expand::{
            Expansion, FILE_PREFIX, INPUT_PREFIX, MAX_REFERENCES, SECRET_PREFIX, as_written,
            expand_with,
        },
        sign_in::written_sign_in,
    },
};

/// A variable of the environment that connecting reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct EnvironmentUse {
    pub name: String,
    /// Says where its value goes.
    pub sentence: String,
}

/// One effect of connecting.
pub(super) struct Consequence {
    pub sentence: String,
    /// The reference that has this effect: to a variable, a secret or a file.
    pub reference: Option<String>,
}

impl Consequence {
    fn plain(sentence: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
            reference: None,
        }
    }

    fn of(reference: String, sentence: String) -> Self {
        Self {
            sentence,
            reference: Some(reference),
        }
    }
}

pub(super) fn consequences(plan: &LaunchPlan) -> Vec<Consequence> {
    match plan.spec.as_ref().map(|spec| &spec.endpoint) {
        Ok(UnexpandedEndpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory,
            environment_file,
        }) => {
            let texts = std::iter::once(command)
                .chain(arguments)
                .chain(working_directory)
                .chain(environment_file)
                .map(|text| ("command", plain(text)));
            let environment = environment.iter().map(|(_, text)| ("env.", plain(text)));
            let texts: Vec<_> = texts.chain(environment).collect();
            let mut found = vec![Consequence::plain(
                "Connecting starts this program on your computer, as you and with your environment \
                 variables.",
            )];
            for name in variables(plan, texts.iter().copied()) {
                let sentence = format!("Gives the program {}.", described(&name));
                found.push(Consequence::of(name, sentence));
            }
            for file in files(plan, texts.into_iter()) {
                let sentence = format!("Gives the program {}.", described(&file));
                found.push(Consequence::of(file, sentence));
            }
            if let Some(file) = environment_file {
                found.push(Consequence::plain(format!(
                    "Gives the program the variables in the file {}.",
                    entirely_visible(&file.shown())
                )));
            }
            found
        }
        Ok(UnexpandedEndpoint::Remote(remote)) => remote_consequences(plan, remote),
        Err(problems) => {
            let problems = problems.iter();
            std::iter::once(Consequence::plain(
                "The entry cannot be used, so nothing starts.",
            ))
            .chain(problems.map(|problem| Consequence::plain(entirely_visible(&problem.message))))
            .collect()
        }
    }
}

fn remote_consequences(plan: &LaunchPlan, remote: &UnexpandedRemote) -> Vec<Consequence> {
    let host = host(plain(&remote.url));
    let mut found = vec![Consequence::plain(format!(
        "Connecting sends requests to {host}."
    ))];
    if may_go_unencrypted(expansion(plan).of_field("url"), plain(&remote.url)) {
        found.push(Consequence::plain(format!(
            "Connecting sends everything to {host} unencrypted: anyone on the way can read and \
             change it."
        )));
    }
    if let Some(helper) = &remote.headers_helper {
        found.push(Consequence::plain(format!(
            "Connecting runs the command {} on your computer, as you, and sends what it prints to \
             {host}.",
            entirely_visible(&helper.shown())
        )));
    }
    let headers = remote
        .headers
        .iter()
        .map(|(_, text)| ("headers.", plain(text)));
    let texts = std::iter::once(&remote.url).chain(&remote.headers_helper);
    let texts = texts.map(|text| ("url", plain(text)));
    let texts: Vec<_> = texts.chain(headers).collect();
    for file in files(plan, texts.iter().copied()) {
        let sentence = format!("Sends {} to {host}.", described(&file));
        found.push(Consequence::of(file, sentence));
    }
    let sign_in = written_sign_in(plan.entry.expose());
    let mut told: Vec<String> = Vec::new();
    let sent = variables(plan, texts.into_iter());
    for name in sent.into_iter().chain(sign_in.bearer_variable.clone()) {
        if !told.contains(&name) {
            let sentence = format!("Sends {} to {host}.", described(&name));
            found.push(Consequence::of(name.clone(), sentence));
            told.push(name);
        }
    }
    let read = [&remote.ca_file, &remote.fingerprint]
        .into_iter()
        .flatten()
        .map(|text| ("ca_file", plain(text)));
    for name in variables(plan, read) {
        let sentence = format!("Reads {}.", described(&name));
        found.push(Consequence::of(name, sentence));
    }
    let metadata = sign_in.server_metadata_url.as_deref();
    let authority = match metadata {
        Some(address) => format!(
            "the authorization server that {} names",
            self::host(address)
        ),
        None => format!("the authorization server that {host} names"),
    };
    if metadata.is_some() {
        let sentence = format!("Signing in goes to {authority}.");
        found.push(Consequence::plain(sentence));
    }
    let of_client = [
        sign_in.client_id.as_deref(),
        sign_in
            .client_secret
            .as_ref()
            .map(|secret| secret.expose().as_str()),
        sign_in.client_metadata_url.as_deref(),
        metadata,
    ];
    let scopes = sign_in.scopes.iter().flatten().map(String::as_str);
    let of_client = of_client.into_iter().flatten().chain(scopes);
    for name in variables(plan, of_client.map(|text| ("oauth", text))) {
        let sentence = format!("Signing in sends {} to {authority}.", described(&name));
        found.push(Consequence::of(name, sentence));
    }
    if sign_in.client_secret.is_some() {
        let sentence = format!("Signing in sends the client secret to {authority}.");
        found.push(Consequence::plain(sentence));
    }
    if let Some(file) = &remote.ca_file {
        found.push(Consequence::plain(format!(
            "Also accepts certificates of the authorities in {}.",
            entirely_visible(&file.shown())
        )));
    }
    if remote.fingerprint.is_some() {
        found.push(Consequence::plain(
            "Accepts the certificate with this fingerprint, whoever issued it.",
        ));
    }
    found
}

/// Describes what a reference stands for: a variable, a secret that was entered for the entry, or
/// the content of a file.
fn described(reference: &str) -> String {
    if let Some(secret) = reference.strip_prefix(SECRET_PREFIX) {
        let secret = entirely_visible(secret);
        return format!("the secret {secret} that you entered for it");
    }
    if let Some(file) = reference.strip_prefix(FILE_PREFIX) {
        return format!("the content of the file {}", entirely_visible(file));
    }
    let name = entirely_visible(reference);
    if name.contains("${") {
        format!("the variable that {name} names of your environment")
    } else {
        format!("the variable {name} of your environment")
    }
}

fn plain(text: &UnexpandedText) -> &str {
    text.text.expose()
}

/// The variables of the environment that the texts of fields refer to, each once, those of defaults
/// among them.
fn variables<'t>(
    plan: &LaunchPlan,
    texts: impl Iterator<Item = (&'static str, &'t str)>,
) -> Vec<String> {
    let of_environment = |name: &str| {
        let is_other = [INPUT_PREFIX, FILE_PREFIX]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        (!is_other && !plan.surroundings.variables.contains_key(name)).then(|| name.to_owned())
    };
    references(plan, texts, of_environment)
}

/// The references to files in the texts of fields, each once.
fn files<'t>(
    plan: &LaunchPlan,
    texts: impl Iterator<Item = (&'static str, &'t str)>,
) -> Vec<String> {
    references(plan, texts, |name| {
        name.starts_with(FILE_PREFIX).then(|| name.to_owned())
    })
}

/// Returns the names that the texts of fields refer to and that `ask` wants, each once.
fn references<'t>(
    plan: &LaunchPlan,
    texts: impl Iterator<Item = (&'static str, &'t str)>,
    ask: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let rules = expansion(plan);
    let mut found = Vec::new();
    let mut known = HashSet::new();
    for (field, text) in texts {
        // More are expanded in no entry: it does not start.
        if found.len() > MAX_REFERENCES {
            break;
        }
        // Without a value the defaults are expanded as well. Faults keep the entry from starting.
        let _ = expand_with(rules.of_field(field), text, &mut |name| {
            if let Some(name) = ask(name).filter(|name| known.insert(name.clone())) {
                found.push(name);
            }
            None
        });
    }
    found
}

/// The rules by which the references of an entry are expanded.
fn expansion(plan: &LaunchPlan) -> Expansion {
    let rules = plan.spec.as_ref().map(|spec| spec.expansion);
    rules.unwrap_or_default()
}

/// Returns true for an address by which plain HTTP may go to another machine: as it is written, or
/// with the defaults of its references.
fn may_go_unencrypted(rules: Expansion, address: &str) -> bool {
    let with_defaults = expand_with(rules, address, &mut |_| None);
    goes_unencrypted(address) || with_defaults.is_ok_and(|address| goes_unencrypted(&address))
}

/// Returns true for an address of plain HTTP or a plain WebSocket, unless its host is this machine
/// whatever the references in it stand for.
fn goes_unencrypted(address: &str) -> bool {
    // A parser of addresses leaves these out.
    let address = address.trim_start_matches(|character: char| character <= ' ');
    let address = address.replace(['\t', '\n', '\r'], "");
    let Some((scheme, rest)) = address.split_once(':') else {
        return false;
    };
    if !["http", "ws"]
        .iter()
        .any(|plain| scheme.eq_ignore_ascii_case(plain))
    {
        return false;
    }
    let rest = rest.trim_start_matches(['/', '\\']);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest);
    let url = url::Url::parse(&address).ok();
    let is_here = url.is_some_and(|url| url.host().is_some_and(|host| is_loopback_host(&host)));
    !is_here || authority.contains("${")
}

/// The host and port of an address, or the whole address where a variable decides them.
fn host(address: &str) -> String {
    if address.contains("${") {
        return entirely_visible(&as_written(address)).into_owned();
    }
    let Ok(url) = url::Url::parse(address) else {
        return entirely_visible(address).into_owned();
    };
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) if !host.is_empty() => format!("{host}:{port}"),
        (Some(host), None) if !host.is_empty() => host.to_owned(),
        _ => entirely_visible(address).into_owned(),
    }
}
