//! Compares addresses with the patterns of managed rules, part by part.
//!
//! Both are normalised first, as a connection would read them: `https:\\HOST.:443/%6Dcp` is
//! `https://host/mcp`. Then scheme, host, port and path are compared on their own, so that a
//! wildcard of the host cannot match what stands in the path, and a trailing dot, userinfo, a
//! default port or another spelling of an IP address cannot hide a host from a rule. From a pattern of
//! `urlpattern` (0.3), `example.org.`, `[::ffff:127.0.0.1]` and `%6Dcp` are hidden.

use std::net::IpAddr;

use sightglass_model::{Wildcards, canonical_host};
use url::{Host, Url};

/// A pattern such as `https://*.example.org/*`.
///
/// `*` stands for any run of characters within its part. The port is the scheme's unless the
/// pattern has one (`*` for any). A query is compared only where the pattern has one. A lone `*`
/// matches every address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UrlPattern {
    Any,
    Parts {
        scheme: String,
        host: HostForms,
        port: Port,
        path: String,
        query: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Port {
    Any,
    /// Absent: the default of the address's scheme.
    Number(Option<u16>),
}

/// Verdict of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternVerdict {
    Allow,
    Deny,
}

/// A host as rules compare it. Several addresses may lead to one machine by way of a translator or
/// an old notation: a rule that denies is about all of them, and one that allows only about those
/// that name the same address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HostForms {
    same: String,
    reaching: String,
}

impl HostForms {
    fn of<S: AsRef<str>>(host: &Host<S>) -> Self {
        let address = |address: IpAddr| match address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let reaching = canonical_host(host);
        let same = match host {
            Host::Domain(_) => reaching.clone(),
            Host::Ipv4(v4) => address((*v4).into()),
            Host::Ipv6(v6) => address((*v6).into()),
        };
        Self { same, reaching }
    }

    /// Tells whether an address's host is that of this pattern.
    fn matches(&self, host: &Self, verdict: PatternVerdict) -> bool {
        Wildcards::Star.matches(&self.same, &host.same)
            || (verdict == PatternVerdict::Deny
                && Wildcards::Star.matches(&self.reaching, &host.reaching))
    }
}

impl UrlPattern {
    /// Reads a pattern. `None` when it is none, or one that could be read in two ways.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::Any);
        }
        if text.contains(['\\', '@', '#']) || text.chars().any(|c| c.is_control() || c == ' ') {
            return None;
        }
        let (scheme, rest) = text.split_once("://")?;
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.*".contains(c);
        if scheme.is_empty() || !scheme.chars().all(is_scheme) {
            return None;
        }
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (host, port) = split_port(authority)?;
        let scheme = scheme.to_ascii_lowercase();
        // The standard port is the same as none.
        let port = match port {
            Port::Number(number) if number == default_port(&scheme) => Port::Number(None),
            port => port,
        };
        // Normalises the path and the query; `*` stays as it is.
        let rest = Url::parse(&format!("http://host{rest}")).ok()?;
        Some(Self::Parts {
            scheme,
            host: normal_host(host)?,
            port,
            path: decode_unreserved(rest.path()),
            query: rest.query().map(decode_unreserved),
        })
    }

    /// Tells whether an address is one that a rule is about. `None` when the text is no address.
    pub(crate) fn matches(&self, text: &str, verdict: PatternVerdict) -> Option<bool> {
        let Self::Parts {
            scheme,
            host,
            port,
            path,
            query,
        } = self
        else {
            return Some(true);
        };
        let url = Url::parse(text.trim()).ok()?;
        let url_host = url.host().as_ref().map(HostForms::of).unwrap_or_default();
        let url_query = url.query().map(decode_unreserved).unwrap_or_default();
        let is_port = match port {
            Port::Any => true,
            // `Url` knows no port where it is the scheme's.
            Port::Number(number) => *number == url.port(),
        };
        Some(
            Wildcards::Star.matches(scheme, url.scheme())
                && host.matches(&url_host, verdict)
                && is_port
                && Wildcards::Star.matches(path, &decode_unreserved(url.path()))
                && query
                    .as_ref()
                    .is_none_or(|query| Wildcards::Star.matches(query, &url_query)),
        )
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        _ => None,
    }
}

