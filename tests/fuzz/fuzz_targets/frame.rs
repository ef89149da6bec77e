//! A message from a server, whole and cut off: whatever it is, it is recorded and told apart.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|message: &[u8]| {
    let _ = sightglass_traffic::envelope(message);
    sightglass_connection::fuzzing::message(message);
});
