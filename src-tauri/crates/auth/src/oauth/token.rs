//! Tokens: the response of a token endpoint, and the claims of a JWT.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sightglass_model::{Finding, Timestamp, Verdict};
use sightglass_secrets::{Secret, mask_token};
use url::{Url, form_urlencoded};

use crate::{
    ComparedValues, TokenPart, clause,
    oauth::metadata::{Described, described, origin, web_address},
    view::compared,
};

/// The tokens of one grant. Kept in the vault as JSON.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tokens {
    pub access: Secret<String>,
    pub refresh: Option<Secret<String>>,
    pub id: Option<Secret<String>>,
    /// The secret of the client that they were given to, where the configuration or the command
    /// line brought it: whoever refreshes or revokes them later may not be given it again.
    pub client_secret: Option<Secret<String>>,
}

impl Tokens {
    pub fn to_secret(&self) -> Secret<String> {
        let text = |secret: &Option<Secret<String>>| secret.as_ref().map(|s| s.expose().clone());
        Secret::new(
            serde_json::json!({
                "access_token": self.access.expose(),
                "refresh_token": text(&self.refresh),
                "id_token": text(&self.id),
                "client_secret": text(&self.client_secret),
            })
            .to_string(),
        )
    }

    pub fn from_secret(secret: &Secret<String>) -> Option<Self> {
        let value: Value = serde_json::from_str(secret.expose()).ok()?;
        let get = |name: &str| {
            value
                .get(name)?
                .as_str()
                .map(|text| Secret::new(text.to_owned()))
        };
        Some(Self {
            access: get("access_token")?,
            refresh: get("refresh_token"),
            id: get("id_token"),
            client_secret: get("client_secret"),
        })
    }

    /// Returns all tokens, for the record to mask.
    pub fn all(&self) -> Vec<Secret<String>> {
        [
            Some(&self.access),
            self.refresh.as_ref(),
            self.id.as_ref(),
            self.client_secret.as_ref(),
        ]
        .into_iter()
        .flatten()
        .cloned()
        .collect()
    }
}

/// The answer of a token endpoint (RFC 6749, section 5.1). A member of another type than it should
/// have counts as absent, and so does an empty text: it spoils no other.
#[derive(Deserialize)]
pub(crate) struct TokenResponse {
    #[serde(default, deserialize_with = "text")]
    pub access_token: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub token_type: Option<String>,
    #[serde(default, deserialize_with = "seconds")]
    pub expires_in: Option<f64>,
    #[serde(default, deserialize_with = "text")]
    pub refresh_token: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub id_token: Option<String>,
    #[serde(default, deserialize_with = "scopes")]
    pub scope: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub issued_token_type: Option<String>,
}

/// A number, or one in quotes as some servers write it.
pub(crate) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Ok(match Option::<Value>::deserialize(deserializer)? {
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) => text.trim().parse().ok(),
        _ => None,
    })
}

/// A text that is not empty, or a number as text.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Option::<Value>::deserialize(deserializer)? {
        Some(Value::String(text)) if !text.is_empty() => Some(text),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    })
}

/// Scopes as one text; some servers send a list. An empty text says that there are none.
fn scopes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Option::<Value>::deserialize(deserializer)? {
        Some(Value::String(text)) => Some(text),
        Some(Value::Array(scopes)) => {
            let scopes: Vec<&str> = scopes.iter().filter_map(Value::as_str).collect();
            Some(scopes.join(" "))
        }
        _ => None,
    })
}

/// The error of an endpoint (RFC 6749, section 5.2; RFC 7591, section 3.2.2).
#[derive(Debug, Clone, Default)]
pub(crate) struct ErrorResponse {
    pub error: String,
    pub error_description: Option<String>,
}

