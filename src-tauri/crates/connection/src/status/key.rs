//! Name of a connection: the server, and the identity or other situation that it is made for.

use sightglass_model::ServerId;

/// Stands for the client in the ids under which connections beside the user's own are on record.
const AS_IDENTITY: &str = "as-identity";

/// Names a connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConnectionKey {
    pub server: ServerId,
    /// The identity, or the other situation, that a connection beside the user's own is made for;
    /// `None` for the user's own.
    pub identity: Option<String>,
}

impl ConnectionKey {
    /// A connection beside the user's own.
    pub fn beside(server: &ServerId, identity: &str) -> Self {
        Self {
            server: server.clone(),
            identity: Some(identity.to_owned()),
        }
    }

    /// Returns the id under which the connection is on record, so that what happens on one beside
    /// the user's own is not taken for something that happened on that.
    pub fn recorded_id(&self) -> ServerId {
        match &self.identity {
            None => self.server.clone(),
            Some(identity) => {
                let identity = identity.replace('%', "%25").replace('@', "%40");
                ServerId::new(AS_IDENTITY, &format!("{identity}@{}", self.server))
            }
        }
    }
}

impl From<ServerId> for ConnectionKey {
    fn from(server: ServerId) -> Self {
        Self {
            server,
            identity: None,
        }
    }
}

impl From<&ServerId> for ConnectionKey {
    fn from(server: &ServerId) -> Self {
        server.clone().into()
    }
}

impl From<&ConnectionKey> for ConnectionKey {
    fn from(key: &ConnectionKey) -> Self {
        key.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_connection_of_a_server_is_on_record_under_an_id_of_its_own() {
        let server = ServerId::new("mcp-json", "a@b");
        assert_eq!(ConnectionKey::from(&server).recorded_id(), server);
        let ids = ["bob", "bob@example.com", "bob%40example.com"]
            .map(|identity| ConnectionKey::beside(&server, identity).recorded_id());
        assert_eq!(ids[0].as_str(), "as-identity:bob@mcp-json:a@b");
        assert_ne!(ids[1], ids[2]);
    }
}
