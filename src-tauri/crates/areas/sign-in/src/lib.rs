//! Sign-in: who the user is at a server.

pub mod auth;
