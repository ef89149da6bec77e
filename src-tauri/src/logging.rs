//! Logs to stderr, and to a file in the data directory.
//!
//! Only what [`may_be_logged`] is: messages and their headers are in the record, masked, and in no
//! log. The file is rotated by size, so that a fault that repeats itself fills no disk.

use std::{
    env,
    fs::OpenOptions,
    path::{Path, PathBuf},
    sync::Mutex,
};

use file_rotate::{ContentLimit, FileRotate, compression::Compression, suffix::AppendCount};
use sightglass_files::create_private_directory;
use sightglass_inspector::may_be_logged;
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    filter::{FilterExt, filter_fn},
    fmt,
    layer::SubscriberExt,
    reload,
    util::SubscriberInitExt,
};

/// A file that is larger is put aside.
const MAX_LOG_BYTES: usize = 2 << 20;

/// Number of files that are kept beside the present one.
const KEPT_LOGS: usize = 4;

type FileLayer = Option<Box<dyn Layer<Registry> + Send + Sync>>;

/// Log of the application, which has a file once the data directory is known.
pub(crate) struct Log(reload::Handle<FileLayer, Registry>);

/// Logs what `SIGHTGLASS_LOG` asks for to stderr; by default warnings.
pub(crate) fn start() -> Log {
    let (file, handle) = reload::Layer::new(None);
    let stderr = fmt::layer().with_writer(std::io::stderr);
    let wanted = EnvFilter::new(wanted("warn")).and(filter_fn(may_be_logged));
    tracing_subscriber::registry()
        .with(file)
        .with(stderr.with_filter(wanted))
        .init();
    Log(handle)
}

impl Log {
    /// Logs to a file of the data directory as well: warnings, and what the application itself
    /// tells of its work.
    pub(crate) fn keep_in(&self, data_directory: &Path) {
        let file = file(data_directory);
        let directory = file.parent().unwrap_or(data_directory);
        if let Err(error) = create_private_directory(directory) {
            tracing::warn!("there is no log file: {}: {error}", directory.display());
            return;
        }
        let rotated = FileRotate::new(
            &file,
            AppendCount::new(KEPT_LOGS),
            ContentLimit::BytesSurpassed(MAX_LOG_BYTES),
            Compression::None,
            Some(open_options()),
        );
        let wanted = EnvFilter::new(wanted("warn,sightglass=info")).and(filter_fn(may_be_logged));
        let layer = fmt::layer()
            .with_ansi(false)
            .with_writer(Mutex::new(rotated))
            .with_filter(wanted);
        let layer: Box<dyn Layer<Registry> + Send + Sync> = Box::new(layer);
        match self.0.reload(Some(layer)) {
            Ok(()) => tracing::info!(
                "Sightglass {} on {} {}",
                env!("CARGO_PKG_VERSION"),
                env::consts::OS,
                env::consts::ARCH,
            ),
            Err(error) => tracing::warn!("there is no log file: {error}"),
        }
    }
}

/// Returns the path of the log file.
pub(crate) fn file(data_directory: &Path) -> PathBuf {
    data_directory.join("log").join("sightglass.log")
}

fn wanted(default: &str) -> String {
    env::var("SIGHTGLASS_LOG").unwrap_or_else(|_| default.to_owned())
}

/// Readable by its owner alone.
fn open_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
