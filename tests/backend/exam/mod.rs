//! The doctor's exam: failures of servers, clients, proxies and authorization servers that people
//! reported in public, each rebuilt small, and what a person needs to be told of each.
//!
//! The cases are data, see `tests/fixtures/exam`. Each is set up on a machine of its own and looked
//! at with the command line; what that says must name the cause and the next step. Known misses
//! stand in the data, with what is said instead, so that both an improvement and a step back are
//! seen. `SIGHTGLASS_EXAM=ID` runs one case, and shows all that is said.

mod case;
mod setting;
mod verdict;

use std::env;

use futures::{StreamExt, stream};

use case::Case;
use verdict::Verdict;

/// Cases that run side by side.
const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn each_reported_failure_is_told_with_its_cause_and_the_next_step() {
    let only = env::var("SIGHTGLASS_EXAM").ok();
    let cases = Case::all();
    let asked = cases.iter().filter(|case| {
        let only = only.as_ref();
        only.is_none_or(|only| case.id.contains(only.as_str()))
    });
    let mut verdicts: Vec<Verdict<'_>> = stream::iter(asked)
        .map(async |case| Verdict::of(case, setting::look(case).await))
        .buffered(AT_ONCE)
        .collect()
        .await;
    if only.is_some() {
        for verdict in &verdicts {
            println!("{}\n", verdict.in_full());
        }
    }
    println!("{}", verdict::table(&verdicts));
    verdicts.retain(Verdict::is_unexpected);
    let unexpected: Vec<String> = verdicts.iter().map(Verdict::in_full).collect();
    assert!(
        unexpected.is_empty(),
        "{} cases are told otherwise than their data says:\n\n{}",
        unexpected.len(),
        unexpected.join("\n\n")
    );
}

#[test]
fn each_case_has_an_id_of_its_own_a_public_source_and_words_to_look_for() {
    let cases = Case::all();
    assert!(cases.len() >= 60, "only {} cases were found", cases.len());
    let mut ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), cases.len(), "an id stands twice");
    for case in &cases {
        assert!(!case.cause.is_empty(), "{}: no cause", case.id);
        assert!(!case.source.is_empty(), "{}: no source", case.id);
        for source in &case.source {
            let numbered = source.rsplit_once('#').is_some_and(|(repository, number)| {
                repository.split('/').count() == 2 && number.parse::<u32>().is_ok()
            });
            assert!(numbered, "{}: {source} is not OWNER/NAME#NUMBER", case.id);
        }
    }
}
