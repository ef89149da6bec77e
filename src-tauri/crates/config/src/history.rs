//! History of changes, for undo and redo across files.

use crate::action::{Plan, PlannedFile};

/// The changes of this run.
#[derive(Debug, Default)]
pub struct History {
    done: Vec<Deed>,
    undone: Vec<Deed>,
}

/// One change, of one file or several.
#[derive(Debug, Clone)]
struct Deed {
    title: String,
    files: Vec<PlannedFile>,
}

/// Direction of a plan in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Something new.
    Forward,
    Undo,
    Redo,
}

impl History {
    /// Returns the title of the change that undo takes back.
    pub fn undo_title(&self) -> Option<&str> {
        self.done.last().map(|deed| deed.title.as_str())
    }

    /// Returns the title of the change that redo does again.
    pub fn redo_title(&self) -> Option<&str> {
        self.undone.last().map(|deed| deed.title.as_str())
    }

    /// A plan that takes the last change back.
    pub fn plan_undo(&self) -> Option<Plan> {
        let deed = self.done.last()?;
        let files = deed.files.iter().rev().map(reversed).collect();
        Some(plan(format!("Undo: {}", deed.title), files))
    }

    /// A plan that does again what was taken back last.
    pub fn plan_redo(&self) -> Option<Plan> {
        let deed = self.undone.last()?;
        Some(plan(format!("Redo: {}", deed.title), deed.files.clone()))
    }

    /// Remembers that a plan was carried out.
    pub fn note(&mut self, plan: &Plan, direction: Direction) {
        match direction {
            Direction::Forward => {
                if !plan.files.is_empty() {
                    self.undone.clear();
                    self.done.push(Deed {
                        title: plan.title.clone(),
                        files: plan.files.clone(),
                    });
                }
            }
            Direction::Undo => self.undone.extend(self.done.pop()),
            Direction::Redo => self.done.extend(self.undone.pop()),
        }
    }
}

fn plan(title: String, files: Vec<PlannedFile>) -> Plan {
    Plan {
        title,
        files,
        lost: Vec::new(),
        warnings: Vec::new(),
        written: Vec::new(),
        carried: Vec::new(),
    }
}

fn reversed(file: &PlannedFile) -> PlannedFile {
    PlannedFile {
        change: file.change.reversed(),
        remaining_problems: Vec::new(),
        ..file.clone()
    }
}
