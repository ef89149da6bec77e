//! HTTP client: one way to the network for all who ask anything of it.
//!
//! ```text
//! connection   auth   areas/*   model-endpoint
//!      └────────┴───────┴────────────┘
//!                   HttpOptions            the parts that a user of the client chooses
//!                        │
//!                   HttpClient             sends a request, once
//!                        │
//!       HttpResponse ────┴──── HttpError   which tells DNS, TCP, TLS, HTTP, limit and policy
//! ```
//!
//! A request is sent once, and what comes back is the user's to judge: redirects are never followed
//! by themselves, since each user has rules of its own for where a token or a key may go.
//! [`RedirectTarget`] says where one leads, and [`RecordedRequest`] puts each request on record.
//!
//! ```text
//! download         DownloadClient: what a server of the user's names, redirects followed
//! client           HttpClient, HttpRequest
//! options          HttpOptions: trust, proxies, network, guard, limits
//! response         HttpResponse: bodies within a limit
//! recording        RecordedRequest: a request and its answer in the record
//! error            HttpError
//! redirect         RedirectTarget
//! names            resolution of names, held to the policy
//! policy           AddressPolicy (SSRF): which addresses may be visited on whose word
//! proxies  tls     the way there
//! ```
//!
//! Modules use those below them. This crate alone names `reqwest`, so that no request leaves with
//! other certificates or around the proxies.

mod client;
mod download;
mod error;
mod names;
mod options;
mod policy;
mod proxies;
mod recording;
mod redirect;
mod response;
mod tls;

pub use client::{HttpClient, HttpRequest, PROGRAM};
pub use download::{DownloadClient, DownloadError};
pub use error::{HttpError, HttpSetupError, NetworkError, RefusedCertificate};
pub use names::{AddressGuard, Network};
pub use options::HttpOptions;
pub use policy::{AddressPolicy, DecidedPolicy, RefusalReason, RefusedAddress, check_address};
pub use proxies::{CurrentProxies, Proxies};
pub use recording::{RecordedRequest, header_texts};
pub use redirect::RedirectTarget;
pub use reqwest::{Method, StatusCode, Upgraded, dns, header};
pub use response::HttpResponse;
pub use tls::{HttpVersions, ShownCertificate};
