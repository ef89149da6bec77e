//! Runs the commands of the shell itself.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use sightglass_inspector::{CommandError, Inspector, InspectorError};

/// Result of a command.
pub type CommandResult<T> = Result<T, CommandError>;

/// Runs a command that reads or writes files, on a thread that may block: a slow disk then holds up
/// this command and neither connections nor other commands. A panic in it is its error.
pub async fn blocking<T: Send + 'static>(
    inspector: &Arc<Inspector>,
    command: impl FnOnce(&Inspector) -> Result<T, InspectorError> + Send + 'static,
) -> CommandResult<T> {
    let inspector = Arc::clone(inspector);
    // Caught on its own thread, where the place of the panic is known.
    let command = move || {
        catch_unwind(AssertUnwindSafe(|| command(&inspector)))
            .unwrap_or_else(|panic| Err(InspectorError::caught(&*panic)))
    };
    let ended = tokio::task::spawn_blocking(command).await;
    Ok(ended.map_err(|_| InspectorError::Closing)??)
}
