//! Reads and edits the text of a file: JSON, JSON with comments, TOML, YAML.
//!
//! Every format is read into the same tree, with the place of each value, and changed by the same
//! operations, which leave every other byte alone.

pub(crate) mod diff;
pub(crate) mod excerpt;
pub(crate) mod file;
pub(crate) mod format;
pub(crate) mod json;
pub(crate) mod json_edit;
pub(crate) mod limits;
pub(crate) mod named_list;
pub(crate) mod problem;
pub(crate) mod source;
pub(crate) mod toml;
pub(crate) mod yaml;
