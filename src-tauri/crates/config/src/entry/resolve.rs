//! Resolves a launch plan into something that can be connected to.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

use sightglass_model::{
    Endpoint, ExpandedReference, HeadersHelper, ReferenceSource, RemoteEndpoint, ServerSpec, Trust,
};
use sightglass_secrets::{Secret, named_value_secrets, value_suggests_secret};

use crate::{
    entry::{UnexpandedEndpoint, UnexpandedRemote, UnexpandedSpec, UnexpandedText},
    entry::{
        client_variable::ClientVariables,
        environment_file,
        expand::{
            Budget, Environment, Expansion, ExpansionError, FILE_PREFIX, INPUT_PREFIX,
            SECRET_PREFIX, expand_with,
        },
        referenced_file,
        shell_text::{Shell, ShellText, shell_text},
        value::address_problem,
    },
    text::problem::{Problem, ProblemKind},
};

/// The shortest content of a file that is masked, in bytes. Less stands everywhere by chance.
const MIN_SECRET: usize = 4;

/// The surroundings that a launch plan is resolved in.
#[derive(Clone, Copy)]
pub struct ResolveOptions<'a> {
    /// Answers the value of an environment variable, if it is set.
    pub environment: &'a Environment<'a>,
    /// The project against which relative paths are understood.
    pub project: &'a Path,
    /// True for a connection, which was approved: the files whose content the entry puts into its
    /// texts are read. Otherwise they count as empty.
    pub reads_files: bool,
}

/// Expands the variables of a server and checks what comes out.
///
/// The rules are those of `${VARIABLE}` and `${VARIABLE:-default}`: a set variable counts even
/// when it is empty, a default may hold references of its own, `$$` and `$NAME` stand for
/// themselves. They apply to `command`, `args`, `env`, `cwd`, `url`, `headers`, `ca_file` and
/// `tls_fingerprint`, to values and never to names. A relative `cwd` or `ca_file` is understood
/// from the project. Without a `cwd` there is no working directory yet: whoever starts the
/// program decides. `variables` are those of the client, and go before the environment. The text of
/// `headersHelper` is for a shell, and no value is put into it ([`shell_text`]).
///
/// # Errors
/// All problems of the entry, at their places in its file. Whether the server is disabled
/// is not asked here.
pub(crate) fn resolve(
    name: &str,
    unexpanded: &UnexpandedSpec,
    variables: &ClientVariables,
    options: ResolveOptions<'_>,
) -> Result<ServerSpec, Vec<Problem>> {
    let (spec, problems) = resolve_known(name, unexpanded, variables, options);
    match problems.is_empty() {
        true => Ok(spec),
        false => Err(problems),
    }
}

/// Expands the variables that have a value, and returns the problems beside what comes out. A text
/// with a problem is empty.
pub(crate) fn resolve_known(
    name: &str,
    unexpanded: &UnexpandedSpec,
    variables: &ClientVariables,
    options: ResolveOptions<'_>,
) -> (ServerSpec, Vec<Problem>) {
    let (endpoint, resolver) = run(unexpanded, variables, options);
    let spec = ServerSpec {
        name: name.to_owned(),
        endpoint,
        era: unexpanded.era,
        limits: unexpanded.limits.clone(),
        client: Default::default(),
        is_recorded: true,
        expanded: named_value_secrets(&resolver.expanded)
            .into_iter()
            .chain(resolver.contents)
            .collect(),
        references: resolver.references,
    };
    (spec, resolver.problems)
}

/// Returns the names of the variables that have to be set and are not, in the order of the entry.
pub(crate) fn unset_variables(
    unexpanded: &UnexpandedSpec,
    variables: &ClientVariables,
    options: ResolveOptions<'_>,
) -> Vec<String> {
    run(unexpanded, variables, options).1.unset
}

