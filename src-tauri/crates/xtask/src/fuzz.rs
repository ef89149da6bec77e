//! `cargo xtask fuzz`: fuzzes every parser of untrusted input.
//!
//! cargo-fuzz needs the nightly compiler for its instrumentation, and is not installed by
//! itself: nothing else here needs either.

use std::process::Command;

use crate::error::TaskError;
use crate::process::{announce, run as run_to_end};
use crate::workspace::Workspace;

/// The programs of `tests/fuzz`, and a directory of examples to begin with.
const TARGETS: [(&str, Option<&str>); 9] = [
    ("frame", None),
    ("server_sent_events", None),
    ("payload", None),
    ("filter", None),
    ("expansion", None),
    ("redactor", None),
    ("configuration", Some("../fixtures/clients")),
    ("approval", Some("../fixtures/clients")),
    ("policy", None),
];

const USAGE: &str = "usage: cargo xtask fuzz [SECONDS]\n\nSECONDS is for each target (default 60).";

/// The longest input, in bytes. The readers' own limits are reached well below it.
const MAX_INPUT_BYTES: u32 = 16 * 1024;

/// Runs every target for as many seconds as the first argument says.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), TaskError> {
    let seconds: u32 = match arguments {
        [] => 60,
        [seconds] => seconds.parse().map_err(|_| TaskError::Usage {
            problem: format!("\"{seconds}\" is no number of seconds"),
            usage: USAGE,
        })?,
        _ => {
            return Err(TaskError::Usage {
                problem: "there are too many arguments".into(),
                usage: USAGE,
            });
        }
    };
    for (target, examples) in TARGETS {
        announce(&format!("Fuzzing {target} for {seconds} s"));
        // rustup's own `cargo`, which chooses the compiler, rather than the one that runs this.
        let mut fuzz = Command::new("cargo");
        fuzz.env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .current_dir(workspace.root().join("tests/fuzz"))
            .args([
                "+nightly",
                "fuzz",
                "run",
                "--fuzz-dir",
                ".",
                "--sanitizer",
                "none",
            ])
            .args([target, &format!("corpus/{target}")])
            .args(examples)
            .args([
                "--",
                &format!("-max_total_time={seconds}"),
                &format!("-max_len={MAX_INPUT_BYTES}"),
            ]);
        let corpus = workspace.root().join("tests/fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(|source| TaskError::File {
            path: corpus,
            source,
        })?;
        run_to_end(
            &mut fuzz,
            &format!("fuzzing {target}"),
            "read the input that it names under tests/fuzz/artifacts; if cargo-fuzz or the \
             nightly compiler is missing: rustup toolchain install nightly && \
             cargo install --locked cargo-fuzz",
        )?;
    }
    Ok(())
}
