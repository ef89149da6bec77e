//! Reads what a server shows of itself out of a recording: its handshake and its lists.

use std::collections::HashMap;

use bytes::Bytes;
use serde_json::Value;
use sightglass_json_text::{Members, elements};
use sightglass_surface::{ItemDefinition, Surface};
use sightglass_traffic::{Direction, RecordedFrame};

use crate::{
    exchanges::{MAX_OPEN, RequestKey, steps},
    message::{string_within, within},
};

/// Items of one list.
const MAX_ITEMS: usize = 1_000_000;

/// Gathers a surface. Of what is recorded several times, the last counts.
#[derive(Debug, Default)]
pub struct SurfaceBuilder {
    open: HashMap<RequestKey, ListRequest>,
    surface: Surface,
    lists: HashMap<&'static str, List>,
}

/// A request for a list, or of the handshake.
#[derive(Debug)]
struct ListRequest {
    method: String,
    is_next_page: bool,
}

#[derive(Debug, Default)]
struct List {
    items: Vec<ItemDefinition>,
    is_whole: bool,
}

/// The methods that list, the member of their results, and the capability that they belong to.
const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "tools"),
    ("prompts/list", "prompts", "prompts"),
    ("resources/list", "resources", "resources"),
    ("resources/templates/list", "resourceTemplates", "resources"),
];

/// Members of `serverInfo` that a surface has.
const INFO: [&str; 5] = ["name", "version", "title", "description", "websiteUrl"];

impl SurfaceBuilder {
    /// Takes the next frame of the recording.
    pub fn frame(&mut self, frame: &RecordedFrame) {
        for step in steps(frame) {
            match (step.method, step.request) {
                (Some(method), Some(key))
                    if key.asked == Direction::Sent && self.open.len() < MAX_OPEN =>
                {
                    let is_next_page = within(step.message.params(), &["cursor"]).is_some();
                    let asked = ListRequest {
                        method,
                        is_next_page,
                    };
                    self.open.insert(key, asked);
                }
                (None, Some(key)) => {
                    if let (Some(asked), Some(result)) =
                        (self.open.remove(&key), step.message.result())
                    {
                        self.answered(&asked, result);
                    }
                }
                _ => {}
            }
        }
    }

    fn answered(&mut self, asked: &ListRequest, result: &str) {
        if matches!(asked.method.as_str(), "initialize" | "server/discover") {
            self.handshake(result);
            return;
        }
        let Some((method, member, _)) = LISTS.iter().find(|(method, ..)| *method == asked.method)
        else {
            return;
        };
        let list = self.lists.entry(method).or_default();
        if !asked.is_next_page {
            list.items.clear();
        }
        let items = within(Some(result), &[member]).and_then(elements);
        let items = items
            .unwrap_or_default()
            .into_iter()
            .filter_map(|item| ItemDefinition::read(Bytes::copy_from_slice(item.as_bytes())));
        list.items.extend(items);
        list.items.truncate(MAX_ITEMS);
        list.is_whole = string_within(Some(result), &["nextCursor"]).is_none();
    }

    fn handshake(&mut self, result: &str) {
        let value = |name: &str| {
            let members = Members::parse(result).ok();
            let text = members.and_then(|members| members.given(name));
            Some(
                text.and_then(|text| serde_json::from_str(text).ok())
                    .unwrap_or(Value::Null),
            )
        };
        self.surface.instructions = value("instructions");
        self.surface.capabilities = value("capabilities");
        let info = within(
            Some(result),
            &["_meta", "io.modelcontextprotocol/serverInfo"],
        );
        let info = info.or_else(|| within(Some(result), &["serverInfo"]));
        let mut info = info.and_then(|info| serde_json::from_str::<Value>(info).ok());
        if let Some(members) = info.as_mut().and_then(Value::as_object_mut) {
            members.retain(|name, _| INFO.contains(&name.as_str()));
        }
        self.surface.server_info = info;
        if let Some(version) = string_within(Some(result), &["protocolVersion"]) {
            self.surface.protocol_version = Some(version.into());
        }
    }

    /// Returns what was recorded. A list that was not read to its end is not part of it.
    pub fn finish(mut self) -> Surface {
        let mut lists = LISTS.map(|(method, _, capability)| match self.lists.remove(method) {
            Some(list) => list.is_whole.then_some(list.items),
            None => {
                let capabilities = self.surface.capabilities.as_ref()?;
                capabilities.get(capability).is_none().then(Vec::new)
            }
        });
        self.surface.tools = lists[0].take();
        self.surface.prompts = lists[1].take();
        self.surface.resources = lists[2].take();
        self.surface.templates = lists[3].take();
        self.surface
    }
}
