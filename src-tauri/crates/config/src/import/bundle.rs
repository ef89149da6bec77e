//! An `.mcpb` bundle: a ZIP archive with a manifest
//! (<https://github.com/anthropics/mcpb/blob/main/MANIFEST.md>). The manifest is read and shown;
//! nothing is unpacked and nothing is run.

use std::{io::Read as _, path::Path};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Candidate, ImportError, ImportInput, draft, naming::plain_name, server_json::variable_name,
    text_of,
};
use crate::definition::draft::{DraftEndpoint, NamedText};

/// A manifest larger than this is none.
const MAX_MANIFEST_BYTES: u64 = 4 << 20;

/// The variable that stands for where the bundle is unpacked.
const DIRECTORY: &str = "BUNDLE_DIRECTORY";

/// Description in a bundle's manifest.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Bundle {
    pub path: String,
    pub name: String,
    pub title: Option<String>,
    pub version: String,
    pub description: String,
    pub author: Option<String>,
    pub homepage: Option<String>,
    /// The names of the tools that it announces.
    pub tools: Vec<String>,
    /// The names of the prompts that it announces.
    pub prompts: Vec<String>,
    /// The systems that it is for, as Node.js names them; empty for any.
    pub platforms: Vec<String>,
    /// The whole manifest, indented.
    pub manifest: String,
    pub candidates: Vec<Candidate>,
}

/// Reads the manifest of a bundle. Nothing is unpacked and nothing is run.
///
/// # Errors
/// When the file is no bundle, or its manifest does not say how to start a server.
pub fn read_bundle(path: &Path) -> Result<Bundle, ImportError> {
    let (manifest, files) = open(path)?;
    let candidate = of_manifest(&manifest, &files)?;
    let text = |name: &str| text_of(&manifest, &[name]);
    let names = |list: &str| -> Vec<String> {
        let list = manifest.get(list).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|item| text_of(item.as_object()?, &["name"]))
            .collect()
    };
    let author = manifest.get("author").and_then(|author| match author {
        Value::String(name) => Some(name.clone()),
        Value::Object(author) => text_of(author, &["name"]),
        _ => None,
    });
    let platforms = manifest
        .get("compatibility")
        .and_then(|compatibility| compatibility.get("platforms")?.as_array());
    Ok(Bundle {
        path: path.display().to_string(),
        name: text("name").unwrap_or_default(),
        title: text("display_name"),
        version: text("version").unwrap_or_default(),
        description: text("description").unwrap_or_default(),
        author,
        homepage: text("homepage").or_else(|| text("documentation")),
        tools: names("tools"),
        prompts: names("prompts"),
        platforms: platforms
            .into_iter()
            .flatten()
            .filter_map(|platform| platform.as_str().map(str::to_owned))
            .collect(),
        manifest: format!("{:#}", Value::Object(manifest)),
        candidates: vec![candidate],
    })
}

/// The manifest of a bundle, and the names of its files.
fn open(path: &Path) -> Result<(Map<String, Value>, Vec<String>), ImportError> {
    let failed = |error: &dyn std::fmt::Display| ImportError::Bundle(error.to_string());
    let file = sightglass_files::open_regular(path).map_err(|error| failed(&error))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| failed(&error))?;
    let files: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .collect();
    let manifest = archive
        .by_name("manifest.json")
        .map_err(|_| ImportError::Bundle("it has no manifest.json".into()))?;
    let mut text = String::new();
    manifest
        .take(MAX_MANIFEST_BYTES)
        .read_to_string(&mut text)
        .map_err(|error| failed(&error))?;
    match serde_json::from_str(&text) {
        Ok(Value::Object(manifest)) => Ok((manifest, files)),
        Ok(_) => Err(ImportError::Bundle("its manifest is no object".into())),
        Err(error) => Err(failed(&error)),
    }
}

/// The server of a manifest. `files` are those of the archive, where there is one.
pub(super) fn of_manifest(
    manifest: &Map<String, Value>,
    files: &[String],
) -> Result<Candidate, ImportError> {
    let bad = |message: &str| ImportError::Bundle(message.to_owned());
    let name = text_of(manifest, &["name"]).ok_or_else(|| bad("its manifest has no name"))?;
    let server = manifest
        .get("server")
        .and_then(Value::as_object)
        .ok_or_else(|| bad("its manifest has no server"))?;
    let config = server
        .get("mcp_config")
        .and_then(Value::as_object)
        .ok_or_else(|| bad("its manifest does not say how to start the server"))?;
    let command = text_of(config, &["command"]).ok_or_else(|| bad("it names no command"))?;
    let mut inputs = Vec::new();
    let mut uses_directory = false;
    let mut translate = |text: &str| {
        let translated = crate::entry::dialect::map_references(text, |reference, name, _| {
            if name == "__dirname" {
                uses_directory = true;
                return format!("${{{DIRECTORY}}}");
            }
            match name.strip_prefix("user_config.") {
                Some(key) => format!("${{{}}}", variable_name(key)),
                None => reference.to_owned(),
            }
        });
        translated
            .replace("${/}", "/")
            .replace("${pathSeparator}", "/")
    };
    let command = translate(&command);
    let arguments = config
        .get("args")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|argument| argument.as_str().map(&mut translate))
        .collect();
    let environment = config
        .get("env")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            Some(NamedText {
                name: name.clone(),
                text: translate(value.as_str()?),
            })
        })
        .collect();
    if uses_directory {
        inputs.push(ImportInput {
            name: DIRECTORY.into(),
            title: "Folder of the bundle".into(),
            description: "Where the bundle was unpacked. An .mcpb file is a ZIP archive.".into(),
            required: true,
            secret: false,
            default: None,
            choices: Vec::new(),
        });
    }
    let settings = manifest.get("user_config").and_then(Value::as_object);
    for (key, setting) in settings.into_iter().flatten() {
        if let Some(setting) = setting.as_object() {
            inputs.push(setting_input(key, setting));
        }
    }
    let mut notes = Vec::new();
    if let Some(description) = text_of(manifest, &["description"]) {
        notes.push(description);
    }
    if !files.is_empty() {
        notes.push(format!(
            "The bundle holds {} files. Nothing was run.",
            files.len()
        ));
    }
    let version = text_of(manifest, &["version"]).unwrap_or_default();
    Ok(Candidate {
        draft: draft(
            &plain_name(&name),
            DraftEndpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory: None,
            },
        ),
        origin: format!("the bundle {name} {version}").trim_end().to_owned(),
        inputs,
        notes,
        left_out: Vec::new(),
    })
}

fn setting_input(key: &str, setting: &Map<String, Value>) -> ImportInput {
    let flag = |name: &str| setting.get(name) == Some(&Value::Bool(true));
    ImportInput {
        name: variable_name(key),
        title: text_of(setting, &["title"]).unwrap_or_else(|| key.to_owned()),
        description: text_of(setting, &["description"]).unwrap_or_default(),
        required: flag("required"),
        secret: flag("sensitive"),
        default: setting.get("default").map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }),
        choices: Vec::new(),
    }
}
