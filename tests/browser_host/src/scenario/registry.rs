//! A registry of MCP servers with a few of them.

use std::collections::HashMap;

use axum::{
    Json, Router,
    extract::{Path, RawQuery},
    http::{HeaderMap, StatusCode, header},
    routing::get,
};
use serde_json::{Value, json};
use sightglass_config::sha256_of;
use tokio::{net::TcpListener, task::JoinHandle};

use super::configuration;

/// Servers on one page, whatever limit is asked for.
const PAGE_SIZE: usize = 6;

/// Serves the registry for as long as the task runs. Returns the port.
pub async fn start() -> (JoinHandle<()>, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let routes = Router::new()
        .route("/v0.1/servers", get(search))
        .route("/v0.1/servers/{name}/versions", get(versions))
        .route("/weather.mcpb", get(async || configuration::bundle()));
    let serving = tokio::spawn(async move {
        axum::serve(listener, routes).await.expect("it serves");
    });
    (serving, port)
}

async fn search(headers: HeaderMap, RawQuery(query): RawQuery) -> Json<Value> {
    let query = query.unwrap_or_default();
    let query: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    let text = query.get("search").map_or("", String::as_str);
    let from = query.get("cursor").and_then(|cursor| cursor.parse().ok());
    let from: usize = from.unwrap_or(0);
    let found: Vec<Value> = catalogue(&headers)
        .into_iter()
        .filter(|server| {
            let name = server["server"]["name"].as_str().unwrap_or_default();
            name.contains(&text.to_lowercase())
        })
        .collect();
    let next = from + PAGE_SIZE;
    let cursor = (found.len() > next).then(|| next.to_string());
    let page: Vec<Value> = found.into_iter().skip(from).take(PAGE_SIZE).collect();
    Json(json!({ "servers": page, "metadata": { "nextCursor": cursor } }))
}

async fn versions(headers: HeaderMap, Path(name): Path<String>) -> Result<Json<Value>, StatusCode> {
    let latest = catalogue(&headers)
        .into_iter()
        .find(|server| server["server"]["name"] == name.as_str())
        .ok_or(StatusCode::NOT_FOUND)?;
    let older = |version: &str, published: &str, status: &str| {
        let mut server = latest.clone();
        server["server"]["version"] = json!(version);
        let official = &mut server["_meta"]["io.modelcontextprotocol.registry/official"];
        *official = json!({ "status": status, "publishedAt": published, "isLatest": false });
        server
    };
    let middle = older("1.1.0", "2026-10-03T00:00:00Z", "active");
    let mut oldest = older("0.9.2", "2026-04-26T00:00:00Z", "deprecated");
    for member in ["packages", "remotes"] {
        oldest["server"][member] = json!([]);
    }
    Ok(Json(
        json!({ "servers": [latest, middle, oldest], "metadata": {} }),
    ))
}

/// The servers. The bundle among their packages has the address that the registry was asked by.
fn catalogue(headers: &HeaderMap) -> Vec<Value> {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let host = host.unwrap_or_default();
    let bundle = json!({
        "registryType": "mcpb",
        "identifier": format!("http://{host}/weather.mcpb"),
        "fileSha256": sha256_of(&configuration::bundle()),
        "transport": { "type": "stdio" },
    });
    let packages_of_maps = json!({ "packages": [
        { "registryType": "pypi", "identifier": "acme-maps", "version": "1.2.0" },
        { "registryType": "oci", "identifier": "ghcr.io/acme/maps:1.2.0" },
        { "registryType": "nuget", "identifier": "Acme.Maps", "version": "1.2.0" },
        bundle,
    ] });
    let weather = json!({
        "packages": [{
            "registryType": "npm",
            "identifier": "@acme/weather-mcp",
            "version": "1.2.0",
            "transport": { "type": "stdio" },
            "environmentVariables": [
                {
                    "name": "WEATHER_API_KEY",
                    "description": "A key of weather.example.com.",
                    "isRequired": true,
                    "isSecret": true,
                },
                {
                    "name": "UNITS",
                    "description": "In which units it answers.",
                    "default": "metric",
                    "choices": ["metric", "imperial"],
                },
            ],
        }],
        "remotes": [{ "type": "streamable-http", "url": "https://weather.example.com/mcp" }],
    });
    let package = |name: &str| {
        let identifier = format!("@{}", name.rsplit('.').next().unwrap_or(name));
        json!({ "packages": [{
            "registryType": "npm",
            "identifier": identifier,
            "version": "1.2.0",
            "transport": { "type": "stdio" },
        }] })
    };
    [
        (
            "io.github.acme/weather",
            "Weather",
            "Forecasts and warnings for any place, from the services of several countries.",
        ),
        (
            "io.github.acme/calendar",
            "Calendar",
            "Reads and writes the events of a calendar.",
        ),
        (
            "com.example/search",
            "",
            "Searches the web and returns pages as text.",
        ),
        (
            "io.github.acme/maps",
            "Maps",
            "Routes, places and distances.",
        ),
        (
            "io.github.ada/notes",
            "Notes",
            "Notes in a folder, found by what they say.",
        ),
        (
            "io.github.ada/mail",
            "",
            "Reads mail over IMAP; sends nothing.",
        ),
        (
            "io.github.ada/tickets",
            "Tickets",
            "Issues of a tracker, with their history.",
        ),
    ]
    .into_iter()
    .map(|(name, title, description)| {
        let mut server = if name.ends_with("weather") {
            weather.clone()
        } else if name.ends_with("maps") {
            packages_of_maps.clone()
        } else {
            package(name)
        };
        server["name"] = json!(name);
        if !title.is_empty() {
            server["title"] = json!(title);
        }
        server["description"] = json!(description);
        server["version"] = json!("1.2.0");
        let short = name.rsplit('/').next().unwrap_or(name);
        server["repository"] =
            json!({ "url": format!("https://github.com/acme/{short}"), "source": "github" });
        json!({
            "server": server,
            "_meta": { "io.modelcontextprotocol.registry/official": {
                "status": "active",
                "publishedAt": "2026-11-12T00:00:00Z",
                "isLatest": true,
            } },
        })
    })
    .collect()
}
