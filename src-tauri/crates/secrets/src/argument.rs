//! Recognises the secret in an argument of a program, by its place among the others.

use std::ops::Range;

use crate::{
    header::secrets_of,
    reference::is_mere_reference,
    suggestion::{header_line, name_suggests_secret, value_suggests_secret},
};

/// The flags with which programs take headers.
const HEADER_FLAGS: [&str; 3] = ["-H", "--header", "--headers"];

/// Returns the part of an argument that is a secret, and the name that it has. A reference to
/// a variable is none, unless it has a default.
pub fn secret_argument_part(arguments: &[String], index: usize) -> Option<(&str, Range<usize>)> {
    recognised(arguments, index)
        .filter(|(_, place)| !is_mere_reference(&arguments[index][place.clone()]))
}

fn recognised(arguments: &[String], index: usize) -> Option<(&str, Range<usize>)> {
    let argument = arguments[index].as_str();
    let whole = 0..argument.len();
    let part = |value: &str| argument.len() - value.len()..argument.len();
    let header_part = |value: &str| {
        let end = argument.trim_end().len();
        end - value.len()..end
    };
    let before = index
        .checked_sub(1)
        .map(|before| arguments[before].as_str());
    if let Some((name, value)) = argument.split_once('=')
        && !name.contains(['/', ':', ' ', '?'])
        && !value.is_empty()
    {
        if HEADER_FLAGS.contains(&name) {
            return secret_header(value).map(|(name, value)| (name, header_part(value)));
        }
        if name_suggests_secret(name) || value_suggests_secret(value) {
            return Some((name, part(value)));
        }
    }
    if let Some(flag) = before
        && flag.starts_with('-')
        && !flag.contains('=')
        && !argument.starts_with("--")
        && !argument.is_empty()
    {
        if HEADER_FLAGS.contains(&flag) {
            return secret_header(argument).map(|(name, value)| (name, header_part(value)));
        }
        if name_suggests_secret(flag) {
            return Some((flag, whole));
        }
    }
    if let Some((name, value)) = secret_header(argument)
        && name_suggests_secret(name)
    {
        return Some((name, header_part(value)));
    }
    (value_suggests_secret(argument) && !argument.contains("://")).then_some(("secret", whole))
}

/// A header in one text, where its value may be a secret.
fn secret_header(text: &str) -> Option<(&str, &str)> {
    let (name, value) = header_line(text)?;
    (!secrets_of(name, value).is_empty()).then_some((name, value))
}
