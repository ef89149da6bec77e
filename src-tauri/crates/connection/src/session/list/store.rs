//! Stores the four lists of one server and reports their changes.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use sightglass_model::{ServerId, Timestamp};

use crate::{
    ConnectionError, ConnectionEvent, ItemWindow, ListChange, ListKind, ListOutline, ListState,
    session::list::{
        difference::Difference,
        page::{HeaderRules, Items, PageEnd, SharedItems},
    },
    status::event::EventSink,
    sync::lock,
};

/// Names that a change tells at most, of each sort.
const MAX_NAMES: usize = 100;

struct StoredList {
    kind: ListKind,
    state: ListState,
    revision: u32,
    items: SharedItems,
    change: Arc<Difference>,
    /// The server's answer, when it refused the list.
    refusal: Option<Box<str>>,
    /// Moment at which it was stored, where the items are those of an earlier run of the program.
    as_of: Option<Timestamp>,
    /// The places that matched the last search, and the search.
    searched: Option<(u32, String, Arc<[u32]>)>,
}

impl StoredList {
    fn new(kind: ListKind) -> Self {
        Self {
            kind,
            state: ListState::Unsupported,
            revision: 0,
            items: Arc::new(Items::new(kind, HeaderRules::DoNotApply)),
            change: Arc::default(),
            refusal: None,
            as_of: None,
            searched: None,
        }
    }

    fn changed(&self) -> ListChange {
        let first = |names: &[String]| names.iter().take(MAX_NAMES).cloned().collect();
        ListChange {
            list: self.kind,
            state: self.state.clone(),
            count: u32::try_from(self.items.len()).unwrap_or(u32::MAX),
            problems: self.items.problems(),
            tokens: self.items.tokens(),
            fresh_for: self.items.fresh_for(),
            warning: self.items.warning(),
            as_of: self.as_of,
            is_whole: self.items.is_whole(),
            revision: self.revision,
            added: first(&self.change.added),
            removed: first(&self.change.removed),
            changed: first(&self.change.changed),
        }
    }
}

pub(crate) struct Lists {
    server: ServerId,
    events: EventSink,
    lists: Mutex<[StoredList; 4]>,
    telling: Mutex<()>,
}

/// Manner in which a page of the first load is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListNotice {
    Now,
    Later,
}

impl Lists {
    pub(crate) fn new(server: ServerId, events: EventSink) -> Self {
        Self {
            server,
            events,
            lists: Mutex::new(ListKind::ALL.map(StoredList::new)),
            telling: Mutex::new(()),
        }
    }

    /// Returns the states of all lists.
    pub(crate) fn snapshot(&self) -> Vec<ListChange> {
        lock(&self.lists).iter().map(StoredList::changed).collect()
    }

    /// A new attempt: nothing is known of what the server offers.
    pub(crate) fn reset(&self) {
        for kind in ListKind::ALL {
            self.change(kind, ListNotice::Now, |list| {
                list.items = Arc::new(Items::new(kind, HeaderRules::DoNotApply));
                list.change = Arc::default();
                list.state = ListState::Unsupported;
                list.as_of = None;
            });
        }
    }

    /// Fills a list with what was stored of it. A page that cannot be read leaves it as it is.
    pub(crate) fn restore(&self, kind: ListKind, page: Bytes, as_of: Timestamp) {
        let mut items = Items::new(kind, HeaderRules::DoNotApply);
        if items.push_page(page).is_err() {
            return;
        }
        self.change(kind, ListNotice::Now, |list| {
            list.items = Arc::new(items);
            list.state = ListState::Loaded;
            list.as_of = Some(as_of);
        });
    }

    pub(crate) fn set_state(&self, kind: ListKind, state: ListState) {
        self.change(kind, ListNotice::Now, |list| list.state = state);
    }

    /// The list could not be loaded; the items so far stay.
    pub(crate) fn failed(&self, kind: ListKind, message: String, refusal: Option<Box<str>>) {
        self.change(kind, ListNotice::Now, |list| {
            list.state = ListState::Failed { message };
            list.refusal = refusal;
        });
    }

    /// The answer with which the server refused a list that failed.
    pub(crate) fn refusal(&self, kind: ListKind) -> Option<Box<str>> {
        self.with(kind, |list| list.refusal.clone())
    }

    /// Begins a first load.
    pub(crate) fn begin(&self, kind: ListKind, rules: HeaderRules) {
        self.change(kind, ListNotice::Now, |list| {
            list.items = Arc::new(Items::new(kind, rules));
            list.change = Arc::default();
            list.state = ListState::Loading;
        });
    }

    /// Adds a page of a first load. Returns its end and the number of items so far.
    pub(crate) fn push_page(
        &self,
        kind: ListKind,
        page: Bytes,
        notice: ListNotice,
    ) -> Result<(PageEnd, usize), serde_json::Error> {
        self.change(kind, notice, |list| {
            let items = Arc::make_mut(&mut list.items);
            items.push_page(page).map(|end| (end, items.len()))
        })
    }

