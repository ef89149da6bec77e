//! A configuration file of any dialect: it is read or its problems are placed within it, and
//! an edit of it can be read again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| sightglass_config::fuzzing::file(input));
