//! Sends the requests of a recording again, to another server or to the same one, and compares the
//! answers but for what differs from run to run.
//!
//! The requests that were listed are kept, so that those that were agreed to are those that are
//! sent, whatever became of the file since.

use std::{
    convert::Infallible,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use sightglass_area_calls::{confirmation::Consent, lists::Lists, requests::McpRequests};
use sightglass_area_core::{
    command::commands,
    effects::may_change,
    error::InspectorError,
    view::{RecordedServer, ReplayId, ReplayOutcome, ReplayStep, ReplayView},
};
use sightglass_connection::Params;
use sightglass_model::{ServerId, lock};
use sightglass_requests::difference_of;
use sightglass_session_file::replay::{RecordedCall, ReplayBuilder, answer_of};

use crate::{session_file::of_one_server, sessions::SessionFiles};

/// Characters of a request that are shown.
const MAX_PARAMS: usize = 2_000;

/// The replay that is listed, of which there is one at a time.
#[derive(Default)]
pub struct OpenReplays {
    listed: Mutex<Option<OpenReplay>>,
    number: AtomicU32,
}

struct OpenReplay {
    id: ReplayId,
    server: ServerId,
    calls: Arc<Vec<RecordedCall>>,
}

/// Reads the requests of a session file that can be sent again. Of a file with several servers
/// `server` names one. Blocks on the disk.
pub fn recorded_calls(
    path: &Path,
    server: Option<&str>,
) -> Result<Vec<RecordedCall>, InspectorError> {
    let mut builder = ReplayBuilder::default();
    of_one_server(path, server, |frame| {
        builder.frame(frame);
        Ok::<_, Infallible>(())
    })?;
    Ok(builder.finish())
}

/// Sends the requests of a recording again, to another server or to the same one, and compares the answers but for what differs from run to run.
pub struct Replays {
    pub(crate) requests: Arc<McpRequests>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) sessions: Arc<SessionFiles>,
    pub(crate) open: OpenReplays,
}

#[commands]
impl Replays {
    /// Lists the requests of a recorded server that can be sent to a connected one.
    #[command]
    pub async fn list_replay(
        &self,
        recorded: &RecordedServer,
        server: ServerId,
    ) -> Result<ReplayView, InspectorError> {
        let builder = ReplayBuilder::default();
        let read = self
            .sessions
            .read_recorded(recorded, builder, ReplayBuilder::frame);
        let calls = read.await?.finish();
        let id = ReplayId(self.open.number.fetch_add(1, Ordering::Relaxed) + 1);
        let steps = self.replay_steps(&server, &calls);
        *lock(&self.open.listed) = Some(OpenReplay {
            id,
            server: server.clone(),
            calls: Arc::new(calls),
        });
        Ok(ReplayView { id, server, steps })
    }

    /// Sends one request of a listed replay. One that may change something is sent only when the
    /// user agreed to it.
    #[command]
    pub async fn replay_step(
        &self,
        replay: ReplayId,
        index: u32,
        is_agreed: bool,
    ) -> Result<ReplayOutcome, InspectorError> {
        let (server, calls) = {
            let listed = lock(&self.open.listed);
            let listed = listed.as_ref().filter(|listed| listed.id == replay);
            let listed = listed.ok_or_else(|| {
                InspectorError::InvalidInput(
                    "These requests are not listed any more. List them again.".to_owned(),
                )
            })?;
            (listed.server.clone(), Arc::clone(&listed.calls))
        };
        let call = usize::try_from(index).ok().and_then(|at| calls.get(at));
        let call = call.ok_or_else(|| {
            InspectorError::InvalidInput("The recording has no such request.".to_owned())
        })?;
        // A server may have changed its definition since the requests were listed.
        if !is_agreed && self.may_change(&server, call) {
            return Ok(ReplayOutcome::Skipped);
        }
        let consent = match is_agreed {
            true => Consent::Given,
            false => Consent::None,
        };
        self.replay_call(&server, call, consent).await
    }

    /// Forgets a listed replay.
    #[command]
    pub fn delete_replay(&self, replay: ReplayId) {
        let mut listed = lock(&self.open.listed);
        if listed.as_ref().is_some_and(|listed| listed.id == replay) {
            *listed = None;
        }
    }

    /// True for a call of a tool that a connected server does not declare read-only, and for one
    /// that does not say which tool that is.
    fn may_change(&self, server: &ServerId, call: &RecordedCall) -> bool {
        let definition = |name: &String| self.lists.definition(server, name);
        call.method == "tools/call"
            && may_change(call.name.as_ref().and_then(definition).as_deref())
    }

    /// Says of each call whether it may change something, as far as a connected server declares.
    pub fn replay_steps(&self, server: &ServerId, calls: &[RecordedCall]) -> Vec<ReplayStep> {
        calls
            .iter()
            .zip(0..)
            .map(|(call, index)| ReplayStep {
                index,
                method: call.method.clone(),
                name: call.name.clone(),
                params: shortened(&call.params, MAX_PARAMS),
                may_change: self.may_change(server, call),
                is_masked: call.is_masked,
            })
            .collect()
    }

    /// Sends one recorded call to a connected server, and compares the answer with the recorded
    /// one. A step that may change something needs to be agreed to before.
    pub async fn replay_call(
        &self,
        server: &ServerId,
        call: &RecordedCall,
        consent: Consent,
    ) -> Result<ReplayOutcome, InspectorError> {
        let params = Params::parse(&call.params)?;
        let report = self
            .requests
            .request(server, "replay", &call.method, &params, consent)
            .await?;
        let Some(response) = &report.request.response else {
            let reason = report.request.message.clone();
            return Ok(ReplayOutcome::Unanswered {
                reason: reason.unwrap_or_else(|| "no answer came".to_owned()),
            });
        };
        let Some(expected) = &call.answer else {
            return Ok(ReplayOutcome::NothingToCompare);
        };
        let text = String::from_utf8_lossy(&response.recorded);
        let actual = answer_of(&text).unwrap_or_default();
        // What cannot be read as JSON is another answer.
        let difference = difference_of(expected, &actual)
            .unwrap_or_else(|error| Some(format!("the answers cannot be compared: {error}")));
        Ok(match difference {
            None => ReplayOutcome::Same,
            Some(difference) => ReplayOutcome::Different { difference },
        })
    }
}

fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_owned(),
        // What is not shown is sent all the same.
        Some((end, _)) => format!(
            "{}… ({} more characters)",
            &text[..end],
            text[end..].chars().count()
        ),
    }
}
