//! Writes JUnit XML, as continuous integration reads it
//! (<https://github.com/testmoapp/junitxml>).
//!
//! The texts of a server may hold characters that no XML 1.0 document can hold, not even as a
//! reference (section 2.2, Char). They are shown as escapes, as is what is not seen.

use std::{borrow::Cow, time::Duration};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use sightglass_model::{Verdict, visible, visible_lines};

/// One case of a report.
#[derive(Debug, Clone)]
pub struct JunitCase {
    /// Name of the suite that it belongs to.
    pub suite: String,
    pub name: String,
    pub class: String,
    pub verdict: Verdict,
    /// The reason in one line, where it did not pass.
    pub message: Option<String>,
    /// The reason in whole, where it did not pass.
    pub description: Option<String>,
    /// Zero where only the whole run is measured: the schema requires a time.
    pub time: Duration,
    pub assertions: Option<usize>,
}

/// Writes a report. Suites stand in the order of their first cases.
///
/// # Errors
/// When the XML cannot be written, which its writer alone knows how.
pub fn write_junit(
    duration: Option<Duration>,
    cases: impl IntoIterator<Item = JunitCase>,
) -> Result<String, String> {
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    for case in cases {
        let known = suites.iter().position(|(name, _)| *name == case.suite);
        let position = known.unwrap_or_else(|| {
            suites.push((case.suite.clone(), TestSuite::new(line(&case.suite))));
            suites.len() - 1
        });
        suites[position].1.add_test_case(test_case(&case));
    }
    let mut report = Report::new("sightglass");
    if let Some(duration) = duration {
        report.set_time(duration);
    }
    report.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
    report.to_string().map_err(|error| error.to_string())
}

fn test_case(case: &JunitCase) -> TestCase {
    let failed = TestCaseStatus::non_success;
    let mut status = match case.verdict {
        Verdict::Passed | Verdict::Warning | Verdict::Overridden | Verdict::Note => {
            TestCaseStatus::success()
        }
        Verdict::Skipped | Verdict::NotApplicable => TestCaseStatus::skipped(),
        Verdict::Failed => failed(NonSuccessKind::Failure),
        Verdict::Error => failed(NonSuccessKind::Error),
    };
    if !matches!(status, TestCaseStatus::Success { .. }) {
        if let Some(message) = &case.message {
            status.set_message(line(message));
        }
        if let Some(description) = &case.description {
            status.set_description(in_xml(visible_lines(description)));
        }
    }
    let mut test = TestCase::new(line(&case.name), status);
    test.set_classname(line(&case.class));
    test.set_time(case.time);
    if let Some(assertions) = case.assertions {
        test.set_assertions(assertions);
    }
    test
}

/// Shows a text on one line, as attributes hold it.
fn line(text: &str) -> String {
    in_xml(visible(text))
}

/// Shows the two noncharacters that XML cannot hold beside the control characters.
fn in_xml(text: Cow<'_, str>) -> String {
    text.replace('\u{fffe}', r"\u{fffe}")
        .replace('\u{ffff}', r"\u{ffff}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let case = JunitCase {
            suite: text.to_owned(),
            name: text.to_owned(),
            class: text.to_owned(),
            verdict: Verdict::Failed,
            message: Some(text.to_owned()),
            description: Some(format!("first\n{text}")),
            time: Duration::ZERO,
            assertions: None,
        };
        write_junit(None, [case]).expect("XML")
    }

    #[test]
    fn only_characters_of_xml_are_written() {
        let is_xml = |character: char| {
            matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}'
                | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
        };
        for character in ('\0'..='\u{9f}').chain('\u{fff0}'..='\u{1000f}') {
            let xml = written(&format!("a{character}b"));
            assert!(xml.chars().all(is_xml), "{xml:?}");
        }
    }

    #[test]
    fn what_is_no_xml_is_shown_and_lines_stay_lines() {
        let xml = written("a\u{fffe}\u{1b}[31m\u{202e}<b>&");
        let shown = r"a\u{fffe}\u{1b}[31m\u{202e}&lt;b&gt;&amp;";
        assert_eq!(xml.matches(shown).count(), 5, "{xml}");
        assert!(xml.contains(&format!("first\n{shown}")), "{xml}");
    }

    #[test]
    fn cases_of_one_suite_stand_together() {
        let case = |suite: &str, verdict| JunitCase {
            suite: suite.to_owned(),
            name: "n".to_owned(),
            class: "c".to_owned(),
            verdict,
            message: None,
            description: None,
            time: Duration::ZERO,
            assertions: Some(2),
        };
        let cases = [
            case("a", Verdict::Passed),
            case("b", Verdict::Error),
            case("a", Verdict::Skipped),
        ];
        let xml = write_junit(Some(Duration::from_secs(1)), cases).expect("XML");
        assert_eq!(xml.matches("<testsuite ").count(), 2, "{xml}");
        assert!(
            xml.contains("<testsuite name=\"a\" tests=\"2\" skipped=\"1\""),
            "{xml}"
        );
    }
}
