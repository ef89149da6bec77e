//! Reads the files of a skill and holds each against the entry.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;
use sightglass_area_core::{error::InspectorError, view::SkillReport};
use sightglass_connection::{Params, RequestEnd, RequestOutcome, Response};
use sightglass_json_text::{Members, elements, quoted};
use sightglass_model::{Finding, ServerId, Verdict};

use super::{
    entry::{SkillEntry, SkillManifest, entry_of_answer},
    file::{Checked, check},
    rules::{arranged, finding, has_error},
    uri::path_in,
};
use crate::skills::ServerSkills;

/// Files that are read of one skill.
const MAX_READ_FILES: usize = 1_024;

/// Bytes that are read of one skill.
const MAX_READ_BYTES: usize = 64 * 1024 * 1024;

/// Directories and pages of them that are read of one skill.
const MAX_DIRECTORY_READS: usize = 256;

/// Requests about the skills of one server.
pub(super) struct SkillRequests<'a> {
    pub skills: &'a ServerSkills,
    pub server: &'a ServerId,
    /// Name of the requests, for progress and cancelling.
    pub key: &'a str,
}

impl SkillRequests<'_> {
    /// Sends a request.
    pub async fn send(
        &self,
        method: &str,
        members: &[(&str, &str)],
    ) -> Result<RequestOutcome, InspectorError> {
        let params = Params::object(members);
        let connections = &self.skills.core.connections;
        let outcome = connections
            .request(self.server, self.key, method, &params)
            .await?;
        match outcome.end {
            RequestEnd::Cancelled => Err(InspectorError::Unanswered {
                end: RequestEnd::Cancelled,
                message: "Reading the skills was stopped.".to_owned(),
            }),
            _ => Ok(outcome),
        }
    }

    /// Gets the entry of one skill; says why there is none.
    pub async fn get(
        &self,
        uri: &str,
    ) -> Result<Result<SkillEntry, InspectorError>, InspectorError> {
        let outcome = self.send("skills/get", &[("uri", &quoted(uri))]).await?;
        let entry = result_of(&outcome).and_then(entry_of_answer);
        Ok(entry.map_err(|reason| no_result(&outcome, reason)))
    }

    /// Reads every file of a skill.
    pub async fn verify(
        &self,
        entry: &SkillEntry,
        mut findings: Vec<Finding<()>>,
        reads_directories: bool,
    ) -> Result<SkillReport, InspectorError> {
        findings.extend(entry.findings.iter().cloned());
        let mut files: BTreeSet<String> = entry
            .files()
            .iter()
            .filter(|file| file.path.is_some())
            .map(|file| file.uri.clone())
            .collect();
        if reads_directories && let Some(root) = entry.root() {
            let found = self.directory(root, &mut findings).await?;
            self.compare_directory(entry, root, &found, &mut findings);
            if matches!(entry.manifest, SkillManifest::Dynamic) {
                files.extend(found);
            }
        }
        // Also where the manifest does not list it, so that the frontmatter is compared.
        files.remove(&entry.uri);
        let order = std::iter::once(entry.uri.clone()).chain(files);
        let mut report = SkillReport {
            uri: entry.uri.clone(),
            name: entry.view().name,
            verdict: Verdict::Passed,
            findings: Vec::new(),
            files: Vec::new(),
            frontmatter: Vec::new(),
            metadata_tokens: entry.metadata_tokens(),
            instructions_tokens: None,
            file_tokens: 0,
        };
        let mut bytes = 0;
        for uri in order.filter(|_| entry.root().is_some()) {
            if report.files.len() == MAX_READ_FILES || bytes > MAX_READ_BYTES {
                let message = format!("Only {} files were read.", report.files.len());
                findings.push(finding("cut-short", message));
                break;
            }
            let (checked, size) = self.read(entry, &uri).await?;
            bytes += size;
            if uri == entry.uri {
                report.frontmatter = checked.frontmatter;
                report.instructions_tokens = checked.instructions_tokens;
            } else {
                let tokens = checked.report.tokens.unwrap_or_default();
                report.file_tokens = report.file_tokens.saturating_add(tokens);
            }
            report.files.push(checked.report);
        }
        let is = |verdict| report.files.iter().any(|file| file.verdict == verdict);
        report.verdict = if has_error(&findings) || is(Verdict::Failed) {
            Verdict::Failed
        } else if is(Verdict::Skipped) {
            Verdict::Skipped
        } else {
            Verdict::Passed
        };
        report.findings = arranged(findings);
        Ok(report)
    }

    async fn read(
        &self,
        entry: &SkillEntry,
        uri: &str,
    ) -> Result<(Checked, usize), InspectorError> {
        let outcome = self
            .send("resources/read", &[("uri", &quoted(uri))])
            .await?;
        let size = outcome
            .response
            .as_ref()
            .map_or(0, |answer| answer.text.len());
        Ok((check(entry, uri, result_of(&outcome)), size))
    }

    /// Returns the URIs of the files that the server shows in a directory and those below.
    async fn directory(
        &self,
        root: &str,
        findings: &mut Vec<Finding<()>>,
    ) -> Result<BTreeSet<String>, InspectorError> {
        let mut files = BTreeSet::new();
        let mut seen = BTreeSet::from([root.to_owned()]);
        let mut waiting = VecDeque::from([(root.to_owned(), None::<String>)]);
        let mut reads = 0;
        while let Some((directory, cursor)) = waiting.pop_front() {
            reads += 1;
            if reads > MAX_DIRECTORY_READS || files.len() > MAX_READ_FILES {
                let message = "Not all directories were read.";
                findings.push(finding("cut-short", message));
                break;
            }
            let uri = quoted(&directory);
            let mut members = vec![("uri", uri.as_str())];
            members.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let outcome = self.send("resources/directory/read", &members).await?;
            let page = result_of(&outcome).and_then(page_of);
            let (children, next) = match page {
                Ok(page) => page,
                Err(reason) => {
                    let message = format!("{directory}: {reason}");
                    findings.push(finding("directory-failed", message));
                    continue;
                }
            };
            for (child, is_directory) in children {
                if path_in(root, &child).is_none() {
                    let message = format!("{directory} shows {child}, which is not inside.");
                    findings.push(finding("file-outside", message));
                } else if !is_directory {
                    files.insert(child);
                } else if seen.insert(child.clone()) {
                    waiting.push_back((child, None));
                }
            }
            // A cursor that comes twice ends at the bound on reads.
            waiting.extend(next.map(|next| (directory, Some(next))));
        }
        Ok(files)
    }

    /// Compares the files that a server shows in the directories with those of the manifest.
    fn compare_directory(
        &self,
        entry: &SkillEntry,
        root: &str,
        found: &BTreeSet<String>,
        findings: &mut Vec<Finding<()>>,
    ) {
        let SkillManifest::Files { left_out: 0, .. } = entry.manifest else {
            return;
        };
        for uri in found.iter().filter(|uri| entry.listed(uri).is_none()) {
            let path = path_in(root, uri).unwrap_or(uri);
            let message =
                format!("The server shows {path} in the directory, and does not list it.");
            findings.push(finding("file-unlisted", message));
        }
        let is_complete = !findings
            .iter()
            .any(|found| matches!(&*found.rule, "directory-failed" | "cut-short"));
        let missing = entry
            .files()
            .iter()
            .filter(|file| file.path.is_some() && !found.contains(&file.uri));
        for file in missing.filter(|_| is_complete) {
            let message = format!("{} is not in its directory.", file.uri);
            findings.push(finding("file-gone", message));
        }
    }
}

