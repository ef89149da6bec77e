//! Exports recorded traffic: rows, a connection, a server or everything, in each of the formats.
//!
//! A preview is the export itself, written to nowhere: what it counts is what a file then holds,
//! since both end with the same row. Everything passes [`Masking`], and the write is whole or not
//! at all.

mod collector;
mod destination;
mod job;
mod masking;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    jobs::{Job, Jobs},
    persistence::Persistence,
    record_queries::RecordQueries,
    view::{ExportFormat, ExportPreview, ExportProgress, ExportReport, TrafficExport},
};
use sightglass_area_servers::{configuration::Configuration, sign_in_target::SignInTargets};
use sightglass_model::{ServerId, lock};
use sightglass_secrets::{Redactor, Secret};
use sightglass_traffic::Recorder;
use tokio_util::sync::DropGuard;

use destination::{Counted, failed_at, write_file};
use job::{Counts, ExportJob};
use masking::Masking;

/// Interval at which progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Characters of the name of a file.
const MAX_NAME: usize = 60;

/// Inputs of an export besides the record, to be moved to a thread of its own.
struct Order {
    recorder: Recorder,
    export: TrafficExport,
    redactor: Redactor,
    job: Job<u32, ExportProgress>,
}

impl Order {
    /// Returns a guard that stops the export when it is dropped: its caller may give up.
    fn stop_on_drop(&self) -> DropGuard {
        self.job.stop.clone().drop_guard()
    }

    /// Runs the export. `failed` makes an error of what the writer says.
    fn run<T>(
        &self,
        failed: &dyn Fn(io::Error) -> InspectorError,
        work: impl FnOnce(&mut ExportJob<'_>) -> Result<T, InspectorError>,
    ) -> Result<(T, Counts, Masking), InspectorError> {
        let mut told = Instant::now();
        let mut tell = |done, of| {
            if told.elapsed() >= PROGRESS_INTERVAL {
                told = Instant::now();
                let run = self.job.key;
                self.job.report(ExportProgress { run, done, of });
            }
        };
        let mut job = ExportJob {
            recorder: &self.recorder,
            export: &self.export,
            masking: Masking::new(self.redactor.clone(), self.export.texts),
            cancel: &self.job.stop,
            tell: &mut tell,
            failed,
            counts: Counts::default(),
        };
        let result = work(&mut job)?;
        Ok((result, job.counts, job.masking))
    }
}

/// Exports recorded traffic.
pub struct TrafficExports {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) sign_in_targets: Arc<SignInTargets>,
    pub(crate) jobs: Arc<Jobs<u32, ExportProgress>>,
}

#[commands]
impl TrafficExports {
    /// Returns what an export would hold, and what is masked in it. `run` is a number by which it
    /// is stopped, and whose progress is told.
    ///
    /// # Errors
    /// When the record cannot be read, the filter has a mistake, or the export is stopped.
    #[command]
    pub async fn preview_export(
        &self,
        exported: TrafficExport,
        run: u32,
    ) -> Result<ExportPreview, InspectorError> {
        let order = self.order(exported, run)?;
        let _stop = order.stop_on_drop();
        self.core
            .blocking(move |_| {
                let failed = |error| failed_at(Path::new("The preview"), error);
                let (counted, counts, masking) =
                    order.run(&failed, |job| job.write(Counted::new(io::sink())))?;
                let (masked_before, masked_now) = masking.into_places();
                let operations = order.recorder.operations_of(&counts.frames)?;
                Ok(ExportPreview {
                    rows: counts.rows,
                    operations,
                    items: counts.items,
                    size: counted.size.into(),
                    until: order.export.until.or(counts.newest),
                    left_out: counts.left_out,
                    masked_before,
                    masked_now,
                    beginning: counted.beginning(),
                    suggested_name: suggested_name(&order.export),
                })
            })
            .await
    }

    /// Writes an export to a file. One that is there is replaced once the new one is whole.
    ///
    /// # Errors
    /// As [`preview_export`](Self::preview_export), and when the file cannot be written; nothing is
    /// left behind then.
    pub async fn export_traffic(
        &self,
        exported: TrafficExport,
        path: &Path,
        run: u32,
    ) -> Result<ExportReport, InspectorError> {
        let order = self.order(exported, run)?;
        let _stop = order.stop_on_drop();
        let (path, record) = (path.to_owned(), self.core.data.record_directory());
        self.core
            .blocking(move |_| {
                let failed = |error| failed_at(&path, error);
                let mut report = None;
                write_file(&path, &record, |file| {
                    let (counted, counts, _) =
                        order.run(&failed, |job| job.write(Counted::new(file)))?;
                    report = Some((counts.items, counted.size));
                    Ok(())
                })?;
                let (items, size) = report.unwrap_or_default();
                Ok(ExportReport {
                    path: path.display().to_string(),
                    items,
                    size: size.into(),
                })
            })
            .await
    }

