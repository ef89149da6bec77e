//! Reads the servers of one file into definitions, for any client.

pub(crate) mod definition_state;
pub(crate) mod differences;
pub(crate) mod draft;
pub(crate) mod draft_entry;
pub(crate) mod draft_variables;
pub(crate) mod launch_plan;
pub(crate) mod layout;
pub(crate) mod masked_file;
pub(crate) mod misplaced;
pub(crate) mod show;

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

use serde_json::{Map, Value};
use sightglass_secrets::Secret;

use crate::{
    client::{Client, limits::default_limits},
    definition::{layout::Layout, misplaced::misplaced_servers},
    entry::UnexpandedSpec,
    entry::{
        client_variable::ClientVariables,
        dialect::{
            Dialect,
            behaviour::{Behaviour, RefusalEffect},
            plain, plain_object,
        },
        escaped_path::escaped_paths,
        exposed::{ExposedSecret, exposed_secrets},
        field_names::{fields_within, misspelt_fields},
        input::{InputValue, declared_inputs, inputs, undeclared_input},
        not_expanded::not_expanded,
        read_entry::read_entry,
        referenced_file::with_absolute_files,
    },
    text::{
        file::FileState,
        format::FileFormat,
        json::{Document, Member, NodeValue, Object},
        limits::{MAX_MISTAKES, shortened},
        named_list::by_name,
        problem::{Problem, ProblemKind, Severity},
        source::{Position, Source},
    },
};

/// Largest number of values that an entry may have, those within others included.
const MAX_VALUES: usize = 10_000;

/// Largest number of servers that are read from one file.
const MAX_SERVERS: usize = 20_000;

/// One server as one file defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub name: String,
    /// Line of the entry's name.
    pub line: u32,
    pub column: u32,
    /// Index of the layout's section that it stands in.
    pub(crate) section: usize,
    /// The entry's value, exactly as the file has it. It may hold secrets.
    pub raw: Secret<String>,
    /// The entry in the common form, that of an `.mcp.json` file.
    pub common: Secret<Map<String, Value>>,
    /// Fields that the client does not have.
    pub unknown_fields: Vec<String>,
    /// Those of them of which a warning says what was meant.
    pub(crate) misspelt_fields: Vec<String>,
    /// Fields that only its client has, which have no counterpart in the common form.
    pub own_fields: Vec<String>,
    /// The same with their values.
    pub own: Secret<Map<String, Value>>,
    /// True when it says not to be used.
    pub disabled: bool,
    /// Specification in the entry, or the problems that keep it from being used.
    pub spec: Result<UnexpandedSpec, Vec<Problem>>,
    /// Reasons for which its client does not accept the entry. It is not used then, whatever `spec`
    /// says.
    pub refused: Vec<Problem>,
    /// Warnings about an entry that can be used.
    pub warnings: Vec<Problem>,
    /// The secrets that stand in it themselves.
    pub exposed: Vec<ExposedSecret>,
    pub(crate) surroundings: Arc<Surroundings>,
}

/// What a client knows about an entry from elsewhere than the entry.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Surroundings {
    /// The variables that the client itself sets, such as `workspaceFolder`.
    pub variables: ClientVariables,
    /// The inputs that the file declares.
    pub inputs: Vec<InputValue>,
    /// The directory of the file, from which paths in it count.
    pub directory: PathBuf,
    /// The home directory, which `~/` stands for.
    pub home: PathBuf,
}

impl Definition {
    /// The entry in the common form, with the paths of the files that it refers to absolute.
    pub(crate) fn with_absolute_files(&self) -> Map<String, Value> {
        let Surroundings {
            directory, home, ..
        } = &*self.surroundings;
        with_absolute_files(self.common.expose(), directory, home)
    }

