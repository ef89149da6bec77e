//! Index over the items in the pages of a list.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet, hash_map::Entry},
    ops::Range,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use sightglass_json_text::{Members, quoted};
use sightglass_model::brief;

use super::{
    difference::Difference,
    join::joined,
    outline::{common_prefix, groups},
    rank::{PreparedSearch, Rank},
    reading::{beginning, hints, read, schema_complaint},
};
use crate::{
    ItemRow, ListKind, ListOutline, estimated_tokens, transport::streamable_http::parameter_headers,
};

/// Bytes of all pages of one list. A longer list is cut, so that a server cannot fill the memory
/// page by page.
const MAX_LIST_BYTES: usize = 64 << 20;
/// Items of one list; the index of each takes more memory than the shortest items do.
const MAX_ITEMS: usize = 250_000;
/// Warnings that are kept of one list.
const MAX_WARNINGS: usize = 3;
/// Pages in a row that bring nothing new before no other is asked for.
const MAX_FRUITLESS: usize = 20;
/// Characters of a cursor that a warning shows.
const MAX_CURSOR_CHARACTERS: usize = 80;

/// Application of the rules for `x-mcp-header` to tools: over HTTP in the stateless era a tool
/// that breaks them cannot be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderRules {
    Apply,
    DoNotApply,
}

/// One item: a slice of a page.
#[derive(Debug, Clone)]
struct Item {
    page: u32,
    range: Range<u32>,
    name: Box<str>,
    problem: Option<Box<str>>,
}

/// The items of a list, in the server's order.
#[derive(Debug, Clone)]
pub(crate) struct Items {
    kind: ListKind,
    rules: HeaderRules,
    pages: Vec<Bytes>,
    items: Vec<Item>,
    names: HashMap<Box<str>, u32>,
    /// Name, title and description of each item in lower case, made for the first search.
    searched: OnceLock<Vec<Box<str>>>,
    problems: u32,
    /// Characters of the items that a model gets.
    characters: usize,
    /// Milliseconds.
    fresh_for: Option<f64>,
    /// Bytes of the pages that came.
    size: usize,
    warnings: Vec<String>,
    /// True when something of the list is not among the items.
    is_cut: bool,
    /// The JSON texts of the cursors that came.
    cursors: HashSet<Box<str>>,
    /// Pages in a row that brought nothing new.
    fruitless: usize,
}

/// Members of a page beyond its items.
pub(crate) struct PageEnd {
    /// The JSON text of `nextCursor`, where there is a next page.
    pub next_cursor: Option<Box<RawValue>>,
}

/// A response that carries a page. Borrowed from the recorded text, in one pass over a page that may
/// be of many megabytes; [`Members`] would take one pass more for each level down to the items.
#[derive(Deserialize)]
struct PageResponse<'a> {
    #[serde(borrow)]
    result: PageResult<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageResult<'a> {
    #[serde(borrow, default)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    resources: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    resource_templates: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    prompts: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    next_cursor: Option<&'a RawValue>,
    #[serde(borrow, default)]
    ttl_ms: Option<&'a RawValue>,
}

impl Items {
    pub(crate) fn new(kind: ListKind, rules: HeaderRules) -> Self {
        Self {
            kind,
            rules,
            pages: Vec::new(),
            items: Vec::new(),
            names: HashMap::new(),
            searched: OnceLock::new(),
            problems: 0,
            characters: 0,
            fresh_for: None,
            size: 0,
            warnings: Vec::new(),
            is_cut: false,
            cursors: HashSet::new(),
            fruitless: 0,
        }
    }

    /// Returns the warning about how the list was read: that it was cut, for instance.
    pub(crate) fn warning(&self) -> Option<String> {
        (!self.warnings.is_empty()).then(|| self.warnings.join(" "))
    }

