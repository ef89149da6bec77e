//! Rules that skills are held against, each with its source.

use sightglass_model::{
    Clause, Finding,
    Verdict::{self, Failed, Note, Warning},
};

/// Number of findings about one thing.
pub(super) const MAX_FINDINGS: usize = 200;

/// Specification of the extension, of which the sections below are.
const SKILLS: &str = "Skills extension";

/// Specification of the form of a skill (<https://agentskills.io/specification>).
const AGENT_SKILLS: &str = "Agent Skills specification";

struct SkillRule {
    id: &'static str,
    /// Failed where a client must not load the skill, or not use the file; a warning where it may
    /// refuse it, or has to ask the user.
    verdict: Verdict,
    requirement: &'static str,
    specification: &'static str,
    section: &'static str,
}

const fn skills(
    id: &'static str,
    verdict: Verdict,
    requirement: &'static str,
    section: &'static str,
) -> SkillRule {
    SkillRule {
        id,
        verdict,
        requirement,
        specification: SKILLS,
        section,
    }
}

const fn agent_skills(
    id: &'static str,
    verdict: Verdict,
    requirement: &'static str,
    section: &'static str,
) -> SkillRule {
    SkillRule {
        id,
        verdict,
        requirement,
        specification: AGENT_SKILLS,
        section,
    }
}

const RULES: &[SkillRule] = &[
    // The list.
    skills(
        "resources-undeclared",
        Failed,
        "A server that declares skills must also declare the resources capability.",
        "Capability negotiation",
    ),
    skills(
        "list-form",
        Failed,
        "The result of skills/list has resultType \"complete\", skills, ttlMs and cacheScope.",
        "Listing skills",
    ),
    skills(
        "list-endless",
        Failed,
        "A list ends: a cursor leads to a page that was not there before.",
        "Listing skills",
    ),
    skills(
        "entry-form",
        Failed,
        "An entry has a uri, a frontmatter with name and description, and resources.",
        "Skill entries",
    ),
    skills(
        "uri-twice",
        Failed,
        "A skill is identified by its URI within a server.",
        "Names",
    ),
    skills(
        "name-twice",
        Warning,
        "Names should be unique in a list; clients must tell the skills apart by their paths.",
        "Names",
    ),
    skills(
        "name-of-another-server",
        Warning,
        "A skill must not silently shadow one of the same name from another origin.",
        "Security considerations",
    ),
    // The entry.
    skills(
        "uri-form",
        Failed,
        "The URI of a skill is that of its SKILL.md: a path that ends in /SKILL.md.",
        "Resource mapping",
    ),
    skills(
        "uri-authority",
        Warning,
        "The first segment should be a registered name (RFC 3986); clients never resolve it.",
        "Resource mapping",
    ),
    skills(
        "name-differs",
        Failed,
        "The last segment of the skill's path is the name in its frontmatter.",
        "Resource mapping",
    ),
    agent_skills(
        "name-form",
        Failed,
        "A name has 1 to 64 lower-case letters, digits and single hyphens, none at its ends.",
        "name field",
    ),
    agent_skills(
        "description-form",
        Failed,
        "A description has 1 to 1,024 characters.",
        "description field",
    ),
    agent_skills(
        "compatibility-form",
        Warning,
        "Compatibility is a text of 1 to 500 characters.",
        "compatibility field",
    ),
    agent_skills(
        "metadata-form",
        Warning,
        "Metadata is a mapping from texts to texts.",
        "metadata field",
    ),
    skills(
        "metadata-reserved",
        Warning,
        "Keys of the metadata that begin with io.modelcontextprotocol/ are reserved.",
        "Frontmatter",
    ),
    skills(
        "allowed-tools",
        Warning,
        "allowed-tools has no effect unless the user approves it for this skill.",
        "Security considerations",
    ),
    skills(
        "executable-field",
        Warning,
        "Fields that run something on the client are ignored or need the user's approval.",
        "Security considerations",
    ),
    skills(
        "resources-form",
        Failed,
        "resources is an array of the skill's files or \"dynamic\"; else the skill is not loaded.",
        "Resources",
    ),
    skills(
        "dynamic",
        Warning,
        "A dynamic skill offers no integrity; clients may decline it.",
        "Resources",
    ),
    skills(
        "skill-md-unlisted",
        Failed,
        "The files of a skill include its SKILL.md.",
        "Resources",
    ),
    skills(
        "file-outside",
        Failed,
        "Each file is inside the skill's directory.",
        "Resources",
    ),
    skills(
        "file-twice",
        Failed,
        "Each file of a skill is listed once.",
        "Resources",
    ),
    skills(
        "digest-form",
        Failed,
        "A digest is sha256: and 64 lower-case hexadecimal digits.",
        "Integrity and verification",
    ),
    skills(
        "size-form",
        Failed,
        "Each file has its size in bytes, a whole number.",
        "Resources",
    ),
    skills(
        "too-many-files",
        Warning,
        "A server should not serve a skill of more than 512 files.",
        "Limits",
    ),
    skills(
        "too-large",
        Warning,
        "A server should not serve a skill of more than 16 MiB.",
        "Limits",
    ),
    skills(
        "nested",
        Note,
        "A skill inside another needs the user's consent of its own.",
        "Nested skills",
    ),
    skills(
        "nested-unlisted",
        Failed,
        "The files of a nested skill are files of the skill around it too.",
        "Resources",
    ),
    // The files.
    skills(
        "get-failed",
        Failed,
        "skills/get answers for every skill that the server serves.",
        "Getting a skill",
    ),
    skills(
        "get-differs",
        Warning,
        "skills/get gives the same entry as skills/list, unless the skill has changed.",
        "Getting a skill",
    ),
    skills(
        "read-failed",
        Failed,
        "Each file of a skill is read with resources/read.",
        "Reading skill content",
    ),
    skills(
        "read-form",
        Failed,
        "The answer holds one content of that URI, as text or as base64.",
        "Reading skill content",
    ),
    skills(
        "size-differs",
        Failed,
        "A file has the size that its entry says.",
        "Integrity and verification",
    ),
    skills(
        "digest-differs",
        Failed,
        "A file has the digest that its entry says.",
        "Integrity and verification",
    ),
    skills(
        "file-unlisted",
        Failed,
        "A file that is not listed is treated as one whose digest differs.",
        "Integrity and verification",
    ),
    skills(
        "file-gone",
        Warning,
        "A listed file that is not in its directory is no longer served.",
        "Directory reads and the held entry",
    ),
    skills(
        "directory-failed",
        Failed,
        "A server that declares directoryRead answers for every directory of its skills.",
        "Reading directories",
    ),
    agent_skills(
        "frontmatter-form",
        Failed,
        "SKILL.md begins with YAML frontmatter between lines of three hyphens.",
        "SKILL.md format",
    ),
    skills(
        "frontmatter-differs",
        Failed,
        "The frontmatter of the entry and of SKILL.md are equal, field by field.",
        "Frontmatter verification",
    ),
    skills(
        "mime-type",
        Warning,
        "The mimeType of SKILL.md should be text/markdown.",
        "Resource metadata",
    ),
    skills(
        "cut-short",
        Warning,
        "Reading ends at a bound of this program; what comes after it was not looked at.",
        "Limits",
    ),
];

