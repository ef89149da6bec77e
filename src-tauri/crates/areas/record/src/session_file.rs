//! Reads session files as they are, without a record of them: to check, to serve, and to compare.

use std::{collections::HashMap, fs::File, io::BufReader, path::Path};

use sightglass_area_calls::schema;
use sightglass_area_core::error::InspectorError;
use sightglass_model::ConnectionId;
use sightglass_session_file::{
    SessionEntry, SessionReader, SessionServer, SurfaceBuilder,
    checks::{Checker, SessionReport},
    mock::{Mock, MockBuilder},
};
use sightglass_surface::Surface;
use sightglass_traffic::RecordedFrame;

/// Remarks on a file that are kept.
pub const MAX_REMARKS: usize = 100;

/// Connections of a file whose servers are remembered.
pub const MAX_CONNECTIONS: usize = 10_000;

/// Names of servers that an error lists.
const MAX_NAMES: usize = 20;

/// Bytes that are read from the file at once.
const READ_BUFFER_BYTES: usize = 1 << 20;

/// A session file that is being read, and what is wrong with it so far.
pub struct SessionFile {
    pub reader: SessionReader<BufReader<File>>,
    pub size: u64,
    pub remarks: Vec<String>,
    pub more_remarks: u32,
    servers: HashMap<ConnectionId, SessionServer>,
    last_number: Option<u32>,
    told_of_numbers: bool,
    frames: u32,
    has_end: bool,
}

/// Next part of a file.
pub enum Next {
    /// A frame, and the server of its connection.
    Frame(RecordedFrame, SessionServer),
    /// Another session begins: numbers start anew.
    Anew,
}

impl SessionFile {
    /// Opens a regular file and reads its first line.
    pub fn open(path: &Path) -> Result<Self, InspectorError> {
        let file = sightglass_files::open_regular(path)
            .map_err(|error| failed(path, error.to_string()))?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        let reader = SessionReader::new(BufReader::with_capacity(READ_BUFFER_BYTES, file))
            .map_err(|error| failed(path, error.to_string()))?;
        Ok(Self {
            reader,
            size,
            remarks: Vec::new(),
            more_remarks: 0,
            servers: HashMap::new(),
            last_number: None,
            told_of_numbers: false,
            frames: 0,
            has_end: false,
        })
    }

    /// Reads up to the next frame; `None` at the end.
    ///
    /// # Errors
    /// When the file cannot be read on: the reason.
    pub fn next_item(&mut self) -> Result<Option<Next>, String> {
        loop {
            let entry = self.reader.next().map_err(|error| error.to_string())?;
            let Some(entry) = entry else {
                self.ended();
                return Ok(None);
            };
            match entry {
                SessionEntry::Frame(frame) => {
                    if let Some(next) = self.frame(frame) {
                        return Ok(Some(next));
                    }
                }
                SessionEntry::Head(_) => {
                    self.ended();
                    self.servers.clear();
                    self.last_number = None;
                    self.frames = 0;
                    self.has_end = false;
                    return Ok(Some(Next::Anew));
                }
                SessionEntry::Connection { connection, server } => {
                    if self.servers.len() < MAX_CONNECTIONS {
                        self.servers.insert(connection, server);
                    }
                }
                SessionEntry::MissingFrames(count) => {
                    self.remark(format!(
                        "{count} frames were not recorded before line {}.",
                        self.reader.line_number()
                    ));
                }
                SessionEntry::End { frames } => {
                    self.has_end = true;
                    if frames != self.frames {
                        self.remark(format!(
                            "The file says that it has {frames} frames, and {} were read.",
                            self.frames
                        ));
                    }
                }
                SessionEntry::Unreadable(unreadable) => self.remark(format!(
                    "Line {} was left out: {}.",
                    unreadable.line, unreadable.reason
                )),
            }
        }
    }

    fn frame(&mut self, frame: RecordedFrame) -> Option<Next> {
        let known = self.servers.contains_key(&frame.connection);
        if !known && self.servers.len() >= MAX_CONNECTIONS {
            self.remark(format!(
                "Line {} was left out: the file has too many connections.",
                self.reader.line_number()
            ));
            return None;
        }
        let goes_on = self.last_number.is_none_or(|last| frame.frame.0 > last);
        if !goes_on && !self.told_of_numbers {
            self.told_of_numbers = true;
            self.remark(format!(
                "The numbers of frames repeat or go back, for the first time in line {}.",
                self.reader.line_number()
            ));
        }
        self.last_number = Some(frame.frame.0);
        self.frames = self.frames.saturating_add(1);
        let only = self.reader.only_server().cloned();
        let server = self.servers.entry(frame.connection).or_insert_with(|| {
            only.unwrap_or_else(|| SessionServer {
                id: "unnamed".to_owned(),
                name: "unnamed".to_owned(),
            })
        });
        Some(Next::Frame(frame, server.clone()))
    }