    /// Returns true when all that the server lists is among the items, as far as can be told.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_cut
    }

    /// Adds a warning about how the list was read.
    pub(crate) fn warn(&mut self, warning: String) {
        if self.warnings.len() < MAX_WARNINGS && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Adds a warning that something of the list is not among the items.
    pub(crate) fn cut(&mut self, warning: String) {
        self.is_cut = true;
        self.warn(warning);
    }

    pub(crate) fn rules(&self) -> HeaderRules {
        self.rules
    }

    /// Returns the number of items that cannot be used as they came.
    pub(crate) fn problems(&self) -> u32 {
        self.problems
    }

    /// Returns what is wrong with the items, each with its name: why one cannot be used as it came,
    /// and what of it clients refuse.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (index, item) in (0..).zip(&self.items) {
            let refused = match self.kind {
                ListKind::Tools => self.raw(index).and_then(schema_complaint),
                _ => None,
            };
            let Some(complaint) = item.problem.as_deref().or(refused) else {
                continue;
            };
            let name = match &*item.name {
                "" => format!("item {}", index + 1),
                name => beginning(name),
            };
            complaints.push(format!("{name}: {complaint}"));
        }
        complaints
    }

    /// Estimates the tokens that the items take in a model's context.
    pub(crate) fn tokens(&self) -> u32 {
        estimated_tokens(self.characters)
    }

    /// Returns the beginning that all URIs share, or the groups of names that begin alike.
    pub(crate) fn outline(&self) -> ListOutline {
        let names = self.items.iter().map(|item| &*item.name);
        let (prefix, groups) = match self.kind {
            ListKind::Tools | ListKind::Prompts => ("", groups(names)),
            ListKind::Resources | ListKind::ResourceTemplates => (common_prefix(names), Vec::new()),
        };
        ListOutline {
            prefix: prefix.to_owned(),
            groups,
        }
    }

    /// Returns the time that the list stays as it is, in milliseconds, where the server says.
    pub(crate) fn fresh_for(&self) -> Option<f64> {
        self.fresh_for
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Appends the items of a page: a whole JSON-RPC response, as it came.
    ///
    /// Bytes that are not UTF-8 spoil the items that they are in, and no other. A page that would
    /// make the list too large is left out, and is the last.
    pub(crate) fn push_page(&mut self, text: Bytes) -> Result<PageEnd, serde_json::Error> {
        if self.size + text.len() > MAX_LIST_BYTES {
            self.cut(format!(
                "The list is cut at {} MiB, after {} items: page {} and what follows are not shown.",
                MAX_LIST_BYTES >> 20,
                self.items.len(),
                self.pages.len() + 1
            ));
            return Ok(PageEnd { next_cursor: None });
        }
        match self.push_text(text.clone(), &[]) {
            // Looked at last, since hardly a page is so and some are long.
            Err(_) if std::str::from_utf8(&text).is_err() => {
                let (text, replaced) = readable(&text);
                self.push_text(text, &replaced)
            }
            pushed => pushed,
        }
    }

    /// Appends a page, in which characters stand at `replaced`, ascending, for what was none.
    fn push_text(&mut self, text: Bytes, replaced: &[usize]) -> Result<PageEnd, serde_json::Error> {
        let result = match serde_json::from_slice::<PageResponse<'_>>(&text) {
            Ok(response) => response.result,
            // Looked at closely only then, since hardly a page is so and some are long.
            Err(error) => {
                let Some((result, repeated)) = with_repeated_members(&text) else {
                    return Err(error);
                };
                self.cut(format!(
                    "Page {} names {repeated} more than once; the last one counts.",
                    self.pages.len() + 1
                ));
                result
            }
        };
        let found = match self.kind {
            ListKind::Tools => result.tools,
            ListKind::Resources => result.resources,
            ListKind::ResourceTemplates => result.resource_templates,
            ListKind::Prompts => result.prompts,
        };
        let found = found.ok_or_else(|| {
            serde::de::Error::custom(format_args!(
                "the result has no array \"{}\"",
                self.kind.member()
            ))
        })?;
        let mut next_cursor = result.next_cursor.map(ToOwned::to_owned);
        // Kept as text first: one of the wrong type spoils nothing but itself.
        let fresh_for = result
            .ttl_ms
            .and_then(|text| text.get().parse::<f64>().ok());
        self.fresh_for = match (self.fresh_for, fresh_for) {
            (Some(before), Some(now)) => Some(before.min(now)),
            (before, now) => now.or(before),
        };
        let page = u32::try_from(self.pages.len()).unwrap_or(u32::MAX);
        let room = MAX_ITEMS - self.items.len();
        if found.len() > room {
            self.cut(format!(
                "The list is cut at {MAX_ITEMS} items: {} more of page {} and what follows are \
                 not shown.",
                found.len() - room,
                page + 1
            ));
            next_cursor = None;
        }
        let mut taken = Vec::with_capacity(found.len().min(room));
        let mut brings_nothing_new = true;
        for raw in found.into_iter().take(room) {
            let (mut item, characters) = self.index(page, &text, raw.get());
            let earlier = self.names.get(&item.name).and_then(|at| self.raw(*at));
            brings_nothing_new &= earlier == Some(raw.get());
            let first = replaced.partition_point(|place| *place < item.range.start as usize);
            if let Some(place) = replaced.get(first)
                && *place < item.range.end as usize
            {
                item.problem = Some(
                    "some of it is not valid UTF-8 and is shown as \u{fffd}; \
                     the record keeps the bytes"
                        .into(),
                );
            }
            taken.push((item, characters));
        }
        let is_repeated = brings_nothing_new && !taken.is_empty();
        let ends = next_cursor
            .as_ref()
            .is_some_and(|cursor| !self.goes_on(cursor, brings_nothing_new));
        if ends {
            next_cursor = None;
        } else if is_repeated {
            self.warn("A page has only items that came before; they are shown once.".to_owned());
        }
        // Also of a page that is not kept, so that a server cannot send such pages without end.
        self.size += text.len();
        if is_repeated {
            return Ok(PageEnd { next_cursor });
        }
        let searched = self.searched.take();
        self.items.reserve(taken.len());
        self.names.reserve(taken.len());
        for (mut item, characters) in taken {
            let position = u32::try_from(self.items.len()).unwrap_or(u32::MAX);
            match self.names.entry(item.name.clone()) {
                Entry::Vacant(free) => {
                    free.insert(position);
                }
                Entry::Occupied(_) if item.problem.is_none() => {
                    item.problem = Some("an earlier item of the list has the same name".into());
                }
                Entry::Occupied(_) => {}
            }
            self.characters += characters;
            self.problems += u32::from(item.problem.is_some());
            self.items.push(item);
        }
        // What a transport gives shares a buffer that is up to twice as large, and pages stay.
        self.pages.push(Bytes::copy_from_slice(&text));
        // Of a list that is searched while it is read, what is new alone is read again.
        if let Some(mut searched) = searched {
            let new = searched.len()..self.items.len();
            searched.extend(new.map(|index| self.searched_text(offset(index))));
            self.searched = OnceLock::from(searched);
        }
        Ok(PageEnd { next_cursor })
    }

    /// Returns true when another page may be asked for with this cursor. Warns when it came before,
    /// or page after page brings nothing new: such pages never end.
    fn goes_on(&mut self, cursor: &RawValue, brings_nothing_new: bool) -> bool {
        self.fruitless = match brings_nothing_new {
            true => self.fruitless + 1,
            false => 0,
        };
        let shown = excerpt_of_cursor(cursor);
        if !self.cursors.insert(cursor.get().into()) {
            self.warn(format!(
                "The server gave the cursor {shown} again, so that its pages would never end. What \
                 came is shown once. The last page has to come without `nextCursor`."
            ));
            return false;
        }
        if self.fruitless >= MAX_FRUITLESS {
            self.cut(format!(
                "The server gave the cursor {shown} after {MAX_FRUITLESS} pages without anything \
                 new. No further page was asked for."
            ));
            return false;
        }
        true
    }

    /// Reads an item, and counts its characters that a model gets.
    fn index(&self, page: u32, text: &Bytes, raw: &str) -> (Item, usize) {
        let start = raw.as_ptr() as usize - text.as_ptr() as usize;
        let range = offset(start)..offset(start + raw.len());
        let mut read = read(self.kind, raw);
        if read.problem.is_none()
            && self.kind == ListKind::Tools
            && self.rules == HeaderRules::Apply
        {
            read.problem = parameter_headers::problem(raw);
        }
        let item = Item {
            page,
            range,
            name: read.name.into(),
            problem: read.problem.map(Into::into),
        };
        (item, read.characters)
    }

    /// The item's verbatim JSON; what is not UTF-8 in it is replaced.
    pub(crate) fn raw(&self, index: u32) -> Option<&str> {
        let item = self.items.get(index as usize)?;
        let page = self.pages.get(item.page as usize)?;
        std::str::from_utf8(page.get(item.range.start as usize..item.range.end as usize)?).ok()
    }

    /// Returns the JSON of all items. Each shares the text of its page.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Bytes> {
        self.items.iter().filter_map(|item| {
            let page = self.pages.get(item.page as usize)?;
            let text = page.get(item.range.start as usize..item.range.end as usize)?;
            Some(page.slice_ref(text))
        })
    }

    /// All pages as one result.
    pub(crate) fn joined(&self) -> Option<String> {
        joined(&self.pages, self.kind.member())
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// The row of an item, read from its text.
    pub(crate) fn row(&self, index: u32, difference: &Difference) -> Option<ItemRow> {
        let item = self.items.get(index as usize)?;
        let read = read(self.kind, self.raw(index)?);
        Some(ItemRow {
            index,
            name: item.name.to_string(),
            title: read.title.map(Cow::into_owned),
            description: read.description.as_deref().map(beginning),
            problem: item.problem.as_deref().map(str::to_owned),
            fresh: difference.fresh.contains(&index),
            changed: difference.before(index).is_some(),
            hints: if self.kind == ListKind::Tools {
                hints(self.raw(index)?)
            } else {
                Vec::new()
            },
            tokens: estimated_tokens(read.characters),
        })
    }

    /// The places of the items that match `filter` in name, title or description, the best
    /// first; those that are as good in the server's order.
    pub(crate) fn matching(&self, filter: &str) -> Vec<u32> {
        let search = PreparedSearch::new(filter);
        let places = (0..).zip(&self.items);
        if search.is_empty() {
            return places.map(|(index, _)| index).collect();
        }
        let searched = self.searched.get_or_init(|| {
            let indices = places.clone().map(|(index, _)| index);
            indices.map(|index| self.searched_text(index)).collect()
        });
        let mut ranked: Vec<(Rank, u32)> = places
            .zip(searched)
            .filter_map(|((index, item), searched)| {
                Some((search.rank(&item.name, searched)?, index))
            })
            .collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, index)| index).collect()
    }

    /// Returns what a search looks at in an item: a line each for its name, title and description.
    fn searched_text(&self, index: u32) -> Box<str> {
        let read = read(self.kind, self.raw(index).unwrap_or_default());
        let title = read.title.as_deref().unwrap_or_default();
        let description = read.description.as_deref().unwrap_or_default();
        format!("{}\n{title}\n{description}", read.name)
            .to_lowercase()
            .into()
    }

    /// Compares with an earlier state of the list, by name and text.
    pub(crate) fn difference(&self, before: &Items) -> Difference {
        let mut difference = Difference::default();
        for (index, item) in (0..).zip(&self.items) {
            match before.names.get(&item.name) {
                None => {
                    difference.fresh.insert(index);
                    difference.added.push(item.name.to_string());
                }
                Some(old) if before.raw(*old) != self.raw(index) => {
                    difference.fresh.insert(index);
                    difference.changed.push(item.name.to_string());
                    difference.keep(index, before.raw(*old).unwrap_or_default());
                }
                Some(_) => {}
            }
        }
        difference.removed = before
            .items
            .iter()
            .filter(|item| !self.names.contains_key(&item.name))
            .map(|item| item.name.to_string())
            .collect();
        difference
    }

    /// The parameters that each tool wants repeated as HTTP headers.
    pub(crate) fn parameter_headers(&self) -> parameter_headers::ParameterHeaders {
        let mut table = parameter_headers::ParameterHeaders::default();
        if self.kind != ListKind::Tools || self.rules == HeaderRules::DoNotApply {
            return table;
        }
        for (index, item) in (0..).zip(&self.items) {
            if let (None, Some(raw)) = (&item.problem, self.raw(index)) {
                table.insert(&item.name, raw);
            }
        }
        table
    }
}

