//! The one thread that writes.

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use sightglass_model::InternalError;

use crate::{
    Direction, ExchangeKind, Outcome, RecordError, Retention,
    block::{Block, NewFrame},
    disk::Disk,
    log::{Log, Shared, Task},
    retention_clock::RetentionClock,
    rows::RowSpace,
    store::{Contents, FILE_NAME, Opened, Speaker, Step, Store, set_aside_damaged},
    time::now,
    trouble::Trouble,
};

/// Frames are collected this long, so that many share a transaction.
const BATCH_INTERVAL: Duration = Duration::from_millis(15);

/// Interval at which retention looks for frames that have become too old.
const RETENTION_INTERVAL: Duration = Duration::from_secs(3600);

/// The wait before recording is tried again by itself, doubled each time up to the longest.
const FIRST_RETRY: Duration = Duration::from_secs(1);
const LONGEST_RETRY: Duration = Duration::from_secs(60);

/// The wait after an internal error, so that one that comes again and again costs little.
const AFTER_PANIC: Duration = Duration::from_millis(200);

/// Retention works this long before the queue has its turn again.
const RETENTION_SLICE: Duration = Duration::from_millis(10);

pub(crate) struct Writer {
    shared: Arc<Shared>,
    /// The readers' connections.
    disks: Vec<Arc<Disk>>,
    store: Option<Store>,
    /// True once a database was open, so that this session's numbers follow its own.
    adopted: bool,
    damaged: bool,
    retention: Retention,
    retaining: bool,
    next_retention: Instant,
    clock: RetentionClock,
    /// True when it was said that the clock jumped.
    told_of_jump: bool,
    retry: Option<Retry>,
}

/// The next time that recording is tried again by itself.
#[derive(Debug, Clone, Copy)]
struct Retry {
    at: Instant,
    wait: Duration,
}

/// Work that the writer found to do.
struct Work {
    blocks: Vec<Arc<Block>>,
    space: RowSpace,
    tasks: Vec<Task>,
    stopping: bool,
}

impl Writer {
    /// Opens the database, or turns recording off.
    pub fn open(shared: Arc<Shared>, disks: Vec<Arc<Disk>>) -> Self {
        let mut writer = Self {
            retention: shared.options.retention,
            shared,
            disks,
            store: None,
            adopted: false,
            damaged: false,
            retaining: false,
            next_retention: Instant::now(),
            clock: RetentionClock::new(None, now()),
            told_of_jump: false,
            retry: None,
        };
        if let Err(trouble) = writer.reopen() {
            // Numbers that no database can have given to connections so far, should one be
            // opened later.
            let seconds = (now() / 1000.0) as u32;
            writer
                .shared
                .change(|log| log.next_connection = (1 << 31) | (seconds & (u32::MAX >> 2)));
            writer.turn_off(&trouble);
        }
        writer
    }

    /// Writes until the recorder closes. A defect of ours turns recording off until the next
    /// try, and nothing else.
    pub fn run(mut self) {
        loop {
            match catch_unwind(AssertUnwindSafe(|| self.turn())) {
                Ok(true) => {}
                Ok(false) => break,
                Err(panic) => {
                    self.turn_off(&Trouble::Internal(InternalError::caught(&*panic)));
                    std::thread::sleep(AFTER_PANIC);
                }
            }
        }
        // The readers' connection closes first, so that this one can tidy up the log file.
        self.disks.iter().for_each(|disk| disk.close());
        self.store = None;
        self.shared
            .change(|log| log.turn_off("The record is closed.".to_owned()));
        self.shared.room.notify_waiters();
    }

