//! Entries of skills, as `skills/list` and `skills/get` give them.

use std::collections::HashSet;

use serde_json::Value;
use sightglass_area_core::view::{SkillFile, SkillRow, SkillView};
use sightglass_connection::Response;
use sightglass_json_text::{Members, elements};
use sightglass_llm_tools::tokens::tokens_of;
use sightglass_model::{Finding, Verdict};
use sightglass_requests::read_exact;

use super::{
    rules::{arranged, finding},
    uri::{authority_of, is_registered_name, name_of, path_in, root_of},
};

/// Files of a skill that every client takes (Skills, Limits).
const MAX_FILES: usize = 512;

/// Bytes of a skill that every client takes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Files of an entry that are looked at.
const MAX_KEPT_FILES: usize = 2_048;

/// Bytes of a URI. A longer one makes the entry unusable.
const MAX_URI_BYTES: usize = 2_048;

/// Bytes of a frontmatter.
pub(super) const MAX_FRONTMATTER_BYTES: usize = 64 * 1024;

/// Bytes of a description that are shown and counted, well beyond what a description may have.
const MAX_DESCRIPTION_BYTES: usize = 4_096;

/// Bytes of a description in the list, of which one line is shown.
const MAX_LISTED_BYTES: usize = 500;

/// Fields by which a skill asks the client to run something.
const EXECUTABLE_FIELDS: [&str; 3] = ["hooks", "scripts", "commands"];

/// The entry of one skill.
pub(super) struct SkillEntry {
    pub uri: String,
    pub name: String,
    pub description: String,
    /// JSON text of the frontmatter, as it came.
    pub frontmatter: String,
    pub manifest: SkillManifest,
    pub findings: Vec<Finding<()>>,
    /// JSON text of the entry.
    pub text: String,
}

/// The files of a skill.
pub(super) enum SkillManifest {
    Files {
        files: Vec<SkillFile>,
        left_out: usize,
    },
    Dynamic,
    /// Neither an array nor `"dynamic"`.
    Invalid,
}

impl SkillEntry {
    /// Reads an entry; says what is wrong when nothing can be done with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let members = Members::parse(text).map_err(|_| "It is not an object.".to_owned())?;
        let uri = members
            .string("uri")
            .ok_or("It has no uri that is a text.")?;
        if uri.len() > MAX_URI_BYTES {
            return Err(format!("Its uri is longer than {MAX_URI_BYTES} bytes."));
        }
        let mut findings = Vec::new();
        for name in members.repeated() {
            let message = format!("The member {} is there twice.", beginning(name, 80));
            findings.push(finding("entry-form", message));
        }
        let frontmatter = members.text("frontmatter").unwrap_or("null").to_owned();
        let fields = fields_of(&frontmatter, &mut findings);
        let text_of = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let name = text_of("name").unwrap_or_default();
        let description = text_of("description").unwrap_or_default();
        check_fields(&fields, &mut findings);
        let root = root_of(&uri);
        check_uri(&uri, root, &name, &mut findings);
        let manifest = manifest_of(members.text("resources"), &uri, root, &mut findings);
        Ok(Self {
            description: beginning(&description, MAX_DESCRIPTION_BYTES).to_owned(),
            name,
            uri,
            frontmatter,
            manifest,
            findings,
            text: text.to_owned(),
        })
    }

    /// URI of the skill's directory, where the URI has one.
    pub fn root(&self) -> Option<&str> {
        root_of(&self.uri)
    }

    /// Entry of a file in the manifest.
    pub fn listed(&self, uri: &str) -> Option<&SkillFile> {
        self.files().iter().find(|file| file.uri == uri)
    }

    /// Files of the manifest; none of a dynamic skill.
    pub fn files(&self) -> &[SkillFile] {
        match &self.manifest {
            SkillManifest::Files { files, .. } => files,
            SkillManifest::Dynamic | SkillManifest::Invalid => &[],
        }
    }

    /// Size of all files, as the server says.
    pub fn size(&self) -> u64 {
        total_size(self.files())
    }

    /// Tokens of the line by which a client tells its model of the skill.
    pub fn metadata_tokens(&self) -> u32 {
        let name = beginning(&self.name, MAX_DESCRIPTION_BYTES);
        // Too short to be refused.
        tokens_of(&format!("- {name}: {}", self.description)).unwrap_or_default()
    }

    pub fn row(&self) -> SkillRow {
        let count = |verdict| {
            let found = self.findings.iter();
            let found = found.filter(|finding| finding.verdict == verdict);
            u32::try_from(found.count()).unwrap_or(u32::MAX)
        };
        SkillRow {
            uri: self.uri.clone(),
            name: beginning(&self.name, MAX_DESCRIPTION_BYTES).to_owned(),
            description: beginning(&self.description, MAX_LISTED_BYTES).to_owned(),
            files: match &self.manifest {
                SkillManifest::Files { files, left_out } => {
                    Some(u32::try_from(files.len() + left_out).unwrap_or(u32::MAX))
                }
                SkillManifest::Dynamic | SkillManifest::Invalid => None,
            },
            size: self.size().into(),
            tokens: self.metadata_tokens(),
            errors: count(Verdict::Failed),
            warnings: count(Verdict::Warning),
        }
    }

    pub fn view(&self) -> SkillView {
        SkillView {
            uri: self.uri.clone(),
            name: beginning(&self.name, MAX_DESCRIPTION_BYTES).to_owned(),
            description: self.description.clone(),
            frontmatter: beginning(&self.frontmatter, MAX_FRONTMATTER_BYTES).to_owned(),
            is_dynamic: matches!(self.manifest, SkillManifest::Dynamic),
            files: self.files().to_vec(),
            left_out: match self.manifest {
                SkillManifest::Files { left_out, .. } => {
                    u32::try_from(left_out).unwrap_or(u32::MAX)
                }
                SkillManifest::Dynamic | SkillManifest::Invalid => 0,
            },
            size: self.size().into(),
            tokens: self.metadata_tokens(),
            findings: arranged(self.findings.clone()),
        }
    }
}

