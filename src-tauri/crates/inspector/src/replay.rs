//! Sends the requests of a recording again, to another server or to the same one, and compares the
//! answers but for what differs from run to run.

use std::{convert::Infallible, path::Path};

use sightglass_connection::Params;
use sightglass_model::ServerId;
use sightglass_requests::difference_of;
use sightglass_session_file::replay::{RecordedCall, ReplayBuilder, answer_of, may_change};

use crate::{
    Inspector, InspectorError,
    session_file::of_one_server,
    view::{ReplayOutcome, ReplayStep},
};

/// Characters of a request that are shown.
const MAX_PARAMS: usize = 2_000;

/// Reads the requests of a session file that can be sent again. Of a file with several servers
/// `server` names one. Blocks on the disk.
///
/// # Errors
/// When the file cannot be read as a session.
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

impl Inspector {
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
                may_change: call.method == "tools/call" && {
                    let name = call.name.as_deref().unwrap_or_default();
                    may_change(self.definition(server, name).as_deref())
                },
                is_masked: call.is_masked,
            })
            .collect()
    }

    /// Sends one recorded call to a connected server, and compares the answer with the recorded
    /// one. Whoever calls this has asked before, where the step may change something.
    ///
    /// # Errors
    /// When the server is not connected.
    pub async fn replay_call(
        &self,
        server: &ServerId,
        call: &RecordedCall,
    ) -> Result<ReplayOutcome, InspectorError> {
        let params = Params::parse(&call.params)?;
        let report = self
            .request(server, "replay", &call.method, &params)
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
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
