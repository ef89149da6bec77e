//! Confirmation of calls of tools before they are sent.
//!
//! A call of a tool that declares itself destructive waits for the user, and so does one about which
//! the rules of a client ask, where the calls of its server are held to them. A rule that denies
//! refuses the call, whatever the user agreed to.
//!
//! Every way that sends `tools/call` comes through [`Confirmations::confirm_call`]. The parameters
//! stay with the caller that waits, so that those that are confirmed are those that are sent. A
//! tool that declares nothing is not asked about: the default of `destructiveHint` is true (MCP
//! 2025-11-25, ToolAnnotations), and a question at nearly every call would be answered without
//! reading it.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU32, Ordering},
    },
};

use serde_json::Value;
use sightglass_area_core::{
    command::commands,
    core::Core,
    effects::is_destructive,
    error::InspectorError,
    options::ConfirmationMode,
    text_hash::hash_of,
    view::{CallConfirmation, ConfirmationAnswer, ConfirmationReason, Fact},
};
use sightglass_area_servers::{server_settings::SettingsByServer, server_spec::ServerSpecs};
use sightglass_config::Client;
use sightglass_connection::Params;
use sightglass_json_text::Members;
use sightglass_llm_tools::permissions::{Effect, PermissionVerdict};
use sightglass_model::{ServerId, lock};
use tokio::sync::oneshot;

use crate::{client_rules::ClientRules, lists::Lists};

/// Agreement of the user to one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    None,
    /// The user saw this call and agreed to it.
    Given,
}

/// A call that is about to be sent.
pub struct PendingCall<'a> {
    pub server: &'a ServerId,
    /// Name of the call for cancelling it.
    pub key: &'a str,
    /// Parameters of `tools/call`, as they will be sent.
    pub params: &'a Params,
    /// Identity as which it is called, where that is another than the chosen one.
    pub identity: Option<&'a str>,
    /// Number of times that it is sent.
    pub count: u32,
    /// Definition of the tool on a connection of the caller's own; `None` to take that of the
    /// server's.
    pub definition: Option<Box<str>>,
    /// Definition of the tool that the user saw; `None` where nothing was shown, or a change is what
    /// the user wants.
    pub shown: Option<&'a str>,
}

impl<'a> PendingCall<'a> {
    pub fn once(server: &'a ServerId, key: &'a str, params: &'a Params) -> Self {
        Self {
            server,
            key,
            params,
            identity: None,
            count: 1,
            definition: None,
            shown: None,
        }
    }
}

/// A tool that needs no confirmation until the application ends, as all of this is now.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Agreement {
    server: ServerId,
    /// Hash of the command line or address; absent where the entry leads nowhere any more.
    endpoint: Option<String>,
    identity: Option<String>,
    tool: String,
    definition: Option<Box<str>>,
    /// Reasons for which the user was asked, as JSON. Another one is another question.
    reasons: String,
}

struct OpenConfirmation {
    view: CallConfirmation,
    key: String,
    answer: oneshot::Sender<ConfirmationAnswer>,
}

/// Calls that wait for the user, and the tools that need no confirmation any more.
#[derive(Default)]
pub struct OpenConfirmations {
    number: AtomicU32,
    open: Mutex<BTreeMap<u32, OpenConfirmation>>,
    agreed: Mutex<HashSet<Agreement>>,
}

impl OpenConfirmations {
    /// The calls that wait, the oldest first.
    pub fn open(&self) -> Vec<CallConfirmation> {
        lock(&self.open)
            .values()
            .map(|open| open.view.clone())
            .collect()
    }
}

/// Takes a confirmation back when the call that waits for it is dropped.
struct TakenBack<'a> {
    confirmations: &'a Confirmations,
    id: u32,
}

impl Drop for TakenBack<'_> {
    fn drop(&mut self) {
        let removed = lock(&self.confirmations.open.open).remove(&self.id);
        if removed.is_some() {
            self.confirmations.publish_confirmations();
        }
    }
}

/// A call as its parameters were read, and reasons for confirming it.
pub struct JudgedCall {
    /// Name of the tool; absent where the parameters name none, or several that servers may choose
    /// from.
    pub tool: Option<String>,
    /// Definition of the tool, where it is known.
    pub definition: Option<Box<str>>,
    reasons: Vec<ConfirmationReason>,
}

impl JudgedCall {
    /// Returns the name of the tool; empty where there is none.
    fn tool_name(&self) -> String {
        self.tool.clone().unwrap_or_default()
    }
}

