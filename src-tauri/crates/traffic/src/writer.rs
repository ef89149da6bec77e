//! The one thread that writes.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use sightglass_model::ServerId;

use crate::{
    Direction, ExchangeKind, Outcome, RecordError, Retention,
    block::{Block, NewFrame},
    disk::Disk,
    log::{Log, Shared, Task, now},
    rows::RowSpace,
    store::{Contents, FILE_NAME, Opened, Step, Store, set_aside_damaged},
    trouble::Trouble,
};

/// Frames are collected this long, so that many share a transaction.
const BATCH_INTERVAL: Duration = Duration::from_millis(15);

/// How often retention looks for frames that have become too old.
const RETENTION_INTERVAL: Duration = Duration::from_secs(3600);

/// Retention works this long before the queue has its turn again.
const RETENTION_SLICE: Duration = Duration::from_millis(10);

pub(crate) struct Writer {
    shared: Arc<Shared>,
    /// The readers' connections.
    disks: Vec<Arc<Disk>>,
    store: Option<Store>,
    /// Whether a database was ever open, so that this session's numbers follow its own.
    adopted: bool,
    damaged: bool,
    retention: Retention,
    retaining: bool,
    next_retention: Instant,
}

/// What the writer found to do.
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

    /// Writes until the recorder closes.
    pub fn run(mut self) {
        loop {
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
                break;
            }
            self.retain();
        }
        // The readers' connection closes first, so that this one can tidy up the log file.
        self.disks.iter().for_each(|disk| disk.close());
        self.store = None;
        self.shared
            .change(|log| log.turn_off("The record is closed.".to_owned()));
        self.shared.room.notify_waiters();
    }

    fn wait(&mut self) -> Work {
        let wait_for = |log, duration| {
            let waited = self.shared.work.wait_timeout(log, duration);
            waited.unwrap_or_else(PoisonError::into_inner).0
        };
        let mut log = self.shared.log();
        while !log.has_work() && !self.retaining && Instant::now() < self.next_retention {
            log.writer_waits = true;
            let until = self
                .next_retention
                .saturating_duration_since(Instant::now());
            log = wait_for(log, until);
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
        let servers: Vec<(u32, (ServerId, String))> = {
            let servers = self
                .shared
                .servers
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            let next = store.next_connection();
            let new = servers.iter().filter(|(id, _)| **id >= next);
            new.map(|(id, server)| (*id, server.clone())).collect()
        };
        match store.write(blocks.iter().map(|block| &**block), space, &servers) {
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
            None => Ok(()),
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
        let deadline = Instant::now() + RETENTION_SLICE;
        while self.retaining && Instant::now() < deadline {
            let Some(store) = &mut self.store else {
                self.retaining = false;
                return;
            };
            match store.retain(self.retention) {
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
}
