//! Compares the surface of a server with that of another, with a recorded one, or with its own in
//! another situation.
//!
//! The other situation is a connection beside the user's, which the window does not show and
//! which is closed after the comparison.

use std::sync::atomic::{AtomicU32, Ordering};

use sightglass_area_calls::{extensions::usual_settings, surface_difference::compared};
use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{RecordedServer, SurfaceCounterpart, SurfaceDifference},
};
use sightglass_connection::ConnectionKey;
use sightglass_model::{ServerId, ServerSpec, TASKS_EXTENSION};
use sightglass_session_file::SurfaceBuilder;
use sightglass_surface::Surface;

use crate::surface::Surfaces;

#[commands(comparison_commands)]
impl Surfaces {
    /// Compares the surface of a connected server with another one.
    #[command]
    pub async fn compare_surface(
        &self,
        server: &ServerId,
        counterpart: &SurfaceCounterpart,
    ) -> Result<SurfaceDifference, InspectorError> {
        let own = self.current_surface.current_surface(server)?;
        match counterpart {
            SurfaceCounterpart::Recording { recording } => {
                compared(self.recorded_surface(recording).await?, own).await
            }
            SurfaceCounterpart::Server { server } => {
                compared(own, self.known_surface(server)?).await
            }
            situation => compared(own, self.surface_in(server, situation).await?).await,
        }
    }

    /// Compares what two recorded servers showed.
    #[command]
    pub async fn compare_recordings(
        &self,
        before: &RecordedServer,
        after: &RecordedServer,
    ) -> Result<SurfaceDifference, InspectorError> {
        let before = self.recorded_surface(before).await?;
        compared(before, self.recorded_surface(after).await?).await
    }

    async fn recorded_surface(&self, recorded: &RecordedServer) -> Result<Surface, InspectorError> {
        let builder = SurfaceBuilder::default();
        let read = self
            .sessions
            .read_recorded(recorded, builder, SurfaceBuilder::frame);
        Ok(read.await?.finish())
    }

    /// The surface of a server: as it is now where it is connected, else as it was stored.
    fn known_surface(&self, server: &ServerId) -> Result<Surface, InspectorError> {
        self.current_surface.current_surface(server).or_else(|_| {
            let stored = self.surface_store.stored_surface(server).surface();
            stored.ok_or_else(|| {
                InspectorError::InvalidInput(format!(
                    "{server} is not connected, and no list of it is stored. Connect it first."
                ))
            })
        })
    }

    /// The surface that a server shows in another situation.
    async fn surface_in(
        &self,
        server: &ServerId,
        situation: &SurfaceCounterpart,
    ) -> Result<Surface, InspectorError> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let mut spec = self.sign_in_targets.resolved_spec(server)?;
        let mut identity = None;
        match situation {
            SurfaceCounterpart::Server { .. }
            | SurfaceCounterpart::Recording { .. }
            | SurfaceCounterpart::Reconnect => {}
            SurfaceCounterpart::Era { era } => {
                spec.era = *era;
                spec.client.revision = None;
            }
            SurfaceCounterpart::Identity { identity: chosen } => identity = Some(chosen),
            SurfaceCounterpart::Extension { name, is_declared } => {
                declare(&mut spec, name, *is_declared);
            }
        }
        let (spec, mut authorizer) = self.lifecycle.permitted(server, spec)?;
        if let Some(identity) = identity {
            let target = self.sign_in_targets.auth_target(server)?;
            authorizer = Some(self.core.sign_ins.authorizer(&target, Some(identity)));
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let beside = ConnectionKey::beside(server, &format!("comparison-{number}"));
        self.core
            .connections
            .connect_with(&beside, spec, authorizer);
        let surface = self.current_surface.listed_surface(&beside, None).await;
        self.core.connections.disconnect(&beside).await;
        self.core.connections.forget(&beside);
        surface
    }
}

/// Declares an extension to the server, or leaves it out.
fn declare(spec: &mut ServerSpec, name: &str, is_declared: bool) {
    let capabilities = &mut spec.client.capabilities;
    if name == TASKS_EXTENSION {
        capabilities.tasks = is_declared;
    }
    let extensions = &mut capabilities.extensions;
    if !is_declared {
        extensions.shift_remove(name);
    } else if !extensions.contains_key(name) {
        extensions.insert(name.to_owned(), usual_settings(name));
    }
}
