//! Names in the files of the data directory. Versions before wrote them in snake_case, and the texts
//! of enums too.

use serde_json::Value;

/// Renames the members of a stored value, at every depth, and the texts of those that `words`
/// names.
pub fn rename_stored(value: &mut Value, words: &[&str]) {
    match value {
        Value::Object(members) => {
            for (name, mut value) in std::mem::take(members) {
                let name = camel_case(&name);
                match &mut value {
                    Value::String(text) if words.contains(&name.as_str()) => {
                        *text = camel_case(text);
                    }
                    value => rename_stored(value, words),
                }
                members.insert(name, value);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                rename_stored(element, words);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a name in camelCase, which may be in snake_case.
pub fn camel_case(name: &str) -> String {
    let mut renamed = String::with_capacity(name.len());
    let mut begins_word = false;
    for letter in name.chars() {
        if letter == '_' {
            begins_word = true;
        } else if std::mem::take(&mut begins_word) {
            renamed.push(letter.to_ascii_uppercase());
        } else {
            renamed.push(letter);
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_are_renamed_at_every_depth_and_texts_where_they_are_words() {
        let mut value = json!({ "a_b": [{ "kind": "c_d", "name": "e_f" }], "newName": 1 });
        rename_stored(&mut value, &["kind"]);
        let renamed = json!({ "aB": [{ "kind": "cD", "name": "e_f" }], "newName": 1 });
        assert_eq!(value, renamed);
    }
}
