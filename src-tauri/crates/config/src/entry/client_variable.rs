//! The variables that a client itself sets for its servers, beside the environment.

use std::collections::BTreeMap;

use sightglass_model::ReferenceSource;

/// Variables of a client by name.
pub(crate) type ClientVariables = BTreeMap<&'static str, ClientVariable>;

/// Variable that a client itself sets, such as `workspaceFolder`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClientVariable {
    pub value: String,
    pub source: ReferenceSource,
}

impl ClientVariable {
    /// One that stands for the project's folder or its name, which is the choice of whoever made
    /// the folder.
    pub fn of_project(value: String) -> Self {
        Self {
            value,
            source: ReferenceSource::Project,
        }
    }

    pub fn of_client(value: String) -> Self {
        Self {
            value,
            source: ReferenceSource::Client,
        }
    }
}
