//! Finds the program that a command means, on the search path or by its path, and says why it
//! cannot be started.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use sightglass_model::StartFault;
use sightglass_secrets::{command_words, is_assignment, mask_command, mask_command_words};

/// Number of letters that may differ in a suggested name.
const NEAR: usize = 2;
/// Bytes of a file that are read for its first line; the kernel of Linux reads as many.
#[cfg(unix)]
const FIRST_LINE_BYTES: u64 = 256;

/// Command as an entry has it, and where it is looked for.
#[derive(Debug)]
pub(crate) struct ProgramSearch<'a> {
    pub command: &'a str,
    pub arguments: &'a [String],
    /// The entry's own search path, else the login shell's, where it was asked; that of this
    /// process when absent.
    pub path: Option<OsString>,
    /// Directory that it will run in.
    pub directory: Option<&'a Path>,
}

impl ProgramSearch<'_> {
    /// The search path.
    pub(crate) fn search_path(&self) -> OsString {
        let own = self.path.clone();
        own.or_else(|| std::env::var_os("PATH")).unwrap_or_default()
    }

    /// Returns true when the command is a path, which is not looked for elsewhere.
    pub(crate) fn is_path(&self) -> bool {
        Path::new(self.command).components().count() > 1
    }

    /// Resolves the command as the system will.
    ///
    /// # Errors
    /// The reason why it cannot be started, as far as the file itself tells.
    pub(crate) fn locate(&self) -> Result<PathBuf, StartFault> {
        let from = self.directory.unwrap_or(Path::new(""));
        if let Some(directory) = self.directory
            && !directory.is_dir()
        {
            return Err(StartFault::NoDirectory {
                directory: directory.display().to_string(),
            });
        }
        // A relative folder of the path is one of the working directory.
        let folders: Vec<PathBuf> = std::env::split_paths(&self.search_path())
            .map(|folder| from.join(folder))
            .collect();
        let candidates = |name: &str| -> Vec<PathBuf> {
            match Path::new(name).components().count() > 1 {
                true => vec![from.join(name)],
                false => folders.iter().map(|folder| folder.join(name)).collect(),
            }
        };
        let found = candidates(self.command)
            .iter()
            .flat_map(|path| spellings(path))
            .find(|path| path.is_file());
        match found {
            Some(file) if !may_be_run(&file) => Err(StartFault::NotExecutable {
                file: file.display().to_string(),
            }),
            Some(file) => match script_fault(&file, from, &folders) {
                Some(fault) => Err(fault),
                None => Ok(file),
            },
            None => Err(self.missing(from, &folders)),
        }
    }

    /// Says why there is no such program.
    fn missing(&self, from: &Path, folders: &[PathBuf]) -> StartFault {
        let command = self.command;
        if self.is_path() && from.join(command).is_dir() {
            return StartFault::Folder {
                command: command.to_owned(),
            };
        }
        let words = command_words(command);
        let before_program = words.iter().take_while(|word| is_assignment(word)).count();
        let (variables, line) = words.split_at(before_program);
        let masked = mask_command_words(command).split_off(before_program);
        if !variables.is_empty() {
            let variables = variables.iter().filter_map(|word| word.split_once('='));
            return StartFault::VariablesInCommand {
                names: variables.map(|(name, _)| name.to_owned()).collect(),
                line: masked,
            };
        }
        if let Some(fault) = for_windows(command, self.arguments) {
            return fault;
        }
        if let (Some((program, rest)), Some((shown, arguments))) =
            (line.split_first(), masked.split_first())
        {
            // A folder in a path may have a blank in its name.
            let is_program = !program.contains(std::path::is_separator)
                || from.join(program).is_file()
                || rest.iter().any(|word| word.starts_with('-'));
            if !rest.is_empty() && is_program {
                return StartFault::ArgumentsInCommand {
                    program: shown.clone(),
                    arguments: arguments.to_vec(),
                };
            }
        }
        match self.is_path() {
            true => StartFault::NoFile {
                command: mask_command(command),
            },
            false => StartFault::NotOnPath {
                command: mask_command(command),
                nearest: nearest(command, folders),
            },
        }
    }
}

