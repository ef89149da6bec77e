//! What this client says of itself, and what rmcp answers to servers on its behalf.

use std::{path::PathBuf, sync::Arc};

use rmcp::{
    ClientHandler, RoleClient,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
    service::RequestContext,
};
use serde_json::json;
use sightglass_model::Era;

use crate::connections::ClientIdentity;

/// What this client can do, as declared to servers.
pub(crate) fn capabilities() -> serde_json::Value {
    json!({
        "roots": { "listChanged": true },
        "sampling": {},
        "elicitation": { "form": {}, "url": {} },
    })
}

pub(crate) fn implementation(identity: &ClientIdentity) -> Implementation {
    let implementation = Implementation::new(&identity.name, &identity.version);
    match &identity.title {
        Some(title) => implementation.with_title(title),
        None => implementation,
    }
}

pub(super) fn client_config(identity: &ClientIdentity, era: Era) -> ClientConfig {
    // The literal above is a valid value of this type; a test holds on to that.
    let capabilities: ClientCapabilities =
        serde_json::from_value(capabilities()).unwrap_or_default();
    // rmcp would name its newest version in `initialize`, which has no such handshake.
    let version = match era {
        Era::Legacy => ProtocolVersion::LATEST_WITH_INITIALIZE,
        Era::Modern => ProtocolVersion::V_2026_07_28,
    };
    ClientConfig::new(capabilities, implementation(identity)).with_protocol_version(version)
}

/// What rmcp answers to servers by itself.
pub(crate) struct Housekeeper {
    pub(super) config: ClientConfig,
    pub(super) roots: Arc<[PathBuf]>,
}

#[expect(
    deprecated,
    reason = "roots are deprecated by 2026-07-28 and in use by everything before"
)]
impl ClientHandler for Housekeeper {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, rmcp::ErrorData> {
        let roots = self.roots.iter().map(|root| {
            let typed = rmcp::model::Root::new(file_url(root));
            match root.file_name() {
                Some(name) => typed.with_name(name.to_string_lossy()),
                None => typed,
            }
        });
        Ok(rmcp::model::ListRootsResult::new(roots.collect()))
    }
}

/// The result of `roots/list` as JSON, for the stateless era.
pub(crate) fn roots_result(roots: &[PathBuf]) -> String {
    let roots: Vec<serde_json::Value> = roots
        .iter()
        .map(|root| {
            let name = root
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            match name {
                Some(name) => json!({ "uri": file_url(root), "name": name }),
                None => json!({ "uri": file_url(root) }),
            }
        })
        .collect();
    json!({ "roots": roots }).to_string()
}

/// The `file:` URL of a directory (RFC 8089).
fn file_url(path: &std::path::Path) -> String {
    reqwest::Url::from_directory_path(path).map_or_else(
        |()| format!("file://{}", path.display()),
        |url| url.as_str().trim_end_matches('/').to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_capabilities_are_what_rmcp_sends() {
        let typed: ClientCapabilities = serde_json::from_value(capabilities()).unwrap();
        assert_eq!(serde_json::to_value(typed).unwrap(), capabilities());
    }

    #[test]
    fn initialize_names_the_newest_version_that_has_it() {
        let identity = ClientIdentity {
            name: "n".into(),
            title: None,
            version: "1".into(),
        };
        let config = client_config(&identity, Era::Legacy);
        assert_eq!(config.protocol_version.as_str(), "2025-11-25");
    }

    #[cfg(unix)]
    #[test]
    fn a_root_is_a_file_url() {
        assert_eq!(file_url(std::path::Path::new("/a b/c")), "file:///a%20b/c");
    }
}
