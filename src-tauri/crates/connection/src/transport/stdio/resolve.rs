//! Finds a command on Windows as its shell does: `npx` there is `npx.cmd`, which starting a
//! process by itself does not try.

use std::path::{Path, PathBuf};

/// Extensions that count where `PATHEXT` is not set.
const EXTENSIONS: &str = ".COM;.EXE;.BAT;.CMD";

/// The file that `command` means: itself when it exists as written, else with one of the
/// `extensions`, in the first of the `directories` that has it. A command with a directory of
/// its own is looked for there alone. What is relative is so to the directory `from`, in which
/// the program will run, and never to that of this process.
pub(super) fn resolve(
    command: &str,
    from: Option<&Path>,
    directories: impl Iterator<Item = PathBuf>,
    extensions: Option<&str>,
    is_file: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let extensions: Vec<&str> = extensions
        .unwrap_or(EXTENSIONS)
        .split(';')
        .filter(|extension| !extension.is_empty())
        .collect();
    let has_extension = extensions.iter().any(|extension| {
        let tail = command.len().checked_sub(extension.len());
        tail.and_then(|tail| command.get(tail..))
            .is_some_and(|end| end.eq_ignore_ascii_case(extension))
    });
    let candidates = |directory: &Path| -> Option<PathBuf> {
        if has_extension {
            let file = directory.join(command);
            return is_file(&file).then_some(file);
        }
        extensions
            .iter()
            .map(|extension| directory.join(format!("{command}{}", extension.to_lowercase())))
            .find(|file| is_file(file))
    };
    let from = from.unwrap_or(Path::new(""));
    if command.contains(['/', '\\']) {
        return candidates(from);
    }
    directories
        .filter(|directory| !directory.as_os_str().is_empty())
        // Joining an absolute path answers that path alone.
        .find_map(|directory| candidates(&from.join(directory)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(command: &str, files: &[&str]) -> Option<String> {
        let directories = [".", "/system", "/node"].map(PathBuf::from).into_iter();
        let from = Some(Path::new("/empty"));
        let file = resolve(command, from, directories, Some(".EXE;.CMD"), |file| {
            files.iter().any(|known| Path::new(known) == file)
        });
        file.map(|file| file.display().to_string())
    }

    #[test]
    fn a_command_is_found_under_the_endings_of_its_system() {
        let files = [
            "/node/npx",
            "/node/npx.cmd",
            "/node/node.exe",
            "/system/a.cmd",
            "/node/a.exe",
        ];
        assert_eq!(found("npx", &files).as_deref(), Some("/node/npx.cmd"));
        assert_eq!(found("npx.cmd", &files).as_deref(), Some("/node/npx.cmd"));
        assert_eq!(
            found("node.EXE", &["/node/node.EXE"]).as_deref(),
            Some("/node/node.EXE")
        );
        assert_eq!(found("a", &files).as_deref(), Some("/system/a.cmd"));
        assert_eq!(found("uvx", &files), None);
    }

    #[test]
    fn a_relative_folder_of_the_path_is_one_of_the_working_directory() {
        let files = ["npx.cmd", "./npx.cmd", "/empty/tools.cmd", "/node/npx.cmd"];
        assert_eq!(found("npx", &files).as_deref(), Some("/node/npx.cmd"));
        let there = found("./tools", &files).map(std::path::PathBuf::from);
        assert_eq!(there.as_deref(), Some(Path::new("/empty/tools.cmd")));
    }

    #[test]
    fn a_command_with_a_directory_is_looked_for_there_alone() {
        assert_eq!(
            found("/tools/npx", &["/tools/npx.cmd"]).as_deref(),
            Some("/tools/npx.cmd")
        );
        assert_eq!(found("/tools/npx", &["/node/npx.cmd"]), None);
    }
}
