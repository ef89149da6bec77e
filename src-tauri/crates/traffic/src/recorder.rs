//! Opens the record, answers its queries, and ends its threads.

use std::{
    ops::Deref,
    path::Path,
    sync::{Arc, Mutex, PoisonError, mpsc::channel},
    time::Duration,
};

use sightglass_model::{ConnectionId, ExchangeId, FrameId, ServerId};
use sightglass_secrets::Redactor;
use tokio::sync::watch;

use crate::{
    ConnectionRecorder, FilterProblem, FrameHead, OperationPage, RecordError, RecordRevision,
    RecordedFrame, RecorderOptions, RecordingState, Retention, RowOfMany, Timeline, TimelinePlace,
    TimelineQuery, TimelineStep, TrafficPage, TrafficQuery,
    bookmarks::{MAX_BOOKMARKS, MAX_NOTE_CHARACTERS},
    query::{
        Queries,
        search::{self, Searches},
    },
    queue::{SharedRecord, WriterTask},
    recorded_server::{ConnectionServer, is_of_check},
    store::{FILE_NAME, Limits, StoreReader, read_contents},
    threads::RecorderThreads,
    writer::Writer,
};

/// Revisions are announced at most fifteen times a second, which is faster than anyone reads.
const ANNOUNCEMENT_INTERVAL: Duration = Duration::from_millis(66);

/// The reason why a record that was opened for reading does not record.
const READ_ONLY: &str = "The record is open for reading alone.";

/// The durable record. Cheap to clone; the last handle closes it, and each
/// [`ConnectionRecorder`] holds one. Queries in which no server is meant are those of [`Queries`].
///
/// All methods that return a `Result` block on the disk: call them where blocking is fine.
#[derive(Clone)]
pub struct Recorder {
    threads: Arc<RecorderThreads>,
    /// Path of the project that this handle is for.
    project: Option<Arc<str>>,
}

impl Recorder {
    /// Opens the record, or creates it.
    ///
    /// Never fails. When the database cannot be used, recording is off, [`state`](Self::state)
    /// says why, and the newest frames of this session are kept in memory.
    pub fn open(options: RecorderOptions) -> Recorder {
        Self::open_within(options, Limits::default())
    }

    pub(crate) fn open_within(options: RecorderOptions, limits: Limits) -> Recorder {
        let shared = Arc::new(SharedRecord::new(options, limits));
        let reader = Arc::new(StoreReader::default());
        let search_reader = Arc::new(StoreReader::default());
        let writer = Writer::open(shared.clone(), vec![reader.clone(), search_reader.clone()]);
        let (background, searches) = channel();
        // Not joined: it ends with the sender, and without it each question searches by itself.
        let _search = {
            let (shared, reader) = (shared.clone(), search_reader.clone());
            named("record-search").spawn(move || search::work(&shared, &reader, &searches))
        };
        let announcer = {
            let shared = shared.clone();
            named("record-revision").spawn(move || announce(&shared))
        };
        let writer = named("record-writer").spawn(move || writer.run());
        if let Err(error) = &writer {
            let reason = format!(
                "The recorder could not be started ({error}). Restart the program to record."
            );
            shared.change(|queue| {
                queue.stopping = true;
                queue.turn_off(reason);
            });
        }
        let threads = RecorderThreads {
            queries: Queries::new(
                shared.clone(),
                reader,
                search_reader,
                Searches::new(background),
            ),
            shared,
            threads: Mutex::new(announcer.into_iter().chain(writer).collect()),
        };
        Recorder {
            threads: Arc::new(threads),
            project: None,
        }
    }

    /// Returns a handle for one project. What it records is of that project, and a server that it
    /// is asked for is the project's own: another project's of the same name is left out.
    pub fn in_project(&self, project: &Path) -> Recorder {
        Recorder {
            threads: self.threads.clone(),
            project: Some(project.to_string_lossy().into()),
        }
    }

    /// Opens the record for reading alone, beside a program that may record into it. What that
    /// program records from now on is not seen, nor what it has not written yet.
    pub fn open_read_only(directory: &Path) -> Result<Recorder, RecordError> {
        let contents = read_contents(directory)?;
        let options = RecorderOptions::in_directory(directory);
        let shared = Arc::new(SharedRecord::new(options, Limits::default()));
        let reader = Arc::new(StoreReader::default());
        let search_reader = Arc::new(StoreReader::default());
        for reader in [&reader, &search_reader] {
            reader.open(&directory.join(FILE_NAME))?;
        }
        shared.adopt(contents);
        shared.change(|queue| queue.turn_off(READ_ONLY.to_owned()));
        // Nobody works in the background: a question searches by itself.
        let (background, _) = channel();
        Ok(Recorder {
            threads: Arc::new(RecorderThreads {
                queries: Queries::new(
                    shared.clone(),
                    reader,
                    search_reader,
                    Searches::new(background),
                ),
                shared,
                threads: Mutex::default(),
            }),
            project: None,
        })
    }

