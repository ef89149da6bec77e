//! Checks where the metadata of an authorization server was found, and where its endpoints are:
//! one authorization server must not get what another gave (mix-up; RFC 9700, section 4.4).

use sightglass_model::Verdict;
use url::Url;

use super::{Flow, SignInError, progress::Requirement};
use crate::{
    EndpointQuestion, StepKind, clause,
    oauth::{
        authorization_server::{AuthorizationServer, MetadataPlace},
        metadata::{ServerMetadata, origin},
    },
    store::AgreedEndpoints,
};

const STEP: StepKind = StepKind::ServerMetadata;

impl Flow {
    /// Refuses metadata that claims an issuer of another origin (RFC 8414, section 3.3), where the
    /// place that it is from was named by somebody else than the user.
    pub(super) fn check_place(
        &self,
        issuer: &str,
        url: &Url,
    ) -> Result<MetadataPlace, SignInError> {
        let place = MetadataPlace::of(issuer, url, |url| self.target.stored_address(url));
        let issuer_origin = origin(issuer);
        if place == MetadataPlace::WellKnown || issuer_origin == origin(url.as_str()) {
            return Ok(place);
        }
        let issuer_origin = issuer_origin.unwrap_or_else(|| issuer.to_owned());
        let subject = "place of the metadata";
        let is_own_setting = self
            .state
            .store
            .own_settings(&self.target)
            .server_metadata
            .is_some();
        if is_own_setting || self.target.project.is_none() {
            self.progress.check(
                STEP,
                Verdict::Overridden,
                subject,
                issuer_origin,
                url.as_str(),
                clause::issuer_identical(),
            );
            return Ok(place);
        }
        let message = format!(
            "The entry names {url} as the place of the metadata, which claims the issuer {issuer}. \
             Only {issuer_origin} can vouch for that issuer: one authorization server could \
             impersonate another."
        );
        self.progress.require(
            STEP,
            Requirement {
                holds: false,
                subject,
                expected: issuer_origin,
                actual: url.to_string(),
                clause: clause::issuer_identical(),
                message,
                hint: "Remove the place from the project's entry. If you know that it is right, \
                       enter it yourself under Sign-in, Client."
                    .to_owned(),
            },
        )?;
        Ok(place)
    }

    /// Makes sure that metadata names no token endpoint of another origin than the page that issues
    /// the code, and no revocation endpoint of another than issues the tokens, unless the user
    /// agreed to that.
    ///
    /// Only metadata is looked at. A page at the token endpoint's own origin can send the browser on
    /// to another authorization server, whose code then comes back here; its `iss` tells (RFC 9207).
    /// A redirect address for each authorization server (RFC 9700, section 4.4) would tell for
    /// clients that only we can register. Here it would not: who is sent the registration knows that
    /// address, and can register it for a client of its own wherever anyone may.
    pub(super) async fn check_endpoint_origins(
        &self,
        server: &AuthorizationServer,
        metadata: &mut ServerMetadata,
    ) -> Result<(), SignInError> {
        let origin_of = |endpoint: &Option<String>| endpoint.as_deref().and_then(origin);
        let authorization =
            origin_of(&metadata.authorization_endpoint).filter(|_| self.is_interactive());
        let token = origin_of(&metadata.token_endpoint);
        let revocation = origin_of(&metadata.revocation_endpoint);
        if let Some(authorization) = &authorization {
            self.check_authorization_origin(metadata, authorization);
        }
        if let (Some(authorization), Some(token)) = (&authorization, &token)
            && authorization != token
        {
            let question = EndpointQuestion {
                issuer: metadata.issuer.clone(),
                authorization: authorization.clone(),
                token: token.clone(),
            };
            self.check_token_origin(server, metadata, question).await?;
        }
        if revocation.is_some()
            && revocation != token
            && revocation != authorization
            && self.settings.revocation_endpoint.is_none()
        {
            self.progress.check(
                STEP,
                Verdict::Warning,
                "origin of the revocation_endpoint",
                token.unwrap_or_default(),
                "another one, so it is not used: the tokens would be sent there",
                clause::mix_up(),
            );
            metadata.revocation_endpoint = None;
        }
        Ok(())
    }

    /// The browser is sent to an origin that the issuer does not vouch for by its own name. Some
    /// deployments are like that, so it is for the user to judge.
    fn check_authorization_origin(&self, metadata: &ServerMetadata, authorization: &str) {
        let Some(issuer) = origin(&metadata.issuer) else {
            return;
        };
        if authorization != issuer && self.settings.authorization_endpoint.is_none() {
            self.progress.check(
                STEP,
                Verdict::Warning,
                "origin of the authorization_endpoint",
                issuer,
                metadata.authorization_endpoint.clone().unwrap_or_default(),
                clause::server_metadata(),
            );
        }
    }

    /// Makes sure that the code may go to another origin than the one that issues it. No question
    /// is needed where the answer of the browser has to name its issuer: the authorization server
    /// of that page would name itself. That proves something for metadata at a place which the
    /// issuer vouches for.
    async fn check_token_origin(
        &self,
        server: &AuthorizationServer,
        metadata: &ServerMetadata,
        question: EndpointQuestion,
    ) -> Result<(), SignInError> {
        let check = |verdict, actual: &str| {
            self.progress.check(
                STEP,
                verdict,
                "origin of the token_endpoint",
                question.authorization.clone(),
                format!("{}: {actual}", question.token),
                clause::mix_up(),
            );
        };
        if self.settings.token_endpoint.is_some() {
            check(Verdict::Overridden, "entered by hand");
            return Ok(());
        }
        if metadata.authorization_response_iss_parameter_supported
            && server.place == Some(MetadataPlace::WellKnown)
        {
            check(
                Verdict::Passed,
                "the answer of the browser has to name the issuer",
            );
            return Ok(());
        }
        if !self.state.store.has_agreed_to(server, &question) {
            self.progress.ask_about_endpoints(question.clone()).await?;
            let agreed = AgreedEndpoints {
                authorization_server: server.clone(),
                authorization: question.authorization.clone(),
                token: question.token.clone(),
            };
            self.change_store(|records| records.agreed_endpoints.push(agreed))?;
        }
        check(Verdict::Overridden, "agreed to by you");
        Ok(())
    }
}
