//! Requests as files.

use std::fs;

use serde_json::json;
use sightglass_inspector::view::RequestRunOptions;
use tokio_util::sync::CancellationToken;

use crate::{
    figures::{Aim, Figures},
    host::Host,
    setting::{Outcome, Setting},
    statistics::percentile,
};

/// Requests, in folders of a hundred.
const REQUESTS: usize = 1000;
const FOLDER: usize = 100;

/// Runs a thousand requests with an expectation each: from reading the files to the report.
pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let host = Host::open(json!({ "load": setting.load_server(10, 100) }))?;
    let directory = host.inspector.tests.files.requests_directory();
    for number in 0..REQUESTS {
        let folder = directory.join(format!("{:02}", number / FOLDER));
        fs::create_dir_all(&folder)?;
        let text = format!(
            "format = 1\nserver = \"load\"\nmethod = \"tools/call\"\nparams = \'\'\'{{\"name\":\"echo\",\"arguments\":{{\"message\":\"{number}\"}}}}\'\'\'\n[[expect]]\nvalue = \"text\"\nis = \"contains\"\nto = \"{number}\"\n"
        );
        fs::write(folder.join(format!("{number:03}.toml")), text)?;
    }
    for (name, jobs) in [("requests_1000_ms", 1), ("requests_1000_jobs_4_ms", 4)] {
        let mut times = Vec::new();
        for _ in 0..setting.runs {
            let options = RequestRunOptions {
                jobs,
                ..RequestRunOptions::default()
            };
            let report = host
                .inspector
                .tests
                .runs
                .run_requests(&directory, &options, &|_| {}, &CancellationToken::new())
                .await?;
            if report.totals.passed as usize != REQUESTS {
                return Err(format!("not all passed: {:?}", report.totals).into());
            }
            times.push(report.duration.as_f64());
        }
        figures.add(name, percentile(&times, 0.5), Aim::AtMost(2000.0));
    }
    host.inspector.shutdown().await;
    Ok(())
}