    /// All that is wrong with the entry, the errors first.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        // What the client says of it is nearer to the user than what a general reader finds.
        let errors = self.spec.as_ref().err().filter(|_| self.refused.is_empty());
        self.refused
            .iter()
            .chain(errors.into_iter().flatten())
            .chain(&self.warnings)
    }

    /// Returns the fields that the client does not have and of which no problem tells.
    pub fn untold_fields(&self) -> Vec<String> {
        let unknown = self.unknown_fields.iter();
        let untold = unknown.filter(|field| !self.misspelt_fields.contains(field));
        untold.cloned().collect()
    }

    /// Returns true when its client goes on as if the entry were not there.
    pub(crate) fn is_skipped(&self, client: Client) -> bool {
        !self.refused.is_empty() && Behaviour::of(client).effect == RefusalEffect::Skipped
    }

    /// The same server as an entry in which those of several files are merged.
    pub(crate) fn merged(&self, common: Map<String, Value>, dialect: &Dialect) -> Self {
        let text = Value::Object(common.clone()).to_string();
        let at = Position {
            line: self.line,
            column: self.column,
        };
        let source = Source::at(&text, at);
        let read = FileFormat::Json.parse(&text).root.map(|value| {
            let member = Member {
                key: self.name.clone(),
                key_range: 0..0,
                value,
                comma: None,
            };
            read_entry(&source, &member, true, dialect.expansion())
        });
        let Some(mut read) = read else {
            return self.clone();
        };
        if let Ok(spec) = &mut read.spec {
            spec.limits.client = default_limits(dialect.client);
        }
        let raw = serde_json::to_string_pretty(&common).unwrap_or(text);
        Self {
            raw: raw.into(),
            common: common.into(),
            disabled: read.disabled,
            spec: read.spec,
            warnings: read.warnings,
            ..self.clone()
        }
    }

    /// The value that its client asks the user for under this name.
    pub fn input(&self, id: &str) -> Option<&InputValue> {
        let mut inputs = self.surroundings.inputs.iter();
        inputs.find(|input| input.id == id)
    }

    /// Returns the first problem that keeps it from being used.
    pub fn first_error(&self) -> Option<&Problem> {
        self.problems()
            .find(|problem| problem.severity == Severity::Error)
    }
}

/// Content of a text.
pub(crate) struct ParsedServers {
    pub state: FileState,
    pub warnings: Vec<Problem>,
    /// In the order of the text, a name once.
    pub definitions: Vec<Definition>,
    pub inputs: Vec<InputValue>,
}

/// Reads the servers of a text.
pub(crate) fn read_definitions(layout: &Layout, text: &str) -> ParsedServers {
    let source = Source::new(text);
    let document = layout.format.parse(text);
    let problems = layout.problems(&source, &document);
    if !problems.is_empty() {
        return broken(problems);
    }
    let mut read = match root_of(&source, &document) {
        Ok(Some(root)) => DefinitionReader {
            layout,
            source: &source,
            declared_inputs: HashSet::new(),
            lines: HashMap::new(),
            warnings: Vec::new(),
            definitions: Vec::new(),
        }
        .read(root),
        Ok(None) => ParsedServers {
            state: FileState::Loaded,
            warnings: Vec::new(),
            definitions: Vec::new(),
            inputs: Vec::new(),
        },
        Err(problem) => broken(vec![problem]),
    };
    if read.state == FileState::Loaded {
        let misplaced = misplaced_servers(layout, &source, &document, &read.definitions);
        let refused = Behaviour::of(layout.client).refused_forms(&source, &document);
        read.warnings.extend(misplaced);
        read.warnings.extend(refused);
        read.warnings
            .sort_by_key(|problem| (problem.line, problem.column));
    }
    read
}

fn broken(problems: Vec<Problem>) -> ParsedServers {
    ParsedServers {
        state: FileState::Broken { problems },
        warnings: Vec::new(),
        definitions: Vec::new(),
        inputs: Vec::new(),
    }
}

fn root_of<'d>(source: &Source<'_>, document: &'d Document) -> Result<Option<&'d Object>, Problem> {
    match document.root.as_ref() {
        None => Ok(None),
        Some(root) => match &root.value {
            NodeValue::Object(object) => Ok(Some(object)),
            other => Err(Problem::error(
                ProblemKind::WrongType,
                source.position(root.range.start),
                format!(
                    "The file has to hold an object, but this is {}.",
                    other.type_name()
                ),
            )),
        },
    }
}

