//! Resolves a launch plan into something that can be connected to.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use sightglass_model::{Endpoint, HeadersHelper, RemoteEndpoint, ServerSpec, Trust};
use sightglass_secrets::{Secret, named_value_secrets, value_suggests_secret};

use crate::{
    entry::{UnexpandedEndpoint, UnexpandedRemote, UnexpandedSpec, UnexpandedText},
    entry::{
        environment_file,
        expand::{Environment, Expansion, ExpansionError, FILE_PREFIX, expand_with},
        referenced_file,
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
/// program decides.
///
/// # Errors
/// All problems of the entry, at their places in its file. Whether the server is disabled
/// is not asked here.
pub(crate) fn resolve(
    name: &str,
    unexpanded: &UnexpandedSpec,
    options: ResolveOptions<'_>,
) -> Result<ServerSpec, Vec<Problem>> {
    let (endpoint, resolver) = run(unexpanded, options);
    if !resolver.problems.is_empty() {
        return Err(resolver.problems);
    }
    Ok(ServerSpec {
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
    })
}

/// Returns the names of the variables that have to be set and are not, in the order of the entry.
pub(crate) fn unset_variables(
    unexpanded: &UnexpandedSpec,
    options: ResolveOptions<'_>,
) -> Vec<String> {
    run(unexpanded, options).1.unset
}

/// Expands every text of an entry, for an environment that notes what it is asked for.
pub(crate) fn expand_all(unexpanded: &UnexpandedSpec, environment: &Environment<'_>) {
    let options = ResolveOptions {
        environment,
        project: Path::new(""),
        reads_files: false,
    };
    // That nothing has a value is no fault here.
    let _ = run(unexpanded, options);
}

/// The file of variables that an entry names; nothing where its path cannot be expanded.
pub(crate) fn environment_file(
    unexpanded: &UnexpandedSpec,
    options: ResolveOptions<'_>,
) -> Option<PathBuf> {
    let UnexpandedEndpoint::Stdio {
        environment_file: Some(text),
        ..
    } = &unexpanded.endpoint
    else {
        return None;
    };
    let mut lookup = |name: &str| (options.environment)(name);
    let path = expand_with(
        unexpanded.expansion.of_field("envFile"),
        text.text.expose(),
        &mut lookup,
    )
    .ok()?;
    Some(options.project.join(path))
}

fn run<'a>(unexpanded: &UnexpandedSpec, options: ResolveOptions<'a>) -> (Endpoint, Resolver<'a>) {
    let mut resolver = Resolver {
        expansion: unexpanded.expansion,
        options,
        expanded: BTreeMap::new(),
        contents: Vec::new(),
        is_withheld: false,
        problems: Vec::new(),
        unset: Vec::new(),
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
    expansion: Expansion,
    /// The variables that were put in.
    expanded: BTreeMap<String, Secret<String>>,
    /// The contents of files that were put in. They are secrets, whatever they are.
    contents: Vec<Secret<String>>,
    /// True once a text is not known, since a file is not read.
    is_withheld: bool,
    problems: Vec<Problem>,
    /// Names of the variables that are not set, each once.
    unset: Vec<String>,
}

impl Resolver<'_> {
    fn problem(&mut self, text: &UnexpandedText, message: String) {
        self.problems
            .push(Problem::error(ProblemKind::InvalidValue, text.at, message));
    }

    /// The expanded text; empty when it could not be expanded, which was then reported.
    fn text(&mut self, field: &str, text: &UnexpandedText) -> String {
        let options = self.options;
        let (used, contents) = (&mut self.expanded, &mut self.contents);
        let is_withheld = &mut self.is_withheld;
        let mut environment = |name: &str| {
            if let Some(path) = name.strip_prefix(FILE_PREFIX) {
                if !options.reads_files {
                    *is_withheld = true;
                    return Some(String::new());
                }
                let content = referenced_file::read(Path::new(path), options.project)?;
                if content.len() >= MIN_SECRET {
                    contents.push(Secret::new(content.clone()));
                }
                return Some(content);
            }
            let value = (options.environment)(name)?;
            used.insert(name.to_owned(), Secret::new(value.clone()));
            Some(value)
        };
        match expand_with(
            self.expansion.of_field(field),
            text.text.expose(),
            &mut environment,
        ) {
            Ok(expanded) => expanded,
            Err(errors) => {
                for error in errors {
                    let kind = match &error {
                        ExpansionError::Unset(name) => {
                            let is_file = name.starts_with(FILE_PREFIX);
                            if !is_file && !self.unset.contains(name) {
                                self.unset.push(name.clone());
                            }
                            ProblemKind::UnsetVariable
                        }
                        ExpansionError::NotAVariable(_)
                        | ExpansionError::Unclosed
                        | ExpansionError::TooDeep => ProblemKind::InvalidValue,
                    };
                    self.problems
                        .push(Problem::error(kind, text.at, format!("{field} {error}")));
                }
                String::new()
            }
        }
    }

    /// Like [`Self::text`], for a field that has to hold something afterwards.
    fn filled_text(&mut self, field: &str, text: &UnexpandedText) -> String {
        let before = self.problems.len();
        let expanded = self.text(field, text);
        if expanded.trim().is_empty() && self.problems.len() == before && !self.is_withheld {
            self.problem(
                text,
                format!("{field} is empty once its variables are put in."),
            );
        }
        expanded
    }

    fn named_texts(
        &mut self,
        field: &str,
        texts: &[(String, UnexpandedText)],
    ) -> BTreeMap<String, Secret<String>> {
        texts
            .iter()
            .map(|(name, text)| {
                let expanded = self.text(&format!("{field}.{name}"), text);
                (name.clone(), expanded.into())
            })
            .collect()
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
                .map(|text| HeadersHelper::of(self.filled_text("headersHelper", text))),
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
