//! Serves the redirect endpoint: a server on the loopback interface that answers once
//! (RFC 8252, section 7.3). Any program on this machine can ask it; what does not carry the
//! `state` of this sign-in is turned away and does not count.

use std::{
    io::{self, ErrorKind},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use quick_xml::escape::escape;
use sightglass_model::visible;
use tokio::{net::TcpListener, sync::mpsc};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::SignInError;
use crate::{SignInRemedy, oauth::redirect::Redirect};

/// Time that the user has for the pages of the authorization server.
pub const BROWSER_TIMEOUT: Duration = Duration::from_secs(300);

/// Time that the page may take to reach the browser once the answer is there.
pub(super) const PAGE_TIMEOUT: Duration = Duration::from_secs(2);

/// Listens until it is dropped or the answer came.
pub(crate) struct Callback {
    listeners: Vec<TcpListener>,
    redirect: Redirect,
    port: u16,
}

/// Classification of an address at which a browser arrived.
pub(crate) enum BrowserResponse {
    /// The answer that is awaited. The user is shown that it went well, or what went wrong.
    Answer(Result<(), String>),
    /// Response of another sign-in, or a made-up one. The user is shown why it is not used.
    Stray(String),
}

pub(crate) type ResponseCheck = Arc<dyn Fn(&Url) -> BrowserResponse + Send + Sync>;

impl Callback {
    /// Listens where this address leads, on its port or on any free one.
    pub async fn listen(redirect: Redirect) -> Result<Self, SignInError> {
        let fixed = redirect.port();
        let mut listeners: Vec<TcpListener> = Vec::new();
        let mut port = fixed.unwrap_or(0);
        for address in redirect.addresses() {
            match TcpListener::bind((*address, port)).await {
                Ok(listener) => {
                    port = listener
                        .local_addr()
                        .map_err(|error| SignInError::failed(error.to_string(), "Try again."))?
                        .port();
                    listeners.push(listener);
                }
                // Without IPv6 no browser goes there. A program that holds the port there could
                // be sent the code.
                Err(error) if !listeners.is_empty() && error.kind() != ErrorKind::AddrInUse => {}
                Err(error) => return Err(unusable(fixed, &error)),
            }
        }
        Ok(Self {
            listeners,
            redirect,
            port,
        })
    }

    pub fn redirect_uri(&self) -> String {
        self.redirect.uri(self.port)
    }

    /// Waits for the browser. What is not the answer is refused and does not count.
    pub async fn answer(self, judge: ResponseCheck) -> Option<Url> {
        let (sender, mut answers) = mpsc::channel(1);
        let answered = CancellationToken::new();
        let routes = Router::new().fallback_service(get(arrived).with_state(CallbackState {
            port: self.port,
            redirect: Arc::new(self.redirect),
            judge,
            sender,
            answered: answered.clone(),
        }));
        let serving = futures::future::join_all(self.listeners.into_iter().map(|listener| {
            let answered = answered.clone();
            axum::serve(listener, routes.clone())
                .with_graceful_shutdown(async move { answered.cancelled().await })
                .into_future()
        }));
        let mut serving = Box::pin(serving);
        let answer = tokio::select! {
            answer = answers.recv() => answer,
            _ = &mut serving => return answers.recv().await,
        };
        // The page goes out meanwhile. Some program may never finish its request, so neither the
        // answer nor the end of serving waits for that.
        answered.cancel();
        tokio::spawn(async move {
            let _ = tokio::time::timeout(PAGE_TIMEOUT, serving).await;
        });
        answer
    }
}

fn unusable(fixed: Option<u16>, error: &io::Error) -> SignInError {
    match fixed {
        Some(port) => SignInError::failed(
            format!("Port {port} cannot be used for the callback: {error}."),
            "End the program that uses it, or set another callback port under Sign-in, Client. The \
             port has to be one that the client was registered with.",
        ),
        None => SignInError::failed(
            format!("No port is free for the callback: {error}."),
            "Sign in with a browser elsewhere.",
        )
        .mended_by(SignInRemedy::Manual),
    }
}

#[derive(Clone)]
struct CallbackState {
    port: u16,
    redirect: Arc<Redirect>,
    judge: ResponseCheck,
    sender: mpsc::Sender<Url>,
    answered: CancellationToken,
}

async fn arrived(
    State(arrivals): State<CallbackState>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    if !arrivals.redirect.is_host(host, arrivals.port) {
        return StatusCode::MISDIRECTED_REQUEST.into_response();
    }
    if request.uri().path() != arrivals.redirect.path() {
        return StatusCode::NOT_FOUND.into_response();
    }
    let query = request.uri().query().unwrap_or_default();
    let address = format!("{}?{query}", arrivals.redirect.uri(arrivals.port));
    let Ok(address) = Url::parse(&address) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let outcome = match (arrivals.judge)(&address) {
        BrowserResponse::Answer(outcome) => outcome,
        BrowserResponse::Stray(reason) => {
            return shown(StatusCode::BAD_REQUEST, page("Not signed in", &reason));
        }
    };
    if arrivals.sender.try_send(address).is_err() {
        return StatusCode::GONE.into_response();
    }
    arrivals.answered.cancel();
    let page = match outcome {
        Ok(()) => page(
            "Signed in",
            "You can close this tab and go back to Sightglass.",
        ),
        Err(reason) => page("Not signed in", &reason),
    };
    shown(StatusCode::OK, page)
}

fn shown(status: StatusCode, page: String) -> Response {
    let headers = [
        (header::CONNECTION, "close"),
        (header::CACHE_CONTROL, "no-store"),
        // The address in the bar holds the code: no other site may learn it from a link.
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ];
    (status, headers, Html(page)).into_response()
}

fn page(title: &str, words: &str) -> String {
    let (title, words) = (escape(visible(title)), escape(visible(words)));
    format!(
        r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title} – Sightglass</title>
<style>
html {{ height: 100% }}
body {{ min-height: 100%; margin: 0; display: grid; place-items: center; font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#fafbfc, #0e1316); color: light-dark(#1b2328, #dfe6ea) }}
main {{ max-width: 30rem; padding: 2rem; border: 1px solid light-dark(#dde3e7, #263138); border-radius: 6px }}
h1 {{ font-size: 1.1rem; margin: 0 0 .5rem }}
p {{ margin: 0; overflow-wrap: anywhere }}
</style>
<main><h1>{title}</h1><p>{words}</p></main>
</html>
"#
    )
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn the_page_shows_what_a_stranger_wrote_as_text() {
        let page = page("x", "<script>alert(1)</script>\u{202e}");
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script>"));
        assert!(page.contains(r"\u{202e}") && !page.contains('\u{202e}'));
    }

    #[tokio::test]
    async fn a_request_that_is_never_finished_does_not_keep_the_answer() {
        use tokio::io::AsyncWriteExt;

        let callback = Callback::listen(Redirect::standard(None))
            .await
            .expect("a port");
        let address = callback.redirect_uri();
        let port = callback.port;
        let waiting = tokio::spawn(callback.answer(Arc::new(|_| BrowserResponse::Answer(Ok(())))));
        let half = tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await;
        let mut half = half.expect("it listens");
        half.write_all(b"GET / HT").await.expect("sent");
        let page = reqwest::get(format!("{address}?code=c")).await;
        assert_eq!(page.expect("an answer").status().as_u16(), 200);
        // Well below the five minutes that a sign-in waits; the other connection is still open.
        let answer = tokio::time::timeout(Duration::from_secs(60), waiting).await;
        let answer = answer
            .expect("in time")
            .expect("no panic")
            .expect("an answer");
        assert_eq!(answer.query(), Some("code=c"));
        half.write_all(b"TP/1.1").await.ok();
    }

    #[tokio::test]
    async fn it_answers_once_and_only_to_its_own_name() {
        let callback = Callback::listen(Redirect::standard(None))
            .await
            .expect("a port");
        let address = callback.redirect_uri();
        let judge: ResponseCheck = Arc::new(|address| match address.query() {
            Some("code=c&state=s") => BrowserResponse::Answer(Ok(())),
            _ => BrowserResponse::Stray("Another one.".to_owned()),
        });
        let waiting = tokio::spawn(callback.answer(judge));
        let client = reqwest::Client::new();
        let elsewhere = address.replace("/callback", "/favicon.ico");
        let status = |response: reqwest::Response| response.status().as_u16();
        assert_eq!(
            status(client.get(&elsewhere).send().await.expect("an answer")),
            404
        );
        let rebound = client
            .get(&address)
            .header("host", "evil.test")
            .send()
            .await;
        assert_eq!(status(rebound.expect("an answer")), 421);
        for stray in ["", "?code=c&state=t", "?state=s"] {
            let stray = client.get(format!("{address}{stray}")).send().await;
            let stray = stray.expect("an answer");
            assert_eq!(stray.status().as_u16(), 400);
            assert!(stray.text().await.expect("a page").contains("Another one."));
        }
        let page = client
            .get(format!("{address}?code=c&state=s"))
            .send()
            .await
            .expect("an answer");
        assert_eq!(page.headers()["referrer-policy"], "no-referrer");
        assert!(page.text().await.expect("a page").contains("Signed in"));
        let answer = waiting.await.expect("no panic").expect("an answer");
        assert_eq!(answer.query(), Some("code=c&state=s"));
        assert!(client.get(&address).send().await.is_err(), "it is closed");
    }

    #[tokio::test]
    async fn a_chosen_redirect_answers_at_its_own_path_alone() {
        let chosen = Redirect::parse("http://localhost/oauth/back").expect("an address");
        let callback = Callback::listen(chosen).await.expect("a port");
        let address = callback.redirect_uri();
        assert!(address.ends_with("/oauth/back"), "{address}");
        let waiting = tokio::spawn(callback.answer(Arc::new(|_| BrowserResponse::Answer(Ok(())))));
        for elsewhere in ["/callback", "/oauth", "/oauth/back/", "/oauth/back/x", "/"] {
            let elsewhere = address.replace("/oauth/back", elsewhere);
            let answer = reqwest::get(format!("{elsewhere}?code=c")).await;
            assert_eq!(answer.expect("an answer").status().as_u16(), 404);
        }
        let page = reqwest::get(format!("{address}?code=c")).await;
        assert_eq!(page.expect("an answer").status().as_u16(), 200);
        let answer = waiting.await.expect("no panic").expect("an answer");
        assert_eq!(answer.as_str(), format!("{address}?code=c"));
    }
}
