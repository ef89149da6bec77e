//! Skills: a user sees the skills of a server, and each file is held against what the server says
//! of it. Servers that lie or mean harm are found out, and nothing is read that is not the skill's.

use std::fs;

use serde_json::{Value, json};
use sightglass_inspector::{Finding, ServerId, Verdict, view::SkillReport};
use sightglass_tests::{
    TestHost,
    programs::{self, extended},
    wiretap::Wiretap,
};

use crate::command_line::Machine;

const KEY: &str = "skills";

fn rules(findings: &[Finding<()>]) -> Vec<&str> {
    let mut rules: Vec<_> = findings.iter().map(|found| found.rule.as_str()).collect();
    rules.sort_unstable();
    rules
}

/// Rules of all findings about a skill and its files.
fn all_rules(report: &SkillReport) -> Vec<&str> {
    let files = report.files.iter().flat_map(|file| &file.findings);
    let mut rules: Vec<_> = report
        .findings
        .iter()
        .chain(files)
        .map(|found| found.rule.as_str())
        .collect();
    rules.sort_unstable();
    rules
}

async fn modern_demo() -> (TestHost, ServerId) {
    let program = programs::own("sightglass-demo-server");
    let entry = json!({ "command": program, "args": ["--era", "modern", "--page-size", "3"] });
    let host = TestHost::with_servers(json!({ "demo": entry }));
    let demo = TestHost::id("demo");
    host.connect(&demo).await;
    (host, demo)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_skills_is_listed_and_no_file_is_read() {
    let (host, demo) = modern_demo().await;
    let list = host
        .inspector
        .calls
        .skills
        .skills(&demo, KEY)
        .await
        .expect("listed");
    assert_eq!(list.skills.len(), 7);
    assert!(list.reads_directories && list.tokens > 50, "{list:?}");
    assert_eq!(list.findings, []);
    let names: Vec<_> = list.skills.iter().map(|skill| &*skill.name).collect();
    assert_eq!(names[..3], ["git-workflow", "refunds", "daily"]);
    assert_eq!(
        (list.skills[0].files, list.skills[2].files),
        (Some(4), None)
    );
    assert_eq!(
        list.skills
            .iter()
            .map(|skill| skill.errors)
            .collect::<Vec<_>>(),
        [0, 0, 0, 0, 0, 1, 0]
    );
    let reads = host.traffic("method:resources/read", &[]).await;
    assert_eq!(reads.len(), 0, "files are read when they are wanted");
    assert_eq!(host.traffic("method:skills/list", &[]).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn good_skills_are_verified_and_each_fault_is_found() {
    let (host, demo) = modern_demo().await;
    let inspector = &host.inspector;
    inspector
        .calls
        .skills
        .skills(&demo, KEY)
        .await
        .expect("listed");
    let verify = async |path: &str| {
        let uri = format!("skill://{path}/SKILL.md");
        let report = inspector.calls.skills.verify_skill(&demo, KEY, &uri).await;
        report.expect("verified")
    };
    let good = verify("git-workflow").await;
    assert_eq!(good.verdict, Verdict::Passed, "{good:#?}");
    assert_eq!(good.files.len(), 4);
    assert!(good.frontmatter.iter().all(|field| field.is_equal));
    assert!(good.instructions_tokens > Some(20) && good.file_tokens > 20);
    let picture = &good.files[1];
    assert_eq!(
        (&*picture.path, picture.tokens),
        ("assets/diagram.png", None)
    );

    let refunds = verify("acme/billing/refunds").await;
    assert_eq!(all_rules(&refunds), ["allowed-tools"]);
    assert_eq!(refunds.verdict, Verdict::Passed);
    let dynamic = verify("reports/daily").await;
    assert_eq!(dynamic.verdict, Verdict::Skipped);
    for (path, wanted) in [
        ("wrong-digest", ["digest-differs"].as_slice()),
        ("unlisted-file", &["file-unlisted"]),
        ("wrong-name", &["name-differs"]),
        (
            "wrong-frontmatter",
            &["frontmatter-differs", "frontmatter-differs"],
        ),
    ] {
        let report = verify(&format!("faulty/{path}")).await;
        assert_eq!(all_rules(&report), wanted, "{path}");
        assert_eq!(report.verdict, Verdict::Failed, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_is_read_and_held_against_its_entry() {
    let (host, demo) = modern_demo().await;
    let inspector = &host.inspector;
    // A skill is found by its URI alone, whether it was listed or not.
    let skill = "skill://git-workflow/SKILL.md";
    let view = inspector
        .calls
        .skills
        .skill(&demo, KEY, skill)
        .await
        .expect("an entry");
    assert_eq!(view.files[3].path.as_deref(), Some("scripts/check.sh"));
    let file = &view.files[3].uri;
    let read = inspector
        .calls
        .skills
        .read_skill_file(&demo, KEY, skill, file)
        .await;
    let read = read.expect("read");
    assert_eq!(read.file.verdict, Verdict::Passed);
    assert_eq!(read.file.size, read.file.size_declared);
    assert_eq!(read.file.digest, read.file.digest_declared);
    assert!(read.report.result.is_some());
    let main = inspector
        .calls
        .skills
        .read_skill_file(&demo, KEY, skill, skill)
        .await;
    assert_eq!(main.expect("read").frontmatter.len(), 4);
    let unknown = inspector
        .calls
        .skills
        .skill(&demo, KEY, "skill://nothing/SKILL.md")
        .await;
    let error = unknown.expect_err("there is none").to_string();
    assert!(error.contains("-32602"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_server_of_the_modern_era_that_declares_skills_is_asked() {
    let tap = Wiretap::new();
    let demo = programs::own("sightglass-demo-server");
    let host = TestHost::with_servers(json!({
        "legacy": { "command": demo, "args": ["--era", "legacy"] },
        "without": extended(&tap, &json!({ "declares": false, "skills": [] })),
    }));
    for (name, words) in [("legacy", "2026-07-28"), ("without", "does not declare")] {
        let id = TestHost::id(name);
        host.connect(&id).await;
        let refused = host.inspector.calls.skills.skills(&id, KEY).await;
        let error = refused.expect_err("it is not asked").to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(host.traffic("method:skills/list", &[]).await.len(), 0);
}

/// A skill of one file with the right digest of nothing.
fn skill(path: &str) -> Value {
    let name = path.rsplit('/').next();
    json!({
        "uri": format!("skill://{path}/SKILL.md"),
        "frontmatter": { "name": name, "description": "Does it." },
        "resources": "dynamic",
    })
}

async fn attacked(script: &Value) -> (TestHost, ServerId, Wiretap) {
    let tap = Wiretap::new();
    let host = TestHost::with_servers(json!({ "evil": extended(&tap, script) }));
    let evil = TestHost::id("evil");
    host.connect(&evil).await;
    (host, evil, tap)
}

/// URIs of the files that the server was asked for.
fn asked(tap: &Wiretap) -> Vec<String> {
    let seen = fs::read_to_string(tap.file("extensions.json.seen")).expect("written");
    let requests = seen
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let reads = requests.filter(|request| request["method"] == "resources/read");
    reads
        .filter_map(|request| request["uri"].as_str().map(str::to_owned))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_without_end_is_given_up() {
    for (cursor, rule) in [("same", "list-endless"), ("endless", "cut-short")] {
        let script = json!({ "cursor": cursor, "skills": [skill("a"), skill("b")] });
        let (host, evil, _tap) = attacked(&script).await;
        let list = host
            .inspector
            .calls
            .skills
            .skills(&evil, KEY)
            .await
            .expect("an end");
        assert!(rules(&list.findings).contains(&rule), "{list:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_more_than_can_be_shown_is_cut_and_says_so() {
    let skills: Vec<Value> = (0..6_000)
        .map(|index| skill(&format!("s{index}")))
        .collect();
    let (host, evil, _tap) = attacked(&json!({ "skills": skills })).await;
    let list = host
        .inspector
        .calls
        .skills
        .skills(&evil, KEY)
        .await
        .expect("an end");
    assert_eq!((list.skills.len(), list.left_out), (5_000, 1_000));
    let last = host
        .inspector
        .calls
        .skills
        .skill(&evil, KEY, "skill://s5999/SKILL.md")
        .await;
    assert_eq!(last.expect("by its URI").name, "s5999");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_outside_a_skill_is_ever_asked_for() {
    let root = "skill://user@internal.example:8443/helper";
    let digest = format!("sha256:{}", "0".repeat(64));
    let file = |uri: &str| json!({ "uri": uri, "digest": digest, "size": 1 });
    let outside = [
        format!("{root}/../../../etc/passwd"),
        format!("{root}/%2e%2e/other/SKILL.md"),
        "file:///etc/passwd".to_owned(),
        "https://internal.example/secret".to_owned(),
    ];
    let mut entry = skill("user@internal.example:8443/helper");
    let mut files = vec![file(&format!("{root}/SKILL.md"))];
    files.extend(outside.iter().map(|uri| file(uri)));
    entry["resources"] = files.into();
    let script = json!({
        "skills": [entry],
        "directory": { (root): [
            { "uri": "file:///etc/shadow" },
            { "uri": format!("{root}/.."), "mimeType": "inode/directory" },
            // A directory that is inside itself.
            { "uri": format!("{root}/d"), "mimeType": "inode/directory" },
        ], (format!("{root}/d")): [
            { "uri": format!("{root}/d"), "mimeType": "inode/directory" },
        ]},
        "files": {},
    });
    let (host, evil, tap) = attacked(&script).await;
    let inspector = &host.inspector;
    inspector
        .calls
        .skills
        .skills(&evil, KEY)
        .await
        .expect("listed");
    let uri = format!("{root}/SKILL.md");
    let report = inspector
        .calls
        .skills
        .verify_skill(&evil, KEY, &uri)
        .await
        .expect("a report");
    assert_eq!(report.verdict, Verdict::Failed);
    let found = rules(&report.findings);
    assert_eq!(
        found.iter().filter(|rule| **rule == "file-outside").count(),
        6
    );
    assert!(found.contains(&"uri-authority"), "{found:?}");
    assert_eq!(asked(&tap), std::slice::from_ref(&uri));
    for wanted in &outside {
        let read = inspector
            .calls
            .skills
            .read_skill_file(&evil, KEY, &uri, wanted)
            .await;
        assert!(read.is_err(), "{wanted} was read");
    }
    assert_eq!(asked(&tap), [uri]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lies_about_files_are_found_out() {
    let uri = "skill://lies/SKILL.md";
    let bomb = (1..40).fold("a0: &a0 [x, x]\n".to_owned(), |text, level| {
        let before = level - 1;
        text + &format!("a{level}: &a{level} [*a{before}, *a{before}]\n")
    });
    let digest = format!("sha256:{}", "0".repeat(64));
    for (content, wanted) in [
        // A size that is wrong, and so the digest.
        (
            json!({ "text": "---\nname: lies\ndescription: Does it.\n---\n" }),
            vec!["digest-differs", "size-differs"],
        ),
        (
            json!({ "text": format!("---\n{bomb}---\n") }),
            vec!["digest-differs", "frontmatter-form", "size-differs"],
        ),
        // A file that is no text.
        (
            json!({ "blob": "AAECAwQFBgcICQ==", "mimeType": "application/x-executable" }),
            vec![
                "digest-differs",
                "frontmatter-form",
                "mime-type",
                "size-differs",
            ],
        ),
        (json!({ "blob": "%%%" }), vec!["read-form"]),
        (json!({}), vec!["read-form"]),
        (json!({ "result": { "contents": [] } }), vec!["read-form"]),
        (json!({ "result": 7 }), vec!["read-form"]),
    ] {
        let mut entry = skill("lies");
        entry["resources"] = json!([{ "uri": uri, "digest": digest, "size": 7 }]);
        let script = json!({ "skills": [entry], "files": { (uri): content } });
        let (host, evil, _tap) = attacked(&script).await;
        let report = host
            .inspector
            .calls
            .skills
            .verify_skill(&evil, KEY, uri)
            .await;
        let report = report.expect("a report");
        assert_eq!(all_rules(&report), wanted, "{script}");
        assert_eq!(report.verdict, Verdict::Failed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_no_identities() {
    let mut around = skill("acme");
    around["resources"] = json!([{
        "uri": "skill://acme/SKILL.md",
        "digest": format!("sha256:{}", "0".repeat(64)),
        "size": 1,
    }]);
    let mut inner = skill("acme/refunds");
    inner["resources"] = json!([{
        "uri": "skill://acme/refunds/SKILL.md",
        "digest": format!("sha256:{}", "0".repeat(64)),
        "size": 1,
    }]);
    let script = json!({
        "declares": "bare",
        "skills": [around, inner, skill("b/refunds"), skill("b/refunds"), 7, { "uri": 1 }],
    });
    let (tap, other_tap) = (Wiretap::new(), Wiretap::new());
    let other = json!({ "skills": [skill("refunds")] });
    let host = TestHost::with_servers(json!({
        "one": extended(&tap, &script),
        "two": extended(&other_tap, &other),
    }));
    let (one, two) = (TestHost::id("one"), TestHost::id("two"));
    host.connect(&one).await;
    host.connect(&two).await;
    host.inspector
        .calls
        .skills
        .skills(&two, KEY)
        .await
        .expect("listed");
    let list = host
        .inspector
        .calls
        .skills
        .skills(&one, KEY)
        .await
        .expect("listed");
    assert_eq!(
        rules(&list.findings),
        [
            "entry-form",
            "entry-form",
            "name-of-another-server",
            "name-of-another-server",
            "resources-undeclared",
            "uri-twice",
        ]
    );
    let entry = async |uri: &str| {
        let view = host.inspector.calls.skills.skill(&one, KEY, uri).await;
        view.expect("listed").findings
    };
    let inner = entry("skill://acme/refunds/SKILL.md").await;
    assert_eq!(rules(&inner), ["name-twice", "nested"]);
    let around = entry("skill://acme/SKILL.md").await;
    assert_eq!(rules(&around), ["nested-unlisted"]);
}

#[test]
fn the_command_line_lists_and_verifies() {
    let machine = Machine::new();
    let modern = ["--era", "modern"];
    let list = machine.demo(&["skills", "list"], &modern);
    assert_eq!(list.code, Some(0), "{}", list.stderr);
    assert!(list.stdout.contains("git-workflow"), "{}", list.stdout);
    assert!(list.stdout.contains("tokens"), "{}", list.stdout);

    let all = machine.demo(&["skills", "verify", "--json"], &modern);
    assert_eq!(
        (all.code, &all.error()["code"]),
        (Some(5), &json!("check_failed"))
    );
    let result: Value = serde_json::from_str(&all.stdout).expect("JSON");
    assert_eq!(result["failed"], 4);

    let good = machine.demo(
        &["skills", "verify", "skill://git-workflow/SKILL.md"],
        &modern,
    );
    assert_eq!(good.code, Some(0), "{}{}", good.stdout, good.stderr);
    assert!(
        good.stdout.contains("✓ references/BRANCHES.md"),
        "{}",
        good.stdout
    );

    let none = machine.demo(&["skills", "verify", "skill://none/SKILL.md"], &modern);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
    let info = "`sightglass-cli info -- ";
    assert!(none.stderr.contains(info), "{}", none.stderr);

    let dynamic = ["skills", "verify", "skill://reports/daily/SKILL.md"];
    assert_eq!(machine.demo(&dynamic, &modern).code, Some(0));
    let strict = [&dynamic[..], &["--require-digests"]].concat();
    assert_eq!(machine.demo(&strict, &modern).code, Some(5));

    let legacy = machine.demo(&["skills", "list"], &["--era", "legacy"]);
    assert_eq!(legacy.code, Some(1), "{}", legacy.stderr);
}
