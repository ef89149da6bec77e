//! Options that a host opens with.

use std::{path::PathBuf, sync::Arc};

use sightglass_config::Places;
use sightglass_connection::{ListKind, ReaperCommand};

use crate::persistence::Persistence;

/// Answers the value of an environment variable, if it is set.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Options of an `Inspector`.
#[derive(Clone)]
pub struct InspectorOptions {
    /// The home directory and the project.
    pub places: Places,
    /// Directory of settings, remembered arguments and the record.
    pub data_directory: PathBuf,
    pub persistence: Persistence,
    /// The lists that are loaded as part of connecting.
    pub lists: Vec<ListKind>,
    /// The program that is the built-in demo server, and its arguments.
    pub demo: Option<(PathBuf, Vec<String>)>,
    /// Command of the process that ends servers when the application is killed.
    pub reaper: Option<ReaperCommand>,
    /// For `${VAR}` in configuration files.
    pub environment: Environment,
    /// The directory above the files of the machine's administrator: `/`, except in tests.
    pub system_root: PathBuf,
    pub confirmation: ConfirmationMode,
}

/// Mode of confirming calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConfirmationMode {
    /// Each call waits for the answer of the user.
    Ask,
    /// There is no window to ask in: a call that needs an answer is refused.
    #[default]
    Refuse,
    /// The user agreed to all calls beforehand. Rules that deny count all the same.
    Agreed,
}