    /// Notes something about how a first load went. It is told with the state that follows.
    pub(crate) fn amend(&self, kind: ListKind, note: impl FnOnce(&mut Items)) {
        self.change(kind, ListNotice::Later, |list| {
            note(Arc::make_mut(&mut list.items));
        });
    }

    /// Replaces a list that was loaded again and tells what changed.
    pub(crate) fn replace(&self, kind: ListKind, items: Items) {
        self.change(kind, ListNotice::Now, |list| {
            list.change = Arc::new(items.difference(&list.items));
            list.items = Arc::new(items);
            list.state = ListState::Loaded;
        });
    }

    /// The items of one list as they are now.
    pub(crate) fn current(&self, kind: ListKind) -> SharedItems {
        self.with(kind, |list| Arc::clone(&list.items))
    }

    /// The items of a list that is loaded; `None` of any other. Told in one look, so that a load that
    /// begins meanwhile does not make it a list without items.
    pub(crate) fn loaded(&self, kind: ListKind) -> Option<SharedItems> {
        self.with(kind, |list| {
            (list.state == ListState::Loaded).then(|| Arc::clone(&list.items))
        })
    }

    pub(crate) fn rules(&self, kind: ListKind) -> HeaderRules {
        self.with(kind, |list| list.items.rules())
    }

    pub(crate) fn state(&self, kind: ListKind) -> ListState {
        self.with(kind, |list| list.state.clone())
    }

    pub(crate) fn window(
        &self,
        kind: ListKind,
        filter: &str,
        offset: u32,
        limit: u32,
    ) -> ItemWindow {
        let (items, revision, known, change) = self.with(kind, |list| {
            let known = list
                .searched
                .as_ref()
                .filter(|(revision, text, _)| *revision == list.revision && text == filter)
                .map(|(_, _, places)| Arc::clone(places));
            let change = Arc::clone(&list.change);
            (Arc::clone(&list.items), list.revision, known, change)
        });
        let total = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let window = |places: &mut dyn Iterator<Item = u32>| {
            places
                .skip(offset as usize)
                .take(limit as usize)
                .filter_map(|index| items.row(index, &change))
                .collect()
        };
        if filter.trim().is_empty() {
            return ItemWindow {
                rows: window(&mut (0..total)),
                matched: total,
                total,
                revision,
            };
        }
        let places = known.unwrap_or_else(|| {
            let places: Arc<[u32]> = items.matching(filter).into();
            self.with(kind, |list| {
                list.searched = Some((revision, filter.to_owned(), Arc::clone(&places)));
            });
            places
        });
        ItemWindow {
            rows: window(&mut places.iter().copied()),
            matched: u32::try_from(places.len()).unwrap_or(u32::MAX),
            total,
            revision,
        }
    }

    pub(crate) fn outline(&self, kind: ListKind) -> ListOutline {
        self.current(kind).outline()
    }

    pub(crate) fn item(&self, kind: ListKind, index: u32) -> Result<Box<str>, ConnectionError> {
        self.current(kind)
            .raw(index)
            .map(Into::into)
            .ok_or_else(|| ConnectionError::NotFound {
                what: format!("item {index} of {}", kind.member()),
            })
    }

    /// Returns the text that an item had before the last `list_changed`, where that changed it.
    pub(crate) fn item_before(&self, kind: ListKind, index: u32) -> Option<Box<str>> {
        self.with(kind, |list| list.change.before(index).map(Into::into))
    }

    fn with<T>(&self, kind: ListKind, look: impl FnOnce(&mut StoredList) -> T) -> T {
        let mut lists = lock(&self.lists);
        let position = ListKind::ALL
            .iter()
            .position(|each| *each == kind)
            .unwrap_or_default();
        look(&mut lists[position])
    }

    fn change<T>(
        &self,
        kind: ListKind,
        notice: ListNotice,
        change: impl FnOnce(&mut StoredList) -> T,
    ) -> T {
        let _telling = lock(&self.telling);
        let (result, reported) = self.with(kind, |list| {
            let result = change(list);
            list.revision += 1;
            (result, list.changed())
        });
        if notice == ListNotice::Now {
            (self.events)(ConnectionEvent::List {
                server: self.server.clone(),
                change: reported,
            });
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_being_loaded_is_none_without_items() {
        let lists = Lists::new(ServerId::demo(), Arc::new(|_| {}));
        let tools = ListKind::Tools;
        assert!(lists.loaded(tools).is_none(), "it is not offered");
        for was_loaded in [false, true] {
            lists.begin(tools, HeaderRules::DoNotApply);
            assert!(lists.loaded(tools).is_none(), "it was loaded: {was_loaded}");
            lists.set_state(tools, ListState::Loaded);
            assert!(lists.loaded(tools).is_some());
        }
    }
}
