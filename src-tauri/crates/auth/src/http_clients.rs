//! Makes the HTTP client for the requests on behalf of one server.

use std::sync::Arc;

use sightglass_http::AddressPolicy;
use sightglass_traffic::{ConnectionRecorder, Recorder};
use url::Url;

use crate::{
    HttpSetup, PermittedTarget, Target, challenges::Challenges, http::SignInClient,
    oauth::metadata::web_address, store::AuthStore,
};

pub(crate) struct HttpClients {
    pub recorder: Recorder,
    pub setup: Box<HttpSetup>,
    pub store: Arc<AuthStore>,
    pub challenges: Arc<Challenges>,
}

impl HttpClients {
    /// Starts a record of its own for the requests of one sign-in or one action.
    pub fn record(&self, target: &PermittedTarget) -> ConnectionRecorder {
        self.recorder
            .start_connection(target.server.clone(), &target.name, target.redactor())
    }

    /// Makes a client whose requests are recorded by `recorder`.
    pub fn client(
        &self,
        target: &PermittedTarget,
        recorder: ConnectionRecorder,
    ) -> Result<SignInClient, String> {
        let server = Url::parse(&target.url)
            .map_err(|error| format!("The server's address is invalid: {error}."))?;
        let policy = self.policy(target, &server);
        SignInClient::new(server, policy, &target.trust, &*self.setup, recorder)
    }

    /// Returns the policy for a server by the address that it was last reached at: of the
    /// challenge, or of the sign-in to it.
    fn policy(&self, target: &Target, server: &Url) -> Option<AddressPolicy> {
        let challenged = self
            .challenges
            .challenge_at(&target.server, &web_address(server.clone()))
            .and_then(|challenge| challenge.peer)
            .map(AddressPolicy::of_peer);
        challenged.or_else(|| {
            let records = self.store.records();
            let record = records.servers.get(&target.server)?;
            record
                .identities
                .iter()
                .filter_map(|identity| identity.grant.as_ref())
                .find(|grant| grant.server_url == target.address())
                .map(|grant| match grant.is_private {
                    true => AddressPolicy::Anywhere,
                    false => AddressPolicy::PublicOnly,
                })
        })
    }
}