/// Expands every text of an entry, for an environment that notes what it is asked for.
pub(crate) fn expand_all(unexpanded: &UnexpandedSpec, environment: &Environment<'_>) {
    let options = ResolveOptions {
        environment,
        project: Path::new(""),
        reads_files: false,
    };
    // That nothing has a value is no fault here.
    let _ = run(unexpanded, &ClientVariables::new(), options);
}

fn run<'a>(
    unexpanded: &UnexpandedSpec,
    variables: &'a ClientVariables,
    options: ResolveOptions<'a>,
) -> (Endpoint, Resolver<'a>) {
    let mut resolver = Resolver {
        expansion: unexpanded.expansion,
        options,
        variables,
        references: Vec::new(),
        expanded: BTreeMap::new(),
        contents: Vec::new(),
        is_withheld: false,
        problems: Vec::new(),
        unset: Vec::new(),
        known_unset: HashSet::new(),
        budget: Budget::default(),
    };
    let endpoint = match &unexpanded.endpoint {
        UnexpandedEndpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory,
            environment_file,
        } => resolver.stdio(
            command,
            arguments,
            (environment_file.as_ref(), environment),
            working_directory.as_ref(),
            options.project,
        ),
        UnexpandedEndpoint::Remote(remote) => resolver.remote(remote, options.project),
    };
    (endpoint, resolver)
}

struct Resolver<'a> {
    options: ResolveOptions<'a>,
    /// Those of the client.
    variables: &'a ClientVariables,
    expansion: Expansion,
    references: Vec<ExpandedReference>,
    /// The variables that were put in.
    expanded: BTreeMap<String, Secret<String>>,
    /// The contents of files that were put in. They are secrets, whatever they are.
    contents: Vec<Secret<String>>,
    /// True once a text is not known, since a file is not read.
    is_withheld: bool,
    problems: Vec<Problem>,
    /// Names of the variables that are not set, each once.
    unset: Vec<String>,
    /// The same names, to be looked up.
    known_unset: HashSet<String>,
    /// Of all texts together.
    budget: Budget,
}

