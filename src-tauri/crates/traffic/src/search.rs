//! Searches: which rows match a query.
//!
//! A search begins at the newest row and goes back, block by block, in slices of time. What
//! it found stays; rows that come are looked at as they come, and rows that change again.
//! So a query that is asked thirty times a second costs what is new.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender},
    },
    time::{Duration, Instant},
};

use roaring::RoaringBitmap;
use sightglass_model::ServerId;

use crate::{
    ExchangeKind, FilterProblem, RecordError, TrafficQuery,
    block::{Block, Flags, Settlement},
    disk::Disk,
    log::Shared,
    plan::{Candidate, Found, Names, Plan, Server},
    view::{Located, View},
};

/// So many searches are remembered.
const REMEMBERED: usize = 6;

/// The background works on a search for this long before it says how far it came.
const SLICE: Duration = Duration::from_millis(30);

/// A search that nobody asked about for this long is left alone until somebody does.
const ABANDONED_AFTER: Duration = Duration::from_secs(3);

/// What makes two queries the same search.
#[derive(Debug, PartialEq, Eq)]
struct Key {
    filter: String,
    kinds: Vec<ExchangeKind>,
    invert: bool,
    server: Option<ServerId>,
}

impl Key {
    fn of(query: &TrafficQuery) -> Self {
        Self {
            filter: query.filter.clone(),
            kinds: query.kinds.clone(),
            invert: query.invert,
            server: query.server.clone(),
        }
    }
}

/// One search and what it found.
pub(crate) struct Search {
    key: Key,
    plan: Plan,
    pub problem: Option<FilterProblem>,
    progress: Mutex<Progress>,
    asked: Mutex<Instant>,
    in_background: AtomicBool,
}

#[derive(Default)]
pub(crate) struct Progress {
    matches: RoaringBitmap,
    position: Option<Position>,
    /// What was found in responses whose requests are older than what was looked at.
    carried: HashMap<u32, Found>,
    /// Whether everything was looked at, up to the newest row.
    pub complete: bool,
}

/// Which frames were looked at: from `low_frame` to before `high_frame`.
#[derive(Clone, Copy)]
struct Position {
    epoch: u32,
    low_frame: u32,
    low_row: u32,
    high_frame: u32,
    high_row: u32,
    next_change: u64,
    reached_oldest: bool,
}

impl Progress {
    /// How many rows up to `last` match.
    pub fn count_until(&self, last: u32) -> u32 {
        u32::try_from(self.matches.rank(last)).unwrap_or(u32::MAX)
    }

    /// The matching rows up to `last`, without the newest `offset`, in ascending order.
    pub fn positions(&self, last: u32, offset: u32, limit: u32) -> Vec<u32> {
        let end = self.count_until(last).saturating_sub(offset);
        let start = end.saturating_sub(limit);
        (start..end)
            .filter_map(|index| self.matches.select(index))
            .collect()
    }
}

impl Search {
    pub fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on searching until everything was looked at, `enough` says so, or time is up.
    pub fn advance(
        &self,
        shared: &Shared,
        disk: &Disk,
        deadline: Instant,
        enough: impl Fn(&Progress) -> bool,
    ) -> Result<(), RecordError> {
        let mut progress = self.progress();
        let view = View::of(shared, disk);
        let names = Names::of(&self.plan, &view);
        let mut scan = Scan {
            plan: &self.plan,
            view: &view,
            names: &names,
            progress: &mut progress,
        };
        scan.begin();
        let caught_up = scan.follow(deadline)?;
        let at_oldest = caught_up
            && loop {
                if !scan.step_back()? {
                    break true;
                }
                if enough(scan.progress) || Instant::now() >= deadline {
                    break false;
                }
            };
        progress.complete = at_oldest;
        Ok(())
    }
}

/// A search at work on one view of the record.
struct Scan<'a> {
    plan: &'a Plan,
    view: &'a View<'a>,
    names: &'a Names<'a>,
    progress: &'a mut Progress,
}

