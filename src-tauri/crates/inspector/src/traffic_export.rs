//! Exports the record of one server as lines of JSON.
//!
//! The first line says what the file is. Each other line is one frame, in the order of the wire:
//!
//! | member | meaning |
//! |---|---|
//! | `v` | version of the format, 1 |
//! | `seq` | number of the frame; they only count up |
//! | `conn` | number of the connection |
//! | `ts` | milliseconds since 1970 |
//! | `dir` | `c2s` or `s2c` for what crossed the wire, `stderr`, `meta` for phases and remarks |
//! | `kind` | kind of the row: `request`, `notification`, `log`, `http`, `oauth`, `stderr`, `phase` |
//! | `carrier` | frame of the HTTP request that carried it |
//! | `method` | JSON-RPC method, phase, or first line of the HTTP request |
//! | `masked` | true when secrets were masked |
//! | `raw` | the text as it was, but for secrets; absent where it was not recorded |

use std::{
    io::{self, BufWriter, Write as _},
    path::Path,
};

use serde::Serialize;
use serde_json::json;
use sightglass_model::{ServerId, Timestamp};
use sightglass_traffic::{Direction, ExchangeKind, RecordedFrame};

use crate::{Inspector, InspectorError};

/// Version of the format.
const VERSION: u8 = 1;

#[derive(Serialize)]
struct Line {
    v: u8,
    seq: u32,
    conn: u32,
    ts: f64,
    dir: &'static str,
    kind: ExchangeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    carrier: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    method: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    masked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
}

impl From<RecordedFrame> for Line {
    fn from(frame: RecordedFrame) -> Self {
        let dir = match (frame.kind, frame.direction) {
            (ExchangeKind::Phase, _) => "meta",
            (ExchangeKind::Stderr, _) => "stderr",
            (_, Direction::Sent) => "c2s",
            (_, Direction::Received) => "s2c",
        };
        Self {
            v: VERSION,
            seq: frame.frame.0,
            conn: frame.connection.0,
            ts: frame.at.as_millis(),
            dir,
            kind: frame.kind,
            carrier: frame.carrier.map(|carrier| carrier.0),
            method: frame.method,
            masked: frame.redacted,
            raw: frame
                .payload
                .map(|payload| String::from_utf8_lossy(&payload).into_owned()),
        }
    }
}

impl Inspector {
    /// Removes what is on record of one server.
    ///
    /// # Errors
    /// When the record cannot be changed.
    pub async fn clear_server_traffic(&self, server: &ServerId) -> Result<(), InspectorError> {
        let server = server.clone();
        self.blocking(move |recorder| Ok(recorder.clear_server(&server)?))
            .await
    }

    /// Writes what is on record of one server to a file. Returns the number of frames. A file that
    /// is there is replaced once the new one is whole.
    ///
    /// # Errors
    /// When the record cannot be read, or the file cannot be written.
    pub async fn export_server_traffic(
        &self,
        server: &ServerId,
        name: &str,
        path: &Path,
    ) -> Result<u32, InspectorError> {
        let (server, path) = (server.clone(), path.to_owned());
        let head = json!({
            "v": VERSION,
            "dir": "meta",
            "application": format!("sightglass {}", env!("CARGO_PKG_VERSION")),
            "server": { "id": server, "name": name },
            "project": self.options.places.project,
            "ts": Timestamp::now().as_millis(),
        });
        self.blocking(move |recorder| {
            let failed = |source: io::Error| InspectorError::Save {
                what: path.display().to_string(),
                source,
            };
            let directory = path.parent().unwrap_or(Path::new("."));
            // Readable by its owner alone, as the record is.
            let temporary = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
            let mut file = BufWriter::new(temporary);
            writeln!(file, "{head}").map_err(failed)?;
            let mut count = 0;
            recorder.frames(&server, |frame| {
                serde_json::to_writer(&mut file, &Line::from(frame))
                    .map_err(|error| failed(error.into()))?;
                file.write_all(b"\n").map_err(failed)?;
                count += 1;
                Ok::<_, InspectorError>(())
            })?;
            let temporary = file
                .into_inner()
                .map_err(|error| failed(error.into_error()))?;
            temporary.as_file().sync_all().map_err(failed)?;
            temporary
                .persist(&path)
                .map_err(|error| failed(error.error))?;
            Ok(count)
        })
        .await
    }
}
