//! State of the scripted servers.

use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
    time::{Duration, Instant},
};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde_json::{Value, json};
use sightglass_model::lock;

use super::Fault;

/// The secret of the client `registered`, which is known from the beginning.
pub const REGISTERED_SECRET: &str = "registered: a+secret/of the tests";

/// One request that came.
#[derive(Debug, Clone, Default)]
pub struct ReceivedRequest {
    pub method: String,
    pub path: String,
    /// Query and form, by name.
    pub parameters: HashMap<String, String>,
    /// By name in lower case.
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl ReceivedRequest {
    pub fn get(&self, name: &str) -> &str {
        self.parameters.get(name).map_or("", String::as_str)
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The token that it carried.
    pub fn bearer(&self) -> Option<&str> {
        self.header("authorization").strip_prefix("Bearer ")
    }
}

pub(super) struct State {
    pub issuer: String,
    pub resource: String,
    /// The path of the resource.
    pub path: &'static str,
    pub fault: Mutex<Option<Fault>>,
    pub asked: Mutex<Vec<ReceivedRequest>>,
    pub called: Mutex<Vec<ReceivedRequest>>,
    pub grants: Mutex<Grants>,
}

#[derive(Clone)]
pub(super) struct GrantedAccess {
    pub account: String,
    pub client: String,
    pub scope: String,
    pub until: Instant,
}

pub(super) struct Code {
    pub challenge: String,
    pub redirect_uri: String,
    pub given: GrantedAccess,
    pub resource: String,
    pub nonce: String,
}

pub(super) struct Grants {
    pub lifetime: u64,
    /// Secrets by client id; none for a public client.
    pub clients: HashMap<String, Option<String>>,
    pub codes: HashMap<String, Code>,
    /// Codes and refresh tokens, each of which is good once.
    pub used: HashSet<String>,
    pub access: HashMap<String, GrantedAccess>,
    pub refresh: HashMap<String, GrantedAccess>,
    pub secrets: Vec<String>,
}

impl State {
    pub fn new(issuer: String, resource: String, path: &'static str, fault: Option<Fault>) -> Self {
        let registered = ("registered".to_owned(), Some(REGISTERED_SECRET.to_owned()));
        Self {
            issuer,
            resource,
            path,
            fault: Mutex::new(fault),
            asked: Mutex::default(),
            called: Mutex::default(),
            grants: Mutex::new(Grants {
                lifetime: 3600,
                clients: HashMap::from([registered]),
                codes: HashMap::new(),
                used: HashSet::new(),
                access: HashMap::new(),
                refresh: HashMap::new(),
                secrets: Vec::new(),
            }),
        }
    }

    /// Returns true when a request is refused because it names a resource.
    pub fn refuses_resource(&self, asked: &ReceivedRequest) -> bool {
        asked.parameters.contains_key("resource") && matches!(self.fault(), Some(Fault::NoResource))
    }

    pub fn fault(&self) -> Option<Fault> {
        lock(&self.fault).clone()
    }
}

impl State {
    /// Values that the MCP server was told besides the tokens, to be repeated.
    pub fn told(&self) -> Vec<String> {
        let called = lock(&self.called);
        let of_call = |asked: &ReceivedRequest| {
            let headers = asked.headers.iter();
            let headers = headers.filter(|(name, _)| *name != "authorization");
            let values = headers.map(|(_, value)| value.clone());
            values.chain([asked.path.clone()]).collect::<Vec<_>>()
        };
        called.iter().flat_map(of_call).collect()
    }
}

impl Grants {
    /// Something that nobody can guess.
    pub fn secret(&mut self, kind: &str) -> String {
        let secret = format!("{kind}.{}", random());
        self.secrets.push(secret.clone());
        secret
    }

    pub fn until(&self) -> Instant {
        Instant::now() + Duration::from_secs(self.lifetime)
    }

    /// A token for whoever it is, good until it is withdrawn.
    pub fn give(&mut self, account: &str) -> String {
        let token = self.secret("access");
        let given = GrantedAccess {
            account: account.to_owned(),
            client: String::new(),
            scope: "read".to_owned(),
            until: self.until(),
        };
        self.access.insert(token.clone(), given);
        token
    }

    /// A token whose claims can be read, and whose signature nobody looks at.
    pub fn jwt(&mut self, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let header = json!({ "alg": "ES256", "typ": "JWT" });
        let token = format!("{}.{}.{}", part(&header), part(claims), random());
        self.secrets.push(token.clone());
        token
    }
}

/// The claims of a token; null where it has none.
pub(super) fn claims_of(token: &str) -> Value {
    let claims = token.split('.').nth(1).unwrap_or_default();
    let bytes = URL_SAFE_NO_PAD.decode(claims).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn random() -> String {
    (0..32).map(|_| fastrand::alphanumeric()).collect()
}

/// These values in the spellings that servers use.
pub(super) fn repeated<'a>(values: impl IntoIterator<Item = &'a String>) -> String {
    let spelt = values.into_iter().map(|value| {
        let percent: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
        let quoted = json!({ "it": value }).to_string();
        let encoded = STANDARD.encode(format!("it:{value}"));
        format!("{value} {percent} {quoted} {encoded}")
    });
    spelt.collect::<Vec<_>>().join(" ")
}

/// Merges a patch (RFC 7396): what is null in it goes.
pub(super) fn patch(value: &mut Value, patch: &Value) {
    let (Some(members), Some(changes)) = (value.as_object_mut(), patch.as_object()) else {
        return;
    };
    for (name, change) in changes {
        if change.is_null() {
            members.remove(name);
        } else {
            members.insert(name.clone(), change.clone());
        }
    }
}
