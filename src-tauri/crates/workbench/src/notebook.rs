//! `notebook_edit`: inserts, replaces and deletes cells of a Jupyter notebook
//! (<https://nbformat.readthedocs.io/en/latest/format_description.html>).
//!
//! The file is edited as text: what is not edited stays as it was, byte for byte.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json, ser::PrettyFormatter, value::RawValue};

use crate::{
    error::ToolError,
    tool::{Hints, WorkbenchTool, arguments, object},
};

/// The version of the format whose cells have ids: 4.5.
const MINOR_WITH_IDS: u32 = 5;

/// Indentation of cells that Jupyter writes.
const USUAL_INDENT: &str = "  ";

pub fn tool() -> WorkbenchTool {
    WorkbenchTool {
        name: "notebook_edit",
        title: "Edit a notebook",
        description: "Inserts, replaces or deletes one cell of a Jupyter notebook (.ipynb, nbformat \
                      4). The cell is named by its index, from 0, or by its id. A code cell whose \
                      source is replaced loses its outputs. The rest of the file stays as it is.",
        input: || {
            object(
                json!({
                    "path": {
                        "type": "string",
                        "description": "The notebook, relative to the folder",
                    },
                    "action": {
                        "enum": ["insert", "replace", "delete"],
                        "description": "What to do with the cell",
                    },
                    "index": {
                        "type": "integer",
                        "minimum": 0,
                        "description": "The cell; where to insert, the place of the new one",
                    },
                    "id": {
                        "type": "string",
                        "description": "The cell, in place of index; a new one is inserted after it",
                    },
                    "cellType": {
                        "enum": ["code", "markdown", "raw"],
                        "description": "Needed to insert; to replace, the type that the cell gets",
                    },
                    "source": {
                        "type": "string",
                        "description": "The text of the cell; needed but to delete",
                    },
                }),
                &["path", "action"],
            )
        },
        output: || {
            object(
                json!({
                    "index": { "type": "integer", "description": "The cell that was edited" },
                    "id": { "type": "string", "description": "Its id; cells of nbformat before 4.5 have none" },
                    "cells": { "type": "integer", "description": "The cells that there are now" },
                }),
                &["index", "cells"],
            )
        },
        hints: Hints::Destroys,
        run: |root, given| {
            let edit: NotebookEdit = arguments(given)?;
            if !edit.path.ends_with(".ipynb") {
                return Err(ToolError::new("The name of a notebook ends with .ipynb."));
            }
            let file = root.read(&edit.path)?;
            let (text, edited) = edit.apply(&file.text)?;
            root.replace(&file, &text)?;
            Ok(json!(edited))
        },
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NotebookEdit {
    path: String,
    action: NotebookAction,
    index: Option<usize>,
    id: Option<String>,
    cell_type: Option<CellType>,
    source: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NotebookAction {
    Insert,
    Replace,
    Delete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum CellType {
    Code,
    Markdown,
    Raw,
}

/// The cell that was edited, and the number of cells there are.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct EditedCell {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    cells: usize,
}

#[derive(Deserialize)]
struct Notebook<'a> {
    nbformat: u32,
    nbformat_minor: u32,
    #[serde(borrow)]
    cells: &'a RawValue,
}

/// A cell, with its members as they are written.
#[derive(Deserialize)]
struct Cell<'a> {
    id: Option<String>,
    cell_type: CellType,
    #[serde(flatten, borrow)]
    _rest: HashMap<&'a str, serde::de::IgnoredAny>,
}

impl NotebookEdit {
    /// Returns the text of the notebook after the edit.
    fn apply(&self, text: &str) -> Result<(String, EditedCell), ToolError> {
        let notebook: Notebook<'_> = serde_json::from_str(text)
            .map_err(|error| ToolError::new(format!("This is no notebook: {error}.")))?;
        if notebook.nbformat != 4 {
            return Err(ToolError::new(format!(
                "This notebook has the format {}, and only 4 is known here. Jupyter converts it.",
                notebook.nbformat
            )));
        }
        let list = notebook.cells.get();
        let cells: Vec<&RawValue> = read(list, "cells")?;
        let ids = cells
            .iter()
            .map(|cell| Ok(read::<Cell<'_>>(cell.get(), "a cell")?.id))
            .collect::<Result<Vec<Option<String>>, ToolError>>()?;
        let named = self.named(&ids)?;
        let layout = NotebookLayout::of(text, cells.first().map(|cell| place(text, cell.get())));
        let has_ids = notebook.nbformat_minor >= MINOR_WITH_IDS;
        let count = cells.len();
        match self.action {
            NotebookAction::Insert => {
                let index = self.place_of_new(named, count)?;
                let cell_type = self.cell_type.ok_or_else(|| missing("cellType"))?;
                let id = has_ids.then(|| new_id(&ids));
                let cell = layout.cell(&new_cell(cell_type, id.as_deref(), self.source()?));
                let edited = inserted(text, list, &cells, index, &cell, &layout);
                let cells = count + 1;
                Ok((edited, EditedCell { index, id, cells }))
            }
            NotebookAction::Replace => {
                let index = self.place_of(named, count)?;
                let cell = cells[index].get();
                let edited = self.replaced(cell, &layout)?;
                let at = place(text, cell);
                let text = spliced(text, at, at + cell.len(), &edited);
                let id = ids[index].clone();
                let cells = count;
                Ok((text, EditedCell { index, id, cells }))
            }
            NotebookAction::Delete => {
                let index = self.place_of(named, count)?;
                let edited = deleted(text, list, &cells, index);
                let id = ids[index].clone();
                let cells = count - 1;
                Ok((edited, EditedCell { index, id, cells }))
            }
        }
    }

    /// Returns the place of the cell that the id names.
    fn named(&self, ids: &[Option<String>]) -> Result<Option<usize>, ToolError> {
        let Some(id) = &self.id else {
            return Ok(None);
        };
        if self.index.is_some() {
            return Err(ToolError::new(
                "Name the cell by its index or by its id, not by both.",
            ));
        }
        let mut found = (0..ids.len()).filter(|index| ids[*index].as_ref() == Some(id));
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(Some(index)),
            (Some(_), Some(_)) => Err(ToolError::new(format!(
                "Several cells have the id {id}. Name it by its index."
            ))),
            (None, _) => Err(ToolError::new(format!("No cell has the id {id}."))),
        }
    }

    fn place_of(&self, named: Option<usize>, count: usize) -> Result<usize, ToolError> {
        let index = named.or(self.index).ok_or_else(|| missing("index or id"))?;
        match index < count {
            true => Ok(index),
            false => Err(ToolError::new(format!(
                "There are {count} cells, from index 0 on."
            ))),
        }
    }

    fn place_of_new(&self, named: Option<usize>, count: usize) -> Result<usize, ToolError> {
        let index = match named {
            Some(before) => before + 1,
            None => self.index.ok_or_else(|| missing("index or id"))?,
        };
        match index <= count {
            true => Ok(index),
            false => Err(ToolError::new(format!(
                "There are {count} cells: the index of a new one is at most that."
            ))),
        }
    }

    fn source(&self) -> Result<&str, ToolError> {
        self.source.as_deref().ok_or_else(|| missing("source"))
    }

    /// Returns the text of a cell with another source. Its outputs belong to the old one.
    fn replaced(&self, cell: &str, layout: &NotebookLayout) -> Result<String, ToolError> {
        let source = self.source()?;
        let before: Cell<'_> = read(cell, "a cell")?;
        let cell_type = self.cell_type.unwrap_or(before.cell_type);
        if cell_type == before.cell_type && cell_type != CellType::Code {
            let members: HashMap<String, &RawValue> = read(cell, "a cell")?;
            if let Some(old) = members.get("source") {
                let at = place(cell, old.get());
                let new = layout.value(&json!(lines(source)), 1);
                return Ok(spliced(cell, at, at + old.get().len(), &new));
            }
        }
        let mut members: serde_json::Map<String, Value> = read(cell, "a cell")?;
        members.insert("cell_type".to_owned(), json!(cell_type));
        members.insert("source".to_owned(), json!(lines(source)));
        match cell_type {
            CellType::Code => {
                members.insert("execution_count".to_owned(), Value::Null);
                members.insert("outputs".to_owned(), json!([]));
                members.shift_remove("attachments");
            }
            CellType::Markdown | CellType::Raw => {
                members.shift_remove("execution_count");
                members.shift_remove("outputs");
            }
        }
        Ok(layout.cell(&Value::Object(members)))
    }
}

fn missing(name: &str) -> ToolError {
    ToolError::new(format!("This needs {name}."))
}

fn read<'a, T: Deserialize<'a>>(text: &'a str, what: &str) -> Result<T, ToolError> {
    serde_json::from_str(text)
        .map_err(|error| ToolError::new(format!("This is no notebook: {what}: {error}.")))
}

/// Returns where a part of a text begins.
fn place(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

fn spliced(text: &str, from: usize, to: usize, new: &str) -> String {
    [&text[..from], new, &text[to..]].concat()
}

/// The lines of a source, each with its line feed, as Jupyter writes them.
fn lines(source: &str) -> Vec<&str> {
    source.split_inclusive('\n').collect()
}

fn new_cell(cell_type: CellType, id: Option<&str>, source: &str) -> Value {
    let mut cell = json!({ "cell_type": cell_type });
    if cell_type == CellType::Code {
        cell["execution_count"] = Value::Null;
    }
    if let Some(id) = id {
        cell["id"] = json!(id);
    }
    cell["metadata"] = json!({});
    if cell_type == CellType::Code {
        cell["outputs"] = json!([]);
    }
    cell["source"] = json!(lines(source));
    cell
}

/// Makes an id that no cell has, of eight hexadecimal digits as Jupyter does.
fn new_id(ids: &[Option<String>]) -> String {
    loop {
        let id = format!("{:08x}", fastrand::u32(..));
        if !ids.contains(&Some(id.clone())) {
            return id;
        }
    }
}

fn inserted(
    text: &str,
    list: &str,
    cells: &[&RawValue],
    index: usize,
    cell: &str,
    layout: &NotebookLayout,
) -> String {
    let gap = layout.gap();
    if let Some(next) = cells.get(index) {
        let at = place(text, next.get());
        return spliced(text, at, at, &format!("{cell},{gap}"));
    }
    if let Some(last) = cells.last() {
        let at = place(text, last.get()) + last.get().len();
        return spliced(text, at, at, &format!(",{gap}{cell}"));
    }
    let at = place(text, list);
    let new = match layout.is_compact {
        true => format!("[{cell}]"),
        false => format!("[{gap}{cell}\n{}]", &layout.base[layout.unit.len()..]),
    };
    spliced(text, at, at + list.len(), &new)
}

fn deleted(text: &str, list: &str, cells: &[&RawValue], index: usize) -> String {
    let begin = |cell: &RawValue| place(text, cell.get());
    let end = |cell: &RawValue| begin(cell) + cell.get().len();
    if let Some(next) = cells.get(index + 1) {
        return spliced(text, begin(cells[index]), begin(next), "");
    }
    match index.checked_sub(1) {
        Some(before) => spliced(text, end(cells[before]), end(cells[index]), ""),
        None => spliced(
            text,
            place(text, list),
            place(text, list) + list.len(),
            "[]",
        ),
    }
}

/// The way in which a notebook is written.
struct NotebookLayout {
    is_compact: bool,
    /// Stands before each cell.
    base: String,
    /// One step of indentation; a cell stands two steps deep.
    unit: String,
}

impl NotebookLayout {
    fn of(text: &str, first_cell: Option<usize>) -> Self {
        let is_compact = !text.trim_end().contains('\n');
        let before = first_cell.map(|at| &text[..at]);
        let base = before
            .and_then(|before| before.rsplit_once('\n'))
            .map(|(_, indent)| indent)
            .filter(|indent| !indent.is_empty() && indent.trim().is_empty())
            .unwrap_or(USUAL_INDENT);
        let unit = &base[..base.len().div_ceil(2)];
        Self {
            is_compact,
            base: base.to_owned(),
            unit: unit.to_owned(),
        }
    }

    /// What stands between two cells.
    fn gap(&self) -> String {
        match self.is_compact {
            true => " ".to_owned(),
            false => format!("\n{}", self.base),
        }
    }

    fn cell(&self, cell: &Value) -> String {
        self.value(cell, 0)
    }

    /// Writes a value that stands this many steps deep in a cell.
    fn value(&self, value: &Value, depth: usize) -> String {
        if self.is_compact {
            return value.to_string();
        }
        let mut written = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.unit.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut written, formatter);
        // A value whose keys are texts can always be written.
        if value.serialize(&mut serializer).is_err() {
            return value.to_string();
        }
        let indent = format!("\n{}{}", self.base, self.unit.repeat(depth));
        String::from_utf8_lossy(&written).replace('\n', &indent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "title",
   "metadata": {},
   "source": ["# Title"]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "sum",
   "metadata": { "x": 1.50 },
   "outputs": [{ "output_type": "stream", "name": "stdout", "text": ["2\n"] }],
   "source": ["1 + 1"]
  }
 ],
 "metadata": { "big": 12345678901234567890123, "ä": 1.50e0 },
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

    fn edit(given: Value) -> Result<(String, EditedCell), ToolError> {
        edit_of(NOTEBOOK, given)
    }

    fn edit_of(notebook: &str, mut given: Value) -> Result<(String, EditedCell), ToolError> {
        given["path"] = json!("a.ipynb");
        arguments::<NotebookEdit>(given)?.apply(notebook)
    }

    fn sources(text: &str) -> Vec<String> {
        let notebook: Value = serde_json::from_str(text).unwrap_or_else(|error| {
            panic!("{error}: {text}");
        });
        let cells = notebook["cells"].as_array().expect("a list");
        let source = |cell: &Value| -> String {
            let lines = cell["source"].as_array().expect("a list").iter();
            lines.filter_map(Value::as_str).collect()
        };
        cells.iter().map(source).collect()
    }

    #[test]
    fn a_cell_is_inserted_at_each_place() {
        for (index, expected) in [
            (0, ["x\ny", "# Title", "1 + 1"]),
            (1, ["# Title", "x\ny", "1 + 1"]),
            (2, ["# Title", "1 + 1", "x\ny"]),
        ] {
            let given =
                json!({ "action": "insert", "index": index, "cellType": "code", "source": "x\ny" });
            let (text, cell) = edit(given).expect("edited");
            assert_eq!(sources(&text), expected);
            assert_eq!((cell.index, cell.cells), (index, 3));
            let id = cell.id.expect("an id");
            assert!(
                text.contains(&format!("\n   \"id\": \"{id}\",\n")),
                "{text}"
            );
            assert!(
                text.contains("\n   \"source\": [\n    \"x\\n\",\n    \"y\"\n   ]\n  }"),
                "{text}"
            );
            // All else is there as it was.
            let (head, tail) = NOTEBOOK.split_at(NOTEBOOK.find(" ],\n").expect("there"));
            assert!(text.ends_with(tail), "{text}");
            assert!(text.starts_with(&head[..14]), "{text}");
        }
        let given = json!({ "action": "insert", "id": "title", "cellType": "raw", "source": "" });
        assert_eq!(
            sources(&edit(given).expect("edited").0),
            ["# Title", "", "1 + 1"]
        );
    }

    #[test]
    fn a_source_is_replaced_and_old_outputs_are_gone() {
        let given = json!({ "action": "replace", "id": "sum", "source": "2" });
        let (text, cell) = edit(given).expect("edited");
        assert_eq!(
            cell,
            EditedCell {
                index: 1,
                id: Some("sum".into()),
                cells: 2
            }
        );
        let notebook: Value = serde_json::from_str(&text).expect("JSON");
        let sum = &notebook["cells"][1];
        assert_eq!(sum["outputs"], json!([]));
        assert_eq!(sum["execution_count"], Value::Null);
        assert_eq!(sum["metadata"], json!({ "x": 1.5 }));
        assert!(text.contains("12345678901234567890123") && text.contains("1.50e0"));

        let given = json!({ "action": "replace", "index": 0, "source": "# Other" });
        let (text, _) = edit(given).expect("edited");
        let expected = "\"source\": [\n    \"# Other\"\n   ]";
        assert_eq!(
            text,
            NOTEBOOK.replace("\"source\": [\"# Title\"]", expected)
        );

        let given =
            json!({ "action": "replace", "id": "sum", "cellType": "markdown", "source": "x" });
        let (text, _) = edit(given).expect("edited");
        let notebook: Value = serde_json::from_str(&text).expect("JSON");
        assert!(notebook["cells"][1].get("outputs").is_none());
        assert_eq!(notebook["cells"][1]["id"], "sum");
    }

    #[test]
    fn cells_are_deleted_to_the_last() {
        for (index, left) in [(0, "1 + 1"), (1, "# Title")] {
            let (text, cell) = edit(json!({ "action": "delete", "index": index })).expect("edited");
            assert_eq!((sources(&text), cell.cells), (vec![left.to_owned()], 1));
            let given = json!({ "action": "delete", "index": 0 });
            let (text, _) = edit_of(&text, given).expect("edited");
            assert!(text.contains("\"cells\": [],"), "{text}");
            let given = json!({ "action": "insert", "index": 0, "cellType": "raw", "source": "a" });
            let (text, _) = edit_of(&text, given).expect("edited");
            assert_eq!(sources(&text), ["a"]);
            assert!(
                text.contains("\"cells\": [\n  {\n   \"cell_type\": \"raw\","),
                "{text}"
            );
        }
    }

    #[test]
    fn a_notebook_before_ids_gets_none_and_one_on_a_line_stays_so() {
        let old = r#"{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":4}"#;
        let given = json!({ "action": "insert", "index": 0, "cellType": "code", "source": "1" });
        let (text, cell) = edit_of(old, given).expect("edited");
        assert_eq!(cell.id, None);
        assert_eq!(
            text,
            r#"{"cells":[{"cell_type":"code","execution_count":null,"metadata":{},"outputs":[],"source":["1"]}],"metadata":{},"nbformat":4,"nbformat_minor":4}"#
        );
    }

    #[test]
    fn what_cannot_be_done_is_refused_in_words() {
        for given in [
            json!({ "action": "delete", "index": 2 }),
            json!({ "action": "delete" }),
            json!({ "action": "delete", "index": 0, "id": "sum" }),
            json!({ "action": "delete", "id": "none" }),
            json!({ "action": "delete", "index": -1 }),
            json!({ "action": "insert", "index": 3, "cellType": "code", "source": "" }),
            json!({ "action": "insert", "index": 0, "source": "" }),
            json!({ "action": "insert", "index": 0, "cellType": "code" }),
            json!({ "action": "replace", "index": 0 }),
            json!({ "action": "run", "index": 0 }),
            json!({ "action": "delete", "index": 0, "more": 1 }),
        ] {
            assert!(edit(given.clone()).is_err(), "{given}");
        }
        for text in [
            "",
            "[]",
            r#"{"cells":{},"nbformat":4,"nbformat_minor":5}"#,
            r#"{"cells":[7],"nbformat":4,"nbformat_minor":5}"#,
            r#"{"cells":[],"nbformat":3,"nbformat_minor":0}"#,
        ] {
            let given = json!({ "action": "insert", "index": 0, "cellType": "raw", "source": "" });
            assert!(edit_of(text, given).is_err(), "{text}");
        }
    }
}
