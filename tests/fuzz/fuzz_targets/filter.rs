//! The filter language: a mistake is reported within the text that was typed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| sightglass_traffic::fuzzing::filter(text));
