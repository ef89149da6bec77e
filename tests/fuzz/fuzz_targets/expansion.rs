//! `${VARIABLE}` in a configuration.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| sightglass_config::fuzzing::expansion(text));
