//! Where in a file the servers stand, and how they are written there.

use crate::{client::Client, dialect::Dialect, document::FileFormat, entry::Section};

/// How servers are written in one file.
#[derive(Clone)]
pub(crate) struct Layout {
    pub format: FileFormat,
    /// The paths of the objects that hold servers, the one that wins first.
    pub sections: Vec<Vec<String>>,
    pub dialect: &'static Dialect,
}

impl Layout {
    pub fn new(format: FileFormat, client: Client, section: &[&str]) -> Self {
        Self {
            format,
            sections: vec![section.iter().map(|key| (*key).to_owned()).collect()],
            dialect: Dialect::of(client),
        }
    }

    /// That of the `.mcp.json` scopes.
    pub fn mcp_json() -> Self {
        Self {
            format: FileFormat::Json,
            sections: Section::BY_PRECEDENCE
                .into_iter()
                .map(|section| vec![section.key().to_owned()])
                .collect(),
            dialect: Dialect::of(Client::McpJson),
        }
    }

    /// The same with what does not hinder an edit allowed.
    pub fn for_editing(&self) -> Self {
        Self {
            format: self.format.for_editing(),
            ..self.clone()
        }
    }

    pub fn section(&self, index: usize) -> Vec<&str> {
        self.sections[index].iter().map(String::as_str).collect()
    }
}
