//! Signs in to MCP servers, step by step and in sight of the user.
//!
//! # The flow
//!
//! ```text
//!  challenge ── 401 or 403 with WWW-Authenticate            RFC 6750, RFC 9728 section 5.1
//!  resource metadata ── which authorization server          RFC 9728
//!  server metadata ── its endpoints and abilities           RFC 8414, OpenID Connect Discovery
//!  registration ── entered, metadata document, or dynamic   RFC 7591
//!  authorization ── the browser, with PKCE and a resource   RFC 7636, RFC 8707
//!  callback ── state and issuer checked                     RFC 8252, RFC 9207
//!  token ── exchanged, judged and kept in the vault         RFC 6749
//!  retry ── the connection, with the token
//! ```
//!
//! With enterprise-managed sign-in the browser goes to the identity provider of the company, whose
//! ID token is exchanged for an assertion to the authorization server (RFC 8693, RFC 7523).
//!
//! # The crate
//!
//! ```text
//! sign_ins  identities  entered_values  token_lab    SignIns, the façade
//! authorizer  status  attempts  export               each request's token; what is shown
//! flow/                                              the steps, their progress and errors
//! state  grants/  http_clients  challenges           what outlives a sign-in
//! change_signal                                      told whenever a sign-in changed
//! store  withheld  settings  target                  auth.json, and the server it is about
//! published_client                                   the metadata document of Sightglass
//! oauth/                                             challenges, metadata, tokens as data
//! http/                                              recorded requests under the SSRF policy
//! view/  clause                                      what crosses to the window
//! ```
//!
//! Modules use those below them.
//!
//! [`SignIns`] owns every sign-in. The user can pause before each step, edit the request that
//! comes next, and restart from any step. Each request is a frame of the record, with its
//! secrets masked before they get there; each check says what was expected, what came, and
//! where that is written.
//!
//! An [`Authorizer`] stands at the one place in `connection` through which requests leave: it
//! gives the token to each, refreshes it ahead of its end and when it is refused, and notes
//! the challenge when the user has to sign in.
//!
//! # Who gets what
//!
//! Entered secrets are bound to the server's origin, and to the project that defines it; client
//! secrets, keys and statements also to the issuer that the user agreed to. Elsewhere nothing is
//! sent, and the user is asked. Grants serve one address. What metadata names is visited under an
//! SSRF policy, which goes by the address that the server was really reached at.
//!
//! # Why not rmcp's `AuthorizationManager`
//!
//! It was read first. Its steps are private and run into each other, so none of them can be
//! paused, edited or restarted; its `OAuthHttpClient` sees requests, but not which check an
//! answer failed; it warns where the specification says refuse (no S256 in the metadata); it
//! stores neither client secret nor redirect address, knows no revocation, and treats a
//! redirect with `error=` as a missing code. So the steps are our own. `oauth2` supplies what
//! must be random and hashed (PKCE, `state`); its typed requests are not used, because a
//! request has to be data while the user edits it, and an answer is judged by its text.
//!
//! # What is not there
//!
//! **DPoP** (RFC 9449). rmcp 3.9 has no pieces for it, and its shapes leave no room:
//!
//! - `StreamableHttpClient` is handed the token as a text, and its implementation puts it on with
//!   `bearer_auth`. A proof is made for one method and one address and names the hash of the
//!   token (section 4.2); its custom headers are set once for a whole transport.
//! - `OAuthTokenResponse` counts on oauth2's `BasicTokenType`: `DPoP` is read as some extension,
//!   and the token goes out as a Bearer token all the same.
//! - `StoredCredentials` has no place for the key to which a grant is bound (section 5), and
//!   `AuthorizationManager` none for a nonce: it neither reads `DPoP-Nonce` nor asks once more
//!   after `use_dpop_nonce` (sections 8 and 9).
//! - Neither kind of metadata is read for `dpop_signing_alg_values_supported` and
//!   `dpop_bound_access_tokens_required`, so it stays unknown that it is wanted.
//!
//! Here the places would be the vault, for a key per grant; the `Client` of a flow, for proofs to
//! the token endpoint; and [`Authorizer::authorize`], which would have to be told method and
//! address, and [`Authorizer::accepted`] and [`Authorizer::refused`], which would learn nonces.
//! Until then a token of type DPoP is refused with these words rather than sent as a Bearer
//! token.
//!
//! **Statements of a platform.** With workload identity (RFC 7523, section 2.1) the program shows
//! a statement that its platform signed. One that is supplied is exchanged; none is fetched. rmcp
//! redeems by `jwt-bearer` only what its own token exchange gave it, behind a handle that takes
//! no statement from outside, and has no source of statements: no SPIFFE Workload API, no
//! projected token of Kubernetes, no metadata service of a cloud.

mod attempts;
mod authorizer;
mod challenges;
mod change_signal;
mod clause;
mod entered_values;
mod error;
mod export;
mod flow;
mod grants;
mod http;
mod http_clients;
mod identities;
mod oauth;
mod published_client;
mod settings;
mod sign_ins;
mod state;
mod status;
mod store;
mod target;
mod token_lab;
mod view;
mod withheld;

pub use authorizer::{Authorization, Authorizer, Decision};
pub use error::{AuthError, AuthStoreError};
pub use flow::BROWSER_TIMEOUT;
pub use http::HttpSetup;
pub use oauth::{challenge::Challenge, token::possible_faults};
pub use sightglass_secrets::VaultKind;
pub use sign_ins::{SignIns, SignInsOptions};
pub use target::{NamedClient, PermittedTarget, Target};
pub use view::*;
