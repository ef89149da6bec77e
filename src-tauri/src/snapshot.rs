//! `SIGHTGLASS_SNAPSHOT`: saves a picture of the window on the demo server, for machines without a
//! display and for the README.

use std::{
    env,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sightglass_inspector::{Inspector, Phase, ServerId};
use tauri::{AppHandle, Manager};

use crate::{desktop::WINDOW, places, projects::Projects};

/// The demo server gets this long to become ready.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// The page gets this long to show what it is asked for.
const SHOW_TIMEOUT: Duration = Duration::from_secs(30);

/// Between two looks at the page.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Tells what the page shows: the phase of the server, the number of its tools, and its call in the
/// traffic. Empty until all three are there.
const LOOK: &str = r#"
    (() => {
        const text = (selector) => document.querySelector(selector)?.textContent?.trim() ?? "";
        const phase = text("main [role=status]");
        const tools = text("[role=tab][aria-selected=true]").match(/^Tools\D*(\d+)/)?.[1];
        const isListed = document.querySelector("[role=option]") !== null;
        const rows = [...document.querySelectorAll("[role=treegrid][aria-label=Calls] [role=row]")];
        const isCalled = rows.some((row) => row.textContent.includes("echo"));
        if (!phase || !tools || !isListed || !isCalled) return "";
        return `Demo ${phase}, ${tools} tools, and one call in the traffic`;
    })()
"#;

/// The path to write to, when a picture is wanted.
pub(crate) fn requested() -> Option<PathBuf> {
    env::var_os("SIGHTGLASS_SNAPSHOT")
        .filter(|path| !path.is_empty())
        .map(|path| places::from_start(path.into()))
}

/// The page to open: with the demo server's tools in front when a picture is wanted.
pub(crate) fn page() -> &'static str {
    match requested() {
        Some(_) => "index.html?server=built-in:demo&tab=tools&item=echo",
        None => "index.html",
    }
}

/// Connects to the demo server, calls a tool, saves the picture, says what it shows, and ends
/// the application.
pub(crate) fn take(app: AppHandle, path: PathBuf) {
    let inspector = app.state::<Arc<Projects>>().current();
    tauri::async_runtime::spawn(async move {
        let code = match show_and_save(&app, &inspector, &path).await {
            Ok(shown) => {
                println!("{shown}");
                0
            }
            Err(message) => {
                eprintln!("sightglass: no picture was taken: {message}");
                1
            }
        };
        app.exit(code);
    });
}

async fn show_and_save(
    app: &AppHandle,
    inspector: &Inspector,
    path: &std::path::Path,
) -> Result<String, String> {
    let demo = ServerId::demo();
    inspector
        .servers
        .lifecycle
        .connect(&demo)
        .map_err(|error| error.to_string())?;
    let ready = async {
        loop {
            let status = inspector.servers.open_connections.status(&demo);
            match status.phase {
                Phase::Ready => return Ok(()),
                Phase::Failed => {
                    let reason = status
                        .failure
                        .map(|report| report.reason)
                        .unwrap_or_default();
                    return Err(format!("the demo server failed: {reason}"));
                }
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    tokio::time::timeout(CONNECT_TIMEOUT, ready)
        .await
        .map_err(|_| "the demo server did not become ready".to_owned())??;
    inspector
        .calls
        .requests
        .call_tool(
            &demo,
            "snapshot",
            "echo",
            r#"{"message":"Hello from Sightglass"}"#,
            None,
            None,
        )
        .await
        .map_err(|error| error.to_string())?;
    let shown = tokio::time::timeout(SHOW_TIMEOUT, wait_for_page(app))
        .await
        .map_err(|_| "the window does not show the demo server and its tools".to_owned())??;
    save(app, path).await?;
    Ok(shown)
}

/// Waits until the page shows the demo server, and returns in words what it shows.
async fn wait_for_page(app: &AppHandle) -> Result<String, String> {
    let window = app
        .get_webview_window(WINDOW)
        .ok_or("the window is closed")?;
    loop {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let sender = Mutex::new(Some(sender));
        window
            .eval_with_callback(LOOK, move |answer| {
                let sender = sender.lock().unwrap_or_else(PoisonError::into_inner).take();
                // The receiver is gone only when the application ends.
                let _ = sender.map(|sender| sender.send(answer));
            })
            .map_err(|error| error.to_string())?;
        let answer = receiver
            .await
            .map_err(|_| "the window was closed".to_owned())?;
        // The answer is JSON.
        match serde_json::from_str::<String>(&answer) {
            Ok(shown) if !shown.is_empty() => return Ok(shown),
            _ => tokio::time::sleep(POLL_INTERVAL).await,
        }
    }
}

#[cfg(target_os = "linux")]
async fn save(app: &AppHandle, path: &std::path::Path) -> Result<(), String> {
    use webkit2gtk::{SnapshotOptions, SnapshotRegion, WebViewExt};

    let window = app
        .get_webview_window(WINDOW)
        .ok_or("the window is closed")?;
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let path = path.to_owned();
    window
        .with_webview(move |webview| {
            webview.inner().snapshot(
                SnapshotRegion::Visible,
                SnapshotOptions::NONE,
                None::<&gtk::gio::Cancellable>,
                move |surface| {
                    // The receiver is gone only when the application ends.
                    let _ = sender.send(surface.map_err(|error| error.to_string()).and_then(
                        |surface| {
                            write_png(&surface, &path)
                                .map_err(|error| format!("{}: {error}", path.display()))
                        },
                    ));
                },
            );
        })
        .map_err(|error| error.to_string())?;
    receiver
        .await
        .map_err(|_| "the window was closed".to_owned())?
}

/// Writes what WebKit painted; it always paints into an image in memory.
#[cfg(target_os = "linux")]
fn write_png(
    surface: &cairo::Surface,
    path: &std::path::Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut file = std::fs::File::create(path)?;
    cairo::ImageSurface::try_from(surface.clone())
        .map_err(|_| "WebKit painted no image")?
        .write_to_png(&mut file)?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
async fn save(_app: &AppHandle, _path: &std::path::Path) -> Result<(), String> {
    Err(format!(
        "the window {WINDOW} can be saved as a picture on Linux only; use the system's own screenshot"
    ))
}
