//! Looking for secrets in everything that the program wrote.

use std::path::Path;

use aho_corasick::AhoCorasick;
use base64::{
    Engine,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use sightglass_inspector::ExchangeKind::{
    self, Http, Log, Notification, Oauth, Phase, Request, Stderr,
};

use crate::TestHost;

/// Shorter ones would be found by chance.
const MIN_PART_BYTES: usize = 8;

const EVERYTHING: [ExchangeKind; 7] = [Request, Notification, Log, Http, Oauth, Stderr, Phase];

/// Something that was written, and where.
pub type Written = (String, Vec<u8>);

/// Finds the secrets that stand there as they are, percent-encoded, escaped in JSON, or in Base64
/// with whatever before it.
pub fn leaks(secrets: &[String], written: &[Written]) -> Vec<String> {
    let needles: Vec<(String, &String)> = secrets
        .iter()
        .filter(|secret| secret.len() >= MIN_PART_BYTES)
        .flat_map(|secret| {
            spellings(secret)
                .into_iter()
                .map(move |text| (text, secret))
        })
        .collect();
    let search = AhoCorasick::new(needles.iter().map(|(text, _)| text)).expect("a search");
    let mut found = Vec::new();
    for (place, bytes) in written {
        for hit in search.find_overlapping_iter(bytes) {
            let (text, secret) = &needles[hit.pattern().as_usize()];
            found.push(format!("{place} holds {secret:?} as {text:?}"));
        }
    }
    found.dedup();
    found
}

fn spellings(secret: &str) -> Vec<String> {
    let quoted = serde_json::to_string(secret).expect("a text");
    let mut spellings = vec![
        secret.to_owned(),
        url::form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        secret.replace(' ', "%20"),
        quoted.trim_matches('"').to_owned(),
    ];
    for before in 0..3 {
        // The characters that depend on this secret alone.
        let bytes = [&[0; 3][..before], secret.as_bytes()].concat();
        let (first, last) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            spellings.push(engine.encode(&bytes)[first..last].to_owned());
        }
    }
    spellings.sort();
    spellings.dedup();
    spellings
}

/// Every file below a directory, but for those of these names.
pub fn files(directory: &Path, but: &[&str]) -> Vec<Written> {
    let mut written = Vec::new();
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            written.extend(files(&path, but));
        } else if !but.contains(&&*name)
            && let Ok(bytes) = std::fs::read(&path)
        {
            written.push((path.display().to_string(), bytes));
        }
    }
    written
}

impl TestHost {
    /// Returns what the program wrote to its data directory, the vault aside, and all of the
    /// record as it is shown.
    pub async fn written(&self) -> Vec<Written> {
        let mut written = self.record().await;
        written.extend(files(&self.data(), &["secrets.json"]));
        written
    }

    async fn record(&self) -> Vec<Written> {
        let mut written = Vec::new();
        for row in self.traffic("", &EVERYTHING).await {
            let detail = self
                .inspector
                .core
                .record()
                .detail(row.id)
                .await
                .expect("there");
            for frame in &detail.frames {
                let payload = self
                    .inspector
                    .core
                    .record()
                    .payload(frame.id)
                    .await
                    .expect("readable");
                written.push((format!("the payload of {}", frame.id), payload.to_vec()));
            }
            let place = format!("exchange {}", row.id);
            written.push((place, format!("{row:?} {detail:?}").into_bytes()));
        }
        written
    }
}
