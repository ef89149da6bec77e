//! Commands: what is made of one method.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, ExprLit, FnArg, Ident, ImplItemFn, Lit, LitStr, Meta, Pat, ReturnType, Type,
    parse_quote, spanned::Spanned,
};

use crate::parameter::{MethodParameter, first_argument};

/// A method that hosts call by name.
pub(crate) struct CommandMethod {
    name: String,
    method: Ident,
    docs: String,
    parameters: Vec<MethodParameter>,
    is_async: bool,
    /// Type of the answer, without the `Result` around it.
    answer: Type,
    is_fallible: bool,
}

impl CommandMethod {
    /// Takes the mark off a method. Returns nothing for a method without one.
    pub(crate) fn take(method: &mut ImplItemFn) -> syn::Result<Option<Self>> {
        let Some(index) = method
            .attrs
            .iter()
            .position(|attribute| attribute.path().is_ident("command"))
        else {
            return Ok(None);
        };
        let mark = method.attrs.remove(index);
        let signature = &method.sig;
        let mut inputs = signature.inputs.iter();
        if !matches!(inputs.next(), Some(FnArg::Receiver(_))) {
            let message = "a command is a method, of `&self` or `&Arc<Self>`";
            return Err(syn::Error::new(signature.span(), message));
        }
        let parameters = inputs.map(parameter).collect::<syn::Result<_>>()?;
        let declared = match &signature.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, declared) => declared.as_ref().clone(),
        };
        let inside = first_argument(&declared, "Result").cloned();
        Ok(Some(Self {
            name: name(&mark)?.unwrap_or_else(|| signature.ident.to_string()),
            method: signature.ident.clone(),
            docs: docs(&method.attrs),
            parameters,
            is_async: signature.asyncness.is_some(),
            is_fallible: inside.is_some(),
            answer: inside.unwrap_or(declared),
        }))
    }
}

fn parameter(input: &FnArg) -> syn::Result<MethodParameter> {
    if let FnArg::Typed(typed) = input
        && let Pat::Ident(name) = typed.pat.as_ref()
    {
        return Ok(MethodParameter::new(name.ident.clone(), &typed.ty));
    }
    let message = "a parameter of a command has a name";
    Err(syn::Error::new(input.span(), message))
}

/// Returns the name in `#[command(name = "…")]`.
fn name(mark: &Attribute) -> syn::Result<Option<String>> {
    if matches!(mark.meta, Meta::Path(_)) {
        return Ok(None);
    }
    let mut name = None;
    mark.parse_nested_meta(|meta| {
        if !meta.path.is_ident("name") {
            return Err(meta.error("the only option of a command is `name`"));
        }
        name = Some(meta.value()?.parse::<LitStr>()?.value());
        Ok(())
    })?;
    Ok(name)
}

/// Returns the text of the doc comments.
fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(value) = &attribute.meta else {
            return None;
        };
        match &value.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(line),
                ..
            }) if value.path.is_ident("doc") => Some(line.value()),
            _ => None,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a name in the case of the window.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut text, word| {
        let mut letters = word.chars();
        text.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        text.push_str(letters.as_str());
        text
    })
}

impl ToTokens for CommandMethod {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            name,
            method,
            docs,
            parameters,
            is_async,
            answer,
            is_fallible,
        } = self;
        let names: Vec<_> = parameters.iter().map(|of| &of.name).collect();
        let texts: Vec<_> = names.iter().map(|name| name.to_string()).collect();
        let keys: Vec<_> = texts.iter().map(|name| camel_case(name)).collect();
        let types: Vec<_> = parameters.iter().map(|of| &of.owned).collect();
        let arguments = parameters.iter().map(|of| &of.argument);
        // Of the macro alone: a parameter may have the same name.
        let part = Ident::new("part", Span::mixed_site());
        let values = Ident::new("values", Span::mixed_site());
        let called = quote!(#part.#method(#(#arguments),*));
        let called = match is_async {
            true => quote!(#called.await),
            false => called,
        };
        let called = match is_fallible {
            true => quote!(#called?),
            false => called,
        };
        let (kind, work) = match is_async {
            true => (quote!(asynchronous), quote!(async move)),
            false => (quote!(blocking), quote!()),
        };
        let unused = names.is_empty().then(|| quote!(let _ = &mut #values;));
        tokens.extend(quote! {
            ::sightglass_area_core::command::Command::#kind(
                ::sightglass_area_core::command::Signature {
                    name: #name,
                    docs: #docs,
                    parameters: &[
                        #((#texts, ::sightglass_area_core::command::definition::<#types>)),*
                    ],
                    answer: ::sightglass_area_core::command::answer::<#answer>,
                },
                |#part: ::std::sync::Arc<Self>,
                 mut #values: ::sightglass_area_core::command::CommandArguments| #work {
                    #unused
                    #(let #names: #types = #values.take(#keys)?;)*
                    ::std::result::Result::<#answer, ::sightglass_area_core::error::InspectorError>::Ok(#called)
                },
            )
        });
    }
}
