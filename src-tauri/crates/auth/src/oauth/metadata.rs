//! Metadata documents and the well-known places that they are looked for at (RFC 9728, RFC 8414).

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;
use sightglass_secrets::mask_url_parameters;
use url::Url;

/// Protected resource metadata (RFC 9728, section 2). A member of another type than it should have
/// counts as absent: it spoils no other.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ResourceMetadata {
    #[serde(deserialize_with = "lenient")]
    pub resource: Option<String>,
    #[serde(deserialize_with = "one_or_many")]
    pub authorization_servers: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    pub scopes_supported: Option<Vec<String>>,
}

/// Authorization server metadata (RFC 8414, section 2; OpenID Connect Discovery, section 3), read as
/// that of a resource is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ServerMetadata {
    #[serde(deserialize_with = "lenient")]
    pub issuer: String,
    #[serde(deserialize_with = "lenient")]
    pub authorization_endpoint: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub token_endpoint: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub registration_endpoint: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub revocation_endpoint: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub scopes_supported: Option<Vec<String>>,
    #[serde(deserialize_with = "lenient")]
    pub grant_types_supported: Option<Vec<String>>,
    #[serde(deserialize_with = "lenient")]
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(deserialize_with = "lenient")]
    pub code_challenge_methods_supported: Option<Vec<String>>,
    #[serde(deserialize_with = "lenient")]
    pub authorization_response_iss_parameter_supported: bool,
    #[serde(deserialize_with = "lenient")]
    pub client_id_metadata_document_supported: bool,
}

/// Document that is looked for at well-known places.
pub(crate) trait MetadataDocument: DeserializeOwned {
    /// Returns true when it says nothing of what such a document is for.
    fn is_empty(&self) -> bool;
}

impl MetadataDocument for ResourceMetadata {
    fn is_empty(&self) -> bool {
        self.resource.is_none() && self.authorization_servers.is_empty()
    }
}

impl MetadataDocument for ServerMetadata {
    fn is_empty(&self) -> bool {
        self.issuer.is_empty()
            && self.authorization_endpoint.is_none()
            && self.token_endpoint.is_none()
    }
}

/// The value, or the default where it is of another type.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// The texts of a list; some servers write one without the list.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(one) => vec![one],
        many => serde_json::from_value(many).unwrap_or_default(),
    })
}

/// One place to look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variant {
    pub url: Url,
    pub remark: &'static str,
}

/// Returns the URLs of a resource's metadata (RFC 9728, section 3.1): what the challenge
/// named first, then with the path of the server, then at the root.
pub(crate) fn resource_variants(server: &Url, named: Option<Url>) -> Vec<Variant> {
    let mut variants = Vec::new();
    if let Some(url) = named {
        variants.push(Variant {
            url,
            remark: "named by the challenge",
        });
    }
    let path = server.path().trim_end_matches('/');
    if !path.is_empty() {
        variants.push(Variant {
            url: well_known(server, "oauth-protected-resource", path, server.query()),
            remark: "well-known, with the path",
        });
    }
    variants.push(Variant {
        url: well_known(server, "oauth-protected-resource", "", None),
        remark: "well-known, at the root",
    });
    unique(variants)
}

/// Returns the URLs of an authorization server's metadata (MCP 2025-11-25, Authorization
/// Server Metadata Discovery).
pub(crate) fn server_variants(issuer: &Url) -> Vec<Variant> {
    let path = issuer.path().trim_end_matches('/');
    let oauth = well_known(issuer, "oauth-authorization-server", path, None);
    let openid = well_known(issuer, "openid-configuration", path, None);
    let mut variants = Vec::new();
    if path.is_empty() {
        variants.push(Variant {
            url: oauth,
            remark: "RFC 8414",
        });
        variants.push(Variant {
            url: openid,
            remark: "OpenID Connect",
        });
    } else {
        variants.push(Variant {
            url: oauth,
            remark: "RFC 8414, path inserted",
        });
        variants.push(Variant {
            url: openid,
            remark: "OpenID Connect, path inserted",
        });
        let mut appended = issuer.clone();
        appended.set_path(&format!("{path}/.well-known/openid-configuration"));
        appended.set_query(None);
        variants.push(Variant {
            url: appended,
            remark: "OpenID Connect, path appended",
        });
    }
    variants
}

/// Returns the URLs of an identity provider's metadata: OpenID Connect Discovery first (section 4),
/// then what an authorization server may have.
pub(crate) fn provider_variants(issuer: &Url) -> Vec<Variant> {
    let path = issuer.path().trim_end_matches('/');
    let mut appended = issuer.clone();
    appended.set_path(&format!("{path}/.well-known/openid-configuration"));
    appended.set_query(None);
    appended.set_fragment(None);
    let openid = Variant {
        url: appended,
        remark: "identity provider, OpenID Connect",
    };
    let oauth = Variant {
        url: well_known(issuer, "oauth-authorization-server", path, None),
        remark: "identity provider, RFC 8414",
    };
    vec![openid, oauth]
}

fn well_known(base: &Url, name: &str, path: &str, query: Option<&str>) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("/.well-known/{name}{path}"));
    url.set_query(query);
    url.set_fragment(None);
    url
}

fn unique(variants: Vec<Variant>) -> Vec<Variant> {
    let mut kept: Vec<Variant> = Vec::new();
    for variant in variants {
        if !kept.iter().any(|known| known.url == variant.url) {
            kept.push(variant);
        }
    }
    kept
}

