//! Runs the real commands of the window for a browser: in the browser tests, and in development.
//!
//! It listens on loopback alone. Every connection needs the token that this process made, and
//! has to come from a page of this machine, so that no page that the user visits can reach it.
//! One connection is one page: it gets an inspector of its own, on directories of its own that a
//! scenario prepares. The process ends when its standard input does, so none is left behind.
//!
//! The first line on stdout is the address, token included.

#![allow(
    clippy::disallowed_methods,
    reason = "scenarios write files and end servers as users do"
)]

mod bridge;
mod door;
mod scenario;

use std::{io::Read, process::ExitCode};

use futures::future;
use tokio::{net::TcpListener, runtime::Runtime, task};

fn main() -> ExitCode {
    match Runtime::new().map(|runtime| runtime.block_on(serve())) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) | Err(error) => {
            eprintln!("sightglass-browser-host: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> std::io::Result<()> {
    tauri::async_runtime::set(tokio::runtime::Handle::current());
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let token = door::token()?;
    println!("ws://{}/?token={token}", listener.local_addr()?);
    let accept = async {
        loop {
            let (stream, _) = listener.accept().await?;
            let token = token.clone();
            tokio::spawn(async move {
                if let Some((socket, scenario)) = door::open(stream, &token).await {
                    bridge::serve(socket, &scenario).await;
                }
            });
        }
    };
    let ended = task::spawn_blocking(|| {
        // Nothing is written to it: reading ends when whoever started the process has ended.
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        Ok(())
    });
    let ended = async { ended.await.map_err(std::io::Error::other)? };
    tokio::pin!(accept, ended);
    match future::select(accept, ended).await {
        future::Either::Left((result, _)) | future::Either::Right((result, _)) => result,
    }
}
