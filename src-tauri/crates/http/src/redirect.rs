//! Reads where redirects lead.

use url::{ParseError, Url};

/// Target of a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectTarget {
    SameOrigin(Url),
    OtherOrigin(Url),
    Invalid { location: String, error: ParseError },
}

impl RedirectTarget {
    /// Reads a redirect from `url` (RFC 9110, section 15.4); nothing for any other response.
    pub fn read(status: u16, location: Option<&str>, url: &Url) -> Option<Self> {
        let location = location.filter(|_| matches!(status, 301 | 302 | 303 | 307 | 308))?;
        Some(match url.join(location) {
            Ok(next) if next.origin() == url.origin() => Self::SameOrigin(next),
            Ok(next) => Self::OtherOrigin(next),
            Err(error) => Self::Invalid {
                location: location.to_owned(),
                error,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(status: u16, location: &str) -> Option<RedirectTarget> {
        let url = "https://as.test/a/b".parse().expect("an address");
        RedirectTarget::read(status, Some(location), &url)
    }

    fn url(text: &str) -> Url {
        text.parse().expect(text)
    }

    #[test]
    fn a_redirect_leads_within_the_origin_or_out_of_it() {
        for (location, within) in [("c", "/a/c"), ("/c", "/c"), ("//as.test:443/c", "/c")] {
            let next = url(&format!("https://as.test{within}"));
            let found = target(307, location);
            assert_eq!(found, Some(RedirectTarget::SameOrigin(next)), "{location}");
        }
        for location in [
            "http://as.test/c",
            "https://as.test:8443/c",
            "//evil.test/c",
        ] {
            let found = target(302, location);
            assert!(
                matches!(found, Some(RedirectTarget::OtherOrigin(_))),
                "{location}"
            );
        }
        let invalid = target(301, "https://[");
        assert!(matches!(invalid, Some(RedirectTarget::Invalid { .. })));
    }

    #[test]
    fn other_responses_lead_nowhere() {
        for status in [200, 201, 300, 304, 401] {
            assert_eq!(target(status, "/c"), None, "{status}");
        }
        assert_eq!(RedirectTarget::read(302, None, &url("https://x/")), None);
    }
}
