//! Lists of tools, resources, templates and prompts, as the window sees them.

use serde::{Deserialize, Serialize};
use sightglass_model::Timestamp;

/// Characters of a token, by the rule of thumb.
const TOKEN_CHARACTERS: usize = 4;

/// Estimates the tokens that so many characters take in a model's context. Hosts tell it of tools,
/// servers and clients; what a client sends is counted where its cost is asked for.
pub fn estimated_tokens(characters: usize) -> u32 {
    u32::try_from(characters.div_ceil(TOKEN_CHARACTERS)).unwrap_or(u32::MAX)
}

/// The four lists that a server can offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ListKind {
    Tools,
    Resources,
    ResourceTemplates,
    Prompts,
}

impl ListKind {
    pub const ALL: [ListKind; 4] = [
        ListKind::Tools,
        ListKind::Resources,
        ListKind::ResourceTemplates,
        ListKind::Prompts,
    ];

    /// The JSON-RPC method that lists it.
    pub fn method(self) -> &'static str {
        match self {
            ListKind::Tools => "tools/list",
            ListKind::Resources => "resources/list",
            ListKind::ResourceTemplates => "resources/templates/list",
            ListKind::Prompts => "prompts/list",
        }
    }

    /// The name of the array in the result.
    pub fn member(self) -> &'static str {
        match self {
            ListKind::Tools => "tools",
            ListKind::Resources => "resources",
            ListKind::ResourceTemplates => "resourceTemplates",
            ListKind::Prompts => "prompts",
        }
    }

    /// The name of its items, as a text has it.
    pub fn plural(self) -> &'static str {
        match self {
            ListKind::ResourceTemplates => "resource templates",
            kind => kind.member(),
        }
    }
}

/// State of a list after a load or a refresh.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ListChange {
    pub list: ListKind,
    pub state: ListState,
    /// Items so far.
    pub count: u32,
    /// Number of items that cannot be used as they came; [`ItemRow::problem`] says why.
    pub problems: u32,
    /// Estimate of the tokens that the items take in a model's context, by [`estimated_tokens`]:
    /// their names, descriptions and input schemas.
    pub tokens: u32,
    /// Time that the server says the list stays as it is, in milliseconds (MCP 2026-07-28,
    /// `ttlMs`); the least that any page says.
    pub fresh_for: Option<f64>,
    /// Warning about how the list was read, for instance that it was cut at 64 MiB.
    pub warning: Option<String>,
    /// Moment at which the list was stored, where it was not read from the server since the program
    /// started.
    pub as_of: Option<Timestamp>,
    /// True when all that the server lists is among the items, as far as can be told.
    #[serde(skip)]
    pub is_whole: bool,
    /// Goes up with each change, so that a window can tell what it has seen.
    pub revision: u32,
    /// Difference that a `list_changed` brought; all empty after the first load. At most 100 names
    /// each.
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub changed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ListState {
    /// The server does not offer this list.
    Unsupported,
    Loading,
    Loaded,
    /// The list could not be loaded, in words; the items so far are kept.
    Failed {
        message: String,
    },
}

/// One line of a list.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ItemRow {
    /// Its place in the whole list; opens it.
    pub index: u32,
    /// The name; the URI for resources, the URI template for templates.
    pub name: String,
    pub title: Option<String>,
    /// The beginning of the description, at most 200 characters, on one line.
    pub description: Option<String>,
    /// Problem with it, when it cannot be used as it came.
    pub problem: Option<String>,
    /// True when the last `list_changed` added or changed it.
    pub fresh: bool,
    /// True when it was there before and what it was is kept.
    pub changed: bool,
    /// For tools: the hints that the server gives.
    pub hints: Vec<ToolHint>,
    /// Its part of [`ListChange::tokens`].
    pub tokens: u32,
}

/// A hint of the server about what a tool does (MCP, `ToolAnnotations`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ToolHint {
    ReadOnly,
    Destructive,
    Idempotent,
    OpenWorld,
}

/// A window onto one list.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ItemWindow {
    pub rows: Vec<ItemRow>,
    /// Number of items that match the filter.
    pub matched: u32,
    /// Number of items.
    pub total: u32,
    pub revision: u32,
}

/// Beginnings that the names of a whole list share, so that the window can show them once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, specta::Type)]
pub struct ListOutline {
    /// The beginning of every URI of the list; empty where they have none in common.
    pub prefix: String,
    /// Neighbours of which the names begin alike, in the order of the list.
    pub groups: Vec<ItemGroup>,
}

/// Items that follow each other and share the beginning of their names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ItemGroup {
    /// The shared beginning with its separator: `schema_`.
    pub prefix: String,
    /// The place of the first one in the whole list.
    pub first: u32,
    pub count: u32,
}
