//! Reads the servers of sources that a user gives: a file, a bundle, a link or a text.

use std::sync::Arc;

use sightglass_area_core::{command::commands, error::InspectorError, view::ClipboardOffer};
use sightglass_config::{Candidate, ImportSource, is_install_link, read_import};

use crate::bundles::Bundles;

/// The largest text of the clipboard that is looked into.
const MAX_CLIPBOARD_BYTES: usize = 64 << 10;

/// Reads the servers of sources that a user gives.
pub struct ImportSources {
    pub(crate) bundles: Arc<Bundles>,
}

#[commands]
impl ImportSources {
    /// The servers of a source. Nothing is run, fetched or written.
    ///
    /// # Errors
    /// When it holds none; the message says where it is broken.
    #[command(name = "list_import_candidates")]
    pub fn import_candidates(
        &self,
        source: &ImportSource,
    ) -> Result<Vec<Candidate>, InspectorError> {
        self.bundles
            .with_bundle_host(|host| read_import(source, host))
    }

    /// Returns the servers in a text of the clipboard; nothing when it is no text that adds one.
    /// An address counts only if it names MCP: most addresses that are copied lead elsewhere.
    pub fn clipboard_offer(&self, text: &str) -> Option<ClipboardOffer> {
        let text = text.trim();
        let is_address =
            text.contains("://") && !text.contains(char::is_whitespace) && !is_install_link(text);
        if text.len() > MAX_CLIPBOARD_BYTES || (is_address && !names_mcp(text)) {
            return None;
        }
        let text = text.to_owned();
        let source = ImportSource::Text { text: text.clone() };
        let found = self.import_candidates(&source).ok()?;
        // What merely looks like one was more likely copied for something else.
        if found.iter().any(Candidate::is_guessed) {
            return None;
        }
        let names = found.into_iter().map(|one| one.draft.name).collect();
        Some(ClipboardOffer { text, names })
    }
}

fn names_mcp(address: &str) -> bool {
    let address = address.to_ascii_lowercase();
    address.contains("mcp") || address.trim_end_matches('/').ends_with("/sse")
}
