//! The times of all operations, kept up as frames come in.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Instant,
};

use roaring::RoaringBitmap;
use sightglass_model::ExchangeId;

use super::{
    index::OperationIndex,
    outline::{Outline, RootFacts},
};
use crate::{
    Direction, ExchangeKind, RecordError, TimelineTrack,
    block::{Block, Entry, Flags, RowSettlement},
    operations::asks_person,
    query::view::View,
    recorded_server::ConnectionServer,
    timeline::Bar,
};

/// The most operations that are laid out, the newest: 64 MB.
const MAX_BARS: usize = 1 << 20;

/// The most labels that are kept.
const MAX_LABELS: usize = 1 << 16;

/// Rows that are looked at between two looks at the clock.
const ROWS_AT_ONCE: u32 = 1_024;

/// A server's operations of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Track {
    pub server: ConnectionServer,
    pub kind: TimelineTrack,
}

/// Bars of the newest operations.
#[derive(Default)]
pub(super) struct Bars {
    /// In the order of their rows.
    bars: VecDeque<Bar>,
    pub tracks: Vec<Track>,
    track_numbers: HashMap<(u32, TimelineTrack), u32>,
    labels: Vec<Arc<str>>,
    label_numbers: HashMap<Arc<str>, u32>,
    /// The oldest row that was looked at.
    first_row: u32,
    /// The frame from which on nothing was looked at.
    next_frame: u32,
    next_change: u64,
    /// Number of the links that they were made with.
    generation: u64,
    /// Moves whenever a bar is added or changes.
    pub revision: u64,
    is_begun: bool,
}

impl Bars {
    /// All bars of roots, oldest first.
    pub fn all<'a>(&'a self, index: &'a OperationIndex) -> impl Iterator<Item = &'a Bar> {
        let is_root = |bar: &&Bar| !index.links.children.contains(bar.row);
        self.bars.iter().filter(is_root)
    }

    /// The label with this number.
    pub fn label(&self, number: u32) -> &str {
        self.labels.get(number as usize).map_or("", |label| label)
    }

    /// Takes in what came since the last time, and older rows until `deadline`. Returns whether
    /// that is all.
    pub fn follow(
        &mut self,
        view: &View<'_>,
        index: &OperationIndex,
        generation: u64,
        live_from: u32,
        deadline: Instant,
    ) -> Result<bool, RecordError> {
        if index.next_frame < view.snapshot.next_frame {
            // The links of the newest rows are not known.
            return Ok(false);
        }
        let changes = match self.is_begun && self.generation == generation {
            true => view.changes_since(self.next_change),
            false => None,
        };
        match changes {
            Some(changes) => self.newer(view, index, changes, live_from)?,
            None => self.begin(view, generation),
        }
        self.older(view, index, live_from, deadline)
    }

    fn begin(&mut self, view: &View<'_>, generation: u64) {
        let revision = self.revision + 1;
        *self = Self {
            first_row: view.snapshot.row_index.next,
            next_frame: view.snapshot.next_frame,
            next_change: view.snapshot.next_change,
            generation,
            revision,
            is_begun: true,
            ..Self::default()
        };
    }

    /// Looks at the operations of which a frame came, or a row was settled.
    fn newer(
        &mut self,
        view: &View<'_>,
        index: &OperationIndex,
        changes: Vec<u32>,
        live_from: u32,
    ) -> Result<(), RecordError> {
        let mut touched: RoaringBitmap = changes.into_iter().collect();
        while self.next_frame < view.snapshot.next_frame {
            let Some(block) = view.block_from(self.next_frame)? else {
                break;
            };
            let new = block.entries.iter();
            touched.extend(
                new.filter(|entry| entry.frame >= self.next_frame)
                    .map(|entry| entry.row),
            );
            let Some(last) = block.last_frame() else {
                break;
            };
            self.next_frame = last.saturating_add(1);
        }
        self.next_frame = self.next_frame.max(view.snapshot.next_frame);
        self.next_change = view.snapshot.next_change;
        let roots: RoaringBitmap = touched.iter().map(|row| index.links.root(row)).collect();
        let mut current: Option<Arc<Block>> = None;
        for root in roots {
            if root < self.first_row {
                continue;
            }
            let known = current
                .as_ref()
                .and_then(|block| Some((block.clone(), *block.row_entry(root)?)));
            let found = match known {
                Some(known) => Some(known),
                None => view
                    .block_of_row(root)?
                    .map(|found| (found.block, found.entry)),
            };
            let Some((block, entry)) = found else {
                continue;
            };
            let settlement = view.settlement(root)?;
            if let Some(bar) = self.bar(view, index, &block, &entry, settlement, live_from)? {
                self.put(bar);
            }
            current = Some(block);
        }
        while self.bars.len() > MAX_BARS {
            self.bars.pop_front();
            self.first_row = self.bars.front().map_or(0, |bar| bar.row);
        }
        Ok(())
    }

    fn put(&mut self, bar: Bar) {
        self.revision += 1;
        match self.bars.binary_search_by_key(&bar.row, |known| known.row) {
            Ok(at) => {
                if let Some(known) = self.bars.get_mut(at) {
                    *known = bar;
                }
            }
            Err(at) => self.bars.insert(at, bar),
        }
    }

