//! Servers that the rules of the organisation let through.

use std::{ops::Deref, path::PathBuf, sync::Arc};

use crate::{Endpoint, ServerSpec};

/// Rules that say which servers may be started or contacted, as the managed policy does.
pub trait ServerRules: Send + Sync {
    /// Returns the rule that refuses a server, as a message.
    fn refusal_of(&self, server: &ServerSpec) -> Option<String>;
}

/// Server that the rules let through.
///
/// Whatever starts a program of an entry or contacts its address takes one of these: connections,
/// sign-ins, the doctor, the conformance suite. A client can therefore be made only of what was
/// judged. Of the application, `Inspector::permit_spec` alone makes them; an architecture test
/// holds that.
#[derive(Clone)]
pub struct PermittedSpec {
    spec: ServerSpec,
    /// The name by which it was judged.
    judged: String,
    /// `None` for a part of the application, which no rule is about.
    rules: Option<Arc<dyn ServerRules>>,
}

impl PermittedSpec {
    /// Judges a server.
    ///
    /// # Errors
    /// The rule that refuses it, as a message.
    pub fn judged(spec: ServerSpec, rules: Arc<dyn ServerRules>) -> Result<Self, String> {
        match rules.refusal_of(&spec) {
            Some(rule) => Err(rule),
            None => Ok(Self {
                judged: spec.name.clone(),
                spec,
                rules: Some(rules),
            }),
        }
    }

    /// Takes a part of the application itself.
    pub fn built_in(spec: ServerSpec) -> Self {
        Self {
            judged: spec.name.clone(),
            spec,
            rules: None,
        }
    }

    /// Returns true when the server may still be contacted by newer rules.
    pub fn is_permitted_by(&self, rules: &dyn ServerRules) -> bool {
        let mut spec = self.spec.clone();
        spec.name.clone_from(&self.judged);
        self.rules.is_none() || rules.refusal_of(&spec).is_none()
    }

    /// Returns true when the same server may be contacted at another address.
    pub fn permits_address(&self, url: &str) -> bool {
        let mut spec = self.spec.clone();
        spec.name.clone_from(&self.judged);
        if let Endpoint::Remote(remote) = &mut spec.endpoint {
            url.clone_into(&mut remote.url);
        }
        let rules = self.rules.as_ref();
        rules.is_none_or(|rules| rules.refusal_of(&spec).is_none())
    }

    /// Returns the server under another name, for the record. The rules judged it by its own.
    #[must_use]
    pub fn renamed(mut self, name: String) -> Self {
        self.spec.name = name;
        self
    }

    /// Returns the directory in which its program starts, or the command that gives its headers. No
    /// rule is about that directory.
    pub fn working_directory_mut(&mut self) -> Option<&mut Option<PathBuf>> {
        match &mut self.spec.endpoint {
            Endpoint::Stdio {
                working_directory, ..
            } => Some(working_directory),
            Endpoint::Remote(remote) => {
                let helper = remote.headers_helper.as_mut()?;
                Some(&mut helper.working_directory)
            }
        }
    }
}

impl Deref for PermittedSpec {
    type Target = ServerSpec;

    fn deref(&self) -> &ServerSpec {
        &self.spec
    }
}
