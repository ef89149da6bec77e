//! Vocabulary that every part of Sightglass shares. No I/O happens here.
//!
//! ```text
//! id                     ServerId, ConnectionId, FrameId, ExchangeId
//! defined_by             DefinedBy: who says how to reach a server
//! spec remote era        ServerSpec, Endpoint, RemoteEndpoint, Trust: how to reach a server
//! permitted              PermittedSpec: what may be started and contacted
//! host                   hosts of addresses: one form each, and those that are not public
//! client_options         ClientOptions, ProtocolChoice: what the client offers and declares
//! limits phase           TimeLimits, Phase: how far a connection is, and how long it may take
//! status failure/        ConnectionStatus, Failure, Hint: what a connection shows of itself
//! features               DeclaredFeatures: what a server declares beyond its lists
//! finding                Finding, Verdict: results of checks
//! quantity               Timestamp, Millis, ByteCount: quantities that are JSON numbers
//! error_code             ErrorCode: the codes on which the window or a script acts
//! stored                 names that earlier versions wrote into files
//! visible shell markdown text of strangers, as it is shown, pasted into a shell, put into Markdown
//! brief sentence         texts that are too long to be shown whole, messages as sentences
//! wildcards              patterns with `*` and `?`
//! ```
//!
//! The types that cross to the window derive `specta::Type`, so that the TypeScript
//! bindings are generated from the one definition.
#![doc = include_str!("../../../guide/glossary.md")]

mod brief;
mod certificate;
mod client_options;
mod defined_by;
mod era;
mod error_code;
mod failure;
mod features;
mod finding;
mod host;
mod id;
mod internal_error;
mod limits;
pub mod markdown;
mod package_runner;
mod permitted;
mod phase;
mod quantity;
mod remote;
mod sentence;
mod shell;
mod spec;
mod status;
mod stored;
mod sync;
mod visible;
mod wildcards;

pub use brief::brief;
pub use certificate::{CertificateFacts, CertificateFault};
pub use client_options::{ClientOptions, DeclaredCapabilities, ProtocolChoice};
pub use defined_by::DefinedBy;
pub use era::{Era, EraChoice};
pub use error_code::ErrorCode;
pub use failure::{
    Awaited, Failure, FailureReport, Hint, HintAction, HttpFault, NetworkStage, ProxyUsed,
    StackTrace, StartFault, TokenFault, UnansweredRequest, other_paths, sign_in_words,
};
pub use features::{DeclaredFeatures, SKILLS_EXTENSION, TASKS_EXTENSION};
pub use finding::{Clause, Finding, RequirementLevel, Verdict, VerdictCounts};
pub use host::{canonical_address, canonical_host, is_loopback_host, is_special_address};
pub use id::{ConnectionId, ExchangeId, FrameId, ServerId};
pub use internal_error::{InternalError, install_panic_hook};
pub use limits::{
    ClientLimits, EnvironmentLimits, Limit, LimitSource, MAX_TIME_LIMIT, SetLimits, TimeLimits,
};
pub use package_runner::package_runner;
pub use permitted::{PermittedSpec, ServerRules};
pub use phase::Phase;
pub use quantity::{ByteCount, Millis, Timestamp};
pub use remote::{
    ClientCertificate, Fingerprint, FingerprintError, HeadersHelper, RemoteEndpoint,
    RemoteTransport, Trust,
};
pub use sentence::sentence;
pub use shell::{command_line, curl_command, shell_quoted};
pub use spec::{Endpoint, ExpandedReference, ReferenceSource, ServerSpec};
pub use status::{
    ConnectStep, ConnectionLoss, ConnectionStatus, HandshakeResult, Health, Icon, KnownEndpoint,
    MethodCount, PhaseRecord, Reconnection, StepOutcome, StrayOutput, TransportKind,
};
pub use stored::{camel_case, rename_stored};
pub use sync::lock;
pub use visible::{
    CharacterClasses, MAX_BLANKS, character_classes, entirely_visible, entirely_visible_lines,
    hidden_characters, is_invisible, visible, visible_lines,
};
pub use wildcards::Wildcards;
