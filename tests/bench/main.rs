//! `cargo xtask bench`: measures the release build, prints a table and writes
//! `target/bench.json`. Needs a display.

#![cfg_attr(
    target_os = "linux",
    allow(
        clippy::disallowed_methods,
        reason = "measurements start programs and write their figures"
    )
)]

#[cfg(target_os = "linux")]
mod arguments;
#[cfg(target_os = "linux")]
mod bare;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod command_line;
#[cfg(target_os = "linux")]
mod connecting;
#[cfg(target_os = "linux")]
mod figures;
#[cfg(target_os = "linux")]
mod fleet;
#[cfg(target_os = "linux")]
mod flood;
#[cfg(target_os = "linux")]
mod host;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(target_os = "linux")]
mod listing;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod model;
#[cfg(target_os = "linux")]
mod page;
#[cfg(target_os = "linux")]
mod pipe;
#[cfg(target_os = "linux")]
mod quick;
#[cfg(target_os = "linux")]
mod requests;
#[cfg(target_os = "linux")]
mod results;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod search;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod setting;
#[cfg(target_os = "linux")]
mod sidebar;
#[cfg(target_os = "linux")]
mod soak;
#[cfg(target_os = "linux")]
mod statistics;
#[cfg(target_os = "linux")]
mod timeline;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    run::run()
}

#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    eprintln!("sightglass-bench drives WebKitGTK's window and reads /proc: it runs on Linux only");
    std::process::ExitCode::FAILURE
}
