//! Operations on a time axis: the part that is drawn, steps from one to another, and one operation in
//! its parts.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Instant,
};

use roaring::RoaringBitmap;
use sightglass_model::{ExchangeId, Timestamp};

use super::{
    LookedUp, bars::Bars, index::OperationIndex, outline::Outline, row_of, rows_at, until,
};
use crate::{
    ExchangeRow, FilterProblem, Operation, OperationNode, OperationQuery, OperationTimeline,
    Outcome, RecordError, TimeSpan, Timeline, TimelineArrow, TimelineBar, TimelineLanes,
    TimelinePart, TimelinePlace, TimelineQuery, TimelineSection, TimelineStep, TrafficQuery,
    operations::asks_person,
    query::{Queries, SEARCH_TIMEOUT, view::View},
    timeline::{Bar, TimelineLayout, TreeSpan, VisiblePart, critical_path, pack},
};

const MAX_WIDTH: u32 = 1 << 14;
const MAX_LANES: u32 = 512;
const MAX_BUCKETS: u32 = 1 << 12;
const MAX_MARKED: usize = 256;

/// The width in pixels from which on a bar has a label, or hatched parts.
const LABEL_PIXELS: f64 = 24.0;
const PERSON_PIXELS: f64 = 4.0;

/// Rows of an operation that are drawn.
const MAX_PARTS: u32 = 500;

/// Links of an operation to others that are drawn.
const MAX_ARROWS: usize = 100;

/// The bars of the record, and the layout of those that a query asks for.
#[derive(Default)]
pub(super) struct TimelineState {
    bars: Bars,
    laid_out: Option<LaidOut>,
}

/// A layout, and what it was made of.
struct LaidOut {
    query: TrafficQuery,
    last: u32,
    revision: u64,
    parts: u64,
    roots: Option<RoaringBitmap>,
    layout: TimelineLayout,
}

impl TimelineState {
    /// Lays out the operations of a query, unless that is done.
    fn lay_out(
        &mut self,
        view: &View<'_>,
        index: &OperationIndex,
        query: &TrafficQuery,
        last: u32,
        roots: Option<RoaringBitmap>,
    ) -> (&TimelineLayout, &Bars) {
        let Self { bars, laid_out } = self;
        let is_same = laid_out.as_ref().is_some_and(|known| {
            known.query == *query
                && known.last == last
                && known.revision == bars.revision
                && known.parts == index.links.children.len()
                && known.roots == roots
        });
        let known = laid_out.take().filter(|_| is_same);
        let made = known.unwrap_or_else(|| {
            let left_out = index.foldable.left_out(query);
            let is_shown = |bar: &&Bar| {
                bar.row <= last
                    && match &roots {
                        Some(roots) => roots.contains(bar.row),
                        None => !left_out.contains(bar.row),
                    }
            };
            let shown: Vec<Bar> = bars.all(index).filter(is_shown).copied().collect();
            let names: Vec<(String, crate::TimelineTrack)> = bars
                .tracks
                .iter()
                .map(|track| (view.shown_name(&track.server), track.kind))
                .collect();
            LaidOut {
                query: query.clone(),
                last,
                revision: bars.revision,
                parts: index.links.children.len(),
                layout: TimelineLayout::of(shown, |track| names.get(track as usize)),
                roots,
            }
        });
        (&laid_out.insert(made).layout, bars)
    }
}

/// Facts that a layout is asked along with.
struct LayoutFacts<'a> {
    layout: &'a TimelineLayout,
    bars: &'a Bars,
    index: &'a OperationIndex,
    is_complete: bool,
    problem: Option<FilterProblem>,
}

impl Queries {
    /// Runs `read` on the layout of the operations that match.
    fn with_layout<T>(
        &self,
        query: &TrafficQuery,
        project: Option<&Arc<str>>,
        read: impl FnOnce(&View<'_>, LayoutFacts<'_>) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let last = self.last_row(&self.view(), query)?;
        let (search, problem) = self.search(query, project, u32::MAX, last)?;
        let view = self.operations_view();
        let live_from = self.live_from();
        self.with_links(
            &view,
            |_| true,
            |looked| {
                let LookedUp {
                    index,
                    is_complete,
                    generation,
                    matching,
                    timeline,
                } = looked;
                let deadline = Instant::now() + SEARCH_TIMEOUT;
                let has_all = timeline
                    .bars
                    .follow(&view, index, generation, live_from, deadline)?;
                let roots = search.as_ref().map(|search| {
                    matching.update(search, index, generation);
                    until(&matching.roots, last)
                });
                let is_searched = search
                    .as_ref()
                    .is_none_or(|search| search.progress().complete);
                let (layout, bars) = timeline.lay_out(&view, index, query, last, roots);
                let asked = LayoutFacts {
                    layout,
                    bars,
                    index,
                    is_complete: is_complete && has_all && is_searched,
                    problem,
                };
                read(&view, asked)
            },
        )
    }

