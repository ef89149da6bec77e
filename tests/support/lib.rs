//! Supports the stories: a host without a window, programs to connect to, and the window
//! itself over WebDriver. Holds what the bench is judged by, so that its tests run with the others.

#![allow(
    clippy::disallowed_methods,
    reason = "stories write configuration files and start servers as users do"
)]

pub mod agent;
pub mod announcing;
pub mod baseline;
pub mod certificates;
pub mod configuring;
pub mod forward_proxy;
mod host;
#[cfg(target_os = "linux")]
pub mod keyboard;
pub mod leaks;
pub mod model;
pub mod oidc;
pub mod passing;
pub mod programs;
pub mod responder;
#[cfg(target_os = "linux")]
pub mod screen;
pub mod scripted;
mod signing_in;
pub mod user;
#[cfg(target_os = "linux")]
pub mod window;
pub mod wiretap;

pub use host::{Environment, TestHost, structured_of, text_of};
