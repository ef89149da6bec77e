//! Maps errors to [`CommandError`]: a code to act on, a message to show, a hint on what to do.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::Poll,
};

use serde::Serialize;
use sightglass_inspector::{ErrorCode, Inspector, InspectorError};

/// Error of a command.
#[derive(Debug, Clone, Serialize, specta::Type)]
pub struct CommandError {
    pub code: ErrorCode,
    /// Description of the error, in one sentence.
    pub message: String,
    /// Advice on what to do about it.
    pub hint: Option<String>,
}

impl From<InspectorError> for CommandError {
    fn from(error: InspectorError) -> Self {
        Self {
            code: error.code(),
            hint: error.hint(),
            message: error.to_string(),
        }
    }
}

impl CommandError {
    /// The operating system refused something that has no hint of its own.
    pub fn system(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::System,
            message: message.into(),
            hint: None,
        }
    }
}

/// Result of every command.
pub type CommandResult<T> = Result<T, CommandError>;

/// Runs a command so that a panic in it ends this command, with an error that the window shows,
/// and nothing else. Without it the window would wait for an answer for ever.
pub async fn contained<T>(command: impl Future<Output = CommandResult<T>>) -> CommandResult<T> {
    let mut command = pin!(command);
    std::future::poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| command.as_mut().poll(context)))
            .unwrap_or_else(|panic| Poll::Ready(Err(InspectorError::caught(&*panic).into())))
    })
    .await
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_in_a_command_is_its_answer() {
        let fine = contained(async { Ok(7) }).await;
        assert_eq!(fine.expect("it answers"), 7);
        let error = contained::<()>(async {
            tokio::task::yield_now().await;
            panic!("a defect")
        })
        .await
        .expect_err("it failed");
        assert_eq!(error.code, ErrorCode::Internal);
        assert_eq!(error.message, "Sightglass had an internal error: a defect.");
        assert!(error.hint.expect("a hint").contains("Copy the report"));
    }
}
