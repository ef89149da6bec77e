//! Finds the authorization server (RFC 9728, RFC 8414, OpenID Connect Discovery, and the
//! fallbacks of MCP 2025-03-26).

use sightglass_model::Verdict;
use url::Url;

use super::{
    DiscoveredServer, Flow, ProtectedResource, SignInError, guess::addresses, progress::Requirement,
};
use crate::{
    SignInRemedy, StepKind, clause,
    http::{ExchangeError, OauthRequest},
    oauth::{
        authorization_server::{AuthorizationServer, MetadataPlace},
        metadata::{
            Described, MetadataDocument, ResourceMetadata, ServerMetadata, Variant, canonical,
            described, differ_by_slash, is_same_issuer, resource_variants, server_variants,
        },
    },
    view::wider_words,
};

/// Result of looking at one of several places.
pub(super) enum Discovered<T> {
    Document(Box<T>, Url),
    /// With what was said of the first place that did not answer.
    Nowhere(Option<String>),
}

impl Flow {
    pub(super) async fn resource_metadata(&mut self) -> Result<(), SignInError> {
        let step = StepKind::ResourceMetadata;
        let variants = self.resource_places()?;
        let found: Discovered<ResourceMetadata> = self.look(step, variants).await?;
        let Discovered::Document(document, url) = found else {
            return self.without_resource_metadata();
        };
        let named = document.resource.clone().unwrap_or_default();
        let relation = self.check_resource(&named)?;
        let issuer = self
            .settings
            .issuer
            .clone()
            .or_else(|| document.authorization_servers.first().cloned());
        let count = document.authorization_servers.len();
        self.progress.check(
            step,
            if count > 0 {
                Verdict::Passed
            } else {
                Verdict::Warning
            },
            "authorization_servers",
            "at least one",
            match count {
                0 => "none; the server itself is used".to_owned(),
                _ => document.authorization_servers.join(", "),
            },
            clause::authorization_servers(),
        );
        let mut summary = match &issuer {
            Some(issuer) => format!("{issuer} signs in for this server, says {}", url.path()),
            None => "It names no authorization server; the server itself is used".to_owned(),
        };
        if relation == Described::Wider {
            summary = format!("{summary}. It describes {named}: {}", wider_words(&named));
        }
        self.findings.resource = Some(ProtectedResource {
            resource: named,
            issuer,
            scopes: document.scopes_supported,
        });
        self.progress.done(step, summary);
        Ok(())
    }

    /// Checks which resource the metadata describes. Servers often describe themselves as a whole,
    /// which is pointed out; another server is refused.
    fn check_resource(&self, named: &str) -> Result<Described, SignInError> {
        let step = StepKind::ResourceMetadata;
        let relation = described(named, &self.server);
        if relation == Described::Wider {
            self.progress.check(
                step,
                Verdict::Warning,
                "resource",
                canonical(&self.server),
                format!("{named}: {}", wider_words(named)),
                clause::resource_identical(),
            );
            return Ok(relation);
        }
        self.progress.require(
            step,
            Requirement {
                holds: relation == Described::Server,
                subject: "resource",
                expected: canonical(&self.server),
                actual: if named.is_empty() {
                    "none".to_owned()
                } else {
                    named.to_owned()
                },
                clause: clause::resource_identical(),
                message: format!(
                    "The resource metadata is for {}, not for this server. A token requested with \
                     it would be valid at the other one.",
                    if named.is_empty() {
                        "no resource"
                    } else {
                        named
                    }
                ),
                hint: "Ask the server's operator to correct its resource metadata: `resource` \
                       must be the server's own address."
                    .to_owned(),
            },
        )?;
        Ok(relation)
    }

