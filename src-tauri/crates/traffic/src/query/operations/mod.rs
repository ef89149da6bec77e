//! Pages of operations, their trees, and what caused what.
//!
//! The links of the newest rows are looked up first. Each query goes on for a while with older
//! ones, from a range several times as long each time, until it is at the oldest.

mod bars;
mod index;
mod matching;
mod outline;
mod timeline;

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use roaring::RoaringBitmap;
use sightglass_model::{ExchangeId, FrameId, lock};

use super::{MAX_PAGE_LENGTH, Queries, SEARCH_TIMEOUT, view::View};
use crate::{
    Causality, Certainty, ExchangeKind, ExchangeRow, OperationNode, OperationPage, OperationQuery,
    OperationTree, RecordError, RelatedRow, TrafficQuery, block::Flags, operations::Link,
    quiet::QuietRows,
};
use index::OperationIndex;
use matching::{MatchingRoots, roots_of};
use outline::Outline;
use timeline::TimelineState;

/// The frames that are looked at first.
const FIRST_FRAMES: u32 = 20_000;

/// A query whose rows are there goes on with older ones for this long.
const SPARE_TIME: Duration = Duration::from_millis(15);

/// The most operations of one page.
const MAX_OPERATIONS: u32 = 1_000;

/// The most effects of a row that are told.
const MAX_EFFECTS: usize = 1_000;

/// The links as far as they are looked up.
#[derive(Default)]
pub(super) struct Operations {
    state: Mutex<OperationsState>,
}

#[derive(Default)]
struct OperationsState {
    epoch: u32,
    current: Option<OperationIndex>,
    /// The same from an older frame on, in the making.
    older: Option<OperationIndex>,
    /// Moves when other links take the place of the current ones.
    generation: u64,
    matching: MatchingRoots,
    timeline: TimelineState,
}

/// Links that were looked up.
struct LookedUp<'a> {
    index: &'a OperationIndex,
    /// False when older rows may have more.
    is_complete: bool,
    generation: u64,
    matching: &'a mut MatchingRoots,
    timeline: &'a mut TimelineState,
}

impl OperationsState {
    /// Looks at what came, and at older rows as long as there is time or, where `is_enough` says
    /// so, not for much longer.
    fn advance(
        &mut self,
        view: &View<'_>,
        is_enough: impl Fn(&OperationIndex) -> bool,
    ) -> Result<LookedUp<'_>, RecordError> {
        if self.epoch != view.snapshot.epoch {
            *self = Self {
                epoch: view.snapshot.epoch,
                generation: self.generation + 1,
                ..Self::default()
            };
        }
        let began = Instant::now();
        let deadline = began + SEARCH_TIMEOUT;
        let next = view.snapshot.next_frame;
        let oldest = match view.block_from(0)? {
            Some(block) => block.first_frame().unwrap_or(next),
            None => next,
        };
        let mut current = self.current.take().unwrap_or_else(|| {
            OperationIndex::starting_at(next.saturating_sub(FIRST_FRAMES).max(oldest), oldest)
        });
        let mut is_complete = current.follow(view, deadline)?;
        while is_complete && current.first_frame > oldest && !current.is_cut {
            let is_late = is_enough(&current) && began.elapsed() >= SPARE_TIME;
            if is_late || Instant::now() >= deadline {
                is_complete = false;
                break;
            }
            let covered = next.saturating_sub(current.first_frame).max(FIRST_FRAMES);
            let from = next.saturating_sub(covered.saturating_mul(4)).max(oldest);
            let older = self
                .older
                .get_or_insert_with(|| OperationIndex::starting_at(from, oldest));
            let slice = deadline.min(Instant::now() + SPARE_TIME);
            if older.follow(view, slice)?
                && let Some(older) = self.older.take()
            {
                // With as many links as there may be, it may not reach as far back.
                if older.is_cut && older.first_row >= current.first_row {
                    current.is_cut = true;
                } else {
                    current = older;
                    self.generation += 1;
                }
            }
        }
        Ok(LookedUp {
            index: self.current.insert(current),
            is_complete,
            generation: self.generation,
            matching: &mut self.matching,
            timeline: &mut self.timeline,
        })
    }
}

