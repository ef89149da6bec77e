//! Files of skills, held against their manifests.

use sightglass_area_core::{
    blob,
    view::{FrontmatterField, SkillFile, SkillFileReport},
};
use sightglass_config::sha256_of;
use sightglass_connection::Response;
use sightglass_json_text::{Members, elements};
use sightglass_llm_tools::tokens::tokens_of;
use sightglass_model::{ByteCount, Finding, Verdict};

use super::{
    entry::{SkillEntry, SkillManifest},
    frontmatter::{FrontmatterComparison, compare, parts},
    rules::{arranged, finding, has_error},
};

/// Longest text whose tokens are counted; a client cuts a longer one.
const MAX_COUNTED_BYTES: usize = 1024 * 1024;

/// Content of a file.
struct SkillFileContent {
    /// Bytes as they crossed the wire.
    bytes: Vec<u8>,
    /// The text as it is on record, where it is one.
    text: Option<String>,
    mime_type: Option<String>,
}

/// A file that was held against its entry.
pub(super) struct Checked {
    pub report: SkillFileReport,
    /// Empty but of `SKILL.md`.
    pub frontmatter: Vec<FrontmatterField>,
    /// Tokens of the instructions in `SKILL.md`.
    pub instructions_tokens: Option<u32>,
}

/// Holds the answer of `resources/read` against the entry of the skill. `read` is the answer, or
/// says why there is none.
pub(super) fn check(entry: &SkillEntry, uri: &str, read: Result<&Response, String>) -> Checked {
    let listed = entry.listed(uri);
    let is_skill_md = uri == entry.uri;
    let mut findings = Vec::new();
    if listed.is_none() && !matches!(entry.manifest, SkillManifest::Dynamic) {
        let message = "It is not among the files of the entry.";
        findings.push(finding("file-unlisted", message));
    }
    let content = match read {
        Ok(response) => content_of(response, uri, &mut findings)
            .map_err(|message| finding("read-form", message)),
        Err(reason) => Err(finding("read-failed", reason)),
    };
    let content = content.map_err(|found| findings.push(found)).ok();
    let digest = content
        .as_ref()
        .map(|content| format!("sha256:{}", sha256_of(&content.bytes)));
    let mut frontmatter = FrontmatterComparison::default();
    let mut instructions_tokens = None;
    if let Some(content) = &content {
        hold(listed, content, digest.as_deref(), &mut findings);
        if is_skill_md {
            let text = content.text.as_deref().unwrap_or_default();
            frontmatter = compare(&entry.frontmatter, text);
            findings.append(&mut frontmatter.findings);
            instructions_tokens = parts(text).and_then(|parts| counted(parts.instructions));
            if let Some(mime_type) = &content.mime_type
                && mime_type.split(';').next().map(str::trim) != Some("text/markdown")
            {
                findings.push(finding("mime-type", format!("It is {mime_type}.")));
            }
        }
    }
    let verdict = if has_error(&findings) {
        Verdict::Failed
    } else if listed.is_none() {
        Verdict::Skipped
    } else {
        Verdict::Passed
    };
    let path = entry
        .root()
        .and_then(|root| super::uri::path_in(root, uri))
        .unwrap_or(uri);
    Checked {
        report: SkillFileReport {
            uri: uri.to_owned(),
            path: path.to_owned(),
            verdict,
            size_declared: listed.and_then(|file| file.size),
            size: content.as_ref().map(|content| content.bytes.len().into()),
            digest_declared: listed.and_then(|file| file.digest.clone()),
            digest,
            tokens: content
                .as_ref()
                .and_then(|content| counted(content.text.as_deref()?)),
            findings: arranged(findings),
        },
        frontmatter: frontmatter.fields,
        instructions_tokens,
    }
}

/// Holds size and digest against the manifest.
fn hold(
    listed: Option<&SkillFile>,
    content: &SkillFileContent,
    digest: Option<&str>,
    findings: &mut Vec<Finding<()>>,
) {
    let size = content.bytes.len();
    if let Some(declared) = listed.and_then(|file| file.size).map(ByteCount::as_u64)
        && declared != size as u64
    {
        let message = format!("It has {size} bytes; the entry says {declared}.");
        findings.push(finding("size-differs", message));
    }
    if let Some(declared) = listed.and_then(|file| file.digest.as_deref())
        && Some(declared) != digest
    {
        let digest = digest.unwrap_or_default();
        let message = format!("It is {digest}; the entry says {declared}.");
        findings.push(finding("digest-differs", message));
    }
}

fn counted(text: &str) -> Option<u32> {
    (text.len() <= MAX_COUNTED_BYTES)
        .then(|| tokens_of(text).ok())
        .flatten()
}

/// The one content in an answer of `resources/read`, or a sentence about its form.
fn content_of(
    response: &Response,
    uri: &str,
    findings: &mut Vec<Finding<()>>,
) -> Result<SkillFileContent, String> {
    let wire = String::from_utf8_lossy(&response.text);
    let recorded = String::from_utf8_lossy(&response.recorded);
    let contents = contents_in(&wire).ok_or("The answer has no contents.")?;
    let [content] = &contents[..] else {
        return Err(format!("The answer has {} contents.", contents.len()));
    };
    let not_object = "The content is not an object.";
    let members = Members::parse(content).map_err(|_| not_object)?;
    // The same with secrets masked, for all that is shown.
    let on_record = contents_in(&recorded)
        .and_then(|contents| Members::parse(contents.first()?).ok())
        .ok_or(not_object)?;
    let given = on_record.string("uri").unwrap_or_default();
    if given != uri {
        let given = super::entry::beginning(&given, 200);
        findings.push(finding("read-form", format!("The content is of {given}.")));
    }
    let mime_type = on_record.string("mimeType");
    if let Some(text) = members.string("text") {
        return Ok(SkillFileContent {
            bytes: text.into_bytes(),
            text: on_record.string("text"),
            mime_type,
        });
    }
    let Some(encoded) = members.string("blob") else {
        return Err("The content has neither text nor blob.".to_owned());
    };
    // A text that is sent as base64 is a text still.
    let text = on_record
        .string("blob")
        .and_then(|encoded| String::from_utf8(blob::decode(&encoded).ok()?).ok())
        .filter(|text| !text.contains('\0'));
    Ok(SkillFileContent {
        bytes: blob::decode(&encoded).map_err(|error| error.to_string())?,
        text,
        mime_type,
    })
}

fn contents_in(answer: &str) -> Option<Vec<&str>> {
    let result = Members::parse(answer).ok()?.object("result")?;
    result.text("contents").and_then(elements)
}
