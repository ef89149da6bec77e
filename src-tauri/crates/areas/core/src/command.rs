//! Commands: the methods of areas that hosts call by name, with JSON.
//!
//! `#[commands]` makes them of the methods that are marked with `#[command]`. A command of a part
//! becomes one of its area, and then one of the inspector, by [`within`]. A host needs
//! nothing else to serve them: the window's IPC writes its bindings from [`Command::function`] and
//! calls [`Command::run`].

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use sightglass_model::ErrorCode;
use specta::{Type, Types, datatype::DataType, datatype::Function};

use crate::error::InspectorError;

pub use sightglass_command_macros::commands;

/// A future of an answer, as JSON.
type Answer = Pin<Box<dyn Future<Output = Result<String, InspectorError>> + Send>>;

/// Work of a command that may block. Boxed, as an [`Answer`] is: what runs commands is compiled once,
/// and not for each of them.
type BlockingWork = Box<dyn FnOnce() -> Result<String, InspectorError> + Send>;

/// Gives the definition of a type, and collects those that it names.
type Definition = fn(&mut Types) -> DataType;

/// Names and types of a command.
#[derive(Clone, Copy)]
pub struct Signature {
    pub name: &'static str,
    /// Text of the doc comment, with its line breaks.
    pub docs: &'static str,
    /// Names of the parameters in Rust, with their types.
    pub parameters: &'static [(&'static str, Definition)],
    pub answer: Definition,
}

/// Returns the definition of the type of a parameter.
pub fn definition<T: Type>(types: &mut Types) -> DataType {
    T::definition(types)
}

/// Returns the definition of the result of a command that answers a `T`.
pub fn answer<T: Type>(types: &mut Types) -> DataType {
    Result::<T, CommandError>::definition(types)
}

/// A method of an `S` that hosts call by name.
pub struct Command<S> {
    signature: Signature,
    run: Arc<dyn Fn(Arc<S>, CommandArguments) -> Answer + Send + Sync>,
}

impl<S: Send + Sync + 'static> Command<S> {
    /// Makes a command of an `async` method.
    pub fn asynchronous<T, F>(
        signature: Signature,
        call: impl Fn(Arc<S>, CommandArguments) -> F + Copy + Send + Sync + 'static,
    ) -> Self
    where
        T: Serialize + Send,
        F: Future<Output = Result<T, InspectorError>> + Send + 'static,
    {
        let run = move |part: Arc<S>, arguments: CommandArguments| -> Answer {
            caught(Box::pin(
                async move { to_json(&call(part, arguments).await?) },
            ))
        };
        Self {
            signature,
            run: Arc::new(run),
        }
    }

    /// Makes a command of a method that may block: a slow disk then holds up this command and
    /// neither connections nor other commands.
    pub fn blocking<T: Serialize>(
        signature: Signature,
        call: impl Fn(Arc<S>, CommandArguments) -> Result<T, InspectorError>
        + Copy
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let run = move |part: Arc<S>, arguments: CommandArguments| -> Answer {
            on_blocking_thread(Box::new(move || to_json(&call(part, arguments)?)))
        };
        Self {
            signature,
            run: Arc::new(run),
        }
    }

    /// Makes a command of the whole that has the part.
    fn within<W: 'static>(self, part: fn(&W) -> &Arc<S>) -> Command<W> {
        let Self { signature, run } = self;
        Command {
            signature,
            run: Arc::new(move |whole, arguments| run(Arc::clone(part(&whole)), arguments)),
        }
    }

    /// The name that hosts call it by.
    pub fn name(&self) -> &'static str {
        self.signature.name
    }

    /// Describes the command for bindings, and collects the types that it names.
    pub fn function(&self, types: &mut Types) -> Function {
        // Specta makes a description only of a function; this one is filled in.
        #[specta::specta]
        fn described() {}
        let Signature {
            name,
            docs,
            parameters,
            answer,
        } = self.signature;
        let mut function = specta::function::fn_datatype!(described)(types);
        function.asyncness = true;
        function.name = name.into();
        function.docs = docs.into();
        let parameters = parameters.iter();
        function.args = parameters
            .map(|(name, definition)| ((*name).into(), definition(types)))
            .collect();
        function.result = Some(answer(types));
        function
    }

    /// Runs the command. A panic in it is its error.
    ///
    /// Must be called within a Tokio runtime.
    pub fn run(
        &self,
        on: Arc<S>,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Result<String, CommandError>> + Send + 'static {
        let arguments = CommandArguments {
            command: self.name(),
            values: arguments,
        };
        let answer = (self.run)(on, arguments);
        async move { Ok(answer.await?) }
    }
}

