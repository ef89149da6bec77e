//! Annotations of GitHub Actions
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>).

use sightglass_model::Verdict;

use crate::{
    junit::{described, explanation},
    report::RunReport,
};

/// Makes a line for each expectation that does not hold and each error: `::error file=…`.
/// `directory` is that of the requests, as seen from the root of the repository.
pub fn annotations(run: &RunReport, directory: &str) -> String {
    let mut lines = String::new();
    for case in &run.cases {
        if matches!(case.verdict, Verdict::Passed | Verdict::Skipped) {
            continue;
        }
        let file = property(&format!("{directory}/{}", case.path));
        let title = property(&case.name);
        let mut add = |line: u32, message: &str| {
            let message = data(message);
            lines.push_str(&format!(
                "::error file={file},line={line},title={title}::{message}\n"
            ));
        };
        if let Some(reason) = &case.reason {
            let explanation = explanation(case).map(|more| format!("\n{more}"));
            add(1, &format!("{reason}{}", explanation.unwrap_or_default()));
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

#[cfg(test)]
mod tests {
    use sightglass_model::VerdictCounts;

    use super::*;
    use crate::{CaseReport, RequestPath};

    #[test]
    fn a_text_poses_as_no_command() {
        let path = RequestPath::parse("a,b.toml").expect("a path");
        let reason = "50%\n::set-env name=PATH::x".to_owned();
        let case = CaseReport::unsent(path, "a: b".into(), Verdict::Error, reason);
        let run = RunReport {
            totals: VerdictCounts::of([case.verdict]),
            cases: vec![case],
            duration: Default::default(),
        };
        assert_eq!(
            annotations(&run, "api/requests"),
            "::error file=api/requests/a%2Cb.toml,line=1,title=a%3A b::50%25%0A::set-env name=PATH::x\n"
        );
    }
}