impl Scan<'_> {
    /// Starts, starts again where the record was cleared, and forgets what was removed.
    fn begin(&mut self) {
        let snapshot = &self.view.snapshot;
        let is_current = |position: &Position| {
            position.epoch == snapshot.epoch
                && self.view.changes_since(position.next_change).is_some()
        };
        if !self.progress.position.as_ref().is_some_and(is_current) {
            *self.progress = Progress {
                position: Some(Position {
                    epoch: snapshot.epoch,
                    low_frame: snapshot.next_frame,
                    low_row: snapshot.space.next,
                    high_frame: snapshot.next_frame,
                    high_row: snapshot.space.next,
                    next_change: snapshot.next_change,
                    reached_oldest: false,
                }),
                ..Progress::default()
            };
        }
        self.progress.matches.remove_range(..snapshot.space.first);
        for (first, last) in &snapshot.space.gaps {
            self.progress.matches.remove_range(*first..=*last);
        }
    }

    /// Looks at what came and what changed. Returns whether that is all.
    fn follow(&mut self, deadline: Instant) -> Result<bool, RecordError> {
        while let Some(mut position) = self.progress.position {
            if position.high_frame >= self.view.snapshot.next_frame {
                break;
            }
            let Some(block) = self.block_from(position.high_frame)? else {
                break;
            };
            let last = block.last_frame().unwrap_or(position.high_frame);
            let mut hits = Hits::default();
            hits.look(self.plan, &block, &block.text);
            self.decide(&block, hits, position.high_frame..last.saturating_add(1))?;
            position.high_frame = last.saturating_add(1);
            position.high_row = position
                .high_row
                .max(block.first_row.saturating_add(block.row_count));
            self.progress.position = Some(position);
            if Instant::now() >= deadline {
                return Ok(false);
            }
        }
        let Some(mut position) = self.progress.position else {
            return Ok(true);
        };
        let mut changed = self
            .view
            .changes_since(position.next_change)
            .unwrap_or_default();
        let count = changed.len() as u64;
        changed.sort_unstable();
        changed.dedup();
        for row in changed {
            if row >= position.low_row && row < position.high_row {
                self.look_again(row)?;
            }
        }
        position.next_change += count;
        self.progress.position = Some(position);
        Ok(true)
    }

    /// The first block with `frame` or a later one.
    fn block_from(&self, frame: u32) -> Result<Option<Arc<Block>>, RecordError> {
        let queued = self
            .view
            .snapshot
            .blocks
            .iter()
            .find(|block| block.last_frame().is_some_and(|last| last >= frame));
        if frame >= self.view.snapshot.first_frame() {
            return Ok(queued.cloned());
        }
        if let Some(block) = self.view.disk.block_of_frame(frame)? {
            return Ok(Some(block));
        }
        match self.view.disk.block_after(frame)? {
            Some(block) => Ok(Some(block)),
            None => Ok(queued.cloned()),
        }
    }

    /// Looks at the block before those looked at. Returns whether there is one.
    fn step_back(&mut self) -> Result<bool, RecordError> {
        let Some(mut position) = self.progress.position else {
            return Ok(false);
        };
        if position.reached_oldest {
            return Ok(false);
        }
        let before = |block: &&Arc<Block>| {
            block
                .first_frame()
                .is_some_and(|first| first < position.low_frame)
        };
        let queued = self.view.snapshot.blocks.iter().rev().find(before).cloned();
        let (first_frame, first_row) = if let Some(block) = queued {
            let mut hits = Hits::default();
            hits.look(self.plan, &block, &block.text);
            self.decide(&block, hits, 0..position.low_frame)?;
            (block.first_frame(), block.first_row)
        } else {
            let plan = self.plan;
            let look = plan.has_texts().then_some(|block: &Block, text: &[u8]| {
                let mut hits = Hits::default();
                hits.look(plan, block, text);
                hits
            });
            let Some((block, hits)) = self.view.disk.visit_before(position.low_frame, look)? else {
                position.reached_oldest = true;
                self.progress.carried = HashMap::new();
                self.progress.position = Some(position);
                return Ok(false);
            };
            self.decide(&block, hits.unwrap_or_default(), 0..position.low_frame)?;
            (block.first_frame(), block.first_row)
        };
        position.low_frame = first_frame.unwrap_or(0);
        position.low_row = position.low_row.min(first_row);
        self.progress.position = Some(position);
        Ok(true)
    }

    /// Decides on the rows that a block starts, given what was found in its text.
    fn decide(
        &mut self,
        block: &Block,
        mut hits: Hits,
        frames: std::ops::Range<u32>,
    ) -> Result<(), RecordError> {
        let low_row = self
            .progress
            .position
            .map_or(0, |position| position.low_row);
        self.look_at_large(block, &mut hits, &frames)?;
        let methods = self.names.methods(block);
        // What was found in responses comes first, since their rows may start here.
        if self.plan.has_texts() {
            for (index, entry) in block.entries.iter().enumerate() {
                if entry.starts_row() || !frames.contains(&entry.frame) {
                    continue;
                }
                let found = hits.of(index);
                let is_here = entry.row >= block.first_row
                    && entry.row < block.first_row.saturating_add(block.row_count);
                if found != 0 && (is_here || entry.row < low_row) {
                    *self.progress.carried.entry(entry.row).or_default() |= found;
                }
            }
        }
        if self.cannot_match(block, &hits, &methods) {
            return Ok(());
        }
        let mut settlements = self.settlements(block)?.into_iter().peekable();
        let mut server: Option<(u32, Server)> = None;
        for (index, entry) in block.entries.iter().enumerate() {
            if !entry.starts_row() || !frames.contains(&entry.frame) {
                continue;
            }
            // Both ascend by row.
            while settlements.next_if(|next| next.row < entry.row).is_some() {}
            let settlement = settlements.peek().filter(|next| next.row == entry.row);
            // Neighbours mostly belong to the same connection.
            let server = match &server {
                Some((connection, server)) if *connection == entry.connection => server,
                _ => {
                    let found = self.names.server(entry.connection);
                    &server.insert((entry.connection, found)).1
                }
            };
            let carried = if self.progress.carried.is_empty() {
                0
            } else {
                self.progress.carried.remove(&entry.row).unwrap_or(0)
            };
            let method = methods.get(usize::from(entry.method)).copied().unwrap_or(0);
            let matches = self.plan.decides(&Candidate {
                block,
                entry,
                settlement,
                found: carried | hits.of(index) | method | server.1,
                server: &server.0,
            });
            if matches {
                self.progress.matches.insert(entry.row);
            }
        }
        Ok(())
    }

    /// Whether no row of a block can match, since a text that is asked for stands nowhere.
    fn cannot_match(&self, block: &Block, hits: &Hits, methods: &[Found]) -> bool {
        if !hits.0.is_empty() || !self.progress.carried.is_empty() {
            return false;
        }
        let mut anywhere = methods.iter().fold(0, |all, found| all | found);
        let mut last = None;
        for entry in &block.entries {
            if last != Some(entry.connection) {
                last = Some(entry.connection);
                anywhere |= self.names.server(entry.connection).1;
            }
        }
        self.plan.needs_more_than(anywhere)
    }

    fn look_at_large(
        &self,
        block: &Block,
        hits: &mut Hits,
        frames: &std::ops::Range<u32>,
    ) -> Result<(), RecordError> {
        if !self.plan.has_texts() {
            return Ok(());
        }
        for (index, entry) in block.entries.iter().enumerate() {
            if !entry.flags.has(Flags::LARGE) || !frames.contains(&entry.frame) {
                continue;
            }
            let found = match block.payload(entry) {
                Some(payload) => self.plan.find(payload.as_slice()),
                None => {
                    let payload = self.view.disk.large(entry.frame, entry.payload_length)?;
                    self.plan.find(&payload)
                }
            };
            hits.add(index, found);
        }
        Ok(())
    }

    /// How the rows of a block ended, by row, as far as the decision needs it.
    fn settlements(&self, block: &Block) -> Result<Vec<Settlement>, RecordError> {
        if block.row_count == 0 || !self.plan.needs_settlements() {
            return Ok(Vec::new());
        }
        let last = block.first_row + block.row_count - 1;
        let mut settlements = self.view.disk.settlements(block.first_row, last)?;
        let queued = self.view.queued_settlements();
        if !queued.is_empty() {
            let newer = (block.first_row..=last).filter_map(|row| queued.get(&row).copied());
            let newer: Vec<Settlement> = newer.collect();
            settlements.retain(|old| !queued.contains_key(&old.row));
            settlements.extend(newer);
            settlements.sort_unstable_by_key(|settlement| settlement.row);
        }
        Ok(settlements)
    }

    /// Decides again on a row that changed.
    fn look_again(&mut self, row: u32) -> Result<(), RecordError> {
        let Some(found) = self.view.block_of_row(row)? else {
            return Ok(());
        };
        let settlement = self.view.settlement(row)?;
        let response = settlement.and_then(|settlement| settlement.response_frame);
        let mut texts: Found = 0;
        let server = self.names.server(found.entry.connection);
        if self.plan.has_texts() {
            texts = server.1 | self.plan.find(found.block.method(&found.entry).as_bytes());
            texts |= self.find_in(&found)?;
            if let Some(response) = response
                && let Some(response) = self.view.locate(sightglass_model::FrameId(response))?
            {
                texts |= self.find_in(&response)?;
            }
        }
        let matches = self.plan.decides(&Candidate {
            block: &found.block,
            entry: &found.entry,
            settlement: settlement.as_ref(),
            found: texts,
            server: &server.0,
        });
        if matches {
            self.progress.matches.insert(row);
        } else {
            self.progress.matches.remove(row);
        }
        Ok(())
    }

    fn find_in(&self, found: &Located) -> Result<Found, RecordError> {
        let target = self.plan.find(found.block.target(&found.entry));
        let payload = match found.block.payload(&found.entry) {
            Some(payload) => self.plan.find(payload.as_slice()),
            None => self.plan.find(&self.view.payload_of(found)?),
        };
        Ok(target | payload)
    }
}

