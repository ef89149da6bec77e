//! Attacks by strangers: a folder, a server, an authorization server or another local program that
//! attacks. Each story says what the user sees and what really happened.

mod agents;
#[cfg(unix)]
mod approval;
mod arguments;
mod authorization_servers;
#[cfg(unix)]
mod canary;
#[cfg(unix)]
mod copies;
#[cfg(unix)]
mod disconnect;
#[cfg(unix)]
mod drafts;
mod durations;
#[cfg(unix)]
mod files;
mod flood;
#[cfg(unix)]
mod folder;
#[cfg(unix)]
mod folder_use;
#[cfg(unix)]
mod names;
#[cfg(unix)]
mod neighbours;
mod policy;
mod registry;
#[cfg(unix)]
mod requests;
mod retry;
mod schemas;
#[cfg(unix)]
mod session_variables;
mod sign_in;
mod sign_in_options;
mod terminal;
#[cfg(unix)]
mod workbench;
