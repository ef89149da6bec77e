//! Opens session files as read-only connections: each on a record of its own, in a temporary
//! directory that goes when the session is closed.
//!
//! The file is a stranger. It is read in the background, line by line, into its own record; nothing
//! of it mixes with the record of this program, and nothing in it runs.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use sightglass_area_calls::schema;
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    persistence::Persistence,
    record_queries::RecordQueries,
    view::{Fact, RecordedServer, SessionId, SessionState, SessionView},
};
use sightglass_model::{ConnectionId, ExchangeId, FrameId, ServerId, command_line, lock};
use sightglass_secrets::Redactor;
use sightglass_session_file::{
    SessionServer,
    checks::{Checker, SessionReport},
};
use sightglass_traffic::{
    Direction, MAX_NOTE_CHARACTERS, RecordedFrame, Recorder, RecorderOptions, RestoredConnection,
    RestoredFrames, Retention, SESSION_FILE,
};
use tempfile::TempDir;

use crate::session_file::{Next, SessionFile};

/// Sessions that are open at the same time.
const MAX_SESSIONS: usize = 16;
/// Bytes of frames that wait to be written.
const QUEUE_BYTES: usize = 16 << 20;
/// Frames that carry others and are remembered.
const MAX_CARRIERS: usize = 1 << 21;
/// Bookmarks that are taken over from a file.
const MAX_BOOKMARKS: u32 = 1_000;
/// Names of servers in a view.
const MAX_SERVERS: usize = 100;
/// Time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// Frames between two looks at the clock and at the disk.
const FRAMES_PER_LOOK: u32 = 512;

/// The opened sessions.
#[derive(Default)]
pub struct OpenSessions {
    open: Mutex<Vec<Arc<OpenSession>>>,
    number: AtomicU32,
}

struct OpenSession {
    id: SessionId,
    recorder: Recorder,
    home: Mutex<Option<TempDir>>,
    is_closing: AtomicBool,
    view: Mutex<SessionView>,
}

/// Opens session files as read-only connections.
pub struct SessionFiles {
    pub(crate) core: Arc<Core>,
    pub open: OpenSessions,
    /// For work that goes on in the background.
    pub(crate) this: Weak<SessionFiles>,
}

#[commands]
impl SessionFiles {
    /// Opens a session file. Its rows come in the background.
    #[command]
    pub async fn open_session(&self, path: &Path) -> Result<SessionView, InspectorError> {
        if lock(&self.open.open).len() >= MAX_SESSIONS {
            return Err(InspectorError::InvalidInput(format!(
                "{MAX_SESSIONS} session files are open. Close one first."
            )));
        }
        let id = SessionId(self.open.number.fetch_add(1, Ordering::Relaxed) + 1);
        let path = path.to_owned();
        let home = self.session_home();
        let opened = tokio::task::spawn_blocking(move || opened(id, &path, home.as_deref()));
        let (file, session) = opened.await.map_err(|_| InspectorError::Closing)??;
        let session = Arc::new(session);
        lock(&self.open.open).push(Arc::clone(&session));
        let view = lock(&session.view).clone();
        self.publish_sessions();
        let (this, runtime) = (self.this.clone(), tokio::runtime::Handle::current());
        tokio::task::spawn_blocking(move || {
            let progress = || {
                if let Some(this) = this.upgrade() {
                    this.publish_sessions();
                }
            };
            runtime.block_on(load(&session, file, &progress));
            if session.is_closing.load(Ordering::Relaxed) {
                session.leave();
            }
        });
        Ok(view)
    }

    /// The opened sessions, in the order in which they were opened.
    #[command(name = "list_sessions")]
    pub fn sessions(&self) -> Vec<SessionView> {
        let open = lock(&self.open.open);
        open.iter()
            .map(|session| lock(&session.view).clone())
            .collect()
    }

    /// Closes a session and deletes its record. One that is not open is no error.
    #[command]
    pub async fn close_session(&self, id: SessionId) {
        let closed = {
            let mut open = lock(&self.open.open);
            let place = open.iter().position(|session| session.id == id);
            place.map(|place| open.remove(place))
        };
        if let Some(session) = closed {
            session.close().await;
            self.publish_sessions();
        }
    }

    pub async fn close_sessions(&self) {
        let open = std::mem::take(&mut *lock(&self.open.open));
        for session in open {
            session.close().await;
        }
    }

    /// Queries of the record of a session.
    pub fn session_record(&self, id: SessionId) -> Result<RecordQueries, InspectorError> {
        let open = lock(&self.open.open);
        let session = open.iter().find(|session| session.id == id);
        session
            .map(|session| RecordQueries::new(session.recorder.clone()))
            .ok_or_else(not_open)
    }

