//! Stories of the real window, driven over WebDriver, one module each. Each has a display of its
//! own in memory.

#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    reason = "stories write configuration files and start servers as users do"
)]

mod adding;
mod answer_rules;
mod broken_file;
mod clients;
mod common;
mod configuring;
mod confirming;
mod ending;
mod everyday;
mod everything;
mod exporting;
mod extensions;
mod failing;
mod first_launch;
mod first_minute;
mod hostile;
mod keyboard;
mod links;
mod model;
mod notifying;
mod obstacles;
mod questions;
mod requests;
mod restart;
mod runs;
mod screen_reader;
mod sessions;
mod signing_in;
mod skills;
mod small;
mod surface;
mod tasks;
mod testing;
mod theme;
mod timeline;
mod zoom;