/// What was found in a block's text, by entry.
#[derive(Default)]
struct Hits(HashMap<usize, Found>);

impl Hits {
    fn look(&mut self, plan: &Plan, block: &Block, text: &[u8]) {
        plan.find_entries(block, text, |index, found| self.add(index, found));
    }

    fn add(&mut self, index: usize, found: Found) {
        if found != 0 {
            *self.0.entry(index).or_default() |= found;
        }
    }

    fn of(&self, index: usize) -> Found {
        if self.0.is_empty() {
            return 0;
        }
        self.0.get(&index).copied().unwrap_or(0)
    }
}

/// The searches that were asked for lately, the latest last.
pub(crate) struct Searches {
    recent: Mutex<Vec<Arc<Search>>>,
    background: Sender<Weak<Search>>,
}

impl Searches {
    pub fn new(background: Sender<Weak<Search>>) -> Self {
        Self {
            recent: Mutex::default(),
            background,
        }
    }

    /// The search for a query; `None` when everything matches it.
    pub fn get(&self, query: &TrafficQuery) -> Result<Arc<Search>, Option<FilterProblem>> {
        let key = Key::of(query);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let search = match recent.iter().position(|search| search.key == key) {
            Some(index) => recent.remove(index),
            None => {
                let (plan, problem) = Plan::of(query);
                if plan.is_everything() {
                    return Err(problem);
                }
                Arc::new(Search {
                    key,
                    plan,
                    problem,
                    progress: Mutex::default(),
                    asked: Mutex::new(Instant::now()),
                    in_background: AtomicBool::new(false),
                })
            }
        };
        *search.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if recent.len() >= REMEMBERED {
            recent.remove(0);
        }
        recent.push(search.clone());
        Ok(search)
    }

