//! Guards the MCP server: lets in requests with a valid token.

use std::{collections::HashMap, sync::Arc, time::Instant};

use axum::serve::Listener;
use serde_json::{Value, json};
use sightglass_model::lock;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::TcpStream,
};

use super::{
    Fault, GUARDED_TOOL, GUARDED_TOOL_OF_EVERYTHING,
    listener::{TlsListener, Way},
    state::{ReceivedRequest, State, patch, repeated},
};

const METADATA: &str = "/.well-known/oauth-protected-resource";

type Client = Box<dyn Way>;

pub(super) async fn serve(mut door: TlsListener, state: Arc<State>, server: u16) {
    loop {
        let (client, _) = door.accept().await;
        let state = Arc::clone(&state);
        // A client that goes away in the middle ends its own connection alone.
        tokio::spawn(async move { pass(client, &state, server).await });
    }
}

/// One request; whoever has more to ask comes again.
async fn pass(mut client: Client, state: &State, server: u16) -> std::io::Result<()> {
    let Some((head, asked)) = receive(&mut client).await? else {
        return Ok(());
    };
    if let Some(Fault::Answer { path, status, body }) = state.fault()
        && path == asked.path
    {
        let status = format!("{status} Scripted");
        let header = "content-type: application/json";
        return write(&mut client, &status, header, &body).await;
    }
    let is_empty = matches!(state.fault(), Some(Fault::EmptyResource));
    let is_first = asked.path == format!("{METADATA}{}", state.path);
    if is_first || (is_empty && asked.path == METADATA) {
        let metadata = match is_empty && is_first {
            true => "{}".to_owned(),
            false => metadata(state).to_string(),
        };
        return write(
            &mut client,
            "200 OK",
            "content-type: application/json",
            &metadata,
        )
        .await;
    }
    lock(&state.called).push(asked.clone());
    if let Err((status, challenge)) = judge(state, &asked) {
        let challenge = format!("www-authenticate: Bearer {challenge}");
        return write(&mut client, status, &challenge, "").await;
    }
    let mut server = TcpStream::connect(("127.0.0.1", server)).await?;
    server.write_all(head.as_bytes()).await?;
    server.write_all(asked.body.as_bytes()).await?;
    copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}

fn metadata(state: &State) -> Value {
    let mut metadata = json!({
        "resource": state.resource,
        "authorization_servers": [state.issuer],
        "scopes_supported": ["read", "admin"],
    });
    if let Some(Fault::Resource(change)) = state.fault() {
        patch(&mut metadata, &change);
    }
    if matches!(state.fault(), Some(Fault::Repeats)) {
        metadata["resource_policy_note"] = repeated(&state.told()).into();
    }
    metadata
}

/// Status and challenge for whoever stays outside.
fn judge(state: &State, asked: &ReceivedRequest) -> Result<(), (&'static str, String)> {
    let path = state.path;
    let origin = state.resource.trim_end_matches(path);
    let metadata = format!(r#"resource_metadata="{origin}{METADATA}{path}""#);
    let fault = state.fault();
    if matches!(fault, Some(Fault::OpenStream)) && asked.method == "GET" {
        return Ok(());
    }
    let grants = lock(&state.grants);
    let Some(token) = asked.bearer() else {
        return Err(("401 Unauthorized", format!(r#"{metadata}, scope="read""#)));
    };
    let given = grants
        .access
        .get(token)
        .filter(|given| given.until > Instant::now())
        .filter(|_| !matches!(fault, Some(Fault::Closed)));
    let Some(given) = given else {
        let challenge = format!(r#"{metadata}, scope="read", error="invalid_token""#);
        return Err(("401 Unauthorized", challenge));
    };
    let message: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let tool = &message["params"]["name"];
    let wants_more = tool == GUARDED_TOOL
        || tool == GUARDED_TOOL_OF_EVERYTHING
        || matches!(fault, Some(Fault::AllGuarded));
    let has_it = given.scope.split(' ').any(|scope| scope == "admin")
        && !matches!(fault, Some(Fault::NeverEnough));
    if wants_more && !has_it {
        let challenge = format!(r#"{metadata}, scope="admin", error="insufficient_scope""#);
        return Err(("403 Forbidden", challenge));
    }
    Ok(())
}

/// The head, to be passed on, and what it says. The connection is to end with the answer.
pub(crate) async fn receive(
    client: &mut Client,
) -> std::io::Result<Option<(String, ReceivedRequest)>> {
    let mut bytes = Vec::new();
    let end = loop {
        let found = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = found {
            break end + 4;
        }
        // What speaks TLS here is at the wrong door.
        if client.read_buf(&mut bytes).await? == 0 || !bytes[0].is_ascii_alphabetic() {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let path = first.next().unwrap_or_default().to_owned();
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length");
    let length: usize = length.and_then(|text| text.parse().ok()).unwrap_or(0);
    while bytes.len() < end + length {
        if client.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
    let asked = ReceivedRequest {
        method,
        path,
        parameters: HashMap::new(),
        headers,
        body: String::from_utf8_lossy(&bytes[end..]).into_owned(),
    };
    let head = match asked.headers.contains_key("upgrade") {
        true => head,
        false => head.replacen("\r\n", "\r\nConnection: close\r\n", 1),
    };
    Ok(Some((head, asked)))
}

async fn write(client: &mut Client, status: &str, header: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\n{header}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await
}
