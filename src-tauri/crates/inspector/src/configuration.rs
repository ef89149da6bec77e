//! Scope files: what a change would do, and doing it.

use sightglass_config::{
    Change, Client, ConfigAction, Draft, Edit, Scope, Target, UnexpandedEndpoint,
};
use sightglass_model::ServerId;
use sightglass_secrets::name_suggests_secret;

use crate::{Inspector, InspectorError, view::PlannedView};

impl Inspector {
    /// A server's entry as the form shows it.
    ///
    /// # Errors
    /// When there is no such server, or its entry is not one that a form can show.
    pub fn server_draft(&self, server: &ServerId) -> Result<Draft, InspectorError> {
        let effective = self.effective(server)?;
        Draft::of_entry(&effective.entry).ok_or_else(|| {
            InspectorError::InvalidEntry(effective.entry.problems().cloned().collect())
        })
    }

    /// A server's entry in its file, with the values masked that look like secrets.
    ///
    /// # Errors
    /// When there is no such server.
    pub fn server_entry(&self, server: &ServerId) -> Result<String, InspectorError> {
        let effective = self.effective(server)?;
        let mut text = effective.entry.raw.expose().clone();
        let named = effective
            .entry
            .spec
            .as_ref()
            .ok()
            .map(|spec| match &spec.endpoint {
                UnexpandedEndpoint::Stdio { environment, .. } => environment,
                UnexpandedEndpoint::Remote(remote) => &remote.headers,
            });
        for (name, value) in named.into_iter().flatten() {
            let value = value.text.expose();
            if name_suggests_secret(name) && !value.is_empty() && !value.contains("${") {
                text = text.replace(value.as_str(), "•••");
            }
        }
        Ok(text)
    }

    /// A server's entry in its file, secrets included.
    ///
    /// # Errors
    /// When there is no such server.
    pub fn reveal_server_entry(&self, server: &ServerId) -> Result<String, InspectorError> {
        Ok(self.effective(server)?.entry.raw.expose().clone())
    }

    /// What saving `draft` into the file of `scope` would change. `replaces` is the server
    /// that is being edited, if any.
    ///
    /// # Errors
    /// When the draft is incomplete, or the file is broken or cannot be read.
    pub fn plan_server(
        &self,
        draft: &Draft,
        scope: Scope,
        replaces: Option<&ServerId>,
    ) -> Result<PlannedView, InspectorError> {
        let (change, replacing) = self.plan_save(draft, scope, replaces)?;
        Ok(planned(&change, replacing))
    }

    /// Saves `draft` into the file of `scope`, and says which server that is now.
    ///
    /// # Errors
    /// As [`plan_server`](Self::plan_server), and when the file cannot be written.
    pub fn save_server(
        &self,
        draft: &Draft,
        scope: Scope,
        replaces: Option<&ServerId>,
    ) -> Result<ServerId, InspectorError> {
        let target = Target::new(Client::McpJson, scope.id());
        let draft = draft.clone();
        let id = ServerId::new(sightglass_config::CLIENT, draft.name.trim());
        let action = match self.edited(scope, replaces)? {
            Some(name) => ConfigAction::Edit {
                target,
                name,
                draft,
            },
            None => ConfigAction::Add { target, draft },
        };
        self.carry_out(&action)?;
        Ok(id)
    }

    /// What removing a server from its file would change.
    ///
    /// # Errors
    /// When there is no such server, or its file is broken or cannot be read.
    pub fn plan_removal(&self, server: &ServerId) -> Result<PlannedView, InspectorError> {
        Ok(planned(&self.plan_remove(server)?, Replacing::Existing))
    }

    /// Removes a server from the file that defines it, and closes its connection.
    ///
    /// # Errors
    /// As [`plan_removal`](Self::plan_removal), and when the file cannot be written.
    pub async fn remove_server(&self, server: &ServerId) -> Result<(), InspectorError> {
        let effective = self.effective(server)?;
        self.carry_out(&ConfigAction::Remove {
            target: Target::new(Client::McpJson, effective.scope.id()),
            names: vec![effective.name],
        })?;
        self.connections.disconnect(server).await;
        self.tell_servers();
        Ok(())
    }

    /// The server of this scope that is edited. An entry of another file is not replaced: the
    /// new one stands beside it, and the order of precedence decides.
    fn edited(
        &self,
        scope: Scope,
        replaces: Option<&ServerId>,
    ) -> Result<Option<String>, InspectorError> {
        let Some(server) = replaces else {
            return Ok(None);
        };
        let edited = self.effective(server)?;
        Ok((edited.scope == scope).then_some(edited.name))
    }

    fn plan_save(
        &self,
        draft: &Draft,
        scope: Scope,
        replaces: Option<&ServerId>,
    ) -> Result<(Change, Replacing), InspectorError> {
        let path = self.options.places.path(scope);
        let (edit, replacing) = match self.edited(scope, replaces)? {
            Some(name) => (
                Edit::Replace {
                    name,
                    draft: draft.clone(),
                },
                Replacing::Existing,
            ),
            None => (
                Edit::Add {
                    draft: draft.clone(),
                },
                Replacing::Nothing,
            ),
        };
        Ok((sightglass_config::plan_at(&path, &edit)?, replacing))
    }

    fn plan_remove(&self, server: &ServerId) -> Result<Change, InspectorError> {
        let effective = self.effective(server)?;
        Ok(sightglass_config::plan_at(
            &effective.path,
            &Edit::Remove {
                name: effective.name,
            },
        )?)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Replacing {
    Nothing,
    Existing,
}

fn planned(change: &Change, replacing: Replacing) -> PlannedView {
    PlannedView {
        path: change.path().display().to_string(),
        creates_file: change.before().is_none(),
        replaces: replacing == Replacing::Existing,
        diff: change.diff(),
        remaining_problems: change.remaining_problems(),
    }
}
