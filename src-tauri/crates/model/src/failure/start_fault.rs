//! Reasons for which a program cannot be started.

use serde::Serialize;

use super::Hint;
use crate::{HintAction, shell::shell_quoted};

/// Reason why a program could not be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StartFault {
    /// No folder of the search path has it.
    NotOnPath {
        command: String,
        /// The program there whose name is most like it.
        nearest: Option<String>,
    },
    /// The path leads to nothing.
    NoFile { command: String },
    /// The field for the program holds its arguments too, as in `uv run server.py`.
    ArgumentsInCommand {
        program: String,
        arguments: Vec<String>,
    },
    /// Variables stand before the program in its field, as in `API_KEY=x npx server`.
    VariablesInCommand {
        names: Vec<String>,
        /// The program after them, with its arguments.
        line: Vec<String>,
    },
    /// The path is that of a folder.
    Folder { command: String },
    /// The file may not be run.
    NotExecutable { file: String },
    /// The interpreter that the first line of a script names does not exist.
    InterpreterMissing { file: String, interpreter: String },
    /// The first line of a script ends as lines do on Windows, which makes the line end a part of
    /// the interpreter's name.
    CarriageReturn { file: String },
    /// The command is written for Windows, and this is another system.
    ForWindows {
        command: String,
        /// The program behind `cmd /c`.
        instead: Option<String>,
    },
    /// The working directory does not exist.
    NoDirectory { directory: String },
    /// Something else, in the words of the system.
    Other { message: String },
}

impl StartFault {
    /// Returns the fault as a clause, fit to stand after a colon.
    pub fn message(&self) -> String {
        match self {
            Self::NotOnPath { command, nearest } => match nearest {
                Some(nearest) => {
                    format!("{command} is not on the PATH; did you mean {nearest}?")
                }
                None => format!("{command} is not on the PATH"),
            },
            Self::NoFile { command } => format!("{command} does not exist"),
            Self::ArgumentsInCommand { program, .. } => {
                format!("the command holds more than the program {program}")
            }
            Self::VariablesInCommand { names, .. } => format!(
                "the command begins with {}, and only a shell takes that for a variable",
                names.join(", ")
            ),
            Self::Folder { command } => format!("{command} is a folder"),
            Self::NotExecutable { file } => format!("{file} is not executable"),
            Self::InterpreterMissing { file, interpreter } => {
                format!("{interpreter}, which the first line of {file} names, does not exist")
            }
            Self::CarriageReturn { file } => {
                format!("the first line of {file} ends with a carriage return, as on Windows")
            }
            Self::ForWindows { command, .. } => format!("{command} is written for Windows"),
            Self::NoDirectory { directory } => {
                format!("the working directory {directory} does not exist")
            }
            Self::Other { message } => message.clone(),
        }
    }

    /// Says what to do about it.
    pub(super) fn hint(&self) -> Hint {
        let text = match self {
            Self::NotOnPath { command, nearest } => {
                let missing = format!("The program {command} was not found on the PATH");
                match nearest {
                    Some(nearest) => format!(
                        "{missing}; did you mean {nearest}? Otherwise install it, or give its full \
                         path."
                    ),
                    None => format!("{missing}. Install it, or give its full path."),
                }
            }
            Self::NoFile { command } => {
                format!("There is no file {command}. Check the path of the command.")
            }
            Self::ArgumentsInCommand { program, arguments } => {
                format!(
                    "The command is the program alone; its arguments belong into `args`. Make the \
                     command `{program}`, and the arguments {}.",
                    in_code(arguments)
                )
            }
            Self::VariablesInCommand { names, line } => {
                let rest = match line.split_first() {
                    Some((program, [])) => format!("Make the command `{program}`."),
                    Some((program, arguments)) => format!(
                        "Make the command `{program}`, and the arguments {}.",
                        in_code(arguments)
                    ),
                    None => "Make the program the command.".to_owned(),
                };
                format!(
                    "The command is the program alone; variables belong into `env`. Move {} there \
                     with what follows the `=`. {rest}",
                    in_code(names)
                )
            }
            Self::Folder { command } => {
                format!("{command} is a folder. Give the path of the program in it.")
            }
            Self::NotExecutable { file } => format!(
                "Make it executable with `chmod +x {}`, or name its interpreter as the command and \
                 the file as the first argument.",
                shell_quoted(file)
            ),
            Self::InterpreterMissing { file, interpreter } => format!(
                "The file exists, but the interpreter {interpreter} does not. Install it, or \
                 correct the first line of {file}."
            ),
            Self::CarriageReturn { file } => format!(
                "The file has the line ends of Windows. Save {file} with Unix line ends (LF), for \
                 instance with `dos2unix`."
            ),
            Self::ForWindows {
                instead: Some(program),
                ..
            } => format!(
                "The entry is written for Windows. Here, make `{program}` the command, and leave \
                 out the arguments before it."
            ),
            Self::ForWindows { instead: None, .. } => {
                "The entry is written for Windows. Name the program of this computer as the \
                 command."
                    .to_owned()
            }
            Self::NoDirectory { .. } => {
                "Make the directory, or name another one in the entry.".to_owned()
            }
            Self::Other { .. } => {
                "The program could not be run. Check its permissions and working directory."
                    .to_owned()
            }
        };
        Hint {
            text,
            action: HintAction::EditServer,
        }
    }

    /// Changes every text that came from outside.
    pub(super) fn rewrite(&mut self, change: &impl Fn(&mut String)) {
        match self {
            Self::NotOnPath { command, nearest } => {
                change(command);
                nearest.iter_mut().for_each(change);
            }
            Self::ArgumentsInCommand { program, arguments } => {
                change(program);
                arguments.iter_mut().for_each(change);
            }
            Self::VariablesInCommand { names, line } => {
                names.iter_mut().chain(line).for_each(change);
            }
            Self::NotExecutable { file: text }
            | Self::CarriageReturn { file: text }
            | Self::NoFile { command: text }
            | Self::Folder { command: text }
            | Self::NoDirectory { directory: text }
            | Self::Other { message: text } => change(text),
            Self::InterpreterMissing { file, interpreter } => {
                change(file);
                change(interpreter);
            }
            Self::ForWindows { command, instead } => {
                change(command);
                instead.iter_mut().for_each(change);
            }
        }
    }
}

/// Lists words, each in backticks.
fn in_code(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
