use super::{MAX_DETAILS, MAX_LISTED, MarkdownReport};
use crate::sample::{ATTACKS, call};

fn report(rows: &[sightglass_traffic::RecordedExchange]) -> String {
    let mut report = MarkdownReport::new("Sightglass 1.0 on linux", "demo");
    for row in rows {
        report.row(row);
    }
    let mut text = Vec::new();
    report.finish(&mut text).expect("memory");
    String::from_utf8(text).expect("UTF-8")
}

/// What stands outside of fences and spans of code.
fn outside(markdown: &str) -> String {
    let mut outside = String::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => {
                fence = Some(line.chars().take_while(|mark| *mark == '`').collect());
            }
            None => outside.push_str(&format!("{}\n", without_spans(line))),
        }
    }
    assert_eq!(fence, None, "a fence is open at the end");
    outside
}

/// A line without its spans of code (CommonMark 0.31, section 6.1).
fn without_spans(line: &str) -> String {
    let mut rest = line;
    let mut outside = String::new();
    while let Some(at) = rest.find('`') {
        outside.push_str(&rest[..at]);
        let marks: String = rest[at..].chars().take_while(|mark| *mark == '`').collect();
        let inside = &rest[at + marks.len()..];
        let end = inside
            .match_indices(&marks)
            .map(|(end, _)| end)
            .find(|end| {
                !inside[..*end].ends_with('`') && !inside[end + marks.len()..].starts_with('`')
            })
            .expect("the span ends");
        rest = &inside[end + marks.len()..];
    }
    outside.push_str(rest);
    outside
}

#[test]
fn nothing_of_a_server_leaves_its_code() {
    let plain = outside(&report(&[call(1, "echo", "{}")]));
    for attack in ATTACKS {
        let mut row = call(1, attack, attack);
        row.row.server = attack.to_owned();
        let report = report(&[row]);
        assert_eq!(outside(&report), plain, "{attack}\n{report}");
        assert!(
            !report.contains(['\u{202e}', '\u{200b}', '\u{1b}']),
            "{attack}"
        );
    }
}

#[test]
fn a_report_of_many_rows_fits_into_an_issue() {
    let long = format!(r#"{{"id":1,"result":"{}"}}"#, "`".repeat(100_000));
    let rows: Vec<_> = (1..500).map(|id| call(2 * id, "echo", &long)).collect();
    let report = report(&rows);
    assert!(report.chars().count() < 65_536, "{}", report.len());
    assert!(report.contains(&format!("Newest {MAX_LISTED} of 499 rows")));
    assert_eq!(report.matches("<summary>Response").count(), MAX_DETAILS);
    assert!(report.contains("Rows: 499, of which 499 failed"));
}

#[test]
fn the_handshake_says_which_server_it_is() {
    let mut handshake = call(
        1,
        "",
        r#"{"id":0,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"docs","version":"1.2"}}}"#,
    );
    handshake.row.method = "initialize".to_owned();
    let report = report(&[handshake]);
    assert!(
        report.contains("- Server ` Demo `: ` docs 1.2 protocol 2025-11-25 `"),
        "{report}"
    );
}
