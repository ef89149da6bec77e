//! Clauses of the specifications that sign-ins are held to.

use sightglass_http::RefusalReason;
use sightglass_model::Clause;

fn clause(title: impl Into<String>, url: impl Into<String>) -> Clause {
    Clause {
        title: title.into(),
        url: Some(url.into()),
        level: None,
    }
}

fn rfc(number: u32, section: &str) -> Clause {
    clause(
        format!("RFC {number}, section {section}"),
        format!("https://www.rfc-editor.org/rfc/rfc{number}#section-{section}"),
    )
}

fn mcp(section: &str, anchor: &str) -> Clause {
    clause(
        format!("MCP 2025-11-25, Authorization, {section}"),
        format!(
            "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#{anchor}"
        ),
    )
}

macro_rules! clauses {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        $($(#[$doc])* pub(crate) fn $name() -> Clause { $value })*
    };
}

clauses! {
    /// A 401 carries `WWW-Authenticate`.
    challenge = rfc(6750, "3");
    challenge_metadata = rfc(9728, "5.1");
    insufficient_scope = rfc(6750, "3.1");
    resource_identical = rfc(9728, "3.3");
    authorization_servers = mcp("Authorization Server Location", "authorization-server-location");
    resource_well_known = rfc(9728, "3.1");
    issuer_identical = rfc(8414, "3.3");
    server_metadata = rfc(8414, "2");
    server_well_known = rfc(8414, "3.1");
    server_discovery = mcp(
        "Authorization Server Metadata Discovery",
        "authorization-server-metadata-discovery"
    );
    issuer_binding = mcp("Access Token Privilege Restriction", "access-token-privilege-restriction");
    pkce_advertised = mcp("Authorization Code Protection", "authorization-code-protection");
    pkce = rfc(7636, "4.2");
    encrypted = mcp("Communication Security", "communication-security");
    private_addresses = clause(
        "MCP, Security Best Practices, Server-Side Request Forgery",
        "https://modelcontextprotocol.io/specification/draft/basic/security_best_practices#server-side-request-forgery-ssrf",
    );
    scheme = rfc(8414, "2");
    registration = rfc(7591, "3.2.1");
    registration_redirects = rfc(7591, "2");
    metadata_document = clause(
        "OAuth Client ID Metadata Document, section 3",
        "https://datatracker.ietf.org/doc/html/draft-ietf-oauth-client-id-metadata-document-00#section-3",
    );
    state = Clause {
        title: "RFC 6749, section 10.12, and RFC 9700, section 4.7".to_owned(),
        ..rfc(9700, "4.7")
    };
    response_issuer = rfc(9207, "2.4");
    mix_up = rfc(9700, "4.4");
    error_redirect = rfc(6749, "4.1.2.1");
    loopback = rfc(8252, "7.3");
    token_response = rfc(6749, "5.1");
    token_error = rfc(6749, "5.2");
    resource_indicators = rfc(8707, "2");
    added_parameters = rfc(6749, "8.2");
    audience = mcp("Access Token Privilege Restriction", "access-token-privilege-restriction");
    id_token_issuer = clause(
        "OpenID Connect Core 1.0, section 3.1.3.7",
        "https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation",
    );
    id_token = clause(
        "OpenID Connect Core 1.0, section 3.1.3.3",
        "https://openid.net/specs/openid-connect-core-1_0.html#TokenResponse",
    );
    token_use = mcp("Access Token Usage", "access-token-usage");
    scopes = mcp("Scope Selection Strategy", "scope-selection-strategy");
    redirects = rfc(9728, "7.7");
    size = rfc(9728, "7.6");
    lifetime = rfc(7519, "4.1.4");
    not_before = rfc(7519, "4.1.5");
    jwt_issuer = rfc(7519, "4.1.1");
    token_exchange = rfc(8693, "2.2.1");
}

/// Returns the clause that forbids to visit an address.
pub(crate) fn refused_address(reason: RefusalReason) -> Clause {
    match reason {
        RefusalReason::Unspecified => server_metadata(),
        RefusalReason::Unencrypted => encrypted(),
        RefusalReason::Scheme => scheme(),
        RefusalReason::Private | RefusalReason::Moved => private_addresses(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_refused_by_the_rule_against_forged_requests() {
        for reason in [RefusalReason::Private, RefusalReason::Moved] {
            let clause = refused_address(reason);
            assert!(clause.title.contains("Request Forgery"), "{clause:?}");
        }
    }
}
