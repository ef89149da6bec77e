//! Makes commands of the methods of an area, so that a command is declared once.
//!
//! ```text
//! #[commands]
//! impl ServerTasks {
//!     /// Asks the server how a task stands.
//!     #[command]
//!     pub async fn refresh_task(&self, server: &ServerId, id: &str) -> Result<(), InspectorError> { … }
//! }
//! ```
//!
//! keeps the methods as they are and adds `ServerTasks::commands()`, a list of
//! `sightglass_area_core::command::Command<ServerTasks>`: each with the name, the documentation, the
//! types and the call of one method. The area lists the commands of its parts, the inspector those
//! of its areas, and a host calls them by name. Nothing of a host is known here.
//!
//! - A parameter is read from JSON as the owned form of its type: `&str` as `String`, `&[T]` as
//!   `Vec<T>`, `&Path` as `PathBuf`, `Option<&T>` as the `Option` of the owned form of `T`.
//! - A method that is not `async` runs on a thread that may block.
//! - A `Result` is unwrapped; its error must convert into `InspectorError`.
//! - `#[command(name = "…")]` gives the command another name than its method has.

mod command;
mod parameter;

use proc_macro::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, ImplItem, ItemImpl, parse_macro_input, parse_quote};

use crate::command::CommandMethod;

/// Adds `commands()` to the type of an `impl` block: the methods in it that are marked with
/// `#[command]`. With `#[commands(name)]` the list is called `name()`, for a type that has several
/// such blocks.
#[proc_macro_attribute]
pub fn commands(name: TokenStream, item: TokenStream) -> TokenStream {
    let name = parse_macro_input!(name as Option<Ident>);
    let mut part = parse_macro_input!(item as ItemImpl);
    match add_commands(name, &mut part) {
        Ok(()) => quote!(#part).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

fn add_commands(name: Option<Ident>, part: &mut ItemImpl) -> syn::Result<()> {
    let name = name.unwrap_or_else(|| format_ident!("commands"));
    let mut commands = Vec::new();
    for item in &mut part.items {
        if let ImplItem::Fn(method) = item {
            commands.extend(CommandMethod::take(method)?);
        }
    }
    part.items.push(parse_quote! {
        /// Lists the methods that hosts call by name.
        #[must_use]
        pub fn #name() -> ::std::vec::Vec<::sightglass_area_core::command::Command<Self>> {
            ::std::vec![#(#commands),*]
        }
    });
    Ok(())
}
