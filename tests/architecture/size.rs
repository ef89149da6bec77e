//! The size of each crate, of the window and of its style sheets.
//!
//! Code grows a little with each change and nobody sees it. Here the one who adds it has to say so:
//! the gauge counts lines that are neither blank nor comment, without tests, and holds them to a
//! budget. In Rust, modules under `#[cfg(test)]` are left out, whether they stand in the file or in
//! files of their own, and lines inside literals count; in the window, what the backend generates
//! and what unit tests share.

use crate::{
    crates_and_shell, repository,
    source::{each_file, modules},
};

/// Lines that are allowed, in steps of [`STEP`]: of crates by directory, and of the window.
///
/// Raise one by hand, in the change that needs it, with the reason in a comment on its line. Lower
/// it when the test says so.
const BUDGETS: [(&str, usize); 36] = [
    ("areas/calls", 7_000), // The first lines of a long answer travel with its report.
    ("areas/checks", 3_150), // What is ignored is counted by rule, so that it can be taken back.
    ("areas/clients", 1_550), // The window gets the cost of tools in columns; the last count is kept.
    // Jobs, whose parts the areas had each, and commands, which the shell had; one server is published.
    // It is kept which of the approved entries the user wrote.
    ("areas/core", 4_200),
    ("areas/record", 2_400), // The commands that read a record, which the shell had.
    // One server is shown and judged alone, once for its row; what the user wrote into the folder's files
    // is theirs, and tells whether it may miss the folder.
    ("areas/servers", 3_800),
    ("areas/setup", 1_950), // One answer to an edit: its text, reading and findings.
    ("areas/sign-in", 350),
    ("areas/tests", 2_650),
    ("auth", 9_650),
    ("checks", 1_300),
    // The names of area and part stand before each call of a method.
    // The step after a refusal for want of a key names its header. Sessions, the process that keeps them
    // and the command's end of it; where a command writes is one place, so that it can be another's
    // terminal. What agents get is a command. All servers are searched, one is watched, an entry of any
    // file is used, arguments come out of files, and output is cut. A shell, which completes.
    ("cli", 12_150),
    ("command-macros", 250),
    ("config", 19_050), // Watching waits for rest itself, where a thread of a library polled.
    // Futures are boxed, so that it is compiled once; a message is written by who sends it.
    ("connection", 14_850), // Starts the process that keeps sessions.
    ("control", 550), // Messages between the programs of a user: socket or pipe, peer, token, frames.
    ("demo-server", 7_750),
    ("files", 400), // A folder is looked up once for all paths that are held against it.
    ("http", 1_250),
    ("inspector", 500), // A record of its own for the process that keeps sessions, shared by them.
    ("json-text", 750), // What is within a long text is found in one pass, and unescaped into one copy.
    ("llm-tools", 3_000),
    // Names that earlier versions stored are read.
    // A hint names the place, the variable, the header or the path that mends a failure.
    ("model", 4_250),
    ("model-endpoint", 750),
    ("questions", 1_100), // A rule that is made of a question repeats what was written.
    ("requests", 2_850),
    ("secrets", 2_500), // Command lines are read in each way that their quotes allow.
    // The own tools with their words, servers behind one entry, and the protocol as a server speaks it, where a
    // session begins before what follows is read.
    ("serve", 3_600),
    ("session-file", 3_250),
    ("surface", 2_650), // Items are texts that are shared, and values where they are looked at.
    ("traffic", 11_400), // A payload that is at hand is laid out in lines without reading it back.
    ("workbench", 1_050), // A server of its own, with tools that edit notebooks and keep a list.
    ("xtask", 2_350),
    ("shell", 1_700), // The page is handed its snapshot in itself, and the window built beside it.
    // A call goes to the tool that was shown, once; a run that was asked for is forgotten; small windows
    // keep the place one is at; the next step of a failure comes first; what is out of sight is not drawn.
    // The frame is drawn before the code of the window, which is loaded in parts. What can be done with a
    // result is one menu, and in the palette. A key that a server names is taken in the card of its refusal,
    // and a window that is made low keeps what was used in sight. What is ignored is counted, and taken back.
    // What the first picture needs of lists, buttons, menus and tooltips comes without their library.
    // A crash is told as one in the drawer, with its repair below it on the overview. What a client has no
    // field for is no difference, and a test that passed at saving shows its answer.
    ("ui", 52_400),
    // Marks of the choices in a menu, a sign that a table goes on, and the frame. Words beside the glyphs of
    // the matrix.
    ("ui styles", 5_850),
];

