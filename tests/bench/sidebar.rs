//! Five hundred servers of twenty clients: what they add to the launch, and how the sidebar moves.

use std::{
    fs,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sightglass_tests::window::{AppWindow, Directories};

use crate::{
    figures::{Aim, Figures},
    launch, page,
    setting::{Outcome, Setting, directories},
    statistics::{largest, median},
};

/// Servers of each client; there are twenty.
const SERVERS: usize = 25;

/// The file in which a server is added, the project's.
const CHANGED: &str = "project/.claude/.mcp.json";

/// Files of the clients whose servers stand under one key.
const FILES: [(&str, &str); 19] = [
    (CHANGED, "mcpServers"),
    ("home/.claude/.mcp.json", "mcpServers"),
    ("home/.claude.json", "mcpServers"),
    ("home/.cursor/mcp.json", "mcpServers"),
    ("home/.gemini/settings.json", "mcpServers"),
    ("home/.kiro/settings/mcp.json", "mcpServers"),
    ("home/.lmstudio/mcp.json", "mcpServers"),
    ("home/.copilot/mcp-config.json", "mcpServers"),
    ("home/.aws/amazonq/mcp.json", "mcpServers"),
    ("home/.junie/mcp/mcp.json", "mcpServers"),
    ("home/.codeium/windsurf/mcp_config.json", "mcpServers"),
    (
        "home/.config/Claude/claude_desktop_config.json",
        "mcpServers",
    ),
    ("home/.config/zed/settings.json", "context_servers"),
    ("home/.config/Code/User/mcp.json", "servers"),
    ("home/.config/Code - Insiders/User/mcp.json", "servers"),
    ("home/.config/VSCodium/User/mcp.json", "servers"),
    (
        "home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "mcpServers",
    ),
    (
        "home/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        "mcpServers",
    ),
    ("project/.vscode/mcp.json", "servers"),
];

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    // One server, since a home without any shows another page first.
    let one = directories(json!({ "one": entry(0) }))?;
    let full = Arc::new(home()?);
    let (mut without, mut with) = (Vec::new(), Vec::new());
    launch::once(&one)?;
    launch::once(&full)?;
    for _ in 0..setting.runs.max(5) {
        without.push(launch::once(&one)?);
        with.push(launch::once(&full)?);
    }
    figures.add("launch_500_servers_ms", median(&with), Aim::Reference);
    figures.add(
        "sidebar_500_servers_settled_ms",
        median(&with) - median(&without),
        Aim::AtMost(300.0),
    );
    let (mut scrolling, mut shown, mut stalls) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..setting.runs {
        let window = AppWindow::open(Arc::clone(&full)).await?;
        scrolling.push(page::measure(&window, "scrollServers()", json!(null)).await?);
        let changed = change(&window, &full).await?;
        shown.push(changed.shown);
        stalls.push(changed.stall);
    }
    figures.add(
        "scroll_500_servers_longest_stall_ms",
        largest(&scrolling),
        Aim::AtMost(50.0),
    );
    figures.add("changed_file_shown_ms", median(&shown), Aim::AtMost(300.0));
    figures.add(
        "changed_file_longest_stall_ms",
        largest(&stalls),
        Aim::AtMost(50.0),
    );
    Ok(())
}

/// A server that appears after its file changed.
#[derive(Deserialize)]
struct Changed {
    /// When it was painted, in milliseconds since 1970; from the change on once it is known.
    #[serde(rename = "at")]
    shown: f64,
    stall: f64,
}

/// Adds a server to a file, and waits until the sidebar shows it.
async fn change(window: &AppWindow, directories: &Directories) -> Outcome<Changed> {
    let path = directories.project().join(".claude/.mcp.json");
    let before = fs::read(&path)?;
    let mut entries = Map::from_iter([("added".to_owned(), entry(0))]);
    entries.extend(entries_of("own"));
    let text = json!({ "mcpServers": entries }).to_string();
    let writing = async {
        // The page watches by then.
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        directories.write(&path, &text)?;
        Ok::<f64, Box<dyn std::error::Error>>(now())
    };
    let watching = page::measure::<Changed>(window, "serverAppears(given)", json!("added"));
    let (written, changed) = tokio::join!(writing, watching);
    let (written, changed) = (written?, changed?);
    fs::write(&path, before)?;
    Ok(Changed {
        shown: changed.shown - written,
        ..changed
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds since 1970 fit 53 bits"
)]
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_micros() as f64 / 1000.0
}

fn entry(number: usize) -> Value {
    json!({ "command": "npx", "args": ["-y", format!("package-{number}")] })
}

fn entries_of(client: &str) -> Map<String, Value> {
    (1..=SERVERS)
        .map(|number| (format!("{client}-{number:02}"), entry(number)))
        .collect()
}

fn home() -> Outcome<Directories> {
    let directories = Directories::new()?;
    let project = directories.project();
    let root = project.parent().ok_or("a directory above the project")?;
    for (place, (path, key)) in FILES.iter().enumerate() {
        let client = match *path {
            CHANGED => "own".to_owned(),
            _ => format!("client{place}"),
        };
        let text = json!({ *key: entries_of(&client) }).to_string();
        directories.write(&root.join(path), &text)?;
    }
    directories.write(&root.join("home/.codex/config.toml"), &codex())?;
    Ok(directories)
}

fn codex() -> String {
    (1..=SERVERS)
        .map(|number| {
            format!(
                "[mcp_servers.codex-{number:02}]\ncommand = \"npx\"\nargs = [\"p{number}\"]\n\n"
            )
        })
        .collect()
}
