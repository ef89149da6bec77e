//! Write queue: the newest frames, until the writer has them on disk.
//!
//! Recording never waits for the disk. Frames are numbered and appended to an open block under
//! one lock; full blocks are shared with the writer and with queries. A connection waits only
//! while the queue holds its limit of bytes. While nothing can be written, the newest frames stay
//! readable here and the oldest are dropped.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock,
        mpsc::{SyncSender, sync_channel},
    },
};

use roaring::RoaringBitmap;
use sightglass_model::{ServerId, lock};
use tokio::sync::{Notify, watch};

use crate::{
    RecordError, RecordRevision, RecorderOptions, Retention,
    block::{Block, NewFrame, RowSettlement},
    bookmarks::Bookmarks,
    quiet::FoldableRows,
    recorded_server::{ConnectionServer, RecordedServers},
    store::{Limits, RemovedFrames, RowIndex, StoreContents},
    unrecorded::{UnrecordedText, UnrecordedTexts},
};

/// The most bytes of frames that stay readable while recording is off.
pub(crate) const MAX_BYTES_WHILE_OFF: usize = 64 << 20;

/// The writer is woken early when this much waits.
const URGENT_BYTES: usize = 8 << 20;

/// The most settled rows that are remembered, for searches that ran before.
const MAX_REMEMBERED_CHANGES: usize = 1 << 16;

/// State that every part of the recorder shares.
pub(crate) struct SharedRecord {
    pub options: RecorderOptions,
    queue: Mutex<WriteQueue>,
    /// Wakes the writer.
    pub work: Condvar,
    /// Wakes the thread that announces revisions.
    pub changed: Condvar,
    /// Wakes the connections that wait for room in the queue.
    pub room: Notify,
    pub revision: watch::Sender<RecordRevision>,
    pub limits: Limits,
    /// The servers of connections.
    pub servers: RwLock<RecordedServers>,
}

/// Task of the writer, with the channel for its answer.
pub(crate) enum WriterTask {
    Flush(SyncSender<Result<(), RecordError>>),
    Clear(SyncSender<Result<(), RecordError>>),
    /// Of this project, or of all without one.
    ClearServer(
        ServerId,
        Option<Arc<str>>,
        SyncSender<Result<(), RecordError>>,
    ),
    /// The frame and the row of a bookmark, and its note; without one it is taken away.
    Bookmark(
        (u32, u32),
        Option<Arc<str>>,
        SyncSender<Result<(), RecordError>>,
    ),
    RetryTimer(SyncSender<Result<(), RecordError>>),
    Retain(Retention),
    /// Panics, so that a test can see how recording recovers.
    #[cfg(test)]
    Panic,
}

/// The write queue, with the counters of frames, rows and connections.
pub(crate) struct WriteQueue {
    open: Block,
    /// Full blocks, oldest first. The writer removes those that are on disk.
    pub sealed: VecDeque<Arc<Block>>,
    /// Bytes in `open` and `sealed`.
    pub bytes: usize,
    pub next_frame: u32,
    pub next_connection: u32,
    pub row_index: RowIndex,
    /// Texts that the blocks do not hold.
    pub unrecorded: UnrecordedTexts,
    pub foldable: FoldableRows,
    /// The connections of this run that check a server.
    pub checks: RoaringBitmap,
    pub bookmarks: Arc<Bookmarks>,
    /// Frames on record, on disk and here.
    pub frames: u32,
    pub revision: u32,
    /// Moves when rows disappear, so that searches start again.
    pub epoch: u32,
    changes: VecDeque<u32>,
    /// The number of the first remembered change.
    changes_first: u64,
    /// Reason why nothing is being written.
    pub off: Option<String>,
    /// Frames that recording, being off, lost or did not write.
    pub dropped: u32,
    /// Frames that were dropped since recording turned off.
    lost: u32,
    /// Rows before this one belong to an earlier run or were cleared; nothing settles them.
    pub live_from: u32,
    pub tasks: VecDeque<WriterTask>,
    pub stopping: bool,
    pub urgent: bool,
    pub writer_waits: bool,
    pub announcer_waits: bool,
}