    /// Stops an export that is under way.
    #[command]
    pub fn stop_export(&self, run: u32) {
        self.jobs.stop(&run);
    }

    fn order(&self, exported: TrafficExport, run: u32) -> Result<Order, InspectorError> {
        Ok(Order {
            recorder: self.exported_record()?,
            export: exported,
            redactor: Redactor::new(self.known_secrets()),
            job: self.jobs.begin(run),
        })
    }

    /// Queries of the record that an export is made of.
    ///
    /// # Errors
    /// When the window has recorded nothing yet, or its record cannot be read.
    pub fn exported_queries(&self) -> Result<RecordQueries, InspectorError> {
        Ok(RecordQueries::new(self.exported_record()?))
    }

    /// The record to export from: that of the window where this program keeps none.
    fn exported_record(&self) -> Result<Recorder, InspectorError> {
        match self.core.options.persistence {
            Persistence::Everything | Persistence::Record => Ok(self.core.recorder.clone()),
            Persistence::Nothing => {
                let directory: PathBuf = self.core.data.record_directory();
                let record = Recorder::open_read_only(&directory)?;
                Ok(record.in_project(&self.core.options.places.project))
            }
        }
    }

    /// Values of all servers that are known as secrets now.
    pub fn known_secrets(&self) -> Vec<Secret<String>> {
        let configured: Vec<ServerId> = self.configuration.known_servers().into_iter().collect();
        let ad_hoc: Vec<ServerId> = lock(&self.sign_in_targets.ad_hoc_servers)
            .keys()
            .cloned()
            .collect();
        let mut secrets = self.core.connections.learned();
        for server in configured.iter().chain(&ad_hoc) {
            // One that cannot be used was not connected to either.
            if let Ok(spec) = self.sign_in_targets.resolved_spec(server) {
                secrets.extend(spec.secrets());
            }
        }
        secrets
    }
}

/// Name and version of the program.
fn application() -> String {
    format!(
        "Sightglass {} on {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS
    )
}

fn suggested_name(exported: &TrafficExport) -> String {
    let ending = match exported.format {
        ExportFormat::Ndjson => "ndjson",
        ExportFormat::Har => "har",
        ExportFormat::Otlp => "otlp.json",
        ExportFormat::Markdown => "md",
        ExportFormat::Html => "html",
    };
    let name: String = exported
        .name
        .chars()
        .take(MAX_NAME)
        .map(|letter| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let name = name.trim_matches('-');
    let name = if name.is_empty() { "traffic" } else { name };
    format!("{name}.{ending}")
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use sightglass_traffic::{Direction, RecorderOptions};
    use tempfile::TempDir;

    use super::*;
    use sightglass_area_core::{
        publisher::Publisher,
        view::{ExportScope, Fact},
    };

    fn export(format: ExportFormat) -> TrafficExport {
        TrafficExport {
            scope: ExportScope::Everything,
            format,
            name: "../a b\u{202e}".to_owned(),
            texts: true,
            arguments_and_results: false,
            until: None,
        }
    }

    #[tokio::test]
    async fn an_export_that_is_stopped_ends_at_its_next_row() {
        let directory = TempDir::new().expect("a directory");
        let recorder = Recorder::open(RecorderOptions::in_directory(directory.path()));
        let connection = recorder.start_connection(ServerId::demo(), "Demo", Redactor::default());
        let text = Bytes::from_static(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        connection.message(Direction::Sent, &text, None).await;
        let publisher = Arc::<Publisher>::default();
        let jobs = Jobs::new(&publisher, |progress| Fact::Export { progress });
        for format in [
            ExportFormat::Ndjson,
            ExportFormat::Har,
            ExportFormat::Otlp,
            ExportFormat::Markdown,
            ExportFormat::Html,
        ] {
            let order = Order {
                recorder: recorder.clone(),
                export: export(format),
                redactor: Redactor::default(),
                job: jobs.begin(1),
            };
            jobs.stop(&1);
            let failed = |error| failed_at(Path::new("memory"), error);
            let stopped = order.run(&failed, |job| job.write(io::sink()));
            assert!(
                matches!(stopped, Err(InspectorError::Stopped)),
                "{format:?}"
            );
        }
    }

    #[test]
    fn the_name_of_a_file_is_no_path() {
        let name = suggested_name(&export(ExportFormat::Otlp));
        assert_eq!(name, "a-b.otlp.json");
    }
}