/// Makes the finding of a rule.
pub(super) fn finding(id: &str, message: impl Into<String>) -> Finding<()> {
    // Every id in this module's users stands in the table; a test holds on to that.
    let rule = RULES.iter().find(|rule| rule.id == id);
    let (requirement, verdict) = rule.map_or(("", Failed), |rule| (rule.requirement, rule.verdict));
    Finding {
        message: Some(message.into()),
        clause: rule.map(|rule| Clause {
            title: format!("{}, {}", rule.specification, rule.section),
            url: None,
            level: None,
        }),
        ..Finding::new(id, requirement, verdict, ())
    }
}

/// Returns true when a client must not go on with what the findings are about.
pub(super) fn has_error(findings: &[Finding<()>]) -> bool {
    findings.iter().any(|finding| finding.verdict == Failed)
}

/// Sorts findings, the gravest first, and leaves out those that are too many.
pub(super) fn arranged(mut findings: Vec<Finding<()>>) -> Vec<Finding<()>> {
    findings.sort_by_key(|finding| finding.verdict);
    findings.truncate(MAX_FINDINGS);
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources of this module's users.
    const USERS: [&str; 6] = [
        include_str!("entry.rs"),
        include_str!("catalogue.rs"),
        include_str!("file.rs"),
        include_str!("frontmatter.rs"),
        include_str!("verify.rs"),
        include_str!("../skills.rs"),
    ];

    #[test]
    fn every_finding_has_a_rule_and_every_rule_a_finding() {
        let mut used = std::collections::BTreeSet::new();
        for text in USERS {
            for rest in text.split("finding(").skip(1) {
                if let Some(id) = rest.trim_start().strip_prefix('"') {
                    used.insert(id.split('"').next().unwrap_or_default());
                }
            }
        }
        let known: std::collections::BTreeSet<_> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(used, known);
        assert_eq!(known.len(), RULES.len(), "an id stands there twice");
    }
}