/// The newest blocks as they were at one moment.
#[derive(Clone)]
pub(crate) struct QueueSnapshot {
    pub blocks: Vec<Arc<Block>>,
    pub row_index: RowIndex,
    pub next_frame: u32,
    /// The number that the next change will have.
    pub next_change: u64,
    pub epoch: u32,
    pub bookmarks: Arc<Bookmarks>,
}

impl QueueSnapshot {
    /// The first frame that is here; all before it are on disk.
    pub fn first_frame(&self) -> u32 {
        self.blocks
            .iter()
            .find_map(|block| block.first_frame())
            .unwrap_or(self.next_frame)
    }

    pub fn block_of_frame(&self, frame: u32) -> Option<&Arc<Block>> {
        // A block may hold settlements only, as after a large response, so the blocks are not
        // in the order of their frames. There are few; the newest is asked for most.
        self.blocks.iter().rev().find(|block| {
            block.first_frame().is_some_and(|first| first <= frame)
                && block.last_frame().is_some_and(|last| frame <= last)
        })
    }

    /// Outcomes of the rows that ended in these blocks. The last one counts.
    pub fn settlements(&self) -> HashMap<u32, RowSettlement> {
        let all = self.blocks.iter().flat_map(|block| &block.settlements);
        all.map(|settlement| (settlement.row, *settlement))
            .collect()
    }
}

/// Error of a queue without room: wait for `room` and try again.
pub(crate) struct QueueFull;

impl SharedRecord {
    pub fn new(options: RecorderOptions, limits: Limits) -> Self {
        Self {
            options,
            limits,
            queue: Mutex::new(WriteQueue {
                open: Block::starting_at(1, 0),
                sealed: VecDeque::new(),
                bytes: 0,
                next_frame: 1,
                next_connection: 1,
                row_index: RowIndex::starting_at(1),
                unrecorded: UnrecordedTexts::default(),
                foldable: FoldableRows::default(),
                checks: RoaringBitmap::new(),
                frames: 0,
                revision: 0,
                epoch: 0,
                bookmarks: Arc::default(),
                changes: VecDeque::new(),
                changes_first: 0,
                off: None,
                dropped: 0,
                lost: 0,
                live_from: 1,
                tasks: VecDeque::new(),
                stopping: false,
                urgent: false,
                writer_waits: false,
                announcer_waits: false,
            }),
            work: Condvar::new(),
            changed: Condvar::new(),
            room: Notify::new(),
            revision: watch::Sender::new(RecordRevision::default()),
            servers: RwLock::default(),
        }
    }

