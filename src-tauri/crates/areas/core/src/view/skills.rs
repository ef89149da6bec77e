//! Skills of a server, held against the files that it serves.

use serde::Serialize;
use sightglass_model::{ByteCount, Finding, Verdict};

use super::CallReport;

/// Skills of a server, as it listed them. No file was read for it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillListView {
    pub skills: Vec<SkillRow>,
    /// Number of skills that are left out because there are too many to show.
    pub left_out: u32,
    /// Findings about the list itself.
    pub findings: Vec<Finding<()>>,
    /// Tokens of the names and descriptions of all of them, which a client's model always sees.
    pub tokens: u32,
    /// True when the server answers `resources/directory/read`.
    pub reads_directories: bool,
}

/// A skill in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct SkillRow {
    pub uri: String,
    pub name: String,
    pub description: String,
    /// Number of its files; absent where the server lists none.
    pub files: Option<u32>,
    /// Size of all of them, as the server says.
    pub size: ByteCount,
    /// Tokens of the name and the description.
    pub tokens: u32,
    pub errors: u32,
    pub warnings: u32,
}

/// Entry of one skill.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillView {
    pub uri: String,
    pub name: String,
    pub description: String,
    /// The frontmatter of the entry, as JSON.
    pub frontmatter: String,
    /// True when the server publishes no digests.
    pub is_dynamic: bool,
    pub files: Vec<SkillFile>,
    /// Number of files that are left out because there are too many.
    pub left_out: u32,
    pub size: ByteCount,
    /// Tokens of the name and the description.
    pub tokens: u32,
    pub findings: Vec<Finding<()>>,
}

/// File in the manifest of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct SkillFile {
    pub uri: String,
    /// Path in the skill's directory; absent where it is not inside.
    pub path: Option<String>,
    /// Size as the server says; absent where it says none.
    pub size: Option<ByteCount>,
    pub digest: Option<String>,
}

/// A file held against its entry: skipped where the server publishes nothing to hold it against.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillFileReport {
    pub uri: String,
    pub path: String,
    pub verdict: Verdict,
    /// Size as the server says, and as it is; absent where it says none or none was read.
    pub size_declared: Option<ByteCount>,
    pub size: Option<ByteCount>,
    pub digest_declared: Option<String>,
    pub digest: Option<String>,
    /// Tokens of a text; absent of other files.
    pub tokens: Option<u32>,
    pub findings: Vec<Finding<()>>,
}

/// Member of the frontmatter, in the entry and in `SKILL.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FrontmatterField {
    pub name: String,
    /// JSON text in the entry; absent where it has none.
    pub declared: Option<String>,
    /// JSON text of the value in `SKILL.md`; absent where it has none.
    pub found: Option<String>,
    pub is_equal: bool,
}

/// A skill of which every file was read: skipped where a file was.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillReport {
    pub uri: String,
    pub name: String,
    pub verdict: Verdict,
    /// Findings about the entry.
    pub findings: Vec<Finding<()>>,
    pub files: Vec<SkillFileReport>,
    pub frontmatter: Vec<FrontmatterField>,
    /// Tokens of the name and the description.
    pub metadata_tokens: u32,
    /// Tokens of `SKILL.md` after its frontmatter; absent where it could not be read.
    pub instructions_tokens: Option<u32>,
    /// Tokens of all other files that are texts.
    pub file_tokens: u32,
}

/// A file of a skill, with its content.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillFileView {
    pub file: SkillFileReport,
    /// Empty but of `SKILL.md`.
    pub frontmatter: Vec<FrontmatterField>,
    /// Tokens of the text after the frontmatter of `SKILL.md`.
    pub instructions_tokens: Option<u32>,
    /// The answer of `resources/read`.
    pub report: CallReport,
}
