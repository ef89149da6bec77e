//! Servers that are reached over a network: every transport beside stdio, certificates, and
//! what goes wrong on the way.

mod doctor;
mod faults;
mod peer;
mod tls;
mod transports;

use sightglass_model::{Endpoint, RemoteEndpoint, RemoteTransport, ServerSpec};
use sightglass_traffic::{Recorder, TrafficQuery};

fn over(transport: RemoteTransport, url: &str) -> ServerSpec {
    ServerSpec {
        endpoint: Endpoint::Remote(RemoteEndpoint {
            transport,
            ..RemoteEndpoint::at(url)
        }),
        ..crate::support::http(url)
    }
}

/// The remarks and requests on record, as rows show them.
fn recorded(recorder: &Recorder) -> String {
    let window = recorder
        .page(&TrafficQuery::default(), 0, 200)
        .expect("the record can be read");
    window
        .rows
        .iter()
        .map(|row| format!("{} {}\n", row.method, row.target))
        .collect()
}