    fn resource_places(&self) -> Result<Vec<Variant>, SignInError> {
        if let Some(address) = &self.settings.resource_metadata {
            return Ok(vec![Variant {
                url: self.visitable("address of the resource metadata", address)?,
                remark: "entered by hand",
            }]);
        }
        let named = self
            .findings
            .challenge
            .as_ref()
            .and_then(|challenge| challenge.bearer()?.resource_metadata);
        let named = named
            .map(|address| self.visitable("address of the resource metadata", &address))
            .transpose()?;
        Ok(resource_variants(&self.server, named))
    }

    fn without_resource_metadata(&mut self) -> Result<(), SignInError> {
        let step = StepKind::ResourceMetadata;
        self.progress.check(
            step,
            Verdict::Warning,
            "resource metadata",
            "a document at one of the places",
            "none",
            clause::resource_well_known(),
        );
        self.findings.resource = Some(ProtectedResource {
            resource: canonical(&self.server),
            issuer: self.settings.issuer.clone(),
            scopes: None,
        });
        let nowhere = self.nowhere(step);
        match &self.settings.issuer {
            Some(issuer) => {
                let summary = format!("{nowhere}; {issuer} was entered");
                self.progress.done(step, summary);
            }
            None => self.progress.guessed(
                step,
                format!(
                    "{nowhere}; the server itself is taken for the authorization server (MCP \
                     2025-03-26)"
                ),
            ),
        }
        Ok(())
    }

    pub(super) async fn server_metadata(&mut self) -> Result<(), SignInError> {
        let step = StepKind::ServerMetadata;
        let named = self
            .findings
            .resource
            .as_ref()
            .and_then(|resource| resource.issuer.clone());
        let is_legacy = named.is_none();
        // The root of the server, in the fallback of 2025-03-26.
        let issuer = named.unwrap_or_else(|| self.server.origin().ascii_serialization());
        let issuer_url = self.visitable("issuer", &issuer)?;
        if issuer_url.query().is_some() || issuer_url.fragment().is_some() {
            return Err(SignInError::refused(
                format!("The issuer {issuer} is refused: it has a query or a fragment."),
                "Ask the authorization server's operator to correct its issuer.",
                clause::server_metadata(),
            ));
        }
        let variants = match &self.settings.server_metadata {
            Some(address) => vec![Variant {
                url: self.visitable("address of the server metadata", address)?,
                remark: "entered by hand",
            }],
            None => server_variants(&issuer_url),
        };
        let found: Discovered<ServerMetadata> = self.look(step, variants).await?;
        let (mut metadata, place, nowhere) = match found {
            Discovered::Document(document, url) => {
                self.check_issuer(&issuer, &document.issuer)?;
                let place = self.check_place(&document.issuer, &url)?;
                (*document, place, None)
            }
            Discovered::Nowhere(silent) => {
                let assumed = self.assumed_metadata(&issuer, &issuer_url, is_legacy, silent)?;
                (assumed, MetadataPlace::WellKnown, Some(self.nowhere(step)))
            }
        };
        let is_published = nowhere.is_none();
        let id = AuthorizationServer {
            issuer: metadata.issuer.clone(),
            place: Some(place),
        };
        self.check_grant_issuer(&id).await?;
        self.override_endpoints(&mut metadata);
        self.check_endpoints(&metadata, is_published)?;
        self.check_endpoint_origins(&id, &mut metadata).await?;
        if self.is_interactive() {
            self.check_pkce(&metadata, is_published)?;
        }
        if let Some(issuer) = self
            .settings
            .idp_issuer
            .clone()
            .filter(|_| self.has_provider())
        {
            self.findings.provider = Some(self.provider_metadata(&issuer).await?);
        }
        self.keep_server(id, metadata, nowhere);
        Ok(())
    }