/// Returns the address as HTTP has it: a WebSocket begins as a request of HTTP (RFC 6455, section
/// 1.3), and what is known of it is found there.
pub(crate) fn web_address(mut url: Url) -> Url {
    let scheme = match url.scheme() {
        "ws" => "http",
        "wss" => "https",
        _ => return url,
    };
    // Between these schemes a change is always possible.
    let _ = url.set_scheme(scheme);
    url
}

/// Relation of the resource that a metadata document describes to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Described {
    /// This server, as RFC 9728, section 3.3, wants it.
    Server,
    /// A part of its path from the beginning: a token for it counts for everything below.
    Wider,
    /// Another server.
    Other,
}

/// Compares the resource that a metadata document describes with the server. Parameters choose
/// among the options of one server, so that they make no difference.
pub(crate) fn described(resource: &str, server: &Url) -> Described {
    let Ok(resource) = Url::parse(resource).map(web_address) else {
        return Described::Other;
    };
    let directory = |url: &Url| format!("{}/", url.path().trim_end_matches('/'));
    let (described, own) = (directory(&resource), directory(server));
    if resource.origin() != server.origin() || !own.starts_with(&described) {
        Described::Other
    } else if described == own {
        Described::Server
    } else {
        Described::Wider
    }
}

/// Returns the origin of an address of the web, for comparison and as it is shown.
pub(crate) fn origin(address: &str) -> Option<String> {
    let url = web_address(Url::parse(address).ok()?);
    matches!(url.scheme(), "http" | "https").then(|| url.origin().ascii_serialization())
}

/// The server's address as RFC 8707 wants a resource named: no fragment, and no lone slash. It is
/// sent to the authorization server, so that credentials are left out: the user information, and
/// a query that holds a secret.
pub(crate) fn canonical(server: &Url) -> String {
    let mut url = server.clone();
    url.set_fragment(None);
    // These fail for URLs without a host, which have neither.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if mask_url_parameters(url.as_str()) != url.as_str() {
        url.set_query(None);
    }
    let text = url.to_string();
    if url.path() == "/" && url.query().is_none() {
        text.trim_end_matches('/').to_owned()
    } else {
        text
    }
}

/// Returns true when two issuers are the same but for a closing slash, which some frameworks add.
pub(crate) fn differ_by_slash(one: &str, other: &str) -> bool {
    one != other && one.trim_end_matches('/') == other.trim_end_matches('/')
}

/// Returns true when two texts name one issuer; a slash at the end is no difference.
pub(crate) fn is_same_issuer(one: &str, other: &str) -> bool {
    one == other || differ_by_slash(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().expect(text)
    }

    fn addresses(variants: Vec<Variant>) -> Vec<String> {
        variants
            .into_iter()
            .map(|variant| variant.url.to_string())
            .collect()
    }

    #[test]
    fn a_member_of_another_type_spoils_no_other() {
        let text = r#"{"resource":"https://a.test","authorization_servers":"https://b.test",
            "scopes_supported":null}"#;
        let read: ResourceMetadata = serde_json::from_str(text).expect("read");
        assert_eq!(read.resource.as_deref(), Some("https://a.test"));
        assert_eq!(read.authorization_servers, ["https://b.test"]);
        let text = r#"{"issuer":"https://b.test","grant_types_supported":"none",
            "client_id_metadata_document_supported":null}"#;
        let read: ServerMetadata = serde_json::from_str(text).expect("read");
        assert_eq!(read.issuer, "https://b.test");
        assert_eq!(read.grant_types_supported, None);
    }

    #[test]
    fn a_resource_is_named_without_credentials() {
        for (address, named) in [
            ("https://me:pw@a.test/mcp#x", "https://a.test/mcp"),
            ("https://a.test/mcp?api_key=b&v=1", "https://a.test/mcp"),
            ("https://a.test/mcp?v=1", "https://a.test/mcp?v=1"),
            ("https://a.test/", "https://a.test"),
        ] {
            assert_eq!(canonical(&url(address)), named);
        }
    }

    #[test]
    fn every_place_is_looked_at_in_order() {
        assert_eq!(
            addresses(resource_variants(
                &url("https://a.test/x/mcp?v=1"),
                Some(url("https://b.test/m"))
            )),
            [
                "https://b.test/m",
                "https://a.test/.well-known/oauth-protected-resource/x/mcp?v=1",
                "https://a.test/.well-known/oauth-protected-resource",
            ]
        );
        assert_eq!(
            addresses(resource_variants(&url("https://a.test/"), None)),
            ["https://a.test/.well-known/oauth-protected-resource"]
        );
        assert_eq!(
            addresses(server_variants(&url("https://a.test/tenant/"))),
            [
                "https://a.test/.well-known/oauth-authorization-server/tenant",
                "https://a.test/.well-known/openid-configuration/tenant",
                "https://a.test/tenant/.well-known/openid-configuration",
            ]
        );
    }

    #[test]
    fn a_resource_is_this_server_or_a_part_of_its_path_and_nothing_beside() {
        let server = url("https://a.test/mcp/x?v=1");
        for (resource, relation) in [
            ("https://a.test/mcp/x", Described::Server),
            ("https://a.test/mcp/x/", Described::Server),
            ("https://a.test/mcp/x?v=1", Described::Server),
            ("wss://a.test/mcp/x", Described::Server),
            ("https://a.test/mcp", Described::Wider),
            ("https://a.test", Described::Wider),
            ("https://b.test/mcp/x", Described::Other),
            ("ws://a.test/mcp/x", Described::Other),
            ("http://a.test/mcp/x", Described::Other),
            ("https://a.test/mc", Described::Other),
            ("https://a.test/mcp/x/y", Described::Other),
            ("https://a.test:1/mcp", Described::Other),
            ("mcp", Described::Other),
        ] {
            assert_eq!(described(resource, &server), relation, "{resource}");
        }
    }
}
