//! A server whose names are long, or written from right to left.

use serde_json::json;
use sightglass_inspector::ServerId;
use sightglass_tests::{Environment, TestHost, programs, wiretap::Wiretap};

use super::{Scene, servers};

/// "A server" and "a search of the archive", in Arabic.
const SERVER: &str = "خادم الأرشيف";
const TITLE: &str = "بحث في الأرشيف (v2)";
const DESCRIPTION: &str = "يبحث في الأرشيف ويعيد النتائج، مثل report.pdf";

/// One server, connected, with two tools.
pub async fn open() -> Scene {
    let long = "a_property_with_a_very_long_name_without_any_space_".repeat(5);
    let word = "x".repeat(400);
    let tools = json!({ "tools": [
        {
            "name": "archive_search",
            "title": TITLE,
            "description": DESCRIPTION,
            "inputSchema": {
                "type": "object",
                "properties": {
                    "نص": { "type": "string", "description": DESCRIPTION },
                    "choice": { "enum": [word, "short"], "default": word },
                    "several": {
                        "type": "array",
                        "uniqueItems": true,
                        "items": { "enum": [word, "short"] },
                    },
                    "constant": { "const": word },
                },
                "required": ["نص"],
            },
        },
        {
            "name": "long_names",
            "description": word,
            "inputSchema": {
                "type": "object",
                "properties": {
                    (long.as_str()): { "type": "string", "title": long, "description": word },
                    "inner": {
                        "type": "object",
                        "properties": { (long.as_str()): { "type": "object", "properties": {
                            (word.as_str()): { "type": "integer", "minimum": 1 },
                        } } },
                    },
                    "map": { "type": "object", "additionalProperties": { "type": "string" } },
                },
            },
        },
    ] });
    let tap = Wiretap::new();
    let entry = programs::scripted(&tap, &[("tools/list", &tools.to_string())]);
    let file = servers(&json!({ (SERVER): entry }));
    let scene = Scene::open(&[("home/.claude/.mcp.json", file)], Environment::default()).await;
    let server: ServerId = TestHost::id(SERVER);
    scene.host.connect(&server).await;
    scene.with(tap)
}