    /// Reads the frames of a recorded server, from the session's record: what is compared or sent
    /// is what the window shows of it, whatever became of the file since.
    pub async fn read_recorded<B: Send + 'static>(
        &self,
        recorded: &RecordedServer,
        mut builder: B,
        add: fn(&mut B, &RecordedFrame),
    ) -> Result<B, InspectorError> {
        let record = self.session_record(recorded.session)?;
        let mut sessions = self.sessions().into_iter();
        let view = sessions.find(|view| view.id == recorded.session);
        let view = view.ok_or_else(not_open)?;
        let wanted = wanted_server(&view, recorded.name.as_deref())?;
        record
            .blocking(move |recorder| {
                recorder.select_frames(
                    FrameId(0),
                    FrameId(u32::MAX),
                    &mut |head| head.server_name() == wanted,
                    &mut |frame| {
                        add(&mut builder, &frame);
                        Ok::<_, InspectorError>(())
                    },
                )?;
                Ok(builder)
            })
            .await
    }

    /// Checks the frames of a session that were read so far, or of this program's own record.
    #[command]
    pub async fn check_session(
        &self,
        id: Option<SessionId>,
    ) -> Result<SessionReport, InspectorError> {
        let (record, view) = match id {
            Some(id) => {
                let view = self.sessions().into_iter().find(|session| session.id == id);
                (self.session_record(id)?, view)
            }
            None => (self.core.record(), None),
        };
        record
            .blocking(move |recorder| {
                let mut checker = Checker::new(schema::problem);
                recorder.select_frames(
                    FrameId(0),
                    FrameId(u32::MAX),
                    &mut |_| true,
                    &mut |frame| {
                        checker.frame(&frame);
                        Ok::<_, InspectorError>(())
                    },
                )?;
                for remark in view.into_iter().flat_map(|view| view.remarks) {
                    checker.incomplete(remark);
                }
                Ok(checker.finish())
            })
            .await
    }

    /// Returns the directory for the records of sessions; `None` for the system's temporary files.
    fn session_home(&self) -> Option<PathBuf> {
        let keeps = self.core.options.persistence == Persistence::Everything;
        keeps.then(|| self.core.data.session_directory())
    }

    /// Deletes what a run before left behind when it was killed.
    pub fn clear_left_sessions(&self) {
        if let Some(left) = self.session_home() {
            // What cannot be deleted now is tried again at the next start.
            let _ = std::fs::remove_dir_all(left);
        }
    }

    fn publish_sessions(&self) {
        self.core.publisher.publish(Fact::Sessions {
            sessions: self.sessions(),
        });
    }
}

impl OpenSession {
    async fn close(self: Arc<Self>) {
        self.is_closing.store(true, Ordering::Relaxed);
        // What cannot be removed lies among the system's temporary files, which it tidies.
        let _ = tokio::task::spawn_blocking(move || self.leave()).await;
    }

    /// Closes the record and deletes it.
    fn leave(&self) {
        self.recorder.close();
        if let Some(home) = lock(&self.home).take() {
            let _ = home.close();
        }
    }
}

/// Returns the name of the server that is meant: the only one, where none is named.
fn wanted_server(view: &SessionView, name: Option<&str>) -> Result<String, InspectorError> {
    let refused = |reason: String| Err(InspectorError::InvalidInput(reason));
    if matches!(view.state, SessionState::Loading) {
        return refused(format!(
            "{} is still being read. Try again then.",
            view.name
        ));
    }
    match (name, view.servers.as_slice()) {
        (Some(name), _) => Ok(name.to_owned()),
        (None, [only]) => Ok(only.clone()),
        (None, []) => refused(format!("{} has no server.", view.name)),
        (None, _) => refused(format!("{} has several servers. Choose one.", view.name)),
    }
}

fn not_open() -> InspectorError {
    InspectorError::InvalidInput("This session file is not open any more.".to_owned())
}

/// Opens the file and an empty record for it, in a new directory inside of `directory`.
fn opened(
    id: SessionId,
    path: &Path,
    directory: Option<&Path>,
) -> Result<(SessionFile, OpenSession), InspectorError> {
    let file = SessionFile::open(path)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix("sightglass-session-");
    let home = match directory {
        Some(directory) => sightglass_files::create_private_directory(directory)
            .and_then(|()| builder.tempdir_in(directory)),
        None => builder.tempdir(),
    };
    let home = home.map_err(|source| InspectorError::Save {
        what: format!("The record of {}", path.display()),
        source,
    })?;
    let recorder = Recorder::open(RecorderOptions {
        // What is in the file stays, however old it is.
        retention: Retention {
            days: u32::MAX,
            mebibytes: u32::MAX,
        },
        queue_bytes: QUEUE_BYTES,
        ..RecorderOptions::in_directory(home.path())
    });
    let head = file.reader.head();
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let view = SessionView {
        id,
        name: name.unwrap_or_else(|| path.display().to_string()),
        path: path.display().to_string(),
        application: head.application.clone(),
        version: head.version,
        written_at: head.written_at,
        state: SessionState::Loading,
        size: file.size.into(),
        read: 0_u64.into(),
        frames: 0,
        servers: Vec::new(),
        is_masked: false,
        remarks: Vec::new(),
        more_remarks: 0,
        mock_command: command_line(["sightglass-cli", "mock", &path.display().to_string()]),
    };
    let session = OpenSession {
        id,
        recorder,
        home: Mutex::new(Some(home)),
        is_closing: AtomicBool::new(false),
        view: Mutex::new(view),
    };
    Ok((file, session))
}

