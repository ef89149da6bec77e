//! `guide`: the chapters that the window shows too.

use anstyle::Style;
use clap::Args;
use sightglass_inspector::{Guide, GuideChapter};

use crate::{
    console::width, error::CliError, markdown::laid_out, outcome::Outcome, style::NAME,
    table::Table,
};

#[derive(Debug, Args)]
pub(crate) struct ReadGuide {
    /// The chapter; without one they are listed
    chapter: Option<String>,
}

impl ReadGuide {
    pub(crate) fn run(self) -> Result<Outcome, CliError> {
        let chapters = Guide.list_guide_chapters();
        let Some(name) = self.chapter else {
            return listed(&chapters);
        };
        match chapters.iter().find(|chapter| chapter.name == name) {
            Some(chapter) => shown(chapter),
            None => Err(CliError::usage(
                &format!("The guide has no chapter {name}."),
                "`sightglass-cli guide` lists them.",
            )),
        }
    }
}

fn listed(chapters: &[GuideChapter]) -> Result<Outcome, CliError> {
    let mut table = Table::default();
    for GuideChapter { name, title, .. } in chapters {
        table.row([
            ((*name).to_owned(), NAME),
            ((*title).to_owned(), Style::new()),
        ]);
    }
    Outcome::of(&chapters, table.render())
}

/// A chapter for a terminal to read; where there is none, as it is written.
fn shown(chapter: &GuideChapter) -> Result<Outcome, CliError> {
    let text = match width() {
        Some(width) => laid_out(chapter.text, width),
        None => chapter.text.to_owned(),
    };
    Outcome::of(chapter, text)
}
