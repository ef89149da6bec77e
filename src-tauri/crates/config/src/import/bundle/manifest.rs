//! Reads the server of a bundle's manifest, versions 0.1 to 0.4.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::BundleHost;
use crate::{
    client::Platform,
    definition::{
        draft::{DraftEndpoint, NamedText},
        draft_variables::OF_THE_PLACE,
    },
    entry::{dialect::map_references, expand::variable_name, input::MAX_INPUTS},
    import::{Candidate, ImportError, ImportInput, InputKind, draft, naming::plain_name, text_of},
};

/// The variable that stands for the directory of a bundle of which only the manifest is known.
const DIRECTORY: &str = "BUNDLE_DIRECTORY";

/// The unpacked bundle that a manifest belongs to.
pub(super) struct Unpacked<'a> {
    pub directory: &'a Path,
    pub names: &'a HashSet<String>,
    pub host: &'a BundleHost<'a>,
}

/// The server of a manifest, in its directory where that is known.
pub(super) fn of_manifest(
    manifest: &Map<String, Value>,
    unpacked: Option<&Unpacked<'_>>,
) -> Result<Candidate, ImportError> {
    let bad = |message: &str| ImportError::Bundle(message.to_owned());
    let name = text_of(manifest, &["name"]).ok_or_else(|| bad("its manifest has no name"))?;
    let server = manifest
        .get("server")
        .and_then(Value::as_object)
        .ok_or_else(|| bad("its manifest has no server"))?;
    let settings = ManifestSettings::of(manifest, unpacked);
    let platform =
        unpacked.map_or_else(Platform::current, |unpacked| unpacked.host.machine.platform);
    let start = ManifestStart::of(server, platform)?;
    let mut reader = ManifestReader {
        unpacked,
        settings: &settings,
        platform,
        uses_directory: false,
    };
    let command = reader.command(&start.command);
    let arguments = start
        .arguments
        .iter()
        .map(|text| reader.text(text))
        .collect();
    let environment = start
        .environment
        .iter()
        .map(|(name, text)| NamedText {
            name: name.clone(),
            text: reader.text(text),
        })
        .collect();
    let mut inputs = Vec::new();
    if reader.uses_directory && unpacked.is_none() {
        inputs.push(ImportInput {
            name: DIRECTORY.into(),
            title: "Folder of the bundle".into(),
            description: "Where the bundle was unpacked. An .mcpb file is a ZIP archive.".into(),
            required: true,
            kind: InputKind::Directory,
            ..ImportInput::default()
        });
    }
    inputs.extend(settings.inputs);
    let mut notes: Vec<String> = text_of(manifest, &["description"]).into_iter().collect();
    let platforms = platforms(manifest);
    if !platforms.is_empty() && !platforms.iter().any(|name| name == node_name(platform)) {
        notes.push(format!(
            "The bundle is for {} and may not start here.",
            platforms.join(", ")
        ));
    }
    let version = text_of(manifest, &["version"]).unwrap_or_default();
    let draft = draft(
        &plain_name(&name),
        DraftEndpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory: None,
        },
    );
    let origin = format!("the bundle {name} {version}");
    Ok(Candidate {
        inputs,
        notes,
        ..Candidate::new(draft, origin.trim_end())
    })
}

/// The systems that a bundle is for, as Node.js names them; empty for any.
pub(super) fn platforms(manifest: &Map<String, Value>) -> Vec<String> {
    let platforms = manifest
        .get("compatibility")
        .and_then(|compatibility| compatibility.get("platforms")?.as_array());
    texts(platforms)
}

/// The file that a bundle of machine code is started by.
pub(super) fn program(manifest: &Map<String, Value>) -> Option<String> {
    let server = manifest.get("server")?.as_object()?;
    let is_binary = text_of(server, &["type"]).as_deref() == Some("binary");
    let entry_point = text_of(server, &["entry_point"])?;
    is_binary.then(|| entry_point.trim_start_matches("./").to_owned())
}

/// The name that Node.js has for a system, and so have manifests.
fn node_name(platform: Platform) -> &'static str {
    match platform {
        Platform::Linux => "linux",
        Platform::MacOs => "darwin",
        Platform::Windows => "win32",
    }
}

fn texts(list: Option<&Vec<Value>>) -> Vec<String> {
    list.into_iter()
        .flatten()
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}

