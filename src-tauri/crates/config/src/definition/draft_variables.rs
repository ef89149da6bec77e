//! Variables of the environment in drafts that somebody else wrote.
//!
//! A link, an entry of a registry, a snippet or an announcement can refer to any variable:
//! `X-Client: ${AWS_SECRET_ACCESS_KEY:-none}` would send its value to a stranger. In such a draft a
//! reference counts only once the user allowed the variable. Until then its default stands in its
//! place, and where it has none a value has to be entered.

use super::draft::{Draft, DraftEndpoint, DraftProblem};
use crate::entry::{
    dialect::map_references,
    expand::{INPUT_PREFIX, MAX_DEPTH, SECRET_PREFIX},
};

/// Variables that say where a program runs and for whom. Whoever starts a program on this computer
/// tells it anyway; a server elsewhere is told none of them unasked.
pub(crate) const OF_THE_PLACE: [&str; 8] = [
    "HOME",
    "PATH",
    "USER",
    "PWD",
    "TMPDIR",
    "userHome",
    "workspaceFolder",
    "CLAUDE_PROJECT_DIR",
];

impl Draft {
    /// The draft as one that somebody else wrote: no reference to the environment counts yet.
    pub fn of_others(self) -> Self {
        Self {
            variables: Some(Vec::new()),
            ..self
        }
    }

    /// Tells whether a reference to a variable counts. One to a secret or an input reads nothing of
    /// the environment: the user enters its value for the entry.
    pub(crate) fn allows(&self, name: &str) -> bool {
        let Some(allowed) = &self.variables else {
            return true;
        };
        let is_program = matches!(self.endpoint, DraftEndpoint::Stdio { .. });
        name.starts_with(SECRET_PREFIX)
            || name.starts_with(INPUT_PREFIX)
            || allowed.iter().any(|allowed| allowed == name)
            || (is_program && OF_THE_PLACE.contains(&name))
    }

    /// The draft with the defaults of the references that do not count.
    pub(crate) fn with_defaults_of_others(&self) -> Self {
        let mut settled = self.clone();
        if self.variables.is_some() {
            settled.each_text(&mut |_, text| *text = self.settled(text, 0));
        }
        settled
    }

    fn settled(&self, text: &str, depth: usize) -> String {
        // What is deeper than this is refused when it is expanded.
        if depth > MAX_DEPTH {
            return text.to_owned();
        }
        map_references(text, |reference, name, default| {
            let default = default.map(|default| self.settled(default, depth + 1));
            match (self.allows(name), default) {
                (false, Some(default)) => default,
                (true, Some(default)) => format!("${{{name}:-{default}}}"),
                (_, None) => reference.to_owned(),
            }
        })
    }

    /// Hands on each text that may hold references, with its field.
    pub(crate) fn each_text(&mut self, visit: &mut dyn FnMut(&str, &mut String)) {
        fn numbered<'t>(
            field: &str,
            texts: impl Iterator<Item = &'t mut String>,
            visit: &mut dyn FnMut(&str, &mut String),
        ) {
            for (index, text) in texts.enumerate() {
                visit(&format!("{field}[{index}]"), text);
            }
        }
        match &mut self.endpoint {
            DraftEndpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory,
            } => {
                visit("command", command);
                numbered("arguments", arguments.iter_mut(), visit);
                let environment = environment.iter_mut().map(|variable| &mut variable.text);
                numbered("environment", environment, visit);
                if let Some(directory) = working_directory {
                    visit("workingDirectory", directory);
                }
            }
            DraftEndpoint::Remote(remote) => {
                visit("url", &mut remote.url);
                let headers = remote.headers.iter_mut().map(|header| &mut header.text);
                numbered("headers", headers, visit);
                for (field, text) in [
                    ("caFile", &mut remote.ca_file),
                    ("fingerprint", &mut remote.fingerprint),
                ] {
                    text.iter_mut().for_each(|text| visit(field, text));
                }
            }
        }
        if let Some(sign_in) = &mut self.sign_in {
            for (field, text) in [
                ("signIn.clientId", &mut sign_in.client_id),
                ("signIn.clientMetadataUrl", &mut sign_in.client_metadata_url),
            ] {
                text.iter_mut().for_each(|text| visit(field, text));
            }
            let scopes = sign_in.scopes.iter_mut().flatten();
            scopes.for_each(|scope| visit("signIn.scopes", scope));
        }
    }

    /// Variables without which the draft is not complete, and which the user did not allow it.
    pub fn missing_variables(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.each_missing(&mut |_, name| {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        });
        names
    }

    /// The references that do not count and have no default.
    pub(super) fn variable_problems(&self) -> Vec<DraftProblem> {
        let mut problems = Vec::new();
        self.each_missing(&mut |field, name| {
            problems.push(DraftProblem::error(field, needs(name)));
        });
        problems
    }

    fn each_missing(&self, visit: &mut dyn FnMut(&str, &str)) {
        if self.variables.is_none() {
            return;
        }
        let mut settled = self.with_defaults_of_others();
        settled.each_text(&mut |field, text| {
            map_references(text, |_, name, _| {
                if !self.allows(name) {
                    visit(field, name);
                }
                String::new()
            });
        });
        let sign_in = self.sign_in.as_ref();
        let token = sign_in.and_then(|sign_in| sign_in.bearer_variable.as_deref());
        if let Some(name) = token.filter(|name| !name.is_empty() && !self.allows(name)) {
            visit("signIn.bearerVariable", name);
        }
    }
}

