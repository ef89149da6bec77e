//! Time that passes while no program runs.

use std::{path::Path, time::Duration};

use serde_json::Value;

/// Makes the tokens in a data directory that much older, as if the programs that use it had been
/// started that much later. Nobody has to wait for a token to expire.
///
/// # Panics
/// When nobody has signed in there.
pub fn let_pass(data: &Path, time: Duration) {
    let path = data.join("auth.json");
    let text = std::fs::read_to_string(&path).expect("somebody has signed in");
    let mut records: Value = serde_json::from_str(&text).expect("JSON");
    let aged = age(&mut records, time.as_secs_f64() * 1000.0);
    assert!(aged > 0, "no token is known: {text}");
    std::fs::write(&path, records.to_string()).expect("written");
}

/// Moves the times of tokens back, in milliseconds, and counts them.
fn age(value: &mut Value, milliseconds: f64) -> usize {
    match value {
        Value::Object(members) => members
            .iter_mut()
            .map(|(name, value)| match value.as_f64() {
                Some(time) if matches!(name.as_str(), "issued_at" | "expires_at") => {
                    *value = (time - milliseconds).into();
                    1
                }
                _ => age(value, milliseconds),
            })
            .sum(),
        Value::Array(items) => items.iter_mut().map(|item| age(item, milliseconds)).sum(),
        _ => 0,
    }
}