impl Resolver<'_> {
    fn problem(&mut self, text: &UnexpandedText, message: String) {
        self.problems
            .push(Problem::error(ProblemKind::InvalidValue, text.at, message));
    }

    /// The expanded text; empty when it could not be expanded, which was then reported.
    fn text(&mut self, field: &str, text: &UnexpandedText) -> String {
        let rules = self.expansion.of_field(field);
        let mut value = |name: &str| self.value(field, name);
        let mut expanded = expand_with(rules, text.text.expose(), &mut value);
        if self.budget.is_spent() && rules.applies_to(text.text.expose()) {
            expanded = Err(vec![ExpansionError::TooMany]);
        }
        expanded.unwrap_or_else(|errors| {
            self.report(field, text, errors);
            String::new()
        })
    }

    /// The value of a reference, if it has one.
    fn value(&mut self, field: &str, name: &str) -> Option<String> {
        let mut budget = std::mem::take(&mut self.budget);
        let mut source = None;
        let value = budget.charge(|| {
            let (value, of) = self.lookup(name)?;
            source = Some(of);
            Some(value)
        });
        self.budget = budget;
        let (value, source) = value.zip(source)?;
        self.references.push(ExpandedReference {
            field: field.to_owned(),
            name: name.to_owned(),
            source,
        });
        Some(value)
    }

    fn lookup(&mut self, name: &str) -> Option<(String, ReferenceSource)> {
        if let Some(path) = name.strip_prefix(FILE_PREFIX) {
            let source = ReferenceSource::File(path.into());
            if !self.options.reads_files {
                self.is_withheld = true;
                return Some((String::new(), source));
            }
            let content = referenced_file::read(Path::new(path), self.options.project)?;
            if content.len() >= MIN_SECRET {
                self.contents.push(Secret::new(content.clone()));
            }
            return Some((content, source));
        }
        let (value, source) = match self.variables.get(name) {
            Some(variable) => (variable.value.clone(), variable.source.clone()),
            None => {
                let source = match name {
                    _ if name.starts_with(SECRET_PREFIX) => ReferenceSource::Secret,
                    _ if name.starts_with(INPUT_PREFIX) => ReferenceSource::Input,
                    _ => ReferenceSource::Environment,
                };
                ((self.options.environment)(name)?, source)
            }
        };
        self.expanded
            .insert(name.to_owned(), Secret::new(value.clone()));
        Some((value, source))
    }

    fn source_of(&self, name: &str) -> Option<ReferenceSource> {
        Some(self.variables.get(name)?.source.clone())
    }

    fn report(&mut self, field: &str, text: &UnexpandedText, errors: Vec<ExpansionError>) {
        for error in errors {
            let kind = match &error {
                ExpansionError::Unset(name) => {
                    let is_file = name.starts_with(FILE_PREFIX);
                    if !is_file && self.known_unset.insert(name.clone()) {
                        self.unset.push(name.clone());
                    }
                    ProblemKind::UnsetVariable
                }
                ExpansionError::NotAVariable(_)
                | ExpansionError::Unclosed
                | ExpansionError::TooDeep
                | ExpansionError::ShellSyntax(_)
                | ExpansionError::TooMany => ProblemKind::InvalidValue,
            };
            self.problems
                .push(Problem::error(kind, text.at, format!("{field} {error}")));
        }
    }

    /// Like [`Self::text`], for a field that has to hold something afterwards.
    fn filled_text(&mut self, field: &str, text: &UnexpandedText) -> String {
        let before = self.problems.len();
        let expanded = self.text(field, text);
        self.require(field, text, &expanded, before);
        expanded
    }

    /// Reports a text that is empty, unless `before` problems grew to more, which say why.
    fn require(&mut self, field: &str, text: &UnexpandedText, expanded: &str, before: usize) {
        if expanded.trim().is_empty() && self.problems.len() == before && !self.is_withheld {
            self.problem(
                text,
                format!("{field} is empty once its variables are put in."),
            );
        }
    }

    /// The command of a shell that gives headers. Its variables are set beside it.
    fn headers_helper(&mut self, text: &UnexpandedText) -> HeadersHelper {
        let field = "headersHelper";
        let before = self.problems.len();
        let rules = self.expansion.of_field(field);
        // The name of a folder is the choice of whoever made it, and a shell that starts another one
        // hands values on as text of a command.
        let mut unsafe_names = Vec::new();
        let shell = Shell::of_system();
        let mut value = |name: &str| {
            let value = self.value(field, name)?;
            let is_of_folder = self.source_of(name) == Some(ReferenceSource::Project);
            if is_of_folder && value.contains(shell.syntax()) {
                unsafe_names.push(name.to_owned());
            }
            Some(value)
        };
        let mut prepared = shell_text(shell, rules, text.text.expose(), &mut value);
        if prepared.is_ok() && !unsafe_names.is_empty() {
            let errors = unsafe_names.into_iter().map(ExpansionError::ShellSyntax);
            prepared = Err(errors.collect());
        }
        if self.budget.is_spent() && rules.applies_to(text.text.expose()) {
            prepared = Err(vec![ExpansionError::TooMany]);
        }
        let prepared = prepared.unwrap_or_else(|errors| {
            self.report(field, text, errors);
            ShellText::default()
        });
        self.require(field, text, &prepared.text, before);
        HeadersHelper {
            written: text.text.expose().clone(),
            variables: prepared.variables,
            ..HeadersHelper::of(prepared.text)
        }
    }

    fn named_texts(
        &mut self,
        field: &str,
        texts: &[(String, UnexpandedText)],
    ) -> BTreeMap<String, Secret<String>> {
        texts
            .iter()
            .filter_map(|(name, text)| {
                if self.is_left_out(field, text) {
                    return None;
                }
                let expanded = self.text(&format!("{field}.{name}"), text);
                Some((name.clone(), expanded.into()))
            })
            .collect()
    }

    /// Returns true for an environment variable or a header that the client leaves out, since the
    /// variable that it is taken from is not set. An empty one gives no header either.
    fn is_left_out(&self, field: &str, text: &UnexpandedText) -> bool {
        let Some(name) = self.expansion.taken_from(text.text.expose()) else {
            return false;
        };
        match (self.options.environment)(name) {
            Some(value) => field == "headers" && value.trim().is_empty(),
            None => true,
        }
    }

    /// The variables of the file that an entry names.
    fn environment_file(
        &mut self,
        text: &UnexpandedText,
        project: &Path,
    ) -> BTreeMap<String, Secret<String>> {
        let before = self.problems.len();
        let path = project.join(self.filled_text("envFile", text));
        if self.problems.len() > before {
            return BTreeMap::new();
        }
        self.references.push(ExpandedReference {
            field: "envFile".to_owned(),
            name: path.display().to_string(),
            source: ReferenceSource::File(path.clone()),
        });
        if !self.options.reads_files {
            self.is_withheld = true;
            return BTreeMap::new();
        }
        environment_file::read(&path).unwrap_or_else(|reason| {
            self.problem(
                text,
                format!("envFile cannot be read: {}: {reason}.", path.display()),
            );
            BTreeMap::new()
        })
    }

    fn stdio(
        &mut self,
        command: &UnexpandedText,
        arguments: &[UnexpandedText],
        (environment_file, environment): (Option<&UnexpandedText>, &[(String, UnexpandedText)]),
        working_directory: Option<&UnexpandedText>,
        project: &Path,
    ) -> Endpoint {
        let command = self.filled_text("command", command);
        // The name of a program is no secret, and a failure to start it has to say it.
        self.expanded
            .retain(|_, value| value_suggests_secret(value.expose()));
        let arguments = arguments
            .iter()
            .enumerate()
            .map(|(index, text)| self.text(&format!("args[{index}]"), text))
            .collect();
        let mut variables = environment_file
            .map(|file| self.environment_file(file, project))
            .unwrap_or_default();
        // What the entry itself sets counts before what its file sets.
        variables.extend(self.named_texts("env", environment));
        // Joining an absolute path answers that path alone.
        let working_directory = working_directory.map(|text| project.join(self.text("cwd", text)));
        Endpoint::Stdio {
            command,
            arguments,
            environment: variables,
            working_directory,
        }
    }

    fn remote(&mut self, remote: &UnexpandedRemote, project: &Path) -> Endpoint {
        let before = self.problems.len();
        let url = self.filled_text("url", &remote.url);
        if self.problems.len() == before
            && !self.is_withheld
            && let Some(complaint) = address_problem(&url, remote.transport)
        {
            self.problem(&remote.url, complaint);
        }
        let expanded_headers = self.named_texts("headers", &remote.headers);
        for (name, text) in &remote.headers {
            let is_valid = expanded_headers
                .get(name)
                .is_none_or(|value| http::HeaderValue::from_str(value.expose()).is_ok());
            if !is_valid {
                self.problem(
                    text,
                    format!("headers.{name} holds a line break or another control character."),
                );
            }
        }
        Endpoint::Remote(RemoteEndpoint {
            transport: remote.transport,
            url,
            headers: expanded_headers,
            headers_helper: remote
                .headers_helper
                .as_ref()
                .map(|text| self.headers_helper(text)),
            trust: self.trust(remote, project),
        })
    }

    fn trust(&mut self, remote: &UnexpandedRemote, project: &Path) -> Trust {
        let ca_file = remote
            .ca_file
            .as_ref()
            .map(|text| project.join(self.filled_text("ca_file", text)));
        let fingerprint = remote.fingerprint.as_ref().and_then(|text| {
            let before = self.problems.len();
            let expanded = self.text("tls_fingerprint", text);
            match expanded.parse() {
                Ok(fingerprint) => Some(fingerprint),
                Err(error) => {
                    if self.problems.len() == before {
                        self.problem(text, format!("tls_fingerprint cannot be used: {error}."));
                    }
                    None
                }
            }
        });
        Trust {
            ca_file,
            fingerprint,
            ..Trust::default()
        }
    }
}