/// Returns the fault of a script whose first line does not lead to its interpreter.
#[cfg(unix)]
fn script_fault(file: &Path, from: &Path, folders: &[PathBuf]) -> Option<StartFault> {
    use std::{fs::File, io::Read};

    let mut beginning = Vec::new();
    let opened = File::open(file).ok()?;
    opened
        .take(FIRST_LINE_BYTES)
        .read_to_end(&mut beginning)
        .ok()?;
    let line = beginning
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let line = String::from_utf8_lossy(line).into_owned();
    let shown = || file.display().to_string();
    if line.ends_with('\r') {
        return Some(StartFault::CarriageReturn { file: shown() });
    }
    let mut words = line.split_whitespace();
    let interpreter = words.next()?;
    let missing = |interpreter: &str| StartFault::InterpreterMissing {
        file: shown(),
        interpreter: interpreter.to_owned(),
    };
    if !from.join(interpreter).is_file() {
        return Some(missing(interpreter));
    }
    // `env` looks for the interpreter on the search path.
    let is_env = Path::new(interpreter).file_name()? == "env";
    let named = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    let is_there = named.contains('/') || folders.iter().any(|folder| folder.join(named).is_file());
    (is_env && !is_there).then(|| missing(named))
}

/// On Windows the ending of a file says what runs it.
#[cfg(not(unix))]
fn script_fault(_file: &Path, _from: &Path, _folders: &[PathBuf]) -> Option<StartFault> {
    None
}

