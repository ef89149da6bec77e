//! Managed settings and an address: reading the rules ends, and what a pattern of hosts allows has
//! such a host.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| sightglass_config::fuzzing::policy(input));