    /// Starts to record one connection to a server.
    pub fn start_connection(
        &self,
        server: ServerId,
        name: &str,
        redactor: Redactor,
    ) -> ConnectionRecorder {
        let shared = &self.threads.shared;
        let connection = shared.change(|queue| {
            let connection = queue.next_connection;
            queue.next_connection += 1;
            if is_of_check(&server) {
                queue.checks.insert(connection);
            }
            shared
                .servers
                .write()
                .unwrap_or_else(PoisonError::into_inner)
                .add(
                    connection,
                    ConnectionServer {
                        id: server,
                        name: name.to_owned(),
                        project: self.project.clone().unwrap_or_default(),
                    },
                );
            connection
        });
        ConnectionRecorder::new(ConnectionId(connection), redactor, self.threads.clone())
    }

    /// Returns the state of recording, and how much is on record.
    pub fn state(&self) -> RecordingState {
        let path = self.threads.shared.options.directory.join(FILE_NAME);
        let size = ["", "-wal"]
            .iter()
            .filter_map(|suffix| {
                let mut file = path.clone().into_os_string();
                file.push(suffix);
                std::fs::metadata(file).ok()
            })
            .map(|metadata| metadata.len())
            .sum::<u64>();
        let queue = self.threads.shared.queue();
        RecordingState {
            frames: queue.frames,
            size: size.into(),
            dropped: queue.dropped,
            off: queue.off.clone(),
            path: path.to_string_lossy().into_owned(),
        }
    }

    /// Announces every change of the record, at most fifteen times a second.
    pub fn watch(&self) -> watch::Receiver<RecordRevision> {
        self.threads.shared.revision.subscribe()
    }

    /// Returns the rows that match `query`: `limit` of them, after leaving out the newest
    /// `offset_from_newest`.
    pub fn page(
        &self,
        query: &TrafficQuery,
        offset_from_newest: u32,
        limit: u32,
    ) -> Result<TrafficPage, RecordError> {
        let (queries, project) = (&self.threads.queries, self.project.as_ref());
        queries.page(query, project, offset_from_newest, limit)
    }

    /// Returns the operations of which a row matches `query`: `limit` of them, after leaving out the
    /// newest `offset_from_newest`. Calls that the query folds away are not left out.
    pub fn operations(
        &self,
        query: &TrafficQuery,
        offset_from_newest: u32,
        limit: u32,
    ) -> Result<OperationPage, RecordError> {
        let (queries, project) = (&self.threads.queries, self.project.as_ref());
        queries.operations(query, project, offset_from_newest, limit)
    }

    /// Returns a part of the timeline: the operations of which a row matches, on lanes.
    pub fn timeline(&self, query: &TimelineQuery) -> Result<Timeline, RecordError> {
        let project = self.project.as_ref();
        self.threads.queries.timeline(query, project)
    }

    /// Returns the operation on the timeline that a step leads to from another; the newest without
    /// one.
    pub fn timeline_step(
        &self,
        query: &TrafficQuery,
        from: Option<ExchangeId>,
        step: TimelineStep,
    ) -> Result<Option<TimelinePlace>, RecordError> {
        let (queries, project) = (&self.threads.queries, self.project.as_ref());
        queries.timeline_step(query, project, from, step)
    }

    /// Calls `visit` with each frame of a server, the oldest first, until it returns an error.
    pub fn frames<E: From<RecordError>>(
        &self,
        server: &ServerId,
        mut visit: impl FnMut(RecordedFrame) -> Result<(), E>,
    ) -> Result<(), E> {
        self.frames_between(server, FrameId(0), FrameId(u32::MAX), &mut visit)
    }

    /// Calls `visit` with the frames of a server from `first` to `last`, the oldest first, until
    /// it returns an error.
    pub fn frames_between<E: From<RecordError>>(
        &self,
        server: &ServerId,
        first: FrameId,
        last: FrameId,
        visit: &mut dyn FnMut(RecordedFrame) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut wants = |head: FrameHead<'_>| self.is_of(head, server);
        self.select_frames(first, last, &mut wants, visit)
    }

    /// Returns true when a frame is of a server, in the project of this handle.
    pub fn is_of(&self, head: FrameHead<'_>, server: &ServerId) -> bool {
        head.server.is(server, self.project.as_deref())
    }

