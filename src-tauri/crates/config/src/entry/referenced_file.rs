//! Files whose content an entry puts into its texts, as OpenCode does for `{file:PATH}`
//! (<https://opencode.ai/docs/config#files>; `substitute` in `packages/opencode/src/config/variable.ts`
//! of <https://github.com/anomalyco/opencode>).
//!
//! A path counts from the directory of the file that the entry stands in, and `~/` is the home
//! directory. In what is shown for approval and hashed every path is absolute, so that it names the one
//! file that is read, and a server is asked about again when it would be another one.

use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use crate::entry::{dialect::map_references, expand::FILE_PREFIX};

/// The largest file that is read, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// The content of a file, without the space around it; nothing where it cannot be read.
///
/// A link of the project that leads out of it is not followed: it could be made, or turned elsewhere,
/// after the path was approved.
pub(crate) fn read(path: &Path, project: &Path) -> Option<String> {
    if !path.is_absolute() {
        return None;
    }
    let real = path.canonicalize().ok()?;
    if sightglass_files::is_within(project, path) && !real.starts_with(project.canonicalize().ok()?)
    {
        return None;
    }
    let bytes = sightglass_files::read_at_most(&real, MAX_FILE_SIZE).ok()?;
    Some(String::from_utf8(bytes).ok()?.trim().to_owned())
}

/// An entry of the common form with the paths of all files in its texts absolute.
pub(crate) fn with_absolute_files(
    entry: &Map<String, Value>,
    directory: &Path,
    home: &Path,
) -> Map<String, Value> {
    let mut entry = entry.clone();
    for value in entry.values_mut() {
        make_absolute(value, directory, home);
    }
    entry
}

fn make_absolute(value: &mut Value, directory: &Path, home: &Path) {
    match value {
        Value::String(text) if text.contains("${file:") => {
            *text = map_references(text, |reference, name, default| {
                match (name.strip_prefix(FILE_PREFIX), default) {
                    (Some(path), None) => {
                        let path = absolute(path, directory, home);
                        format!("${{{FILE_PREFIX}{}}}", path.display())
                    }
                    _ => reference.to_owned(),
                }
            });
        }
        Value::Array(elements) => {
            for element in elements {
                make_absolute(element, directory, home);
            }
        }
        Value::Object(members) => {
            for member in members.values_mut() {
                make_absolute(member, directory, home);
            }
        }
        _ => {}
    }
}

/// The path without `.` and `..`, so that it does not pose as one of another directory.
fn absolute(path: &str, directory: &Path, home: &Path) -> PathBuf {
    let whole = match path.strip_prefix("~/") {
        Some(inside) => home.join(inside),
        None => directory.join(path),
    };
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_as_the_one_that_is_read() {
        let path = |path: &str| {
            absolute(path, Path::new("/work/app"), Path::new("/home/ada"))
                .display()
                .to_string()
        };
        assert_eq!(path("token"), "/work/app/token");
        assert_eq!(path("./a/../token"), "/work/app/token");
        assert_eq!(path("../../home/ada/.ssh/id"), "/home/ada/.ssh/id");
        assert_eq!(path("~/.token"), "/home/ada/.token");
        assert_eq!(path("/etc/token"), "/etc/token");
        assert_eq!(path("../../../../../etc/token"), "/etc/token");
    }
}