/// Value at the end of a path.
enum Section<'d> {
    Missing,
    Servers(Cow<'d, Object>),
    /// Something on the way is no object.
    WrongType(Problem),
}

/// Collects the servers of a file, section by section, the one that wins first.
struct DefinitionReader<'a> {
    layout: &'a Layout,
    source: &'a Source<'a>,
    /// Ids of the values that the file declares, where its client asks its user for them.
    declared_inputs: HashSet<String>,
    /// Lines of the servers that count.
    lines: HashMap<String, u32>,
    warnings: Vec<Problem>,
    definitions: Vec<Definition>,
}

impl DefinitionReader<'_> {
    fn read(mut self, root: &Object) -> ParsedServers {
        let inputs = match root.get("inputs") {
            Some(member) if Behaviour::of(self.layout.client).has_inputs => {
                let member = plain(&member.value);
                self.declared_inputs = declared_inputs(&member);
                inputs(&member)
            }
            _ => Vec::new(),
        };
        let mut of_wrong_type = Vec::new();
        let mut sections_read = 0;
        for index in 0..self.layout.sections.len() {
            match self.find(root, index) {
                Section::Missing => {}
                Section::Servers(servers) => {
                    sections_read += 1;
                    self.read_section(index, &servers);
                }
                Section::WrongType(problem) => of_wrong_type.push(problem),
            }
        }
        let mut state = FileState::Loaded;
        if sections_read == 0 && !of_wrong_type.is_empty() {
            state = FileState::Broken {
                problems: of_wrong_type,
            };
        } else {
            let demoted = of_wrong_type.into_iter().map(|problem| Problem {
                severity: Severity::Warning,
                ..problem
            });
            self.warnings.extend(demoted);
        }
        self.definitions
            .sort_by_key(|definition| (definition.line, definition.column));
        if let (Some(reason), [_, second, ..]) =
            (self.layout.one_server, self.definitions.as_slice())
        {
            let at = Position {
                line: second.line,
                column: second.column,
            };
            return broken(vec![Problem::error(ProblemKind::Conflict, at, reason)]);
        }
        ParsedServers {
            state,
            warnings: self.warnings,
            definitions: self.definitions,
            inputs,
        }
    }

    fn warn(&mut self, at: usize, message: String) {
        let message = match self.warnings.len().cmp(&MAX_MISTAKES) {
            Ordering::Less => message,
            Ordering::Equal => {
                format!("More than {MAX_MISTAKES} names stand here again; no more are listed.")
            }
            Ordering::Greater => return,
        };
        self.warnings.push(Problem::warning(
            ProblemKind::DuplicateKey,
            self.source.position(at),
            message,
        ));
    }

    fn find<'d>(&mut self, root: &'d Object, section: usize) -> Section<'d> {
        let mut object = root;
        let layout = self.layout;
        let section = &layout.sections[section];
        for (depth, key) in section.path.iter().enumerate() {
            let mut places = object.members.iter().filter(|member| member.key == *key);
            let Some(mut member) = places.next() else {
                return Section::Missing;
            };
            for again in places {
                self.warn(
                    again.key_range.start,
                    format!("{key} stands in this file again; only the last one counts."),
                );
                member = again;
            }
            let is_list = section.is_list && depth + 1 == section.path.len();
            match &member.value.value {
                NodeValue::Array(elements) if is_list => {
                    return Section::Servers(Cow::Owned(by_name(elements)));
                }
                // A server of that name is no group of servers.
                NodeValue::Object(inner) if depth > 0 && layout.is_server_instead(inner) => {
                    return Section::Missing;
                }
                NodeValue::Object(inner) if !is_list => object = inner,
                other => {
                    let wanted = if is_list { "a list" } else { "an object" };
                    return Section::WrongType(Problem::error(
                        ProblemKind::WrongType,
                        self.source.position(member.value.range.start),
                        format!(
                            "{key} has to be {wanted} of servers, but is {}.",
                            other.type_name()
                        ),
                    ));
                }
            }
        }
        Section::Servers(Cow::Borrowed(object))
    }

    fn read_section(&mut self, section: usize, servers: &Object) {
        let last: HashMap<&str, usize> = servers
            .members
            .iter()
            .enumerate()
            .map(|(index, server)| (server.key.as_str(), index))
            .collect();
        for (index, server) in servers.members.iter().enumerate() {
            let name = &server.key;
            let start = server.key_range.start;
            if self.layout.is_group(section, server) || is_built_in(self.layout.client, server) {
                continue;
            }
            if last.get(name.as_str()) != Some(&index) {
                self.warn(
                    start,
                    format!("{name} is defined again below; only the last one counts."),
                );
            } else if let Some(line) = self.lines.get(name) {
                let first = self.layout.sections[0].path.join(".");
                let message =
                    format!("{name} stands under {first} as well, on line {line}; that counts.");
                self.warn(start, message);
            } else if self.definitions.len() == MAX_SERVERS {
                let message = format!(
                    "This file has more than {MAX_SERVERS} servers; those from here on are not \
                     read. Remove what is not needed."
                );
                self.warnings.push(Problem::warning(
                    ProblemKind::InvalidValue,
                    self.source.position(start),
                    message,
                ));
                return;
            } else {
                self.add(section, server);
            }
        }
    }

    fn add(&mut self, section: usize, server: &Member) {
        let at = self.source.position(server.key_range.start);
        self.lines.insert(server.key.clone(), at.line);
        let raw = &self.source.text()[server.value.range.clone()];
        if has_more_values(&server.value.value, MAX_VALUES) {
            let problem = Problem::error(
                ProblemKind::InvalidValue,
                at,
                format!(
                    "This entry has more than {MAX_VALUES} values, so it is not read. Remove \
                     what is not needed."
                ),
            );
            self.definitions.push(Definition {
                name: server.key.clone(),
                line: at.line,
                column: at.column,
                section,
                raw: raw.to_owned().into(),
                common: Map::new().into(),
                unknown_fields: Vec::new(),
                misspelt_fields: Vec::new(),
                own_fields: Vec::new(),
                own: Map::new().into(),
                disabled: false,
                spec: Err(vec![problem]),
                refused: Vec::new(),
                warnings: Vec::new(),
                exposed: Vec::new(),
                surroundings: Arc::default(),
            });
            return;
        }
        let mut common = server.clone();
        let mut unknown_fields = Vec::new();
        let mut misspelt = Vec::new();
        let mut own_fields = Vec::new();
        let mut own = Map::new();
        let mut plain = Map::new();
        let mut exposed = Vec::new();
        let mut refused = Vec::new();
        let mut warnings = Vec::new();
        let mut errors = Vec::new();
        if let NodeValue::Object(entry) = &server.value.value {
            let dialect = self.layout.sections[section].dialect;
            let translated = dialect.to_common(entry);
            refused = self.refusals(dialect, at, entry, &translated.object);
            errors = fields_within(dialect, self.source, entry);
            warnings = not_expanded(dialect, self.source, &translated.object);
            warnings.extend(escaped_paths(self.source, &translated.object));
            unknown_fields = translated.unknown;
            for (name, warning) in misspelt_fields(dialect, self.source, entry, &unknown_fields) {
                misspelt.push(name);
                warnings.push(warning);
            }
            own_fields = dialect.own_fields(entry);
            own = dialect.own_members(entry);
            plain = plain_object(&translated.object);
            exposed = exposed_secrets(self.source, &translated.object, &plain);
            common.value.value = NodeValue::Object(translated.object);
        }
        let expansion = self.layout.sections[section].dialect.expansion();
        let mut read = read_entry(
            self.source,
            &common,
            self.layout.refuses_two_endpoints,
            expansion,
        );
        match &mut read.spec {
            Ok(spec) => spec.limits.client = default_limits(self.layout.client),
            Err(found) => found.extend(errors),
        }
        read.warnings.extend(warnings);
        if let Some(complaint) = self.layout.dialect().complaint_about_name(&server.key) {
            read.warnings
                .push(Problem::warning(ProblemKind::InvalidValue, at, complaint));
        }
        self.definitions.push(Definition {
            name: server.key.clone(),
            line: at.line,
            column: at.column,
            section,
            raw: raw.to_owned().into(),
            common: plain.into(),
            unknown_fields,
            misspelt_fields: misspelt,
            own_fields,
            own: own.into(),
            disabled: read.disabled,
            spec: read.spec,
            refused,
            warnings: read.warnings,
            exposed,
            surroundings: Arc::default(),
        });
    }
}

