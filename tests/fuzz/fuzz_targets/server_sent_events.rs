//! An event stream gives the same events however its bytes are cut.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], u8)| {
    let (stream, cut) = input;
    sightglass_connection::fuzzing::event_stream(stream, usize::from(cut) + 1);
});
