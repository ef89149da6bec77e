//! Models that can be asked, and their answers.

use serde::{Deserialize, Serialize};
use sightglass_llm_tools::names::NamingScheme;
use sightglass_model::ServerId;
use sightglass_model_endpoint::EndpointKind;

/// A model of the settings. Its key is in the vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ModelSettings {
    /// Name in the application.
    pub name: String,
    pub kind: EndpointKind,
    /// Address of the interface, without its last part.
    pub url: String,
    /// Name by which the address knows the model.
    pub model: String,
}

/// A model of the settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelEndpointView {
    #[serde(flatten)]
    pub settings: ModelSettings,
    /// True when the vault has a key for its address.
    pub has_key: bool,
}

/// A question to a model about the tools of servers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
pub struct ModelQuestion {
    /// Name of a model of the settings.
    pub model: String,
    pub servers: Vec<ServerId>,
    /// Client by whose names the tools are sent; `None` for those of the servers.
    pub scheme: Option<NamingScheme>,
    pub prompt: String,
}

/// Answer of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelAnswer {
    /// The calls that it would make, in their order.
    pub calls: Vec<ModelCall>,
    pub text: String,
    /// The model, as it names itself.
    pub model: String,
    /// Reason of its end: `endTurn`, `toolUse`, `maxTokens`, or the provider's own.
    pub stop_reason: String,
}

/// A call that a model would make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelCall {
    /// Name as it was sent, or as the model made it up.
    pub sent_name: String,
    /// Server and tool that are meant; absent for a name that was not sent.
    pub server: Option<ServerId>,
    pub tool: Option<String>,
    /// JSON text of the arguments.
    pub arguments: String,
    /// Reason why the call would fail, as a sentence.
    pub problem: Option<String>,
}
