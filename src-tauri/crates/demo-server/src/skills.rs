//! Skills (the extension `io.modelcontextprotocol/skills`): good ones, and some with one fault
//! each that a client has to find.

use std::sync::OnceLock;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    caching::{FRESH_MILLISECONDS, with_freshness},
    context::{Outcome, Reply},
    listing::Listing,
    media,
    message::RpcError,
    protocol::Era,
};

/// Identifier of the extension (SEP-2640).
pub const SKILLS_EXTENSION: &str = "io.modelcontextprotocol/skills";

/// The settings of the extension in the server's capabilities.
pub fn settings() -> Value {
    json!({ "directoryRead": true })
}

/// A skill, and the fault that it has.
struct Skill {
    /// Path in `skill://`.
    path: &'static str,
    frontmatter: fn() -> Value,
    fault: Option<SkillFault>,
    files: &'static [(&'static str, FileContent)],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SkillFault {
    /// The digest of a file is that of another content.
    Digest,
    /// A file in the directory is not in the manifest.
    Unlisted,
    /// The name is not the last segment of the path.
    Name,
    /// The entry says something else than the `SKILL.md`.
    Frontmatter,
    /// The manifest is `"dynamic"`. That is allowed, and cannot be verified.
    Dynamic,
}

enum FileContent {
    Text(&'static str),
    Picture,
}

const SKILLS: [Skill; 7] = [
    Skill {
        path: "git-workflow",
        frontmatter: || {
            json!({
                "name": "git-workflow",
                "description": "Follow this team's Git conventions for branches and commits. Use it before creating a branch or writing a commit message.",
                "license": "MIT",
                "metadata": { "version": "1.2" }
            })
        },
        fault: None,
        files: &[
            (
                "SKILL.md",
                FileContent::Text(
                    "---\nname: git-workflow\ndescription: Follow this team's Git conventions for branches and commits. Use it before creating a branch or writing a commit message.\nlicense: MIT\nmetadata:\n  version: \"1.2\"\n---\n\n# Git workflow\n\n1. Name a branch after the rules in `references/BRANCHES.md`.\n2. Write commit messages in the imperative mood, at most 72 characters.\n3. Run `scripts/check.sh` before a commit.\n",
                ),
            ),
            ("assets/diagram.png", FileContent::Picture),
            (
                "references/BRANCHES.md",
                FileContent::Text(
                    "# Branches\n\n- `fix/…` for repairs\n- `feature/…` for everything else\n",
                ),
            ),
            (
                "scripts/check.sh",
                FileContent::Text("#!/bin/sh\nset -e\ngit diff --check --cached\n"),
            ),
        ],
    },
    Skill {
        path: "acme/billing/refunds",
        frontmatter: || {
            json!({
                "name": "refunds",
                "description": "Process a customer's refund by company policy.",
                "allowed-tools": "Bash(refund:*)"
            })
        },
        fault: None,
        files: &[
            (
                "SKILL.md",
                FileContent::Text(
                    "---\nname: refunds\ndescription: Process a customer's refund by company policy.\nallowed-tools: Bash(refund:*)\n---\n\n# Refunds\n\nPick the template from `templates/`.\n",
                ),
            ),
            (
                "templates/email.md",
                FileContent::Text("Dear {customer},\n\nyour refund is on its way.\n"),
            ),
        ],
    },
    Skill {
        path: "reports/daily",
        frontmatter: || json!({ "name": "daily", "description": "Assemble today's report from live data." }),
        fault: Some(SkillFault::Dynamic),
        files: &[(
            "SKILL.md",
            FileContent::Text(
                "---\nname: daily\ndescription: Assemble today's report from live data.\n---\n\n# Daily report\n",
            ),
        )],
    },
    Skill {
        path: "faulty/wrong-digest",
        frontmatter: || json!({ "name": "wrong-digest", "description": "A file is not what the manifest says." }),
        fault: Some(SkillFault::Digest),
        files: &[
            (
                "SKILL.md",
                FileContent::Text(
                    "---\nname: wrong-digest\ndescription: A file is not what the manifest says.\n---\n\nRead `steps.md`.\n",
                ),
            ),
            (
                "steps.md",
                FileContent::Text("These steps were changed after the manifest was made.\n"),
            ),
        ],
    },
    Skill {
        path: "faulty/unlisted-file",
        frontmatter: || json!({ "name": "unlisted-file", "description": "The directory has a file that the manifest does not." }),
        fault: Some(SkillFault::Unlisted),
        files: &[
            (
                "SKILL.md",
                FileContent::Text(
                    "---\nname: unlisted-file\ndescription: The directory has a file that the manifest does not.\n---\n\nRun `scripts/more.sh`.\n",
                ),
            ),
            ("scripts/more.sh", FileContent::Text("echo more\n")),
        ],
    },
    Skill {
        path: "faulty/wrong-name",
        frontmatter: || json!({ "name": "another-name", "description": "The name is not the last segment of the path." }),
        fault: Some(SkillFault::Name),
        files: &[(
            "SKILL.md",
            FileContent::Text(
                "---\nname: another-name\ndescription: The name is not the last segment of the path.\n---\n",
            ),
        )],
    },
    Skill {
        path: "faulty/wrong-frontmatter",
        frontmatter: || json!({ "name": "wrong-frontmatter", "description": "Sorts files." }),
        fault: Some(SkillFault::Frontmatter),
        files: &[(
            "SKILL.md",
            FileContent::Text(
                "---\nname: wrong-frontmatter\ndescription: Sorts files, and sends them away.\nallowed-tools: Bash\n---\n",
            ),
        )],
    },
];

impl Skill {
    fn root(&self) -> String {
        format!("skill://{}", self.path)
    }