/// Confirmation of calls of tools before they are sent.
pub struct Confirmations {
    pub(crate) core: Arc<Core>,
    pub(crate) client_rules: Arc<ClientRules>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub open: OpenConfirmations,
    /// For work that goes on in the background.
    pub(crate) this: Weak<Confirmations>,
}

#[commands]
impl Confirmations {
    /// Returns once a call may be sent, with what it calls.
    ///
    /// # Errors
    /// [`InspectorError::DeniedByRule`], [`InspectorError::NotConfirmed`] where there is nobody to
    /// ask, [`InspectorError::CallRefused`] when the user did not confirm it or cancelled it
    /// meanwhile; when the tool changed since it was shown, or while the call waited.
    pub async fn confirm_call(
        &self,
        call: PendingCall<'_>,
        consent: Consent,
    ) -> Result<JudgedCall, InspectorError> {
        let judged = self.judge(&call).await?;
        // The server may have been connected since, to another version or to another program.
        if !self.is_as_shown(&call, judged.definition.as_deref()) {
            return Err(definition_changed(&judged));
        }
        if judged.reasons.is_empty() || consent == Consent::Given {
            return Ok(judged);
        }
        match self.core.options.confirmation {
            ConfirmationMode::Agreed => return Ok(judged),
            ConfirmationMode::Refuse => {
                return Err(InspectorError::NotConfirmed {
                    tool: judged.tool_name(),
                    reasons: judged.reasons,
                });
            }
            ConfirmationMode::Ask => {}
        }
        let agreement = Agreement {
            server: call.server.clone(),
            endpoint: self
                .specs
                .spec(call.server)
                .ok()
                .map(|spec| hash_of(spec.endpoint.identity().expose())),
            identity: call.identity.map(str::to_owned),
            tool: judged.tool_name(),
            definition: judged.definition.clone(),
            reasons: serde_json::to_string(&judged.reasons).unwrap_or_default(),
        };
        // A call that could be one of any tool is agreed to by itself.
        let is_clear = !judged.reasons.contains(&ConfirmationReason::Ambiguous);
        if is_clear && lock(&self.open.agreed).contains(&agreement) {
            return Ok(judged);
        }
        let answer = self.ask_to_confirm(&call, &judged).await;
        let agreed = answer.filter(|answer| *answer != ConfirmationAnswer::Refuse);
        let Some(answer) = agreed else {
            return Err(InspectorError::CallRefused {
                tool: judged.tool_name(),
            });
        };
        // The server, or a file of rules, may have changed while the call waited.
        if self.judge(&call).await?.definition != judged.definition {
            return Err(definition_changed(&judged));
        }
        if is_clear && answer == ConfirmationAnswer::CallForSession {
            lock(&self.open.agreed).insert(agreement);
        }
        Ok(judged)
    }

    /// Tells whether a tool is defined as the user saw it. Spaces and the order of members may differ,
    /// and secrets be masked: so they are in a definition that was stored.
    fn is_as_shown(&self, call: &PendingCall<'_>, definition: Option<&str>) -> bool {
        let Some(shown) = call.shown else {
            return true;
        };
        let Some(definition) = definition else {
            return false;
        };
        if shown == definition {
            return true;
        }
        let Ok(shown) = serde_json::from_str::<Value>(shown) else {
            return false;
        };
        let is_shown = |text: &str| serde_json::from_str(text).is_ok_and(|now: Value| now == shown);
        let masked = || self.core.connections.masked(call.server, definition);
        is_shown(definition) || masked().is_some_and(|masked| is_shown(&masked))
    }

