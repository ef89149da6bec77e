//! Offer of the user to agents.

use sightglass_inspector::{ServerId, ServerSpec};

use crate::reach::NamePatterns;

/// A server that is lent to agents.
#[derive(Debug, Clone)]
pub struct ServedServer {
    pub id: ServerId,
    pub name: String,
    /// Endpoint where it is reached otherwise than its entry says, or has none.
    pub spec: Option<ServerSpec>,
}

/// Things that agents get.
#[derive(Debug, Clone)]
pub enum Offer {
    /// The tools of Sightglass itself.
    OwnTools,
    /// The tools, resources and prompts of one server, under their own names.
    Server(Box<ServedServer>),
    /// Those of several servers, each name with that of its server in front.
    Servers(Vec<ServedServer>),
}

/// Options of [`Serving`].
#[derive(Debug, Clone)]
pub struct ServeOptions {
    pub offer: Offer,
    pub patterns: NamePatterns,
    /// The most characters of an answer; where absent, 20,000 of Sightglass's own tools and all of a
    /// server's.
    pub max_characters: Option<usize>,
}
