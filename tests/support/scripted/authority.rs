//! The authorization server.

use std::{collections::HashMap, convert::Infallible, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State as Shared},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sightglass_model::{Timestamp, lock};

use super::{
    Fault,
    listener::TlsListener,
    state::{Code, GrantedAccess, Grants, ReceivedRequest, State, claims_of, patch, repeated},
};

pub(super) async fn serve(door: TlsListener, state: Arc<State>) {
    let routes = Router::new().fallback(answer).with_state(state);
    axum::serve(door, routes).await.expect("it serves");
}

async fn answer(Shared(state): Shared<Arc<State>>, request: Request) -> Response {
    let asked = read(request).await;
    lock(&state.asked).push(asked.clone());
    match state.fault() {
        Some(Fault::Answer { path, status, body }) if path == asked.path => {
            let status = StatusCode::from_u16(status).expect("a status");
            let headers = [(header::CONTENT_TYPE, "application/json")];
            return (status, headers, body).into_response();
        }
        Some(Fault::Redirect { path, to }) if path == asked.path => {
            return Redirect::temporary(&to).into_response();
        }
        Some(Fault::Huge { path }) if path == asked.path => {
            let block = Bytes::from(vec![b' '; 64 * 1024]);
            return endless(block, Duration::ZERO);
        }
        Some(Fault::Slow { path }) if path == asked.path => {
            return endless(Bytes::from_static(b" "), Duration::from_millis(500));
        }
        _ => {}
    }
    match (asked.method.as_str(), asked.path.as_str()) {
        ("GET", "/.well-known/oauth-authorization-server") => json(&metadata(&state)),
        ("POST", "/register") => register(&state, &asked),
        ("GET", "/authorize") => authorize(&state, &asked),
        ("POST", "/token") => token(&state, &asked),
        ("POST", "/revoke") => revoke(&state, &asked),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn read(request: Request) -> ReceivedRequest {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, 1 << 20).await;
    let body = String::from_utf8_lossy(&bytes.expect("a short body")).into_owned();
    let query = parts.uri.query().unwrap_or_default();
    let is_form = !body.starts_with('{');
    let mut parameters = form(query);
    if is_form {
        parameters.extend(form(&body));
    }
    let headers = parts.headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.to_string(), value)
    });
    ReceivedRequest {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        parameters,
        headers: headers.collect(),
        body,
    }
}

fn form(text: &str) -> HashMap<String, String> {
    url::form_urlencoded::parse(text.as_bytes())
        .into_owned()
        .collect()
}

fn json(value: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, value.to_string()).into_response()
}

fn refuse(status: u16, error: &str, description: &str) -> Response {
    let body = json!({ "error": error, "error_description": description });
    let status = StatusCode::from_u16(status).expect("a status");
    (status, json(&body)).into_response()
}

/// A document that never ends.
fn endless(block: Bytes, pause: Duration) -> Response {
    let stream = futures::stream::unfold((), move |()| {
        let block = block.clone();
        async move {
            tokio::time::sleep(pause).await;
            Some((Ok::<_, Infallible>(block), ()))
        }
    });
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, Body::from_stream(stream)).into_response()
}

fn metadata(state: &State) -> Value {
    let at = |path: &str| format!("{}{path}", state.issuer);
    let mut metadata = json!({
        "issuer": state.issuer,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "registration_endpoint": at("/register"),
        "revocation_endpoint": at("/revoke"),
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported":
            ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
        "authorization_response_iss_parameter_supported": true,
    });
    if let Some(Fault::Metadata(change)) = state.fault() {
        patch(&mut metadata, &change);
    }
    if matches!(state.fault(), Some(Fault::Repeats)) {
        metadata["service_note"] = repeated(&state.told()).into();
    }
    metadata
}

fn register(state: &State, asked: &ReceivedRequest) -> Response {
    let wanted: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let mut grants = lock(&state.grants);
    let id = format!("client-{}", grants.clients.len());
    let method = wanted["token_endpoint_auth_method"].clone();
    let secret = (method != "none").then(|| grants.secret("client-secret"));
    grants.clients.insert(id.clone(), secret.clone());
    let mut answer = json!({
        "client_id": id,
        "client_secret": secret,
        "redirect_uris": wanted["redirect_uris"],
        "token_endpoint_auth_method": method,
    });
    if let Some(Fault::Registration(Value::Object(members))) = state.fault() {
        for (name, value) in members {
            answer[name] = value;
        }
    }
    (StatusCode::CREATED, json(&answer)).into_response()
}

