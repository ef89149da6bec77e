//! Measures how fast texts pass the redactor, in MB/s. Run it with
//! `cargo run --release -p sightglass-secrets --example redactor_bench`.

use std::{hint::black_box, time::Instant};

use sightglass_secrets::{Redactor, Secret};

const MEGABYTES: usize = 16;

fn main() {
    let secrets = (0..5).map(|number| Secret::new(format!("s3cr3t-value-{number}-of-f1ve")));
    let redactor = Redactor::new(secrets);
    for (name, part) in [
        (
            "plain JSON",
            r#"{"name":"some text","value":[1,2,3],"more":true},"#,
        ),
        (
            "prose",
            r#"{"text":"The Quick Brown fox Jumps over 13 Lazy dogs in Paris"},"#,
        ),
        (
            "base64",
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6",
        ),
        (
            "short lines",
            "{\n  \"name\": \"some text\",\n  \"value\": [1,2,3],\n  \"more\": true\n},",
        ),
        (
            "short escapes",
            r#"{"name":"a \"quoted\" word\n and a line"},"#,
        ),
        (
            "escapes of other letters",
            r#"{"name":"\u4f60\u597d \u2014 100%"},"#,
        ),
        (
            "escapes of the secrets' letters",
            r#"{"name":"it\u0073 \u002D a\u006e"},"#,
        ),
        (
            "secrets",
            r#"{"name":"s3cr3t-value-1-of-f1ve","more":true},"#,
        ),
    ] {
        let text = part.repeat(MEGABYTES * 1_000_000 / part.len());
        // Built with the first text that needs it.
        black_box(redactor.bytes(part.as_bytes()));
        let began = Instant::now();
        black_box(redactor.bytes(text.as_bytes()));
        let seconds = began.elapsed().as_secs_f64();
        println!("{name}: {:.0} MB/s", text.len() as f64 / 1e6 / seconds);
    }
}