/// Makes commands of the whole of those of a part.
pub fn within<W: 'static, S: Send + Sync + 'static>(
    commands: Vec<Command<S>>,
    part: fn(&W) -> &Arc<S>,
) -> Vec<Command<W>> {
    let commands = commands.into_iter();
    commands.map(|command| command.within(part)).collect()
}

/// Makes a panic of an answer an error.
fn caught(answer: Answer) -> Answer {
    Box::pin(contained(answer))
}

/// Does the work of an answer on a thread that may block.
fn on_blocking_thread(work: BlockingWork) -> Answer {
    // Caught on its own thread, where the place of the panic is known.
    let work = move || {
        catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(InspectorError::caught(&*panic)))
    };
    Box::pin(async move {
        let ended = tokio::task::spawn_blocking(work).await;
        ended.map_err(|_| InspectorError::Closing)?
    })
}

fn to_json<T: Serialize>(answer: &T) -> Result<String, InspectorError> {
    serde_json::to_string(answer).map_err(|error| {
        InspectorError::Internal(format!("an answer cannot be written as JSON: {error}").into())
    })
}

/// CommandArguments of a command by their names, in the case of the window.
pub struct CommandArguments {
    command: &'static str,
    values: Map<String, Value>,
}

impl CommandArguments {
    /// Takes an argument out. One that is missing is read as null.
    ///
    /// # Errors
    /// When it is no `T`; the message names the command and the argument.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, InspectorError> {
        let value = self.values.remove(name).unwrap_or(Value::Null);
        serde_json::from_value(value).map_err(|error| {
            InspectorError::InvalidInput(format!(
                "The argument {name} of the command {} is not valid: {error}.",
                self.command
            ))
        })
    }
}

/// Error of a command: a code to act on, a message to show, a hint on what to do.
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

/// Runs a command so that a panic in it ends this command, with an error that the host shows,
/// and nothing else. Without it the host would wait for an answer for ever.
pub async fn contained<T, E: From<InspectorError>>(
    command: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let mut command = pin!(command);
    std::future::poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| command.as_mut().poll(context)))
            .unwrap_or_else(|panic| Poll::Ready(Err(InspectorError::caught(&*panic).into())))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Adder {
        base: i32,
    }

    #[commands]
    impl Adder {
        /// Adds numbers to the base.
        #[command(name = "add")]
        fn sum(&self, numbers: &[i32], unit: Option<&str>) -> Result<String, InspectorError> {
            let sum = numbers.iter().sum::<i32>() + self.base;
            Ok(format!("{sum}{}", unit.unwrap_or_default()))
        }

        /// Fails by a defect.
        #[command]
        async fn break_down(&self, is_late: bool) -> i32 {
            tokio::task::yield_now().await;
            assert!(!is_late, "a defect");
            1
        }
    }

    async fn run(name: &str, arguments: Value) -> Result<String, CommandError> {
        let commands = Adder::commands();
        let command = commands.iter().find(|command| command.name() == name);
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object")
        };
        let adder = Arc::new(Adder { base: 1 });
        command.expect("it is there").run(adder, arguments).await
    }

    #[tokio::test]
    async fn a_method_is_called_by_name() {
        let answer = run("add", serde_json::json!({"numbers": [2, 3], "unit": " m"})).await;
        assert_eq!(answer.expect("it answers"), "\"6 m\"");
        let answer = run("add", serde_json::json!({"numbers": []})).await;
        assert_eq!(answer.expect("it answers"), "\"1\"");
    }

    #[tokio::test]
    async fn an_argument_that_is_none_is_named() {
        let error = run("add", serde_json::json!({"numbers": "two"})).await;
        let error = error.expect_err("it is no list");
        assert_eq!(error.code, ErrorCode::InvalidInput);
        assert!(
            error
                .message
                .starts_with("The argument numbers of the command add is not valid")
        );
    }

    #[tokio::test]
    async fn a_panic_in_a_command_is_its_answer() {
        let error = run("break_down", serde_json::json!({"isLate": true})).await;
        let error = error.expect_err("it failed");
        assert_eq!(error.code, ErrorCode::Internal);
        assert_eq!(error.message, "Sightglass had an internal error: a defect.");
        assert!(error.hint.expect("a hint").contains("Copy the report"));
    }

    #[test]
    fn a_command_describes_its_method() {
        let mut types = Types::default();
        let [add, _] = Adder::commands().try_into().ok().expect("two commands");
        let function = add.function(&mut types);
        assert_eq!(function.name(), "add");
        assert_eq!(function.docs, " Adds numbers to the base.");
        let names = function.args().iter().map(|(name, _)| name.as_ref());
        assert_eq!(names.collect::<Vec<_>>(), ["numbers", "unit"]);
    }
}