/// Approves at once, under the name in the cookie.
fn authorize(state: &State, asked: &ReceivedRequest) -> Response {
    let account = asked.header("cookie").strip_prefix("login=");
    let account = account.unwrap_or("somebody").to_owned();
    let mut grants = lock(&state.grants);
    let client = asked.get("client_id").to_owned();
    if !grants.clients.contains_key(&client) || asked.get("code_challenge_method") != "S256" {
        return refuse(400, "invalid_request", "an unknown client, or no S256");
    }
    let refuses = state.refuses_resource(asked);
    let code = grants.secret("code");
    let given = GrantedAccess {
        account,
        client,
        scope: asked.get("scope").to_owned(),
        until: grants.until(),
    };
    let promise = Code {
        challenge: asked.get("code_challenge").to_owned(),
        redirect_uri: asked.get("redirect_uri").to_owned(),
        given,
        resource: asked.get("resource").to_owned(),
        nonce: asked.get("nonce").to_owned(),
    };
    grants.codes.insert(code.clone(), promise);
    let mut parameters = json!({
        "code": code,
        "state": asked.get("state"),
        "iss": state.issuer,
    });
    if refuses {
        parameters = json!({
            "error": "invalid_target",
            "state": asked.get("state"),
            "iss": state.issuer,
        });
    }
    match state.fault() {
        Some(Fault::Callback(change)) => patch(&mut parameters, &change),
        Some(Fault::Nameless) => patch(&mut parameters, &json!({ "iss": null })),
        _ => {}
    }
    let mut address = url::Url::parse(asked.get("redirect_uri")).expect("an address");
    for (name, value) in parameters.as_object().expect("an object") {
        address
            .query_pairs_mut()
            .append_pair(name, value.as_str().expect("a text"));
    }
    Redirect::to(address.as_str()).into_response()
}

/// Returns the client that asks at the token endpoint, once that is proven.
fn client(state: &State, asked: &ReceivedRequest) -> Option<String> {
    let decoded = |text: &str| {
        let whole = format!("x={text}");
        form(&whole).remove("x").unwrap_or_default()
    };
    let (id, secret) = match asked.header("authorization").strip_prefix("Basic ") {
        Some(pair) => {
            let pair = String::from_utf8(STANDARD.decode(pair).ok()?).ok()?;
            let (id, secret) = pair.split_once(':')?;
            (decoded(id), Some(decoded(secret)))
        }
        None => {
            let secret = asked.parameters.get("client_secret").cloned();
            (asked.get("client_id").to_owned(), secret)
        }
    };
    let grants = lock(&state.grants);
    let known = grants.clients.get(&id)?;
    let signed = asked.parameters.get("client_assertion");
    let proven = match (known, signed) {
        (None, _) => true,
        (Some(known), None) => secret.as_ref() == Some(known),
        // The conformance suite looks at signatures; here the audience is looked at.
        (Some(_), Some(signed)) => {
            let claims = signed.split('.').nth(1)?;
            let claims: Value =
                serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
            claims["aud"] == state.issuer.as_str() && claims["sub"] == id.as_str()
        }
    };
    proven.then_some(id)
}

fn token(state: &State, asked: &ReceivedRequest) -> Response {
    let Some(client) = client(state, asked) else {
        return refuse(401, "invalid_client", "this client is not known");
    };
    if state.refuses_resource(asked) {
        return refuse(400, "invalid_target", "this parameter is not supported");
    }
    let grants = &mut *lock(&state.grants);
    let mut nonce = String::new();
    let given = match asked.get("grant_type") {
        "authorization_code" => {
            let code = asked.get("code");
            if grants.used.contains(code) {
                // Somebody else may have it (RFC 6749, section 4.1.2).
                grants.access.clear();
                grants.refresh.clear();
                return refuse(400, "invalid_grant", "the code was used already");
            }
            let Some(promise) = grants.codes.remove(code) else {
                return refuse(400, "invalid_grant", "there is no such code");
            };
            grants.used.insert(code.to_owned());
            let verifier = asked.get("code_verifier").to_owned();
            let hashed = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
            grants.secrets.push(verifier);
            let fits = promise.given.client == client
                && promise.redirect_uri == asked.get("redirect_uri")
                && promise.resource == asked.get("resource")
                && promise.challenge == hashed;
            if !fits {
                return refuse(400, "invalid_grant", "the code is not for this request");
            }
            nonce = promise.nonce;
            promise.given
        }
        TOKEN_EXCHANGE => return vouch(state, grants, &client, asked),
        JWT_BEARER => {
            let claims = claims_of(asked.get("assertion"));
            if claims["aud"] != state.issuer.as_str() || claims["client_id"] != client.as_str() {
                return refuse(400, "invalid_grant", "the assertion is for another server");
            }
            GrantedAccess {
                account: claims["sub"].as_str().unwrap_or_default().to_owned(),
                client,
                scope: asked.get("scope").to_owned(),
                until: grants.until(),
            }
        }
        "refresh_token" => {
            let refresh = asked.get("refresh_token");
            if grants.used.contains(refresh) {
                // Somebody else may have it (RFC 9700, section 4.14.2).
                grants.access.clear();
                grants.refresh.clear();
                return refuse(400, "invalid_grant", "the refresh token was used already");
            }
            if matches!(state.fault(), Some(Fault::Closed)) {
                return refuse(400, "invalid_grant", "nothing is refreshed now");
            }
            let Some(mut given) = grants.refresh.remove(refresh) else {
                let told = match state.fault() {
                    Some(Fault::Repeats) => repeated(asked.parameters.values()),
                    _ => String::new(),
                };
                let words = format!("the refresh token is not good {told}");
                return refuse(400, "invalid_grant", words.trim_end());
            };
            grants.used.insert(refresh.to_owned());
            if let Some(scope) = asked.parameters.get("scope") {
                given.scope.clone_from(scope);
            }
            given
        }
        "client_credentials" => GrantedAccess {
            account: client.clone(),
            client,
            scope: asked.get("scope").to_owned(),
            until: grants.until(),
        },
        other => return refuse(400, "unsupported_grant_type", other),
    };
    issue(state, grants, (given, &nonce), asked)
}

