//! Says in sentences what connecting does: what starts, and which variables of the user's
//! environment go where.

use sightglass_model::visible;

use super::LaunchPlan;
use crate::{
    entry::{UnexpandedEndpoint, UnexpandedRemote, UnexpandedText},
    entry::{
        expand::{FILE_PREFIX, INPUT_PREFIX, SECRET_PREFIX, expand_with},
        sign_in::written_sign_in,
    },
};

pub(super) fn consequences(plan: &LaunchPlan) -> Vec<String> {
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
            let mut sentences =
                vec!["Connecting starts this program on your computer, as you.".to_owned()];
            sentences.extend(
                variables(plan, texts.iter().copied())
                    .into_iter()
                    .map(|name| format!("Gives the program {}.", described(&name))),
            );
            let files = files(plan, texts.into_iter()).into_iter();
            sentences.extend(
                files.map(|file| format!("Gives the program the content of the file {file}.")),
            );
            if let Some(file) = environment_file {
                sentences.push(format!(
                    "Gives the program the variables in the file {}.",
                    visible(plain(file))
                ));
            }
            sentences
        }
        Ok(UnexpandedEndpoint::Remote(remote)) => remote_consequences(plan, remote),
        Err(problems) => std::iter::once("The entry cannot be used, so nothing starts.".to_owned())
            .chain(
                problems
                    .iter()
                    .map(|problem| visible(&problem.message).into_owned()),
            )
            .collect(),
    }
}

fn remote_consequences(plan: &LaunchPlan, remote: &UnexpandedRemote) -> Vec<String> {
    let host = host(plain(&remote.url));
    let mut sentences = vec![format!("Connecting sends requests to {host}.")];
    if let Some(helper) = &remote.headers_helper {
        sentences.push(format!(
            "Connecting runs the command {} on your computer, as you, and sends what it prints to \
             {host}.",
            visible(plain(helper))
        ));
    }
    let headers = remote
        .headers
        .iter()
        .map(|(_, text)| ("headers.", plain(text)));
    let texts = std::iter::once(&remote.url).chain(&remote.headers_helper);
    let texts = texts.map(|text| ("url", plain(text)));
    let texts: Vec<_> = texts.chain(headers).collect();
    let sent = variables(plan, texts.iter().copied());
    let files = files(plan, texts.into_iter()).into_iter();
    sentences.extend(files.map(|file| format!("Sends the content of the file {file} to {host}.")));
    let sign_in = written_sign_in(plan.entry.expose());
    let token = sign_in.bearer_variable.as_deref().map(|name| {
        if name.contains("${") {
            format!("that {} names", visible(name))
        } else {
            visible(name).into_owned()
        }
    });
    let mut told: Vec<String> = Vec::new();
    for name in sent.into_iter().chain(token) {
        if !told.contains(&name) {
            sentences.push(format!("Sends {} to {host}.", described(&name)));
            told.push(name);
        }
    }
    let read = [&remote.ca_file, &remote.fingerprint]
        .into_iter()
        .flatten()
        .map(|text| ("ca_file", plain(text)));
    sentences.extend(
        variables(plan, read)
            .into_iter()
            .map(|name| format!("Reads {}.", described(&name))),
    );
    let metadata = sign_in.server_metadata_url.as_deref();
    let authority = match metadata {
        Some(address) => format!(
            "the authorization server that {} names",
            self::host(address)
        ),
        None => format!("the authorization server that {host} names"),
    };
    if metadata.is_some() {
        sentences.push(format!("Signing in goes to {authority}."));
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
        sentences.push(format!(
            "Signing in sends {} to {authority}.",
            described(&name)
        ));
    }
    if sign_in.client_secret.is_some() {
        sentences.push(format!(
            "Signing in sends the client secret to {authority}."
        ));
    }
    if let Some(file) = &remote.ca_file {
        sentences.push(format!(
            "Also accepts certificates of the authorities in {}.",
            visible(plain(file))
        ));
    }
    if remote.fingerprint.is_some() {
        sentences
            .push("Accepts the certificate with this fingerprint, whoever issued it.".to_owned());
    }
    sentences
}

/// Describes a variable, or a secret that was entered for the entry.
fn described(name: &str) -> String {
    match name.strip_prefix(SECRET_PREFIX) {
        Some(secret) => format!("the secret {secret} that you entered for it"),
        None => format!("the variable {name} of your environment"),
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

/// The files whose content the texts of fields refer to, each once.
fn files<'t>(
    plan: &LaunchPlan,
    texts: impl Iterator<Item = (&'static str, &'t str)>,
) -> Vec<String> {
    references(plan, texts, |name| {
        name.strip_prefix(FILE_PREFIX).map(str::to_owned)
    })
}

/// Returns the names that the texts of fields refer to and that `ask` wants, each once.
fn references<'t>(
    plan: &LaunchPlan,
    texts: impl Iterator<Item = (&'static str, &'t str)>,
    ask: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let rules = plan.spec.as_ref().map(|spec| spec.expansion);
    let rules = rules.unwrap_or_default();
    let mut found = Vec::new();
    for (field, text) in texts {
        // Without a value the defaults are expanded as well. Faults keep the entry from starting.
        let _ = expand_with(rules.of_field(field), text, &mut |name| {
            let name = ask(name).map(|name| visible(&name).into_owned());
            if let Some(name) = name.filter(|name| !found.contains(name)) {
                found.push(name);
            }
            None
        });
    }
    found
}

/// The host and port of an address, or the whole address where a variable decides them.
fn host(address: &str) -> String {
    if address.contains("${") {
        return visible(address).into_owned();
    }
    let Ok(url) = url::Url::parse(address) else {
        return visible(address).into_owned();
    };
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) if !host.is_empty() => format!("{host}:{port}"),
        (Some(host), None) if !host.is_empty() => host.to_owned(),
        _ => visible(address).into_owned(),
    }
}
