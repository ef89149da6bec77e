//! Reads the reports that all three test runners write: JUnit XML, a `testcase` element a test.
//!
//! The names in it are those that the runners know their tests by, so that one that failed can be
//! run again. Only what is needed is read; the runners' own libraries write it.

use std::time::Duration;

/// One test that ran.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// Program or file that holds it, as its runner calls it.
    pub suite: String,
    pub name: String,
    pub duration: Duration,
    pub passed: bool,
}

/// Reads the tests that ran. Those that were left out are no part of it.
pub fn tests(report: &str) -> Vec<TestCase> {
    report
        .split("<testcase ")
        .skip(1)
        .filter_map(|text| {
            let (attributes, rest) = text.split_once('>')?;
            let children = match attributes.ends_with('/') {
                true => "",
                false => rest.split("</testcase>").next().unwrap_or(rest),
            };
            let markup = without_character_data(children);
            let has = |element: &str| markup.contains(element);
            if has("<skipped") {
                return None;
            }
            let seconds: f64 = attribute(attributes, "time")?.parse().ok()?;
            Some(TestCase {
                suite: attribute(attributes, "classname")?,
                name: attribute(attributes, "name")?,
                duration: Duration::try_from_secs_f64(seconds).ok()?,
                passed: !has("<failure") && !has("<error"),
            })
        })
        .collect()
}

/// `text` without its CDATA sections. Elsewhere what a test printed has no `<`: that is escaped.
fn without_character_data(text: &str) -> String {
    let mut sections = text.split("<![CDATA[");
    let mut markup = sections.next().unwrap_or_default().to_owned();
    for section in sections {
        markup.push_str(section.split_once("]]>").map_or("", |(_, after)| after));
    }
    markup
}

fn attribute(attributes: &str, name: &str) -> Option<String> {
    // A space before it, so that `name` is not found in `classname`.
    let start = format!(" {name}=\"");
    let padded = format!(" {attributes}");
    let (_, value) = padded.split_once(&start)?;
    Some(unescape(value.split('"').next()?))
}

/// Replaces the references of XML 1.0, section 4.6, and those to characters by number.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let (reference, after) = after.split_once(';').unwrap_or((after, ""));
        match reference {
            "lt" => plain.push('<'),
            "gt" => plain.push('>'),
            "amp" => plain.push('&'),
            "quot" => plain.push('"'),
            "apos" => plain.push('\''),
            number => plain.extend(numbered(number)),
        }
        rest = after;
    }
    plain.push_str(rest);
    plain
}

fn numbered(reference: &str) -> Option<char> {
    let number = reference.strip_prefix('#')?;
    let code = match number.strip_prefix('x') {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(suite: &str, name: &str, milliseconds: u64, passed: bool) -> TestCase {
        TestCase {
            suite: suite.into(),
            name: name.into(),
            duration: Duration::from_millis(milliseconds),
            passed,
        }
    }

    #[test]
    fn nextest_names_program_and_test() {
        let report = r#"<?xml version="1.0"?><testsuites name="nextest-run" tests="2">
            <testsuite name="sightglass-tests::backend" tests="2" failures="1">
                <testcase name="calling::a_tool_answers" classname="sightglass-tests::backend" timestamp="x" time="1.250"/>
                <testcase name="calling::it_fails" classname="sightglass-tests::backend" timestamp="x" time="0.500">
                    <failure type="test failure">left &lt;failure</failure>
                    <system-out>time="9"</system-out>
                </testcase>
            </testsuite></testsuites>"#;
        assert_eq!(
            tests(report),
            [
                test(
                    "sightglass-tests::backend",
                    "calling::a_tool_answers",
                    1250,
                    true
                ),
                test("sightglass-tests::backend", "calling::it_fails", 500, false),
            ]
        );
    }

    #[test]
    fn playwright_and_vitest_name_the_file() {
        let report = "<testcase name=\"menu › says &quot;Run&quot; &#8594; &amp;\" classname=\"tools.spec.ts\" time=\"3.4\">\n</testcase>\
            <testcase name=\"left out\" classname=\"tools.spec.ts\" time=\"0\">\n<skipped>\n</skipped>\n</testcase>\
            <testcase classname=\"src/lib/json.test.ts\" name=\"reads &gt; numbers\" time=\"0.002\">\n<system-out>&lt;skipped</system-out><error message=\"x\"/></testcase>\
            <testcase classname=\"a.ts\" name=\"prints\" time=\"1\"><system-out><![CDATA[<failure <skipped]]></system-out></testcase>";
        assert_eq!(
            tests(report),
            [
                test("tools.spec.ts", "menu › says \"Run\" → &", 3400, true),
                test("src/lib/json.test.ts", "reads > numbers", 2, false),
                test("a.ts", "prints", 1000, true),
            ]
        );
    }

    #[test]
    fn a_report_that_was_cut_off_loses_no_test_before_the_cut() {
        let report = "<testcase name=\"a\" classname=\"b\" time=\"1\"/><testcase name=\"c\" cla";
        assert_eq!(tests(report), [test("b", "a", 1000, true)]);
    }
}