    /// Returns the part of the timeline that is drawn.
    pub(crate) fn timeline(
        &self,
        query: &TimelineQuery,
        project: Option<&Arc<str>>,
    ) -> Result<Timeline, RecordError> {
        let live_from = self.live_from();
        self.with_layout(&query.query, project, |view, asked| {
            let LayoutFacts { layout, bars, .. } = asked;
            let now = Timestamp::now();
            let whole = layout.whole(now.as_millis());
            let time = drawn_time(query.time, whole, now);
            let width = query.width.clamp(1, MAX_WIDTH);
            let part = VisiblePart {
                from: time.from.as_millis(),
                to: time.to.as_millis(),
                width,
                first_lane: query.first_lane,
                lanes: query.lanes.min(MAX_LANES),
                now: now.as_millis(),
            };
            let marked: HashSet<ExchangeId> =
                query.marked.iter().take(MAX_MARKED).copied().collect();
            let drawn = layout.draw(part, &marked);
            let pixels = f64::from(width) / (part.to - part.from).max(f64::MIN_POSITIVE);
            let mut shown = Vec::with_capacity(drawn.bars.len());
            for (lane, bar) in drawn.bars {
                let seen_to = bar.to.min(part.to) - bar.from.max(part.from);
                let seen = seen_to * pixels;
                let person = match bar.has_person && seen >= PERSON_PIXELS {
                    true => person_of(view, asked.index, &bar, live_from)?,
                    false => Vec::new(),
                };
                let label = match seen >= LABEL_PIXELS {
                    true => bars.label(bar.label).to_owned(),
                    false => String::new(),
                };
                shown.push(TimelineBar {
                    lane,
                    operation: bar.operation,
                    from: Timestamp::from_millis(bar.from),
                    to: bar.end(),
                    outcome: bar.outcome,
                    label,
                    person,
                });
            }
            let tracks = layout.tracks.iter().filter_map(|packed| {
                let track = bars.tracks.get(packed.track as usize)?;
                Some(TimelineLanes {
                    server_id: track.server.id.clone(),
                    server: view.shown_name(&track.server),
                    track: track.kind,
                    first: packed.first,
                    count: packed.count,
                    operations: packed.operations,
                })
            });
            Ok(Timeline {
                time,
                whole,
                tracks: tracks.collect(),
                bars: shown,
                bins: drawn.bins,
                overview: whole.map_or_else(Vec::new, |whole| {
                    layout.overview(whole, query.buckets.min(MAX_BUCKETS))
                }),
                total: layout.total,
                complete: asked.is_complete,
                problem: asked.problem,
            })
        })
    }

    /// Returns the operation that a step leads to from another: the newest without one.
    pub(crate) fn timeline_step(
        &self,
        query: &TrafficQuery,
        project: Option<&Arc<str>>,
        from: Option<ExchangeId>,
        step: TimelineStep,
    ) -> Result<Option<TimelinePlace>, RecordError> {
        self.with_layout(query, project, |_, asked| {
            let found = asked.layout.step(from, step);
            Ok(found.map(|(lane, bar)| TimelinePlace {
                operation: bar.operation,
                lane,
                from: Timestamp::from_millis(bar.from),
                to: bar.end(),
            }))
        })
    }

