//! A text with a secret in it: nothing of the secret is left.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| sightglass_secrets::fuzzing::redactor(text));
