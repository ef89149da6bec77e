//! Reads a crate's sources, without comments, literals and tests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The text of each module of a crate, by the module's path; the root's is empty.
pub fn modules(source: &Path) -> BTreeMap<Vec<String>, String> {
    let mut texts = BTreeMap::new();
    let mut tests = BTreeSet::new();
    read(source, &mut Vec::new(), &mut texts, &mut tests);
    texts.retain(|path: &Vec<String>, _| {
        !tests
            .iter()
            .any(|test: &Vec<String>| path.starts_with(test))
    });
    texts
}

fn read(
    directory: &Path,
    path: &mut Vec<String>,
    texts: &mut BTreeMap<Vec<String>, String>,
    tests: &mut BTreeSet<Vec<String>>,
) {
    for entry in fs::read_dir(directory).expect("readable") {
        let entry = entry.expect("readable").path();
        let stem = entry.file_stem().expect("named").to_string_lossy();
        if entry.is_dir() {
            path.push(stem.into_owned());
            read(&entry, path, texts, tests);
            path.pop();
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let mut module = path.clone();
            if !matches!(&*stem, "mod" | "lib" | "main") {
                module.push(stem.into_owned());
            }
            let text = without_comments(&fs::read_to_string(&entry).expect("UTF-8"));
            let text = without_tests(&text, |name| {
                let mut test = module.clone();
                test.push(name.to_owned());
                tests.insert(test);
            });
            texts.insert(module, text);
        }
    }
}

/// Replaces comments and the content of literals by nothing.
pub fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(length) = raw_string(rest, kept.chars().next_back()) {
            kept.push_str("\"\"");
            at += length;
        } else if rest.starts_with('"') {
            kept.push_str("\"\"");
            at += string(rest);
        } else if let Some(length) = character(rest) {
            kept.push_str("' '");
            at += length;
        } else {
            let next = rest.chars().next().expect("not at the end");
            kept.push(next);
            at += next.len_utf8();
        }
    }
    kept
}

fn raw_string(rest: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|before| before.is_alphanumeric() || before == '_') {
        return None;
    }
    let hashes = rest.strip_prefix('r')?;
    let count = hashes.len() - hashes.trim_start_matches('#').len();
    let content = hashes[count..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(count));
    let length = content.find(&end)?;
    Some(1 + count + 1 + length + end.len())
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let content = rest.strip_prefix('\'')?;
    if let Some(escape) = content.strip_prefix('\\') {
        return escape[1..].find('\'').map(|end| end + 4);
    }
    let first = content.chars().next()?;
    content[first.len_utf8()..]
        .starts_with('\'')
        .then(|| first.len_utf8() + 2)
}

/// Cuts modules out that exist for tests alone, and names those in files of their own.
fn without_tests(text: &str, mut in_file: impl FnMut(&str)) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("#[cfg(") {
        let attribute_end = start + rest[start..].find(']').expect("closed") + 1;
        let attribute = &rest[start..attribute_end];
        let module = attribute
            .contains("test")
            .then(|| module_head(&rest[attribute_end..]))
            .flatten();
        let Some((name, head)) = module else {
            kept.push_str(&rest[..attribute_end]);
            rest = &rest[attribute_end..];
            continue;
        };
        kept.push_str(&rest[..start]);
        let after = &rest[attribute_end + head..];
        if let Some(after) = after.strip_prefix(';') {
            in_file(name);
            rest = after;
        } else {
            rest = &after[block(after)..];
        }
    }
    kept.push_str(rest);
    kept
}

/// The name of the module that begins here, and the length of its head.
fn module_head(text: &str) -> Option<(&str, usize)> {
    let mut rest = text.trim_start();
    while let Some(attribute) = rest.strip_prefix("#[") {
        rest = attribute[attribute.find(']')? + 1..].trim_start();
    }
    let rest = rest.strip_prefix("pub(crate) ").unwrap_or(rest);
    let rest = rest.strip_prefix("pub ").unwrap_or(rest);
    let name = rest.strip_prefix("mod ")?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let after = name[end..].trim_start();
    after
        .starts_with([';', '{'])
        .then(|| (&name[..end], text.len() - after.len()))
}

/// The length of a block, braces and all.
fn block(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[test]
fn comments_literals_and_tests_are_left_out() {
    let text = "use a; // use b;\nlet s = \"use c;\"; let r = r#\"use \"d\"\"#; 'x: loop {}\n\
                #[cfg(test)]\nmod tests { use e; fn f() {} }\n#[cfg(test)]\nmod more;\nuse g;";
    let mut files = Vec::new();
    let kept = without_tests(&without_comments(text), |name| files.push(name.to_owned()));
    assert!(kept.contains("use a;") && kept.contains("use g;") && kept.contains("'x: loop"));
    for gone in ["use b", "use c", "use \"d", "use e"] {
        assert!(!kept.contains(gone), "{gone} in {kept}");
    }
    assert_eq!(files, ["more"]);
}
