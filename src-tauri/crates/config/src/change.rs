//! Changes configuration files: an action becomes a plan of [`FileChange`](file_change::FileChange)s,
//! which is shown, written, and taken back.

pub(crate) mod action;
pub(crate) mod apply_steps;
pub(crate) mod backup;
pub(crate) mod denied_tools;
pub(crate) mod disabled_servers;
pub(crate) mod error;
pub(crate) mod file_change;
pub(crate) mod file_edit;
pub(crate) mod history;
pub(crate) mod name_list;
pub(crate) mod real_path;
pub(crate) mod write;