impl DefinitionReader<'_> {
    /// Returns the reasons for which the client does not accept an entry.
    fn refusals(
        &self,
        dialect: &'static Dialect,
        at: Position,
        entry: &Object,
        common: &Object,
    ) -> Vec<Problem> {
        if !dialect.is_usual() {
            return Vec::new();
        }
        let behaviour = dialect.behaviour();
        let mut refused = behaviour.refusals(self.source, self.layout.format, at, entry);
        if behaviour.has_inputs
            && let Some((at, id)) = undeclared_input(self.source, common, &self.declared_inputs)
        {
            let reason = format!(
                "{} is not under inputs. Add it there: {{ \"type\": \"promptString\", \"id\": {} }}.",
                shortened(&format!("${{input:{id}}}")),
                serde_json::Value::from(shortened(&id))
            );
            refused.push(behaviour.refusal(at, &reason));
        }
        refused
    }
}

/// Tells whether an entry switches on a part of the client, or a server that is defined elsewhere,
/// which is no server of its own.
pub(crate) fn is_built_in(client: Client, server: &Member) -> bool {
    let NodeValue::Object(entry) = &server.value.value else {
        return false;
    };
    if client == Client::Continue {
        return entry.get("uses").is_some();
    }
    let kind = entry.get("type").map(|member| &member.value.value);
    client == Client::Goose
        && matches!(kind, Some(NodeValue::String(kind))
            if ["builtin", "platform", "frontend", "inline_python"].contains(&kind.as_str()))
}