    /// Locks the queue. A panic elsewhere leaves it usable: every change to it is complete before
    /// anything that could panic.
    pub fn queue(&self) -> MutexGuard<'_, WriteQueue> {
        lock(&self.queue)
    }

    /// Runs `change` on the queue, then wakes the writer and the announcing thread.
    pub fn change<T>(&self, change: impl FnOnce(&mut WriteQueue) -> T) -> T {
        let mut queue = self.queue();
        let result = change(&mut queue);
        let wake_writer = std::mem::take(&mut queue.writer_waits);
        let hurry = queue.bytes > URGENT_BYTES && !queue.urgent && queue.off.is_none();
        queue.urgent |= hurry;
        let wake_announcer = std::mem::take(&mut queue.announcer_waits);
        drop(queue);
        if wake_writer || hurry {
            self.work.notify_all();
        }
        if wake_announcer {
            self.changed.notify_all();
        }
        result
    }

    /// Continues the numbers of a database, and learns the servers of its connections.
    pub fn adopt(&self, mut contents: StoreContents) {
        let servers = std::mem::take(&mut contents.servers);
        {
            let mut known = self.servers.write().unwrap_or_else(PoisonError::into_inner);
            for (connection, server) in servers {
                known.add(connection, server);
            }
        }
        self.change(|queue| queue.adopt(&contents));
    }

    /// Hands the writer a task and waits until it is done.
    pub fn ask(
        &self,
        task: impl FnOnce(SyncSender<Result<(), RecordError>>) -> WriterTask,
    ) -> Result<(), RecordError> {
        let (sender, receiver) = sync_channel(1);
        {
            let mut queue = self.queue();
            if queue.stopping {
                return Err(RecordError::Closed);
            }
            queue.tasks.push_back(task(sender));
            queue.urgent = true;
        }
        self.work.notify_all();
        receiver.recv().unwrap_or(Err(RecordError::Closed))
    }

    pub fn snapshot(&self) -> QueueSnapshot {
        let mut queue = self.queue();
        queue.seal();
        QueueSnapshot {
            blocks: queue.sealed.iter().cloned().collect(),
            row_index: queue.row_index.clone(),
            next_frame: queue.next_frame,
            next_change: queue.next_change(),
            epoch: queue.epoch,
            bookmarks: Arc::clone(&queue.bookmarks),
        }
    }

    /// Returns the server of a connection.
    pub fn server(&self, connection: u32) -> ConnectionServer {
        let servers = self.servers.read().unwrap_or_else(PoisonError::into_inner);
        servers.get(connection).cloned().unwrap_or_default()
    }

    /// Returns what tells a server from those of its name in other projects.
    pub fn project_label(&self, server: &ConnectionServer) -> Option<String> {
        let servers = self.servers.read().unwrap_or_else(PoisonError::into_inner);
        servers.project_label(server)
    }

    /// Returns true when a connection checked a server.
    pub fn is_check(&self, connection: u32) -> bool {
        let servers = self.servers.read().unwrap_or_else(PoisonError::into_inner);
        servers.is_check(connection)
    }

    /// Returns the name of a server as a row has it.
    pub fn shown_name(&self, server: &ConnectionServer) -> String {
        let servers = self.servers.read().unwrap_or_else(PoisonError::into_inner);
        servers.shown_name(server)
    }
}

impl WriteQueue {
    /// Returns true when the queue has no room for another frame.
    pub fn is_full(&self, limit: usize) -> bool {
        self.bytes >= limit && self.off.is_none() && !self.stopping
    }

    /// Notes the row of an HTTP request that carries a heartbeat.
    pub fn note_http_of_heartbeat(&mut self, connection: u32, row: u32) {
        if !self.checks.contains(connection) {
            self.foldable.note_http_of_heartbeat(row);
        }
    }

    /// Appends a frame; a frame of no row yet starts one. Returns the frame and its row.
    pub fn push(&mut self, mut new: NewFrame<'_>) -> (u32, u32) {
        let frame = self.next_frame;
        self.next_frame += 1;
        let row = new.row.unwrap_or_else(|| {
            let row = self.row_index.next;
            self.row_index.next += 1;
            let is_check = self.checks.contains(new.connection);
            self.foldable
                .note(row, new.kind, new.method, new.is_heartbeat, is_check);
            row
        });
        if new.is_unrecorded {
            let text = UnrecordedText {
                target: std::mem::take(&mut new.target).to_owned(),
                payload: std::mem::take(&mut new.payload),
            };
            self.unrecorded.keep(frame, text);
        }
        self.bytes += self.open.push(frame, row, new);
        self.frames = self.frames.saturating_add(1);
        if self.off.is_some() {
            self.dropped = self.dropped.saturating_add(1);
            if self.bytes > MAX_BYTES_WHILE_OFF {
                self.give_up_oldest();
            }
        }
        self.revision = self.revision.wrapping_add(1);
        if self.open.is_full() {
            self.seal();
        }
        (frame, row)
    }

    /// Records how a row ended.
    pub fn settle(&mut self, settlement: RowSettlement) {
        if settlement.row < self.live_from {
            return;
        }
        self.open.settlements.push(settlement);
        self.bytes += size_of::<RowSettlement>();
        self.changed(settlement.row);
    }

    /// Records that a row changed, for searches that already ran.
    fn changed(&mut self, row: u32) {
        self.revision = self.revision.wrapping_add(1);
        if self.changes.len() == MAX_REMEMBERED_CHANGES {
            self.changes.pop_front();
            self.changes_first += 1;
        }
        self.changes.push_back(row);
    }

