//! Writes request files, and changes them with their comments.

use serde_json::Value;
use thiserror::Error;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value as TomlValue, value};

use crate::{
    exact,
    file::{FORMAT, InlineEndpoint, InlineServer, RequestFile, RequestServer},
    text::RequestProblem,
};

/// A request that is to be written into a file.
#[derive(Debug, Clone)]
pub struct NewRequest {
    pub name: Option<String>,
    pub tags: Vec<String>,
    pub server: RequestServer,
    pub method: String,
    /// JSON text of an object; it is kept as it is written.
    pub params: String,
    /// Seconds that it may take, as in `timeout`.
    pub timeout: Option<String>,
    pub expectations: Vec<NewExpectation>,
}

/// An expectation that is to be written into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct NewExpectation {
    pub value: String,
    pub is: String,
    pub is_negated: bool,
    /// JSON text; absent for predicates without an argument.
    pub to: Option<String>,
}

/// Reason why a file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    /// The text is no request, so that a change could do anything to it.
    #[error("The file has to be mended first: {0}")]
    Broken(RequestProblem),
    /// The change would make something of it that is no request.
    #[error("{0}")]
    Refused(RequestProblem),
    #[error("There is no such expectation.")]
    NoSuchExpectation,
}

/// The text of a new request.
pub fn new_request(request: &NewRequest) -> String {
    let mut document = DocumentMut::new();
    document["format"] = value(i64::from(FORMAT));
    if let Some(name) = &request.name {
        document["name"] = value(name.as_str());
    }
    if !request.tags.is_empty() {
        document["tags"] = value(request.tags.iter().collect::<Array>());
    }
    if let RequestServer::Named(name) = &request.server {
        document["server"] = value(name.as_str());
    }
    document["method"] = value(request.method.as_str());
    document["params"] = block(&request.params);
    if let Some(timeout) = &request.timeout {
        document["timeout"] = value(timeout.as_str());
    }
    if let RequestServer::Inline(server) = &request.server {
        document["server"] = Item::Table(inline(server));
    }
    if !request.expectations.is_empty() {
        let mut tables = ArrayOfTables::new();
        for expectation in &request.expectations {
            tables.push(expectation_table(expectation));
        }
        document["expect"] = Item::ArrayOfTables(tables);
    }
    document.to_string()
}

/// Gives a request another name.
pub fn renamed(text: &str, name: &str) -> Result<String, EditError> {
    edited(text, |document| {
        put_before(document, "name", value(name));
        Ok(())
    })
}

/// Adds an expectation at the end.
pub fn added_expectation(text: &str, expectation: &NewExpectation) -> Result<String, EditError> {
    edited(text, |document| {
        let tables = document
            .entry("expect")
            .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        if let Some(tables) = tables.as_array_of_tables_mut() {
            tables.push(expectation_table(expectation));
        }
        Ok(())
    })
}

/// Removes an expectation, counted from 0.
pub fn removed_expectation(text: &str, index: usize) -> Result<String, EditError> {
    edited(text, |document| {
        let tables = document.get_mut("expect");
        let tables = tables.and_then(Item::as_array_of_tables_mut);
        let tables = tables.ok_or(EditError::NoSuchExpectation)?;
        if index >= tables.len() {
            return Err(EditError::NoSuchExpectation);
        }
        tables.remove(index);
        Ok(())
    })
}