    /// Waits for work and does it. False when the recorder closes.
    fn turn(&mut self) -> bool {
        let work = self.wait();
        if self.store.is_some() && !work.blocks.is_empty() {
            self.write(&work.blocks, &work.space);
        } else if self.store.is_none() {
            self.shared.change(Log::give_up_oldest);
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

    /// Tries to record again after what may have passed.
    fn try_again(&mut self) {
        if self.store.is_none() && self.retry().is_ok() {
            self.remark("Recording works again; it was tried by itself.");
        }
    }

    /// When there is something to do without anybody's asking.
    fn next_duty(&self) -> Instant {
        match self.retry {
            Some(retry) => self.next_retention.min(retry.at),
            None => self.next_retention,
        }
    }

    fn wait(&mut self) -> Work {
        let wait_for = |log, duration| {
            let waited = self.shared.work.wait_timeout(log, duration);
            waited.unwrap_or_else(PoisonError::into_inner).0
        };
        let mut log = self.shared.log();
        let duty = self.next_duty();
        while !log.has_work() && !self.retaining && Instant::now() < duty {
            log.writer_waits = true;
            log = wait_for(log, duty.saturating_duration_since(Instant::now()));
        }
        log.writer_waits = false;
        let deadline = Instant::now() + BATCH_INTERVAL;
        while !log.urgent && !log.stopping {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            log = wait_for(log, left);
        }
        log.urgent = false;
        log.seal();
        Work {
            blocks: log.sealed.iter().cloned().collect(),
            space: log.space.clone(),
            tasks: log.tasks.drain(..).collect(),
            stopping: log.stopping,
        }
    }

    fn write(&mut self, blocks: &[Arc<Block>], space: &RowSpace) {
        let Some(store) = &mut self.store else {
            return;
        };
        let newest_frames = newest_frames(blocks);
        let speakers: Vec<Speaker> = {
            let servers = self
                .shared
                .servers
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            let next = store.next_connection();
            let speakers = servers.iter().filter_map(|(id, server)| {
                let newest_frame = newest_frames.get(id).copied();
                (*id >= next || newest_frame.is_some()).then(|| Speaker {
                    connection: *id,
                    server: server.clone(),
                    newest_frame,
                })
            });
            speakers.collect()
        };
        match store.write(blocks.iter().map(|block| &**block), space, &speakers) {
            Ok(()) => {
                self.shared.change(|log| log.written(blocks.len()));
                self.shared.room.notify_waiters();
                if store.retention_is_due() {
                    self.retaining = true;
                }
            }
            Err(trouble) => self.turn_off(&trouble),
        }
    }

    fn turn_off(&mut self, trouble: &Trouble) {
        self.store = None;
        self.retaining = false;
        self.damaged = trouble.is_damage();
        self.retry = trouble.may_pass().then(|| {
            let wait = self.retry.map_or(FIRST_RETRY, |retry| retry.wait * 2);
            let wait = wait.min(LONGEST_RETRY);
            Retry {
                at: Instant::now() + wait,
                wait,
            }
        });
        self.shared.change(|log| log.turn_off(trouble.to_string()));
        self.shared.room.notify_waiters();
    }

    fn reopen(&mut self) -> Result<(), Trouble> {
        let directory = &self.shared.options.directory;
        let Opened {
            store,
            contents,
            set_aside,
        } = Store::open(directory, self.shared.limits)?;
        for disk in &self.disks {
            disk.open(&directory.join(FILE_NAME))?;
        }
        self.clock = RetentionClock::new(store.newest()?, now());
        self.store = Some(store);
        self.damaged = false;
        self.next_retention = Instant::now();
        if !self.adopted || set_aside.is_some() {
            self.adopt(contents);
        }
        let lost = self.shared.change(Log::turn_on);
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
    fn adopt(&mut self, mut contents: Contents) {
        self.adopted = true;
        let servers = std::mem::take(&mut contents.servers);
        {
            let mut known = self
                .shared
                .servers
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            for (connection, server) in servers {
                known.entry(connection).or_insert(server);
            }
        }
        self.shared.change(|log| log.adopt(&contents));
    }

    /// Puts a remark of the recorder's own on record.
    fn remark(&self, text: &str) {
        self.shared.change(|log| {
            log.push(NewFrame {
                row: None,
                connection: 0,
                carrier: 0,
                size: text.len(),
                at: now(),
                kind: ExchangeKind::Phase,
                direction: Direction::Received,
                outcome: Outcome::None,
                code: 0,
                redacted: false,
                method: "recording",
                target: text,
                payload: Bytes::copy_from_slice(text.as_bytes()),
            })
        });
    }

    fn perform(&mut self, task: Task) {
        // Whoever asked may have stopped waiting; that is no fault of the writer's.
        match task {
            Task::Flush(done) => {
                let result = match (&self.store, self.off()) {
                    (Some(_), None) => Ok(()),
                    (_, reason) => Err(RecordError::Off(reason.unwrap_or_default())),
                };
                let _ = done.send(result);
            }
            Task::Clear(done) => {
                let _ = done.send(self.clear());
            }
            Task::Retry(done) => {
                let _ = done.send(self.retry());
            }
            Task::Retain(retention) => {
                self.retention = retention;
                self.retaining = true;
            }
            #[cfg(test)]
            Task::Panic => panic!("a defect"),
        }
    }

    fn off(&self) -> Option<String> {
        self.shared.log().off.clone()
    }

    fn clear(&mut self) -> Result<(), RecordError> {
        let space = self.shared.change(|log| {
            log.clear();
            log.space.clone()
        });
        self.disks.iter().for_each(|disk| disk.forget());
        self.shared.room.notify_waiters();
        let Some(store) = &mut self.store else {
            return match self.off() {
                Some(reason) => Err(RecordError::Off(reason)),
                None => Ok(()),
            };
        };
        if let Err(trouble) = store.clear(&space) {
            let reason = trouble.to_string();
            self.turn_off(&trouble);
            return Err(RecordError::Off(reason));
        }
        // A reader may have kept a block that it read in between.
        self.disks.iter().for_each(|disk| disk.forget());
        Ok(())
    }

    fn retry(&mut self) -> Result<(), RecordError> {
        if self.store.is_some() {
            return Ok(());
        }
        if self.damaged {
            self.disks.iter().for_each(|disk| disk.close());
            set_aside_damaged(&self.shared.options.directory)?;
            self.adopted = false;
        }
        if let Err(trouble) = self.reopen() {
            let reason = trouble.to_string();
            self.turn_off(&trouble);
            return Err(RecordError::Off(reason));
        }
        let (blocks, space) = {
            let mut log = self.shared.log();
            log.seal();
            (
                log.sealed.iter().cloned().collect::<Vec<_>>(),
                log.space.clone(),
            )
        };
        self.write(&blocks, &space);
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
        let wall = now();
        let trusted = self.clock.now(wall);
        self.tell_of_jump(wall, trusted);
        let deadline = Instant::now() + RETENTION_SLICE;
        while self.retaining && Instant::now() < deadline {
            let Some(store) = &mut self.store else {
                self.retaining = false;
                return;
            };
            match store.retain(self.retention, trusted) {
                Ok(Step::Done) => self.retaining = false,
                Ok(Step::Shrunk) => {}
                Ok(Step::Removed { first_row, frames }) => {
                    self.disks.iter().for_each(|disk| disk.forget());
                    self.shared.change(|log| log.removed(first_row, frames));
                }
                Err(trouble) => self.turn_off(&trouble),
            }
        }
    }

    /// Says once that frames are kept which the system's clock would call too old.
    fn tell_of_jump(&mut self, wall: f64, trusted: f64) {
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
            let days = ((wall - trusted) / 86_400_000.0) as u32;
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
