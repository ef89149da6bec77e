//! Views of signing in for the window. Nothing here holds a secret: texts that crossed
//! the wire are masked before they get here.

mod settings;
mod tokens;

use serde::{Deserialize, Serialize};
use sightglass_model::{Clause, ExchangeId, Finding, Millis, ServerId, Timestamp, Verdict};
use sightglass_secrets::{Redactor, VaultKind, mask_url};

pub use settings::*;
pub use tokens::*;

/// Sign-in state of one server. Published whole whenever it changes.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct AuthView {
    pub server: ServerId,
    /// The server's address.
    pub url: String,
    /// Its origin, for which secrets are entered now.
    pub origin: String,
    pub mode: AuthMode,
    pub status: AuthStatus,
    /// The identity that the next connection uses.
    pub identity: String,
    /// All identities of this server, in order of creation; at least the chosen one.
    pub identities: Vec<IdentityView>,
    pub vault: VaultView,
    /// Entries for another server of this name, which are neither used nor sent here.
    pub withheld: Vec<WithheldView>,
    /// The sign-in that runs, or the last one since the program started.
    pub attempt: Option<SignInView>,
}

/// Settings and secrets that were entered for another server of the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WithheldView {
    /// Absent for what was stored before Sightglass kept for which server it is.
    pub entered_for: Option<Binding>,
    pub secrets: Vec<SettingSecret>,
    /// Message with the server it was entered for; says that it was not sent.
    pub message: String,
}

/// The origin for which something was entered, and the project for a server that a project
/// defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Binding {
    /// Scheme, host and port (RFC 6454, section 6.2).
    pub origin: String,
    /// The directory of the project whose files define the server.
    pub project: Option<String>,
}

/// An authorization server that would get what the user entered, and has not been agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct IssuerQuestion {
    pub issuer: String,
    /// The one that was agreed to before.
    pub instead_of: Option<String>,
}

impl IssuerQuestion {
    /// The question in words.
    pub(crate) fn message(&self) -> String {
        match &self.instead_of {
            Some(old) => format!(
                "This server now names another authorization server: {} instead of {old}.",
                self.issuer
            ),
            None => format!(
                "This server names {} as its authorization server. You have not agreed to it yet.",
                self.issuer
            ),
        }
    }

    /// Returns what the user can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self.instead_of {
            Some(_) => {
                "Nothing was sent there. Ask the server's operator if it has moved. If so, agree \
                 to the new one under Sign-in."
            }
            None => {
                "Nothing was sent there. If your client is registered there, agree to it under \
                 Sign-in."
            }
        }
    }
}

/// An authorization server whose token endpoint would get the code of another origin.
///
/// The user signs in at the one and trusts what is seen there; the other gets the code. Metadata
/// that names the page of somebody else could have that account's code sent to itself (RFC 9700,
/// section 4.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct EndpointQuestion {
    pub issuer: String,
    /// Origin of the page at which the user signs in.
    pub authorization: String,
    /// Origin that the code is sent to.
    pub token: String,
}

impl EndpointQuestion {
    /// The question in words.
    pub fn message(&self) -> String {
        format!(
            "You would sign in at {}, and the code that you get there would be sent to {}. \
             Whoever gets it can use your account.",
            self.authorization, self.token
        )
    }
}

/// Source of tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum AuthMode {
    /// The user signs in: OAuth 2.1, authorization code with PKCE.
    #[default]
    Oauth,
    /// Never: a 401 is a failure like any other.
    Off,
    /// A fixed token, from the keychain, from an environment variable, or from a configured
    /// `Authorization` header.
    Bearer,
    /// The program signs in for itself (RFC 6749, section 4.4).
    ClientCredentials,
    /// The company's identity provider vouches for the user (enterprise-managed
    /// authorization, ID-JAG).
    Enterprise,
    /// The platform on which the program runs vouches for it (workload identity, RFC 7523).
    Workload,
}