/// Returns the fault of a command that only Windows knows.
#[cfg(not(windows))]
fn for_windows(command: &str, arguments: &[String]) -> Option<StartFault> {
    let lower = command.to_lowercase();
    let drive = |bytes: &[u8]| matches!(bytes, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let name = lower.rsplit(['/', '\\']).next().unwrap_or(&lower);
    let is_shell = ["cmd", "cmd.exe", "powershell", "powershell.exe"].contains(&name);
    let is_meant = is_shell
        || drive(command.as_bytes())
        || command.contains('\\')
        || [".exe", ".cmd", ".bat"]
            .iter()
            .any(|end| name.ends_with(end));
    if !is_meant {
        return None;
    }
    let first = arguments.first().map(|word| word.to_lowercase());
    let runs_another = name.starts_with("cmd")
        && is_shell
        && first.is_some_and(|option| ["/c", "/k"].contains(&option.as_str()));
    let instead = match runs_another {
        true => arguments
            .get(1)
            .and_then(|words| words.split_whitespace().next())
            .map(str::to_owned),
        // `npx.cmd` is `npx` here.
        false => name
            .rsplit_once('.')
            .filter(|_| !is_shell && !command.contains(['\\', '/']))
            .map(|(name, _)| name.to_owned()),
    };
    Some(StartFault::ForWindows {
        command: mask_command(command),
        instead,
    })
}

#[cfg(windows)]
fn for_windows(_command: &str, _arguments: &[String]) -> Option<StartFault> {
    None
}

/// The program on the path whose name is most like this one.
fn nearest(command: &str, folders: &[PathBuf]) -> Option<String> {
    let names: BTreeSet<String> = folders
        .iter()
        .filter_map(|folder| folder.read_dir().ok())
        .flatten()
        .flatten()
        .filter(|entry| may_be_run(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let mut near: Vec<(usize, String)> = names
        .into_iter()
        .map(|name| (strsim::osa_distance(command, &name), name))
        // Of a short name more would be another one altogether.
        .filter(|(distance, _)| *distance <= NEAR.min(command.chars().count() / 2))
        .collect();
    near.sort();
    near.into_iter().next().map(|(_, name)| name)
}

#[cfg(windows)]
fn spellings(path: &Path) -> Vec<PathBuf> {
    ["", ".exe", ".cmd", ".bat"]
        .into_iter()
        .map(|ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        })
        .collect()
}

#[cfg(not(windows))]
fn spellings(path: &Path) -> Vec<PathBuf> {
    vec![path.to_owned()]
}

#[cfg(unix)]
fn may_be_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_be_run(_path: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn fault(command: &str, arguments: &[&str], path: &str) -> Option<StartFault> {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let search = ProgramSearch {
            command,
            arguments: &arguments,
            path: Some(path.into()),
            directory: None,
        };
        search.locate().err()
    }

    fn script(folder: &Path, name: &str, text: &str) -> String {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("a script");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&file, executable).expect("its permissions");
        file.display().to_string()
    }

    #[test]
    fn arguments_in_the_command_are_told_from_a_path_with_blanks() {
        let found = fault("uv run server.py", &[], "/bin");
        let Some(StartFault::ArgumentsInCommand { program, arguments }) = found else {
            panic!("{found:?}");
        };
        assert_eq!(
            (program.as_str(), arguments.as_slice()),
            ("uv", ["run".to_owned(), "server.py".to_owned()].as_slice())
        );
        let found = fault("/bin/sh -c true", &[], "");
        assert!(
            matches!(&found, Some(StartFault::ArgumentsInCommand { program, .. }) if program == "/bin/sh"),
            "{found:?}"
        );
        let found = fault("/nowhere/My Server/run", &[], "");
        assert!(
            matches!(found, Some(StartFault::NoFile { .. })),
            "{found:?}"
        );
    }

    #[test]
    fn a_secret_among_the_arguments_in_a_command_is_masked() {
        let hint =
            fault("server --api-key sk-123456", &[], "/bin").map(|fault| format!("{fault:?}"));
        assert!(hint.is_some_and(|hint| !hint.contains("sk-123456")));
    }

    #[test]
    fn variables_before_the_program_are_named_without_their_values() {
        for (command, line) in [
            ("API_KEY=hunter22 npx -y x", vec!["npx", "-y", "x"]),
            ("API_KEY='hunter22 b' npx", vec!["npx"]),
            ("API_KEY=hunter22", vec![]),
            ("API_KEY=/hunter22/b npx.cmd", vec!["npx.cmd"]),
        ] {
            let found = fault(command, &[], "/bin").expect("a fault");
            let wanted = StartFault::VariablesInCommand {
                names: vec!["API_KEY".to_owned()],
                line: line.into_iter().map(str::to_owned).collect(),
            };
            assert_eq!(found, wanted, "{command}");
        }
        for command in [
            "/nowhere/run API_KEY=hunter22",
            r"C:\node.exe --api-key hunter22",
            r"C:\Users\O'Brien\srv.exe --api-key hunter22",
            "ada's-server --api-key hunter22",
            "ada's --api-key hunter22 bob's x",
            "ada's --api-key' hunter22",
            "API_KEY=x ada's --api-key hunter22 bob's",
        ] {
            let found = format!("{:?}", fault(command, &[], "/bin"));
            assert!(!found.contains("hunter22"), "{found}");
        }
    }

    #[test]
    fn a_script_that_is_there_says_why_it_cannot_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |name, text| fault(&script(folder.path(), name, text), &[], "/bin");
        let found = of("lost", "#!/nowhere/python3\nprint()\n");
        assert!(
            matches!(&found, Some(StartFault::InterpreterMissing { interpreter, .. }) if interpreter == "/nowhere/python3"),
            "{found:?}"
        );
        let found = of("env", "#!/usr/bin/env no-such-interpreter\n");
        assert!(
            matches!(&found, Some(StartFault::InterpreterMissing { interpreter, .. }) if interpreter == "no-such-interpreter"),
            "{found:?}"
        );
        for text in ["#!/bin/sh\r\necho\r\n", "#!/usr/bin/env sh\r\necho\r\n"] {
            let found = of("windows", text);
            assert!(
                matches!(found, Some(StartFault::CarriageReturn { .. })),
                "{found:?}"
            );
        }
        assert_eq!(of("right", "#!/usr/bin/env -S sh -e\necho\n"), None);
        assert_eq!(of("no-script", "\x7fELF"), None);
        let found = fault(&folder.path().display().to_string(), &[], "");
        assert!(
            matches!(found, Some(StartFault::Folder { .. })),
            "{found:?}"
        );
    }

    #[test]
    fn a_command_for_windows_names_what_to_run_here() {
        let table = [
            ("cmd", vec!["/c", "npx", "-y", "server"], Some("npx")),
            ("cmd.exe", vec!["/C", "npx -y server"], Some("npx")),
            ("npx.cmd", vec!["-y"], Some("npx")),
            (r"C:\Program Files\nodejs\node.exe", vec!["server.js"], None),
            (r"%APPDATA%\npm\server", vec![], None),
        ];
        for (command, arguments, wanted) in table {
            let found = fault(command, &arguments, "/bin");
            let Some(StartFault::ForWindows { instead, .. }) = &found else {
                panic!("{command}: {found:?}");
            };
            assert_eq!(instead.as_deref(), wanted, "{command}");
        }
        let found = fault("mkdri", &[], "/bin");
        assert!(
            matches!(&found, Some(StartFault::NotOnPath { nearest: Some(name), .. }) if name == "mkdir"),
            "{found:?}"
        );
    }
}
