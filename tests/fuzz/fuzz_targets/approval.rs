//! A configuration file of any dialect: all that is shown of its entries before they are approved
//! can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| sightglass_config::fuzzing::approval(input));
