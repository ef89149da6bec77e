//! Sign-in: who the user is at a server.

mod area;

pub use area::{SignIn, sign_ins, vault};
