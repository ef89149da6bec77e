//! The vocabulary that every part of Sightglass shares. No I/O happens here.
//!
//! - [`ServerId`], [`ConnectionId`], [`FrameId`], [`ExchangeId`]: what things are called.
//! - [`ServerSpec`], [`Endpoint`] and [`RemoteEndpoint`]: how to reach a server;
//!   [`TimeLimits`]: how long it may take.
//! - [`Phase`], [`Failure`], [`ConnectionStatus`]: where a connection is, and why it stopped.
//! - [`Timestamp`], [`Millis`], [`ByteCount`]: quantities that are JSON numbers.
//! - [`ErrorCode`]: the codes on which somebody acts.
//!
//! The types that cross to the window derive `specta::Type`, so that the TypeScript
//! bindings are generated from the one definition.

mod certificate;
mod era;
mod error_code;
mod failure;
mod id;
mod internal_error;
mod limits;
mod package_runner;
mod phase;
mod quantity;
mod remote;
mod spec;
mod status;
mod visible;

pub use certificate::{CertificateFacts, CertificateFault};
pub use era::Era;
pub use error_code::ErrorCode;
pub use failure::{
    Failure, FailureReport, Hint, HintAction, NetworkStage, UnansweredRequest, essential_lines,
};
pub use id::{ConnectionId, ExchangeId, FrameId, ServerId};
pub use internal_error::{InternalError, install_panic_hook};
pub use limits::{EnvironmentLimits, Limit, LimitSource, MAX_TIME_LIMIT, TimeLimits};
pub use package_runner::package_runner;
pub use phase::Phase;
pub use quantity::{ByteCount, Millis, Timestamp};
pub use remote::{Fingerprint, FingerprintError, RemoteEndpoint, RemoteTransport, Trust};
pub use spec::{Endpoint, EraChoice, ServerSpec, quoted};
pub use status::{
    ConnectStep, ConnectionStatus, HandshakeResult, Health, Icon, KnownEndpoint, MethodCount,
    PhaseRecord, Reconnection, StepOutcome, TransportKind,
};
pub use visible::{is_invisible, visible, visible_lines};
