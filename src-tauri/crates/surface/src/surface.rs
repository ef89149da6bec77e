//! Surfaces as servers sent them, and the file format of one.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::change::Part;

/// Version of the file format.
const VERSION: u64 = 1;

/// Name of the format, so that another file of JSON is not taken for a surface.
const FORMAT: &str = "sightglass-surface";

/// All that a server shows of itself before a call.
///
/// `None` is a part that was not recorded: a list that could not be read, or a field that the
/// version of the program that wrote the file did not know. It is never compared, so that an
/// update of the program reports no change. A part that the server does not have is
/// `Some(Value::Null)`, or an empty list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Surface {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub protocol_version: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub server_info: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub instructions: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub capabilities: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub templates: Option<Vec<Value>>,
}

/// Keeps a `null` in the file apart from a field that is not in it.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A file that cannot be read as a surface.
#[derive(Debug, thiserror::Error)]
pub enum SurfaceError {
    #[error("The file is no stored surface: {0}.")]
    Format(String),
    #[error("The file was written by a newer version of Sightglass (format {0}).")]
    Newer(u64),
}

impl Surface {
    /// Returns the items of one list; `None` when it was not recorded.
    pub fn items(&self, part: Part) -> Option<&[Value]> {
        match part {
            Part::Tool => self.tools.as_deref(),
            Part::Prompt => self.prompts.as_deref(),
            Part::Resource => self.resources.as_deref(),
            Part::Template => self.templates.as_deref(),
            Part::Server | Part::Instructions | Part::Capabilities => None,
        }
    }

    /// Writes the file of the surface.
    pub fn to_file(&self) -> Vec<u8> {
        serde_json::to_vec(&json!({
            "format": FORMAT,
            "version": VERSION,
            "surface": self,
        }))
        .unwrap_or_default()
    }

    /// Reads a file that [`to_file`](Self::to_file) wrote, in this version or an earlier one.
    pub fn from_file(bytes: &[u8]) -> Result<Self, SurfaceError> {
        let mut file: Value = serde_json::from_slice(bytes)
            .map_err(|error| SurfaceError::Format(error.to_string()))?;
        if file.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(SurfaceError::Format("it does not say so".to_owned()));
        }
        match file.get("version").and_then(Value::as_u64) {
            Some(version @ 1..=VERSION) => version,
            Some(version) if version > VERSION => return Err(SurfaceError::Newer(version)),
            _ => return Err(SurfaceError::Format("it has no version".to_owned())),
        };
        serde_json::from_value(file["surface"].take())
            .map_err(|error| SurfaceError::Format(error.to_string()))
    }
}

/// Returns the member by which an item is known in its list.
pub(crate) fn key(part: Part) -> &'static str {
    match part {
        Part::Resource => "uri",
        Part::Template => "uriTemplate",
        _ => "name",
    }
}

/// Returns the name of an item; empty when it has none.
pub(crate) fn name_of(part: Part, item: &Value) -> &str {
    item.get(key(part))
        .and_then(Value::as_str)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_back_what_was_written() {
        let surface = Surface {
            instructions: Some(Value::Null),
            tools: Some(vec![json!({"name": "b", "inputSchema": {"z": 1, "a": 2}})]),
            ..Surface::default()
        };
        let read = Surface::from_file(&surface.to_file()).expect("readable");
        assert_eq!(read, surface);
        let tool = serde_json::to_string(&read.tools.expect("recorded")[0]).expect("JSON");
        assert_eq!(tool, r#"{"name":"b","inputSchema":{"z":1,"a":2}}"#);
    }

    #[test]
    fn files_of_others_and_of_later_versions_are_refused() {
        for (bytes, message) in [
            ("", "no stored surface"),
            ("[]", "does not say so"),
            (r#"{"tools":[]}"#, "does not say so"),
            (r#"{"format":"sightglass-surface"}"#, "no version"),
            (
                r#"{"format":"sightglass-surface","version":0}"#,
                "no version",
            ),
            (
                r#"{"format":"sightglass-surface","version":2}"#,
                "newer version",
            ),
            (
                r#"{"format":"sightglass-surface","version":1}"#,
                "no stored surface",
            ),
            (
                r#"{"format":"sightglass-surface","version":1,"surface":{"tools":{}}}"#,
                "no stored surface",
            ),
        ] {
            let error = Surface::from_file(bytes.as_bytes()).expect_err(bytes);
            assert!(error.to_string().contains(message), "{bytes}: {error}");
        }
        let deep = format!(
            r#"{{"format":"sightglass-surface","version":1,"surface":{}"#,
            "[".repeat(100_000)
        );
        assert!(Surface::from_file(deep.as_bytes()).is_err());
    }
}
