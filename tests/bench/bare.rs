//! A client of rmcp's that does nothing else: what every figure of ours is held against.

use std::{
    path::Path,
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use rmcp::{
    ClientHandler, RoleClient,
    model::{CallToolRequestParams, JsonObject, ProtocolVersion},
    service::{
        ClientLifecycleMode, NotificationContext, RunningService, serve_client_with_lifecycle,
    },
    transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::{connecting::Era, setting::Outcome};

pub struct Bare {
    service: RunningService<RoleClient, Counter>,
    /// Its server, where it is over pipes.
    child: Option<Child>,
}

impl Bare {
    /// Starts the server and connects to it over pipes.
    pub async fn over_pipes(server: &Path, arguments: &[&str], era: Era) -> Outcome<Self> {
        let mut child = Command::new(server)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or("stdout was not piped")?;
        let input = child.stdin.take().ok_or("stdin was not piped")?;
        let service =
            serve_client_with_lifecycle(Counter::default(), (output, input), mode(era)).await?;
        Ok(Self {
            service,
            child: Some(child),
        })
    }

    /// Connects over Streamable HTTP.
    pub async fn over_http(url: &str, era: Era) -> Outcome<Self> {
        let transport = StreamableHttpClientTransport::from_uri(url);
        let service = serve_client_with_lifecycle(Counter::default(), transport, mode(era)).await?;
        Ok(Self {
            service,
            child: None,
        })
    }

    pub async fn list_tools(&self) -> Outcome<usize> {
        Ok(self.service.list_all_tools().await?.len())
    }

    pub async fn echo(&self, message: &str) -> Outcome {
        let mut arguments = JsonObject::new();
        arguments.insert("message".to_owned(), message.into());
        let request = CallToolRequestParams::new("echo").with_arguments(arguments);
        self.service.call_tool(request).await?;
        Ok(())
    }

    /// Calls a tool, with an object as its arguments.
    pub async fn call(&self, tool: &'static str, arguments: &Value) -> Outcome {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.service.call_tool(request).await?;
        Ok(())
    }

    /// Asks for that many log messages, and waits until all have come.
    pub async fn log_burst(&self, count: u32) -> Outcome {
        let messages = &self.service.service().0;
        let before = messages.load(Ordering::Relaxed);
        self.call("log_burst", &json!({ "count": count })).await?;
        while messages.load(Ordering::Relaxed) - before < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    pub async fn close(self) -> Outcome {
        self.service.cancel().await?;
        if let Some(mut child) = self.child {
            child.kill().await?;
        }
        Ok(())
    }
}

/// Counts log messages.
#[derive(Default)]
struct Counter(AtomicU32);

#[expect(
    deprecated,
    reason = "servers of the initialize era send log messages for as long as there are any"
)]
impl ClientHandler for Counter {
    async fn on_logging_message(
        &self,
        _: rmcp::model::LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn mode(era: Era) -> ClientLifecycleMode {
    match era {
        Era::Legacy => ClientLifecycleMode::Initialize,
        Era::Modern => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    }
}
