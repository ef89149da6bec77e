//! Answers `roots/list`: the folders that a server may use (MCP 2025-11-25, Roots).

use std::{path::Path, sync::Arc};

use serde::Serialize;
use sightglass_model::ServerId;

/// A folder that is told to a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Root {
    /// A `file:` URI (RFC 8089).
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Answers the roots of a server.
pub type RootsOf = Arc<dyn Fn(&ServerId) -> Vec<Root> + Send + Sync>;

/// The result of `roots/list`, as JSON.
pub(crate) fn roots_result(roots: &[Root]) -> String {
    serde_json::json!({ "roots": roots }).to_string()
}

impl Root {
    /// A directory by its absolute path, named after its last part.
    pub fn of_directory(path: &Path) -> Self {
        Self {
            uri: file_url(path),
            name: path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned()),
        }
    }

    /// A `file:` URI as the user wrote it; `None` for any other text (MCP 2025-11-25, Roots:
    /// "This must start with file://").
    pub fn of_uri(uri: &str) -> Option<Self> {
        let parsed = url::Url::parse(uri).ok()?;
        (parsed.scheme() == "file").then(|| Self {
            uri: uri.to_owned(),
            name: None,
        })
    }
}

/// The `file:` URL of a directory (RFC 8089).
fn file_url(path: &Path) -> String {
    url::Url::from_directory_path(path).map_or_else(
        |()| format!("file://{}", path.display()),
        |url| url.as_str().trim_end_matches('/').to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_directory_is_told_as_a_file_url_with_its_name() {
        let root = Root::of_directory(Path::new("/a b/c"));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&roots_result(&[root])).unwrap(),
            serde_json::json!({ "roots": [{ "uri": "file:///a%20b/c", "name": "c" }] })
        );
    }

    #[test]
    fn only_a_file_uri_is_a_root() {
        assert!(Root::of_uri("file:///work/engine").is_some());
        assert_eq!(Root::of_uri("https://example.com/"), None);
        assert_eq!(Root::of_uri("work/engine"), None);
    }
}
