//! Entry points of `tests/fuzz` into the readers. cargo-fuzz sets `cfg(fuzzing)`; tests compile
//! them too, so that they stay in step.

use sightglass_json_text::Members;

use crate::{json::id_of_fragment, transport::event_stream::events_in_chunks};

/// A message, whole and cut off anywhere.
pub fn message(message: &[u8]) {
    if let Ok(text) = std::str::from_utf8(message)
        && let Ok(members) = Members::parse(text)
    {
        let _ = (members.text("id"), members.string("method"));
    }
    let middle = message.len() / 2;
    let _ = id_of_fragment(&message[..middle], &message[middle..]);
}

/// The same events, however the bytes are cut.
pub fn event_stream(stream: &[u8], size: usize) {
    const LIMIT: usize = 1 << 20;
    let whole = events_in_chunks(stream, stream.len().max(1), LIMIT);
    assert_eq!(events_in_chunks(stream, size, LIMIT), whole);
}
