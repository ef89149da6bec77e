//! The demo server as a program of its own.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    sightglass_demo_server::main(
        std::env::args_os()
            .skip(1)
            .map(|argument| argument.to_string_lossy().into_owned()),
    )
    .await
}
