//! Resources of several kinds, templates, and reading them.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

use crate::{
    caching::{FRESH_MILLISECONDS, with_freshness},
    completion,
    context::{Context, Outcome, Reply},
    listeners::Change,
    listing::Listing,
    load, media,
    message::RpcError,
    options::Catalogue,
    protocol::{Era, code},
    question::Question,
    server::Server,
    skills,
};

/// Keeps `--update-interval-ms 0` from spinning.
const MIN_INTERVAL: Duration = Duration::from_millis(1);

/// Changes by itself from time to time.
pub const CLOCK: &str = "demo://clock";
/// Changes when the tool `touch_resource` is called.
pub const COUNTER: &str = "demo://counter";
/// Asks the user before it can be read.
const GREETING: &str = "demo://greeting";

const GUIDE: &str = "# The demo server\n\nThis text is a **resource**: something a server offers to read.\n\n- `demo://clock` changes by itself; subscribe to it.\n- `demo://counter` changes when you call `touch_resource`.\n- `demo://notes/{number}` is a template: fill in a number.\n";
const PAGE: &str = "<!doctype html>\n<title>A page</title>\n<h1>A page</h1>\n<p>This HTML must be shown as text, or safely.</p>\n<script>document.title = \"this must not run\"</script>\n";
const TABLE: &str =
    "city,temperature,humidity\nLisbon,21.5,60\nReykjavík,4,80\n\"Rio, the city\",29,75\n";

/// A resource that is always there.
struct Fixed {
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    mime_type: &'static str,
    content: fn() -> ResourceContent,
}

enum ResourceContent {
    Text(String),
    Blob(Vec<u8>),
}

fn text(text: &str) -> ResourceContent {
    ResourceContent::Text(text.to_owned())
}

const FIXED: [Fixed; 15] = [
    Fixed {
        uri: "demo://guide",
        name: "guide",
        title: "The guide",
        mime_type: "text/markdown",
        content: || text(GUIDE),
    },
    Fixed {
        uri: "demo://readme.txt",
        name: "readme.txt",
        title: "Plain text",
        mime_type: "text/plain",
        content: || text("Plain text.\nTwo lines, ünïcödé and an emoji 👀.\n"),
    },
    Fixed {
        uri: "demo://config.json",
        name: "config.json",
        title: "JSON",
        mime_type: "application/json",
        content: || {
            text(
                "{\n  \"name\": \"demo\",\n  \"big\": 9007199254740993,\n  \"list\": [1, 2.50, null],\n  \"nested\": { \"empty\": {} }\n}\n",
            )
        },
    },
    Fixed {
        uri: "demo://page.html",
        name: "page.html",
        title: "HTML",
        mime_type: "text/html",
        content: || text(PAGE),
    },
    Fixed {
        uri: "demo://table.csv",
        name: "table.csv",
        title: "A table",
        mime_type: "text/csv",
        content: || text(TABLE),
    },
    Fixed {
        uri: "demo://picture.svg",
        name: "picture.svg",
        title: "A drawing",
        mime_type: "image/svg+xml",
        content: || text(media::SVG),
    },
    Fixed {
        uri: "demo://picture.png",
        name: "picture.png",
        title: "A picture",
        mime_type: "image/png",
        content: || ResourceContent::Blob(media::png(128)),
    },
    Fixed {
        uri: "demo://tone.wav",
        name: "tone.wav",
        title: "A tone",
        mime_type: "audio/wav",
        content: || ResourceContent::Blob(media::wav(500)),
    },
    Fixed {
        uri: "demo://bytes.bin",
        name: "bytes.bin",
        title: "All 256 bytes",
        mime_type: "application/octet-stream",
        content: || ResourceContent::Blob((0..=255).collect()),
    },
    Fixed {
        uri: "demo://document.pdf",
        name: "document.pdf",
        title: "A document",
        mime_type: "application/pdf",
        content: || ResourceContent::Blob(media::pdf(3)),
    },
    Fixed {
        uri: "demo://broken.pdf",
        name: "broken.pdf",
        title: "No document",
        mime_type: "application/pdf",
        content: || ResourceContent::Blob(b"%PDF-1.4 and nothing more".to_vec()),
    },
    Fixed {
        uri: "demo://large.txt",
        name: "large.txt",
        title: "A large text",
        mime_type: "text/plain",
        content: large,
    },
    Fixed {
        uri: "demo://empty.txt",
        name: "empty.txt",
        title: "Nothing",
        mime_type: "text/plain",
        content: || text(""),
    },
    Fixed {
        uri: "demo://several",
        name: "several",
        title: "Several parts",
        mime_type: "text/plain",
        content: || text("The first part."),
    },
    Fixed {
        uri: GREETING,
        name: "greeting",
        title: "Asks before it answers",
        mime_type: "text/plain",
        content: || text(""),
    },
];

