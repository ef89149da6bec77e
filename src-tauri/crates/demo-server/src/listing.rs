//! Lists that are serialised once, so that answering a page of any size is a
//! matter of slicing.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use serde_json::Value;

use crate::message::RpcError;

/// The items of a list as one JSON text, separated by commas.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    text: Bytes,
    /// The range of each item in `text`.
    spans: Vec<(usize, usize)>,
}

/// The lists that a server offers.
#[derive(Debug)]
pub struct Lists {
    pub tools: Listing,
    pub resources: Listing,
    pub templates: Listing,
    pub prompts: Listing,
}

/// Part of a list.
#[derive(Debug)]
pub struct Page {
    /// The items, to be put between brackets.
    pub items: Vec<Bytes>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

impl Listing {
    /// Joins items that are JSON texts.
    pub fn new<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Listing {
        let mut text = String::new();
        let mut spans = Vec::new();
        for item in items {
            if !text.is_empty() {
                text.push(',');
            }
            let start = text.len();
            text.push_str(item.as_ref());
            spans.push((start, text.len()));
        }
        Listing {
            text: Bytes::from(text),
            spans,
        }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns whether an item has this name.
    pub fn has(&self, name: &str) -> bool {
        self.spans.iter().any(|&(start, end)| {
            let item: Option<Value> = serde_json::from_slice(&self.text[start..end]).ok();
            item.is_some_and(|item| item["name"] == name)
        })
    }

    /// The page at `cursor` (the first without one), of `size` items (all without
    /// one). `extras` are items that were added after the list was made; they come
    /// last.
    ///
    /// # Errors
    ///
    /// `-32602` for a cursor that this server did not hand out.
    pub fn page(
        &self,
        cursor: Option<&str>,
        size: Option<usize>,
        extras: &[Bytes],
    ) -> Result<Page, RpcError> {
        let total = self.len() + extras.len();
        let from = match cursor {
            None => 0,
            Some(cursor) => read_cursor(cursor)
                .filter(|offset| *offset <= total)
                .ok_or_else(|| RpcError::invalid_params(format!("Unknown cursor: {cursor}")))?,
        };
        let to = size.map_or(total, |size| from.saturating_add(size).min(total));
        let mut items = Vec::new();
        if from < self.len() && from < to {
            let last = to.min(self.len()) - 1;
            items.push(self.text.slice(self.spans[from].0..self.spans[last].1));
        }
        for index in from.max(self.len())..to {
            if !items.is_empty() {
                items.push(Bytes::from_static(b","));
            }
            items.push(extras[index - self.len()].clone());
        }
        Ok(Page {
            items,
            next: (to < total).then(|| write_cursor(to)),
        })
    }
}

/// Cursors are opaque to clients; base64 keeps people from building on the number.
fn write_cursor(offset: usize) -> String {
    BASE64_STANDARD.encode(format!("from {offset}"))
}

fn read_cursor(cursor: &str) -> Option<usize> {
    let decoded = BASE64_STANDARD.decode(cursor).ok()?;
    std::str::from_utf8(&decoded)
        .ok()?
        .strip_prefix("from ")?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(page: &Page) -> String {
        page.items
            .iter()
            .map(|piece| std::str::from_utf8(piece).unwrap())
            .collect()
    }

    #[test]
    fn following_the_cursors_yields_every_item_once() {
        let listing = Listing::new(["1", "2", "3", "4", "5"]);
        let extras = [Bytes::from_static(b"6"), Bytes::from_static(b"7")];
        let (mut cursor, mut pages) = (None, Vec::new());
        loop {
            let page = listing.page(cursor.as_deref(), Some(2), &extras).unwrap();
            pages.push(text(&page));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(pages, ["1,2", "3,4", "5,6", "7"]);
    }

    #[test]
    fn without_a_size_everything_is_one_page() {
        let listing = Listing::new(["1", "2", "3"]);
        let page = listing.page(None, None, &[]).unwrap();
        assert_eq!(text(&page), "1,2,3");
        assert_eq!(page.next, None);
    }

    #[test]
    fn an_empty_list_is_one_empty_page() {
        let page = Listing::default().page(None, Some(10), &[]).unwrap();
        assert_eq!(text(&page), "");
        assert_eq!(page.next, None);
    }

    #[test]
    fn a_foreign_cursor_is_refused() {
        let listing = Listing::new(["1"]);
        assert!(listing.page(Some("nonsense"), None, &[]).is_err());
        assert!(listing.page(Some(&write_cursor(9)), None, &[]).is_err());
    }
}