/// Rows that are roots of operations.
enum Roots {
    All(QuietRows),
    Matching(RoaringBitmap),
}

impl Roots {
    fn count(&self) -> u32 {
        match self {
            Self::All(rows) => rows.count(),
            Self::Matching(rows) => u32::try_from(rows.len()).unwrap_or(u32::MAX),
        }
    }

    fn positions(&self, offset: u32, limit: u32) -> Vec<u32> {
        match self {
            Self::All(rows) => rows.positions(offset, limit),
            Self::Matching(rows) => {
                let end = self.count().saturating_sub(offset);
                let start = end.saturating_sub(limit);
                (start..end)
                    .filter_map(|index| rows.select(index))
                    .collect()
            }
        }
    }
}

impl Queries {
    /// The searching reader, so that scrolling never waits for it.
    fn operations_view(&self) -> View<'_> {
        View::of(&self.shared, &self.search_reader)
    }

    /// Runs `read` on the links, as far as they are looked up.
    fn with_links<T>(
        &self,
        view: &View<'_>,
        is_enough: impl Fn(&OperationIndex) -> bool,
        read: impl FnOnce(LookedUp<'_>) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let mut state = lock(&self.operations.state);
        read(state.advance(view, is_enough)?)
    }

    /// Returns a page of operations: `limit` of those with a row that matches, after leaving out
    /// the newest `offset_from_newest`.
    pub(crate) fn operations(
        &self,
        query: &TrafficQuery,
        project: Option<&Arc<str>>,
        offset_from_newest: u32,
        limit: u32,
    ) -> Result<OperationPage, RecordError> {
        let limit = limit.min(MAX_OPERATIONS);
        let last = self.last_row(&self.view(), query)?;
        let wanted = offset_from_newest.saturating_add(limit);
        let (search, problem) = self.search(query, project, wanted, last)?;
        let view = self.operations_view();
        let all = |index: &OperationIndex| everything(&view, index, query, last);
        let row_index = view.snapshot.row_index.until(last);
        let of_checks = self.shared.queue().foldable.count_of_checks(row_index);
        let (mut page, outlines) = self.with_links(
            &view,
            |index| search.is_some() || all(index).count() >= wanted,
            |looked| {
                let (index, is_complete) = (looked.index, looked.is_complete);
                let found = match &search {
                    Some(search) => {
                        looked.matching.update(search, index, looked.generation);
                        let roots = until(&looked.matching.roots, last);
                        Roots::Matching(roots - index.no_calls(query))
                    }
                    None => all(index),
                };
                let is_searched = search
                    .as_ref()
                    .is_none_or(|search| search.progress().complete);
                let positions = found.positions(offset_from_newest, limit);
                let outlines: Vec<Outline> = positions
                    .iter()
                    .map(|position| Outline::of(index, *position))
                    .collect();
                let oldest = match index.is_cut {
                    true => view.block_of_row(index.first_row)?,
                    false => None,
                };
                let page = OperationPage {
                    operations: Vec::new(),
                    total: found.count(),
                    of: all(index).count(),
                    of_checks,
                    complete: is_complete && is_searched,
                    oldest: oldest.map(|found| ExchangeId(found.entry.frame)),
                    problem,
                };
                Ok((page, outlines))
            },
        )?;
        let positions: Vec<u32> = outlines.iter().map(|outline| outline.root).collect();
        let mut rows: HashMap<u32, ExchangeRow> =
            view.positioned_rows(&positions)?.into_iter().collect();
        for outline in outlines {
            if let Some(root) = rows.remove(&outline.root) {
                let operation = outline.operation(&view, root, self.live_from())?;
                page.operations.push(operation);
            }
        }
        Ok(page)
    }

    fn live_from(&self) -> u32 {
        self.shared.queue().live_from
    }

    /// Returns a page of the tree of an operation: `limit` rows after the first `offset`.
    pub fn operation(
        &self,
        query: &OperationQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationTree, RecordError> {
        let limit = limit.min(MAX_PAGE_LENGTH);
        let view = self.operations_view();
        let row = row_of(&view, query.id)?;
        let mut folded = HashSet::new();
        for id in &query.folded {
            folded.extend(view.locate(FrameId(id.0))?.map(|found| found.entry.row));
        }
        let (outline, shown, total, is_complete) = self.with_links(
            &view,
            |index| index.first_row <= row,
            |looked| {
                let index = looked.index;
                let root = index.links.root(row);
                let beneath = index.links.beneath(root, |row| folded.contains(&row));
                let total = u32::try_from(beneath.len()).unwrap_or(u32::MAX) + 1;
                let links = beneath.into_iter().map(|(link, depth)| (Some(link), depth));
                let shown: Vec<(PlacedRow, u32)> = std::iter::once((None, 0))
                    .chain(links)
                    .skip(offset as usize)
                    .take(limit as usize)
                    .map(|(link, depth)| {
                        let row = link.map_or(root, |link: Link| link.child);
                        let placed = PlacedRow { row, link, depth };
                        (placed, index.links.part_count(row))
                    })
                    .collect();
                Ok((Outline::of(index, root), shown, total, looked.is_complete))
            },
        )?;
        let root = outline.root;
        let wanted = shown.iter().flat_map(|(placed, _)| {
            [Some(placed.row), placed.link.map(|link| link.parent)]
                .into_iter()
                .flatten()
        });
        let rows = rows_at(&view, wanted.chain([root]))?;
        let root_row = rows
            .get(&root)
            .cloned()
            .ok_or(RecordError::NoSuchExchange(query.id))?;
        let operation = outline.operation(&view, root_row, self.live_from())?;
        let nodes = shown.into_iter().filter_map(|(placed, parts)| {
            Some(OperationNode {
                row: rows.get(&placed.row)?.clone(),
                depth: placed.depth,
                parent: placed
                    .link
                    .and_then(|link| rows.get(&link.parent))
                    .map(|row| row.id),
                edge: placed.link.map(|link| link.edge),
                parts,
            })
        });
        Ok(OperationTree {
            operation,
            nodes: nodes.collect(),
            total,
            complete: is_complete,
        })
    }

    /// Returns the number of operations that frames belong to. Phases and lines of output belong to
    /// none.
    pub fn operations_of(&self, frames: &RoaringBitmap) -> Result<u32, RecordError> {
        let view = self.operations_view();
        let mut rows = RoaringBitmap::new();
        let mut next = frames.min();
        while let Some(from) = next
            && let Some(block) = view.block_from(from)?
        {
            for entry in &block.entries {
                let is_part = !matches!(entry.kind, ExchangeKind::Phase | ExchangeKind::Stderr);
                if is_part && !entry.flags.has(Flags::CLEARED) && frames.contains(entry.frame) {
                    rows.insert(entry.row);
                }
            }
            let after = block.last_frame().unwrap_or(from).checked_add(1);
            next = after.filter(|after| frames.max().is_some_and(|last| *after <= last));
        }
        loop {
            let found = self.with_links(
                &view,
                |_| false,
                |looked| {
                    let is_complete = looked.is_complete;
                    Ok(is_complete.then(|| roots_of(looked.index, rows.clone())))
                },
            )?;
            if let Some(roots) = found {
                return Ok(u32::try_from(roots.len()).unwrap_or(u32::MAX));
            }
        }
    }

    /// Returns the row that a row is a part of, where the messages say so themselves. Any frame of
    /// the row names it.
    pub fn part_of(&self, id: ExchangeId) -> Result<Option<ExchangeId>, RecordError> {
        let view = self.operations_view();
        let row = row_of(&view, id)?;
        let link = self.with_links(
            &view,
            |index| index.first_row <= row,
            |looked| Ok(looked.index.links.above(row)),
        )?;
        let is_sure = |link: &Link| link.edge.certainty == Certainty::Sure;
        let Some(link) = link.filter(is_sure) else {
            return Ok(None);
        };
        let found = view.block_of_row(link.parent)?;
        Ok(found.map(|found| ExchangeId(found.entry.frame)))
    }

    /// Returns what caused a row, and what it caused. Any frame of the row names it.
    pub fn causality(&self, id: ExchangeId) -> Result<Causality, RecordError> {
        let view = self.operations_view();
        let row = row_of(&view, id)?;
        let (root, causes, effects, total, is_complete) = self.with_links(
            &view,
            |index| index.first_row <= row,
            |looked| {
                let links = &looked.index.links;
                let causes: Vec<Link> =
                    links.ancestors(row).chain(links.side_causes(row)).collect();
                let mut effects: Vec<Link> = links.parts(row).collect();
                effects.sort_unstable_by_key(|link| link.child);
                effects.extend(links.side_effects(row));
                let total = u32::try_from(effects.len()).unwrap_or(u32::MAX);
                effects.truncate(MAX_EFFECTS);
                Ok((links.root(row), causes, effects, total, looked.is_complete))
            },
        )?;
        let above = causes.iter().map(|link| link.parent);
        let beneath = effects.iter().map(|link| link.child);
        let rows = rows_at(&view, above.chain(beneath).chain([row, root]))?;
        let there = |row: u32| rows.get(&row).cloned();
        let missing = RecordError::NoSuchExchange(id);
        let related = |row: u32, link: &Link| {
            there(row).map(|row| RelatedRow {
                row,
                edge: link.edge,
            })
        };
        Ok(Causality {
            operation: there(root).map_or(id, |root| root.id),
            row: there(row).ok_or(missing)?,
            causes: causes
                .iter()
                .filter_map(|link| related(link.parent, link))
                .collect(),
            effects: effects
                .iter()
                .filter_map(|link| related(link.child, link))
                .collect(),
            total_effects: total,
            complete: is_complete,
        })
    }
}

/// A row in its tree.
struct PlacedRow {
    row: u32,
    /// Link to the row above it; none for the root.
    link: Option<Link>,
    depth: u32,
}

/// All rows at the roots of operations.
fn everything(view: &View<'_>, index: &OperationIndex, query: &TrafficQuery, last: u32) -> Roots {
    let mut row_index = view.snapshot.row_index.until(last);
    row_index.advance(index.first_row);
    let mut folded = index.links.children.clone();
    folded |= index.foldable.left_out(query);
    folded |= index.no_calls(query);
    Roots::All(QuietRows::new(row_index, folded))
}

/// Rows up to `last`.
fn until(rows: &RoaringBitmap, last: u32) -> RoaringBitmap {
    let mut rows = rows.clone();
    if let Some(after) = last.checked_add(1) {
        rows.remove_range(after..);
    }
    rows
}

/// The row that a frame starts or answers.
fn row_of(view: &View<'_>, id: ExchangeId) -> Result<u32, RecordError> {
    let found = view.locate(FrameId(id.0))?;
    let row = found.map(|found| found.entry.row);
    row.filter(|row| *row >= view.snapshot.row_index.first)
        .ok_or(RecordError::NoSuchExchange(id))
}

/// Reads rows by their positions, in any order.
fn rows_at(
    view: &View<'_>,
    positions: impl Iterator<Item = u32>,
) -> Result<HashMap<u32, ExchangeRow>, RecordError> {
    let mut positions: Vec<u32> = positions.collect();
    positions.sort_unstable();
    positions.dedup();
    Ok(view.positioned_rows(&positions)?.into_iter().collect())
}
