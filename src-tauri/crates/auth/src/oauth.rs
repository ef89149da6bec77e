//! Messages of OAuth 2.1 as data: challenges, metadata, clients, redirect addresses, tokens and the
//! responses of a token endpoint. Nothing here sends anything.

pub(crate) mod authorization_server;
pub(crate) mod challenge;
pub(crate) mod client;
pub(crate) mod metadata;
pub(crate) mod parameters;
pub(crate) mod redirect;
pub(crate) mod token;
pub(crate) mod token_response;
