//! Parameters of requests and notifications.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use crate::{listeners::ListenFilter, message::RpcError};

/// The parameters of every method this server knows.
#[derive(Debug, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct MethodParams<'a> {
    #[serde(borrow, rename = "_meta", default)]
    pub meta: Meta<'a>,
    #[serde(borrow)]
    pub name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub uri: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub cursor: Option<Cow<'a, str>>,
    pub input_responses: Option<Map<String, Value>>,
    pub request_state: Option<String>,
    pub level: Option<String>,
    #[serde(rename = "ref")]
    pub reference: Option<Value>,
    pub argument: Option<Value>,
    pub context: Option<Value>,
    pub notifications: Option<ListenFilter>,
    #[serde(borrow)]
    pub request_id: Option<&'a RawValue>,
    pub task: Option<Value>,
    pub task_id: Option<String>,
    pub protocol_version: Option<String>,
    pub capabilities: Option<Value>,
    pub client_info: Option<Value>,
}

/// `params._meta`.
#[derive(Debug, Deserialize, Default)]
pub struct Meta<'a> {
    #[serde(borrow, rename = "progressToken")]
    pub progress_token: Option<&'a RawValue>,
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    pub protocol_version: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    pub client_capabilities: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/logLevel")]
    pub log_level: Option<Value>,
}

impl<'a> MethodParams<'a> {
    /// Reads parameters; none at all is the same as an empty object.
    ///
    /// # Errors
    ///
    /// `-32602` when a member has the wrong type.
    pub fn read(raw: Option<&'a RawValue>) -> Result<MethodParams<'a>, RpcError> {
        match raw {
            None => Ok(MethodParams::default()),
            Some(raw) => serde_json::from_str(raw.get())
                .map_err(|error| RpcError::invalid_params(format!("Invalid params: {error}"))),
        }
    }
}