/// Command line of a server, with the references of the manifest.
struct ManifestStart {
    command: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

impl ManifestStart {
    /// The part of the manifest for this system; for a server without `mcp_config` what its type
    /// and its entry point mean.
    fn of(server: &Map<String, Value>, platform: Platform) -> Result<Self, ImportError> {
        let bad = |message: &str| ImportError::Bundle(message.to_owned());
        let config = server.get("mcp_config").and_then(Value::as_object);
        let entry_point = text_of(server, &["entry_point"]);
        let Some(config) = config else {
            let entry_point = entry_point
                .ok_or_else(|| bad("its manifest does not say how to start the server"))?;
            return Self::by_type(&text_of(server, &["type"]).unwrap_or_default(), entry_point)
                .ok_or_else(|| bad("its manifest does not say how to start the server"));
        };
        let own = config
            .get("platform_overrides")
            .and_then(|overrides| overrides.get(node_name(platform))?.as_object());
        // A member that the system has of its own takes the place of the whole common one.
        let member = |name: &str| own.and_then(|own| own.get(name)).or(config.get(name));
        let command = member("command")
            .and_then(Value::as_str)
            .filter(|command| !command.is_empty())
            .ok_or_else(|| bad("it names no command"))?;
        Ok(Self {
            command: command.to_owned(),
            arguments: texts(member("args").and_then(Value::as_array)),
            environment: member("env")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
                .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect(),
        })
    }

    fn by_type(kind: &str, entry_point: String) -> Option<Self> {
        let entry_point = format!("${{__dirname}}/{}", entry_point.trim_start_matches("./"));
        let (command, arguments) = match kind {
            "node" => ("node".to_owned(), vec![entry_point]),
            "python" => ("python".to_owned(), vec![entry_point]),
            "binary" => (entry_point, Vec::new()),
            "uv" => {
                let words = ["run", "--directory", "${__dirname}"];
                let mut arguments: Vec<String> = words.map(str::to_owned).into();
                arguments.push(entry_point);
                ("uv".to_owned(), arguments)
            }
            _ => return None,
        };
        Some(Self {
            command,
            arguments,
            environment: Vec::new(),
        })
    }
}

/// Writes the texts of a manifest in the common form.
struct ManifestReader<'a> {
    unpacked: Option<&'a Unpacked<'a>>,
    settings: &'a ManifestSettings,
    platform: Platform,
    uses_directory: bool,
}

impl ManifestReader<'_> {
    fn text(&mut self, text: &str) -> String {
        self.translate(&self.below_directory(text))
    }

    fn command(&mut self, command: &str) -> String {
        let mut command = self.below_directory(command);
        if self.platform == Platform::Windows
            && let Some(unpacked) = self.unpacked
            && let Some(name) = command.strip_prefix("${__dirname}/")
            && !unpacked.names.contains(name)
            && unpacked.names.contains(&format!("{name}.exe"))
        {
            command.push_str(".exe");
        }
        self.translate(&command)
    }

    /// A text that names something in the bundle, as `server/index.js`, from its directory:
    /// clients start servers in directories of their own.
    fn below_directory(&self, text: &str) -> String {
        let relative = text.strip_prefix("./").unwrap_or(text);
        let is_of_bundle = self.unpacked.is_some_and(|unpacked| {
            relative.contains('/')
                && (unpacked.names.contains(relative)
                    || unpacked.names.contains(&format!("{relative}.exe")))
        });
        if is_of_bundle {
            format!("${{__dirname}}/{relative}")
        } else {
            text.to_owned()
        }
    }

    fn translate(&mut self, text: &str) -> String {
        map_references(text, |reference, name, _| match name {
            "__dirname" => {
                self.uses_directory = true;
                match self.unpacked {
                    Some(unpacked) => unpacked.directory.display().to_string(),
                    None => format!("${{{DIRECTORY}}}"),
                }
            }
            "/" | "pathSeparator" if self.platform == Platform::Windows => "\\".to_owned(),
            "/" | "pathSeparator" => "/".to_owned(),
            _ => match name.strip_prefix("user_config.") {
                Some(key) => self.settings.reference(key),
                None => folder(name, self.unpacked).unwrap_or_else(|| reference.to_owned()),
            },
        })
    }
}

/// A directory of the user's that manifests name.
fn folder(name: &str, unpacked: Option<&Unpacked<'_>>) -> Option<String> {
    let default = match name {
        "HOME" => "",
        "DESKTOP" => "Desktop",
        "DOCUMENTS" => "Documents",
        "DOWNLOADS" => "Downloads",
        _ => return None,
    };
    let Some(unpacked) = unpacked else {
        return (!default.is_empty()).then(|| format!("${{HOME}}/{default}"));
    };
    let machine = unpacked.host.machine;
    let home = &machine.places.home;
    let directory = if default.is_empty() {
        home.clone()
    } else {
        xdg_directory(unpacked.host, &default.to_ascii_uppercase())
            .unwrap_or_else(|| home.join(default))
    };
    Some(directory.display().to_string())
}

/// A directory that a Linux desktop has in the user's language
/// (<https://www.freedesktop.org/wiki/Software/xdg-user-dirs/>). `name` is `DESKTOP`,
/// `DOCUMENTS` or `DOWNLOADS`.
fn xdg_directory(host: &BundleHost<'_>, name: &str) -> Option<PathBuf> {
    let machine = host.machine;
    if machine.platform != Platform::Linux {
        return None;
    }
    let home = &machine.places.home;
    let settings = machine
        .variable("XDG_CONFIG_HOME")
        .map_or_else(|| home.join(".config"), PathBuf::from);
    let text = sightglass_files::read(&settings.join("user-dirs.dirs")).ok()?;
    let text = String::from_utf8(text).ok()?;
    // The file says DOWNLOAD.
    let key = format!("XDG_{}_DIR=", name.replace("DOWNLOADS", "DOWNLOAD"));
    let path = text
        .lines()
        .find_map(|line| line.trim().strip_prefix(&key))?
        .trim_matches('"');
    let path = match path.strip_prefix("$HOME/") {
        Some(below) => home.join(below),
        None => PathBuf::from(path),
    };
    path.is_absolute().then_some(path)
}