    /// Keeps what is known of the authorization server, and says who said it. `nowhere` says where
    /// no metadata was found.
    fn keep_server(
        &mut self,
        id: AuthorizationServer,
        metadata: ServerMetadata,
        nowhere: Option<String>,
    ) {
        let is_guessed = nowhere.is_some() && !self.has_endpoints_by_hand();
        let summary = match nowhere {
            None => format!(
                "{}{}{}",
                metadata.issuer,
                if metadata.registration_endpoint.is_some() {
                    ", registers clients"
                } else {
                    ", registers no clients"
                },
                if metadata.client_id_metadata_document_supported {
                    ", reads client metadata documents"
                } else {
                    ""
                },
            ),
            Some(nowhere) if is_guessed => {
                format!("{nowhere}; the defaults of MCP 2025-03-26 are guessed")
            }
            Some(nowhere) => format!("{nowhere}; the endpoints were entered by hand"),
        };
        self.findings.server = Some(DiscoveredServer {
            id,
            metadata,
            is_guessed,
        });
        if is_guessed {
            self.progress.guessed(StepKind::ServerMetadata, summary);
        } else {
            self.progress.done(StepKind::ServerMetadata, summary);
        }
    }

    /// Says at how many addresses a step found nothing.
    fn nowhere(&self, step: StepKind) -> String {
        let tried = self.progress.statuses(step).len();
        format!("No metadata at {}", addresses(tried))
    }

    /// Returns true when the user entered every endpoint that is needed.
    fn has_endpoints_by_hand(&self) -> bool {
        self.settings.token_endpoint.is_some()
            && (self.settings.authorization_endpoint.is_some() || !self.is_interactive())
    }

    pub(super) fn check_issuer(&self, expected: &str, actual: &str) -> Result<(), SignInError> {
        let step = StepKind::ServerMetadata;
        if differ_by_slash(expected, actual) {
            self.progress.check(
                step,
                Verdict::Warning,
                "issuer",
                expected,
                actual,
                clause::issuer_identical(),
            );
            return Ok(());
        }
        self.progress.require(
            step,
            Requirement {
                holds: expected == actual,
                subject: "issuer",
                expected: expected.to_owned(),
                actual: if actual.is_empty() {
                    "none".to_owned()
                } else {
                    actual.to_owned()
                },
                clause: clause::issuer_identical(),
                message: format!(
                    "The metadata of {expected} names {} as its issuer. One authorization server \
                     could impersonate another.",
                    if actual.is_empty() { "nobody" } else { actual }
                ),
                hint: "Ask the authorization server's operator to correct its metadata: `issuer` \
                     must be the address it is looked up by. Or enter the issuer by hand under \
                     Settings, Sign-in, Client."
                    .to_owned(),
            },
        )
    }

    /// Drops the grant of another authorization server: the server names this one
    /// now (MCP, Authorization Server Location).
    async fn check_grant_issuer(&self, server: &AuthorizationServer) -> Result<(), SignInError> {
        let Some(grant) = self.state.store.usable_grant(&self.target, &self.identity) else {
            return Ok(());
        };
        let before = &grant.authorization_server;
        // The place is not known of a grant that was stored before it was kept.
        let is_same = match before.place {
            Some(_) => before.is_same(server),
            None => is_same_issuer(&before.issuer, &server.issuer),
        };
        if is_same {
            return Ok(());
        }
        let (before, issuer) = (before.responsible(), server.responsible());
        self.progress.check(
            StepKind::ServerMetadata,
            Verdict::Warning,
            "authorization server",
            before.clone(),
            issuer.clone(),
            clause::authorization_servers(),
        );
        self.state
            .grants
            .invalidate(&self.target, &self.identity, &before, &issuer)
            .await
            .map_err(|error| {
                SignInError::failed(
                    format!("The tokens of {before} could not be removed: {error}."),
                    "Unlock the keychain, or check the permissions, and sign in again.",
                )
                .mended_by(SignInRemedy::SecretStorage)
            })
    }

