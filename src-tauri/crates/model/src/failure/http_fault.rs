//! Faults over HTTP that a status and a body do not tell: whoever sees the headers, or the requests
//! before, names them.

use crate::Phase;

/// Advice for an event stream over which nothing comes.
const MAY_BE_HELD_BACK: &str = "A proxy in front of the server may hold the events back: turn \
     its buffering off (nginx: `proxy_buffering off`), or let the server send the header \
     `X-Accel-Buffering: no`.";

/// Fault of an HTTP exchange that its headers tell, or the requests before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpFault {
    /// Cloudflare wants to see a browser (`cf-mitigated: challenge`).
    CloudflareChallenge,
    /// Cloudflare refused the request by a rule of its own, before it reached the server.
    CloudflareRefusal,
    /// A redirect leads from https to http.
    UnencryptedRedirect,
    /// The session that `initialize` had just given was unknown in the next request.
    SessionLostAtOnce,
    /// HTTP with Server-Sent Events: GET gives no stream.
    NoEventStream,
    /// HTTP with Server-Sent Events: the address that the `endpoint` event named does not exist.
    NoEndpoint,
}

/// Fault for which a server refused the token that a request carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFault {
    /// It is for another audience.
    Audience,
    /// It is valid later only.
    NotYetValid,
    Expired,
    /// Something else, or nothing that the server tells.
    Other,
}

impl TokenFault {
    /// Reads the fault out of the server's words.
    pub fn told_in(words: &str) -> Self {
        let words = words.to_lowercase();
        let says = |texts: &[&str]| texts.iter().any(|text| words.contains(text));
        // A list of the claims that are wanted says nothing of this token.
        let is_complaint = says(&[
            "unexpected",
            "mismatch",
            "wrong",
            "not match",
            "check failed",
        ]);
        let names = |claim: &str| {
            let mut parts = words.split(|character: char| !character.is_alphanumeric());
            is_complaint && parts.any(|part| part == claim)
        };
        // The definition of `invalid_token` (RFC 6750, section 3.1), which many repeat as it is, says
        // nothing of this token.
        let is_any_fault = says(&["revoked", "malformed", "or expired", "expired or"]);
        if says(&["audience"]) || names("aud") {
            Self::Audience
        } else if says(&[
            "not yet valid",
            "before issued",
            "issued in the future",
            "used too early",
            "jwt not active",
        ]) || names("nbf")
            || names("iat")
        {
            Self::NotYetValid
        } else if says(&["expired"]) && !is_any_fault {
            Self::Expired
        } else {
            Self::Other
        }
    }
}

/// Thing that had not come when the time for it was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// A message of a program.
    Program,
    /// A response over the network, or the rest of it.
    Response,
    /// The first bytes of an event stream that a server opened.
    Events,
}

impl Awaited {
    /// Returns what is likely where this does not come in a phase; nothing for a program.
    pub fn likely_cause(self, phase: Phase) -> Option<String> {
        Some(match (self, phase) {
            (Self::Program, _) => return None,
            (Self::Response, Phase::Initializing) => "The server never answered.".to_owned(),
            (Self::Response, _) => "The server stopped answering.".to_owned(),
            (Self::Events, Phase::Connecting) => format!(
                "The server opened the event stream, and the `endpoint` event, which comes first, \
                 never came. {MAY_BE_HELD_BACK}"
            ),
            (Self::Events, _) => format!(
                "The server opened an event stream for its answer, and nothing came over it. \
                 {MAY_BE_HELD_BACK}"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fault_of_a_token_is_read_from_words_that_name_it_alone() {
        use TokenFault::{Audience, Expired, NotYetValid, Other};
        for (words, fault) in [
            ("IDX10214: Audience validation failed.", Audience),
            (r#"unexpected "aud" claim value"#, Audience),
            (r#"{"error":"jwt audience invalid"}"#, Audience),
            ("Token used before issued (iat)", NotYetValid),
            (r#""nbf" claim timestamp check failed"#, NotYetValid),
            ("The token is not yet valid", NotYetValid),
            ("The account is not yet active", Other),
            ("Token used too early, 1 < 2", NotYetValid),
            ("jwt expired", Expired),
            (
                "The access token provided is expired, revoked, malformed, or invalid",
                Other,
            ),
            ("Token is invalid or expired", Other),
            ("Authentication required", Other),
            (
                r#"{"error":"invalid_token","required_claims":["aud","iat"]}"#,
                Other,
            ),
            ("fraud was detected", Other),
            ("", Other),
        ] {
            assert_eq!(TokenFault::told_in(words), fault, "{words}");
        }
    }

    #[test]
    fn only_a_stream_that_was_opened_may_be_held_back() {
        let cause = |awaited: Awaited, phase| awaited.likely_cause(phase).unwrap_or_default();
        let opening = cause(Awaited::Events, Phase::Connecting);
        assert!(opening.contains("`endpoint`") && opening.contains("buffering"));
        assert!(cause(Awaited::Events, Phase::Initializing).contains("buffering"));
        assert!(!cause(Awaited::Response, Phase::Initializing).contains("buffering"));
        assert_eq!(cause(Awaited::Program, Phase::Initializing), "");
    }
}
