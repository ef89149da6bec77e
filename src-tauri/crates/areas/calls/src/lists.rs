//! Reads the lists of a server, and the items on them.

use std::sync::{Arc, Mutex};

use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, files::RememberedArguments,
    view::ItemView,
};
use sightglass_connection::{ItemWindow, ListChange, ListKind, ListOutline};
use sightglass_model::{ServerId, lock};

/// Reads the lists of a server, and the items on them.
pub struct Lists {
    pub(crate) core: Arc<Core>,
    pub(crate) remembered: Mutex<RememberedArguments>,
}

#[commands]
impl Lists {
    /// A page of one list of one server.
    #[command(name = "list_items")]
    pub fn items(
        &self,
        server: &ServerId,
        list: ListKind,
        filter: &str,
        offset: u32,
        limit: u32,
    ) -> Result<ItemWindow, InspectorError> {
        let connections = &self.core.connections;
        Ok(connections.items(server, list, filter, offset, limit)?)
    }

    /// Returns the beginnings that the names of a whole list share.
    #[command(name = "get_list_outline")]
    pub fn list_outline(
        &self,
        server: &ServerId,
        list: ListKind,
    ) -> Result<ListOutline, InspectorError> {
        Ok(self.core.connections.outline(server, list)?)
    }

    /// One item, whole.
    #[command(name = "get_item")]
    pub fn item(
        &self,
        server: &ServerId,
        list: ListKind,
        index: u32,
    ) -> Result<ItemView, InspectorError> {
        let connections = &self.core.connections;
        let json = connections.item(server, list, index)?.into_string();
        let window = connections.items(server, list, "", index, 1)?;
        let row = window.rows.into_iter().next();
        let (name, problem, tokens) = row
            .map(|row| (row.name, row.problem, row.tokens))
            .unwrap_or_default();
        let last_arguments = match list {
            ListKind::Tools => lock(&self.remembered).get(server, &name).map(str::to_owned),
            _ => None,
        };
        Ok(ItemView {
            index,
            name,
            json,
            problem,
            last_arguments,
            tokens,
        })
    }

    /// Returns the position of an item in its list; by URI or URI template for resources.
    #[command]
    pub fn find_item(&self, server: &ServerId, list: ListKind, name: &str) -> Option<u32> {
        self.core.connections.find(server, list, name)
    }

    /// Loads a list again.
    #[command]
    pub async fn refresh_list(
        &self,
        server: &ServerId,
        list: ListKind,
    ) -> Result<(), InspectorError> {
        Ok(self.core.connections.refresh(server, list).await?)
    }

    /// Returns the states of the four lists.
    pub fn lists(&self, server: &ServerId) -> Vec<ListChange> {
        self.core.connections.lists(server)
    }

    /// A loaded list as one result, every item in it as the server sent it, all pages joined.
    /// `None` when the server does not offer the list, or the host does not load it.
    pub fn list_result(
        &self,
        server: &ServerId,
        list: ListKind,
    ) -> Result<Option<String>, InspectorError> {
        Ok(self.core.connections.list_result(server, list)?)
    }

    /// Returns what came of a list as one result, also of one that could not be loaded to its end.
    /// `None` when nothing came.
    pub fn list_so_far(&self, server: &ServerId, list: ListKind) -> Option<String> {
        self.core.connections.list_so_far(server, list)
    }

    /// A tool's definition as the server listed it.
    pub fn definition(&self, server: &ServerId, tool: &str) -> Option<Box<str>> {
        let index = self.core.connections.find(server, ListKind::Tools, tool)?;
        self.core
            .connections
            .item(server, ListKind::Tools, index)
            .ok()
    }
}