    /// No metadata: the default endpoints of 2025-03-26, or those entered by hand.
    fn assumed_metadata(
        &self,
        issuer: &str,
        issuer_url: &Url,
        is_legacy: bool,
        silent: Option<String>,
    ) -> Result<ServerMetadata, SignInError> {
        let step = StepKind::ServerMetadata;
        let by_hand = self.has_endpoints_by_hand();
        if !is_legacy && !by_hand {
            self.progress.check(
                step,
                Verdict::Failed,
                "server metadata",
                "a document at one of the places",
                "none",
                clause::server_discovery(),
            );
            let why = match self.progress.broken_answer(step) {
                Some((url, status)) => format!("Its metadata at {url} answered HTTP {status}."),
                None => silent.unwrap_or_else(|| format!("{issuer} publishes no metadata.")),
            };
            return Err(SignInError::refused(
                format!("The authorization server's endpoints are unknown. {why}"),
                "Check that it is running, or enter the endpoints by hand under Sign-in, Client.",
                clause::server_discovery(),
            ));
        }
        self.progress.check(
            step,
            Verdict::Warning,
            "server metadata",
            "a document at one of the places",
            if by_hand {
                "none; the endpoints were entered by hand"
            } else {
                "none; the default endpoints are tried"
            },
            clause::server_well_known(),
        );
        let endpoint = |path: &str| {
            let mut url = issuer_url.clone();
            url.set_path(path);
            Some(url.to_string())
        };
        Ok(ServerMetadata {
            issuer: issuer.to_owned(),
            authorization_endpoint: endpoint("/authorize"),
            token_endpoint: endpoint("/token"),
            registration_endpoint: is_legacy.then(|| endpoint("/register")).flatten(),
            ..ServerMetadata::default()
        })
    }

    fn override_endpoints(&self, metadata: &mut ServerMetadata) {
        let settings = &self.settings;
        let endpoints = [
            (
                "authorization_endpoint",
                &settings.authorization_endpoint,
                &mut metadata.authorization_endpoint,
            ),
            (
                "token_endpoint",
                &settings.token_endpoint,
                &mut metadata.token_endpoint,
            ),
            (
                "registration_endpoint",
                &settings.registration_endpoint,
                &mut metadata.registration_endpoint,
            ),
            (
                "revocation_endpoint",
                &settings.revocation_endpoint,
                &mut metadata.revocation_endpoint,
            ),
        ];
        for (name, by_hand, endpoint) in endpoints {
            if let Some(by_hand) = by_hand {
                self.progress.check(
                    StepKind::ServerMetadata,
                    Verdict::Overridden,
                    name,
                    by_hand.clone(),
                    endpoint.clone().unwrap_or_else(|| "none".to_owned()),
                    clause::server_metadata(),
                );
                *endpoint = Some(by_hand.clone());
            }
        }
    }

    fn check_endpoints(
        &self,
        metadata: &ServerMetadata,
        is_published: bool,
    ) -> Result<(), SignInError> {
        let step = StepKind::ServerMetadata;
        let by_hand = &self.settings;
        let endpoints = [
            (
                "authorization_endpoint",
                &metadata.authorization_endpoint,
                &by_hand.authorization_endpoint,
                self.is_interactive(),
            ),
            (
                "token_endpoint",
                &metadata.token_endpoint,
                &by_hand.token_endpoint,
                true,
            ),
            (
                "registration_endpoint",
                &metadata.registration_endpoint,
                &by_hand.registration_endpoint,
                false,
            ),
            (
                "revocation_endpoint",
                &metadata.revocation_endpoint,
                &by_hand.revocation_endpoint,
                false,
            ),
        ];
        for (name, endpoint, by_hand, is_needed) in endpoints {
            let Some(endpoint) = endpoint else {
                if is_needed {
                    return self.progress.require(
                        step,
                        Requirement {
                            holds: false,
                            subject: name,
                            expected: "an https address".to_owned(),
                            actual: "none".to_owned(),
                            clause: clause::server_metadata(),
                            message: format!("The metadata has no {name}."),
                            hint: "Enter the endpoint by hand under Sign-in, Client.".to_owned(),
                        },
                    );
                }
                continue;
            };
            match self.visitable(name, endpoint) {
                // Nobody says that there is anything.
                Ok(_) if !is_published && by_hand.is_none() => self.progress.check(
                    step,
                    Verdict::Skipped,
                    name,
                    "an https address",
                    format!("{endpoint}, a guess"),
                    clause::server_metadata(),
                ),
                Ok(_) => self.progress.check(
                    step,
                    Verdict::Passed,
                    name,
                    "an https address",
                    endpoint.clone(),
                    clause::server_metadata(),
                ),
                Err(halt) => {
                    self.progress.check(
                        step,
                        Verdict::Failed,
                        name,
                        "an https address",
                        endpoint.clone(),
                        clause::scheme(),
                    );
                    return Err(halt);
                }
            }
        }
        Ok(())
    }

