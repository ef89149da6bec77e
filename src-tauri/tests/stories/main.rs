//! Holds what the shell generates and declares: bindings, capabilities and links.

mod bindings;
mod capabilities;
mod deep_links;