/// Sign-in state of the chosen identity.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum AuthStatus {
    /// No grant, and nothing has asked for one yet.
    SignedOut,
    /// The server asked for a token, or for more than the one it got.
    Required {
        challenge: ChallengeView,
    },
    /// The keychain is locked and its own dialog is waiting for the user.
    WaitingForKeychain {
        since: Timestamp,
    },
    SignedIn,
    /// The grant is no longer valid.
    Expired {
        reason: String,
    },
}

/// Challenge of the server when it refused a request.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeView {
    pub url: String,
    /// 401 or 403.
    pub status: u16,
    /// `WWW-Authenticate`, verbatim; absent when there was none.
    pub header: Option<String>,
    pub scope: Option<String>,
    pub error: Option<String>,
    pub error_description: Option<String>,
    pub resource_metadata: Option<String>,
    /// Summary in one sentence.
    pub message: String,
}

impl ChallengeView {
    /// Masks what the redactor knows, which a server may repeat under any name.
    pub(crate) fn masked(mut self, redactor: &Redactor) -> Self {
        let mask =
            |text: &mut String| *text = redactor.text(std::mem::take(text).into()).into_owned();
        self.url = mask_url(&self.url);
        mask(&mut self.url);
        mask(&mut self.message);
        let optional = [
            &mut self.header,
            &mut self.scope,
            &mut self.error,
            &mut self.error_description,
            &mut self.resource_metadata,
        ];
        optional.into_iter().flatten().for_each(mask);
        self
    }
}

/// One named identity at one server.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct IdentityView {
    pub name: String,
    /// Grant; absent before the first sign-in and after signing out.
    pub grant: Option<GrantView>,
    /// Reason why its grant is no longer valid.
    pub problem: Option<String>,
}

/// Facts of a grant without its secrets.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    pub issuer: String,
    /// Account that signed in, as the ID token says.
    pub account: Option<String>,
    pub client_id: String,
    pub registration: RegistrationKind,
    /// The resource that the token was asked for (RFC 8707).
    pub resource: String,
    /// The wider address that the token counts for: every server below it takes the token. Absent
    /// where it is for this server alone, or nothing is known of that.
    pub wider_resource: Option<String>,
    /// Scopes that were asked for.
    pub scopes_requested: Vec<String>,
    /// Scopes that were granted; as requested where the answer did not say (RFC 6749, section 5.1).
    pub scopes_granted: Vec<String>,
    pub signed_in_at: Timestamp,
    /// Absent when the answer named no lifetime.
    pub expires_at: Option<Timestamp>,
    /// True when there is a refresh token.
    pub refreshable: bool,
    /// True when the authorization server takes revocations.
    pub revocable: bool,
    pub kept_in: VaultKind,
}

/// Says that a token for a resource counts for more than one server.
pub(crate) fn wider_words(resource: &str) -> String {
    format!("a token for it counts for all of {resource}, not for this server alone")
}

/// Means by which the client got its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RegistrationKind {
    /// The user entered it.
    PreRegistered,
    /// The id is the address of a Client ID Metadata Document.
    MetadataDocument,
    /// Dynamic registration (RFC 7591).
    Dynamic,
}

/// Secret store.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct VaultView {
    pub kind: VaultKind,
    /// False before the first use: the keychain is then what will be tried.
    pub settled: bool,
    /// Name of the place: "Secret Service", "macOS Keychain".
    pub label: String,
    /// The file, for kind `file`.
    pub path: Option<String>,
    /// Store that everything can be moved to with `move_secrets`.
    pub can_move_to: Option<VaultKind>,
    /// Reason why the keychain is not in use, or what is wrong with it.
    pub problem: Option<String>,
    /// Time since which the keychain has been waiting to be unlocked.
    pub waiting_since: Option<Timestamp>,
}

