//! A payload shown as lines: every window onto it is a part of the whole.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|payload: &[u8]| sightglass_traffic::fuzzing::payload(payload));