    /// Goes on with older rows, block by block.
    fn older(
        &mut self,
        view: &View<'_>,
        index: &OperationIndex,
        live_from: u32,
        deadline: Instant,
    ) -> Result<bool, RecordError> {
        let rows = &view.snapshot.row_index;
        let oldest = rows.first.max(index.first_row.min(rows.next));
        let removed = self.bars.partition_point(|bar| bar.row < rows.first);
        if removed > 0 {
            self.bars.drain(..removed);
            self.revision += 1;
        }
        while self.first_row > oldest && self.bars.len() < MAX_BARS {
            if Instant::now() >= deadline {
                return Ok(false);
            }
            let last = self.first_row - 1;
            let gap = rows.gaps.partition_point(|gap| gap.1 < last);
            if let Some((first, _)) = rows.gaps.get(gap).filter(|gap| gap.0 <= last) {
                self.first_row = *first;
                continue;
            }
            let Some(found) = view.block_of_row(last)? else {
                self.first_row = last;
                continue;
            };
            let lowest = found.block.first_row.max(oldest);
            let lowest = lowest.max(self.first_row.saturating_sub(ROWS_AT_ONCE));
            self.block(view, index, &found.block, (lowest, last), live_from)?;
            self.first_row = lowest.min(last);
        }
        Ok(true)
    }

    /// Adds bars of the rows from one to another, which a block starts.
    fn block(
        &mut self,
        view: &View<'_>,
        index: &OperationIndex,
        block: &Arc<Block>,
        (first, last): (u32, u32),
        live_from: u32,
    ) -> Result<(), RecordError> {
        let settled = view.reader.settlements(first, last)?;
        let settled: HashMap<u32, RowSettlement> = settled
            .into_iter()
            .map(|settlement| (settlement.row, settlement))
            .collect();
        for entry in block.entries.iter().rev() {
            let is_wanted = entry.starts_row() && (first..=last).contains(&entry.row);
            if !is_wanted || entry.flags.has(Flags::CLEARED) {
                continue;
            }
            let queued = view.queued_settlements().get(&entry.row);
            let settlement = queued.or_else(|| settled.get(&entry.row)).copied();
            if let Some(bar) = self.bar(view, index, block, entry, settlement, live_from)? {
                self.revision += 1;
                self.bars.push_front(bar);
            }
        }
        Ok(())
    }

    /// The bar of the operation whose root `entry` starts; nothing where it is a part.
    fn bar(
        &mut self,
        view: &View<'_>,
        index: &OperationIndex,
        block: &Block,
        entry: &Entry,
        settlement: Option<RowSettlement>,
        live_from: u32,
    ) -> Result<Option<Bar>, RecordError> {
        if index.links.children.contains(entry.row) {
            return Ok(None);
        }
        let method = block.method(entry);
        let duration = settlement.and_then(|settlement| settlement.duration);
        let root = RootFacts {
            at: entry.at,
            end: duration.map(|duration| entry.at + duration),
            outcome: settlement.map_or(entry.outcome, |settlement| settlement.outcome),
            asks_person: entry.direction == Direction::Received && asks_person(method),
        };
        let outline = Outline::of(index, entry.row);
        let whole = outline.whole(view, root, live_from)?;
        let from = entry.at.as_millis();
        let to = match whole.outcome {
            crate::Outcome::Pending => f64::INFINITY,
            _ => whole.end.as_millis().max(from),
        };
        let code = settlement.and_then(|settlement| settlement.code);
        let outcome = match (method, code) {
            // Servers of earlier versions do not know it, which is no failure of theirs.
            ("server/discover", Some(-32601)) => crate::Outcome::None,
            _ => whole.outcome,
        };
        let kind = kind_of(entry, method, outline.task().is_some());
        let target = String::from_utf8_lossy(block.target(entry));
        let label = match target.is_empty() || is_line(entry.kind) {
            true => method,
            false => &*target,
        };
        Ok(Some(Bar {
            row: entry.row,
            operation: ExchangeId(entry.frame),
            from,
            to,
            track: self.track(view, entry.connection, kind),
            label: self.label_number(label),
            outcome,
            has_person: whole.waits_for_person || !whole.person.is_empty(),
        }))
    }

    fn track(&mut self, view: &View<'_>, connection: u32, kind: TimelineTrack) -> u32 {
        if let Some(number) = self.track_numbers.get(&(connection, kind)) {
            return *number;
        }
        let track = Track {
            server: view.server(connection),
            kind,
        };
        let known = self.tracks.iter().position(|known| {
            known.kind == kind
                && known.server.id == track.server.id
                && known.server.project == track.server.project
        });
        let number = known.unwrap_or_else(|| {
            self.tracks.push(track);
            self.tracks.len() - 1
        });
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        self.track_numbers.insert((connection, kind), number);
        number
    }

    fn label_number(&mut self, label: &str) -> u32 {
        if let Some(number) = self.label_numbers.get(label) {
            return *number;
        }
        if self.labels.len() >= MAX_LABELS {
            return u32::MAX;
        }
        let label: Arc<str> = label.into();
        let number = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        self.labels.push(label.clone());
        self.label_numbers.insert(label, number);
        number
    }
}

fn is_line(kind: ExchangeKind) -> bool {
    matches!(
        kind,
        ExchangeKind::Stderr | ExchangeKind::Phase | ExchangeKind::Log
    )
}

fn kind_of(entry: &Entry, method: &str, is_task: bool) -> TimelineTrack {
    match entry.kind {
        ExchangeKind::Oauth => TimelineTrack::SignIn,
        ExchangeKind::Stderr | ExchangeKind::Phase => TimelineTrack::Process,
        ExchangeKind::Http if method.starts_with("GET ") => TimelineTrack::Stream,
        ExchangeKind::Http => TimelineTrack::Http,
        _ if is_task => TimelineTrack::Task,
        ExchangeKind::Request if method == "subscriptions/listen" => TimelineTrack::Stream,
        _ => match entry.direction {
            Direction::Sent => TimelineTrack::Sent,
            Direction::Received => TimelineTrack::Received,
        },
    }
}
