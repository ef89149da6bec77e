//! The official conformance suite, each scenario run alone and judged strictly.
//!
//! The suite (`@modelcontextprotocol/conformance`, pinned in `tests/package.json`) plays the
//! server and runs our client, `sightglass-conformance`; its scenarios of tasks play the client of
//! our demo server. A scenario passes here when it reports
//! at least one success, no failure and no warning, and ends with exit code 0. That is stricter
//! than the suite itself: a client that does nothing passes some of its scenarios, and when it
//! runs several at once it ignores exit codes. There is no list of expected failures.
//!
//! The scenarios are those that the requirement sets of 2025-11-25 and 2026-07-28 name for
//! clients, each under the revision that asks for it, those of 2025-03-26 that a client keeps
//! for older servers, and `json-schema-2020-12-preservation`, which is younger than the sets.
//! `conformance list --requirements REVISION` prints a set.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::Deserialize;
use sightglass_tests::programs;

/// The suite gives a client this long, in milliseconds: longer than any scenario takes on a
/// busy machine.
const SCENARIO_TIMEOUT: &str = "60000";

/// Something that a scenario looked at.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    id: String,
    status: String,
    description: String,
    error_message: Option<String>,
}

/// A test per scenario and revision.
macro_rules! scenarios {
    ($($test:ident: $scenario:literal at $revision:literal;)+) => {
        $(
            #[test]
            fn $test() {
                super::judge($scenario, Some($revision));
            }
        )+
    };
}

mod of_2025_11_25 {
    scenarios! {
        initialize: "initialize" at "2025-11-25";
        tools_call: "tools_call" at "2025-11-25";
        elicitation_defaults: "elicitation-sep1034-client-defaults" at "2025-11-25";
        sse_retry: "sse-retry" at "2025-11-25";
        schema_preservation: "json-schema-2020-12-preservation" at "2025-11-25";
    }
}

mod of_2026_07_28 {
    scenarios! {
        tools_call: "tools_call" at "2026-07-28";
        request_metadata: "request-metadata" at "2026-07-28";
        request_state: "sep-2322-client-request-state" at "2026-07-28";
        standard_headers: "http-standard-headers" at "2026-07-28";
        custom_headers: "http-custom-headers" at "2026-07-28";
        invalid_tool_headers: "http-invalid-tool-headers" at "2026-07-28";
        no_schema_is_fetched: "json-schema-ref-no-deref" at "2026-07-28";
        schema_preservation: "json-schema-2020-12-preservation" at "2026-07-28";
    }
}

mod authorization_of_2025_11_25 {
    scenarios! {
        metadata_default: "auth/metadata-default" at "2025-11-25";
        metadata_var1: "auth/metadata-var1" at "2025-11-25";
        metadata_var2: "auth/metadata-var2" at "2025-11-25";
        metadata_var3: "auth/metadata-var3" at "2025-11-25";
        basic_cimd: "auth/basic-cimd" at "2025-11-25";
        scope_from_www_authenticate: "auth/scope-from-www-authenticate" at "2025-11-25";
        scope_from_scopes_supported: "auth/scope-from-scopes-supported" at "2025-11-25";
        scope_omitted: "auth/scope-omitted-when-undefined" at "2025-11-25";
        scope_step_up: "auth/scope-step-up" at "2025-11-25";
        scope_retry_limit: "auth/scope-retry-limit" at "2025-11-25";
        token_endpoint_auth_basic: "auth/token-endpoint-auth-basic" at "2025-11-25";
        token_endpoint_auth_post: "auth/token-endpoint-auth-post" at "2025-11-25";
        token_endpoint_auth_none: "auth/token-endpoint-auth-none" at "2025-11-25";
        pre_registration: "auth/pre-registration" at "2025-11-25";
    }
}

mod authorization_of_2026_07_28 {
    scenarios! {
        metadata_default: "auth/metadata-default" at "2026-07-28";
        metadata_var1: "auth/metadata-var1" at "2026-07-28";
        metadata_var2: "auth/metadata-var2" at "2026-07-28";
        metadata_var3: "auth/metadata-var3" at "2026-07-28";
        basic_cimd: "auth/basic-cimd" at "2026-07-28";
        scope_from_www_authenticate: "auth/scope-from-www-authenticate" at "2026-07-28";
        scope_from_scopes_supported: "auth/scope-from-scopes-supported" at "2026-07-28";
        scope_omitted: "auth/scope-omitted-when-undefined" at "2026-07-28";
        scope_step_up: "auth/scope-step-up" at "2026-07-28";
        scope_retry_limit: "auth/scope-retry-limit" at "2026-07-28";
        token_endpoint_auth_basic: "auth/token-endpoint-auth-basic" at "2026-07-28";
        token_endpoint_auth_post: "auth/token-endpoint-auth-post" at "2026-07-28";
        token_endpoint_auth_none: "auth/token-endpoint-auth-none" at "2026-07-28";
        pre_registration: "auth/pre-registration" at "2026-07-28";
        resource_mismatch: "auth/resource-mismatch" at "2026-07-28";
        offline_access_scope: "auth/offline-access-scope" at "2026-07-28";
        offline_access_not_supported: "auth/offline-access-not-supported" at "2026-07-28";
        server_migration: "auth/authorization-server-migration" at "2026-07-28";
        iss_supported: "auth/iss-supported" at "2026-07-28";
        iss_not_advertised: "auth/iss-not-advertised" at "2026-07-28";
        iss_supported_missing: "auth/iss-supported-missing" at "2026-07-28";
        iss_wrong_issuer: "auth/iss-wrong-issuer" at "2026-07-28";
        iss_unexpected: "auth/iss-unexpected" at "2026-07-28";
        iss_normalized: "auth/iss-normalized" at "2026-07-28";
        metadata_issuer_mismatch: "auth/metadata-issuer-mismatch" at "2026-07-28";
    }
}