    /// Calls `visit` with the frames from `first` to `last` that `wants` selects, the oldest
    /// first, until it returns an error. The texts of the others are not read.
    pub fn select_frames<E: From<RecordError>>(
        &self,
        first: FrameId,
        last: FrameId,
        wants: &mut dyn FnMut(FrameHead<'_>) -> bool,
        visit: &mut dyn FnMut(RecordedFrame) -> Result<(), E>,
    ) -> Result<(), E> {
        self.threads.queries.frames(first.0..=last.0, wants, visit)
    }

    /// Calls `visit` with each row that matches, the oldest first, until it returns an error.
    /// Rows that come meanwhile are left out, and folded calls are not. A filter with a problem
    /// selects nothing: the problem is returned instead.
    pub fn rows<E: From<RecordError>>(
        &self,
        query: &TrafficQuery,
        visit: &mut dyn FnMut(RowOfMany) -> Result<(), E>,
    ) -> Result<Option<FilterProblem>, E> {
        let queries = &self.threads.queries;
        queries.rows(query, self.project.as_ref(), visit)
    }

    /// Returns the id and the name of a connection's server, as they were then.
    pub fn server(&self, connection: ConnectionId) -> (ServerId, String) {
        let server = self.threads.shared.server(connection.0);
        (server.id, server.name)
    }

    /// Puts a bookmark with a note on a row, or without a note takes it away.
    pub fn set_bookmark(&self, id: ExchangeId, note: Option<&str>) -> Result<(), RecordError> {
        let place = self.place(id)?;
        let bookmarks = Arc::clone(&self.threads.shared.queue().bookmarks);
        let is_new = note.is_some() && !bookmarks.contains_key(&place.0);
        if is_new && bookmarks.len() >= MAX_BOOKMARKS {
            return Err(RecordError::TooManyBookmarks);
        }
        drop(bookmarks);
        if note.is_some_and(|note| note.chars().nth(MAX_NOTE_CHARACTERS).is_some()) {
            return Err(RecordError::NoteTooLong);
        }
        let note = note.map(Arc::from);
        let shared = &self.threads.shared;
        shared.ask(|done| WriterTask::Bookmark(place, note, done))
    }

    /// Removes everything from the record. Open requests of live connections are then
    /// answered by rows of their own.
    pub fn clear(&self) -> Result<(), RecordError> {
        let cleared = self.threads.shared.ask(WriterTask::Clear);
        self.forget();
        cleared
    }

    /// Removes what is on record of one server, in all its connections. What is recorded of it
    /// meanwhile may stay.
    pub fn clear_server(&self, server: &ServerId) -> Result<(), RecordError> {
        let clear = |server: ServerId| {
            let project = self.project.clone();
            let shared = &self.threads.shared;
            shared.ask(|done| WriterTask::ClearServer(server, project, done))
        };
        let cleared = clear(server.clone()).and_then(|()| clear(server.of_check()));
        self.forget();
        cleared
    }

    /// Tries to turn recording on again after it turned itself off. What is still in memory
    /// is then written; a damaged database is moved aside and kept.
    pub fn retry(&self) -> Result<(), RecordError> {
        self.threads.shared.ask(WriterTask::RetryTimer)
    }

    /// Waits until everything that was recorded before is on disk.
    pub fn flush(&self) -> Result<(), RecordError> {
        self.threads.shared.ask(WriterTask::Flush)
    }

    /// Changes how long the record is kept, and removes what that no longer allows.
    pub fn set_retention(&self, retention: Retention) {
        let shared = &self.threads.shared;
        shared.change(|queue| queue.tasks.push_back(WriterTask::Retain(retention)));
    }

    /// Makes the writer panic.
    #[cfg(test)]
    pub(crate) fn panic(&self) {
        let shared = &self.threads.shared;
        shared.change(|queue| queue.tasks.push_back(WriterTask::Panic));
    }

    /// Writes what is queued and stops. What is recorded afterwards stays in memory only.
    pub fn close(&self) {
        self.threads.close();
    }
}

impl Deref for Recorder {
    type Target = Queries;

    fn deref(&self) -> &Queries {
        &self.threads.queries
    }
}

fn named(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(name.to_owned())
}

/// Publishes the revision whenever it changed, until the recorder closes.
fn announce(shared: &SharedRecord) {
    let mut announced = RecordRevision::default();
    loop {
        let current = {
            let mut queue = shared.queue();
            loop {
                let current = RecordRevision {
                    frames: queue.frames,
                    revision: queue.revision,
                };
                if current != announced {
                    break current;
                }
                if queue.stopping {
                    return;
                }
                queue.announcer_waits = true;
                queue = shared
                    .changed
                    .wait(queue)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        };
        announced = current;
        shared.revision.send_replace(current);
        // A sleep would hold up the end of every program that records, the command line among
        // them, for as long.
        let queue = shared.queue();
        drop(
            shared
                .changed
                .wait_timeout_while(queue, ANNOUNCEMENT_INTERVAL, |queue| !queue.stopping)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }
}