/// The entry in the answer of `skills/get`.
pub(super) fn entry_of_answer(response: &Response) -> Result<SkillEntry, String> {
    let text = String::from_utf8_lossy(&response.recorded);
    let skill = Members::parse(&text)
        .ok()
        .and_then(|answer| answer.object("result")?.text("skill"));
    SkillEntry::read(skill.ok_or("The answer has no skill.")?)
}

/// At most `limit` bytes of a text, cut between characters.
pub(super) fn beginning(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

fn fields_of(frontmatter: &str, findings: &mut Vec<Finding<()>>) -> Value {
    if frontmatter.len() > MAX_FRONTMATTER_BYTES {
        let message = format!("The frontmatter is longer than {MAX_FRONTMATTER_BYTES} bytes.");
        findings.push(finding("entry-form", message));
        return Value::Null;
    }
    match read_exact(frontmatter) {
        Ok(fields @ Value::Object(_)) => fields,
        _ => {
            let message = "The frontmatter is not an object that can be read.";
            findings.push(finding("entry-form", message));
            Value::Null
        }
    }
}

fn check_fields(fields: &Value, findings: &mut Vec<Finding<()>>) {
    let Value::Object(members) = fields else {
        return;
    };
    match members.get("name") {
        Some(Value::String(name)) if is_name(name) => {}
        Some(Value::String(name)) => findings.push(finding(
            "name-form",
            format!("The name is {}.", beginning(name, 200)),
        )),
        _ => findings.push(finding("entry-form", "The frontmatter has no name.")),
    }
    match members.get("description") {
        Some(Value::String(text)) if (1..=1_024).contains(&text.chars().count()) => {}
        Some(Value::String(text)) => {
            let message = format!("The description has {} characters.", text.chars().count());
            findings.push(finding("description-form", message));
        }
        _ => findings.push(finding("entry-form", "The frontmatter has no description.")),
    }
    if let Some(value) = members.get("compatibility")
        && !value
            .as_str()
            .is_some_and(|text| (1..=500).contains(&text.chars().count()))
    {
        let message = "The compatibility is no text, empty, or too long.";
        findings.push(finding("compatibility-form", message));
    }
    match members.get("metadata") {
        None => {}
        Some(Value::Object(metadata)) => {
            if metadata.values().any(|value| !value.is_string()) {
                let message = "A value of the metadata is not a text.";
                findings.push(finding("metadata-form", message));
            }
            let mut keys = metadata.keys();
            if let Some(key) = keys.find(|key| key.starts_with("io.modelcontextprotocol/")) {
                let message = format!("The metadata has the key {}.", beginning(key, 200));
                findings.push(finding("metadata-reserved", message));
            }
        }
        Some(_) => findings.push(finding("metadata-form", "The metadata is not a mapping.")),
    }
    if let Some(tools) = members.get("allowed-tools") {
        let tools = tools
            .as_str()
            .map_or_else(|| tools.to_string(), str::to_owned);
        let message = format!("It asks for {}.", beginning(&tools, 200));
        findings.push(finding("allowed-tools", message));
    }
    for field in EXECUTABLE_FIELDS {
        if members.contains_key(field) {
            let message = format!("The frontmatter has the field {field}.");
            findings.push(finding("executable-field", message));
        }
    }
}

/// Holds a name against the naming rules of the Agent Skills specification.
fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.chars().count())
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
        && name.chars().all(|character| {
            character == '-' || (character.is_alphanumeric() && !character.is_uppercase())
        })
}