fn split_port(authority: &str) -> Option<(&str, Port)> {
    let end_of_address = authority.rfind(']').map_or(0, |end| end + 1);
    let Some(colon) = authority[end_of_address..].find(':') else {
        return Some((authority, Port::Number(None)));
    };
    let (host, port) = authority.split_at(end_of_address + colon);
    let port = match &port[1..] {
        "*" => Port::Any,
        number => Port::Number(Some(number.parse().ok()?)),
    };
    Some((host, port))
}

/// The host of a pattern in the form in which hosts are compared.
fn normal_host(host: &str) -> Option<HostForms> {
    let host = host.trim_end_matches('.');
    if !host.contains('*') {
        return match host {
            // As of `unix:///path`.
            "" => Some(HostForms::default()),
            host => Host::parse(host).ok().as_ref().map(HostForms::of),
        };
    }
    let labels = host.split('.').map(|label| {
        if !label.is_ascii() {
            return Host::parse(label).ok().map(|label| label.to_string());
        }
        let is_label = |c: char| c.is_ascii_alphanumeric() || "-_*".contains(c);
        label
            .chars()
            .all(is_label)
            .then(|| label.to_ascii_lowercase())
    });
    let pattern = labels.collect::<Option<Vec<_>>>()?.join(".");
    Some(HostForms {
        same: pattern.clone(),
        reaching: pattern,
    })
}