    fn entry(&self) -> Value {
        let root = self.root();
        let files = self
            .files
            .iter()
            .filter(|(path, _)| self.fault != Some(SkillFault::Unlisted) || *path == "SKILL.md");
        let resources: Value = match self.fault {
            Some(SkillFault::Dynamic) => json!("dynamic"),
            fault => files
                .map(|(path, content)| {
                    let bytes = content.bytes();
                    let hashed = match fault {
                        Some(SkillFault::Digest) if *path != "SKILL.md" => b"other",
                        _ => &bytes[..],
                    };
                    json!({
                        "uri": format!("{root}/{path}"),
                        "digest": digest(hashed),
                        "size": bytes.len()
                    })
                })
                .collect(),
        };
        json!({
            "uri": format!("{root}/SKILL.md"),
            "frontmatter": (self.frontmatter)(),
            "resources": resources
        })
    }
}

impl FileContent {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.as_bytes().to_vec(),
            Self::Picture => media::png(64),
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{:x}", Sha256::digest(bytes))
}

/// The list of skills.
pub fn listing() -> &'static Listing {
    static LISTING: OnceLock<Listing> = OnceLock::new();
    LISTING.get_or_init(|| Listing::new(SKILLS.iter().map(|skill| skill.entry().to_string())))
}

/// Answers `skills/get`.
pub fn get(uri: &str) -> Outcome {
    let skill = SKILLS
        .iter()
        .map(Skill::entry)
        .find(|entry| entry["uri"] == uri);
    match skill {
        Some(skill) => {
            let result = json!({ "skill": skill });
            Reply::Result(with_freshness(Era::Modern, result, FRESH_MILLISECONDS)).into()
        }
        None => RpcError::invalid_params(format!("No skill is served at {uri}")).into(),
    }
}

/// The contents of a file of a skill.
pub fn read(uri: &str) -> Option<Value> {
    let content = SKILLS.iter().find_map(|skill| {
        let path = uri.strip_prefix(&skill.root())?.strip_prefix('/')?;
        let mut files = skill.files.iter();
        files.find(|(name, _)| *name == path)
    });
    let (path, content) = content?;
    let mime_type = mime_type(path);
    Some(match content {
        FileContent::Text(text) => json!([{ "uri": uri, "mimeType": mime_type, "text": text }]),
        FileContent::Picture => {
            let blob = media::base64(&content.bytes());
            json!([{ "uri": uri, "mimeType": mime_type, "blob": blob }])
        }
    })
}

fn mime_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("md") => "text/markdown",
        Some("png") => "image/png",
        _ => "text/x-shellscript",
    }
}

/// Answers `resources/directory/read`.
pub fn directory(uri: &str) -> Outcome {
    let inside = format!("{uri}/");
    let mut children: Vec<Value> = Vec::new();
    for skill in &SKILLS {
        for (path, _) in skill.files {
            let file = format!("{}/{path}", skill.root());
            let Some(rest) = file.strip_prefix(&inside) else {
                continue;
            };
            let (name, mime_type) = match rest.split_once('/') {
                Some((directory, _)) => (directory, "inode/directory"),
                None => (rest, mime_type(path)),
            };
            let child =
                json!({ "uri": format!("{inside}{name}"), "name": name, "mimeType": mime_type });
            if !children.contains(&child) {
                children.push(child);
            }
        }
    }
    if children.is_empty() {
        return RpcError::invalid_params(format!("{uri} is not a directory")).into();
    }
    Reply::Result(json!({ "resources": children })).into()
}
