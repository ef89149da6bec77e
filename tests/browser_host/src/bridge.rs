//! Carries commands, their answers and the messages of channels between a page and an inspector.
//!
//! The commands are those of the window, on Tauri's mock runtime: their arguments are parsed and
//! their answers are written by the same code.

use std::sync::{Arc, mpsc};

use futures::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use sightglass_app::projects::Projects;
use sightglass_inspector::{Headless, Inspector};
use tauri::{
    WebviewWindow, WebviewWindowBuilder,
    ipc::{CallbackFn, InvokeBody, InvokeError, InvokeResponse, InvokeResponseBody},
    test::{INVOKE_KEY, MockRuntime, mock_builder, mock_context, noop_assets},
    webview::InvokeRequest,
};
use tokio::{
    net::TcpStream,
    sync::{mpsc::UnboundedSender, mpsc::unbounded_channel, oneshot},
};
use tokio_tungstenite::{WebSocketStream, tungstenite::Message};

use crate::scenario::{self, Scene};

/// Commands that need a desktop: they answer nothing, as if the user had closed the dialog.
const OF_THE_DESKTOP: [&str; 9] = [
    "choose_project",
    "export_traffic",
    "notify",
    "open_address",
    "reveal_path",
    "save_export",
    "save_part",
    "show_log",
    "window_ready",
];

/// A command, as the page sends it.
#[derive(Deserialize)]
struct Command {
    id: u32,
    command: String,
    args: Value,
}

/// Serves a page until it is left.
pub async fn serve(socket: WebSocketStream<TcpStream>, scenario: &str) {
    let (mut sink, mut stream) = socket.split();
    let (answers, mut answered) = unbounded_channel::<String>();
    let scene = match scenario::prepare(scenario).await {
        Ok(scene) => Arc::new(scene),
        Err(message) => {
            eprintln!("sightglass-browser-host: {message}");
            return;
        }
    };
    let (window, _end) = window(Arc::clone(&scene.host.inspector), answers.clone());
    let writing = tokio::spawn(async move {
        while let Some(text) = answered.recv().await {
            if sink.send(Message::text(text)).await.is_err() {
                break;
            }
        }
    });
    while let Some(Ok(message)) = stream.next().await {
        let Ok(text) = message.to_text() else { break };
        if let Ok(command) = serde_json::from_str::<Command>(text) {
            run(&scene, &window, command, answers.clone());
        }
    }
    writing.abort();
    scene.host.inspector.shutdown().await;
}

/// Opens a window on the mock runtime. It lasts until the sender that is returned is dropped.
fn window(
    inspector: Arc<Inspector>,
    answers: UnboundedSender<String>,
) -> (WebviewWindow<MockRuntime>, oneshot::Sender<()>) {
    let (opened, opening) = mpsc::channel();
    let (end, ended) = oneshot::channel::<()>();
    std::thread::spawn(move || {
        let app = mock_builder()
            .invoke_handler(sightglass_app::ipc::invoke_handler::<MockRuntime>())
            .channel_interceptor(move |_, channel, index, body| {
                let message = json!({
                    "type": "channel",
                    "channel": channel.0,
                    "index": index,
                    "message": raw(body),
                });
                // A page that was left needs no message.
                let _ = answers.send(message.to_string());
                true
            })
            .manage(Arc::new(Projects::new(
                inspector,
                Some(Arc::new(Headless::new(None))),
            )))
            .build(mock_context(noop_assets()))
            .expect("the mock runtime needs nothing");
        let window = WebviewWindowBuilder::new(&app, "main", tauri::WebviewUrl::default())
            .build()
            .expect("a window of the mock runtime");
        // The page waits for it.
        let _ = opened.send(window);
        let _ = ended.blocking_recv();
    });
    (opening.recv().expect("a window"), end)
}

/// Starts a command; its answer is sent when it ends.
fn run(
    scene: &Arc<Scene>,
    window: &WebviewWindow<MockRuntime>,
    command: Command,
    answers: UnboundedSender<String>,
) {
    let Command { id, command, args } = command;
    if command.starts_with("host_") || matches!(command.as_str(), "choose_bundle" | "choose_file") {
        let scene = Arc::clone(scene);
        tokio::spawn(async move {
            let message = match scene.command(&command, &args).await {
                Ok(answer) => json!({ "type": "answer", "id": id, "answer": answer }),
                Err(error) => json!({ "type": "refusal", "id": id, "error": error }),
            };
            let _ = answers.send(message.to_string());
        });
        return;
    }
    if OF_THE_DESKTOP.contains(&command.as_str()) {
        let answer = json!({ "type": "answer", "id": id, "answer": null });
        let _ = answers.send(answer.to_string());
        return;
    }
    let request = InvokeRequest {
        cmd: command,
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: "tauri://localhost".parse().expect("an address"),
        body: InvokeBody::Json(args),
        headers: tauri::http::HeaderMap::new(),
        invoke_key: INVOKE_KEY.to_owned(),
    };
    let webview: &tauri::Webview<MockRuntime> = window.as_ref();
    webview.clone().on_message(
        request,
        Box::new(move |_, _, response, _, _| {
            let message = match response {
                InvokeResponse::Ok(body) => {
                    json!({ "type": "answer", "id": id, "answer": raw(&body) })
                }
                InvokeResponse::Err(InvokeError(error)) => {
                    json!({ "type": "refusal", "id": id, "error": error })
                }
            };
            let _ = answers.send(message.to_string());
        }),
    );
}

/// Returns what a command answered. All of them answer JSON.
fn raw(body: &InvokeResponseBody) -> Value {
    match body {
        InvokeResponseBody::Json(text) => serde_json::from_str(text).unwrap_or_default(),
        InvokeResponseBody::Raw(_) => Value::Null,
    }
}
