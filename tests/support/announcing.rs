//! Announces servers by mDNS, on a port that nobody else uses.

use mdns_sd::{ServiceDaemon, ServiceInfo};

/// A machine on the local network that announces servers until it is dropped.
pub struct Announcer {
    daemon: ServiceDaemon,
    port: u16,
}

impl Announcer {
    /// Starts on a port of its own, which stands in for mDNS's 5353.
    ///
    /// # Panics
    /// When the system has no multicast.
    pub fn start() -> Self {
        // Nobody binds it; whoever uses it listens to a group.
        let port = fastrand::u16(20_000..30_000);
        let daemon = ServiceDaemon::new_with_port(port).expect("a thread and sockets");
        Self { daemon, port }
    }

    /// The port to look on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Announces a server at a port of 127.0.0.1.
    ///
    /// # Panics
    /// When this is no announcement.
    pub fn announce(&self, name: &str, host: &str, port: u16, path: &str) {
        let properties = [("path", path)];
        let service = ServiceInfo::new(
            "_mcp._tcp.local.",
            name,
            host,
            "127.0.0.1",
            port,
            &properties[..],
        );
        self.daemon
            .register(service.expect("an announcement"))
            .expect("announced");
    }
}

impl Drop for Announcer {
    fn drop(&mut self) {
        // It ends with the process otherwise.
        let _ = self.daemon.shutdown();
    }
}
