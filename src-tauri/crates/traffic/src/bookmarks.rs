//! Bookmarks that a person put on rows, each with a note that may be empty.

use std::{collections::BTreeMap, sync::Arc};

/// Notes by the frame that starts the row.
pub(crate) type Bookmarks = BTreeMap<u32, Arc<str>>;

/// Bookmarks of one record.
pub(crate) const MAX_BOOKMARKS: usize = 10_000;

/// The longest note, in characters.
pub const MAX_NOTE_CHARACTERS: usize = 2_000;