/// Reads the file into the record.
async fn load(session: &OpenSession, mut file: SessionFile, progress: &dyn Fn()) {
    let mut connections: HashMap<ConnectionId, RestoredConnection> = HashMap::new();
    let mut carriers = RestoredFrames::new();
    let mut told = Instant::now();
    let mut frames = 0_u32;
    let mut bookmarks = 0;
    let state = loop {
        if session.is_closing.load(Ordering::Relaxed) {
            return;
        }
        let (frame, server) = match file.next_item() {
            Ok(Some(Next::Frame(frame, server))) => (frame, server),
            Ok(Some(Next::Anew)) => {
                connections
                    .drain()
                    .for_each(|(_, connection)| connection.ended());
                carriers.clear();
                continue;
            }
            Ok(None) => break SessionState::Loaded,
            Err(reason) => {
                break SessionState::Stopped {
                    reason: format!("The file could not be read on: {reason}."),
                };
            }
        };
        let connection = connections.entry(frame.connection).or_insert_with(|| {
            session.learn(&server.name);
            restored(&session.recorder, &server)
        });
        if frame.redacted {
            lock(&session.view).is_masked = true;
        }
        let number = frame.frame;
        let may_carry = frame.direction == Direction::Sent;
        let carrier = frame
            .carrier
            .and_then(|carrier| carriers.get(&carrier).copied());
        let bookmark = frame.bookmark.clone();
        let here = connection.frame(frame, carrier).await;
        if let Some(note) = bookmark.filter(|_| bookmarks < MAX_BOOKMARKS) {
            bookmarks += 1;
            bookmark_here(&session.recorder, here, note).await;
        }
        if may_carry && carriers.len() < MAX_CARRIERS {
            carriers.insert(number, here);
        }
        frames = frames.saturating_add(1);
        if !frames.is_multiple_of(FRAMES_PER_LOOK) || told.elapsed() < PROGRESS_INTERVAL {
            continue;
        }
        told = Instant::now();
        if let Some(reason) = session.recorder.state().off {
            break SessionState::Stopped {
                reason: format!("Not all of the file is here. {reason}"),
            };
        }
        session.report(&file, frames, SessionState::Loading);
        progress();
    };
    connections
        .drain()
        .for_each(|(_, connection)| connection.ended());
    let state = match session.recorder.flush() {
        Err(error) if !session.is_closing.load(Ordering::Relaxed) => SessionState::Stopped {
            reason: format!("Not all of the file is here: {error}."),
        },
        _ => state,
    };
    session.report(&file, frames, state);
    progress();
}

/// Puts a bookmark of the file on the row that a frame starts; one that starts none has none.
async fn bookmark_here(recorder: &Recorder, frame: FrameId, note: String) {
    let recorder = recorder.clone();
    let note: String = note.chars().take(MAX_NOTE_CHARACTERS).collect();
    let set = move || recorder.set_bookmark(ExchangeId(frame.0), Some(&note));
    // Nothing but the bookmark is missing where it cannot be set.
    let _ = tokio::task::spawn_blocking(set).await;
}

/// Begins a connection on the session's record. Its server is none of this program's.
fn restored(recorder: &Recorder, server: &SessionServer) -> RestoredConnection {
    let id = ServerId::new(SESSION_FILE, &server.id);
    RestoredConnection::new(recorder.start_connection(id, &server.name, Redactor::default()))
}

impl OpenSession {
    fn learn(&self, server: &str) {
        let mut view = lock(&self.view);
        if view.servers.len() < MAX_SERVERS && !view.servers.iter().any(|name| name == server) {
            view.servers.push(server.to_owned());
        }
    }

    fn report(&self, file: &SessionFile, frames: u32, state: SessionState) {
        let mut view = lock(&self.view);
        view.read = file.reader.bytes_read().into();
        view.frames = frames;
        view.remarks.clone_from(&file.remarks);
        view.more_remarks = file.more_remarks;
        view.state = state;
    }
}
