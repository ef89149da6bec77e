//! History of changes, for undo and redo across files.

use crate::change::action::{ChangePlan, PlannedFile};

/// The changes of this run.
#[derive(Debug, Default)]
pub struct History {
    done: Vec<HistoryEntry>,
    undone: Vec<HistoryEntry>,
}

/// One change, of one file or several.
#[derive(Debug, Clone)]
struct HistoryEntry {
    title: String,
    files: Vec<PlannedFile>,
}

/// Direction of a plan in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryStep {
    /// Something new.
    New,
    Undo,
    Redo,
}

impl History {
    /// Returns the title of the change that undo takes back.
    pub fn undo_title(&self) -> Option<&str> {
        self.done.last().map(|entry| entry.title.as_str())
    }

    /// Returns the title of the change that redo does again.
    pub fn redo_title(&self) -> Option<&str> {
        self.undone.last().map(|entry| entry.title.as_str())
    }

    /// A plan that takes the last change back.
    pub fn plan_undo(&self) -> Option<ChangePlan> {
        let entry = self.done.last()?;
        let files = entry.files.iter().rev().map(reversed).collect();
        Some(plan(format!("Undo: {}", entry.title), files))
    }

    /// A plan that does again what was taken back last.
    pub fn plan_redo(&self) -> Option<ChangePlan> {
        let entry = self.undone.last()?;
        Some(plan(format!("Redo: {}", entry.title), entry.files.clone()))
    }

    /// Records that a plan was carried out.
    pub fn record(&mut self, plan: &ChangePlan, direction: HistoryStep) {
        match direction {
            HistoryStep::New => {
                if !plan.files.is_empty() {
                    self.undone.clear();
                    self.done.push(HistoryEntry {
                        title: plan.title.clone(),
                        files: plan.files.clone(),
                    });
                }
            }
            HistoryStep::Undo => self.undone.extend(self.done.pop()),
            HistoryStep::Redo => self.done.extend(self.undone.pop()),
        }
    }
}

fn plan(title: String, files: Vec<PlannedFile>) -> ChangePlan {
    ChangePlan {
        title,
        files,
        lost: Vec::new(),
        warnings: Vec::new(),
        written: Vec::new(),
        carried: Vec::new(),
        bundle: None,
    }
}

fn reversed(file: &PlannedFile) -> PlannedFile {
    PlannedFile {
        change: file.change.reversed(),
        remaining_problems: Vec::new(),
        ..file.clone()
    }
}