fn large() -> ResourceContent {
    ResourceContent::Text(
        (1..=10_000)
            .map(|line| format!("Line {line} of ten thousand.\n"))
            .collect(),
    )
}

/// The list of the demonstration.
pub fn listing() -> Listing {
    let changing = [
        json!({
            "uri": CLOCK,
            "name": "clock",
            "title": "A clock",
            "description": "Changes by itself; subscribe to it.",
            "mimeType": "text/plain",
            "annotations": { "audience": ["user"], "priority": 0.9 }
        }),
        json!({
            "uri": COUNTER,
            "name": "counter",
            "title": "A counter",
            "description": "Changes when touch_resource is called.",
            "mimeType": "application/json",
            "icons": [{ "src": media::icon_data_uri(), "mimeType": "image/png", "sizes": ["32x32"] }],
            "_meta": { "example.com/kind": "counter" }
        }),
    ];
    let fixed = FIXED.iter().map(|fixed| {
        let mut item = json!({
            "uri": fixed.uri,
            "name": fixed.name,
            "title": fixed.title,
            "mimeType": fixed.mime_type
        });
        item["size"] = match (fixed.content)() {
            ResourceContent::Text(text) => json!(text.len()),
            ResourceContent::Blob(bytes) => json!(bytes.len()),
        };
        item
    });
    Listing::new(
        changing
            .into_iter()
            .chain(fixed)
            .map(|item| item.to_string()),
    )
}

/// The list of templates (RFC 6570).
pub fn templates() -> Listing {
    Listing::new(
        [
            json!({
                "uriTemplate": "demo://notes/{number}",
                "name": "note",
                "title": "A note",
                "description": "Notes 1 to 100",
                "mimeType": "text/plain"
            }),
            json!({
                "uriTemplate": "demo://users/{user}/repositories/{repository}",
                "name": "repository",
                "title": "A repository of a user",
                "description": "The second value is completed from the first.",
                "mimeType": "application/json"
            }),
            json!({
                "uriTemplate": "demo://search{?query,limit}",
                "name": "search",
                "title": "A search",
                "description": "A template with a query",
                "mimeType": "application/json"
            }),
            json!({
                "uriTemplate": "demo://files/{+path}",
                "name": "file",
                "title": "A file",
                "description": "Reserved expansion: the path may contain slashes.",
                "mimeType": "text/plain"
            }),
        ]
        .map(|item| item.to_string()),
    )
}

/// Answers `resources/read`.
pub fn read(context: Context, uri: &str) -> Outcome {
    if uri == GREETING {
        return greet(context);
    }
    let (contents, fresh) = match read_now(&context, uri) {
        Some(contents) => (contents, if uri == CLOCK { 0 } else { FRESH_MILLISECONDS }),
        None => {
            let code = match context.era {
                Era::Modern => code::INVALID_PARAMS,
                Era::Initialize => code::RESOURCE_NOT_FOUND,
            };
            return RpcError::new(code, "Resource not found")
                .with_data(json!({ "uri": uri }))
                .into();
        }
    };
    let result = json!({ "contents": contents });
    Reply::Result(with_freshness(context.era, result, fresh)).into()
}

