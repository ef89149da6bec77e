//! Parses the command line of the application.

use std::{ffi::OsString, path::PathBuf};

use serde::Serialize;
use sightglass_inspector::{REAPER_ARGUMENT, is_install_link};

/// Extension of session files.
const SESSION_FILE_EXTENSION: &str = "ndjson";

pub(crate) const HELP: &str = "\
Sightglass: see, test and manage MCP servers

Usage: sightglass [PROJECT_DIR]
       sightglass LINK
       sightglass SESSION_FILE
       sightglass demo-server [OPTIONS]

  PROJECT_DIR    the project whose servers are shown; the current directory by default
  LINK           a link that adds a server, such as sightglass://add?… or an install link of
                 another client; it is shown before anything is saved
  SESSION_FILE   a recording whose name ends in .ndjson; it is shown and nothing in it runs
  demo-server    be the built-in demo server, over stdio unless told otherwise;
                 `sightglass demo-server --help` says more

  -h, --help     print this
  -V, --version  print the version

Environment:
  SIGHTGLASS_DATA_DIR   where settings and the record are kept, instead of the
                        platform's directory for application data
  SIGHTGLASS_LOG        what to log on stderr, for instance `debug` or
                        `sightglass_connection=trace`
  SIGHTGLASS_SNAPSHOT   a path: connect to the demo server, save a picture of the
                        window there as PNG, and end";

/// Something that the window is opened for.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum ShownFirst {
    /// Adds a server, once the user has seen it.
    Link {
        text: String,
    },
    SessionFile {
        path: PathBuf,
    },
}

#[derive(Debug, PartialEq)]
pub(crate) enum Arguments {
    Window {
        project: Option<PathBuf>,
        shown: Option<ShownFirst>,
    },
    DemoServer {
        arguments: Vec<String>,
    },
    Reaper,
    Help,
    Version,
}

/// Reads the arguments after the executable's name.
///
/// # Errors
/// A sentence for the user who typed them.
pub(crate) fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Arguments, String> {
    let Some(first) = arguments.next() else {
        return Ok(Arguments::Window {
            project: None,
            shown: None,
        });
    };
    match first.to_str() {
        Some(sightglass_demo_server::ARGUMENT) => {
            let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
            return Ok(Arguments::DemoServer {
                arguments: arguments.collect(),
            });
        }
        Some(REAPER_ARGUMENT) => return Ok(Arguments::Reaper),
        Some("-h" | "--help") => return Ok(Arguments::Help),
        Some("-V" | "--version") => return Ok(Arguments::Version),
        Some(link) if is_install_link(link) => {
            return Ok(Arguments::Window {
                project: None,
                shown: Some(ShownFirst::Link {
                    text: link.to_owned(),
                }),
            });
        }
        Some(option) if option.starts_with('-') => {
            return Err(format!(
                "unknown option {option}; `sightglass --help` lists them"
            ));
        }
        _ => {}
    }
    if let Some(second) = arguments.next() {
        return Err(format!(
            "only one project can be opened, but {} was given as well",
            second.to_string_lossy()
        ));
    }
    let path = PathBuf::from(first);
    let is_session_file = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(SESSION_FILE_EXTENSION));
    Ok(match is_session_file {
        true => Arguments::Window {
            project: None,
            shown: Some(ShownFirst::SessionFile { path }),
        },
        false => Arguments::Window {
            project: Some(path),
            shown: None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Arguments, String> {
        parse(words.iter().map(OsString::from))
    }

    #[test]
    fn a_project_is_the_only_plain_argument() {
        let window = |project: Option<PathBuf>, shown: Option<ShownFirst>| {
            Ok(Arguments::Window { project, shown })
        };
        assert_eq!(parsed(&[]), window(None, None));
        let link = "sightglass://add?name=a&url=https%3A%2F%2Fa.example";
        let text = link.to_owned();
        let shown_link = ShownFirst::Link { text };
        assert_eq!(parsed(&[link]), window(None, Some(shown_link)));
        let path = PathBuf::from("/a/their.NDJSON");
        let file = Some(ShownFirst::SessionFile { path });
        assert_eq!(parsed(&["/a/their.NDJSON"]), window(None, file));
        assert_eq!(parsed(&["/a"]), window(Some("/a".into()), None));
        assert!(parsed(&["/a", "/b"]).expect_err("two").contains("/b"));
        assert!(
            parsed(&["--frobnicate"])
                .expect_err("unknown")
                .contains("--frobnicate")
        );
    }

    #[test]
    fn help_and_the_version_open_no_window() {
        for option in ["-h", "--help"] {
            assert_eq!(parsed(&[option]), Ok(Arguments::Help));
        }
        for option in ["-V", "--version"] {
            assert_eq!(parsed(&[option]), Ok(Arguments::Version));
        }
    }

    #[test]
    fn the_demo_server_takes_its_own_options() {
        let arguments = vec!["--http".to_owned(), "0".to_owned()];
        assert_eq!(
            parsed(&["demo-server", "--http", "0"]),
            Ok(Arguments::DemoServer { arguments })
        );
    }
}