/// One sign-in, step by step.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInView {
    /// Unique while the program runs.
    pub id: u32,
    pub identity: String,
    pub purpose: SignInPurpose,
    pub started: Timestamp,
    /// Absent while it runs.
    pub duration: Option<Millis>,
    pub state: SignInState,
    /// The steps in their order; all of them from the beginning.
    pub steps: Vec<StepView>,
    /// The steps before which it pauses.
    pub pauses: Vec<StepKind>,
    /// The address that the browser is sent to. `state` and `code_challenge` in it are of no
    /// use to anybody else.
    pub address: Option<String>,
    /// URI that the browser is sent back to.
    pub redirect_uri: Option<String>,
    /// End of the wait for the browser.
    pub deadline: Option<Timestamp>,
    /// True when the user pastes the address that the browser was sent back to.
    pub manual: bool,
    /// Means by which the client got its id. The window reads it off the steps.
    #[serde(skip)]
    pub client: Option<RegistrationKind>,
    /// The authorization server that the user has to agree to before it goes on.
    pub issuer_question: Option<IssuerQuestion>,
    /// The origins that the user has to agree to before it goes on.
    pub endpoint_question: Option<EndpointQuestion>,
    /// Reason why it failed.
    pub failure: Option<SignInFailure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SignInPurpose {
    SignIn,
    /// The server wants a scope that the grant lacks.
    StepUp,
    ClientCredentials,
    Enterprise,
    Workload,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SignInState {
    Running,
    /// Paused before a step, until the user continues.
    Paused,
    WaitingForBrowser,
    /// Manual mode: until the user pastes the address.
    WaitingForPaste,
    WaitingForKeychain,
    /// Waiting for consent to the authorization server, or to its endpoints.
    WaitingForAgreement,
    Succeeded,
    Failed,
    Cancelled,
}

impl SignInState {
    /// Returns true when nothing more will happen.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// Reason why a sign-in failed, and what to do next.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInFailure {
    pub step: StepKind,
    pub message: String,
    pub hint: String,
    pub clause: Option<Clause>,
    /// The step that mends it, which the hint names as in the window. The command line takes it in
    /// its own way.
    #[serde(skip)]
    pub remedy: Option<SignInRemedy>,
    /// True when the server offers no OAuth, and a token that the user already has may do.
    pub wants_token: bool,
}

/// Step that mends a failed sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInRemedy {
    /// A client has to be registered by hand, and its id entered.
    EnteredClient {
        /// Advice on a token that the server takes in place of one.
        instead: Option<String>,
    },
    /// A client is registered anew, in place of the one that was registered before.
    NewClient,
    /// Other scopes are asked for: these, where that is known.
    Scopes(Option<Vec<String>>),
    /// The parameter `resource` is left out.
    OmitResource,
    /// The user copies the address back from a browser elsewhere.
    Manual,
    /// The user agrees to this authorization server.
    Issuer(String),
    /// A token or another value is put into the header `Authorization`.
    Header,
    /// The present sign-in is forgotten first.
    SignOut,
    /// The place of the secrets is opened, or another one is used.
    SecretStorage,
    /// A setting that the window alone has, under Sign-in, Client.
    Settings,
}

impl SignInRemedy {
    /// Changes every text in it, for instance to mask what is secret.
    pub(crate) fn rewritten(self, change: impl Fn(String) -> String) -> Self {
        match self {
            Self::Scopes(Some(scopes)) => {
                Self::Scopes(Some(scopes.into_iter().map(change).collect()))
            }
            Self::Issuer(issuer) => Self::Issuer(change(issuer)),
            remedy => remedy,
        }
    }
}

/// The steps of every sign-in, in their order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "camelCase")]
pub enum StepKind {
    Challenge,
    ResourceMetadata,
    ServerMetadata,
    Registration,
    Authorization,
    Callback,
    Token,
    Retry,
}

impl StepKind {
    pub const ALL: [StepKind; 8] = [
        StepKind::Challenge,
        StepKind::ResourceMetadata,
        StepKind::ServerMetadata,
        StepKind::Registration,
        StepKind::Authorization,
        StepKind::Callback,
        StepKind::Token,
        StepKind::Retry,
    ];