    fn check_pkce(&self, metadata: &ServerMetadata, is_published: bool) -> Result<(), SignInError> {
        if !is_published {
            // MCP 2025-03-26 requires it of every authorization server.
            self.progress.check(
                StepKind::ServerMetadata,
                Verdict::Skipped,
                "code_challenge_methods_supported",
                "S256",
                "no metadata says it",
                clause::pkce_advertised(),
            );
            return Ok(());
        }
        let methods = metadata
            .code_challenge_methods_supported
            .clone()
            .unwrap_or_default();
        let holds = methods.iter().any(|method| method == "S256");
        let actual = if methods.is_empty() {
            "none".to_owned()
        } else {
            methods.join(", ")
        };
        if !holds && self.settings.allow_missing_s256 {
            self.progress.check(
                StepKind::ServerMetadata,
                Verdict::Overridden,
                "code_challenge_methods_supported",
                "S256",
                actual,
                clause::pkce_advertised(),
            );
            return Ok(());
        }
        self.progress.require(
            StepKind::ServerMetadata,
            Requirement {
                holds,
                subject: "code_challenge_methods_supported",
                expected: "S256".to_owned(),
                actual,
                clause: clause::pkce_advertised(),
                message: "The authorization server does not declare PKCE with S256. Without it, a \
                          stolen code is enough to get a token."
                    .to_owned(),
                hint:
                    "Ask the authorization server's operator to support it. Or allow it for this \
                     server under Sign-in, Client (unsafe)."
                        .to_owned(),
            },
        )
    }

    /// Looks at the places one by one until one has the document.
    pub(super) async fn look<T: MetadataDocument>(
        &self,
        step: StepKind,
        variants: Vec<Variant>,
    ) -> Result<Discovered<T>, SignInError> {
        let mut silent = None;
        for variant in variants {
            let request = OauthRequest::get(variant.url.clone());
            let sent = self
                .progress
                .send(&self.http, step, request, variant.remark)
                .await?;
            let answer = match sent {
                Ok(answer) => answer,
                Err(ExchangeError {
                    refused: true,
                    message,
                    clause,
                }) => {
                    let clause = clause.unwrap_or_else(clause::server_metadata);
                    self.progress.check(
                        step,
                        Verdict::Failed,
                        "answer",
                        "a document of modest size from the place that was asked",
                        message.clone(),
                        clause.clone(),
                    );
                    return Err(SignInError::refused(
                        message,
                        "Ask the server's operator, or enter the endpoints by hand under Sign-in, \
                         Client.",
                        clause,
                    ));
                }
                Err(unanswered) => {
                    silent.get_or_insert(unanswered.message);
                    continue;
                }
            };
            if !answer.is_success() {
                continue;
            }
            // A page or an object for every path is not rare, so what is no document, or an empty
            // one, counts as absent.
            match serde_json::from_str::<T>(&answer.body) {
                Ok(document) if answer.body.trim_start().starts_with('{') => {
                    if document.is_empty() {
                        self.progress.remark(step, "the document says nothing");
                        continue;
                    }
                    self.progress.chosen(step);
                    return Ok(Discovered::Document(Box::new(document), variant.url));
                }
                _ => self.progress.remark(step, "not a metadata document"),
            }
        }
        Ok(Discovered::Nowhere(silent))
    }
}