impl ErrorResponse {
    /// Reads an error out of a body; empty where there is none. What is not OAuth's own form is read
    /// too: a form, an error that is an object, and the usual names of a description.
    pub fn read(body: &str) -> Self {
        let answer = match serde_json::from_str::<Value>(body) {
            Ok(answer) => answer,
            Err(_) => form_urlencoded::parse(body.trim().as_bytes())
                .map(|(name, value)| (name.into_owned(), Value::from(value.into_owned())))
                .collect(),
        };
        let text = |of: &Value, name: &str| {
            let text = of.get(name)?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let described = |of: &Value| {
            let names = ["error_description", "message", "detail"];
            names.iter().find_map(|name| text(of, name))
        };
        let nested = answer.get("error").filter(|error| error.is_object());
        Self {
            error: text(&answer, "error")
                .or_else(|| ["code", "type"].iter().find_map(|name| text(nested?, name)))
                .unwrap_or_default(),
            error_description: nested.and_then(described).or_else(|| described(&answer)),
        }
    }

    /// Returns true when the body holds no error.
    pub fn is_empty(&self) -> bool {
        self.error.is_empty() && self.error_description.is_none()
    }

    /// `invalid_grant: the code was used`, or that there was only a status. It ends without a full
    /// stop, so that it can stand within a sentence.
    pub fn message(&self, status: u16) -> String {
        let description = self.error_description.as_deref();
        let description = description.map(|words| words.trim_end_matches('.'));
        match (description, self.error.as_str()) {
            (Some(description), "") => description.to_owned(),
            (Some(description), error) => format!("{error}: {description}"),
            (None, "") => format!("HTTP {status} without an OAuth error"),
            (None, error) => error.to_owned(),
        }
    }
}

/// The decoded parts of a JWT. Nothing is verified: what the signature is worth is for the
/// server to say.
pub(crate) struct Jwt {
    pub header: Value,
    pub claims: Value,
}

impl Jwt {
    /// Decodes a JWT; `None` for an opaque token.
    pub fn decode(token: &str) -> Option<Self> {
        let mut parts = token.split('.');
        let (header, claims) = (parts.next()?, parts.next()?);
        if parts.count() != 1 {
            return None;
        }
        let read = |part: &str| -> Option<Value> {
            let bytes = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
            serde_json::from_slice(&bytes).ok().filter(Value::is_object)
        };
        Some(Self {
            header: read(header)?,
            claims: read(claims)?,
        })
    }

    pub fn text(&self, claim: &str) -> Option<&str> {
        self.claims.get(claim)?.as_str()
    }

    pub fn number(&self, claim: &str) -> Option<f64> {
        self.claims.get(claim)?.as_f64()
    }

    /// `aud`, one or several (RFC 7519, section 4.1.3).
    pub fn audiences(&self) -> Vec<&str> {
        match self.claims.get("aud") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the account that signed in: the most readable of the claims that say so.
    pub fn account(&self) -> Option<String> {
        ["email", "preferred_username", "name", "sub"]
            .into_iter()
            .find_map(|claim| self.text(claim))
            .map(str::to_owned)
    }
}

/// Relation of a token's audience to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Opaque, or without an audience.
    Unknown,
    /// It names this server.
    This,
    /// It names another address of this server's origin, such as the whole of it.
    Origin,
    /// It names something that is not an address, such as a client or an API by name.
    Name,
    /// It names another origin, and nothing of this one. An address of the issuer counts where it
    /// is all that is named: providers of OpenID Connect add their own `userinfo` to a token that is
    /// for something else.
    Other,
}

impl Audience {
    pub fn of(jwt: Option<&Jwt>, resource: &str, server: &str, issuer: &str) -> Self {
        let audiences = jwt.map(Jwt::audiences).unwrap_or_default();
        if audiences.is_empty() {
            return Self::Unknown;
        }
        let wanted = [resource, server];
        let is_any = |holds: &dyn Fn(&str, &str) -> bool| {
            let mut audiences = audiences.iter();
            audiences.any(|audience| wanted.iter().any(|wanted| holds(audience, wanted)))
        };
        if is_any(&is_server) {
            Self::This
        } else if is_any(&|audience, wanted| {
            origin(audience).is_some_and(|found| Some(found) == origin(wanted))
        }) {
            Self::Origin
        } else {
            let issuer = origin(issuer);
            let is_of_issuer = |origin: &Option<String>| origin.is_some() && *origin == issuer;
            let origins: Vec<Option<String>> =
                audiences.iter().map(|audience| origin(audience)).collect();
            let is_more = !origins.iter().all(is_of_issuer);
            let is_other =
                |origin: &Option<String>| origin.is_some() && !(is_more && is_of_issuer(origin));
            if origins.iter().any(is_other) {
                Self::Other
            } else {
                Self::Name
            }
        }
    }