    /// The step as the user reads it.
    pub fn title(self) -> &'static str {
        match self {
            StepKind::Challenge => "Challenge",
            StepKind::ResourceMetadata => "Resource metadata",
            StepKind::ServerMetadata => "Server metadata",
            StepKind::Registration => "Registration",
            StepKind::Authorization => "Authorization",
            StepKind::Callback => "Callback",
            StepKind::Token => "Token",
            StepKind::Retry => "Retry",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct StepView {
    pub step: StepKind,
    pub state: StepState,
    /// Absent before it began.
    pub started: Option<Timestamp>,
    /// Absent while it runs.
    pub duration: Option<Millis>,
    /// Result in one line.
    pub summary: Option<String>,
    /// The HTTP requests, in order. For the two metadata steps: the discovery matrix.
    pub exchanges: Vec<StepExchange>,
    /// Checks, in order.
    pub checks: Vec<Finding<ComparedValues>>,
    /// While paused: the request that comes next, secrets masked.
    pub draft: Option<RequestDraft>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StepState {
    Pending,
    Running,
    Paused,
    Done,
    /// Done by a guess, since nobody said so.
    Guessed,
    /// Not needed this time.
    Skipped,
    Failed,
}

/// One HTTP request of a step. The whole texts, masked.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct StepExchange {
    /// The row of the record.
    pub exchange: ExchangeId,
    pub method: String,
    pub url: String,
    /// Absent when no answer came.
    pub status: Option<u16>,
    /// Absent until the answer is there.
    pub duration: Option<Millis>,
    /// True when this is the answer that was used.
    pub chosen: bool,
    /// Remark on the variant, and on what was made of the answer.
    pub remark: Option<String>,
    /// Request line, headers and body.
    pub request: String,
    /// Status line, headers and body; at most 64 KiB.
    pub response: Option<String>,
}

impl StepExchange {
    /// Adds the exchange, or replaces what was known of it.
    pub(crate) fn record_in(self, exchanges: &mut Vec<StepExchange>) {
        let known = exchanges
            .iter_mut()
            .find(|known| known.exchange == self.exchange && self.exchange != ExchangeId(0));
        match known {
            Some(known) => *known = self,
            None => exchanges.push(self),
        }
    }
}

/// Values that a check compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ComparedValues {
    pub expected: String,
    pub actual: String,
}

/// Makes the finding of a check of two values, which has the name of what they stand for: `issuer`,
/// `state`.
pub(crate) fn compared(
    name: &str,
    verdict: Verdict,
    expected: impl Into<String>,
    actual: impl Into<String>,
    clause: Clause,
) -> Finding<ComparedValues> {
    let subject = ComparedValues {
        expected: expected.into(),
        actual: actual.into(),
    };
    Finding {
        clause: Some(clause),
        ..Finding::new(name, name, verdict, subject)
    }
}

/// A request that is about to be sent. Secrets in it read `•••`; those that are left alone
/// go out as they are, one that is overwritten goes out as it was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct RequestDraft {
    pub method: String,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
}

/// Options of a sign-in.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, specta::Type)]
pub struct SignInRequest {
    /// The chosen identity when absent. A new name makes a new identity.
    pub identity: Option<String>,
    /// The user pastes the address that the browser was sent back to.
    pub manual: bool,
    /// The steps to pause before.
    pub pauses: Vec<StepKind>,
    /// Only these scopes, in place of what the server asks for.
    pub scopes: Option<Vec<String>>,
    /// Registers a client anew, in place of the one that was registered before. The window restarts
    /// from the registration.
    #[serde(skip)]
    pub registers_anew: bool,
}

/// Result of signing out.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct SignOutReport {
    /// True when the authorization server confirmed the revocation.
    pub revoked: bool,
    pub message: String,
    pub exchanges: Vec<StepExchange>,
}

/// Form in which a sign-in is exported. Every form is redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SignInExport {
    /// Readable text, for a bug report.
    Text,
    Json,
    /// A Mermaid sequence diagram.
    Mermaid,
    /// Every request as a curl command.
    Curl,
}