/// Values that a manifest asks its user for.
struct ManifestSettings {
    inputs: Vec<ImportInput>,
    /// Place of the input of each key.
    by_key: HashMap<String, usize>,
    names: HashSet<String>,
    /// Number that the last input has whose key becomes this name.
    numbers: HashMap<String, u32>,
}

impl ManifestSettings {
    fn of(manifest: &Map<String, Value>, unpacked: Option<&Unpacked<'_>>) -> Self {
        let mut settings = Self {
            inputs: Vec::new(),
            by_key: HashMap::new(),
            names: OF_THE_PLACE.iter().map(|&name| name.to_owned()).collect(),
            numbers: HashMap::new(),
        };
        let fields = manifest.get("user_config").and_then(Value::as_object);
        for (key, field) in fields.into_iter().flatten().take(MAX_INPUTS) {
            if let Some(field) = field.as_object() {
                let name = settings.free_name(key);
                let place = settings.inputs.len();
                settings.inputs.push(input(name, key, field, unpacked));
                settings.by_key.insert(key.clone(), place);
            }
        }
        settings
    }

    /// A variable that no other field has, and that is none of the desktop's.
    fn free_name(&mut self, key: &str) -> String {
        let name = variable_name(key);
        let number = self.numbers.entry(name.clone()).or_insert(1);
        let mut free = name.clone();
        while !self.names.insert(free.clone()) {
            *number += 1;
            free = format!("{name}_{number}");
        }
        free
    }

    /// The reference that stands for a field. One that may stay empty does so where it is not
    /// given; a server with a required one does not start without it.
    fn reference(&self, key: &str) -> String {
        match self.by_key.get(key).map(|&place| &self.inputs[place]) {
            Some(input) if !input.required && input.default.is_none() => {
                format!("${{{}:-}}", input.name)
            }
            Some(input) => format!("${{{}}}", input.name),
            None => format!("${{{}}}", variable_name(key)),
        }
    }
}

fn input(
    name: String,
    key: &str,
    field: &Map<String, Value>,
    unpacked: Option<&Unpacked<'_>>,
) -> ImportInput {
    let flag = |name: &str| field.get(name) == Some(&Value::Bool(true));
    let kind = match text_of(field, &["type"]).as_deref() {
        Some("number") => InputKind::Number,
        Some("directory") => InputKind::Directory,
        Some("file") => InputKind::File,
        _ => InputKind::Text,
    };
    let is_boolean = field.get("type").and_then(Value::as_str) == Some("boolean");
    let text = |value: &Value| match value {
        Value::String(text) => map_references(text, |reference, name, _| {
            folder(name, unpacked).unwrap_or_else(|| reference.to_owned())
        }),
        other => other.to_string(),
    };
    ImportInput {
        name,
        title: text_of(field, &["title"]).unwrap_or_else(|| key.to_owned()),
        description: text_of(field, &["description"]).unwrap_or_default(),
        required: flag("required"),
        secret: flag("sensitive"),
        default: field.get("default").and_then(|value| match value {
            Value::Null => None,
            Value::Array(values) => {
                let values: Vec<String> = values.iter().map(text).collect();
                (!values.is_empty()).then(|| values.join("\n"))
            }
            value => Some(text(value)),
        }),
        choices: if is_boolean {
            ["true", "false"].map(str::to_owned).into()
        } else {
            Vec::new()
        },
        kind,
        multiple: flag("multiple"),
        minimum: field.get("min").and_then(Value::as_f64),
        maximum: field.get("max").and_then(Value::as_f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_become_one_name_get_names_of_their_own_in_time_that_grows_with_their_number() {
        let fields = (0..20_000).map(|at| {
            let key: String = (0..15)
                .map(|bit| if at >> bit & 1 == 0 { '-' } else { '!' })
                .collect();
            (format!("a{key}"), serde_json::json!({ "type": "string" }))
        });
        let fields: Map<String, Value> = fields.collect();
        let manifest = serde_json::json!({
            "name": "many", "user_config": fields,
            "server": { "type": "node", "entry_point": "index.js" },
        });
        let candidate = of_manifest(manifest.as_object().expect("an object"), None);
        let inputs = candidate.expect("it is read").inputs;
        let names: HashSet<_> = inputs.iter().map(|input| &input.name).collect();
        assert_eq!(names.len(), inputs.len());
        // The folder of the bundle is asked for as well.
        assert_eq!(names.len(), MAX_INPUTS + 1);
    }
}