    /// Returns an operation in its parts: their times, its critical path, its links to others.
    pub fn timeline_operation(&self, id: ExchangeId) -> Result<OperationTimeline, RecordError> {
        let query = OperationQuery {
            id,
            folded: Vec::new(),
        };
        let tree = self.operation(&query, 0, MAX_PARTS)?;
        let now = Timestamp::now();
        let times = part_times(&tree.operation, &tree.nodes, now);
        let spans: Vec<TimeSpan> = times.iter().skip(1).map(|part| part.span).collect();
        let packed = pack(&spans);
        let places: HashMap<ExchangeId, usize> = tree
            .nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (node.row.id, index))
            .collect();
        let parent_of = |node: &OperationNode| node.parent.and_then(|id| places.get(&id).copied());
        let tree_spans: Vec<TreeSpan> = tree
            .nodes
            .iter()
            .zip(&times)
            .map(|(node, part)| TreeSpan {
                parent: parent_of(node),
                time: part.span,
            })
            .collect();
        let sections = critical_path(&tree_spans).into_iter();
        let critical_path = sections.map(|section| TimelineSection {
            part: u32::try_from(section.span).unwrap_or(u32::MAX),
            time: section.time,
        });
        let lanes = std::iter::once(0).chain(packed.lanes.iter().map(|lane| lane + 1));
        let parts = tree.nodes.iter().zip(&times).zip(lanes);
        let parts = parts.map(|((node, part), lane)| TimelinePart {
            row: node.row.id,
            parent: parent_of(node).and_then(|index| u32::try_from(index).ok()),
            edge: node.edge,
            lane,
            from: part.span.from,
            to: (!part.is_open).then_some(part.span.to),
            outcome: part.outcome,
            method: node.row.method.clone(),
            target: node.row.target.clone(),
            person: asks(&node.row),
        });
        Ok(OperationTimeline {
            parts: parts.collect(),
            total: tree.total,
            lanes: packed.count + 1,
            critical_path: critical_path.collect(),
            arrows: self.arrows(id)?,
            complete: tree.complete,
            operation: tree.operation,
        })
    }

    /// The links between an operation and others.
    fn arrows(&self, id: ExchangeId) -> Result<Vec<TimelineArrow>, RecordError> {
        let view = self.operations_view();
        let row = row_of(&view, id)?;
        let found = self.with_links(
            &view,
            |index| index.first_row <= row,
            |looked| {
                let links = &looked.index.links;
                let root = links.root(row);
                let beneath = links.beneath(root, |_| false);
                let mut rows: RoaringBitmap = beneath.iter().map(|(link, _)| link.child).collect();
                rows.insert(root);
                let sides = links.sides_of(&rows).take(MAX_ARROWS);
                let ends = sides.map(|link| {
                    let ends = (links.root(link.parent), links.root(link.child));
                    (link.edge, ends)
                });
                Ok(ends.collect::<Vec<_>>())
            },
        )?;
        let ends = found
            .iter()
            .flat_map(|(_, (cause, caused))| [*cause, *caused]);
        let rows = rows_at(&view, ends)?;
        let arrows = found.iter().filter_map(|(edge, (cause, caused))| {
            Some(TimelineArrow {
                edge: *edge,
                cause: rows.get(cause)?.id,
                caused: rows.get(caused)?.id,
            })
        });
        Ok(arrows.collect())
    }
}

/// The stretch of time to draw: a finite one that takes some time.
fn drawn_time(asked: Option<TimeSpan>, whole: Option<TimeSpan>, now: Timestamp) -> TimeSpan {
    let is_usable = |time: &TimeSpan| {
        let (from, to) = (time.from.as_millis(), time.to.as_millis());
        from.is_finite() && to.is_finite() && from < to
    };
    let given = asked.filter(is_usable).or(whole.filter(is_usable));
    given.unwrap_or_else(|| {
        let from = whole.map_or(now, |whole| whole.from).as_millis();
        TimeSpan {
            from: Timestamp::from_millis(from - 0.5),
            to: Timestamp::from_millis(from + 0.5),
        }
    })
}

fn person_of(
    view: &View<'_>,
    index: &OperationIndex,
    bar: &Bar,
    live_from: u32,
) -> Result<Vec<TimeSpan>, RecordError> {
    let rows = rows_at(view, std::iter::once(bar.row))?;
    let Some(root) = rows.into_values().next() else {
        return Ok(Vec::new());
    };
    let operation = Outline::of(index, bar.row).operation(view, root, live_from)?;
    Ok(operation.person)
}

/// The time of one row.
struct PartTime {
    span: TimeSpan,
    is_open: bool,
    outcome: Outcome,
}

/// The times of an operation's rows. That of the root is the whole.
fn part_times(operation: &Operation, nodes: &[OperationNode], now: Timestamp) -> Vec<PartTime> {
    let time = |node: &OperationNode| {
        let at = node.row.at;
        let is_root = node.depth == 0;
        let (outcome, duration) = match is_root {
            true => (operation.outcome, operation.duration),
            false => (node.row.outcome, node.row.duration),
        };
        let is_open = outcome == Outcome::Pending;
        let end = match (is_open, duration) {
            (true, _) => now,
            (false, Some(duration)) => at + duration.into(),
            (false, None) => at,
        };
        PartTime {
            span: TimeSpan {
                from: at,
                to: if end < at { at } else { end },
            },
            is_open,
            outcome,
        }
    };
    nodes.iter().map(time).collect()
}

/// Returns true when a person answers a row.
fn asks(row: &ExchangeRow) -> bool {
    row.direction == crate::Direction::Received && asks_person(&row.method)
}