    /// Returns the verdict on a token that is for this audience.
    pub fn verdict(self) -> Verdict {
        match self {
            Self::This => Verdict::Passed,
            Self::Unknown => Verdict::Skipped,
            Self::Origin | Self::Name => Verdict::Warning,
            Self::Other => Verdict::Failed,
        }
    }
}

/// Returns what the claims of a token that was refused give as a possible reason, a line each;
/// nothing for an opaque one. They are read and not verified, and nothing else of it is shown.
pub fn possible_faults(token: &str, server: &str) -> Vec<String> {
    let Some(jwt) = Jwt::decode(token) else {
        return Vec::new();
    };
    let issuer = jwt.text("iss").unwrap_or_default();
    let audience = match Audience::of(Some(&jwt), server, server, issuer) {
        Audience::Unknown | Audience::This => None,
        Audience::Origin | Audience::Name | Audience::Other => Some(format!(
            "the token is for {} (aud), and this server is {server}",
            jwt.audiences().join(", ")
        )),
    };
    let now = Timestamp::now().as_seconds();
    let expired = jwt.number("exp").filter(|expires| *expires <= now);
    let expired =
        expired.map(|expires| format!("the token expired {} s ago (exp)", (now - expires).round()));
    let early = ["nbf", "iat"].into_iter().filter_map(|claim| {
        let begins = jwt.number(claim).filter(|begins| *begins > now)?;
        let left = (begins - now).round();
        Some(format!(
            "the token begins in {left} s ({claim}), by the clock of this computer"
        ))
    });
    audience.into_iter().chain(expired).chain(early).collect()
}

/// Says that a token is for others than this server.
pub(crate) fn other_audience(audience: &str) -> String {
    format!(
        "The token is for {audience}, not for this server. Sending it would give this server a \
         token that is valid elsewhere."
    )
}

/// Returns true when an audience is an address that was wanted.
fn is_server(audience: &str, wanted: &str) -> bool {
    audience.trim_end_matches('/') == wanted.trim_end_matches('/')
        || Url::parse(wanted)
            .is_ok_and(|wanted| described(audience, &web_address(wanted)) == Described::Server)
}

/// A token decoded and judged, for showing.
pub(crate) fn part(
    token: &Secret<String>,
    resource: &str,
    server: &str,
    issuer: &str,
    is_access: bool,
) -> TokenPart {
    let text = token.expose();
    let jwt = Jwt::decode(text);
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    TokenPart {
        masked: mask_token(text),
        header: jwt.as_ref().map(|jwt| pretty(&jwt.header)),
        claims: jwt.as_ref().map(|jwt| pretty(&jwt.claims)),
        checks: jwt
            .as_ref()
            .map(|jwt| judge(jwt, resource, server, issuer, is_access))
            .unwrap_or_default(),
    }
}

fn judge(
    jwt: &Jwt,
    resource: &str,
    server: &str,
    issuer: &str,
    is_access: bool,
) -> Vec<Finding<ComparedValues>> {
    let mut checks = Vec::new();
    if is_access {
        let audiences = jwt.audiences().join(", ");
        let (verdict, actual) = match Audience::of(Some(jwt), resource, server, issuer) {
            Audience::Unknown => (Verdict::Warning, "no aud".to_owned()),
            audience => (audience.verdict(), audiences),
        };
        let clause = clause::audience();
        checks.push(compared("audience", verdict, resource, actual, clause));
    }
    let passed_if = |holds: bool| match holds {
        true => Verdict::Passed,
        false => Verdict::Failed,
    };
    if let Some(found) = jwt.text("iss") {
        let verdict = passed_if(found.trim_end_matches('/') == issuer.trim_end_matches('/'));
        let clause = clause::jwt_issuer();
        checks.push(compared("issuer", verdict, issuer, found, clause));
    }
    let seconds_now = Timestamp::now().as_seconds();
    if let Some(expires) = jwt.number("exp") {
        let left = expires - seconds_now;
        let actual = if left > 0.0 {
            format!("in {} s", left.round())
        } else {
            format!("{} s ago", (-left).round())
        };
        let (verdict, clause) = (passed_if(left > 0.0), clause::lifetime());
        checks.push(compared("expiry", verdict, "in the future", actual, clause));
    }
    if let Some(begins) = jwt.number("nbf") {
        let verdict = passed_if(begins <= seconds_now + 60.0);
        let actual = format!("{} s from now", (begins - seconds_now).round());
        let (expected, clause) = ("now or earlier", clause::not_before());
        checks.push(compared("not before", verdict, expected, actual, clause));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claims_give_possible_faults_and_none_where_all_is_well() {
        let server = "https://mcp.example/mcp";
        let now = Timestamp::now().as_seconds();
        let well = serde_json::json!({ "aud": server, "exp": now + 60.0, "nbf": now - 60.0 });
        let none: [&str; 0] = [];
        assert_eq!(possible_faults(&jwt(well), server), none);
        assert_eq!(possible_faults("opaque", server), none);
        let ill = serde_json::json!({
            "aud": "https://other.example", "exp": now - 60.0, "nbf": now + 60.0,
        });
        let faults = possible_faults(&jwt(ill), server);
        let [audience, expired, early] = faults.as_slice() else {
            panic!("{faults:?}");
        };
        assert!(audience.contains("https://other.example") && audience.contains(server));
        assert!(expired.contains("ago (exp)") && early.contains("(nbf)"));
    }

    fn jwt(claims: Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!(
            "{}.{}.sig",
            part(&serde_json::json!({"alg": "none"})),
            part(&claims)
        )
    }

    #[test]
    fn the_audience_of_a_token_is_judged_against_the_server() {
        let audience = |aud: Value| {
            let token = jwt(serde_json::json!({ "aud": aud }));
            Audience::of(
                Jwt::decode(&token).as_ref(),
                "https://a.test/mcp",
                "https://a.test/mcp",
                "https://as.test/tenant",
            )
        };
        assert_eq!(audience("https://a.test/mcp".into()), Audience::This);
        assert_eq!(audience("https://a.test".into()), Audience::Origin);
        assert_eq!(audience("https://a.test/other".into()), Audience::Origin);
        assert_eq!(
            audience(serde_json::json!(["x", "https://a.test/mcp/"])),
            Audience::This
        );
        assert_eq!(audience("https://other.test".into()), Audience::Other);
        assert_eq!(
            audience(serde_json::json!(["my-api", "https://other.test"])),
            Audience::Other
        );
        let userinfo = "https://as.test/userinfo";
        for (aud, expected) in [
            (serde_json::json!(["my-api", userinfo]), Audience::Name),
            (serde_json::json!([userinfo]), Audience::Other),
            (
                serde_json::json!(["my-api", userinfo, "https://other.test"]),
                Audience::Other,
            ),
            (
                serde_json::json!([userinfo, "https://a.test/mcp"]),
                Audience::This,
            ),
        ] {
            assert_eq!(audience(aud.clone()), expected, "{aud}");
        }
        assert_eq!(audience("my-client".into()), Audience::Name);
        assert_eq!(audience("api://my-api".into()), Audience::Name);
        assert_eq!(audience("urn:my-api".into()), Audience::Name);
        assert_eq!(audience(Value::Null), Audience::Unknown);
        assert_eq!(
            Audience::of(Jwt::decode("opaque").as_ref(), "a", "b", "c"),
            Audience::Unknown
        );
    }

    #[test]
    fn a_lifetime_in_quotes_is_understood() {
        for text in [r#"{"expires_in":"3600"}"#, r#"{"expires_in":3600}"#] {
            let answer: TokenResponse = serde_json::from_str(text).expect("read");
            assert_eq!(answer.expires_in, Some(3600.0));
        }
    }

    #[test]
    fn an_error_is_read_in_whatever_form_it_comes() {
        for (body, words) in [
            (
                r#"{"error":"bad_code","error_description":null}"#,
                "bad_code",
            ),
            (r#"{"ok":false,"error":"invalid_code"}"#, "invalid_code"),
            (
                r#"{"error":{"code":401,"type":"auth","message":"no such app"}}"#,
                "auth: no such app",
            ),
            (r#"{"error":"","message":"try later"}"#, "try later"),
            (
                "error=bad_code&error_description=it+is+old",
                "bad_code: it is old",
            ),
            ("<html>", "HTTP 400 without an OAuth error"),
            ("[]", "HTTP 400 without an OAuth error"),
        ] {
            assert_eq!(ErrorResponse::read(body).message(400), words, "{body}");
        }
    }

    #[test]
    fn a_member_of_another_type_spoils_no_other() {
        let text = r#"{"access_token":"a","refresh_token":null,"id_token":{},"scope":["x","y"]}"#;
        let answer: TokenResponse = serde_json::from_str(text).expect("read");
        assert_eq!(answer.access_token.as_deref(), Some("a"));
        assert_eq!((answer.refresh_token, answer.id_token), (None, None));
        assert_eq!(answer.scope.as_deref(), Some("x y"));
    }

    #[test]
    fn tokens_survive_the_vault() {
        let tokens = Tokens {
            access: Secret::new("a".into()),
            refresh: Some(Secret::new("r".into())),
            id: None,
            client_secret: Some(Secret::new("s".into())),
        };
        assert_eq!(Tokens::from_secret(&tokens.to_secret()), Some(tokens));
    }
}
