//! A proxy as companies have them: whoever may not reach a server asks it to.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use crate::wiretap::copy;

/// Forwards every request, plain ones and tunnels, to one port of this machine, whatever name
/// they ask for. It ends with the test's process.
pub struct ForwardProxy {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ForwardProxy {
    pub fn to(port: u16) -> Self {
        Self::serving(move |client, asked| forward(client, port, asked))
    }

    /// A proxy that asks everybody for a password that nobody has.
    pub fn that_asks_for_a_password() -> Self {
        Self::that_answers(
            "407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm=\"company\"",
        )
    }

    /// A proxy that lets nobody through: it answers with this status, and fields after it.
    pub fn that_answers(status: &'static str) -> Self {
        Self::serving(move |client, asked| refuse(client, asked, status))
    }

    fn serving(
        serve: impl Fn(TcpStream, &Mutex<Vec<String>>) -> Option<()> + Copy + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has free ports");
        let proxy = Self {
            port: listener.local_addr().expect("bound").port(),
            asked: Arc::default(),
        };
        let asked = Arc::clone(&proxy.asked);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let asked = Arc::clone(&asked);
                thread::spawn(move || serve(client, &asked));
            }
        });
        proxy
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The first line of every request so far.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic under it").clone()
    }
}

/// The head of a request.
fn head(client: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        client.read_exact(&mut byte).ok()?;
        head.extend(byte);
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

fn refuse(mut client: TcpStream, asked: &Mutex<Vec<String>>, status: &str) -> Option<()> {
    let head = head(&mut client)?;
    asked.lock().ok()?.push(head.lines().next()?.to_owned());
    let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    client.write_all(answer.as_bytes()).ok()
}

fn forward(mut client: TcpStream, port: u16, asked: &Mutex<Vec<String>>) -> Option<()> {
    let head = head(&mut client)?;
    let (line, fields) = head.split_once("\r\n")?;
    asked.lock().ok()?.push(line.to_owned());
    let mut server = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    if method == "CONNECT" {
        client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
    } else {
        // One request per connection, since each of them has to be rewritten.
        let path = target.splitn(4, '/').nth(3).unwrap_or_default();
        let head = format!("{method} /{path} HTTP/1.1\r\nConnection: close\r\n{fields}");
        server.write_all(head.as_bytes()).ok()?;
    }
    let (client_back, server_back) = (client.try_clone().ok()?, server.try_clone().ok()?);
    copy(client, server, Arc::default());
    copy(server_back, client_back, Arc::default());
    Some(())
}
