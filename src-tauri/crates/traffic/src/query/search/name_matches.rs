//! Finds a filter's texts in the names of methods and servers.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use sightglass_model::ServerId;

use crate::{
    block::Block,
    filter::{CompiledFilter, Place, TextMatches},
    query::view::View,
};

/// Matches in the names of methods and servers. Each name is searched once.
pub(crate) struct NameMatches<'a> {
    filter: &'a CompiledFilter,
    view: &'a View<'a>,
    servers: RefCell<HashMap<u32, ServerMatches>>,
}

/// A server and the texts that stand in its name.
pub(crate) type ServerMatches = Rc<((ServerId, String), TextMatches)>;

impl<'a> NameMatches<'a> {
    pub fn of(filter: &'a CompiledFilter, view: &'a View<'a>) -> Self {
        Self {
            filter,
            view,
            servers: RefCell::default(),
        }
    }

    pub fn server(&self, connection: u32) -> ServerMatches {
        self.servers
            .borrow_mut()
            .entry(connection)
            .or_insert_with(|| {
                let server = self.view.server(connection);
                let found = self.filter.find(server.1.as_bytes(), Place::Name);
                (server, found).into()
            })
            .clone()
    }

    /// Returns the matches in each of a block's methods.
    pub fn methods(&self, block: &Block) -> Vec<TextMatches> {
        let methods = block.methods.iter();
        methods
            .map(|method| self.filter.find(method.as_bytes(), Place::Name))
            .collect()
    }
}
