//! Checks the headers of a request.

use axum::http::{HeaderMap, Uri, header};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::PROTOCOL_VERSION;
use crate::{params::MethodParams, tools::Tool};

const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";
const PARAMETER_PREFIX: &str = "mcp-param-";

/// The value of a header, if it is there and is text.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Refuses pages of other sites and names that point here (DNS rebinding): a
/// browser says in `Origin` who asks, and in `Host` what it believes this is.
pub fn local_only(headers: &HeaderMap) -> Result<(), &'static str> {
    if let Some(origin) = headers.get(header::ORIGIN) {
        let local = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.parse::<Uri>().ok())
            .and_then(|origin| origin.host().map(is_local))
            .unwrap_or(false);
        if !local {
            return Err("Forbidden: this Origin may not use this server");
        }
    }
    if let Some(host) = headers.get(header::HOST) {
        let local = host
            .to_str()
            .ok()
            .and_then(|host| host.parse::<axum::http::uri::Authority>().ok())
            .is_some_and(|authority| is_local(authority.host()));
        if !local {
            return Err("Forbidden: this server is only for the local host");
        }
    }
    Ok(())
}

fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

/// Returns true when `Content-Type` says JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    text(headers, header::CONTENT_TYPE.as_str()).is_some_and(|value| {
        value
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .eq_ignore_ascii_case("application/json")
    })
}

/// Returns true when `Accept` names a media type or a range that contains it.
pub fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    let family = wanted.split('/').next().unwrap_or_default();
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|range| range.split(';').next().unwrap_or_default().trim())
        .any(|range| {
            range == "*/*"
                || range.eq_ignore_ascii_case(wanted)
                || range.strip_suffix("/*") == Some(family)
        })
}

/// Compares the headers of a modern request with its body (SEP-2243).
///
/// # Errors
///
/// The reason for `-32020`.
pub fn modern_headers(
    headers: &HeaderMap,
    method: &str,
    params: &MethodParams<'_>,
    tool: Option<&Tool>,
) -> Result<(), String> {
    let stated = params
        .meta
        .protocol_version
        .as_ref()
        .and_then(Value::as_str);
    match (single(headers, PROTOCOL_VERSION)?, stated) {
        // Without `_meta` the request is refused for that, later.
        (_, None) => return Ok(()),
        (None, Some(_)) => return Err("missing required MCP-Protocol-Version header".to_owned()),
        (Some(header), Some(body)) if header != body => {
            return Err(format!(
                "MCP-Protocol-Version header `{header}` does not match body value `{body}`"
            ));
        }
        _ => {}
    }
    compare(headers, METHOD, "Mcp-Method", Some(method))?;
    let name = match method {
        "tools/call" | "prompts/get" => params.name.as_deref(),
        "resources/read" => params.uri.as_deref(),
        // SEP-2663, Streamable HTTP: routing headers.
        "tasks/get" | "tasks/update" | "tasks/cancel" => params.task_id.as_deref(),
        _ => None,
    };
    if name.is_some() {
        compare(headers, NAME, "Mcp-Name", name)?;
    }
    let Some(tool) = tool.filter(|_| method == "tools/call") else {
        return Ok(());
    };
    if tool.header_parameters.is_empty() {
        return Ok(());
    }
    let arguments: Value = params
        .arguments
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    for (path, suffix) in tool.header_parameters {
        let value = path
            .iter()
            .try_fold(&arguments, |value, key| value.get(key));
        let expected = match value {
            Some(Value::String(text)) => Some(text.clone()),
            Some(value @ (Value::Bool(_) | Value::Number(_))) => Some(value.to_string()),
            _ => None,
        };
        let header = format!("{PARAMETER_PREFIX}{}", suffix.to_ascii_lowercase());
        compare(
            headers,
            &header,
            &format!("Mcp-Param-{suffix}"),
            expected.as_deref(),
        )?;
    }
    Ok(())
}

/// Compares a header with what the body says; both may be absent together.
fn compare(
    headers: &HeaderMap,
    name: &str,
    shown: &str,
    expected: Option<&str>,
) -> Result<(), String> {
    match (single(headers, name)?, expected) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(format!("missing required {shown} header")),
        (Some(_), None) => Err(format!(
            "unexpected {shown} header: the body has no such value"
        )),
        (Some(raw), Some(expected)) => {
            let value = decode(raw).ok_or_else(|| format!("{shown} header is not valid Base64"))?;
            if value == expected {
                Ok(())
            } else {
                Err(format!(
                    "{shown} header `{value}` does not match body value `{expected}`"
                ))
            }
        }
    }
}

/// The only value of a header: two could be read differently by a proxy and by us.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, String> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(format!("duplicate {name} header"));
    }
    value
        .to_str()
        .map(Some)
        .map_err(|_| format!("{name} header contains invalid characters"))
}

/// Values that a header cannot carry are wrapped as `=?base64?…?=`.
fn decode(value: &str) -> Option<String> {
    match value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    {
        Some(encoded) => String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(*name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn only_pages_of_this_machine_may_ask() {
        for origin in [
            "http://localhost:1420",
            "http://127.0.0.1",
            "tauri://localhost",
        ] {
            assert_eq!(
                local_only(&headers(&[("origin", origin)])),
                Ok(()),
                "{origin}"
            );
        }
        for origin in [
            "https://example.com",
            "null",
            "http://localhost.example.com",
        ] {
            assert!(
                local_only(&headers(&[("origin", origin)])).is_err(),
                "{origin}"
            );
        }
        assert!(local_only(&headers(&[("host", "evil.example:80")])).is_err());
    }

    #[test]
    fn accept_is_read_as_a_list_of_ranges() {
        let both = headers(&[("accept", "application/json;q=0.9, text/event-stream")]);
        assert!(accepts(&both, "application/json") && accepts(&both, "text/event-stream"));
        assert!(accepts(&headers(&[("accept", "*/*")]), "text/event-stream"));
        assert!(accepts(
            &headers(&[("accept", "text/*")]),
            "text/event-stream"
        ));
        assert!(!accepts(
            &headers(&[("accept", "text/html")]),
            "text/event-stream"
        ));
        assert!(!accepts(&headers(&[]), "text/event-stream"));
    }

    #[test]
    fn wrapped_values_are_unwrapped_before_they_are_compared() {
        let map = headers(&[("mcp-name", "=?base64?w7xuw69jw7ZkZQ==?=")]);
        assert_eq!(compare(&map, NAME, "Mcp-Name", Some("ünïcöde")), Ok(()));
        assert!(compare(&map, NAME, "Mcp-Name", Some("unicode")).is_err());
        let broken = headers(&[("mcp-name", "=?base64?***?=")]);
        assert!(compare(&broken, NAME, "Mcp-Name", Some("x")).is_err());
    }

    #[test]
    fn two_values_of_one_header_are_refused() {
        let map = headers(&[("mcp-method", "tools/call"), ("mcp-method", "tools/list")]);
        assert!(compare(&map, METHOD, "Mcp-Method", Some("tools/call")).is_err());
    }
}
