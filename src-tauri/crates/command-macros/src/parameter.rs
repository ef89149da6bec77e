//! Parameters: the owned types that are read in place of what a method borrows.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, Ident, PathArguments, Type, parse_quote};

/// A parameter of a method.
pub(crate) struct MethodParameter {
    pub(crate) name: Ident,
    /// Owned form of its type.
    pub(crate) owned: Type,
    /// Argument of the call, made of the owned value of the same name.
    pub(crate) argument: TokenStream,
}

impl MethodParameter {
    pub(crate) fn new(name: Ident, declared: &Type) -> Self {
        let (owned, argument) = match declared {
            Type::Reference(borrowed) => (owned(&borrowed.elem), quote!(&#name)),
            _ => match inside_option(declared) {
                Some(Type::Reference(borrowed)) => {
                    let inside = owned(&borrowed.elem);
                    let argument = match is_borrowed_only(&borrowed.elem) {
                        true => quote!(#name.as_deref()),
                        false => quote!(#name.as_ref()),
                    };
                    (parse_quote!(::std::option::Option<#inside>), argument)
                }
                _ => (declared.clone(), quote!(#name)),
            },
        };
        Self {
            name,
            owned,
            argument,
        }
    }
}

/// Returns the owned form of a type that is borrowed.
fn owned(borrowed: &Type) -> Type {
    match borrowed {
        Type::Slice(slice) => {
            let element = &slice.elem;
            parse_quote!(::std::vec::Vec<#element>)
        }
        _ if is_named(borrowed, "str") => parse_quote!(::std::string::String),
        _ if is_named(borrowed, "Path") => parse_quote!(::std::path::PathBuf),
        _ => borrowed.clone(),
    }
}

/// True for a type that exists only behind a reference.
fn is_borrowed_only(borrowed: &Type) -> bool {
    matches!(borrowed, Type::Slice(_)) || is_named(borrowed, "str") || is_named(borrowed, "Path")
}

fn is_named(of: &Type, name: &str) -> bool {
    matches!(of, Type::Path(path) if path.path.is_ident(name))
}

/// Returns the `T` of an `Option<T>`.
fn inside_option(of: &Type) -> Option<&Type> {
    first_argument(of, "Option")
}

/// Returns the first type in the angle brackets of a type of this name.
pub(crate) fn first_argument<'a>(of: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = of else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(first) => Some(first),
        _ => None,
    }
}
