use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    entry::{Section, ServerEntry},
    json::{self, Fault, Member, Value},
    places::Scope,
    problem::{Problem, ProblemKind, Severity},
    read_entry::read_entry,
    source::{Position, Source},
};

/// What became of reading a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum FileState {
    /// There is no such file, which is no fault.
    Missing,
    /// The file was read. Single entries may still be wrong; they say so themselves.
    Loaded,
    /// The text is not what it has to be, so nothing in it counts, as for every client that
    /// reads this file.
    Broken { problems: Vec<Problem> },
    /// The file is there and its bytes could not be had.
    Unreadable { message: String },
}

/// One scope's file.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopeFile {
    pub scope: Scope,
    pub path: PathBuf,
    pub state: FileState,
    /// What is odd about a file that was read all the same.
    pub warnings: Vec<Problem>,
    /// The servers it defines, in the order of the file, a name once.
    pub entries: Vec<ServerEntry>,
}

impl ScopeFile {
    /// All that is wrong with the file and its entries.
    pub fn problems(&self) -> Vec<&Problem> {
        let broken = match &self.state {
            FileState::Broken { problems } => problems.as_slice(),
            FileState::Missing | FileState::Loaded | FileState::Unreadable { .. } => &[],
        };
        broken
            .iter()
            .chain(&self.warnings)
            .chain(self.entries.iter().flat_map(ServerEntry::problems))
            .collect()
    }
}

/// Reads the file of a scope. Never fails: see [`FileState`].
pub fn read_scope_file(scope: Scope, path: &Path) -> ScopeFile {
    let state = match fs::read(path) {
        Ok(bytes) => match decode(bytes) {
            Ok(text) => return parse_scope_file(scope, path, &text),
            Err(problem) => FileState::Broken {
                problems: vec![problem],
            },
        },
        Err(error) if is_absence(&error) => FileState::Missing,
        Err(error) => FileState::Unreadable {
            message: why_unreadable(&error),
        },
    };
    ScopeFile {
        scope,
        path: path.to_owned(),
        state,
        warnings: Vec::new(),
        entries: Vec::new(),
    }
}

/// Whether reading failed because there is nothing. A directory of the path that is a file
/// is no file of ours either, but something is in its place; that is told apart.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Why a file could not be read, and what to do.
pub(crate) fn why_unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "You have no permission to read this file. Allow it, for instance with chmod u+r."
                .into()
        }
        io::ErrorKind::IsADirectory => {
            "This is a directory; a file is expected here. Rename or remove the directory.".into()
        }
        io::ErrorKind::NotADirectory => {
            "A part of this path is a file, not a directory. Rename or remove that file.".into()
        }
        _ => format!("The system says: {error}."),
    }
}

/// The text of a file's bytes.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, Problem> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Problem::error(
            ProblemKind::Encoding,
            Position::START,
            "The file is saved as UTF-16. Save it as UTF-8.",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        Problem::error(
            ProblemKind::Encoding,
            Source::new(&text).position(text.len()),
            "The file is not UTF-8 from here on. Save it as UTF-8.",
        )
    })
}

/// What a file may hold beside JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// RFC 8259 and nothing else.
    StrictJson,
    /// Comments and trailing commas as well.
    JsonWithComments,
}

impl Dialect {
    fn allows(self, fault: &Fault) -> bool {
        match self {
            Dialect::StrictJson => false,
            Dialect::JsonWithComments => fault.kind.is_harmless(),
        }
    }
}

/// Reads the text of a scope's file. A byte order mark and any line ends are fine.
pub fn parse_scope_file(scope: Scope, path: &Path, text: &str) -> ScopeFile {
    parse_in_dialect(Dialect::StrictJson, scope, path, text)
}

