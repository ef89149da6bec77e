//! Settings of the application and of single servers.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sightglass_config::Client;
use sightglass_model::{ProtocolChoice, ServerId};
use sightglass_traffic::Retention;

use super::model_endpoints::ModelSettings;

/// Settings that the user can change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    pub theme: Theme,
    pub retention: Retention,
    /// The largest message taken, in mebibytes.
    pub message_limit: u32,
    /// True when text results are shown as Markdown at first.
    pub markdown: bool,
    /// True when calls of tools that declare themselves destructive are confirmed.
    pub confirm_destructive: bool,
    /// Seconds of silence after which a connection is pinged; 0 means never.
    pub ping_interval: u32,
    /// Size of everything in the window, in percent.
    pub zoom: u16,
    /// True when what happens to servers in the background is told by notifications of the system.
    pub notifications: bool,
    /// The servers that are connected when the application starts.
    pub connect_at_start: Vec<ServerId>,
    /// Named sets of servers that are on together.
    pub profiles: Vec<Profile>,
    /// The servers that the user put in an order; within their groups they come first, in it.
    pub order: Vec<ServerId>,
    /// Counts for servers that say nothing else.
    pub defaults: ConnectionDefaults,
    pub network: NetworkSettings,
    /// Models that can be asked.
    pub models: Vec<ModelSettings>,
}

/// Settings of connections that count where neither the server's entry nor its own settings say
/// anything.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionDefaults {
    pub protocol: ProtocolChoice,
    /// Seconds for everything up to ready.
    pub startup_limit: Option<u32>,
    /// Seconds for one call.
    pub call_limit: Option<u32>,
}

/// Way to servers, authorization servers and the registry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NetworkSettings {
    /// Address of the proxy; empty for those of the environment.
    pub proxy: String,
    /// Hosts that are reached without the proxy, written as in `NO_PROXY`.
    pub no_proxy: String,
    /// Certificate authorities in PEM, beside those of the system; empty for none.
    pub ca_file: String,
}

/// Settings of one server that the application keeps itself, beside the client's file. They win
/// over its entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerSettings {
    /// `None` where the entry decides, or the default for all servers.
    pub protocol: Option<ProtocolChoice>,
    /// Seconds for everything up to ready.
    pub startup_limit: Option<u32>,
    /// Seconds for one call.
    pub call_limit: Option<u32>,
    /// Name in `clientInfo`; empty for the application's.
    pub client_name: String,
    /// Version in `clientInfo`; empty for the application's.
    pub client_version: String,
    /// Capabilities that are declared.
    pub roots: bool,
    pub sampling: bool,
    pub elicitation: bool,
    /// Tasks, in the form of the era: a capability, or an extension.
    pub tasks: bool,
    /// JSON object of extensions that are declared, by identifier; empty for none.
    pub extensions: String,
    /// Client certificate and its key in PEM; empty for none.
    pub certificate_file: String,
    pub key_file: String,
    /// Origin of the server when the certificate was chosen; it is shown nowhere else. Set when
    /// the settings are saved.
    pub certificate_origin: String,
    /// False when the texts of its messages stay in memory, and its arguments are not remembered.
    pub record: bool,
    /// Client to whose rules about calls those that are sent from here are held.
    pub held_to: Option<Client>,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            protocol: None,
            startup_limit: None,
            call_limit: None,
            client_name: String::new(),
            client_version: String::new(),
            roots: true,
            sampling: true,
            elicitation: true,
            tasks: true,
            extensions: String::new(),
            certificate_file: String::new(),
            key_file: String::new(),
            certificate_origin: String::new(),
            record: true,
            held_to: None,
        }
    }
}

/// A named set of servers, such as `work`. All others are off with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Profile {
    pub name: String,
    pub servers: Vec<ServerId>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            retention: Retention::default(),
            message_limit: 256,
            markdown: false,
            confirm_destructive: true,
            ping_interval: 30,
            zoom: 100,
            notifications: false,
            connect_at_start: Vec::new(),
            profiles: Vec::new(),
            order: Vec::new(),
            defaults: ConnectionDefaults::default(),
            network: NetworkSettings::default(),
            models: Vec::new(),
        }
    }
}

impl Settings {
    /// Returns the window's zoom as a factor. A file may hold any number; one at which nothing
    /// can be read, or nothing fits, is not taken at its word.
    pub fn zoom_factor(&self) -> f64 {
        f64::from(self.zoom.clamp(50, 200)) / 100.0
    }

    pub fn message_limit_bytes(&self) -> usize {
        (self.message_limit.max(1) as usize) << 20
    }

    pub fn ping_interval(&self) -> Option<Duration> {
        (self.ping_interval > 0).then(|| Duration::from_secs(self.ping_interval.into()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    System,
    Light,
    Dark,
}