/// Budgets are multiples of it.
const STEP: usize = 50;

/// The part of a budget that may be free: a twentieth, and at least a step.
const FREE_PART: usize = 20;

#[test]
fn crates_and_the_window_stay_within_their_budgets() {
    let mut sizes: Vec<(String, usize)> = crates_and_shell()
        .into_iter()
        .map(|(name, path)| {
            let texts = modules(&path.join("src"));
            let lines: usize = texts.values().map(|text| lines_of_code(text)).sum();
            (name, lines)
        })
        .collect();
    sizes.push(("ui".to_owned(), lines_of_window(&["ts", "tsx"])));
    sizes.push(("ui styles".to_owned(), lines_of_window(&["css"])));
    let mut wrong: Vec<String> = sizes
        .iter()
        .filter_map(|(name, lines)| {
            let budget = BUDGETS.iter().find(|(of, _)| of == name);
            complaint(*lines, budget.map(|(_, budget)| *budget))
                .map(|complaint| format!("{name}: {complaint}"))
        })
        .collect();
    for (name, _) in BUDGETS {
        if !sizes.iter().any(|(of, _)| of == name) {
            wrong.push(format!("{name}: not found, remove its budget"));
        }
    }
    assert!(wrong.is_empty(), "lines of code:\n{}", wrong.join("\n"));
}

/// Says what is wrong with a budget.
fn complaint(lines: usize, budget: Option<usize>) -> Option<String> {
    let fitting = lines.next_multiple_of(STEP);
    match budget {
        None => Some(format!("{lines} lines, give it a budget of {fitting}")),
        Some(budget) if lines > budget => Some(format!(
            "{lines} lines, {budget} are allowed; make it smaller, or raise the budget to \
             {fitting} and say why on its line"
        )),
        Some(budget) if budget - lines > STEP.max(budget / FREE_PART) => Some(format!(
            "{lines} lines, {budget} are allowed; lower the budget to {fitting}"
        )),
        Some(_) => None,
    }
}

/// Counts the lines with code, in a text without comments.
fn lines_of_code(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

fn lines_of_window(extensions: &[&str]) -> usize {
    let mut lines = 0;
    let source = repository().join("ui/src");
    each_file(&source, extensions, &mut |path, text| {
        let path = path.strip_prefix(&source).expect("below it");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_test = path.starts_with("test-support")
            || name.starts_with("test-setup.")
            || name.contains(".test.");
        if !is_test && !path.ends_with("backend/bindings.ts") {
            lines += lines_without_comments(text);
        }
    });
    lines
}

/// Counts the lines of a script or style sheet that are neither blank nor comment. A comment fills
/// its lines, or follows code on one.
fn lines_without_comments(text: &str) -> usize {
    let mut in_comment = false;
    let mut is_code = |line: &str| {
        let begins = line.starts_with("/*") || line.starts_with("{/*");
        let is_comment = in_comment || begins || line.starts_with("//");
        if in_comment || begins {
            in_comment = !line.contains("*/");
        }
        !is_comment && !line.is_empty()
    };
    text.lines().filter(|line| is_code(line.trim())).count()
}

#[test]
fn a_budget_is_held_in_both_directions() {
    assert_eq!(complaint(1_000, Some(1_000)), None);
    assert_eq!(complaint(951, Some(1_000)), None);
    assert_eq!(complaint(3_800, Some(4_000)), None);
    assert_eq!(complaint(1, Some(50)), None);
    for (lines, budget) in [
        (1_001, Some(1_000)),
        (949, Some(1_000)),
        (3_799, Some(4_000)),
    ] {
        assert!(complaint(lines, budget).is_some(), "{lines} of {budget:?}");
    }
    let raise = complaint(1_001, Some(1_000)).expect("above it");
    assert!(raise.contains("to 1050"), "{raise}");
    assert!(complaint(1, None).is_some());
}

#[test]
fn comments_and_blank_lines_are_no_code() {
    let script = "// a\nb(); // c\n\n/** d */\n/*\n e\n\n*/\nf /* g */\n  {/* h\n i */}\n}";
    assert_eq!(lines_without_comments(script), 3);
    let rust = crate::source::without_comments("//! a\n\nb(\"c\n\n  d\"); /* e */\n// f\n}");
    assert_eq!(lines_of_code(&rust), 3);
}
