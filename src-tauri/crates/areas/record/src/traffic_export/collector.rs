//! Sends spans to a collector (OTLP over HTTP, in JSON).

use std::{io, time::Duration};

use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{CollectorHeader, ExportFormat, SentSpans, TrafficExport},
};
use sightglass_http::{
    HttpClient, HttpError, HttpOptions, HttpRequest, Method,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use sightglass_model::brief;
use sightglass_secrets::mask_url;
use sightglass_session_file::{OtlpWriter, rejected};
use tokio::sync::mpsc::{Sender, channel};
use url::{Host, Url};

use super::Order;
use crate::traffic_export::TrafficExports;

/// Spans of one request.
const MAX_SPANS: u32 = 500;
/// Bytes after which a request is sent, though it has fewer spans.
const MAX_BYTES: usize = 2 << 20;
/// Time limit of one request.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of an answer that are read.
const MAX_ANSWER: usize = 64 << 10;

#[commands(collector_commands)]
impl TrafficExports {
    /// Returns the address that spans are sent to, of the address of a collector.
    ///
    /// # Errors
    /// When it is no address over TLS and none of this machine.
    #[command(name = "get_collector_address")]
    pub fn collector_address(&self, endpoint: &str) -> Result<String, InspectorError> {
        address(endpoint).map(String::from)
    }

    /// Sends the spans of an export to exactly this address, in as many requests as it takes. The
    /// headers are kept nowhere, and redirects are not followed.
    ///
    /// # Errors
    /// As [`preview_export`](Self::preview_export), and when the collector cannot be reached or
    /// refuses; what was sent before stays there.
    #[command]
    pub async fn send_spans(
        &self,
        exported: TrafficExport,
        to: &str,
        headers: Vec<CollectorHeader>,
        run: u32,
    ) -> Result<SentSpans, InspectorError> {
        let to = address(to)?;
        let options = HttpOptions {
            timeout: Some(TIMEOUT),
            ..self.core.general_http()
        };
        let client = HttpClient::new(options)
            .map_err(|error| InspectorError::InvalidInput(error.sentence()))?;
        let headers = header_map(headers)?;
        let exported = TrafficExport {
            format: ExportFormat::Otlp,
            ..exported
        };
        let order = self.order(exported, run)?;
        let _stop = order.stop_on_drop();
        let (sender, batches) = channel::<(u32, Vec<u8>)>(1);
        let reading = self.core.blocking(move |_| read(&order, &sender));
        let sending = async {
            // Dropped when the sending fails, so that the reading ends too.
            let mut batches = batches;
            let mut sent = SentSpans {
                address: mask_url(to.as_str()),
                spans: 0,
                rejected: 0,
                reason: String::new(),
            };
            while let Some((count, body)) = batches.recv().await {
                if let Some((refused, reason)) = post(&client, &to, &headers, body).await? {
                    let refused = u32::try_from(refused).unwrap_or(u32::MAX);
                    sent.rejected = sent.rejected.saturating_add(refused);
                    sent.reason = reason;
                }
                sent.spans += count;
            }
            Ok::<_, InspectorError>(sent)
        };
        let (read, sent) = tokio::join!(reading, sending);
        let sent = sent?;
        read?;
        Ok(sent)
    }
}

/// Reads the spans and hands them over by batches.
fn read(order: &Order, sender: &Sender<(u32, Vec<u8>)>) -> Result<(), InspectorError> {
    let failed = |source: io::Error| InspectorError::Save {
        what: "A batch of spans".to_owned(),
        source,
    };
    let mut batch = Batch::new().map_err(failed)?;
    order.run(&failed, |job| {
        job.spans(&mut |_, span| {
            batch.writer.span(&span).map_err(failed)?;
            batch.count += 1;
            if batch.is_full() {
                let full = std::mem::replace(&mut batch, Batch::new().map_err(failed)?);
                full.send(sender).map_err(failed)?;
            }
            Ok(())
        })
    })?;
    if batch.count > 0 {
        batch.send(sender).map_err(failed)?;
    }
    Ok(())
}

/// Spans of one request.
struct Batch {
    writer: OtlpWriter<Vec<u8>>,
    count: u32,
}

impl Batch {
    fn new() -> io::Result<Self> {
        Ok(Self {
            writer: OtlpWriter::new(Vec::new(), env!("CARGO_PKG_VERSION"))?,
            count: 0,
        })
    }

    fn is_full(&self) -> bool {
        self.count >= MAX_SPANS || self.writer.written().len() >= MAX_BYTES
    }

    fn send(self, sender: &Sender<(u32, Vec<u8>)>) -> io::Result<()> {
        let body = self.writer.finish()?;
        // The sending ended with an error, which says more.
        sender
            .blocking_send((self.count, body))
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Posts spans. Returns the number that the collector refused, and why.
async fn post(
    client: &HttpClient,
    to: &Url,
    headers: &HeaderMap,
    body: Vec<u8>,
) -> Result<Option<(u64, String)>, InspectorError> {
    let mut headers = headers.clone();
    // The user may name it too.
    headers
        .entry(CONTENT_TYPE)
        .or_insert(HeaderValue::from_static("application/json"));
    let request = HttpRequest {
        method: Method::POST,
        url: to.clone(),
        headers,
        body: Some(body.into()),
    };
    let sent = client.send(request).await;
    let mut answer = sent.map_err(|error| unreachable(to, &error))?;
    let status = answer.status();
    let text = answer.read(MAX_ANSWER).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if !status.is_success() {
        let said = brief(&text, 200);
        return Err(InspectorError::InvalidInput(format!(
            "The collector refused the spans with HTTP {status}. {said}"
        )));
    }
    Ok(rejected(&text))
}

fn unreachable(to: &Url, error: &HttpError) -> InspectorError {
    InspectorError::Offline {
        what: mask_url(to.as_str()),
        reason: error.to_string(),
    }
}

/// The address of the spans, below that of a collector (OTLP 1.9, section "OTLP/HTTP Request").
fn address(endpoint: &str) -> Result<Url, InspectorError> {
    let refused = |reason: &str| InspectorError::InvalidInput(format!("{endpoint}: {reason}."));
    let mut url = Url::parse(endpoint.trim())
        .map_err(|_| refused("this is no address, such as http://localhost:4318"))?;
    let is_local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    match url.scheme() {
        "https" => {}
        "http" if is_local => {}
        "http" => {
            return Err(refused(
                "without TLS spans are sent within this machine alone. Use https",
            ));
        }
        _ => return Err(refused("only http and https addresses take spans")),
    }
    if !url.path().ends_with("/v1/traces") {
        let path = format!("{}/v1/traces", url.path().trim_end_matches('/'));
        url.set_path(&path);
    }
    url.set_fragment(None);
    Ok(url)
}

fn header_map(headers: Vec<CollectorHeader>) -> Result<HeaderMap, InspectorError> {
    let mut map = HeaderMap::new();
    for header in headers {
        let name = HeaderName::try_from(header.name.trim());
        let value = HeaderValue::try_from(header.value.trim());
        let (Ok(name), Ok(mut value)) = (name, value) else {
            return Err(InspectorError::InvalidInput(format!(
                "The header {} or its value is not valid in HTTP.",
                header.name
            )));
        };
        value.set_sensitive(true);
        map.append(name, value);
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_sent_over_tls_or_within_the_machine() {
        for (endpoint, expected) in [
            (
                "http://localhost:4318",
                Some("http://localhost:4318/v1/traces"),
            ),
            (
                "http://127.0.0.1:4318/",
                Some("http://127.0.0.1:4318/v1/traces"),
            ),
            ("http://[::1]:4318/a", Some("http://[::1]:4318/a/v1/traces")),
            (
                "https://otel.test/v1/traces",
                Some("https://otel.test/v1/traces"),
            ),
            ("http://otel.test:4318", None),
            ("http://localhost.evil.test:4318", None),
            ("file:///etc/passwd", None),
            ("localhost:4318", None),
            ("", None),
        ] {
            let found = address(endpoint).ok().map(String::from);
            assert_eq!(found.as_deref(), expected, "{endpoint}");
        }
    }
}
