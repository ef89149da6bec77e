//! Logs to stderr, and to a file in the data directory.
//!
//! Only what [`may_be_logged`] is: messages and their headers are in the record, masked, and in no
//! log. The file is rotated by size, so that a fault that repeats itself fills no disk.

use std::{
    env,
    fs::OpenOptions,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use file_rotate::{ContentLimit, FileRotate, compression::Compression, suffix::AppendCount};
use sightglass_files::create_private_directory;
use sightglass_inspector::{log_fields, may_be_logged};
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, filter_fn},
    fmt::{self, MakeWriter},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

/// A file that is larger is put aside.
const MAX_LOG_BYTES: usize = 2 << 20;

/// Number of files that are kept beside the present one.
const KEPT_LOGS: usize = 4;

/// Log of the application, which has a file once the data directory is known.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<OnceLock<Mutex<FileRotate<AppendCount>>>>);

/// Logs to stderr, by default warnings; and to the file once there is one, by default what the
/// application tells of its work as well. `SIGHTGLASS_LOG` asks both for something else.
pub(crate) fn start() -> Log {
    let log = Log::default();
    let stderr = fmt::layer()
        .fmt_fields(log_fields())
        .with_writer(io::stderr);
    let to_stderr = EnvFilter::new(wanted("warn")).and(filter_fn(may_be_logged));
    let file = fmt::layer()
        .fmt_fields(log_fields())
        .with_ansi(false)
        .with_writer(log.clone());
    let to_file = EnvFilter::new(wanted("warn,sightglass=info")).and(filter_fn(may_be_logged));
    tracing_subscriber::registry()
        .with(stderr.with_filter(to_stderr))
        .with(file.with_filter(to_file))
        .init();
    log
}

impl Log {
    /// Logs to a file of the data directory from now on.
    pub(crate) fn keep_in(&self, data_directory: &Path) {
        let file = file(data_directory);
        let directory = file.parent().unwrap_or(data_directory);
        if let Err(error) = create_private_directory(directory) {
            tracing::warn!("there is no log file: {}: {error}", directory.display());
            return;
        }
        self.0.get_or_init(|| {
            Mutex::new(FileRotate::new(
                &file,
                AppendCount::new(KEPT_LOGS),
                ContentLimit::BytesSurpassed(MAX_LOG_BYTES),
                Compression::None,
                Some(open_options()),
            ))
        });
        tracing::info!(
            "Sightglass {} on {} {}",
            env!("CARGO_PKG_VERSION"),
            env::consts::OS,
            env::consts::ARCH,
        );
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = LogWriter<'a>;

    fn make_writer(&'a self) -> LogWriter<'a> {
        let file = self.0.get();
        LogWriter(file.map(|file| file.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Writes one event to the file, where there is one.
pub(crate) struct LogWriter<'a>(Option<MutexGuard<'a, FileRotate<AppendCount>>>);

impl Write for LogWriter<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Some(file) => file.write(text),
            None => Ok(text.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |file| file.flush())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_grows_is_put_aside_and_the_oldest_are_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let log = Log::default();
        log.make_writer()
            .write_all(b"before there is a file")
            .expect("dropped");
        log.keep_in(directory.path());
        let line = [b'x'; 1 << 20];
        for _ in 0..20 {
            log.make_writer().write_all(&line).expect("written");
        }
        let file = file(directory.path());
        let kept = std::fs::read_dir(file.parent().expect("its directory")).expect("readable");
        let sizes: Vec<u64> = kept
            .map(|entry| {
                entry
                    .and_then(|entry| entry.metadata())
                    .expect("there")
                    .len()
            })
            .collect();
        assert_eq!(sizes.len(), KEPT_LOGS + 1);
        assert!(sizes.iter().all(|size| *size <= 4 << 20), "{sizes:?}");
    }
}