/// Says what to do about a variable that the user did not allow.
pub(crate) fn needs(name: &str) -> String {
    format!("Enter a value, or allow it to read the variable {name} of your environment.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::draft::{DraftRemote, NamedText};

    fn header(text: &str, allowed: &[&str]) -> Draft {
        let header = NamedText {
            name: "X".into(),
            text: text.into(),
        };
        Draft {
            name: "docs".into(),
            endpoint: DraftEndpoint::Remote(DraftRemote {
                url: "https://docs.example/mcp".into(),
                headers: vec![header],
                ..DraftRemote::default()
            }),
            era: Default::default(),
            limits: None,
            tools: None,
            sign_in: None,
            variables: Some(allowed.iter().map(|name| (*name).to_owned()).collect()),
        }
    }

    fn settled(text: &str, allowed: &[&str]) -> String {
        match header(text, allowed).with_defaults_of_others().endpoint {
            DraftEndpoint::Remote(mut remote) => remote.headers.remove(0).text,
            DraftEndpoint::Stdio { .. } => panic!("it is remote"),
        }
    }

    #[test]
    fn a_default_takes_the_place_of_what_is_not_allowed() {
        for (text, allowed, expected) in [
            ("a ${KEY:-b} c", [].as_slice(), "a b c"),
            ("${KEY:-}", &[], ""),
            ("${KEY}", &[], "${KEY}"),
            ("${KEY:-b}", &["KEY"], "${KEY:-b}"),
            ("${A:-${KEY:-b}}", &[], "b"),
            ("${A:-${KEY:-b}}", &["A"], "${A:-b}"),
            ("${A:-${KEY}}", &["KEY"], "${KEY}"),
            ("${HOME:-b}", &[], "b"),
            ("${secret:KEY}", &[], "${secret:KEY}"),
        ] {
            assert_eq!(settled(text, allowed), expected, "{text} {allowed:?}");
        }
    }

    #[test]
    fn what_has_no_default_is_missing_once() {
        let missing = |text, allowed| header(text, allowed).missing_variables();
        assert_eq!(missing("${KEY}${KEY} ${A:-${KEY}}", &[]), ["KEY"]);
        assert_eq!(missing("${KEY}", &["KEY"]), Vec::<String>::new());
        assert_eq!(missing("${KEY:-b} ${secret:S}", &[]), Vec::<String>::new());
        assert_eq!(
            header("${KEY}", &[]).variable_problems()[0].field,
            "headers[0]"
        );
        let own = Draft {
            variables: None,
            ..header("${KEY}", &[])
        };
        assert_eq!(own.missing_variables(), Vec::<String>::new());
    }

    #[test]
    fn a_program_may_be_told_where_it_runs_and_nothing_else() {
        let program = Draft {
            endpoint: DraftEndpoint::Stdio {
                command: "${HOME}/x".into(),
                arguments: vec!["${KEY}".into()],
                environment: Vec::new(),
                working_directory: None,
            },
            ..header("", &[])
        };
        assert_eq!(program.missing_variables(), ["KEY"]);
    }

    #[test]
    fn defaults_that_never_end_are_no_crash() {
        let deep = 100_000;
        let text = "${A:-".repeat(deep) + &"}".repeat(deep);
        settled(&text, &[]);
    }
}