    /// Sets or removes the bookmark of the row `row`, which `frame` starts.
    pub fn bookmarked(&mut self, frame: u32, row: u32, note: Option<Arc<str>>) {
        let bookmarks = Arc::make_mut(&mut self.bookmarks);
        match note {
            Some(note) => bookmarks.insert(frame, note),
            None => bookmarks.remove(&frame),
        };
        self.changed(row);
    }

    fn next_change(&self) -> u64 {
        self.changes_first + self.changes.len() as u64
    }

    /// Returns the rows that changed from the change numbered `since` to before `until`; `None` when
    /// that is too long ago to say.
    pub fn changes_between(&self, since: u64, until: u64) -> Option<Vec<u32>> {
        let skipped = usize::try_from(since.checked_sub(self.changes_first)?).ok()?;
        let count = usize::try_from(until.saturating_sub(since)).ok()?;
        Some(
            self.changes
                .iter()
                .skip(skipped)
                .take(count)
                .copied()
                .collect(),
        )
    }

    /// Closes the open block, so that it can be read and written.
    pub fn seal(&mut self) {
        if self.open.is_empty() {
            // Rows may have been counted on without a frame here, after a restart.
            self.open.first_row = self.row_index.next;
            return;
        }
        let capacity = self.open.text.len();
        let next = Block::starting_at(self.row_index.next, capacity);
        let mut full = std::mem::replace(&mut self.open, next);
        full.entries.shrink_to_fit();
        self.sealed.push_back(Arc::new(full));
    }

    /// Drops the oldest frames beyond [`MAX_BYTES_WHILE_OFF`].
    pub fn give_up_oldest(&mut self) {
        while self.bytes > MAX_BYTES_WHILE_OFF && self.sealed.len() > 1 {
            let Some(lost) = self.sealed.pop_front() else {
                break;
            };
            self.bytes = self.bytes.saturating_sub(lost.weight());
            let frames = lost.entries.len() as u32;
            self.frames = self.frames.saturating_sub(frames);
            self.lost = self.lost.saturating_add(frames);
            if lost.row_count > 0 {
                let last = lost.first_row + lost.row_count - 1;
                self.row_index.lose(lost.first_row, last);
            }
        }
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.seal();
        self.sealed.clear();
        self.bytes = 0;
        self.frames = 0;
        self.row_index = RowIndex::starting_at(self.row_index.next);
        self.foldable.clear();
        self.bookmarks = Arc::default();
        self.unrecorded.clear();
        self.changes_first += self.changes.len() as u64 + 1;
        self.changes.clear();
        self.epoch += 1;
        self.revision = self.revision.wrapping_add(1);
        self.open.first_row = self.row_index.next;
        self.live_from = self.row_index.next;
    }

    /// Records that frames were taken out of the record.
    pub fn taken_out(&mut self, removed: &RemovedFrames) {
        let count = u32::try_from(removed.frames.len()).unwrap_or(u32::MAX);
        self.frames = self.frames.saturating_sub(count);
        self.row_index.remove(&removed.rows);
        self.foldable.remove(&removed.rows);
        let bookmarks = Arc::make_mut(&mut self.bookmarks);
        for frame in &removed.frames {
            self.unrecorded.remove(*frame);
            bookmarks.remove(frame);
        }
        self.epoch += 1;
        self.revision = self.revision.wrapping_add(1);
    }

    /// Returns true when there is anything for the writer to do.
    pub fn has_work(&self) -> bool {
        !self.open.is_empty()
            || (!self.sealed.is_empty() && self.off.is_none())
            || !self.tasks.is_empty()
            || self.stopping
    }

    /// Returns true when there is work that cannot wait.
    pub fn is_pressing(&self) -> bool {
        self.urgent || !self.tasks.is_empty() || self.stopping
    }

    /// Removes the oldest `blocks` blocks, which are on disk.
    pub fn written(&mut self, blocks: usize) {
        for written in self.sealed.drain(..blocks) {
            self.bytes = self.bytes.saturating_sub(written.weight());
        }
    }

