//! Extensions of the protocol, as each side declares them.

use serde::Serialize;

/// Extensions between this client and a server.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ExtensionsView {
    pub rows: Vec<ExtensionRow>,
    /// JSON object of all that this client declares, as it is kept; empty for none.
    pub declared: String,
}

/// One extension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ExtensionRow {
    pub id: String,
    /// Title of one that is known; empty for others.
    pub title: String,
    pub control: ExtensionControl,
    /// JSON text of the settings that this client declares; absent where it declares none.
    pub declared: Option<String>,
    /// JSON text of the settings that the server declares; absent where it declares none.
    pub offered: Option<String>,
    pub effect: ExtensionEffect,
}

/// Way in which this client's side of an extension is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ExtensionControl {
    /// The user declares it or not.
    Switch,
    /// A client declares nothing; the server's declaration is enough.
    ServerOnly,
    /// It is a way to sign in, which the settings of the sign-in choose.
    SignIn,
}

/// Effect of both declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ExtensionEffect {
    /// Each side that has to declare it does.
    InForce,
    /// Only this client declares it.
    ClientOnly,
    /// Only the server declares it.
    ServerOnly,
    /// No side declares it.
    Neither,
    /// The protocol of this connection does not have it.
    OtherEra,
    /// There is no connection, and the server's side is not known.
    Unknown,
}
