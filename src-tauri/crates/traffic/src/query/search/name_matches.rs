//! Finds a filter's texts in the names of methods and servers.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use crate::{
    block::Block,
    filter::{CompiledFilter, TextMatches, TextPlace},
    query::view::View,
    recorded_server::ConnectionServer,
};

/// Matches in the names of methods and servers. Each name is searched once.
pub(crate) struct NameMatches<'a> {
    filter: &'a CompiledFilter,
    view: &'a View<'a>,
    servers: RefCell<HashMap<u32, ServerMatches>>,
}

/// A server and the texts that stand in its name.
pub(crate) struct MatchedServer {
    pub server: ConnectionServer,
    /// Its name as a row has it.
    pub shown_name: String,
    pub found: TextMatches,
}

pub(crate) type ServerMatches = Rc<MatchedServer>;

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
                let shown_name = self.view.shown_name(&server);
                let found = self.filter.find(shown_name.as_bytes(), TextPlace::Name);
                let named = MatchedServer {
                    server,
                    shown_name,
                    found,
                };
                named.into()
            })
            .clone()
    }

    /// Returns the matches in each of a block's methods.
    pub fn methods(&self, block: &Block) -> Vec<TextMatches> {
        let methods = block.methods.iter();
        methods
            .map(|method| self.filter.find(method.as_bytes(), TextPlace::Name))
            .collect()
    }
}
