//! Finds the place in the user's own files that a stack trace leads to.

use super::{FOREIGN, Language, frame_length, headline};
use crate::{failure::StackTrace, is_invisible};

/// Returns the frame nearest to the error that lies in the user's own files, and the error.
pub(in crate::failure) fn stack_trace(lines: &[String]) -> Option<StackTrace> {
    let mut found = None;
    for (index, line) in lines.iter().enumerate() {
        if FOREIGN.iter().any(|part| line.contains(part)) {
            continue;
        }
        let Some(language) = Language::of_frame(line) else {
            continue;
        };
        let Some((file, number)) = place(line, language) else {
            continue;
        };
        // The place is copied as it is: in a terminal such a character does something of its own.
        if file.contains(is_invisible) {
            continue;
        }
        found = Some((index, language, file, number));
        // The most recent call stands first here, and last in Python.
        if language == Language::JavaScript {
            break;
        }
    }
    let (index, language, file, number) = found?;
    let rest = &lines[index..];
    let length = frame_length(rest, language).unwrap_or(1);
    let mut excerpt = rest[..length].to_vec();
    excerpt.extend(headline(lines));
    Some(StackTrace {
        file: file.to_owned(),
        line: number,
        excerpt,
    })
}

/// Returns the file and the line that a frame names.
fn place(frame: &str, language: Language) -> Option<(&str, u32)> {
    let text = frame.trim_start();
    match language {
        Language::Python => {
            let (file, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
            let number = rest.split(|character: char| !character.is_ascii_digit());
            Some((file, number.into_iter().next()?.parse().ok()?))
        }
        Language::JavaScript => {
            let inside = match text.rsplit_once('(') {
                Some((_, inside)) => inside.strip_suffix(')')?,
                None => text.strip_prefix("at ")?,
            };
            let inside = inside.strip_prefix("async ").unwrap_or(inside);
            let mut parts = inside.rsplitn(3, ':');
            let _column: u32 = parts.next()?.parse().ok()?;
            let number = parts.next()?.parse().ok()?;
            let file = parts.next()?;
            Some((file.strip_prefix("file://").unwrap_or(file), number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(String, u32, Vec<String>)> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        stack_trace(&lines).map(|trace| (trace.file, trace.line, trace.excerpt))
    }

    #[test]
    fn the_newest_call_in_the_users_own_files_is_named_with_the_error() {
        let python = "Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in <module>\n    \
                      main()\n  File \"/srv/server.py\", line 41, in search\n    url = os.environ[\"X_Y\"]\n  \
                      File \"/usr/lib/python3.12/os.py\", line 685, in __getitem__\n    raise\nKeyError: 'X_Y'";
        let (file, line, excerpt) = found(python).expect("a place");
        assert_eq!((file.as_str(), line), ("/srv/server.py", 41));
        assert_eq!(
            excerpt,
            [
                "  File \"/srv/server.py\", line 41, in search",
                "    url = os.environ[\"X_Y\"]",
                "KeyError: 'X_Y'"
            ]
        );
        let node = "Error: boom\n    at inner (/srv/node_modules/x/a.js:1:2)\n    at load (/srv/server.js:9:4)\n    \
                    at async file:///srv/main.mjs:2:1";
        let (file, line, excerpt) = found(node).expect("a place");
        assert_eq!((file.as_str(), line), ("/srv/server.js", 9));
        assert_eq!(excerpt, ["    at load (/srv/server.js:9:4)", "Error: boom"]);
        let module = found("Error: boom\n    at async file:///srv/main.mjs:2:1");
        assert_eq!(module.expect("a place").0, "/srv/main.mjs");
    }

    #[test]
    fn no_place_is_made_up() {
        for text in [
            "KeyError: 'X'",
            "Error: x\n    at Main.run(Main.java:12)",
            "  File \"/usr/lib/python3.12/os.py\", line 685, in get",
            "Error: x\n    at node:internal/modules:1:1",
            "  File \"/x\u{1b}[201~\rtouch mark\r\", line 3, in x\nKeyError: 'X'",
            "Error: x\n    at load (/x\u{202e}sj.js:9:4)",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
