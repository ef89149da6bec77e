//! Names the client metadata document that Sightglass publishes, by whose address authorization
//! servers know it without a registration (draft-ietf-oauth-client-id-metadata-document).
//!
//! The document is `src-tauri/client-metadata.json`. Its address is the client id, so it has to be
//! served there for good: over HTTPS, as `application/json`, without a redirect. Raw files of
//! GitHub are `text/plain`; its Pages serve JSON as JSON. Until it is served, its address lies in a
//! domain that nobody can own, and no authorization server is sent it.

/// The address of the document, and its client id.
const DOCUMENT_URL: &str = "https://sightglass.invalid/client-metadata.json";

/// True once the document is served at its address.
const IS_PUBLISHED: bool = false;

/// The variable that names a document published elsewhere, such as by a company for its users.
const URL_VARIABLE: &str = "SIGHTGLASS_CLIENT_METADATA_URL";

/// Returns the address of the document that is published, if one is.
pub(crate) fn published_client(environment: impl FnOnce(&str) -> Option<String>) -> Option<String> {
    environment(URL_VARIABLE)
        .map(|address| address.trim().to_owned())
        .filter(|address| !address.is_empty())
        .or_else(|| IS_PUBLISHED.then(|| DOCUMENT_URL.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use url::Url;

    use super::*;
    use crate::oauth::redirect::Redirect;

    fn document() -> Value {
        let text = include_str!("../../../client-metadata.json");
        serde_json::from_str(text).expect("valid JSON")
    }

    #[test]
    fn the_document_is_valid_and_names_its_own_address() {
        let document = document();
        assert_eq!(document["client_id"], DOCUMENT_URL);
        let url = Url::parse(DOCUMENT_URL).expect("an address");
        assert_eq!(
            url.as_str(),
            DOCUMENT_URL,
            "it is compared letter by letter"
        );
        assert_eq!(url.scheme(), "https");
        assert!(url.path().len() > 1 && url.query().is_none() && url.fragment().is_none());
        assert!(url.username().is_empty() && url.password().is_none());
        assert!(
            document["client_name"]
                .as_str()
                .is_some_and(|name| !name.is_empty())
        );
        // A client that everyone can be proves nothing.
        assert_eq!(document["token_endpoint_auth_method"], "none");
        for secret in ["client_secret", "client_secret_expires_at"] {
            assert!(document.get(secret).is_none());
        }
    }

    #[test]
    fn the_document_lists_the_redirect_address_of_a_sign_in() {
        let document = document();
        let listed = document["redirect_uris"].as_array().expect("a list");
        for listed in listed {
            let redirect = Redirect::parse(listed.as_str().expect("text")).expect("loopback");
            assert!(redirect.is_at_standard_path() && redirect.port().is_none());
        }
        // The port is free (RFC 8252, section 7.3).
        let own = Redirect::standard(None).uri(5).replace(":5", "");
        assert!(listed.iter().any(|listed| *listed == own.as_str()));
    }

    #[test]
    fn the_document_is_published_only_in_a_domain_that_someone_owns() {
        let url = Url::parse(DOCUMENT_URL).expect("an address");
        let host = url.host_str().expect("a host");
        let is_reserved = [".invalid", ".example", ".test", ".localhost"]
            .iter()
            .any(|ending| host.ends_with(ending));
        assert_eq!(IS_PUBLISHED, !is_reserved, "{host}");
        assert_eq!(published_client(|_| None).is_some(), IS_PUBLISHED);
        let named = published_client(|_| Some(" https://acme.example/sightglass.json ".to_owned()));
        assert_eq!(
            named.as_deref(),
            Some("https://acme.example/sightglass.json")
        );
    }
}