mod authorization_of_2025_03_26 {
    scenarios! {
        metadata_at_the_root: "auth/2025-03-26-oauth-metadata-backcompat" at "2025-03-26";
        fixed_endpoints: "auth/2025-03-26-oauth-endpoint-fallback" at "2025-03-26";
    }
}

/// Extensions of the protocol, which belong to no revision.
mod authorization_extensions {
    #[test]
    fn client_credentials_secret() {
        super::judge("auth/client-credentials-basic", None);
    }

    #[test]
    fn client_credentials_key() {
        super::judge("auth/client-credentials-jwt", None);
    }

    #[test]
    fn enterprise_managed() {
        super::judge("auth/enterprise-managed-authorization", None);
    }

    #[test]
    fn workload_identity() {
        super::judge("auth/wif-jwt-bearer", None);
    }
}

/// Skills are an extension, which belongs to no revision.
mod skills {
    #[test]
    fn no_prefetch() {
        super::judge("sep-2640-client-no-prefetch", None);
    }

    #[test]
    fn digest() {
        super::judge("sep-2640-client-verify-digest", None);
    }

    #[test]
    fn size() {
        super::judge("sep-2640-client-verify-size", None);
    }

    #[test]
    fn frontmatter() {
        super::judge("sep-2640-client-verify-frontmatter", None);
    }
}

/// The scenarios of the tasks extension test a server. Ours is the one that our client is driven
/// against in other stories.
mod tasks_of_the_demo_server {
    macro_rules! scenarios {
        ($($test:ident: $scenario:literal;)+) => {
            $(
                #[test]
                fn $test() {
                    super::judge_server($scenario);
                }
            )+
        };
    }

    // `tasks-status-notifications` checks nothing in this version of the suite.
    scenarios! {
        lifecycle: "tasks-lifecycle";
        capability_negotiation: "tasks-capability-negotiation";
        wire_fields: "tasks-wire-fields";
        request_state_removal: "tasks-request-state-removal";
        input: "tasks-mrtr-input";
        request_headers: "tasks-request-headers";
        dispatch_and_envelope: "tasks-dispatch-and-envelope";
        required_task_error: "tasks-required-task-error";
        input_before_the_task: "tasks-mrtr-composition";
    }
}

/// Runs one scenario against our client, at a revision where it belongs to one.
///
/// # Panics
/// When it does not pass.
fn judge(scenario: &str, revision: Option<&str>) {
    let client = programs::own("sightglass-conformance");
    // The suite hands the command to a shell.
    let command = format!("\"{}\"", client.display());
    let mut words = vec!["client", "--scenario", scenario];
    words.extend(["--timeout", SCENARIO_TIMEOUT, "--command", &command]);
    if let Some(revision) = revision {
        words.extend(["--spec-version", revision]);
    }
    run(&format!("{scenario}-{}", revision.unwrap_or("any")), &words);
}

/// Runs one scenario against the demo server.
///
/// # Panics
/// When it does not pass.
fn judge_server(scenario: &str) {
    let server = programs::demo_over_http(&["--era", "modern", "--conformance"]);
    let words = ["server", "--url", &server.url, "--scenario", scenario];
    run(&format!("{scenario}-server"), &words);
}

/// Runs the suite, and judges what it reports. `name` tells its results from those of other runs.
fn run(name: &str, words: &[&str]) {
    let results = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("conformance")
        .join(name.replace('/', "-"));
    // What an earlier run left must not be taken for this one's.
    let _ = fs::remove_dir_all(&results);
    let output = Command::new(programs::npm_node())
        .arg(programs::npm_server("@modelcontextprotocol/conformance"))
        .args(words)
        .arg("--output-dir")
        .arg(&results)
        .output()
        .expect("node starts");
    let said = format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let checks = read_checks(&results).unwrap_or_else(|| panic!("no result:\n{said}"));
    let faults: Vec<&Check> = checks
        .iter()
        .filter(|check| matches!(check.status.as_str(), "FAILURE" | "WARNING"))
        .collect();
    for fault in &faults {
        let message = fault.error_message.as_deref().unwrap_or_default();
        println!("{}: {} {message}", fault.id, fault.description);
    }
    assert!(faults.is_empty(), "{} faults\n{said}", faults.len());
    assert!(
        checks.iter().any(|check| check.status == "SUCCESS"),
        "nothing was shown to succeed:\n{said}"
    );
    assert!(output.status.success(), "{}:\n{said}", output.status);
}

/// The checks of the one run whose results lie below this directory.
fn read_checks(results: &Path) -> Option<Vec<Check>> {
    let text = fs::read_to_string(find(results, "checks.json")?).ok()?;
    serde_json::from_str(&text).ok()
}

/// A file of this name. The suite names its directories by scenario and time.
fn find(directory: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?.flatten();
    entries.map(|entry| entry.path()).find_map(|path| {
        if path.is_dir() {
            find(&path, name)
        } else {
            path.ends_with(name).then_some(path)
        }
    })
}
