//! `completion/complete` for arguments of prompts and of resource templates.

use serde_json::{Value, json};

use crate::{
    context::{Outcome, Reply},
    listing::Listing,
    message::RpcError,
    params::MethodParams,
};

/// The most values one answer may hold (2025-11-25, "Completion").
const MAX_VALUES: usize = 100;

const LANGUAGES: [&str; 12] = [
    "c",
    "c++",
    "go",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "python",
    "ruby",
    "rust",
    "swift",
    "typescript",
];

const USERS: [(&str, &[&str]); 3] = [
    ("ada", &["engine", "notes", "poetry"]),
    ("alan", &["enigma", "machine", "morphogenesis"]),
    ("grace", &["compiler", "nanoseconds"]),
];

/// The repositories of a user.
pub fn repositories(user: &str) -> &'static [&'static str] {
    USERS
        .iter()
        .find_map(|(name, repositories)| (*name == user).then_some(*repositories))
        .unwrap_or_default()
}

/// Answers `completion/complete`, for the arguments of these prompts.
pub fn complete(prompts: &Listing, params: &MethodParams<'_>) -> Outcome {
    let member = |value: &Option<Value>, name: &str| {
        value
            .as_ref()
            .and_then(|it| it.get(name))
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let Some(kind) = member(&params.reference, "type") else {
        return RpcError::invalid_params("Missing parameter: ref").into();
    };
    let (Some(argument), Some(typed)) = (
        member(&params.argument, "name"),
        member(&params.argument, "value"),
    ) else {
        return RpcError::invalid_params("Missing parameter: argument").into();
    };
    let target = match kind.as_str() {
        "ref/prompt" => member(&params.reference, "name"),
        "ref/resource" => member(&params.reference, "uri"),
        _ => return RpcError::invalid_params(format!("Unknown reference: {kind}")).into(),
    };
    let target = target.unwrap_or_default();
    if kind == "ref/prompt" && !prompts.has(&target) {
        return RpcError::invalid_params(format!("Unknown prompt: {target}")).into();
    }
    let user = params
        .context
        .as_ref()
        .and_then(|context| context.pointer("/arguments/user"))
        .and_then(Value::as_str);
    let values = values(&target, &argument, user, &typed);
    let total = values.len();
    let shown = &values[..total.min(MAX_VALUES)];
    Reply::Result(json!({
        "completion": { "values": shown, "total": total, "hasMore": total > MAX_VALUES }
    }))
    .into()
}

fn values(target: &str, argument: &str, user: Option<&str>, typed: &str) -> Vec<String> {
    let all: Vec<String> = match (target, argument) {
        ("review_code", "language") => LANGUAGES.map(str::to_owned).into(),
        ("review_code", "style") => vec!["friendly".to_owned(), "strict".to_owned()],
        ("repository" | "demo://users/{user}/repositories/{repository}", "user") => {
            USERS.iter().map(|(name, _)| (*name).to_owned()).collect()
        }
        ("repository" | "demo://users/{user}/repositories/{repository}", "repository") => {
            match user {
                Some(user) => repositories(user)
                    .iter()
                    .map(|name| (*name).to_owned())
                    .collect(),
                // Without the context of 2025-06-18, all of them.
                None => USERS
                    .iter()
                    .flat_map(|(_, names)| names.iter())
                    .map(|name| (*name).to_owned())
                    .collect(),
            }
        }
        ("demo://notes/{number}", "number") => {
            (1..=100).map(|number: u32| number.to_string()).collect()
        }
        // More than an answer may hold, so that `hasMore` can be seen.
        ("demo://files/{+path}", "path") => (1..=250)
            .map(|number: u32| format!("folder/file-{number:03}.txt"))
            .collect(),
        _ => Vec::new(),
    };
    all.into_iter()
        .filter(|value| value.starts_with(typed))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_with_what_was_typed() {
        assert_eq!(
            values("review_code", "language", None, "ja"),
            ["java", "javascript"]
        );
    }

    #[test]
    fn a_repository_is_completed_from_its_user() {
        assert_eq!(
            values("repository", "repository", Some("grace"), ""),
            ["compiler", "nanoseconds"]
        );
        assert_eq!(values("repository", "repository", None, "").len(), 8);
    }

    #[test]
    fn an_unknown_argument_has_no_values() {
        assert!(values("review_code", "nonsense", None, "").is_empty());
    }
}
