//! Reads pages of a server's lists.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use sightglass_model::{ServerId, Timestamp};

use super::{Connection, Connections};
use crate::{
    ConnectionError, ConnectionKey, ItemWindow, ListChange, ListKind, ListOutline, ListState,
    session::list::{Loader, load},
    sync::lock,
};

impl Connections {
    /// Returns the states of the four lists.
    pub fn lists(&self, connection: impl Into<ConnectionKey>) -> Vec<ListChange> {
        self.known(connection)
            .map(|connection| connection.lists.snapshot())
            .unwrap_or_default()
    }

    /// Fills the lists of a server with the texts of items that were stored of them at a moment, where
    /// it is not connected and nothing is known of it otherwise.
    pub fn restore_lists(
        &self,
        server: &ServerId,
        as_of: Timestamp,
        lists: &[(ListKind, Vec<&str>)],
    ) {
        let filled = lists.iter().filter(|(_, items)| !items.is_empty());
        let pages = filled.map(|(list, items)| {
            let page = format!(
                r#"{{"result":{{"{}":[{}]}}}}"#,
                list.member(),
                items.join(",")
            );
            (*list, page)
        });
        let pages: Vec<(ListKind, String)> = pages.collect();
        let connection = self.connection(server.into());
        // An attempt that is asked for meanwhile comes after this, and resets them.
        let running = lock(&connection.running);
        let is_under_way = running
            .as_ref()
            .is_some_and(|running| !running.task.is_finished());
        let known = connection.lists.snapshot();
        if is_under_way || known.iter().any(|list| list.count > 0) {
            return;
        }
        for (list, page) in pages {
            connection.lists.restore(list, page.into(), as_of);
        }
    }

    /// A window onto a list: those items whose name, title or description contains `filter`
    /// in any case, in the server's order.
    ///
    /// # Errors
    ///
    /// [`ConnectionError::NotConnected`] when there never was a connection. The lists of one
    /// that has ended stay readable until the next attempt.
    pub fn items(
        &self,
        server: &ServerId,
        list: ListKind,
        filter: &str,
        offset: u32,
        limit: u32,
    ) -> Result<ItemWindow, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        Ok(connection.lists.window(list, filter, offset, limit))
    }

    /// Returns the beginnings that the names of a whole list share.
    pub fn outline(
        &self,
        server: &ServerId,
        list: ListKind,
    ) -> Result<ListOutline, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        Ok(connection.lists.outline(list))
    }

    /// The verbatim JSON of one item.
    ///
    /// # Errors
    ///
    /// [`ConnectionError::NotFound`] when the list has no such place (any more).
    pub fn item(
        &self,
        server: &ServerId,
        list: ListKind,
        index: u32,
    ) -> Result<Box<str>, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        connection.lists.item(list, index)
    }

    /// The verbatim JSON that one item had before the last `list_changed`, where that changed it
    /// and it is kept.
    pub fn item_before(&self, server: &ServerId, list: ListKind, index: u32) -> Option<Box<str>> {
        self.known(server)?.lists.item_before(list, index)
    }

    /// The place of the first item of that name (URI for resources, template for templates).
    pub fn find(&self, server: &ServerId, list: ListKind, name: &str) -> Option<u32> {
        self.known(server)?.lists.current(list).find(name)
    }

    /// Loads a list again.
    pub fn refresh<'a>(
        &'a self,
        server: &'a ServerId,
        list: ListKind,
    ) -> BoxFuture<'a, Result<(), ConnectionError>> {
        Box::pin(self.load_again(server, list))
    }

    async fn load_again(&self, server: &ServerId, list: ListKind) -> Result<(), ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        let loader = Loader {
            rules: connection.lists.rules(list),
            context: Arc::clone(&session.context),
            lists: Arc::clone(&connection.lists),
        };
        load(&loader, list, |_, _| {}).await;
        match connection.lists.state(list) {
            ListState::Failed { message } => Err(connection.list_failed(list, message)),
            ListState::Loading => Err(ConnectionError::NotConnected),
            ListState::Loaded | ListState::Unsupported => Ok(()),
        }
    }

    /// A loaded list as one result: the first page's, with the items of all pages in it and
    /// without `nextCursor`. Every item is the text that the server sent. `None` when the
    /// server does not offer the list, or it was not to be loaded.
    pub fn list_result(
        &self,
        connection: impl Into<ConnectionKey>,
        list: ListKind,
    ) -> Result<Option<String>, ConnectionError> {
        let connection = self
            .known(connection)
            .ok_or(ConnectionError::NotConnected)?;
        match connection.lists.state(list) {
            ListState::Loaded => Ok(connection.lists.current(list).joined()),
            ListState::Unsupported => Ok(None),
            ListState::Loading => Err(ConnectionError::NotConnected),
            ListState::Failed { message } => Err(connection.list_failed(list, message)),
        }
    }

    /// Returns the items of a loaded list as they came, without the secrets that are known. Each shares
    /// the text of its page, but for one that holds a secret.
    pub fn definitions(
        &self,
        connection: impl Into<ConnectionKey>,
        list: ListKind,
    ) -> Result<Vec<Bytes>, ConnectionError> {
        let connection = self
            .known(connection)
            .ok_or(ConnectionError::NotConnected)?;
        let without_secrets = |text: Bytes| {
            let written = std::str::from_utf8(&text).unwrap_or_default();
            let masked = connection.publisher.masked(written);
            match masked.filter(|masked| masked != written) {
                Some(masked) => Bytes::from(masked),
                None => text,
            }
        };
        let items = connection.lists.loaded(list);
        let items = items.ok_or(ConnectionError::NotConnected)?;
        Ok(items.texts().map(without_secrets).collect())
    }

    /// Returns what came of a list as one result, also of one that could not be loaded to its end.
    /// `None` when nothing came.
    pub fn list_so_far(&self, server: &ServerId, list: ListKind) -> Option<String> {
        self.known(server)?.lists.current(list).joined()
    }
}

impl Connection {
    fn list_failed(&self, list: ListKind, message: String) -> ConnectionError {
        ConnectionError::ListFailed {
            message,
            answer: self.lists.refusal(list),
        }
    }
}
