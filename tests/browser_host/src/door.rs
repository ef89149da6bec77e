//! Lets in the pages that the tests and the development server open, and no other.

use std::{fs::File, io::Read};

use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async,
    tungstenite::handshake::server::{ErrorResponse, Request, Response},
};

/// Number of random bytes in a token.
const TOKEN_SIZE: usize = 32;

/// Returns a new token.
///
/// # Errors
/// When the system has no randomness.
pub fn token() -> std::io::Result<String> {
    let mut bytes = [0; TOKEN_SIZE];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Accepts a WebSocket from a page that knows the token. Returns it with the scenario that the
/// page names.
pub async fn open(stream: TcpStream, token: &str) -> Option<(WebSocketStream<TcpStream>, String)> {
    let mut scenario = String::new();
    #[expect(
        clippy::result_large_err,
        reason = "the signature is that of tungstenite"
    )]
    let check = |request: &Request, response: Response| {
        let parameter = |name: &str| {
            request.uri().query()?.split('&').find_map(|pair| {
                let (key, value) = pair.split_once('=')?;
                (key == name).then_some(value)
            })
        };
        let origin = request.headers().get("origin");
        let origin = origin.and_then(|origin| origin.to_str().ok());
        if parameter("token") != Some(token) || !origin.is_some_and(is_of_this_machine) {
            let mut refusal = ErrorResponse::new(None);
            *refusal.status_mut() = tauri::http::StatusCode::FORBIDDEN;
            return Err(refusal);
        }
        scenario = parameter("scenario").unwrap_or("welcome").to_owned();
        Ok(response)
    };
    let socket = accept_hdr_async(stream, check).await.ok()?;
    Some((socket, scenario))
}

/// True for the origin of a page that a server on this machine's loopback served.
fn is_of_this_machine(origin: &str) -> bool {
    let Some(authority) = origin.strip_prefix("http://") else {
        return false;
    };
    let host = authority.split(':').next();
    matches!(host, Some("127.0.0.1" | "localhost"))
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use tokio_tungstenite::{
        client_async,
        tungstenite::{client::IntoClientRequest, http::HeaderValue},
    };

    use super::*;

    /// Knocks with this address and origin; returns the scenario when let in.
    async fn knock(path: &str, origin: Option<&'static str>) -> Option<String> {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let opening = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.expect("a connection");
            open(stream, "right").await.map(|(_, scenario)| scenario)
        });
        let mut request = format!("ws://{address}{path}")
            .into_client_request()
            .expect("an address");
        if let Some(origin) = origin {
            let origin = HeaderValue::from_static(origin);
            request.headers_mut().insert("origin", origin);
        }
        let stream = TcpStream::connect(address).await.expect("it listens");
        let answer = client_async(request, stream).await;
        let scenario = opening.await.expect("no panic");
        assert_eq!(answer.is_ok(), scenario.is_some());
        scenario
    }

    #[tokio::test]
    async fn a_page_of_this_machine_with_the_token_is_let_in() {
        let own = Some("http://127.0.0.1:46217");
        let scenario = knock("/?token=right&scenario=many", own).await;
        assert_eq!(scenario.as_deref(), Some("many"));
    }

    #[tokio::test]
    async fn a_page_without_the_token_is_refused() {
        let own = Some("http://127.0.0.1:46217");
        assert_eq!(knock("/", own).await, None);
        assert_eq!(knock("/?token=wrong", own).await, None);
    }

    #[tokio::test]
    async fn a_page_from_elsewhere_is_refused_even_with_the_token() {
        for origin in [
            None,
            Some("null"),
            Some("https://evil.example"),
            Some("http://127.0.0.1.evil.example"),
            Some("http://evil.example"),
        ] {
            assert_eq!(knock("/?token=right", origin).await, None, "{origin:?}");
        }
    }
}