    async fn judge(&self, call: &PendingCall<'_>) -> Result<JudgedCall, InspectorError> {
        let members = Members::parse(call.params.text()).ok();
        let alike = members.as_ref().map(|members| members.count_alike("name"));
        let named = members.and_then(|members| members.only_string("name"));
        let mut reasons = Vec::new();
        // A call that names no tool at all is a test of the server.
        if named.is_none() && alike != Some(0) {
            reasons.push(ConfirmationReason::Ambiguous);
        }
        let tool = named.as_deref().unwrap_or_default();
        let own = || self.lists.definition(call.server, tool);
        let definition = call.definition.clone().or_else(own);
        let asks_about_destructive = lock(&self.core.settings).confirm_destructive;
        if asks_about_destructive && is_destructive(definition.as_deref()) {
            reasons.push(ConfirmationReason::Destructive);
        }
        if let Some(client) = self.server_settings.server_settings(call.server).held_to {
            // Which rule speaks of it cannot be told.
            if reasons.contains(&ConfirmationReason::Ambiguous) {
                return Err(InspectorError::InvalidInput(format!(
                    "The parameters name a tool in a way that servers may read otherwise, and calls \
                     of this server are held to the rules of {}. Nothing was sent.",
                    client.title()
                )));
            }
            let verdict = self.held_verdict(client, call.server, tool).await?;
            match verdict.effect {
                Effect::Allow => {}
                Effect::Ask => reasons.push(ConfirmationReason::Rule {
                    client_title: client.title().to_owned(),
                    rule: verdict.rule,
                    reason: verdict.reason,
                }),
                Effect::Deny => {
                    return Err(InspectorError::DeniedByRule {
                        tool: tool.to_owned(),
                        client,
                        rule: verdict.rule.map(Box::new),
                        reason: verdict.reason,
                    });
                }
            }
        }
        Ok(JudgedCall {
            tool: named,
            definition,
            reasons,
        })
    }

    /// Decides by the rules of a client, which are read anew from their files.
    async fn held_verdict(
        &self,
        client: Client,
        server: &ServerId,
        tool: &str,
    ) -> Result<PermissionVerdict, InspectorError> {
        let (server, tool) = (server.clone(), tool.to_owned());
        let this = self.this.upgrade().ok_or(InspectorError::Closing)?;
        self.core
            .blocking(move |_| this.client_rules.held_verdict_on(client, &server, &tool))
            .await
    }

    /// Puts a call before the user. `None` when it was taken back.
    async fn ask_to_confirm(
        &self,
        call: &PendingCall<'_>,
        judged: &JudgedCall,
    ) -> Option<ConfirmationAnswer> {
        let id = self
            .open
            .number
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_add(1);
        let (answer, answered) = oneshot::channel();
        let arguments = shown(call.params);
        let masked = self.core.connections.masked(call.server, &arguments);
        let view = CallConfirmation {
            id,
            server: call.server.clone(),
            tool: judged.tool_name(),
            identity: call.identity.map(str::to_owned),
            arguments: masked.unwrap_or(arguments),
            reasons: judged.reasons.clone(),
            count: call.count,
        };
        let open = OpenConfirmation {
            view,
            key: call.key.to_owned(),
            answer,
        };
        lock(&self.open.open).insert(id, open);
        let taken_back = TakenBack {
            confirmations: self,
            id,
        };
        self.publish_confirmations();
        let answer = answered.await.ok();
        drop(taken_back);
        answer
    }

    /// Answers the confirmation of a call that waits.
    #[command]
    pub fn answer_confirmation(
        &self,
        id: u32,
        answer: ConfirmationAnswer,
    ) -> Result<(), InspectorError> {
        let open = lock(&self.open.open).remove(&id);
        let open = open.ok_or_else(|| {
            InspectorError::InvalidInput("This call does not wait any more.".to_owned())
        })?;
        self.publish_confirmations();
        // The call may have been dropped a moment ago.
        let _ = open.answer.send(answer);
        Ok(())
    }

    /// Takes back the call of this name that waits for the user. Says whether there was one.
    pub fn cancel_waiting(&self, server: &ServerId, key: &str) -> bool {
        let cancelled = {
            let mut open = lock(&self.open.open);
            let before = open.len();
            open.retain(|_, open| open.view.server != *server || open.key != key);
            open.len() < before
        };
        if cancelled {
            self.publish_confirmations();
        }
        cancelled
    }

    fn publish_confirmations(&self) {
        self.core.publisher.publish(Fact::Confirmations {
            open: self.open.open(),
        });
    }
}

fn definition_changed(judged: &JudgedCall) -> InspectorError {
    InspectorError::InvalidInput(format!(
        "The definition of {} changed before the call was sent. Nothing was sent; look at the tool \
         and call it again.",
        judged.tool_name()
    ))
}

/// The text of a call that is shown: its arguments, as they are written, or all of its parameters
/// where something else could be taken for its name or its arguments.
fn shown(params: &Params) -> String {
    let members = Members::parse(params.text()).ok();
    let is_plain = |members: &Members<'_>| {
        ["name", "arguments"]
            .iter()
            .all(|name| members.count_alike(name) <= 1)
    };
    let arguments = members
        .filter(is_plain)
        .and_then(|members| members.given("arguments"));
    arguments.unwrap_or_else(|| params.text()).to_owned()
}
