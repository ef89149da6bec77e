//! The form of doc comments.

use std::path::Path;

use crate::{
    repository,
    source::{each_file, enclosed, up_to, without_comments, word},
};

/// Words that name a topic where a doc comment should say a fact.
const TOPIC_WORDS: [&str; 11] = [
    "What", "How", "Where", "Why", "Which", "Who", "Whoever", "Whose", "Whether", "Nobody",
    "Somebody",
];

/// The share of doc comments that may begin with such a word, in percent.
const MAX_SHARE: usize = 3;

/// Types that hold one value of the type in their brackets, or give it sooner or later.
const WRAPPERS: [&str; 16] = [
    "Arc", "Box", "Cell", "Future", "LazyLock", "Mutex", "OnceCell", "OnceLock", "Option", "Pin",
    "Poll", "Rc", "Receiver", "RefCell", "RwLock", "Sender",
];

#[test]
fn doc_comments_begin_with_a_verb_or_with_what_they_define() {
    let mut comments = 0;
    let mut topics = Vec::new();
    each_source(&mut |path, text| {
        for comment in doc_comments(text) {
            comments += 1;
            if TOPIC_WORDS.contains(&words(comment.first_line).next().unwrap_or_default()) {
                topics.push(comment.at(path));
            }
        }
    });
    assert!(comments > 3_000, "only {comments} doc comments were found");
    assert!(
        topics.len() * 100 <= comments * MAX_SHARE,
        "{} of {comments} doc comments begin with a topic instead of a verb or the thing that \
         they define:\n{}",
        topics.len(),
        topics.join("\n")
    );
}

#[test]
fn doc_comments_say_that_something_is_true_only_of_a_bool() {
    let mut claims = 0;
    let mut false_claims = Vec::new();
    each_source(&mut |path, text| {
        for comment in doc_comments(text).filter(DocComment::claims_a_bool) {
            claims += 1;
            if !item_is_bool(comment.item) {
                false_claims.push(comment.at(path));
            }
        }
    });
    assert!(claims > 200, "only {claims} such doc comments were found");
    assert!(
        false_claims.is_empty(),
        "these doc comments begin like that of a `bool`, and what they describe is none:\n{}",
        false_claims.join("\n")
    );
}

/// Calls `look` with each source file of the repository, and its text.
fn each_source(look: &mut dyn FnMut(&Path, &str)) {
    for directory in ["src-tauri", "tests"] {
        each_file(&repository().join(directory), &["rs"], look);
    }
}

/// A doc comment of one or more lines.
struct DocComment<'a> {
    line: usize,
    first_line: &'a str,
    /// The text after the comment, which begins with the item that it describes.
    item: &'a str,
}

impl DocComment<'_> {
    fn at(&self, path: &Path) -> String {
        format!("{}:{}:{}", path.display(), self.line, self.first_line)
    }

    /// Returns true when the comment begins with "True …", "Returns true …" or
    /// "Returns whether …".
    fn claims_a_bool(&self) -> bool {
        let mut words = words(self.first_line);
        match words.next() {
            Some("True") => true,
            Some("Returns") => matches!(words.next(), Some("true" | "whether")),
            _ => false,
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
}

fn doc_comments(text: &str) -> impl Iterator<Item = DocComment<'_>> {
    let mut comments: Vec<DocComment<'_>> = Vec::new();
    let mut inside = false;
    let mut rest = text;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        rest = &rest[line.len()..];
        let line = line.trim();
        let content = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        match (content, comments.last_mut()) {
            (Some(_), Some(comment)) if inside => comment.item = rest,
            (Some(first_line), _) => comments.push(DocComment {
                line: index + 1,
                first_line,
                item: rest,
            }),
            (None, _) => {}
        }
        inside = content.is_some();
    }
    comments.into_iter()
}

/// Returns true when the item at the start of `text` is a field, constant, static or type alias
/// of type `bool`, or a function that returns one; [`WRAPPERS`] around it do not matter.
fn item_is_bool(text: &str) -> bool {
    let text = without_comments(text);
    let mut item = text.trim_start();
    while let Some(attribute) = item.strip_prefix('#') {
        item = attribute[enclosed(attribute)..].trim_start();
    }
    if let Some(after) = word(item, "pub") {
        let restriction = if after.starts_with('(') {
            enclosed(after)
        } else {
            0
        };
        item = after[restriction..].trim_start();
    }
    // `const` begins a constant too, and is left out there as well: what remains of that and
    // of a static is `NAME: Type`, as of a field.
    for qualifier in ["default", "const", "static", "mut", "async", "unsafe"] {
        item = word(item, qualifier).unwrap_or(item);
    }
    if let Some(abi) = word(item, "extern") {
        item = abi.trim_start_matches('"').trim_start();
    }
    if let Some(function) = word(item, "fn") {
        return returned(function).is_some_and(type_is_bool);
    }
    if let Some(alias) = word(item, "type") {
        return alias
            .split_once('=')
            .is_some_and(|(_, aliased)| type_is_bool(up_to(aliased, &[';'])));
    }
    // Of a tuple struct the field has no name.
    let after_name = item.trim_start_matches(|c: char| c.is_alphanumeric() || "_#".contains(c));
    let field = match after_name.trim_start().strip_prefix(':') {
        Some(field) if !field.starts_with(':') => field,
        _ => item,
    };
    type_is_bool(up_to(field, &[',', ';', '=', '{', '}', ')']))
}

