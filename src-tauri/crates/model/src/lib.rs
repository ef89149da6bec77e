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
//!
//! # Glossary
//!
//! | term | meaning |
//! |---|---|
//! | Approval | Consent of the user to a launch plan of a project's server. It is bound to the fingerprint of the plan, so that a changed entry asks again. |
//! | Attempt | One try to connect, from its first phase to its last, with a [`ConnectionId`]; or one sign-in to a server. |
//! | Binding | Origin, and project, for which a secret or a setting was entered. It is used nowhere else. |
//! | Challenge | Refusal of a request, 401 or 403, with `WWW-Authenticate` (RFC 9110, section 11.6.1; RFC 6750, section 3). |
//! | Client | Program with a configuration of its own, such as Claude Desktop; in `auth`, the OAuth client (RFC 6749, section 1.1). |
//! | Definition | One entry for a server in one file of one client, as written. |
//! | Draft | Definition in the form, or request before it is sent, while the user edits it. |
//! | Endpoint | Command line or address under which a server is reached. A [`KnownEndpoint`] says which transport and era an earlier connection found. |
//! | Era | Family of protocol revisions: with the `initialize` handshake (2025-11-25 and earlier), or stateless (2026-07-28). See [`Era`]. |
//! | Exchange | Request with its response, or a frame that stands alone; a row of the record. See [`ExchangeId`]. |
//! | Fact | Change of what hosts show, with its new state and a sequence number. |
//! | Finding | Result of a check: a rule held against a subject, with a verdict and words. See [`Finding`]. |
//! | Frame | One recorded thing: a message, a line of stderr, an HTTP request, a change of phase. See [`FrameId`]. |
//! | Grant | Access that an authorization server gave to an identity, with its tokens (RFC 6749, section 1.3, calls the credential for it a grant). |
//! | Handshake | Agreement on era, protocol version and capabilities: `initialize` or `server/discover` (MCP, Lifecycle). |
//! | Identity | Name for an account at one server. Each has a grant of its own. |
//! | Job | Work that starts, reports how far it is, ends, and can be stopped: a load run, an export. |
//! | Launch plan | What an entry starts or connects to before variables are filled in: the value that is shown, hashed, approved and started. |
//! | Notice | Change on which areas above the one that made it have to act. |
//! | Operation | One action of the user with all exchanges that it took: rounds for input, questions of the server, a repetition with another token. |
//! | Origin | Scheme, host and port of an address (RFC 6454). |
//! | Phase | Stage of a connection; each has a time limit of its own. See [`Phase`]. |
//! | Redactor | Masks the secrets that it knows, in every spelling, in what leaves memory: the record, messages, exports. |
//! | Scope | In `config`, the range of a file: managed, local, project or user. In `auth`, the extent of a token (RFC 6749, section 3.3). |
//! | Server ID | Client and name of a server, `mcp-json:filesystem`. See [`ServerId`]. |
//! | Session | Connection that has shaken hands; over Streamable HTTP the server may name it in `Mcp-Session-Id` (MCP, Transports). |
//! | Session file | Recorded traffic as a file (NDJSON, a frame on each line). One that is opened has a record of its own, and a `SessionId`. |
//! | Vault | Keychain of the operating system, or a file of the owner's, where secrets are kept. |

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
