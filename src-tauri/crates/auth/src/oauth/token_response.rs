//! Reads and checks the responses of a token endpoint, errors included (RFC 6749, sections 5.1 and 5.2).

use sightglass_model::{Finding, Timestamp, Verdict};
use sightglass_secrets::Secret;

use crate::{
    ComparedValues, clause,
    http::OauthResponse,
    oauth::token::{ErrorResponse, TokenResponse, Tokens},
    view::compared,
};

/// Grant of a token endpoint.
pub(crate) struct IssuedTokens {
    pub tokens: Tokens,
    /// Lifetime in seconds, as the answer names it.
    expires_in: Option<f64>,
    pub scopes: Option<Vec<String>>,
}

impl IssuedTokens {
    /// Returns the end of the access token that was issued at `issued`.
    pub fn expires_after(&self, issued: Timestamp) -> Option<Timestamp> {
        let lifetime = self.expires_in?;
        Some(Timestamp::from_seconds(issued.as_seconds() + lifetime))
    }
}

/// Refusal of a token endpoint.
#[derive(Debug, Clone)]
pub(crate) struct TokenRefusal {
    pub error: String,
    pub message: String,
}

/// Reads and checks the answer of a token endpoint.
pub(crate) fn read_token_response(
    answer: &OauthResponse,
    requested: &[String],
) -> (
    Vec<Finding<ComparedValues>>,
    Result<IssuedTokens, TokenRefusal>,
) {
    let mut checks = Vec::new();
    let mut check = |verdict, subject: &str, expected: &str, actual: String, clause| {
        checks.push(compared(subject, verdict, expected, actual, clause));
    };
    let refuse = |words: &str| {
        Err(TokenRefusal {
            error: String::new(),
            message: words.to_owned(),
        })
    };
    let is_object = answer.body.trim_start().starts_with('{');
    let read = serde_json::from_str::<TokenResponse>(&answer.body).ok();
    let read = read.filter(|_| is_object);
    let access = read.as_ref().and_then(|read| read.access_token.clone());
    let error = ErrorResponse::read(&answer.body);
    let expected = match answer.is_success() {
        false => Some("200"),
        // Several authorization servers tell their errors in an answer that says it is none.
        true if access.is_none() && !error.is_empty() => Some("400 for an error"),
        true => None,
    };
    if let Some(expected) = expected {
        let words = error.message(answer.status);
        check(
            Verdict::Failed,
            "status",
            expected,
            format!("{} {words}", answer.status),
            clause::token_error(),
        );
        let refusal = TokenRefusal {
            message: format!("The authorization server gave no token: {words}."),
            error: error.error,
        };
        return (checks, Err(refusal));
    }
    let Some(read) = read else {
        check(
            Verdict::Failed,
            "answer",
            "a JSON object",
            "something else".to_owned(),
            clause::token_response(),
        );
        return (
            checks,
            refuse("The token endpoint's response is not a JSON object."),
        );
    };
    let Some(access) = access else {
        check(
            Verdict::Failed,
            "access_token",
            "a token",
            "none".to_owned(),
            clause::token_response(),
        );
        return (
            checks,
            refuse("The token endpoint's response has no access token."),
        );
    };
    let kind = read.token_type.unwrap_or_default();
    let is_bearer = kind.eq_ignore_ascii_case("bearer");
    let verdict = match (is_bearer, kind.is_empty()) {
        (true, _) => Verdict::Passed,
        (false, true) => Verdict::Warning,
        (false, false) => Verdict::Failed,
    };
    let actual = if kind.is_empty() {
        "none".to_owned()
    } else {
        kind.clone()
    };
    check(
        verdict,
        "token_type",
        "Bearer",
        actual,
        clause::token_response(),
    );
    if verdict == Verdict::Failed {
        let words = format!("The token is of type {kind}; only Bearer tokens can be used.");
        return (checks, refuse(&words));
    }
    let scopes: Option<Vec<String>> = read
        .scope
        .map(|scope| scope.split_whitespace().map(str::to_owned).collect());
    if let Some(granted) = &scopes {
        let missing = requested
            .iter()
            .filter(|scope| !granted.contains(scope))
            .count();
        check(
            if missing == 0 {
                Verdict::Passed
            } else {
                Verdict::Warning
            },
            "scope",
            &requested.join(" "),
            granted.join(" "),
            clause::token_response(),
        );
    }
    let actual = read
        .expires_in
        .map_or("none; used until it is refused".to_owned(), |seconds| {
            format!("{seconds} s")
        });
    check(
        if read.expires_in.is_some() {
            Verdict::Passed
        } else {
            Verdict::Warning
        },
        "expires_in",
        "a lifetime",
        actual,
        clause::token_response(),
    );
    let granted = IssuedTokens {
        tokens: Tokens {
            access: Secret::new(access),
            refresh: read.refresh_token.map(Secret::new),
            id: read.id_token.map(Secret::new),
            client_secret: None,
        },
        expires_in: read.expires_in,
        scopes,
    };
    (checks, Ok(granted))
}
