//! Stories of what users do, told through [`Inspector`](sightglass_inspector::Inspector) without a
//! window. A module per story.

#![allow(
    clippy::disallowed_methods,
    reason = "stories write files, and start and look at programs as users do"
)]

mod answer_rules;
mod attacks;
mod authorities;
mod bookmarks;
mod bundles;
mod calling;
mod command_line;
#[cfg(unix)]
mod configuration_faults;
mod configuring;
mod confirming;
mod conformance;
mod connecting;
mod connection_settings;
mod eras;
#[cfg(unix)]
mod every_client;
mod everyday;
#[cfg(unix)]
mod exam;
#[cfg(unix)]
mod explaining;
mod exporting;
mod extensions;
mod failing;
mod faithful;
mod faults;
#[cfg(unix)]
mod guarding;
mod hints;
mod hostile;
#[cfg(unix)]
mod interop;
#[cfg(target_os = "linux")]
mod keychain;
mod local_network;
#[cfg(unix)]
mod managing;
mod managing_by_command;
mod model_endpoints;
mod model_view;
mod nearly_right;
mod network_faults;
mod operations;
mod others;
mod pages;
mod reaching;
mod record;
#[cfg(unix)]
mod requests;
#[cfg(target_os = "linux")]
mod secrets;
mod serving;
mod session_files;
mod signing_in;
mod skills;
mod streams;
mod surfaces;
mod tasks;
#[cfg(unix)]
mod testing;
mod waiting;
mod workbench;