fn read_now(context: &Context, uri: &str) -> Option<Value> {
    let part = |mime_type: &str, text: String| json!([{ "uri": uri, "mimeType": mime_type, "text": text }]);
    if uri == CLOCK {
        let seconds = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        return Some(part(
            "text/plain",
            format!("{seconds} seconds since 1970-01-01 00:00 UTC\n"),
        ));
    }
    if uri == COUNTER {
        let count = context.server.touches(uri);
        return Some(part(
            "application/json",
            json!({ "count": count }).to_string(),
        ));
    }
    if let Some(fixed) = FIXED.iter().find(|fixed| fixed.uri == uri) {
        let mut contents = match (fixed.content)() {
            ResourceContent::Text(text) => part(fixed.mime_type, text),
            ResourceContent::Blob(bytes) => {
                json!([{ "uri": uri, "mimeType": fixed.mime_type, "blob": media::base64(&bytes) }])
            }
        };
        if uri == "demo://several"
            && let Some(parts) = contents.as_array_mut()
        {
            parts.push(json!({ "uri": "demo://several#2", "mimeType": "text/markdown", "text": "The *second* part." }));
            parts.push(json!({ "uri": "demo://several#3", "mimeType": "image/png", "blob": media::base64(&media::png(16)) }));
        }
        return Some(contents);
    }
    if context.era == Era::Modern
        && context.server.offers_skills()
        && let Some(contents) = skills::read(uri)
    {
        return Some(contents);
    }
    if context.server.has_added_resource(uri) {
        return Some(part(
            "text/plain",
            "This resource was added by change_resources.".to_owned(),
        ));
    }
    if let Catalogue::Load { resources, .. } = context.server.options().catalogue
        && load::is_resource(uri, resources)
    {
        return Some(part("text/plain", format!("The content of {uri}.")));
    }
    read_template(uri).map(|(mime_type, text)| part(mime_type, text))
}

/// Reads what a template stands for.
fn read_template(uri: &str) -> Option<(&'static str, String)> {
    let path = uri.strip_prefix("demo://")?;
    if let Some(number) = path.strip_prefix("notes/") {
        let number: u32 = number
            .parse()
            .ok()
            .filter(|number| (1..=100).contains(number))?;
        return Some((
            "text/plain",
            format!("Note {number}: remember to water the plants.\n"),
        ));
    }
    if let Some(rest) = path.strip_prefix("users/") {
        let (user, repository) = rest.split_once("/repositories/")?;
        let known = completion::repositories(user).contains(&repository);
        return known.then(|| {
            (
                "application/json",
                json!({ "user": user, "repository": repository, "stars": repository.len() })
                    .to_string(),
            )
        });
    }
    if let Some(query) = path.strip_prefix("search") {
        let query = query.strip_prefix('?').unwrap_or(query);
        let pairs: Vec<Value> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| json!({ name: value }))
            .collect();
        return Some((
            "application/json",
            json!({ "searched": pairs, "results": [] }).to_string(),
        ));
    }
    let file = path
        .strip_prefix("files/")
        .filter(|file| !file.is_empty())?;
    Some(("text/plain", format!("The content of the file {file}.\n")))
}

fn greet(context: Context) -> Outcome {
    Outcome::later(async move {
        match context
            .ask(Question::form("name", "Whom shall this resource greet?"))
            .await
        {
            Ok(answer) => {
                let name = answer
                    .pointer("/content/answer")
                    .and_then(Value::as_str)
                    .unwrap_or("stranger");
                let contents = json!([{ "uri": GREETING, "mimeType": "text/plain", "text": format!("Hello, {name}!") }]);
                Reply::Result(with_freshness(
                    context.era,
                    json!({ "contents": contents }),
                    0,
                ))
            }
            Err(unanswered) => unanswered.into_reply(context.era),
        }
    })
}

/// Lets `demo://clock` change from time to time, for as long as the server lives.
pub fn start_clock(server: &Arc<Server>) {
    let mut ticks = tokio::time::interval(server.options().update_interval.max(MIN_INTERVAL));
    let server = Arc::downgrade(server);
    tokio::spawn(async move {
        loop {
            ticks.tick().await;
            let Some(server) = server.upgrade() else {
                return;
            };
            server
                .listeners()
                .tell(&Change::Resource(CLOCK.to_owned()))
                .await;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_read_only_what_they_stand_for() {
        assert!(
            read_template("demo://notes/7")
                .unwrap()
                .1
                .starts_with("Note 7")
        );
        assert_eq!(read_template("demo://notes/101"), None);
        assert_eq!(read_template("demo://users/ada/repositories/unknown"), None);
        assert!(read_template("demo://users/ada/repositories/engine").is_some());
        assert!(
            read_template("demo://files/a/b/c.txt")
                .unwrap()
                .1
                .contains("a/b/c.txt")
        );
        assert_eq!(read_template("demo://files/"), None);
    }
}
