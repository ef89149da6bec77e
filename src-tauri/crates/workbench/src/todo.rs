//! A list of things to do, in two files of the folder `.workbench`: `todo.json` for programs, and
//! `todo.md` to read, which is made of it. Each is written in one step. Several servers may work in one
//! folder: a change holds the lock.

use std::{path::Path, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sightglass_files::FileLock;

use crate::{
    error::ToolError,
    root::{self, WorkFolder},
    tool::{Hints, WorkbenchTool, arguments, object},
};

const FOLDER: &str = ".workbench";
const LIST: &str = ".workbench/todo.json";

/// Most things on a list, and characters in one.
const MAX_ITEMS: usize = 1_000;
const MAX_CHARS: usize = 2_000;

/// Time to wait for another server that changes the list.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TodoList {
    /// The id of the next thing: none is used twice.
    next: u32,
    items: Vec<TodoItem>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TodoItem {
    id: u32,
    text: String,
    status: TodoStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TodoStatus {
    Pending,
    InProgress,
    Completed,
}

pub fn tools() -> [WorkbenchTool; 4] {
    [
        WorkbenchTool {
            name: "todo_list",
            title: "List what is to be done",
            description: "Lists the things to do with their ids and states, in their order.",
            input: || object(json!({ "status": status_schema() }), &[]),
            output: list_schema,
            hints: Hints::Reads,
            run: |root, given| {
                let wanted: TodoWanted = arguments(given)?;
                let mut list = read(root)?;
                let all = wanted.status.is_none();
                list.items
                    .retain(|item| all || wanted.status == Some(item.status));
                Ok(json!({ "items": list.items }))
            },
        },
        WorkbenchTool {
            name: "todo_add",
            title: "Add a thing to do",
            description: "Adds a thing to the end of the list, pending.",
            input: || object(json!({ "text": text_schema() }), &["text"]),
            output: item_schema,
            hints: Hints::Adds,
            run: |root, given| {
                let new: NewTodo = arguments(given)?;
                change(root, |list| list.add(&new.text))
            },
        },
        WorkbenchTool {
            name: "todo_update",
            title: "Change the state of a thing to do",
            description: "Says that a thing is pending, in progress or completed.",
            input: || {
                object(
                    json!({ "id": id_schema(), "status": status_schema() }),
                    &["id", "status"],
                )
            },
            output: item_schema,
            hints: Hints::Adds,
            run: |root, given| {
                let update: TodoUpdate = arguments(given)?;
                change(root, |list| {
                    let index = list.find(update.id)?;
                    list.items[index].status = update.status;
                    Ok(list.items[index].clone())
                })
            },
        },
        WorkbenchTool {
            name: "todo_remove",
            title: "Remove a thing to do",
            description: "Removes a thing from the list. Completed ones may stay on it.",
            input: || object(json!({ "id": id_schema() }), &["id"]),
            output: item_schema,
            hints: Hints::Destroys,
            run: |root, given| {
                let removed: TodoNamed = arguments(given)?;
                change(root, |list| {
                    let index = list.find(removed.id)?;
                    Ok(list.items.remove(index))
                })
            },
        },
    ]
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TodoWanted {
    status: Option<TodoStatus>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewTodo {
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TodoUpdate {
    id: u32,
    status: TodoStatus,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TodoNamed {
    id: u32,
}

fn status_schema() -> Value {
    json!({
        "enum": ["pending", "in_progress", "completed"],
        "description": "How far it is",
    })
}

fn text_schema() -> Value {
    json!({
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_CHARS,
        "description": "What is to be done, in one line",
    })
}

fn id_schema() -> Value {
    json!({ "type": "integer", "minimum": 0, "description": "The id, as todo_list has it" })
}

fn item_schema() -> Value {
    object(
        json!({ "id": id_schema(), "text": { "type": "string" }, "status": status_schema() }),
        &["id", "text", "status"],
    )
}

fn list_schema() -> Value {
    object(
        json!({ "items": { "type": "array", "items": item_schema() } }),
        &["items"],
    )
}

impl TodoList {
    fn add(&mut self, text: &str) -> Result<TodoItem, ToolError> {
        let text = text.trim();
        // A line break would make two of it in the file that people read.
        if text.is_empty() || text.contains(char::is_control) {
            return Err(ToolError::new(
                "The text has to be one line, and not empty.",
            ));
        }
        if text.chars().count() > MAX_CHARS {
            return Err(ToolError::new(format!(
                "The text is longer than {MAX_CHARS} characters."
            )));
        }
        if self.items.len() >= MAX_ITEMS {
            return Err(ToolError::new(format!(
                "There are {MAX_ITEMS} things on the list. Remove some first."
            )));
        }
        let item = TodoItem {
            id: self.next,
            text: text.to_owned(),
            status: TodoStatus::Pending,
        };
        self.next += 1;
        self.items.push(item.clone());
        Ok(item)
    }

    fn find(&self, id: u32) -> Result<usize, ToolError> {
        let found = self.items.iter().position(|item| item.id == id);
        found.ok_or_else(|| ToolError::new(format!("There is nothing with the id {id}.")))
    }

    fn markdown(&self) -> String {
        let mut text = "# To do\n\nMade of todo.json; changes here are lost.\n\n".to_owned();
        for item in &self.items {
            let mark = match item.status {
                TodoStatus::Pending => ' ',
                TodoStatus::InProgress => '~',
                TodoStatus::Completed => 'x',
            };
            text.push_str(&format!("- [{mark}] {} ({})\n", plain(&item.text), item.id));
        }
        text
    }
}

/// Writes a text so that Markdown takes nothing in it for more than letters.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() && !"/.,:;'?%".contains(character) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

/// Reads the list; an empty one where there is none yet.
fn read(root: &WorkFolder) -> Result<TodoList, ToolError> {
    if !root.has(LIST) {
        return Ok(TodoList::default());
    }
    let file = root.read(LIST)?;
    serde_json::from_str(&file.text)
        .map_err(|error| ToolError::new(format!("{LIST} is no list of things to do: {error}.")))
}

/// Changes the list, and writes both files.
fn change(
    root: &WorkFolder,
    change: impl FnOnce(&mut TodoList) -> Result<TodoItem, ToolError>,
) -> Result<Value, ToolError> {
    let folder = root.folder(FOLDER)?;
    let _lock = FileLock::acquire(&folder.join("lock"), LOCK_TIMEOUT)
        .map_err(|error| ToolError::new(format!("The list is in use: {error}.")))?;
    let mut list = read(root)?;
    let item = change(&mut list)?;
    write(&folder, &list)?;
    Ok(json!(item))
}

fn write(folder: &Path, list: &TodoList) -> Result<(), ToolError> {
    let text = serde_json::to_string_pretty(list)
        .map_err(|error| ToolError::new(format!("The list cannot be written: {error}.")))?;
    // The first one counts; the other is made of it with the next change, where this one failed.
    root::write(folder, "todo.json", &(text + "\n"))?;
    root::write(folder, "todo.md", &list.markdown())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(root: &WorkFolder, name: &str, given: Value) -> Result<Value, ToolError> {
        let tools = tools();
        let tool = tools.iter().find(|tool| tool.name == name);
        (tool.expect("there is one").run)(root, given)
    }

    #[test]
    fn a_list_is_kept_in_two_files() {
        let place = tempfile::tempdir().expect("a folder");
        let root = WorkFolder::open(place.path()).expect("a folder");
        assert_eq!(
            call(&root, "todo_list", json!({})).expect("read"),
            json!({ "items": [] })
        );
        assert!(
            !place.path().join(FOLDER).exists(),
            "reading writes nothing"
        );
        for text in ["first", "second [x](y) <b>"] {
            call(&root, "todo_add", json!({ "text": text })).expect("added");
        }
        call(
            &root,
            "todo_update",
            json!({ "id": 0, "status": "completed" }),
        )
        .expect("updated");
        let done = call(&root, "todo_list", json!({ "status": "completed" })).expect("read");
        assert_eq!(
            done,
            json!({ "items": [{ "id": 0, "text": "first", "status": "completed" }] })
        );
        let shown = root.read(".workbench/todo.md").expect("read").text;
        assert!(shown.contains("- [x] first (0)\n"), "{shown}");
        assert!(
            shown.contains("- [ ] second \\[x\\]\\(y\\) \\<b\\> (1)\n"),
            "{shown}"
        );
        call(&root, "todo_remove", json!({ "id": 1 })).expect("removed");
        let next = call(&root, "todo_add", json!({ "text": "third" })).expect("added");
        assert_eq!(next["id"], 2, "no id is used twice");
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let place = tempfile::tempdir().expect("a folder");
        let root = WorkFolder::open(place.path()).expect("a folder");
        for text in ["", "two\nlines", &"x".repeat(MAX_CHARS + 1)] {
            assert!(call(&root, "todo_add", json!({ "text": text })).is_err());
        }
        assert!(
            call(
                &root,
                "todo_update",
                json!({ "id": 7, "status": "completed" })
            )
            .is_err()
        );
        assert!(call(&root, "todo_remove", json!({ "id": "7" })).is_err());
        assert!(!root.has(LIST));
        let folder = root.folder(FOLDER).expect("made");
        root::write(&folder, "todo.json", "{ \"other\": 1 }").expect("written");
        assert!(call(&root, "todo_add", json!({ "text": "a" })).is_err());
        assert_eq!(root.read(LIST).expect("read").text, "{ \"other\": 1 }");
    }
}
