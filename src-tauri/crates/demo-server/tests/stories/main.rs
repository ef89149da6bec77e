//! Stories of the demo server as clients meet it, in both eras and over both transports.

mod faults;
mod initialize_era;
mod load_mode;
mod modern_era;
mod streamable_http;
mod support;
