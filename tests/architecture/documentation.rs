//! The form of doc comments.

use std::{fs, path::Path};

use crate::repository;

/// Words that name a topic where a doc comment should say a fact.
const TOPIC_WORDS: [&str; 11] = [
    "What", "How", "Where", "Why", "Which", "Who", "Whoever", "Whose", "Whether", "Nobody",
    "Somebody",
];

/// The share of doc comments that may begin with such a word, in percent.
const MAX_SHARE: usize = 3;

#[test]
fn doc_comments_begin_with_a_verb_or_with_what_they_define() {
    let mut comments = 0;
    let mut topics = Vec::new();
    for directory in ["src-tauri", "tests"] {
        look(&repository().join(directory), &mut comments, &mut topics);
    }
    assert!(comments > 3_000, "only {comments} doc comments were found");
    assert!(
        topics.len() * 100 <= comments * MAX_SHARE,
        "{} of {comments} doc comments begin with a topic instead of a verb or the thing that \
         they define:\n{}",
        topics.len(),
        topics.join("\n")
    );
}

fn look(directory: &Path, comments: &mut usize, topics: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            if !path.ends_with("node_modules") && !path.ends_with("target") {
                look(&path, comments, topics);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("UTF-8");
            let mut inside = false;
            for (index, line) in text.lines().map(str::trim_start).enumerate() {
                let comment = line
                    .strip_prefix("///")
                    .or_else(|| line.strip_prefix("//!"));
                if let Some(comment) = comment.filter(|_| !inside) {
                    *comments += 1;
                    let first = comment
                        .trim_start()
                        .split(|c: char| !c.is_alphabetic())
                        .next();
                    if first.is_some_and(|word| TOPIC_WORDS.contains(&word)) {
                        topics.push(format!("{}:{}:{comment}", path.display(), index + 1));
                    }
                }
                inside = comment.is_some();
            }
        }
    }
}