    /// Counts the frames that are in the queue and not on disk.
    fn queued_frames(&self) -> u32 {
        let sealed: usize = self.sealed.iter().map(|block| block.entries.len()).sum();
        (sealed + self.open.entries.len()) as u32
    }

    pub fn turn_off(&mut self, reason: String) {
        if self.off.is_none() {
            self.dropped = self.queued_frames();
        }
        self.off = Some(reason);
        self.revision = self.revision.wrapping_add(1);
    }

    /// Turns recording on again, and returns how many frames are lost.
    pub fn turn_on(&mut self) -> u32 {
        self.off = None;
        self.dropped = 0;
        self.revision = self.revision.wrapping_add(1);
        std::mem::take(&mut self.lost)
    }

    /// Records that the store takes less room.
    pub fn shrunk(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Records that retention removed `frames` frames before `first_frame`, and all rows before
    /// `first_row`.
    pub fn removed(&mut self, first_row: u32, first_frame: u32, frames: u32) {
        self.bookmarks = Arc::new(Arc::make_mut(&mut self.bookmarks).split_off(&first_frame));
        self.frames = self.frames.saturating_sub(frames);
        self.row_index.advance(first_row);
        self.foldable.forget_before(first_row);
        self.revision = self.revision.wrapping_add(1);
    }

    /// Continues the numbers of a database. What is queued can follow a new database; before
    /// one with numbers of its own it has to be dropped.
    pub fn adopt(&mut self, contents: &StoreContents) {
        self.seal();
        self.epoch += 1;
        self.bookmarks = Arc::clone(&contents.bookmarks);
        self.next_connection = self.next_connection.max(contents.next_connection);
        if contents.next_frame == 1 {
            let first = self.sealed.front().map(|block| block.first_row);
            self.row_index.first = first.unwrap_or(self.row_index.next);
            self.row_index.advance(self.row_index.first);
            self.frames = self.queued_frames();
            return;
        }
        let issued = self.row_index.next;
        self.lost = self.lost.saturating_add(self.queued_frames());
        self.sealed.clear();
        self.bytes = 0;
        self.frames = contents.frames;
        self.next_frame = self.next_frame.max(contents.next_frame);
        self.row_index = contents.row_index.clone();
        // Rows of this session that had no database have other numbers than those in it.
        self.foldable.clear();
        if issued > self.row_index.next {
            let lost = (self.row_index.next, issued - 1);
            self.row_index.next = issued;
            self.row_index.lose(lost.0, lost.1);
        }
        self.live_from = self.row_index.next;
        self.open.first_row = self.row_index.next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction, ExchangeKind, Outcome};
    use bytes::Bytes;

    fn frame(row: Option<u32>, payload: usize) -> NewFrame<'static> {
        NewFrame {
            is_unrecorded: false,
            is_heartbeat: false,
            row,
            connection: 1,
            carrier: 0,
            size: payload,
            at: sightglass_model::Timestamp::from_millis(0.0),
            kind: ExchangeKind::Request,
            direction: Direction::Received,
            outcome: Outcome::Pending,
            code: 0,
            redacted: false,
            method: "tools/call",
            target: "big_result",
            payload: Bytes::from(vec![b'x'; payload]),
        }
    }

    #[test]
    fn a_large_response_is_found_although_its_settlement_is_in_a_block_of_its_own() {
        let shared = SharedRecord::new(RecorderOptions::in_directory("unused"), Limits::default());
        let (request, response) = shared.change(|queue| {
            let (request, row) = queue.push(frame(None, 10));
            let (response, _) = queue.push(frame(Some(row), 8 << 20));
            queue.settle(RowSettlement {
                row,
                outcome: Outcome::Ok,
                code: None,
                duration: Some(std::time::Duration::from_millis(1)),
                response_frame: Some(response),
                response_size: 8 << 20,
            });
            (request, response)
        });
        let snapshot = shared.snapshot();
        assert!(
            snapshot
                .blocks
                .iter()
                .any(|block| block.last_frame().is_none())
        );
        for wanted in [request, response] {
            assert!(snapshot.block_of_frame(wanted).is_some(), "frame {wanted}");
        }
        assert!(snapshot.block_of_frame(response + 1).is_none());
    }
}
