//! Caching hints of results (2026-07-28).

use serde_json::{Value, json};

use crate::protocol::Era;

/// Time for which a client may treat a list or a static resource as fresh
/// (`ttlMs`, 2026-07-28).
pub const FRESH_MILLISECONDS: u64 = 60_000;

/// Adds the caching hints that 2026-07-28 wants on every read.
pub fn with_freshness(era: Era, mut result: Value, milliseconds: u64) -> Value {
    if era == Era::Modern
        && let Some(object) = result.as_object_mut()
    {
        object.insert("ttlMs".to_owned(), json!(milliseconds));
        object.insert("cacheScope".to_owned(), json!("private"));
    }
    result
}
