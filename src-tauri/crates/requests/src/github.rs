//! Annotations of GitHub Actions
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>).

use crate::{
    folder::REQUEST_DIRECTORY,
    junit::described,
    report::{RequestVerdict, RunReport},
};

/// Makes a line for each expectation that does not hold and each error: `::error file=…`.
pub fn annotations(run: &RunReport) -> String {
    let mut lines = String::new();
    for case in &run.cases {
        if matches!(
            case.verdict,
            RequestVerdict::Passed | RequestVerdict::Skipped
        ) {
            continue;
        }
        let file = property(&format!("{REQUEST_DIRECTORY}/{}", case.path));
        let title = property(&case.name);
        let mut add = |line: u32, message: &str| {
            let message = data(message);
            lines.push_str(&format!(
                "::error file={file},line={line},title={title}::{message}\n"
            ));
        };
        if let Some(reason) = &case.reason {
            add(1, reason);
        }
        for check in case.failures() {
            add(check.line, &described(case, check));
        }
    }
    lines
}

/// Escapes a message, so that none of its lines poses as a command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
