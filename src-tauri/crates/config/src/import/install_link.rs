//! Reads links that add a server: those of Sightglass, and the install links of other clients.
//!
//! | link | documented at |
//! |---|---|
//! | `sightglass://add?name=…&config=…` or `&url=…` | `guide/servers.md` |
//! | `cursor://anysphere.cursor-deeplink/mcp/install?name=…&config=…`, `https://cursor.com/install-mcp?…` | <https://cursor.com/docs/context/mcp/install-links> |
//! | `vscode:mcp/install?…`, `vscode-insiders:…`, `https://insiders.vscode.dev/redirect/mcp/install?…` | <https://code.visualstudio.com/api/extension-guides/ai/mcp#create-an-mcp-installation-url> |
//! | `lmstudio://add_mcp?name=…&config=…` | <https://lmstudio.ai/docs/app/mcp/deeplink> |
//! | `goose://extension?cmd=…&arg=…&name=…` | <https://block.github.io/goose/docs/getting-started/using-extensions> |
//!
//! A link comes from anywhere. It says what the server would be and nothing else: not where it is
//! saved, and not that it starts.

use base64::{
    Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde_json::{Map, Value, json};
use url::Url;

use super::{Candidate, ImportError, snippet};

/// The longest link that is read, in bytes.
const MAX_LINK_BYTES: usize = 64 << 10;

/// The schemes of programs that have such links.
const SCHEMES: [&str; 6] = [
    "sightglass",
    "cursor",
    "vscode",
    "vscode-insiders",
    "lmstudio",
    "goose",
];

/// Returns true for a text that is a link to add a server, whether it can be read or not.
pub fn is_install_link(text: &str) -> bool {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return false;
    }
    let Ok(link) = Url::parse(text) else {
        return false;
    };
    let path = link.path().trim_matches('/');
    match link.scheme() {
        "https" => match link.host_str() {
            Some("cursor.com" | "www.cursor.com") => path.ends_with("install-mcp"),
            Some("insiders.vscode.dev" | "vscode.dev") => path == "redirect/mcp/install",
            _ => false,
        },
        scheme => SCHEMES.contains(&scheme),
    }
}

/// Reads a link; `None` for any other text.
pub(super) fn read(text: &str) -> Option<Result<Vec<Candidate>, ImportError>> {
    is_install_link(text).then(|| read_link(text.trim()))
}

fn read_link(text: &str) -> Result<Vec<Candidate>, ImportError> {
    if text.len() > MAX_LINK_BYTES {
        return Err(broken("it is longer than 64 KiB"));
    }
    let link = Url::parse(text).map_err(|error| broken(&error.to_string()))?;
    let is_vscode = link.scheme().starts_with("vscode")
        || link
            .host_str()
            .is_some_and(|host| host.ends_with("vscode.dev"));
    let (name, entry) = match link.scheme() {
        "goose" => of_goose(&link)?,
        _ if is_vscode && parameter(&link, "config").is_none() => of_vscode(&link)?,
        _ => of_config(&link)?,
    };
    let servers = json!({ "mcpServers": { name: entry } }).to_string();
    let mut candidates = snippet::read(&servers)?;
    for candidate in &mut candidates {
        candidate.origin = "install link".to_owned();
    }
    Ok(candidates)
}

fn broken(reason: &str) -> ImportError {
    ImportError::Link(reason.to_owned())
}

fn parameter(link: &Url, name: &str) -> Option<String> {
    let mut pairs = link.query_pairs();
    pairs.find_map(|(key, value)| (key == name).then(|| value.into_owned()))
}

/// A name, and the entry as JSON or as JSON in base64; or an address instead.
fn of_config(link: &Url) -> Result<(String, Map<String, Value>), ImportError> {
    let name = parameter(link, "name").filter(|name| !name.trim().is_empty());
    let config = match (parameter(link, "config"), parameter(link, "url")) {
        (Some(config), _) => entry_of(&decoded(&config)?)?,
        (None, Some(url)) => Map::from_iter([("url".to_owned(), url.into())]),
        (None, None) => return Err(broken("it has no config and no url")),
    };
    named(name, config)
}

/// One member after the other in the query, as JSON.
fn of_vscode(link: &Url) -> Result<(String, Map<String, Value>), ImportError> {
    let query = link.query().unwrap_or_default();
    let text = format!("x={query}");
    let decoded = url::form_urlencoded::parse(text.as_bytes()).next();
    let text = decoded
        .map(|(_, text)| text.into_owned())
        .unwrap_or_default();
    let mut entry = entry_of(&text)?;
    entry.remove("inputs");
    let name = match entry.remove("name") {
        Some(Value::String(name)) => Some(name),
        _ => None,
    };
    named(name, entry)
}

