//! A line to a server on this machine that a test can cut and mend.

use std::net::SocketAddr;

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::Mutex,
    task::{JoinHandle, JoinSet},
};

/// A port that forwards to another. While the line is cut, nothing listens on it.
pub struct Line {
    address: SocketAddr,
    target: u16,
    forwarding: Mutex<Option<JoinHandle<()>>>,
}

impl Line {
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Self {
            address: listener.local_addr().expect("bound"),
            target,
            forwarding: Mutex::new(Some(tokio::spawn(forward(listener, target)))),
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Cuts the line, with every connection that goes over it, or mends it.
    pub async fn set_cut(&self, cut: bool) {
        let mut forwarding = self.forwarding.lock().await;
        if let Some(task) = forwarding.take() {
            task.abort();
            // The port is free once the task is gone.
            let _ = task.await;
        }
        if !cut {
            let listener = TcpListener::bind(self.address).await;
            let listener = listener.expect("the port is still free");
            *forwarding = Some(tokio::spawn(forward(listener, self.target)));
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(task) = self.forwarding.get_mut().take() {
            task.abort();
        }
    }
}

async fn forward(listener: TcpListener, target: u16) {
    let mut connections = JoinSet::new();
    while let Ok((mut client, _)) = listener.accept().await {
        connections.spawn(async move {
            let mut server = TcpStream::connect(("127.0.0.1", target)).await?;
            copy_bidirectional(&mut client, &mut server).await
        });
    }
}
