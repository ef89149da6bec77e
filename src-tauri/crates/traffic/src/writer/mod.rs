//! Writes the queue to the store, on a thread of its own, and applies retention.
//!
//! The only writer of the database. Errors turn recording off, with a retry by itself where that
//! may help.

mod retention_clock;

use std::{
    collections::{HashMap, HashSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use sightglass_model::{InternalError, ServerId, Timestamp};

use crate::{
    Direction, ExchangeKind, Outcome, RecordError, Retention,
    block::{Block, NewFrame},
    queue::{SharedRecord, WriteQueue, WriterTask},
    store::{
        ConnectionUpdate, FILE_NAME, OpenedStore, RetentionStep, RowIndex, Store, StoreContents,
        StoreError, StoreReader, set_aside_damaged,
    },
};
use retention_clock::RetentionClock;

/// Frames are collected this long, so that many share a transaction.
const BATCH_INTERVAL: Duration = Duration::from_millis(15);

/// Interval at which retention looks for frames that have become too old.
const RETENTION_INTERVAL: Duration = Duration::from_secs(3600);

/// The wait before recording is tried again by itself, doubled each time up to the longest.
const MIN_RETRY_INTERVAL: Duration = Duration::from_secs(1);
const MAX_RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// The wait after an internal error, so that one that comes again and again costs little.
const PANIC_INTERVAL: Duration = Duration::from_millis(200);

/// Time after which a temporary record is written. A command that makes a call has ended by then.
const DEFERRAL: Duration = Duration::from_secs(1);

/// Retention works this long before the queue has its turn again.
const RETENTION_SLICE: Duration = Duration::from_millis(10);

pub(crate) struct Writer {
    shared: Arc<SharedRecord>,
    /// The readers' connections.
    readers: Vec<Arc<StoreReader>>,
    store: Option<Store>,
    /// True while a temporary record has no database yet, since nothing has asked for one.
    is_deferred: bool,
    /// True once a database was open, so that this session's numbers follow its own.
    adopted: bool,
    damaged: bool,
    retention: Retention,
    retaining: bool,
    next_retention: Instant,
    clock: RetentionClock,
    /// True when it was said that the clock jumped.
    told_of_jump: bool,
    retry: Option<RetryTimer>,
}

/// The next time that recording is tried again by itself.
#[derive(Debug, Clone, Copy)]
struct RetryTimer {
    at: Instant,
    wait: Duration,
}

/// Work that the writer found to do.
struct Work {
    blocks: Vec<Arc<Block>>,
    row_index: RowIndex,
    tasks: Vec<WriterTask>,
    stopping: bool,
}

impl Writer {
    /// Opens the database, or turns recording off. That of a temporary record is opened later, if at
    /// all.
    pub fn open(shared: Arc<SharedRecord>, readers: Vec<Arc<StoreReader>>) -> Self {
        let is_deferred = shared.options.is_temporary;
        let mut writer = Self {
            retention: shared.options.retention,
            shared,
            readers,
            store: None,
            is_deferred,
            // The database will be a new one.
            adopted: is_deferred,
            damaged: false,
            retaining: false,
            next_retention: match is_deferred {
                true => Instant::now() + DEFERRAL,
                false => Instant::now(),
            },
            clock: RetentionClock::new(None, Timestamp::now()),
            told_of_jump: false,
            retry: None,
        };
        if is_deferred {
            return writer;
        }
        if let Err(error) = writer.reopen() {
            // Numbers that no database can have given to connections so far, should one be
            // opened later.
            let seconds = Timestamp::now().as_seconds() as u32;
            writer
                .shared
                .change(|queue| queue.next_connection = (1 << 31) | (seconds & (u32::MAX >> 2)));
            writer.turn_off(&error);
        }
        writer
    }

    /// Writes until the recorder closes. A panic turns recording off until the next retry, and
    /// nothing else.
    pub fn run(mut self) {
        loop {
            match catch_unwind(AssertUnwindSafe(|| self.turn())) {
                Ok(true) => {}
                Ok(false) => break,
                Err(panic) => {
                    self.turn_off(&StoreError::Internal(InternalError::caught(&*panic)));
                    std::thread::sleep(PANIC_INTERVAL);
                }
            }
        }
        // The readers' connection closes first, so that this one can tidy up the log file.
        self.readers.iter().for_each(|reader| reader.close());
        self.store = None;
        self.shared
            .change(|queue| queue.turn_off("The record is closed.".to_owned()));
        self.shared.room.notify_waiters();
    }

    /// Waits for work and does it. False when the recorder closes.
    fn turn(&mut self) -> bool {
        let work = self.wait();
        let is_over = work.stopping && work.tasks.is_empty();
        if self.is_deferred
            && !is_over
            && let Err(error) = self.reopen()
        {
            self.turn_off(&error);
        }
        if self.store.is_some() && !work.blocks.is_empty() {
            self.write(&work.blocks, &work.row_index);
        } else if self.store.is_none() && !self.is_deferred {
            self.shared.change(WriteQueue::give_up_oldest);
        }
        for task in work.tasks {
            self.perform(task);
        }
        if work.stopping {
            return false;
        }
        if self.retry.is_some_and(|retry| Instant::now() >= retry.at) {
            self.try_again();
        }
        self.retain();
        true
    }

    /// Retries after an error that may have passed.
    fn try_again(&mut self) {
        if self.store.is_none() && self.retry().is_ok() {
            self.remark("Recording works again after an automatic retry.");
        }
    }

    /// Returns the time of the next retention or retry.
    fn next_duty(&self) -> Instant {
        match self.retry {
            Some(retry) => self.next_retention.min(retry.at),
            None => self.next_retention,
        }
    }

    fn wait(&mut self) -> Work {
        let wait_for = |queue, duration| {
            let waited = self.shared.work.wait_timeout(queue, duration);
            waited.unwrap_or_else(PoisonError::into_inner).0
        };
        let mut queue = self.shared.queue();
        let duty = self.next_duty();
        let has_work = |queue: &WriteQueue| match self.is_deferred {
            true => queue.is_pressing(),
            false => queue.has_work(),
        };
        while !has_work(&queue) && !self.retaining && Instant::now() < duty {
            queue.writer_waits = !self.is_deferred;
            queue = wait_for(queue, duty.saturating_duration_since(Instant::now()));
        }
        queue.writer_waits = false;
        let deadline = Instant::now() + BATCH_INTERVAL;
        while !queue.urgent && !queue.stopping {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            queue = wait_for(queue, left);
        }
        queue.urgent = false;
        queue.seal();
        Work {
            blocks: queue.sealed.iter().cloned().collect(),
            row_index: queue.row_index.clone(),
            tasks: queue.tasks.drain(..).collect(),
            stopping: queue.stopping,
        }
    }

    fn write(&mut self, blocks: &[Arc<Block>], row_index: &RowIndex) {
        let Some(store) = &mut self.store else {
            return;
        };
        let newest_frames = newest_frames(blocks);
        let updates: Vec<ConnectionUpdate> = {
            let servers = self
                .shared
                .servers
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            let next = store.next_connection();
            // Not all that ever were: there can be many thousands, and a batch comes often.
            let known = newest_frames.keys().filter(|id| **id < next);
            let known = known.filter_map(|id| Some((*id, servers.get(*id)?)));
            let updates = known
                .chain(servers.since(next))
                .map(|(id, server)| ConnectionUpdate {
                    connection: id,
                    server: server.clone(),
                    newest_frame: newest_frames.get(&id).copied(),
                });
            updates.collect()
        };
        match store.write(blocks.iter().map(|block| &**block), row_index, &updates) {
            Ok(()) => {
                self.shared.change(|queue| queue.written(blocks.len()));
                self.shared.room.notify_waiters();
                if store.retention_is_due() {
                    self.retaining = true;
                }
            }
            Err(error) => self.turn_off(&error),
        }
    }

    fn turn_off(&mut self, error: &StoreError) {
        self.store = None;
        self.retaining = false;
        self.damaged = error.is_damage();
        self.retry = error.may_pass().then(|| {
            let wait = self
                .retry
                .map_or(MIN_RETRY_INTERVAL, |retry| retry.wait * 2);
            let wait = wait.min(MAX_RETRY_INTERVAL);
            RetryTimer {
                at: Instant::now() + wait,
                wait,
            }
        });
        self.shared
            .change(|queue| queue.turn_off(error.to_string()));
        self.shared.room.notify_waiters();
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        self.is_deferred = false;
        let directory = &self.shared.options.directory;
        let OpenedStore {
            store,
            contents,
            set_aside,
        } = Store::open(&self.shared.options, self.shared.limits)?;
        for reader in &self.readers {
            reader.open(&directory.join(FILE_NAME))?;
        }
        self.clock = RetentionClock::new(store.newest()?, Timestamp::now());
        self.store = Some(store);
        self.damaged = false;
        self.next_retention = Instant::now();
        if !self.adopted || set_aside.is_some() {
            self.adopt(contents);
        }
        let lost = self.shared.change(WriteQueue::turn_on);
        if lost > 0 {
            self.remark(&format!(
                "Recording works again. {lost} frames are missing."
            ));
        }
        if let Some(kept) = set_aside {
            self.remark(&format!(
                "The record was damaged and a new one begins. The damaged file is kept as {}.",
                kept.display()
            ));
        }
        Ok(())
    }

    /// Continues the numbers of a database that this session has not written to.
    fn adopt(&mut self, contents: StoreContents) {
        self.adopted = true;
        self.shared.adopt(contents);
    }

    /// Puts a remark of the recorder's own on record.
    fn remark(&self, text: &str) {
        self.shared.change(|queue| {
            queue.push(NewFrame {
                row: None,
                connection: 0,
                carrier: 0,
                size: text.len(),
                at: Timestamp::now(),
                kind: ExchangeKind::Phase,
                direction: Direction::Received,
                outcome: Outcome::None,
                code: 0,
                redacted: false,
                method: "recording",
                target: text,
                is_unrecorded: false,
                is_heartbeat: false,
                payload: Bytes::copy_from_slice(text.as_bytes()),
            })
        });
    }

    fn perform(&mut self, task: WriterTask) {
        // Whoever asked may have stopped waiting; that is no fault of the writer's.
        match task {
            WriterTask::Flush(done) => {
                let result = match (&self.store, self.off()) {
                    (Some(_), None) => Ok(()),
                    (_, reason) => Err(RecordError::Off(reason.unwrap_or_default())),
                };
                let _ = done.send(result);
            }
            WriterTask::Clear(done) => {
                let _ = done.send(self.clear());
            }
            WriterTask::ClearServer(server, project, done) => {
                let _ = done.send(self.clear_server(&server, project.as_deref()));
            }
            WriterTask::Bookmark(place, note, done) => {
                let _ = done.send(self.bookmark(place, note));
            }
            WriterTask::RetryTimer(done) => {
                let _ = done.send(self.retry());
            }
            WriterTask::Retain(retention) => {
                self.retention = retention;
                self.retaining = true;
            }
            #[cfg(test)]
            WriterTask::Panic => panic!("a defect"),
        }
    }

    fn off(&self) -> Option<String> {
        self.shared.queue().off.clone()
    }

    fn clear(&mut self) -> Result<(), RecordError> {
        let row_index = self.shared.change(|queue| {
            queue.clear();
            queue.row_index.clone()
        });
        self.readers.iter().for_each(|reader| reader.forget());
        self.shared.room.notify_waiters();
        let Some(store) = &mut self.store else {
            return match self.off() {
                Some(reason) => Err(RecordError::Off(reason)),
                None => Ok(()),
            };
        };
        if let Err(error) = store.clear(&row_index) {
            let reason = error.to_string();
            self.turn_off(&error);
            return Err(RecordError::Off(reason));
        }
        // A reader may have kept a block that it read in between.
        self.readers.iter().for_each(|reader| reader.forget());
        self.shared.change(WriteQueue::shrunk);
        Ok(())
    }

    fn clear_server(
        &mut self,
        server: &ServerId,
        project: Option<&str>,
    ) -> Result<(), RecordError> {
        self.write_queued();
        let connections: HashSet<u32> = {
            let servers = self.shared.servers.read();
            let servers = servers.unwrap_or_else(PoisonError::into_inner);
            let of_server = servers
                .since(0)
                .filter(|(_, found)| found.is(server, project));
            of_server.map(|(connection, _)| connection).collect()
        };
        let row_index = self.shared.queue().row_index.clone();
        let Some(store) = &mut self.store else {
            return Err(RecordError::Off(self.off().unwrap_or_default()));
        };
        match store.clear_connections(&connections, &row_index) {
            Ok(removed) => {
                self.readers.iter().for_each(|reader| reader.forget());
                self.shared.change(|queue| queue.taken_out(&removed));
                // A reader may have kept a block that it read in between.
                self.readers.iter().for_each(|reader| reader.forget());
                Ok(())
            }
            Err(error) => {
                let reason = error.to_string();
                self.turn_off(&error);
                Err(RecordError::Off(reason))
            }
        }
    }

    fn bookmark(
        &mut self,
        (frame, row): (u32, u32),
        note: Option<Arc<str>>,
    ) -> Result<(), RecordError> {
        let Some(store) = &mut self.store else {
            return Err(RecordError::Off(self.off().unwrap_or_default()));
        };
        if let Err(error) = store.bookmark(frame, note.as_deref()) {
            let reason = error.to_string();
            self.turn_off(&error);
            return Err(RecordError::Off(reason));
        }
        self.shared
            .change(|queue| queue.bookmarked(frame, row, note));
        Ok(())
    }

    /// Writes all that is queued.
    fn write_queued(&mut self) {
        let (blocks, row_index) = {
            let mut queue = self.shared.queue();
            queue.seal();
            (
                queue.sealed.iter().cloned().collect::<Vec<_>>(),
                queue.row_index.clone(),
            )
        };
        if self.store.is_some() && !blocks.is_empty() {
            self.write(&blocks, &row_index);
        }
    }

    fn retry(&mut self) -> Result<(), RecordError> {
        if self.store.is_some() {
            return Ok(());
        }
        if self.damaged {
            self.readers.iter().for_each(|reader| reader.close());
            set_aside_damaged(&self.shared.options.directory)?;
            self.adopted = false;
        }
        if let Err(error) = self.reopen() {
            let reason = error.to_string();
            self.turn_off(&error);
            return Err(RecordError::Off(reason));
        }
        self.write_queued();
        match self.off() {
            Some(reason) => Err(RecordError::Off(reason)),
            None => {
                self.retry = None;
                Ok(())
            }
        }
    }

    /// A little of retention's work, when it is time for it.
    fn retain(&mut self) {
        if Instant::now() >= self.next_retention {
            self.next_retention = Instant::now() + RETENTION_INTERVAL;
            self.retaining = true;
        }
        if !self.retaining {
            return;
        }
        let wall = Timestamp::now();
        let trusted = self.clock.now(wall);
        self.tell_of_jump(wall, trusted);
        let deadline = Instant::now() + RETENTION_SLICE;
        while self.retaining && Instant::now() < deadline {
            let Some(store) = &mut self.store else {
                self.retaining = false;
                return;
            };
            match store.retain(self.retention, trusted) {
                Ok(RetentionStep::Done) => self.retaining = false,
                Ok(RetentionStep::Shrunk) => self.shared.change(WriteQueue::shrunk),
                Ok(RetentionStep::Removed {
                    first_row,
                    first_frame,
                    frames,
                }) => {
                    self.readers.iter().for_each(|reader| reader.forget());
                    self.shared
                        .change(|queue| queue.removed(first_row, first_frame, frames));
                }
                Err(error) => self.turn_off(&error),
            }
        }
    }

    /// Says once that frames are kept which the system's clock would call too old.
    fn tell_of_jump(&mut self, wall: Timestamp, trusted: Timestamp) {
        let Some(store) = self
            .store
            .as_ref()
            .filter(|_| !self.told_of_jump && trusted < wall)
        else {
            return;
        };
        // When that cannot be asked, what follows fails too, and says why.
        if store
            .has_older_than(self.retention.oldest_allowed(wall))
            .unwrap_or(false)
        {
            self.told_of_jump = true;
            let days = wall.since(trusted).as_secs() / 86_400;
            self.remark(&format!(
                "The computer's clock is {days} days ahead of the newest record. In case it is \
                 wrong, nothing is removed for its age before the next start."
            ));
        }
    }
}

/// The newest frame of each connection in these blocks.
fn newest_frames(blocks: &[Arc<Block>]) -> HashMap<u32, u32> {
    let entries = blocks.iter().flat_map(|block| &block.entries);
    entries
        .map(|entry| (entry.connection, entry.frame))
        .collect()
}