/// A command with its arguments, or an address.
fn of_goose(link: &Url) -> Result<(String, Map<String, Value>), ImportError> {
    let name = parameter(link, "id").or_else(|| parameter(link, "name"));
    let mut entry = Map::new();
    match (parameter(link, "cmd"), parameter(link, "url")) {
        (Some(command), _) => {
            let arguments = link.query_pairs().filter(|(key, _)| key == "arg");
            let arguments: Vec<Value> = arguments.map(|(_, value)| value.as_ref().into()).collect();
            entry.insert("command".into(), command.into());
            entry.insert("args".into(), arguments.into());
        }
        (None, Some(url)) => {
            entry.insert("url".into(), url.into());
        }
        (None, None) => return Err(broken("it has no cmd and no url")),
    }
    named(name, entry)
}

fn named(
    name: Option<String>,
    entry: Map<String, Value>,
) -> Result<(String, Map<String, Value>), ImportError> {
    let name = name.ok_or_else(|| broken("it has no name"))?;
    Ok((name, entry))
}

/// The text of a configuration, which most links have in base64.
fn decoded(text: &str) -> Result<String, ImportError> {
    if text.trim_start().starts_with('{') {
        return Ok(text.to_owned());
    }
    let lenient =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    // A `+` of base64 that was not escaped reads as a space.
    let text = text.replace(' ', "+");
    let bytes = [STANDARD, URL_SAFE]
        .iter()
        .find_map(|alphabet| GeneralPurpose::new(alphabet, lenient).decode(&text).ok())
        .ok_or_else(|| broken("its config is neither JSON nor base64"))?;
    String::from_utf8(bytes).map_err(|_| broken("its config is not UTF-8"))
}

fn entry_of(text: &str) -> Result<Map<String, Value>, ImportError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(entry)) => Ok(entry),
        Ok(_) => Err(broken("its config is no JSON object")),
        Err(error) => Err(broken(&format!("its config is not JSON ({error})"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::draft::DraftEndpoint;

    fn command_of(link: &str) -> (String, String) {
        let found = read(link).expect("a link").expect("it can be read");
        let draft = &found[0].draft;
        let text = match &draft.endpoint {
            DraftEndpoint::Stdio {
                command, arguments, ..
            } => format!("{command} {}", arguments.join(" ")),
            DraftEndpoint::Remote(remote) => remote.url.clone(),
        };
        (draft.name.clone(), text)
    }

    fn error_of(link: &str) -> String {
        read(link)
            .expect("a link")
            .expect_err("it is broken")
            .to_string()
    }

    #[test]
    fn the_links_of_each_client_are_read() {
        let config = base64::engine::general_purpose::STANDARD
            .encode(r#"{"command":"npx","args":["-y","docs"]}"#);
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        for (link, wanted) in [
            (format!("cursor://anysphere.cursor-deeplink/mcp/install?name=docs&config={config}"), pair("docs", "npx -y docs")),
            (format!("https://cursor.com/install-mcp?name=docs&config={config}"), pair("docs", "npx -y docs")),
            (format!("lmstudio://add_mcp?name=docs&config={config}"), pair("docs", "npx -y docs")),
            ("vscode:mcp/install?%7B%22name%22%3A%22gh%22%2C%22type%22%3A%22http%22%2C%22url%22%3A%22https%3A%2F%2Fa.example%2Fmcp%22%7D".to_owned(), pair("gh", "https://a.example/mcp")),
            ("https://insiders.vscode.dev/redirect/mcp/install?name=fetch&config=%7B%22command%22%3A%22uvx%22%2C%22args%22%3A%5B%22mcp-server-fetch%22%5D%7D&quality=insiders".to_owned(), pair("fetch", "uvx mcp-server-fetch")),
            ("goose://extension?cmd=npx&arg=-y&arg=server&id=memory&name=Memory".to_owned(), pair("memory", "npx -y server")),
            ("sightglass://add?name=mine&url=https%3A%2F%2Fa.example%2Fmcp".to_owned(), pair("mine", "https://a.example/mcp")),
        ] {
            assert_eq!(command_of(&link), wanted, "{link}");
        }
    }

    #[test]
    fn a_broken_link_says_why() {
        assert!(error_of("cursor://x/mcp/install?name=a&config=***").contains("base64"));
        assert!(error_of("cursor://x/mcp/install?name=a&config=WzFd").contains("no JSON object"));
        assert!(error_of("sightglass://add?config=%7B%7D").contains("no name"));
        assert!(error_of("vscode:mcp/install?x").contains("not JSON"));
        let long = format!("sightglass://add?name=a&url={}", "x".repeat(MAX_LINK_BYTES));
        assert!(error_of(&long).contains("64 KiB"));
        assert!(read("https://a.example/redirect/mcp/install?x").is_none());
        assert!(read("sightglass://add?name=a b").is_none());
    }
}
