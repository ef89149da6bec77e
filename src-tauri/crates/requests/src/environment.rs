//! Environments: named values for the references of requests.
//!
//! `.sightglass/environments/NAME.toml` is shared with the project; `NAME.local.toml` beside it has
//! the values of one machine, goes before it, and belongs in `.gitignore`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sightglass_files::ReadError;
use thiserror::Error;

use crate::{
    exact,
    folder::{FolderError, refuse_link},
    text::{RequestProblem, toml_problem},
};

/// Name of the directory of the environments, beside that of the requests.
const ENVIRONMENT_DIRECTORY: &str = "environments";

/// Values by their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Environment(BTreeMap<String, Value>);

/// Reason why an environment cannot be used.
#[derive(Debug, Error)]
pub enum EnvironmentError {
    #[error("There is no environment {name}. {known}")]
    Unknown { name: String, known: String },
    #[error("{path}: {problem}")]
    Invalid {
        path: PathBuf,
        problem: RequestProblem,
    },
    #[error("{path} cannot be read: {source}.")]
    Unreadable { path: PathBuf, source: ReadError },
    #[error(transparent)]
    Link(#[from] FolderError),
}

impl Environment {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Reads `name = value`, where a value is a text, a number, a boolean, or a list or table of
    /// those.
    fn parse(text: &str) -> Result<Self, RequestProblem> {
        let table: toml::Table =
            toml::from_str(text).map_err(|error| toml_problem(text, &error))?;
        let values = table.into_iter().map(|(name, value)| {
            // What TOML can say, JSON can; only its infinite numbers become null.
            let value = serde_json::to_string(&value).unwrap_or_default();
            (name, exact::read(&value).unwrap_or_default())
        });
        Ok(Self(values.collect()))
    }
}

/// Reads an environment of the directory that has the requests' directory.
pub fn read_environment(directory: &Path, name: &str) -> Result<Environment, EnvironmentError> {
    let mut environment = Environment::default();
    let mut is_there = false;
    // A name with a separator in it would leave the directory.
    let files = match name.contains(['/', '\\']) {
        true => Vec::new(),
        false => vec![format!("{name}.toml"), format!("{name}.local.toml")],
    };
    let environments = environment_directory(directory);
    refuse_link(&environments)?;
    for file in files {
        let path = environments.join(file);
        // The values of a link's target would be sent without having been approved.
        refuse_link(&path)?;
        let bytes = match sightglass_files::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absence() => continue,
            Err(source) => return Err(EnvironmentError::Unreadable { path, source }),
        };
        is_there = true;
        let text = String::from_utf8_lossy(&bytes);
        let read = Environment::parse(&text)
            .map_err(|problem| EnvironmentError::Invalid { path, problem })?;
        environment.0.extend(read.0);
    }
    if !is_there {
        let known = match environment_names(directory) {
            names if names.is_empty() => format!(
                "Write one as {}.",
                environment_directory(directory)
                    .join(format!("{name}.toml"))
                    .display()
            ),
            names => format!("There are: {}.", names.join(", ")),
        };
        return Err(EnvironmentError::Unknown {
            name: name.to_owned(),
            known,
        });
    }
    Ok(environment)
}

/// The directory of the environments in the directory that has the requests' directory.
pub fn environment_directory(directory: &Path) -> PathBuf {
    directory.join(ENVIRONMENT_DIRECTORY)
}

/// The names of the environments of the directory that has the requests' directory, sorted.
pub fn environment_names(directory: &Path) -> Vec<String> {
    let files = std::fs::read_dir(environment_directory(directory));
    let mut names: Vec<String> = files
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|file| {
            file.file_type().ok().filter(std::fs::FileType::is_file)?;
            let name = file.file_name().into_string().ok()?;
            let name = name.strip_suffix(".toml")?;
            Some(name.strip_suffix(".local").unwrap_or(name).to_owned())
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_values_of_this_machine_go_first() {
        let directory = tempfile::tempdir().expect("a directory");
        let environments = environment_directory(directory.path());
        fs::create_dir(&environments).expect("made");
        sightglass_files::replace(
            &environments.join("dev.toml"),
            b"url = \"a\"\nn = 5\nlist = [1, \"b\"]",
        )
        .expect("written");
        sightglass_files::replace(&environments.join("dev.local.toml"), b"url = \"b\"")
            .expect("written");
        let environment = read_environment(directory.path(), "dev").expect("an environment");
        assert_eq!(environment.get("url"), Some(&"b".into()));
        assert_eq!(environment.get("n"), Some(&5.into()));
        assert_eq!(environment.get("list"), Some(&serde_json::json!([1, "b"])));
        assert_eq!(environment_names(directory.path()), ["dev"]);
        for unknown in ["prod", "../environments/dev"] {
            let error = read_environment(directory.path(), unknown).expect_err(unknown);
            assert!(error.to_string().contains("There are: dev."), "{error}");
        }
        #[cfg(unix)]
        {
            let other = directory.path().join("credentials.toml");
            sightglass_files::replace(&other, b"token = \"x\"").expect("written");
            std::os::unix::fs::symlink(&other, environments.join("linked.toml")).expect("linked");
            let error = read_environment(directory.path(), "linked").expect_err("a link");
            assert!(error.to_string().contains("is a link"), "{error}");
            assert_eq!(environment_names(directory.path()), ["dev"]);
        }
        sightglass_files::replace(&environments.join("bad.toml"), b"a = \n").expect("written");
        let error = read_environment(directory.path(), "bad").expect_err("bad");
        assert!(error.to_string().contains("bad.toml: 1:"), "{error}");
    }
}
