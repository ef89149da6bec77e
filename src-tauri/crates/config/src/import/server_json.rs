//! A `server.json`, as the MCP registry has them
//! (<https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md>).
//! Older revisions wrote names with underscores; both are read.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sightglass_model::RemoteTransport;

use super::{Candidate, ImportInput, naming::plain_name, program_draft, remote, text_of};
use crate::{
    definition::draft::{DraftEndpoint, NamedText},
    entry::expand::variable_name,
};

/// One candidate for each way to reach the server: its packages, then its addresses.
pub fn candidates(server: &Map<String, Value>) -> Vec<Candidate> {
    let full_name = text_of(server, &["name"]).unwrap_or_default();
    let name = plain_name(full_name.rsplit('/').next().unwrap_or("server"));
    let list = |key: &str| server.get(key).and_then(Value::as_array).cloned();
    let packages = list("packages").unwrap_or_default();
    let remotes = list("remotes").unwrap_or_default();
    let of_packages = packages
        .iter()
        .filter_map(|package| of_package(&name, package.as_object()?));
    let of_remotes = remotes
        .iter()
        .filter_map(|address| of_remote(&name, address.as_object()?));
    let mut found: Vec<Candidate> = of_packages.chain(of_remotes).collect();
    if let Some(description) = text_of(server, &["description"]) {
        for candidate in &mut found {
            candidate.notes.insert(0, description.clone());
        }
    }
    found
}

fn of_package(name: &str, package: &Map<String, Value>) -> Option<Candidate> {
    let identifier = text_of(package, &["identifier", "name"])?;
    let version = text_of(package, &["version"]).filter(|version| !version.is_empty());
    let kind = text_of(package, &["registryType", "registry_type", "registry_name"])?;
    let versioned = |separator: &str| match &version {
        Some(version) => format!("{identifier}{separator}{version}"),
        None => identifier.clone(),
    };
    let mut inputs = Vec::new();
    let runtime = arguments(
        package,
        &["runtimeArguments", "runtime_arguments"],
        &mut inputs,
    );
    let own = arguments(
        package,
        &["packageArguments", "package_arguments"],
        &mut inputs,
    );
    let environment = named(
        package,
        &["environmentVariables", "environment_variables"],
        &mut inputs,
    );
    let hint = text_of(package, &["runtimeHint", "runtime_hint"]);
    let mut words: Vec<String> = Vec::new();
    let program = match kind.as_str() {
        "npm" => {
            words.extend(runtime);
            if hint.as_deref().is_none_or(|hint| hint == "npx")
                && !words.iter().any(|word| word == "-y")
            {
                words.insert(0, "-y".into());
            }
            words.push(versioned("@"));
            hint.unwrap_or_else(|| "npx".into())
        }
        "pypi" => {
            words.extend(runtime);
            words.push(versioned("=="));
            hint.unwrap_or_else(|| "uvx".into())
        }
        "oci" | "docker" => {
            words.extend(["run".to_owned(), "-i".into(), "--rm".into()]);
            for variable in &environment {
                words.extend(["-e".to_owned(), variable.name.clone()]);
            }
            words.extend(
                runtime
                    .into_iter()
                    .filter(|word| word != "run" && word != "-i"),
            );
            words.push(if identifier.contains(':') {
                identifier.clone()
            } else {
                versioned(":")
            });
            hint.unwrap_or_else(|| "docker".into())
        }
        "nuget" => {
            words.extend(runtime);
            words.extend([versioned("@"), "--yes".into()]);
            hint.unwrap_or_else(|| "dnx".into())
        }
        // A bundle is downloaded first: see [`bundles`].
        _ => return None,
    };
    words.extend(own);
    let transport = package.get("transport").and_then(Value::as_object);
    let mut draft = program_draft(name, &program, words.iter().map(String::as_str));
    if let DraftEndpoint::Stdio {
        environment: given, ..
    } = &mut draft.endpoint
    {
        *given = environment;
    }
    let mut notes = Vec::new();
    if let Some(transport) = transport
        && text_of(transport, &["type"]).is_some_and(|kind| kind != "stdio")
    {
        notes.push("This package serves over HTTP; start it, and add its address instead.".into());
    }
    let origin = format!("the {} {identifier}", kind_title(&kind));
    Some(Candidate {
        inputs,
        notes,
        ..Candidate::new(draft, origin)
    })
}

/// The kind of a package as its registry calls itself.
fn kind_title(kind: &str) -> String {
    match kind {
        "npm" => "npm package".into(),
        "pypi" => "PyPI package".into(),
        "oci" | "docker" => "OCI image".into(),
        "nuget" => "NuGet package".into(),
        other => format!("{other} package"),
    }
}

/// A bundle that can be downloaded. The registry says its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RemoteBundle {
    pub url: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// The bundles among the packages of a server. One without a hash is none: nobody could tell