/// Reads the text of a file of the same content in a given dialect.
pub(crate) fn parse_in_dialect(
    dialect: Dialect,
    scope: Scope,
    path: &Path,
    text: &str,
) -> ScopeFile {
    let source = Source::new(text);
    let document = json::parse(text);
    let mut file = ScopeFile {
        scope,
        path: path.to_owned(),
        state: FileState::Loaded,
        warnings: Vec::new(),
        entries: Vec::new(),
    };
    let problems: Vec<Problem> = document
        .faults
        .iter()
        .filter(|fault| !dialect.allows(fault))
        .map(|fault| fault.to_problem(&source))
        .collect();
    if !problems.is_empty() {
        file.state = FileState::Broken { problems };
        return file;
    }
    let Some(root) = &document.root else {
        return file;
    };
    let Value::Object(root_object) = &root.value else {
        file.state = FileState::Broken {
            problems: vec![Problem::error(
                ProblemKind::WrongType,
                source.position(root.range.start),
                format!(
                    "The file has to hold an object, but this is {}.",
                    root.value.type_name()
                ),
            )],
        };
        return file;
    };
    let mut sections = SectionReader {
        source: &source,
        lines_of_servers: HashMap::new(),
        file: &mut file,
    };
    let mut sections_of_wrong_type = Vec::new();
    let mut sections_read = 0;
    for section in Section::BY_PRECEDENCE {
        let Some(member) = root_object.get(section.key()) else {
            continue;
        };
        sections.warn_of_repetition(section, root_object);
        match &member.value.value {
            Value::Object(servers) => {
                sections_read += 1;
                sections.read(section, servers);
            }
            other => sections_of_wrong_type.push(Problem::error(
                ProblemKind::WrongType,
                source.position(member.value.range.start),
                format!(
                    "{} has to be an object of servers, but is {}.",
                    section.key(),
                    other.type_name()
                ),
            )),
        }
    }
    if sections_read == 0 && !sections_of_wrong_type.is_empty() {
        file.state = FileState::Broken {
            problems: sections_of_wrong_type,
        };
    } else {
        file.warnings
            .extend(sections_of_wrong_type.into_iter().map(|problem| Problem {
                severity: Severity::Warning,
                ..problem
            }));
    }
    file.warnings
        .sort_by_key(|problem| (problem.line, problem.column));
    file.entries.sort_by_key(|entry| (entry.line, entry.column));
    file
}

/// Collects the servers of a file, section by section, the one that wins first.
struct SectionReader<'a> {
    source: &'a Source<'a>,
    /// Where the servers that count stand.
    lines_of_servers: HashMap<String, u32>,
    file: &'a mut ScopeFile,
}

impl SectionReader<'_> {
    fn warn(&mut self, at: usize, message: String) {
        self.file.warnings.push(Problem::warning(
            ProblemKind::DuplicateKey,
            self.source.position(at),
            message,
        ));
    }

    fn warn_of_repetition(&mut self, section: Section, root: &json::Object) {
        let key = section.key();
        let places = root.members.iter().filter(|member| member.key == key);
        for again in places.skip(1) {
            self.warn(
                again.key_range.start,
                format!("{key} stands in this file again; only the last one counts."),
            );
        }
    }

    fn read(&mut self, section: Section, servers: &json::Object) {
        let last: HashMap<&str, usize> = servers
            .members
            .iter()
            .enumerate()
            .map(|(index, server)| (server.key.as_str(), index))
            .collect();
        for (index, server) in servers.members.iter().enumerate() {
            let name = &server.key;
            let start = server.key_range.start;
            if last.get(name.as_str()) != Some(&index) {
                self.warn(
                    start,
                    format!("{name} is defined again below; only the last one counts."),
                );
            } else if let Some(line) = self.lines_of_servers.get(name) {
                let message =
                    format!("{name} stands under mcpServers as well, on line {line}; that counts.");
                self.warn(start, message);
            } else {
                self.add(section, server);
            }
        }
    }

    fn add(&mut self, section: Section, server: &Member) {
        let at = self.source.position(server.key_range.start);
        self.lines_of_servers.insert(server.key.clone(), at.line);
        let read = read_entry(self.source, server);
        self.file.entries.push(ServerEntry {
            name: server.key.clone(),
            scope: self.file.scope,
            path: self.file.path.clone(),
            section,
            line: at.line,
            column: at.column,
            raw: self.source.text()[server.value.range.clone()]
                .to_owned()
                .into(),
            disabled: read.disabled,
            spec: read.spec,
            warnings: read.warnings,
        });
    }
}