    /// Ends the session, and remarks on a file that was cut off.
    fn ended(&mut self) {
        // Version 1 has no last line.
        if !self.has_end && self.reader.head().version > 1 {
            self.remark(format!(
                "The file was cut off: it ends after line {} without its last line.",
                self.reader.line_number().saturating_sub(1)
            ));
        }
    }

    fn remark(&mut self, remark: String) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push(remark);
        } else {
            self.more_remarks = self.more_remarks.saturating_add(1);
        }
    }
}

/// Checks a session file. Blocks on the disk.
pub fn check_session_file(path: &Path) -> Result<SessionReport, InspectorError> {
    let mut file = SessionFile::open(path)?;
    let mut checker = Checker::new(schema::problem);
    let mut frames = 0_u32;
    let mut reports = Vec::new();
    let stopped = loop {
        match file.next_item() {
            Ok(Some(Next::Frame(frame, _))) => {
                frames = frames.saturating_add(1);
                checker.frame(&frame);
            }
            Ok(Some(Next::Anew)) => {
                let finished = std::mem::replace(&mut checker, Checker::new(schema::problem));
                reports.push(finished.finish());
            }
            Ok(None) => break None,
            Err(reason) => break Some(format!("The file could not be read on: {reason}.")),
        }
    };
    for remark in file.remarks.into_iter().chain(stopped) {
        checker.incomplete(remark);
    }
    let mut report = checker.finish();
    report.left_out = report.left_out.saturating_add(file.more_remarks);
    for earlier in reports.into_iter().rev() {
        report.left_out = report.left_out.saturating_add(earlier.left_out);
        report.findings.splice(0..0, earlier.findings);
    }
    report.frames = frames;
    Ok(report)
}

/// Reads what the server of a session file showed of itself. Of a file with several servers `server`
/// names one; a file with one server takes that one, so that two files can be compared by one name.
/// Returns the names of its servers as well. Blocks on the disk.
pub fn session_surface(
    path: &Path,
    server: Option<&str>,
) -> Result<(Surface, Vec<String>), InspectorError> {
    let read = |server: Option<&str>| -> Result<(Surface, Vec<String>), InspectorError> {
        let mut builder = SurfaceBuilder::default();
        let names = of_one_server(path, server, |frame| {
            builder.frame(frame);
            Ok::<_, std::convert::Infallible>(())
        })?;
        Ok((builder.finish(), names))
    };
    match (read(None), server) {
        (Err(InspectorError::SeveralRecorded { .. }), Some(_)) => read(server),
        (surface, _) => surface,
    }
}

/// Reads a session file as a server that answers as it did. Of a file with several servers `server`
/// names one. Blocks on the disk.
pub fn read_mock(
    path: &Path,
    server: Option<&str>,
    allow_masked: bool,
) -> Result<Mock, InspectorError> {
    let mut builder = MockBuilder::default();
    of_one_server(path, server, |frame| builder.frame(frame))?;
    builder
        .finish(allow_masked)
        .map_err(|error| failed(path, error.to_string()))
}

/// Calls `visit` with the frames of one server. Returns the names of all servers of the file.
pub fn of_one_server<E: std::fmt::Display>(
    path: &Path,
    server: Option<&str>,
    mut visit: impl FnMut(&RecordedFrame) -> Result<(), E>,
) -> Result<Vec<String>, InspectorError> {
    let mut file = SessionFile::open(path)?;
    let mut names: Vec<String> = Vec::new();
    while let Some(next) = file.next_item().map_err(|reason| failed(path, reason))? {
        let Next::Frame(frame, of) = next else {
            continue;
        };
        if !names.contains(&of.name) && names.len() < MAX_NAMES {
            names.push(of.name.clone());
        }
        if server.is_none_or(|server| server == of.name) {
            visit(&frame).map_err(|error| failed(path, error.to_string()))?;
        }
    }
    match server {
        Some(server) if !names.iter().any(|name| name == server) => Err(failed(
            path,
            format!(
                "it has no server named {server}. It has {}",
                names.join(", ")
            ),
        )),
        None if names.len() > 1 => Err(InspectorError::SeveralRecorded {
            path: path.display().to_string(),
            names,
        }),
        _ => Ok(names),
    }
}

fn failed(path: &Path, reason: String) -> InspectorError {
    InspectorError::SessionFile {
        path: path.display().to_string(),
        reason,
    }
}
