//! An MCP server that only lets in whom a certified authorization server vouches for, and the
//! browser of a user who signs in there. Both run on Node, see `oidc/`.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::programs::repository;

/// A guarded server, for as long as this value lives.
pub struct Guarded {
    child: Child,
    places: Places,
}

#[derive(Deserialize)]
struct Places {
    mcp: String,
    issuer: String,
    control: String,
}

impl Guarded {
    /// Starts one that registers every client, with tokens that are good for an hour.
    pub fn start() -> Self {
        Self::with(&json!({}))
    }

    /// Starts one with the options that `oidc/server.mjs` describes.
    ///
    /// # Panics
    /// When it does not start.
    pub fn with(options: &Value) -> Self {
        let mut child = Command::new("node")
            .arg(place("server.mjs"))
            .arg(options.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        // Node ends when it says something more and nobody reads.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let places = serde_json::from_str(&line)
            .expect("it says where it listens: was `npm ci --prefix tests` run?");
        Self { child, places }
    }

    /// The address of the MCP server.
    pub fn url(&self) -> &str {
        &self.places.mcp
    }

    pub fn issuer(&self) -> &str {
        &self.places.issuer
    }

    /// Withdraws every grant and every token.
    pub fn revoke_all(&self) {
        self.control("/revoke");
    }

    /// Counts the requests to the authorization server at a path that ends so.
    pub fn asked(&self, end: &str) -> usize {
        let answer = self.control("/log");
        let asked: Vec<Value> = serde_json::from_str(&answer).expect("a list");
        let paths = asked.iter().filter_map(|request| request["url"].as_str());
        paths
            .filter(|url| {
                url.split('?')
                    .next()
                    .is_some_and(|path| path.ends_with(end))
            })
            .count()
    }

    fn control(&self, path: &str) -> String {
        let host = self.places.control.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).expect("the control endpoint listens");
        write!(
            stream,
            "POST {path} HTTP/1.0\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"
        )
        .expect("a request goes out");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        body.to_owned()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Value of `$BROWSER`: Debian's chromium, with a user in front of it.
pub fn browser() -> PathBuf {
    place("browser.mjs")
}

/// The same without a window, for `$BROWSER` too: it keeps cookies and sends forms.
pub fn forms() -> PathBuf {
    place("forms.mjs")
}

fn place(name: &str) -> PathBuf {
    repository().join("tests/support/oidc").join(name)
}