/// Changes a text that is a request before and has to be one afterwards.
fn edited(
    text: &str,
    change: impl FnOnce(&mut DocumentMut) -> Result<(), EditError>,
) -> Result<String, EditError> {
    let first = |problems: Vec<RequestProblem>| {
        let nothing = || RequestProblem::at(text, 0, "It is no request.");
        problems.into_iter().next().unwrap_or_else(nothing)
    };
    RequestFile::parse(text).map_err(|problems| EditError::Broken(first(problems)))?;
    let mut document: DocumentMut = text
        .parse()
        .map_err(|_| EditError::Broken(RequestProblem::at(text, 0, "It is not TOML.")))?;
    change(&mut document)?;
    let mut result = document.to_string();
    if text.contains("\r\n") {
        result = result.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    RequestFile::parse(&result).map_err(|problems| EditError::Refused(first(problems)))?;
    Ok(result)
}

/// Sets a member, with the comments of the one that it replaces.
fn put_before(document: &mut DocumentMut, key: &str, mut item: Item) {
    match document.get_mut(key) {
        Some(present) => {
            if let (Some(old), Some(new)) = (present.as_value(), item.as_value_mut()) {
                *new.decor_mut() = old.decor().clone();
            }
            *present = item;
        }
        None => {
            document.insert(key, item);
        }
    }
}

fn inline(server: &InlineServer) -> Table {
    let mut table = Table::new();
    if let Some(name) = &server.name {
        table["name"] = value(name.as_str());
    }
    let pairs = |pairs: &std::collections::BTreeMap<String, String>| {
        let pairs = pairs
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        value(pairs.collect::<toml_edit::InlineTable>())
    };
    match &server.endpoint {
        InlineEndpoint::Program {
            command,
            arguments,
            environment,
            directory,
        } => {
            table["command"] = value(command.as_str());
            if !arguments.is_empty() {
                table["args"] = value(arguments.iter().collect::<Array>());
            }
            if !environment.is_empty() {
                table["env"] = pairs(environment);
            }
            if let Some(directory) = directory {
                table["cwd"] = value(directory.as_str());
            }
        }
        InlineEndpoint::Remote {
            url,
            headers,
            transport,
        } => {
            table["url"] = value(url.as_str());
            if !headers.is_empty() {
                table["headers"] = pairs(headers);
            }
            if let Some(transport) = transport {
                table["transport"] = value(transport.as_str());
            }
        }
    }
    table
}

fn expectation_table(expectation: &NewExpectation) -> Table {
    let mut table = Table::new();
    table["value"] = value(expectation.value.as_str());
    table["is"] = value(expectation.is.as_str());
    if let Some(json) = &expectation.to {
        match simple(json) {
            Some(simple) => table["to"] = Item::Value(simple),
            None => table["to_json"] = block(json),
        }
    }
    if expectation.is_negated {
        table["not"] = value(true);
    }
    table
}

/// A value of TOML that means the same as a JSON text; none where it is not this simple.
fn simple(json: &str) -> Option<TomlValue> {
    let value = exact::read(json).ok()?;
    if let Some(number) = exact::number_text(&value) {
        if let Ok(integer) = number.parse::<i64>() {
            return Some(integer.into());
        }
        let float = value.as_f64()?;
        return Some(float.into());
    }
    match value {
        Value::String(text) => Some(text.into()),
        Value::Bool(flag) => Some(flag.into()),
        Value::Array(elements) => {
            let elements: Option<Array> = elements
                .iter()
                .map(|element| simple(&exact::shown(element)))
                .collect();
            elements.map(TomlValue::Array)
        }
        _ => None,
    }
}

/// A JSON text as a literal block, where it is one as it stands.
fn block(json: &str) -> Item {
    let json = json.trim();
    let is_literal = !json.contains("'''")
        && !json.ends_with('\'')
        && !json
            .chars()
            .any(|character| character.is_control() && !matches!(character, '\n' | '\t'));
    if is_literal && let Ok(literal) = format!("'''\n{json}\n'''").parse::<TomlValue>() {
        return Item::Value(literal);
    }
    value(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(params: &str) -> NewRequest {
        NewRequest {
            name: Some("a \"name\"".into()),
            tags: vec!["smoke".into()],
            server: RequestServer::Named("demo".into()),
            method: "tools/call".into(),
            params: params.into(),
            timeout: None,
            expectations: vec![NewExpectation {
                value: "is_error".into(),
                is: "equals".into(),
                is_negated: false,
                to: Some("false".into()),
            }],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for params in [
            r#"{ "name": "echo", "arguments": {"n": 1.50, "big": 123456789012345678901234} }"#,
            "{\n  \"name\": \"it's '''quoted'''\"\n}",
            "{\"name\": \"a\\\\b\"}",
        ] {
            let text = new_request(&request(params));
            let file =
                RequestFile::parse(&text).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"));
            assert_eq!(file.params, params);
            assert_eq!(file.expectations.len(), 1);
        }
        let own = NewRequest {
            server: RequestServer::Inline(InlineServer {
                name: Some("mine".into()),
                endpoint: InlineEndpoint::Program {
                    command: "node".into(),
                    arguments: vec!["s.js".into()],
                    environment: [("A".to_owned(), "${B}".to_owned())].into(),
                    directory: None,
                },
            }),
            ..request("{\"name\":\"a\"}")
        };
        let text = new_request(&own);
        let file =
            RequestFile::parse(&text).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"));
        assert_eq!(file.server, own.server);
        assert_eq!(file.expectations.len(), 1);
    }

    #[test]
    fn a_change_leaves_comments_and_the_rest_alone() {
        let text = "# Top.\nformat = 1 # one\nname = 'old' # its name\nserver = \"demo\"\nmethod = \"ping\"\n\n# About the check.\n[[expect]]\nvalue = \"is_error\"\nis = \"equals\"\nto = false # really\n";
        let named = renamed(text, "new").expect("renamed");
        assert_eq!(named, text.replace("'old'", "\"new\""));
        let added = NewExpectation {
            value: "$.a".into(),
            is: "equals".into(),
            is_negated: true,
            to: Some("{\"n\": 123456789012345678901}".into()),
        };
        let with = added_expectation(&named, &added).expect("added");
        assert!(with.starts_with(&named), "{with}");
        let file = RequestFile::parse(&with).expect("a request");
        assert_eq!(
            file.expectations[1].to_string(),
            "$.a not equals {\"n\":123456789012345678901}"
        );
        assert_eq!(removed_expectation(&with, 1), Ok(named.clone()));
        assert_eq!(
            removed_expectation(&with, 5),
            Err(EditError::NoSuchExpectation)
        );
        let windows = text.replace('\n', "\r\n");
        assert_eq!(renamed(&windows, "new"), Ok(named.replace('\n', "\r\n")));
    }

    #[test]
    fn a_change_that_makes_no_request_is_refused() {
        let text = "format = 1\nserver = \"demo\"\nmethod = \"ping\"\n";
        let wrong = NewExpectation {
            value: "nothing".into(),
            is: "equals".into(),
            is_negated: false,
            to: None,
        };
        assert!(matches!(
            added_expectation(text, &wrong),
            Err(EditError::Refused(_))
        ));
        assert!(matches!(
            renamed("format = 1", "x"),
            Err(EditError::Broken(_))
        ));
    }
}