/// Tells whether a value holds more than `limit` values.
fn has_more_values(value: &NodeValue, limit: usize) -> bool {
    fn count(value: &NodeValue, left: &mut usize) -> bool {
        let mut take = |inner: &NodeValue| match left.checked_sub(1) {
            Some(rest) => {
                *left = rest;
                count(inner, left)
            }
            None => false,
        };
        match value {
            NodeValue::Array(elements) => elements.iter().all(|element| take(&element.value)),
            NodeValue::Object(object) => object
                .members
                .iter()
                .all(|member| take(&member.value.value)),
            NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) | NodeValue::String(_) => {
                true
            }
        }
    }
    let mut left = limit;
    !count(value, &mut left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_a_hundred_thousand_variables_is_refused_in_words() {
        let variables: Vec<String> = (0..100_000).map(|n| format!("\"V{n}\":\"x\"")).collect();
        let text = format!(
            "{{\"mcpServers\":{{\"big\":{{\"command\":\"x\",\"env\":{{{}}}}},\"small\":{{\"command\":\"x\"}}}}}}",
            variables.join(",")
        );
        let reading = read_definitions(&Layout::mcp_json(), &text);
        let [big, small] = reading.definitions.as_slice() else {
            panic!("both are there");
        };
        let error = big.first_error().expect("it is refused");
        assert!(error.message.contains("more than 10000 values"), "{error}");
        assert!(small.spec.is_ok());
    }

    #[test]
    fn of_a_variable_that_stands_twice_the_last_one_counts() {
        let text = r#"{"mcpServers":{"a":{"command":"x","env":{"A":"1","B":"2","A":"3"}}}}"#;
        let reading = read_definitions(&Layout::mcp_json(), text);
        let definition = &reading.definitions[0];
        assert_eq!(definition.warnings.len(), 1);
        let Ok(spec) = &definition.spec else {
            panic!("it can be used");
        };
        let shown = format!("{:?}", definition.common.expose().get("env"));
        assert!(
            shown.contains('3') && !shown.contains('1'),
            "{shown} {spec:?}"
        );
    }
}