/// The response of a request that has a result; else the reason for none.
pub(super) fn result_of(outcome: &RequestOutcome) -> Result<&Response, String> {
    let Some(response) = &outcome.response else {
        let message = outcome.message.as_deref().unwrap_or("no answer came");
        return Err(format!("There is no result: {message}."));
    };
    if !response.is_error {
        return Ok(response);
    }
    let answer: Value = serde_json::from_slice(&response.recorded).unwrap_or_default();
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    let message = super::entry::beginning(message, 500);
    Err(format!(
        "The server answered with the error {}: {message}",
        answer["error"]["code"]
    ))
}

/// The error of a request without a result that can be used, for the reason.
pub(super) fn no_result(outcome: &RequestOutcome, reason: String) -> InspectorError {
    match outcome.response {
        Some(_) => InspectorError::BadAnswer(reason),
        None => InspectorError::Unanswered {
            end: outcome.end.clone(),
            message: reason,
        },
    }
}

/// The children of a directory, each with whether it is one itself, and the cursor of the next
/// page.
type DirectoryPage = (Vec<(String, bool)>, Option<String>);

fn page_of(response: &Response) -> Result<DirectoryPage, String> {
    let text = String::from_utf8_lossy(&response.recorded);
    let answer = Members::parse(&text).ok();
    let result = answer
        .and_then(|answer| answer.object("result"))
        .ok_or("The result is not an object.")?;
    let resources = result
        .text("resources")
        .and_then(elements)
        .ok_or("The result has no resources.")?;
    let children = resources.into_iter().filter_map(|resource| {
        let members = Members::parse(resource).ok()?;
        let is_directory = members.string("mimeType").as_deref() == Some("inode/directory");
        Some((members.string("uri")?, is_directory))
    });
    let next = result.given("nextCursor").map(str::to_owned);
    Ok((children.collect(), next))
}