/// what was published from what is downloaded.
pub fn bundles(server: &Map<String, Value>) -> Vec<RemoteBundle> {
    objects(server, &["packages"])
        .filter(|package| {
            let kind = text_of(package, &["registryType", "registry_type"]);
            kind.as_deref() == Some("mcpb")
        })
        .filter_map(|package| {
            Some(RemoteBundle {
                url: text_of(package, &["identifier"])?,
                sha256: text_of(package, &["fileSha256", "file_sha256"])?.to_ascii_lowercase(),
            })
        })
        .collect()
}

fn of_remote(name: &str, address: &Map<String, Value>) -> Option<Candidate> {
    let mut inputs = Vec::new();
    let url = template(&text_of(address, &["url"])?, address, &mut inputs);
    let transport = match text_of(address, &["type", "transport_type"]).as_deref() {
        Some("sse") => RemoteTransport::Sse,
        _ => RemoteTransport::Http,
    };
    let headers = named(address, &["headers"], &mut inputs);
    let mut draft = remote(name, &url, transport);
    if let DraftEndpoint::Remote(remote) = &mut draft.endpoint {
        remote.headers = headers;
    }
    Some(Candidate {
        inputs,
        ..Candidate::new(draft, "a remote server")
    })
}

fn objects<'a>(
    owner: &'a Map<String, Value>,
    names: &[&str],
) -> impl Iterator<Item = &'a Map<String, Value>> {
    let list = names.iter().find_map(|name| owner.get(*name)?.as_array());
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// The arguments of a package in their order.
fn arguments(
    package: &Map<String, Value>,
    names: &[&str],
    inputs: &mut Vec<ImportInput>,
) -> Vec<String> {
    let mut words = Vec::new();
    for argument in objects(package, names) {
        let flag = text_of(argument, &["name"]);
        let label = text_of(argument, &["valueHint", "value_hint"])
            .or_else(|| flag.clone())
            .unwrap_or_else(|| "argument".into());
        let flag = flag.filter(|flag| flag.starts_with('-'));
        words.extend(flag.clone());
        let is_flag_alone = argument.get("name").is_some()
            && argument.get("value").is_none()
            && argument.get("valueHint").is_none()
            && argument.get("format").and_then(Value::as_str) == Some("boolean");
        if is_flag_alone {
            continue;
        }
        let known = inputs.len();
        words.extend(value(argument, &label, inputs));
        // By its flag, which goes where it has no value.
        if let (Some(flag), [own]) = (flag, &mut inputs[known..]) {
            own.title = flag;
        }
    }
    words
}

/// Environment variables or headers.
fn named(
    owner: &Map<String, Value>,
    names: &[&str],
    inputs: &mut Vec<ImportInput>,
) -> Vec<NamedText> {
    objects(owner, names)
        .filter_map(|input| {
            let name = text_of(input, &["name"])?;
            let text = value(input, &name, inputs)?;
            Some(NamedText { name, text })
        })
        .collect()
}

/// Returns the text to write for an input: its fixed value, or a reference that the user fills in.
fn value(input: &Map<String, Value>, label: &str, inputs: &mut Vec<ImportInput>) -> Option<String> {
    if let Some(fixed) = text_of(input, &["value"]) {
        return Some(template(&fixed, input, inputs));
    }
    let name = variable_name(label);
    let described = describe(&name, label, input);
    let reference = reference(&described);
    inputs.push(described);
    Some(reference)
}

/// Returns a reference to an input. One that is not required is empty where it has no value.
fn reference(input: &ImportInput) -> String {
    match input.required || input.default.is_some() {
        true => format!("${{{}}}", input.name),
        false => format!("${{{}:-}}", input.name),
    }
}

/// A text with `{name}`s, as references.
fn template(text: &str, owner: &Map<String, Value>, inputs: &mut Vec<ImportInput>) -> String {
    let variables = owner.get("variables").and_then(Value::as_object);
    let mut text = text.to_owned();
    for (key, input) in variables.into_iter().flatten() {
        let name = variable_name(key);
        let reference = match input.as_object() {
            Some(input) => {
                let described = describe(&name, key, input);
                let reference = reference(&described);
                inputs.push(described);
                reference
            }
            None => format!("${{{name}}}"),
        };
        text = text.replace(&format!("{{{key}}}"), &reference);
    }
    text
}

fn describe(name: &str, title: &str, input: &Map<String, Value>) -> ImportInput {
    let flag = |names: &[&str]| {
        names
            .iter()
            .any(|name| input.get(*name) == Some(&Value::Bool(true)))
    };
    ImportInput {
        name: name.to_owned(),
        title: title.to_owned(),
        description: text_of(input, &["description"]).unwrap_or_default(),
        required: flag(&["isRequired", "is_required"]),
        secret: flag(&["isSecret", "is_secret"]),
        default: text_of(input, &["default"]),
        choices: input
            .get("choices")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|choice| choice.as_str().map(str::to_owned))
            .collect(),
        ..ImportInput::default()
    }
}