fn check_uri(uri: &str, root: Option<&str>, name: &str, findings: &mut Vec<Finding<()>>) {
    let Some(root) = root else {
        let message = format!("The URI is {}.", beginning(uri, 200));
        findings.push(finding("uri-form", message));
        return;
    };
    let last = name_of(root);
    if last != name && !name.is_empty() {
        let name = beginning(name, 200);
        let message = format!("The path ends in {last}, and the name is {name}.");
        findings.push(finding("name-differs", message));
    }
    let authority = authority_of(root);
    if !is_registered_name(authority) {
        let message = format!("The first segment is {authority}.");
        findings.push(finding("uri-authority", message));
    }
}

fn manifest_of(
    text: Option<&str>,
    uri: &str,
    root: Option<&str>,
    findings: &mut Vec<Finding<()>>,
) -> SkillManifest {
    if text == Some("\"dynamic\"") {
        let message = "The server publishes no digests of its files.";
        findings.push(finding("dynamic", message));
        return SkillManifest::Dynamic;
    }
    let Some(listed) = text.and_then(elements) else {
        let message = match text {
            Some(text) => format!("resources is {}.", beginning(text, 80)),
            None => "There is no resources.".to_owned(),
        };
        findings.push(finding("resources-form", message));
        return SkillManifest::Invalid;
    };
    if listed.len() > MAX_FILES {
        let message = format!("It has {} files.", listed.len());
        findings.push(finding("too-many-files", message));
    }
    let left_out = listed.len().saturating_sub(MAX_KEPT_FILES);
    if left_out > 0 {
        let message = format!("Only the first {MAX_KEPT_FILES} files are looked at.");
        findings.push(finding("cut-short", message));
    }
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    for (index, text) in listed.iter().take(MAX_KEPT_FILES).enumerate() {
        let Some(file) = listed_file(text, root) else {
            let message = format!("File {} has no uri that can be used.", index + 1);
            findings.push(finding("resources-form", message));
            continue;
        };
        check_listed(&file, root.is_some(), findings);
        if seen.insert(file.uri.clone()) {
            files.push(file);
        } else {
            let message = format!("{} is listed twice.", file.uri);
            findings.push(finding("file-twice", message));
        }
    }
    if !seen.contains(uri) && left_out == 0 {
        let message = "The SKILL.md is not among the files.";
        findings.push(finding("skill-md-unlisted", message));
    }
    let size = total_size(&files);
    if size > MAX_BYTES {
        let message = format!("Its files have {size} bytes.");
        findings.push(finding("too-large", message));
    }
    SkillManifest::Files { files, left_out }
}

fn total_size(files: &[SkillFile]) -> u64 {
    let sizes = files.iter().filter_map(|file| file.size);
    sizes.fold(0_u64, |sum, size| sum.saturating_add(size.as_u64()))
}

fn listed_file(text: &str, root: Option<&str>) -> Option<SkillFile> {
    let members = Members::parse(text).ok()?;
    let uri = members.string("uri")?;
    if uri.len() > MAX_URI_BYTES {
        return None;
    }
    Some(SkillFile {
        path: root.and_then(|root| path_in(root, &uri)).map(str::to_owned),
        digest: members
            .string("digest")
            .map(|digest| beginning(&digest, 200).to_owned()),
        size: members
            .text("size")
            .and_then(|size| size.parse::<u64>().ok())
            .map(Into::into),
        uri,
    })
}

