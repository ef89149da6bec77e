//! Reads the fields about signing in.
//!
//! | field | meaning |
//! |---|---|
//! | `oauth` | `false` or `"off"`: never sign in; an object: see below |
//! | `oauth.clientId`, `oauth.clientSecret` | a client that was registered by hand |
//! | `oauth.clientMetadataUrl` | the address of a Client ID Metadata Document |
//! | `oauth.callbackPort` | the port of the redirect address |
//! | `oauth.scopes` | an array, or a text with spaces |
//! | `oauth.authServerMetadataUrl` | where the metadata of the authorization server is |
//! | `bearer_token_env_var` | the environment variable that holds a fixed token |
//!
//! Names may be written with underscores as well. `callback_port`, `scopes` and `client_id`
//! are also read beside `oauth`. What is of a wrong type counts as absent: signing in works
//! without it, and the user can set it in the window.

use serde_json::{Map, Value};
use sightglass_secrets::Secret;

use crate::entry::expand::{Environment, Expansion, expand_with};

/// Fields about signing in, with their variables expanded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SignInFields {
    pub off: bool,
    pub client_id: Option<String>,
    pub client_secret: Option<Secret<String>>,
    pub client_metadata_url: Option<String>,
    pub callback_port: Option<u16>,
    pub scopes: Option<Vec<String>>,
    pub server_metadata_url: Option<String>,
    pub bearer_variable: Option<String>,
}

/// Reads what an entry of the common form says about signing in, with its variables expanded by
/// the rules of its client.
pub(crate) fn sign_in_fields(
    entry: &Map<String, Value>,
    rules: Expansion,
    environment: &Environment<'_>,
) -> SignInFields {
    let rules = rules.of_field("oauth");
    read(entry, &|text| {
        expand_with(rules, text, &mut |name| environment(name)).ok()
    })
}

/// Reads what an entry of the common form says about signing in, with its variables as they are
/// written.
pub(crate) fn written_sign_in(entry: &Map<String, Value>) -> SignInFields {
    read(entry, &|text| Some(text.to_owned()))
}

fn read(entry: &Map<String, Value>, value: &dyn Fn(&str) -> Option<String>) -> SignInFields {
    let oauth = entry.get("oauth");
    let within = oauth.and_then(Value::as_object);
    let reader = SignInReader {
        objects: within.into_iter().chain([entry]).collect(),
        value,
    };
    SignInFields {
        off: match oauth {
            Some(Value::Bool(on)) => !on,
            Some(Value::String(word)) => word == "off",
            _ => false,
        },
        client_id: reader.text(&["clientId", "client_id"]),
        client_secret: reader
            .text(&["clientSecret", "client_secret"])
            .map(Secret::new),
        client_metadata_url: reader.text(&["clientMetadataUrl", "client_metadata_url"]),
        callback_port: reader.port(&["callbackPort", "callback_port"]),
        scopes: reader.scopes(),
        server_metadata_url: reader.text(&["authServerMetadataUrl", "auth_server_metadata_url"]),
        bearer_variable: reader.text(&["bearer_token_env_var", "bearerTokenEnvVar"]),
    }
}

struct SignInReader<'a> {
    /// The nearest first.
    objects: Vec<&'a Map<String, Value>>,
    /// Returns the value of a text.
    value: &'a dyn Fn(&str) -> Option<String>,
}

impl SignInReader<'_> {
    fn node(&self, names: &[&str]) -> Option<&Value> {
        self.objects
            .iter()
            .flat_map(|object| names.iter().filter_map(|name| object.get(*name)))
            .next()
    }

    fn text(&self, names: &[&str]) -> Option<String> {
        match self.node(names)? {
            Value::String(text) => self.expanded(text),
            _ => None,
        }
    }

    fn expanded(&self, text: &str) -> Option<String> {
        let expanded = (self.value)(text)?;
        let trimmed = expanded.trim();
        (!trimmed.is_empty()).then(|| trimmed.to_owned())
    }

    fn port(&self, names: &[&str]) -> Option<u16> {
        match self.node(names)? {
            Value::Number(number) => u16::try_from(number.as_u64()?).ok(),
            Value::String(text) => self.expanded(text)?.parse().ok(),
            _ => None,
        }
    }

    fn scopes(&self) -> Option<Vec<String>> {
        let split =
            |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        match self.node(&["scopes", "scope"])? {
            Value::String(text) => self.expanded(text).map(|text| split(&text)),
            Value::Array(elements) => {
                let texts = elements.iter().filter_map(|element| match element {
                    Value::String(text) => self.expanded(text),
                    _ => None,
                });
                Some(texts.flat_map(|text| split(&text)).collect())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(entry: &str) -> SignInFields {
        let entry: Map<String, Value> = serde_json::from_str(entry).expect("an object");
        sign_in_fields(&entry, Expansion::Variables, &|name| {
            (name == "SECRET").then(|| "s3cret".to_owned())
        })
    }

    #[test]
    fn a_client_is_read_in_either_spelling_with_its_variables() {
        let expected = SignInFields {
            client_id: Some("abc".into()),
            client_secret: Some(Secret::new("s3cret".into())),
            callback_port: Some(8123),
            scopes: Some(vec!["a".into(), "b".into()]),
            ..SignInFields::default()
        };
        for entry in [
            r#"{"oauth":{"clientId":"abc","clientSecret":"${SECRET}","callbackPort":8123,"scopes":["a","b"]}}"#,
            r#"{"oauth":{"client_id":"abc","client_secret":"${SECRET}"},"callback_port":8123,"scopes":"a b"}"#,
        ] {
            assert_eq!(fields(entry), expected, "{entry}");
        }
    }

    #[test]
    fn signing_in_can_be_turned_off() {
        assert!(fields(r#"{"oauth":false}"#).off);
        assert!(fields(r#"{"oauth":"off"}"#).off);
        assert!(!fields(r#"{"oauth":{}}"#).off && !fields("{}").off);
    }

    #[test]
    fn what_is_of_a_wrong_type_counts_as_absent() {
        assert_eq!(
            fields(r#"{"oauth":{"clientId":7,"callbackPort":99999}}"#),
            SignInFields::default()
        );
    }
}
