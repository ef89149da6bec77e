//! Calls tools as another identity, over connections beside the user's own.

use sightglass_area_core::{command::commands, error::InspectorError, view::CallReport};
use sightglass_connection::{ConnectionKey, Params};
use sightglass_model::ServerId;

use crate::{
    confirmation::{Consent, PendingCall},
    requests::McpRequests,
};

#[commands(as_identity_commands)]
impl McpRequests {
    /// Calls a tool as another identity, over a connection of its own that is closed after it.
    ///
    /// # Errors
    /// When the arguments are not a JSON object, the call was not confirmed, or no connection comes
    /// about.
    #[command]
    pub async fn call_tool_as(
        &self,
        server: &ServerId,
        identity: &str,
        key: &str,
        tool: &str,
        input: &str,
    ) -> Result<CallReport, InspectorError> {
        let params = Params::tool_call(tool, &Params::parse(input)?);
        let call = PendingCall {
            identity: Some(identity),
            ..PendingCall::once(server, key, &params)
        };
        let called = self.confirmations.confirm_call(call, Consent::None).await?;
        let target = self.sign_in_targets.auth_target(server)?;
        let (spec, _) = self
            .lifecycle
            .permitted(server, self.sign_in_targets.resolved_spec(server)?)?;
        let name = format!("{} as {identity}", spec.name);
        let authorizer = self.core.sign_ins.authorizer(&target, Some(identity));
        let beside = ConnectionKey::beside(server, identity);
        let before = self.core.connections.status(&beside);
        let before = before.and_then(|status| status.connection);
        self.core
            .connections
            .connect_with(&beside, spec.renamed(name), Some(authorizer));
        let reached = self.open_connections.settled(&beside, before).await;
        let outcome = match reached {
            Ok(_) => {
                self.request_masked(&beside, key, "tools/call", &params, called.definition)
                    .await
            }
            Err(words) => Err(InspectorError::InvalidInput(format!(
                "As {identity} there is no connection: {words}."
            ))),
        };
        self.core.connections.disconnect(&beside).await;
        self.core.connections.forget(&beside);
        outcome
    }
}