fn check_listed(file: &SkillFile, has_root: bool, findings: &mut Vec<Finding<()>>) {
    if has_root && file.path.is_none() {
        let message = format!("{} is not inside.", file.uri);
        findings.push(finding("file-outside", message));
    }
    let is_digest = |digest: &String| {
        digest.strip_prefix("sha256:").is_some_and(|hex| {
            let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            hex.len() == 64 && hex.bytes().all(is_digit)
        })
    };
    if !file.digest.as_ref().is_some_and(is_digest) {
        let message = match &file.digest {
            Some(digest) => format!("{} has the digest {digest}.", file.uri),
            None => format!("{} has no digest.", file.uri),
        };
        findings.push(finding("digest-form", message));
    }
    if file.size.is_none() {
        let message = format!("{} has no size that is a whole number.", file.uri);
        findings.push(finding("size-form", message));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules(entry: &Value) -> Vec<String> {
        let entry = SkillEntry::read(&entry.to_string()).expect("an entry");
        let mut rules: Vec<_> = entry.findings.into_iter().map(|found| found.rule).collect();
        rules.sort();
        rules.dedup();
        rules
    }

    fn good() -> Value {
        let digest = format!("sha256:{}", "a".repeat(64));
        json!({
            "uri": "skill://acme/refunds/SKILL.md",
            "frontmatter": { "name": "refunds", "description": "Refunds." },
            "resources": [
                { "uri": "skill://acme/refunds/SKILL.md", "digest": digest, "size": 10 },
                { "uri": "skill://acme/refunds/a/b.md", "digest": digest, "size": 0 },
            ],
        })
    }

    #[test]
    fn a_good_entry_has_no_findings() {
        assert_eq!(rules(&good()), [""; 0]);
    }

    #[test]
    fn each_rule_of_the_entry_is_held() {
        let with = |pointer: &str, value: Value| {
            let mut entry = good();
            match entry.pointer_mut(pointer) {
                Some(place) => *place = value,
                None => {
                    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
                    entry.pointer_mut(parent).expect("there")[name] = value;
                }
            }
            rules(&entry)
        };
        assert_eq!(
            with("/uri", json!("skill://acme/refunds")),
            ["skill-md-unlisted", "uri-form"]
        );
        assert_eq!(
            with("/frontmatter/name", json!("returns")),
            ["name-differs"]
        );
        assert_eq!(
            with("/frontmatter/name", json!("Re--funds")),
            ["name-differs", "name-form"]
        );
        assert_eq!(
            with("/frontmatter/description", json!("x".repeat(1_025))),
            ["description-form"]
        );
        assert_eq!(with("/frontmatter/description", json!(1)), ["entry-form"]);
        assert_eq!(with("/frontmatter", json!([])), ["entry-form"]);
        assert_eq!(
            with("/frontmatter/compatibility", json!("")),
            ["compatibility-form"]
        );
        assert_eq!(
            with("/frontmatter/metadata", json!({ "a": 1 })),
            ["metadata-form"]
        );
        assert_eq!(
            with(
                "/frontmatter/metadata",
                json!({ "io.modelcontextprotocol/x": "1" })
            ),
            ["metadata-reserved"]
        );
        assert_eq!(
            with("/frontmatter/allowed-tools", json!("Bash(*)")),
            ["allowed-tools"]
        );
        assert_eq!(with("/frontmatter/hooks", json!({})), ["executable-field"]);
        assert_eq!(with("/resources", json!("dynamic")), ["dynamic"]);
        assert_eq!(with("/resources", json!("static")), ["resources-form"]);
        assert_eq!(with("/resources", json!([])), ["skill-md-unlisted"]);
        assert_eq!(
            with(
                "/resources/1/uri",
                json!("skill://acme/refunds/../../b/SKILL.md")
            ),
            ["file-outside"]
        );
        assert_eq!(
            with("/resources/1/uri", json!("skill://acme/refunds/SKILL.md")),
            ["file-twice"]
        );
        assert_eq!(
            with(
                "/resources/1/digest",
                json!(format!("sha256:{}", "A".repeat(64)))
            ),
            ["digest-form"]
        );
        for size in [json!(-1), json!(1.5), json!("1"), Value::Null] {
            assert_eq!(with("/resources/1/size", size), ["size-form"]);
        }
        assert_eq!(
            with("/resources/1/size", json!(16 * 1024 * 1024)),
            ["too-large"]
        );
    }

    #[test]
    fn sizes_beyond_every_number_and_lists_beyond_every_limit_are_survived() {
        let mut entry = good();
        let file = entry["resources"][0].clone();
        entry["resources"][0]["size"] = json!(u64::MAX);
        entry["resources"][1]["size"] = json!(u64::MAX);
        assert_eq!(rules(&entry), ["too-large"]);
        let many = (0..3_000).map(|index| {
            let mut file = file.clone();
            file["uri"] = json!(format!("skill://acme/refunds/{index}"));
            file
        });
        entry["resources"] = many.collect();
        let read = SkillEntry::read(&entry.to_string()).expect("an entry");
        assert_eq!(read.files().len(), MAX_KEPT_FILES);
        assert_eq!(read.row().files, Some(3_000));
        let deep = format!(
            r#"{{"uri":"skill://a/SKILL.md","frontmatter":{}{},"resources":"dynamic"}}"#,
            "[".repeat(20_000),
            "]".repeat(20_000)
        );
        let read = SkillEntry::read(&deep).expect("an entry");
        assert!(read.findings.iter().any(|found| found.rule == "entry-form"));
    }
}