/// Decodes what need not be percent-encoded and writes the rest in upper case (RFC 3986, section
/// 6.2.2).
fn decode_unreserved(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find('%') {
        decoded.push_str(&rest[..place]);
        let code = rest
            .get(place + 1..place + 3)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let length = match code {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                decoded.push(char::from(byte));
                3
            }
            Some(byte) => {
                decoded.push_str(&format!("%{byte:02X}"));
                3
            }
            None => {
                decoded.push('%');
                1
            }
        };
        rest = &rest[place + length..];
    }
    decoded + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(pattern: &str, url: &str) -> bool {
        let pattern = UrlPattern::parse(pattern).expect("a pattern");
        pattern
            .matches(url, PatternVerdict::Deny)
            .expect("an address")
    }

    #[test]
    fn what_leads_elsewhere_is_denied_with_an_address_and_not_allowed_with_it() {
        let allows = |pattern: &str, url: &str| {
            let pattern = UrlPattern::parse(pattern).expect("a pattern");
            pattern
                .matches(url, PatternVerdict::Allow)
                .expect("an address")
        };
        for url in [
            "http://0x7f.1:80/mcp",
            "http://[::ffff:127.0.0.1]:80/mcp",
            "http://127.0.0.1:80/mcp",
        ] {
            assert!(allows("http://127.0.0.1:*/*", url), "{url}");
        }
        for url in [
            "http://[64:ff9b::7f00:1]:80/mcp",
            "http://[::127.0.0.1]:80/mcp",
            "http://0.0.0.0:80/mcp",
        ] {
            assert!(!allows("http://127.0.0.1:*/*", url), "{url}");
            assert!(matches("http://127.0.0.1:*/*", url), "{url}");
        }
        assert!(matches("http://0.*:*/*", "http://0.0.0.0:80/mcp"));
    }

    #[test]
    fn a_pattern_matches_part_by_part() {
        for (pattern, url) in [
            ("https://*.example.org/*", "https://mcp.example.org/v1"),
            ("https://*.example.org/*", "https://a.b.example.org/v1/x"),
            ("https://*.example.org/*", "HTTPS://MCP.Example.ORG/v1"),
            ("https://*.example.org/*", "https://mcp.example.org./v1"),
            ("https://*.example.org/*", "https://mcp.example.org:443/v1"),
            ("https://*.example.org:443/*", "https://mcp.example.org/v1"),
            (
                "https://*.example.org/*",
                "https://user:pass@mcp.example.org/v1",
            ),
            ("https://*.example.org/*", "https:\\\\mcp.example.org\\v1"),
            ("https://*.example.org/*", "https://mcp.ex%61mple.org/v1"),
            ("https://*.EXAMPLE.org./*", "https://mcp.example.org/v1"),
            (
                "https://*.bücher.example/*",
                "https://a.xn--bcher-kva.example/",
            ),
            ("https://example.org/mcp", "https://example.org/mcp"),
            ("https://example.org/mcp", "https://example.org/%6dcp"),
            ("https://example.org/mcp", "https://example.org/a/../mcp"),
            ("https://example.org/mcp", "https://example.org/mcp?a=b"),
            ("https://example.org/mcp?a=*", "https://example.org/mcp?a=b"),
            ("https://example.org", "https://example.org/"),
            ("http://localhost:*/*", "http://localhost:4711/mcp"),
            ("http://127.0.0.1:*/*", "http://0x7f.1:80/mcp"),
            ("http://[::1]:*/*", "http://[0:0::1]:80/mcp"),
            ("http://127.0.0.1:*/*", "http://[::ffff:127.0.0.1]:80/mcp"),
            ("http://127.0.0.1:*/*", "http://[::ffff:7f00:1]:80/mcp"),
            ("http://127.*:*/*", "http://[::ffff:127.0.0.1]:80/mcp"),
            ("http://[::ffff:127.0.0.1]:*/*", "http://127.0.0.1:80/mcp"),
            ("http://127.0.0.1:*/*", "http://0.0.0.0:80/mcp"),
            ("http://10.0.0.1/*", "http://[64:ff9b::10.0.0.1]/mcp"),
            ("http://10.0.0.1/*", "http://[::10.0.0.1]/mcp"),
            ("*://example.org/*", "wss://example.org/x"),
            ("unix:///run/*", "unix:///run/mcp.sock#/mcp"),
            ("*", "http://localhost:1"),
            ("*", "no address at all"),
        ] {
            assert!(matches(pattern, url), "{pattern} {url}");
        }
    }

    #[test]
    fn a_wildcard_stays_in_its_part() {
        for (pattern, url) in [
            (
                "https://*.example.org/*",
                "https://evil.test/x.example.org/",
            ),
            ("https://*.example.org/*", "https://evil.test?.example.org/"),
            ("https://*.example.org/*", "https://evil.test#.example.org/"),
            (
                "https://*.example.org/*",
                "https://evil.test\\.example.org/",
            ),
            (
                "https://*.example.org/*",
                "https://x.example.org@evil.test/",
            ),
            (
                "https://*.example.org/*",
                "https://evil.test:443/.example.org/",
            ),
            (
                "https://*.example.org/*",
                "https://x.example.org.evil.test/",
            ),
            ("https://*.example.org/*", "https://example.org/"),
            ("https://*.example.org/*", "http://mcp.example.org/v1"),
            ("https://*.example.org/*", "https://mcp.example.org:8443/v1"),
            ("https://example.org/mcp", "https://example.org/mcp/x"),
            ("https://example.org/mcp", "https://example.org/MCP"),
            ("https://example.org/*", "https://example.org.evil.example/"),
            ("https://example.org/mcp?a=b", "https://example.org/mcp"),
            ("https://example.org/a/*", "https://example.org/a/../b"),
        ] {
            assert!(!matches(pattern, url), "{pattern} {url}");
        }
    }

    #[test]
    fn a_pattern_that_could_be_read_in_two_ways_is_none() {
        for text in [
            "",
            "example.org",
            "https:example.org/*",
            "https:\\\\example.org\\*",
            "https://user@example.org/*",
            "https://exa mple.org/*",
            "https://*.exa%6dple.org/*",
            "https://example.org:port/*",
            "https://example.org/*#x",
            "://example.org/",
        ] {
            assert_eq!(UrlPattern::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_a_pattern_of_hosts_allows_has_such_a_host(
            url in "(https|HTTPS|http|wss)?(:|://|:\\\\\\\\|:/)[a-z.@:%\\\\/?#\\[\\]0-9]{0,12}(\\.example\\.org|%2eexample%2eorg|/\\.example\\.org)[a-z.@:%\\\\/?#*]{0,12}",
        ) {
            let pattern = UrlPattern::parse("https://*.example.org/*").expect("a pattern");
            if pattern.matches(&url, PatternVerdict::Allow) == Some(true) {
                let parsed = Url::parse(&url).expect("it matched");
                let host = parsed.host_str().unwrap_or_default().trim_end_matches('.');
                prop_assert!(host.ends_with(".example.org"), "{url}");
                prop_assert_eq!(parsed.scheme(), "https");
                prop_assert_eq!(parsed.port(), None);
            }
        }

        #[test]
        fn any_text_is_a_pattern_or_none(text in "\\PC{0,40}", url in "\\PC{0,40}") {
            if let Some(pattern) = UrlPattern::parse(&text) {
                let _ = pattern.matches(&url, PatternVerdict::Deny);
            }
        }
    }
}