const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/// Vouches, as an identity provider, for the user of an ID token that it gave (ID-JAG).
fn vouch(state: &State, grants: &mut Grants, client: &str, asked: &ReceivedRequest) -> Response {
    let subject = asked.get("subject_token");
    let claims = claims_of(subject);
    let is_ours = grants.secrets.iter().any(|given| given == subject);
    if !is_ours || claims["iss"] != state.issuer.as_str() || claims["aud"] != client {
        return refuse(400, "invalid_grant", "this ID token is not known here");
    }
    // The id of the client at the MCP server's authorization server.
    let assertion = grants.jwt(&json!({
        "iss": state.issuer,
        "sub": claims["sub"],
        "aud": asked.get("audience"),
        "resource": asked.get("resource"),
        "client_id": "registered",
    }));
    json(&json!({
        "access_token": assertion,
        "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag",
        "token_type": "N_A",
        "expires_in": 300,
    }))
}

fn issue(
    state: &State,
    grants: &mut Grants,
    (given, nonce): (GrantedAccess, &str),
    asked: &ReceivedRequest,
) -> Response {
    let given = GrantedAccess {
        until: grants.until(),
        ..given
    };
    let mut claims = json!({
        "iss": state.issuer,
        "sub": given.account,
        "aud": match asked.parameters.get("resource") {
            Some(resource) => resource,
            None => &state.resource,
        },
        "scope": given.scope,
        "jti": fastrand::u64(..).to_string(),
    });
    let mut id_claims = json!({
        "iss": state.issuer,
        "sub": given.account,
        "aud": given.client,
        "email": format!("{}@acme.example", given.account),
        "exp": Timestamp::now().as_seconds().round() + 3600.0,
    });
    if !nonce.is_empty() {
        id_claims["nonce"] = nonce.into();
    }
    match state.fault() {
        Some(Fault::Claims(change)) => patch(&mut claims, &change),
        Some(Fault::IdClaims(change)) => patch(&mut id_claims, &change),
        _ => {}
    }
    let access = grants.jwt(&claims);
    let mut answer = json!({
        "access_token": access,
        "token_type": "Bearer",
        "expires_in": grants.lifetime,
        "scope": given.scope,
    });
    if !matches!(asked.get("grant_type"), "client_credentials" | JWT_BEARER) {
        let refresh = grants.secret("refresh");
        answer["refresh_token"] = refresh.clone().into();
        answer["id_token"] = grants.jwt(&id_claims).into();
        grants.refresh.insert(refresh, given.clone());
    }
    grants.access.insert(access, given);
    match state.fault() {
        Some(Fault::TokenAnswer(change)) => patch(&mut answer, &change),
        Some(Fault::Nameless) => patch(&mut answer, &json!({ "id_token": null })),
        _ => {}
    }
    if matches!(state.fault(), Some(Fault::Repeats)) {
        let given = ["access_token", "refresh_token", "id_token"]
            .iter()
            .filter_map(|name| answer[name].as_str().map(str::to_owned));
        let proof = asked.header("authorization").split(' ').next_back();
        let proof = proof.and_then(|pair| STANDARD.decode(pair).ok());
        let proof = proof.map(|pair| String::from_utf8_lossy(&pair).into_owned());
        let told = ["code", "code_verifier", "client_secret", "refresh_token"]
            .iter()
            .filter_map(|name| asked.parameters.get(*name).cloned());
        let all: Vec<String> = given.chain(told).chain(proof).collect();
        answer["note"] = repeated(&all).into();
    }
    json(&answer)
}

fn revoke(state: &State, asked: &ReceivedRequest) -> Response {
    if client(state, asked).is_none() {
        return refuse(401, "invalid_client", "this client is not known");
    }
    let mut grants = lock(&state.grants);
    let token = asked.get("token");
    grants.access.remove(token);
    if let Some(given) = grants.refresh.remove(token) {
        // What came of it goes with it (RFC 7009, section 2.1).
        grants
            .access
            .retain(|_, other| other.account != given.account);
    }
    StatusCode::OK.into_response()
}
