//! Checks the network path to a remote server below HTTP: address, proxy, DNS name, TCP port.
//!
//! Addresses are tried one after the other, so that the fault of each is told. Requests race them as
//! RFC 8305 says, which `hyper-util` does.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use sightglass_http::Proxies;
use sightglass_model::{Finding, RemoteEndpoint, Verdict};
use tokio::{net::TcpStream, time::timeout};
use url::Url;

use super::{Findings, check};
use crate::transport::http_client::Address;

/// Time limit for one address to accept a connection.
const NETWORK_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) async fn check_way(
    remote: &RemoteEndpoint,
    proxies: &Proxies,
    findings: &mut Findings<'_>,
) {
    let address = match Address::parse(&remote.url) {
        Ok(address) => address,
        Err(message) => return findings.add(check("Address", Verdict::Failed, message, vec![])),
    };
    let shown = address.shown(&address.url);
    if let Some(socket) = &address.socket {
        let exists = socket.exists();
        let (verdict, message) = if exists {
            (Verdict::Passed, "exists")
        } else {
            (Verdict::Failed, "does not exist")
        };
        let summary = format!("{} {message}", socket.display());
        return findings.add(check("Socket", verdict, summary, vec![shown]));
    }
    findings.add(check("Address", Verdict::Passed, shown, vec![]));
    let proxy = proxies.of(&address.url);
    findings.add(proxy_check(proxy.as_ref(), proxies));
    let proxy = proxy.and_then(|(_, address)| Url::parse(&address).ok());
    let of = match proxy {
        Some(_) => " of the proxy",
        None => "",
    };
    let next = proxy.unwrap_or(address.url);
    let (resolved, dns) = look_up(&next).await;
    findings.add(dns);
    findings.add(reach(&next, &resolved, of).await);
}

fn proxy_check(proxy: Option<&(&'static str, String)>, proxies: &Proxies) -> Finding<()> {
    let exceptions = proxies
        .exceptions()
        .map(|hosts| format!("NO_PROXY: {hosts}"));
    let evidence = exceptions.into_iter().collect();
    match proxy {
        Some((variable, address)) => check(
            "Proxy",
            Verdict::Passed,
            format!("{address} (from {variable})"),
            evidence,
        ),
        None => check("Proxy", Verdict::Passed, "none for this address", evidence),
    }
}

async fn look_up(url: &Url) -> (Vec<SocketAddr>, Finding<()>) {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or(1080);
    let started = Instant::now();
    let resolved = match tokio::net::lookup_host((host, port)).await {
        Ok(addresses) => addresses.collect(),
        Err(error) => {
            let summary = format!("{host} does not resolve");
            let failed = check(
                "Name (DNS)",
                Verdict::Failed,
                summary,
                vec![error.to_string()],
            );
            return (Vec::new(), timed(failed, started));
        }
    };
    let resolved: Vec<SocketAddr> = resolved;
    let lines = resolved
        .iter()
        .map(|address| address.ip().to_string())
        .collect::<Vec<_>>();
    let summary = match lines.as_slice() {
        [only] if only == host => "the address is an IP address".to_owned(),
        [first, ..] => format!("{host} is {first}"),
        [] => format!("{host} has no address"),
    };
    (
        resolved,
        timed(
            check("Name (DNS)", Verdict::Passed, summary, lines),
            started,
        ),
    )
}

/// Tries to connect to a port; `of` says whose it is.
async fn reach(url: &Url, addresses: &[SocketAddr], of: &str) -> Finding<()> {
    const TITLE: &str = "Port (TCP)";
    if addresses.is_empty() {
        return check(TITLE, Verdict::Skipped, "no address to connect to", vec![]);
    }
    let started = Instant::now();
    let mut evidence = Vec::new();
    for address in addresses {
        match timeout(NETWORK_TIMEOUT, TcpStream::connect(address)).await {
            Ok(Ok(_)) => {
                let summary = format!("{address} accepts connections");
                return timed(check(TITLE, Verdict::Passed, summary, evidence), started);
            }
            Ok(Err(error)) => evidence.push(format!("{address}: {error}")),
            Err(_) => evidence.push(format!(
                "{address}: no answer within {} s",
                NETWORK_TIMEOUT.as_secs()
            )),
        }
    }
    let port = url.port_or_known_default().unwrap_or_default();
    let summary = format!("nothing accepts connections on port {port}{of}");
    timed(check(TITLE, Verdict::Failed, summary, evidence), started)
}

fn timed(check: Finding<()>, started: Instant) -> Finding<()> {
    Finding {
        duration: Some(started.elapsed().into()),
        ..check
    }
}