/// The beginning of a cursor, as JSON text.
pub(crate) fn excerpt_of_cursor(cursor: &RawValue) -> String {
    brief(cursor.get(), MAX_CURSOR_CHARACTERS).into_owned()
}

/// Reads a page in which members are there twice: of each the last one counts, as it does for
/// most JSON parsers. Answers also the names of those. `None` when no member is repeated, or the
/// page cannot be read for another reason.
fn with_repeated_members(text: &[u8]) -> Option<(PageResult<'_>, String)> {
    let response = Members::parse(std::str::from_utf8(text).ok()?).ok()?;
    let result = response.object("result")?;
    let repeated: Vec<String> = response
        .repeated()
        .into_iter()
        .chain(result.repeated())
        .map(quoted)
        .collect();
    if repeated.is_empty() {
        return None;
    }
    let items = |member| match result.given(member) {
        Some(text) => serde_json::from_str(text).map(Some),
        None => Ok(None),
    };
    let raw = |member| {
        result
            .given(member)
            .and_then(|text| serde_json::from_str(text).ok())
    };
    let result = PageResult {
        tools: items("tools").ok()?,
        resources: items("resources").ok()?,
        resource_templates: items("resourceTemplates").ok()?,
        prompts: items("prompts").ok()?,
        next_cursor: raw("nextCursor"),
        ttl_ms: raw("ttlMs"),
    };
    Some((result, repeated.join(", ")))
}

