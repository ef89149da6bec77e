//! Reads a crate's sources, without comments, literals and tests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The text of each module of a crate, by the module's path; the root's is empty.
pub type Modules = BTreeMap<Vec<String>, String>;

/// Reads the modules of a crate. Its program and its library count as one root.
pub fn modules(source: &Path) -> Modules {
    let mut texts = Modules::new();
    let mut tests = BTreeSet::new();
    read(source, &mut Vec::new(), &mut texts, &mut tests);
    texts.retain(|path, _| {
        !tests
            .iter()
            .any(|test: &Vec<String>| path.starts_with(test))
    });
    texts
}

fn read(
    directory: &Path,
    path: &mut Vec<String>,
    texts: &mut Modules,
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
            texts.entry(module).or_default().push_str(&text);
        }
    }
}

/// Calls `look` with each file below a directory that has one of the extensions, and its text.
pub fn each_file(directory: &Path, extensions: &[&str], look: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(directory).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            if !path.ends_with("node_modules") && !path.ends_with("target") {
                each_file(&path, extensions, look);
            }
        } else if path
            .extension()
            .is_some_and(|found| extensions.iter().any(|extension| found == *extension))
        {
            look(&path, &fs::read_to_string(&path).expect("UTF-8"));
        }
    }
}

/// Replaces comments and the content of literals by nothing. A literal keeps its lines.
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
            push_emptied(&rest[..length], &mut kept);
            at += length;
        } else if rest.starts_with('"') {
            let length = string(rest);
            push_emptied(&rest[..length], &mut kept);
            at += length;
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

/// Adds a literal without its content. A quotation mark stands for each line that holds some.
fn push_emptied(literal: &str, kept: &mut String) {
    kept.push('"');
    for line in literal.split('\n').skip(1) {
        kept.push('\n');
        if !line.trim().is_empty() {
            kept.push('"');
        }
    }
    kept.push('"');
}

fn raw_string(rest: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|before| before.is_alphanumeric() || before == '_') {
        return None;
    }
    let hashes = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let prefix = rest.len() - hashes.len();
    let count = hashes.len() - hashes.trim_start_matches('#').len();
    let content = hashes[count..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(count));
    let length = content.find(&end)?;
    Some(prefix + count + 1 + length + end.len())
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
    let rest = rest.strip_prefix("mod ")?;
    let name = identifier(rest);
    let after = rest[name.len()..].trim_start();
    after
        .starts_with([';', '{'])
        .then(|| (name, text.len() - after.len()))
}

/// The length of a block, braces and all.
pub fn block(text: &str) -> usize {
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

/// The places where `word` stands that do not continue another path or name.
pub fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(|at| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)))
}

/// The name at the start of `text`.
pub fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// What follows a word at the start of `text`.
pub fn word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let after = text.strip_prefix(word)?;
    let ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    ends.then(|| after.trim_start())
}

/// The start of `text`, up to one of `ends` that stands in no brackets.
pub fn up_to<'a>(text: &'a str, ends: &[char]) -> &'a str {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_arrow = c == '>' && before == '-';
        if depth == 0 && ends.contains(&c) && !is_arrow {
            return &text[..at];
        }
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if is_arrow => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    text
}

/// The length of the brackets at the start of `text`, with all that they hold.
pub fn enclosed(text: &str) -> usize {
    let content = text.get(1..).unwrap_or_default();
    let inside = up_to(content, &[')', ']', '}', '>']).len();
    (1 + inside + 1).min(text.len())
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

#[test]
fn a_literal_keeps_its_lines() {
    let literals = "b(br#\"{ \"c\" \"#, \"d {\n\n  e\", 'f');\ng";
    assert_eq!(without_comments(literals), "b(\"\", \"\n\n\"\", ' ');\ng");
}