/// The type that a function returns, from the text after `fn`.
fn returned(function: &str) -> Option<&str> {
    let parameters = &function[up_to(function, &['(']).len()..];
    let after = parameters[enclosed(parameters)..].trim_start();
    let returned = up_to(after.strip_prefix("->")?, &['{', ';', '}']);
    Some(match returned.find("where") {
        Some(at) if returned[..at].ends_with(char::is_whitespace) => &returned[..at],
        _ => returned,
    })
}

fn type_is_bool(text: &str) -> bool {
    let mut text = text.trim().trim_start_matches('&');
    if text.starts_with('\'') {
        text = text.trim_start_matches(|c: char| !c.is_whitespace());
    }
    text = text.trim_start();
    for qualifier in ["mut", "impl", "dyn", "unsafe", "extern"] {
        text = word(text, qualifier).unwrap_or(text);
    }
    // `(dyn Fn() -> bool + Send)`
    if text.starts_with('(') {
        let length = enclosed(text);
        return length == text.len() && type_is_bool(&text[1..length - 1]);
    }
    let path = up_to(text, &['<', '(', '+', ' ']);
    let name = path.rsplit("::").next().unwrap_or(path);
    let after = text[path.len()..].trim_start();
    match name {
        "bool" | "AtomicBool" => true,
        "fn" | "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce" => {
            returned(after).is_some_and(|returned| type_is_bool(up_to(returned, &['+', ','])))
        }
        _ if WRAPPERS.contains(&name) || name.ends_with("Result") => {
            after.strip_prefix('<').is_some_and(|arguments| {
                let first = up_to(arguments, &[',', '>']);
                let output = word(first, "Output").and_then(|output| output.strip_prefix('='));
                type_is_bool(output.unwrap_or(first))
            })
        }
        _ => false,
    }
}

/// The lines of the doc comments in `text` that are false about a `bool`.
fn false_claims(text: &str) -> Vec<usize> {
    doc_comments(text)
        .filter(|comment| comment.claims_a_bool() && !item_is_bool(comment.item))
        .map(|comment| comment.line)
        .collect()
}

#[test]
fn a_claim_about_a_bool_is_found_true() {
    for item in [
        "pub open: bool,",
        "pub(in crate::view) is_open: Option<bool>,",
        "is_open: Arc<std::sync::atomic::AtomicBool>",
        "is_open: watch::Receiver<bool>,",
        "#[serde(default, rename = \"open]\")]\n// Older files have none.\npub open: bool,",
        "pub bool,",
        "is_open: bool }",
        "keep: Box<dyn Fn(&str, usize) -> bool + Send>,",
        "keep: &'a mut (dyn FnMut() -> bool + Send),",
        "keep: fn(&str) -> bool,",
        "pub const IS_OPEN: bool = true;",
        "static IS_OPEN: AtomicBool = AtomicBool::new(false);",
        "type Keep = fn(&str) -> bool;",
        "fn is_open(&self) -> bool {\n    true\n}",
        "fn is_open(&self) -> bool;",
        "fn is_open(&self) -> Option<bool> { None }",
        "#[must_use]\npub(crate) const fn is_open(self) -> bool {",
        "pub async fn is_open(\n    &self,\n    server: &ServerId, // of the project\n\
         ) -> Result<bool, Error> {",
        "fn is_open(&self) -> io::Result<bool> {",
        "fn is_open(&self) -> impl Future<Output = bool> + Send + 'a {",
        "fn is_open(&self) -> Pin<Box<dyn Future<Output = bool> + Send + '_>> {",
        "unsafe extern \"C\" fn is_open() -> bool {",
        "fn any<T, F: Fn(&T) -> Word>(all: &[T], f: F) -> bool\nwhere\n    T: Copy,\n{",
        "fn keep(&self) -> impl Fn(&str) -> bool + use<'_> {",
    ] {
        for comment in [
            "/// True when it is open.",
            "/// Returns true once open.\n///\n/// Else it waits.",
        ] {
            let text = format!("{comment}\n{item}\n");
            assert!(false_claims(&text).is_empty(), "{text}");
        }
    }
}

#[test]
fn a_claim_about_anything_else_is_found_false() {
    for item in [
        "pub enum Availability {\n    Open(bool),\n}",
        "#[derive(Debug)]\npub struct Trust {\n    pub open: bool,\n}",
        "Open,",
        "Open(bool),",
        "Open { now: bool },",
        "pub state: State,",
        "pub state: Option<State>,",
        "pub states: HashMap<bool, State>,",
        "pub const OPEN: u8 = true as u8;",
        "pub fn check(&self, strict: bool) -> Result<(), Error> {",
        "fn check(&self) {\n    let open: bool = true;\n}",
        "fn check(&self);\n\n/// Another.\nfn is_open(&self) -> bool;",
        "async fn check(open: impl Fn() -> bool) -> Verdict {",
        "fn check<F: Fn() -> bool>(f: F) -> State\nwhere\n    F: Fn() -> bool,\n{",
        "fn check() -> impl Fn(bool) -> State {",
        "fn check() -> impl Future<Output = State> {",
        "mod open;",
    ] {
        for comment in [
            "/// True when it is open.",
            "/// True if open.",
            "/// Returns true when it is open.",
            "/// Returns `true` when it is open.",
            "/// Returns whether it is open,\n/// or not.",
        ] {
            let text = format!("use a;\n\n    {comment}\n    {item}\n");
            assert_eq!(false_claims(&text), [3], "{text}");
        }
    }
    let text = "/// The state, true or not.\nenum State {}\n// True when open.\nstruct Open;";
    assert!(false_claims(text).is_empty());
}
