//! Endpoints of models that answer every request alike.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::mpsc,
};

/// Starts a server that answers every request with this text. Returns its address and the requests
/// that it gets.
///
/// # Panics
/// When there is no port.
pub async fn serve(response: String) -> (String, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (asked, requests) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut text = Vec::new();
            let mut buffer = [0; 4096];
            while let Ok(count) = stream.read(&mut buffer).await {
                text.extend_from_slice(&buffer[..count]);
                let whole = String::from_utf8_lossy(&text);
                let is_whole = whole.split_once("\r\n\r\n").is_some_and(|(head, body)| {
                    let length = head.lines().find_map(|line| {
                        let (name, value) = line.split_once(':')?;
                        name.eq_ignore_ascii_case("content-length")
                            .then(|| value.trim().parse::<usize>().ok())?
                    });
                    body.len() >= length.unwrap_or_default()
                });
                if is_whole || count == 0 {
                    break;
                }
            }
            let _ = asked.send(String::from_utf8_lossy(&text).into_owned());
            let _ = stream.write_all(response.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    (format!("http://127.0.0.1:{port}"), requests)
}

/// Returns a response with this status line and this JSON.
pub fn answer(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}
