//! Tells on stderr that a result is longer than its client takes.

use sightglass_inspector::{Client, ResultVerdict};

use crate::{
    host::Server,
    narration,
    style::{WARNING, styled},
};

/// Bytes up to which no text has as many tokens as any client limits.
const MIN_LENGTH: usize = 10_000;

/// Holds what was printed of a result against the limits of the client whose server it is; against
/// those of Claude Code where that has none.
pub(crate) fn tell(server: &Server<'_>, text: &str) {
    if text.len() <= MIN_LENGTH {
        return;
    }
    let client = match server.id.is_of(Client::Caliban.id()) {
        true => Client::Caliban,
        false => Client::ClaudeCode,
    };
    let title = client.title();
    let line = match server.inspector().result_cost(Some(client), text) {
        Ok(judged) => {
            let tokens = judged.cost.tokens;
            let (does, limit) = match (judged.verdict, judged.limits.cut) {
                (ResultVerdict::Within, _) => return,
                (ResultVerdict::Cut, Some(cut)) => ("keeps of such a result no more than", cut),
                _ => ("warns of a result above", judged.limits.warning),
            };
            format!("The result has about {tokens} tokens; {title} {does} {limit}.")
        }
        Err(error) => format!("{error} {title} limits the length of results."),
    };
    narration::tell(&styled(WARNING, &line));
}
