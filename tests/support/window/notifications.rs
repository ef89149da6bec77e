//! A notification server, as desktops have one, on a session bus of the story's own.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use zbus::{blocking::Connection, interface};

use super::{Directories, session_bus::SessionBus};

const PATH: &str = "/org/freedesktop/Notifications";
const NAME: &str = "org.freedesktop.Notifications";

/// Longer than a notification takes on a busy machine.
const NOTIFICATION_TIMEOUT: Duration = Duration::from_secs(60);

/// A notification that was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    pub id: u32,
    pub summary: String,
}

/// The notifications of one story. The bus ends with them.
pub struct Notifications {
    shown: UnboundedReceiver<Notification>,
    connection: Connection,
    _bus: SessionBus,
}

impl Notifications {
    /// Starts a session bus that the application of the story uses, with a notification server.
    ///
    /// # Panics
    /// When there is no `dbus-daemon`.
    pub fn serve(directories: &Directories) -> Self {
        let bus = SessionBus::start(directories);
        let (sender, shown) = unbounded_channel();
        let server = Server {
            sender,
            last: AtomicU32::new(0),
        };
        let connection = zbus::blocking::connection::Builder::address(bus.address())
            .and_then(|builder| builder.name(NAME))
            .and_then(|builder| builder.serve_at(PATH, server))
            .and_then(|builder| builder.build())
            .expect("a connection to the bus");
        Self {
            shown,
            connection,
            _bus: bus,
        }
    }

    /// The next notification that is shown.
    ///
    /// # Panics
    /// When none comes within a minute.
    pub async fn next(&mut self) -> Notification {
        tokio::time::timeout(NOTIFICATION_TIMEOUT, self.shown.recv())
            .await
            .ok()
            .flatten()
            .expect("a notification")
    }

    /// Clicks a notification, as a user does. It stays until the application takes the click.
    ///
    /// # Panics
    /// When the bus is gone.
    pub fn click(&self, id: u32) {
        self.connection
            .emit_signal(None::<&str>, PATH, NAME, "ActionInvoked", &(id, "default"))
            .expect("told");
    }
}

struct Server {
    sender: UnboundedSender<Notification>,
    last: AtomicU32,
}

/// Desktop Notifications Specification, version 1.2, "D-BUS Protocol".
#[interface(name = "org.freedesktop.Notifications")]
impl Server {
    fn get_capabilities(&self) -> Vec<String> {
        ["actions", "body"].map(str::to_owned).to_vec()
    }

    #[expect(clippy::too_many_arguments, reason = "the protocol's own")]
    fn notify(
        &self,
        _application: String,
        _replaces: u32,
        _icon: String,
        summary: String,
        _body: String,
        _actions: Vec<String>,
        _hints: std::collections::HashMap<String, zbus::zvariant::OwnedValue>,
        _timeout: i32,
    ) -> u32 {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        // Nobody may wait for it any more.
        let _ = self.sender.send(Notification { id, summary });
        id
    }

    fn close_notification(&self, _id: u32) {}

    fn get_server_information(&self) -> (&str, &str, &str, &str) {
        ("tests", "sightglass", "1", "1.2")
    }
}
