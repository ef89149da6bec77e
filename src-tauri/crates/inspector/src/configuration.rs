//! Scope files: what a change would do, and doing it.

use sightglass_config::{Change, Draft, Edit, Scope, UnexpandedEndpoint};
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
        let (change, _) = self.plan_save(draft, scope, replaces)?;
        sightglass_config::write(&change)?;
        self.reload();
        Ok(ServerId::new(sightglass_config::CLIENT, draft.name.trim()))
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
        let change = self.plan_remove(server)?;
        sightglass_config::write(&change)?;
        self.connections.disconnect(server).await;
        self.reload();
        Ok(())
    }

    fn plan_save(
        &self,
        draft: &Draft,
        scope: Scope,
        replaces: Option<&ServerId>,
    ) -> Result<(Change, Replacing), InspectorError> {
        let path = self.options.places.path(scope);
        let edited = match replaces {
            Some(server) => Some(self.effective(server)?),
            None => None,
        };
        // An entry of another file is not replaced: the new one stands beside it, and the
        // order of precedence decides.
        let (edit, replacing) = match edited.filter(|edited| edited.scope == scope) {
            Some(edited) => (
                Edit::Replace {
                    name: edited.name,
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