/// The text with U+FFFD in place of what is not UTF-8, and the places of those.
fn readable(bytes: &[u8]) -> (Bytes, Vec<usize>) {
    let mut text = String::with_capacity(bytes.len());
    let mut replaced = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            replaced.push(text.len());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text.into(), replaced)
}

/// Pages of more than 4 GiB do not come through the limit for messages.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// Shared, so that a window can be read while the next page is being added.
pub(crate) type SharedItems = Arc<Items>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolHint;

    fn tools(pages: &[&str]) -> Items {
        let mut items = Items::new(ListKind::Tools, HeaderRules::DoNotApply);
        for page in pages {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{page}]}}}}"#);
            items.push_page(Bytes::from(text)).unwrap();
        }
        items
    }

    fn row(items: &Items, index: u32) -> ItemRow {
        items.row(index, &Difference::default()).unwrap()
    }

    #[test]
    fn an_item_is_kept_as_the_server_wrote_it() {
        let item =
            r#"{ "name": "a", "inputSchema": {"maximum": 12345678901234567890123}, "x": 1.0 }"#;
        let items = tools(&[r#"{"name":"b","inputSchema":{}}"#, item]);
        assert_eq!(items.raw(1), Some(item));
        assert_eq!(items.find("a"), Some(1));
        assert_eq!(items.raw(2), None);
    }

    #[test]
    fn the_texts_of_all_items_are_parts_of_their_pages() {
        let item = r#"{"name":"a","inputSchema":{}}"#;
        let items = tools(&[item, r#"{"name":"b","inputSchema":{}}"#]);
        let texts: Vec<Bytes> = items.texts().collect();
        assert_eq!(texts.len(), 2);
        assert_eq!(texts[0], item);
        for (text, page) in texts.iter().zip(&items.pages) {
            assert!(page.as_ptr_range().contains(&text.as_ptr()));
        }
    }

    #[test]
    fn what_a_search_looks_at_is_made_for_the_first_and_goes_on_with_the_list() {
        let mut items = tools(&[r#"{"name":"Aa","inputSchema":{}}"#]);
        assert!(items.searched.get().is_none());
        assert_eq!(items.matching("aA"), [0]);
        assert_eq!(items.searched.get().map(Vec::len), Some(1));
        let page = r#"{"result":{"tools":[{"name":"b","description":"AA","inputSchema":{}}]}}"#;
        let before = items.searched.get().map(|searched| searched[0].as_ptr());
        items.push_page(Bytes::from(page)).unwrap();
        let searched = items.searched.get().expect("it goes on");
        assert_eq!(searched.len(), 2);
        assert_eq!(Some(searched[0].as_ptr()), before);
        assert_eq!(items.matching("aa"), [0, 1]);
    }

    #[test]
    fn a_tool_whose_input_is_not_said_to_be_an_object_is_complained_of() {
        let items = tools(&[concat!(
            r#"{"name":"empty","inputSchema":{}},{"name":"good","inputSchema":{"type":"object"}},"#,
            r#"{"name":"text","inputSchema":{"type":"string"}},{"name":"","inputSchema":{}},"#,
            r#"{"name":"none"}"#,
        )]);
        let complaints = items.complaints();
        let begins = [
            "empty: \"inputSchema\" has to say",
            "text: ",
            "item 4: ",
            "none: ",
        ];
        assert_eq!(complaints.len(), begins.len(), "{complaints:?}");
        for (complaint, begin) in complaints.iter().zip(begins) {
            assert!(complaint.starts_with(begin), "{complaint}");
        }
    }

    #[test]
    fn a_malformed_tool_among_good_ones_says_what_is_wrong_with_it() {
        let items = tools(&[concat!(
            r#"{"name":"good","inputSchema":{}},{"name":7,"inputSchema":{}},"#,
            r#"{"name":"no schema"},{"name":"bad schema","inputSchema":[]},4,"#,
            r#"{"name":"bad title","inputSchema":{},"title":{}},{"name":"good","inputSchema":{}}"#,
        )]);
        let problems: Vec<Option<String>> =
            (0..7).map(|index| row(&items, index).problem).collect();
        assert_eq!(problems[0], None);
        assert_eq!(
            problems[1].as_deref(),
            Some("\"name\" is a number, not a string")
        );
        assert_eq!(problems[2].as_deref(), Some("\"inputSchema\" is missing"));
        assert_eq!(
            problems[3].as_deref(),
            Some("\"inputSchema\" is an array, not an object")
        );
        assert!(
            problems[4]
                .as_deref()
                .unwrap()
                .contains("not a JSON object")
        );
        assert_eq!(
            problems[5].as_deref(),
            Some("\"title\" is an object, not a string")
        );
        assert!(problems[6].as_deref().unwrap().contains("same name"));
    }

    #[test]
    fn bytes_that_are_no_text_spoil_their_own_item_alone() {
        let page = [
            br#"{"result":{"tools":[{"name":"a","inputSchema":{}},{"name":"b","description":"caf"#
                .as_slice(),
            b"\xe9",
            br#"","inputSchema":{}},{"name":"c","inputSchema":{}}]}}"#,
        ]
        .concat();
        let mut items = Items::new(ListKind::Tools, HeaderRules::DoNotApply);
        items.push_page(page.into()).unwrap();
        let problems: Vec<bool> = (0..3)
            .map(|index| row(&items, index).problem.is_some())
            .collect();
        assert_eq!(problems, [false, true, false]);
        assert_eq!(row(&items, 1).description.as_deref(), Some("caf\u{fffd}"));
        assert_eq!(items.problems(), 1);
    }

    #[test]
    fn a_search_looks_at_name_title_and_description_in_any_case() {
        let items = tools(&[concat!(
            r#"{"name":"Read_File","inputSchema":{}},"#,
            r#"{"name":"b","title":"Über-Reader","inputSchema":{}},"#,
            r#"{"name":"c","description":"it\nREADS","inputSchema":{}},{"name":"d","inputSchema":{}}"#,
        )]);
        assert_eq!(items.matching("read"), [0, 1, 2]);
        assert_eq!(items.matching("über"), [1]);
        assert_eq!(items.matching("c"), [2]);
        assert_eq!(items.matching(" "), [0, 1, 2, 3]);
        assert_eq!(row(&items, 2).description.as_deref(), Some("it READS"));
    }

    #[test]
    fn a_row_has_the_hints_that_the_server_gives() {
        let items = tools(&[concat!(
            r#"{"name":"a","inputSchema":{},"annotations":{"readOnlyHint":true,"#,
            r#""destructiveHint":true,"openWorldHint":false,"idempotentHint":true}},"#,
            r#"{"name":"b","inputSchema":{},"annotations":{"destructiveHint":true,"openWorldHint":true}},"#,
            r#"{"name":"c","inputSchema":{},"annotations":[true,"x"]},"#,
            r#"{"name":"d","inputSchema":{},"annotations":{"readOnlyHint":"yes","openWorldHint":true}}"#,
        )]);
        assert_eq!(
            row(&items, 0).hints,
            [ToolHint::ReadOnly, ToolHint::Idempotent]
        );
        assert_eq!(
            row(&items, 1).hints,
            [ToolHint::Destructive, ToolHint::OpenWorld]
        );
        assert_eq!(row(&items, 2).hints, []);
        assert_eq!(row(&items, 3).hints, [ToolHint::OpenWorld]);
    }

    #[test]
    fn what_a_model_gets_costs_a_token_for_four_characters() {
        let items = tools(&[concat!(
            r#"{"name":"é","title":"Not sent","description":"\u00e9 cinq","inputSchema":{}},"#,
            r#"{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}"#,
        )]);
        assert_eq!((row(&items, 0).tokens, row(&items, 1).tokens), (3, 5));
        assert_eq!(items.tokens(), 7);
    }

    #[test]
    fn what_is_named_so_comes_before_what_only_says_so() {
        let items = tools(&[concat!(
            r#"{"name":"schema_arrays","description":"Lists of objects","inputSchema":{}},"#,
            r#"{"name":"schema_objects","inputSchema":{}},"#,
            r#"{"name":"objects","inputSchema":{}}"#,
        )]);
        assert_eq!(items.matching("objects"), [2, 1, 0]);
        assert_eq!(items.matching("schobj"), [1]);
    }

    #[test]
    fn what_changed_is_told_by_name() {
        let before = tools(&[r#"{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}}"#]);
        let after = tools(&[r#"{"name":"b","inputSchema":{"x":1}},{"name":"c","inputSchema":{}}"#]);
        let difference = after.difference(&before);
        assert_eq!(difference.added, ["c"]);
        assert_eq!(difference.removed, ["a"]);
        assert_eq!(difference.changed, ["b"]);
        assert_eq!(difference.fresh, HashSet::from([0, 1]));
    }

    #[test]
    fn a_page_without_its_array_is_an_error() {
        let mut items = Items::new(ListKind::Prompts, HeaderRules::DoNotApply);
        let error = items
            .push_page(Bytes::from_static(br#"{"result":{"tools":[]}}"#))
            .err()
            .unwrap();
        assert!(error.to_string().contains("no array \"prompts\""));
    }

    #[test]
    fn a_resource_is_known_by_its_uri_and_shown_by_its_name() {
        let mut items = Items::new(ListKind::Resources, HeaderRules::DoNotApply);
        let page = br#"{"result":{"resources":[{"uri":"file:///a","name":"A"}],"nextCursor":"x"}}"#;
        let end = items.push_page(Bytes::from_static(page)).unwrap();
        assert_eq!(end.next_cursor.unwrap().get(), "\"x\"");
        assert_eq!(row(&items, 0).name, "file:///a");
        assert_eq!(row(&items, 0).title.as_deref(), Some("A"));
    }

    #[test]
    fn of_an_array_that_is_there_twice_the_last_counts_with_a_warning() {
        let mut items = Items::new(ListKind::Tools, HeaderRules::DoNotApply);
        let page = br#"{"result":{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"1","tools":[{"name":"b","inputSchema":{}}],"nextCursor":"2"}}"#;
        let end = items.push_page(Bytes::from_static(page)).unwrap();
        assert_eq!(end.next_cursor.unwrap().get(), "\"2\"");
        assert_eq!((items.len(), items.find("b")), (1, Some(0)));
        assert_eq!(
            items.warning().as_deref(),
            Some("Page 1 names \"tools\", \"nextCursor\" more than once; the last one counts.")
        );
        let broken = Bytes::from_static(br#"{"result":{"tools":7,"tools":8}}"#);
        assert!(items.push_page(broken).is_err());
    }

    #[test]
    fn a_list_is_cut_where_it_becomes_too_large_and_says_so() {
        let mut items = Items::new(ListKind::Tools, HeaderRules::DoNotApply);
        let filler = "x".repeat(MAX_LIST_BYTES / 3);
        let page = |name: &str| {
            Bytes::from(format!(
                r#"{{"result":{{"tools":[{{"name":"{name}","inputSchema":{{}},"x":"{filler}"}}],"nextCursor":"{name}"}}}}"#
            ))
        };
        assert!(items.push_page(page("a")).unwrap().next_cursor.is_some());
        assert!(items.push_page(page("b")).unwrap().next_cursor.is_some());
        assert_eq!(items.warning(), None);
        assert!(items.push_page(page("c")).unwrap().next_cursor.is_none());
        assert_eq!(items.len(), 2);
        assert_eq!(
            items.warning().as_deref(),
            Some(
                "The list is cut at 64 MiB, after 2 items: page 3 and what follows are not shown."
            )
        );
    }

    #[test]
    fn pages_end_where_a_cursor_comes_again_and_repeated_items_are_left_out() {
        let page = |name: &str, cursor: &str| {
            let tool = format!(r#"{{"name":"{name}","inputSchema":{{}}}}"#);
            let result = format!(r#"{{"tools":[{tool}],"nextCursor":"{cursor}"}}"#);
            Bytes::from(format!(r#"{{"result":{result}}}"#))
        };
        let mut items = Items::new(ListKind::Tools, HeaderRules::DoNotApply);
        assert!(
            items
                .push_page(page("a", "1"))
                .unwrap()
                .next_cursor
                .is_some()
        );
        assert!(
            items
                .push_page(page("a", "2"))
                .unwrap()
                .next_cursor
                .is_some()
        );
        assert!(
            items
                .push_page(page("b", "1"))
                .unwrap()
                .next_cursor
                .is_none()
        );
        let warning = items.warning().unwrap();
        assert!(warning.contains("the cursor \"1\" again"), "{warning}");
        assert_eq!(
            (items.len(), items.problems(), items.is_whole()),
            (2, 0, true)
        );
        let joined = items.joined().unwrap();
        assert_eq!(joined.matches("\"name\"").count(), 2, "{joined}");

        let mut items = Items::new(ListKind::Tools, HeaderRules::DoNotApply);
        let pages = (0..).find(|number| {
            let pushed = items.push_page(page("a", &number.to_string()));
            pushed.unwrap().next_cursor.is_none()
        });
        assert_eq!(pages, Some(MAX_FRUITLESS));
        assert_eq!((items.len(), items.is_whole()), (1, false));
    }

    #[test]
    fn a_list_of_countless_items_is_cut_and_says_how_many_are_missing() {
        let mut items = Items::new(ListKind::Prompts, HeaderRules::DoNotApply);
        let many = vec!["{}"; MAX_ITEMS + 5].join(",");
        let page = format!(r#"{{"result":{{"prompts":[{many}],"nextCursor":"n"}}}}"#);
        assert!(items.push_page(page.into()).unwrap().next_cursor.is_none());
        assert_eq!(items.len(), MAX_ITEMS);
        assert!(items.warning().unwrap().contains("5 more of page 1"));
    }
}