    /// Has a search go on while nobody waits for it.
    pub fn go_on(&self, search: &Arc<Search>) {
        if !search.in_background.swap(true, Ordering::AcqRel) {
            // Without the thread, each question goes on by itself.
            let _ = self.background.send(Arc::downgrade(search));
        }
    }
}

/// Works on searches that nobody waits for, until the recorder closes.
pub(crate) fn work(shared: &Shared, disk: &Disk, searches: &Receiver<Weak<Search>>) {
    let mut open: Vec<Weak<Search>> = Vec::new();
    loop {
        if open.is_empty() {
            match searches.recv() {
                Ok(search) => open.push(search),
                Err(_) => return,
            }
        }
        open.extend(searches.try_iter());
        // The latest is the one that somebody looks at.
        let Some(search) = open.pop().and_then(|search| search.upgrade()) else {
            continue;
        };
        if shared.log().stopping {
            return;
        }
        let asked = *search.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = asked.elapsed() > ABANDONED_AFTER || {
            let advanced = search.advance(shared, disk, Instant::now() + SLICE, |_| false);
            shared.change(|log| log.revision = log.revision.wrapping_add(1));
            advanced.is_err() || search.progress().complete
        };
        if ended {
            search.in_background.store(false, Ordering::Release);
        } else {
            open.push(Arc::downgrade(&search));
        }
    }
}
