//! Surfaces as servers sent them, and the file format of one.

use bytes::Bytes;
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};
use sightglass_json_text::Members;

use crate::{change::Part, item::ItemDefinition};

/// Version of the file format.
const VERSION: u64 = 1;

/// Name of the format, so that another file of JSON is not taken for a surface.
const FORMAT: &str = "sightglass-surface";

/// Bytes of a file beside its lists, as a rule.
const ROOM: usize = 8 * 1024;

/// All that a server shows of itself before a call.
///
/// `None` is a part that was not recorded: a list that could not be read, or a field that the
/// version of the program that wrote the file did not know. It is never compared, so that an
/// update of the program reports no change. A part that the server does not have is
/// `Some(Value::Null)`, or an empty list.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Surface {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_info: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<ItemDefinition>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Vec<ItemDefinition>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<ItemDefinition>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub templates: Option<Vec<ItemDefinition>>,
}

/// A surface as it stands in a file.
#[derive(Serialize)]
struct SurfaceFile<'a> {
    format: &'static str,
    version: u64,
    surface: &'a Surface,
}

/// Members of a surface in a file, with the items as their texts.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StoredMembers<'a> {
    #[serde(deserialize_with = "present")]
    protocol_version: Option<Value>,
    #[serde(deserialize_with = "present")]
    server_info: Option<Value>,
    #[serde(deserialize_with = "present")]
    instructions: Option<Value>,
    #[serde(deserialize_with = "present")]
    capabilities: Option<Value>,
    #[serde(borrow)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    prompts: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    resources: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    templates: Option<Vec<&'a RawValue>>,
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
    pub fn items(&self, part: Part) -> Option<&[ItemDefinition]> {
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
        let lists = [&self.tools, &self.prompts, &self.resources, &self.templates];
        let texts = lists.into_iter().flatten().flatten();
        let size: usize = texts.map(|item| item.text().len() + 1).sum();
        // A vector that grows to many megabytes takes as much again.
        let mut file = Vec::with_capacity(size + ROOM);
        let written = SurfaceFile {
            format: FORMAT,
            version: VERSION,
            surface: self,
        };
        match serde_json::to_writer(&mut file, &written) {
            Ok(()) => file,
            Err(_) => Vec::new(),
        }
    }

    /// Reads a file that [`to_file`](Self::to_file) wrote, in this version or an earlier one. The
    /// items share its text.
    pub fn from_file(file: &Bytes) -> Result<Self, SurfaceError> {
        let refused = |error: serde_json::Error| SurfaceError::Format(error.to_string());
        let members: Members<'_> = match serde_json::from_slice(file) {
            Ok(members) => members,
            Err(_) if serde_json::from_slice::<IgnoredAny>(file).is_ok() => {
                return Err(SurfaceError::Format("it does not say so".to_owned()));
            }
            Err(error) => return Err(refused(error)),
        };
        if members.string("format").as_deref() != Some(FORMAT) {
            return Err(SurfaceError::Format("it does not say so".to_owned()));
        }
        let version = members
            .text("version")
            .and_then(|text| text.parse::<u64>().ok());
        match version {
            Some(1..=VERSION) => {}
            Some(version) if version > VERSION => return Err(SurfaceError::Newer(version)),
            _ => return Err(SurfaceError::Format("it has no version".to_owned())),
        }
        let surface = members.text("surface").unwrap_or("null");
        let stored: StoredMembers<'_> = serde_json::from_str(surface).map_err(refused)?;
        let items = |texts: Option<Vec<&RawValue>>| match texts {
            None => Ok(None),
            Some(texts) => {
                let texts = texts.into_iter();
                let items =
                    texts.map(|text| ItemDefinition::read(file.slice_ref(text.get().as_bytes())));
                let unread = || SurfaceError::Format("an item cannot be read".to_owned());
                items
                    .collect::<Option<Vec<_>>>()
                    .map(Some)
                    .ok_or_else(unread)
            }
        };
        Ok(Self {
            protocol_version: stored.protocol_version,
            server_info: stored.server_info,
            instructions: stored.instructions,
            capabilities: stored.capabilities,
            tools: items(stored.tools)?,
            prompts: items(stored.prompts)?,
            resources: items(stored.resources)?,
            templates: items(stored.templates)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_gives_back_what_was_written() {
        let surface = Surface {
            instructions: Some(Value::Null),
            tools: Some(vec![
                json!({"name": "b", "inputSchema": {"z": 1, "a": 2}}).into(),
            ]),
            ..Surface::default()
        };
        let file = Bytes::from(surface.to_file());
        let read = Surface::from_file(&file).expect("readable");
        assert_eq!(read, surface);
        let tool = &read.tools.expect("recorded")[0];
        assert_eq!(tool.text(), r#"{"name":"b","inputSchema":{"z":1,"a":2}}"#);
        // No copy of it is made.
        assert!(file.as_ptr_range().contains(&tool.text().as_ptr()));
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
            let file = Bytes::from_static(bytes.as_bytes());
            let error = Surface::from_file(&file).expect_err(bytes);
            assert!(error.to_string().contains(message), "{bytes}: {error}");
        }
        let deep = format!(
            r#"{{"format":"sightglass-surface","version":1,"surface":{}"#,
            "[".repeat(100_000)
        );
        assert!(Surface::from_file(&deep.into()).is_err());
    }
}
