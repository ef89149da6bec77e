//! The guide: chapters that the window and the command line show.

use serde::Serialize;

use crate::command::commands;

/// Embeds chapters of `src-tauri/guide` by their names.
macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../guide/", $name, ".md")))),*]
    };
}

/// Name and text of each chapter, in the order in which they are listed.
const CHAPTERS: &[(&str, &str)] = embedded![
    "first-minute",
    "servers",
    "sign-in",
    "calls",
    "questions",
    "record",
    "setup",
    "clients",
    "checks",
    "tests",
    "agents",
    "command-line",
    "troubleshooting",
    "trust",
    "storage",
    "protocol",
    "glossary",
];

/// Chapter of the guide.
#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct GuideChapter {
    /// Name of its file without the ending; `NAME.md` in a text is a link to it.
    pub name: &'static str,
    /// Its first heading.
    pub title: &'static str,
    /// Markdown, with that heading.
    pub text: &'static str,
}

/// The guide, a part of the program.
pub struct Guide;

#[commands]
impl Guide {
    /// Returns the chapters of the guide in their order.
    #[command]
    pub fn list_guide_chapters(&self) -> Vec<GuideChapter> {
        let chapters = CHAPTERS.iter();
        chapters
            .map(|&(name, text)| GuideChapter {
                name,
                title: title(text),
                text,
            })
            .collect()
    }
}

/// Returns the heading that a text begins with.
fn title(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("# ").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_the_guide_is_a_chapter_with_a_title() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../guide");
        let files = std::fs::read_dir(folder).expect("the guide is there");
        let mut files: Vec<String> = files
            .map(|file| file.expect("readable").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        files.sort();
        let chapters = Guide.list_guide_chapters();
        let mut named: Vec<String> = chapters
            .iter()
            .map(|chapter| format!("{}.md", chapter.name))
            .collect();
        named.sort();
        assert_eq!(named, files);
        for chapter in &chapters {
            assert_ne!(chapter.title, "", "{}", chapter.name);
        }
    }

    #[test]
    fn links_lead_to_chapters_and_to_addresses() {
        let chapters = Guide.list_guide_chapters();
        let mut links = 0;
        for GuideChapter { name, text, .. } in &chapters {
            for link in text.split("](").skip(1) {
                let target = link.split(')').next().unwrap_or_default();
                let is_known = chapters
                    .iter()
                    .any(|chapter| target.strip_suffix(".md") == Some(chapter.name));
                assert!(
                    is_known || target.starts_with("https://"),
                    "{name}: {target} is no chapter"
                );
                links += 1;
            }
        }
        assert!(links > 20, "only {links} were found");
    }
}
