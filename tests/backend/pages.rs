//! The commands of README.md, of the guide and of CONTRIBUTING.md, held against the program: what a
//! bare machine can run is run, and the subcommands and options of the rest are those that the program
//! has.

use std::fs;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use serde_json::json;
use sightglass_tests::{TestHost, programs};

use crate::command_line::{Machine, Ran, ran};

/// The page for users, and the one for contributors.
const README: &str = "README.md";
const CONTRIBUTING: &str = ".github/CONTRIBUTING.md";
/// The folder of the guide, and its chapter about the command line.
const GUIDE: &str = "src-tauri/guide";
const COMMAND_LINE: &str = "src-tauri/guide/command-line.md";

/// The most lines of README.md: it says what there is, and the guide the rest.
const MAX_README: usize = 130;

/// Programs whose commands the pages show.
const PROGRAMS: [&str; 4] = ["sightglass-cli", "sightglass", "cargo", "npm"];

/// Test of a command.
#[derive(Clone, Copy)]
enum Test {
    /// Run with what [`Setting::stand_in`] has for its words, it ends with this code.
    Ends(i32),
    /// It needs a network or a word more, or does not end: only its words are read, with `--help`.
    IsRead,
}

use Test::{Ends, IsRead};

/// Every command of the command line that the pages show, in the order in which they run.
const COMMANDS: &[(&str, Test)] = &[
    ("sightglass-cli servers", Ends(0)),
    ("sightglass-cli tools list files", Ends(0)),
    ("sightglass-cli info http://localhost:8080/mcp", Ends(0)),
    ("sightglass-cli ping mcp.example.com/mcp", Ends(0)),
    ("sightglass-cli ping -- npx -y some-mcp-server", Ends(0)),
    (
        "sightglass-cli tools call files read_text_file path:=note.txt",
        Ends(0),
    ),
    (
        r#"sightglass-cli tools call files write_file '{"path": "a", "content": "1.50"}' --json"#,
        Ends(0),
    ),
    (
        "sightglass-cli tools call files write_file content=@note.txt path:=a",
        IsRead,
    ),
    ("sightglass-cli grep echo", Ends(0)),
    ("sightglass-cli watch SERVER --for 60", IsRead),
    ("sightglass-cli ping --config FILE ENTRY", IsRead),
    (
        "sightglass-cli prompts get docs summary topic:=owls",
        Ends(0),
    ),
    (
        "sightglass-cli resources read docs docs://intro --verbose",
        Ends(0),
    ),
    ("sightglass-cli connect files @files", Ends(0)),
    ("sightglass-cli @files tools list", Ends(0)),
    (
        "sightglass-cli @files tools call read_text_file path:=note.txt",
        Ends(0),
    ),
    ("sightglass-cli sessions", Ends(0)),
    ("sightglass-cli restart @files", Ends(0)),
    ("sightglass-cli close @files", Ends(0)),
    // A shell needs a terminal.
    ("sightglass-cli shell", Ends(1)),
    ("sightglass-cli shell files", Ends(1)),
    ("sightglass-cli shell @files", Ends(1)),
    (
        "sightglass-cli tools call research search topic:=owls --task",
        Ends(0),
    ),
    ("sightglass-cli tasks list research", Ends(0)),
    ("sightglass-cli tasks result research ID", Ends(0)),
    (
        "sightglass-cli tools call crm sign_up --rules answers.toml",
        Ends(0),
    ),
    ("sightglass-cli rules check answers.toml", Ends(0)),
    (
        r#"sightglass-cli rules try crm '{"message": "Please introduce yourself."}'"#,
        Ends(0),
    ),
    ("sightglass-cli pin SERVER", Ends(0)),
    ("sightglass-cli drift SERVER --fail-on attention", Ends(0)),
    ("sightglass-cli diff SERVER_A SERVER_B", Ends(0)),
    ("sightglass-cli lint SERVER --silence schema-union", Ends(0)),
    ("sightglass-cli model names|schema|tokens|rules", IsRead),
    ("sightglass-cli skills list SERVER", Ends(0)),
    // The demo server has skills that are wrong.
    (
        "sightglass-cli skills verify SERVER --require-digests",
        Ends(5),
    ),
    (
        "sightglass-cli export --server files --filter 'status:error' --format markdown -o report.md",
        Ends(0),
    ),
    ("sightglass-cli operations --filter 'tool:search'", Ends(0)),
    ("sightglass-cli operations 4711", Ends(0)),
    ("sightglass-cli test", Ends(0)),
    ("sightglass-cli test PATH", Ends(0)),
    ("sightglass-cli test --set-secret NAME", Ends(0)),
    ("sightglass-cli check FILE", Ends(0)),
    (
        "sightglass-cli check FILE --fail-on error,schema --junit report.xml",
        Ends(0),
    ),
    ("sightglass-cli replay FILE SERVER", Ends(0)),
    ("sightglass-cli mock FILE", Ends(0)),
    ("sightglass-cli mock FILE --http 8080", IsRead),
    ("sightglass-cli diff FILE SERVER", Ends(0)),
    (
        r#"sightglass-cli conformance SERVER --tool echo --arguments '{"message":"hi"}' --junit report.xml"#,
        Ends(0),
    ),
    (
        "sightglass-cli conformance http://localhost:8080/mcp --suite --install-suite",
        IsRead,
    ),
    (
        "sightglass-cli load SERVER echo message:=hi --rps 50 --clients 4 --duration 30s",
        Ends(0),
    ),
    // They end with their input, of which there is none.
    ("sightglass-cli serve", Ends(0)),
    ("sightglass-cli serve --server files", Ends(0)),
    ("sightglass-cli serve --server files --server docs", Ends(0)),
    ("sightglass-cli serve --all --deny '*__write_*'", Ends(0)),
    ("sightglass-cli config approve", IsRead),
    // They open the browser.
    ("sightglass-cli login SERVER", IsRead),
    ("sightglass-cli logout SERVER", IsRead),
    ("sightglass-cli doctor SERVER", Ends(0)),
    (
        "sightglass-cli tools list -- sightglass-cli workbench DIR",
        IsRead,
    ),
    ("sightglass-cli guide", Ends(0)),
    ("sightglass-cli guide command-line", Ends(0)),
];

/// Commands of other programs, each with a file that shows that there is such a thing. Those of
/// `cargo xtask` are held against its usage.
const OTHERS: &[(&str, &str)] = &[
    (
        "cargo run -p sightglass-cli --",
        "src-tauri/crates/cli/src/main.rs",
    ),
    (
        "cargo run -p sightglass-demo-server -- --fault hang-tools",
        "src-tauri/crates/demo-server/src/main.rs",
    ),
    (
        "cargo run -p sightglass-browser-host",
        "tests/browser_host/src/main.rs",
    ),
    (
        "cargo check --target x86_64-pc-windows-gnu -p sightglass -p sightglass-cli",
        "src-tauri/src/main.rs",
    ),
    ("npm run dev", "ui/package.json"),
    ("sightglass recorded.ndjson", "src-tauri/src/arguments.rs"),
    (
        "sightglass demo-server",
        "src-tauri/crates/demo-server/src/main.rs",
    ),
    (
        "sightglass-cli workbench DIR",
        "src-tauri/crates/workbench/src/lib.rs",
    ),
    (
        "sightglass demo-server --help",
        "src-tauri/crates/demo-server/src/main.rs",
    ),
];

/// Code in the pages.
#[derive(Default)]
struct Code {
    /// The blocks, indented or fenced.
    blocks: Vec<String>,
    /// Language of each block; empty for an indented one.
    languages: Vec<String>,
    /// The code within texts.
    spans: Vec<String>,
}

fn page(path: &str) -> String {
    fs::read_to_string(programs::repository().join(path)).expect("UTF-8")
}

/// The texts of the chapters of the guide.
fn chapters() -> Vec<String> {
    let files = fs::read_dir(programs::repository().join(GUIDE)).expect("the guide is there");
    let files = files.map(|file| file.expect("readable").path());
    files
        .map(|path| fs::read_to_string(path).expect("UTF-8"))
        .collect()
}

impl Code {
    fn of_pages() -> Self {
        let mut code = Self::default();
        for path in [README, CONTRIBUTING] {
            code.add(&page(path));
        }
        for chapter in chapters() {
            code.add(&chapter);
        }
        assert!(code.blocks.len() > 20, "the blocks are not found");
        assert!(code.spans.len() > 100, "the code in texts is not found");
        code
    }

    fn add(&mut self, page: &str) {
        let mut block: Option<String> = None;
        for event in Parser::new(page) {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    block = Some(String::new());
                    self.languages.push(match kind {
                        CodeBlockKind::Fenced(language) => language.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    });
                }
                Event::End(TagEnd::CodeBlock) => self.blocks.extend(block.take()),
                Event::Text(text) => {
                    if let Some(block) = &mut block {
                        block.push_str(&text);
                    }
                }
                Event::Code(span) => self.spans.push(span.replace('\n', " ")),
                _ => {}
            }
        }
    }

    /// Every command that names its program, once and without its remark.
    fn commands(&self) -> Vec<String> {
        let lines = self.blocks.iter().flat_map(|block| block.lines());
        let mut commands: Vec<String> = Vec::new();
        for line in lines.chain(self.spans.iter().map(String::as_str)) {
            let command = line.split(" # ").next().unwrap_or_default().trim();
            let mut words = without_variables(command);
            let is_command = words.next().is_some_and(|word| PROGRAMS.contains(&word));
            if is_command && words.next().is_some() && !commands.iter().any(|one| one == command) {
                commands.push(command.to_owned());
            }
        }
        commands
    }

    /// The block that holds a text.
    fn block_with(&self, text: &str) -> &str {
        let block = self.blocks.iter().find(|block| block.contains(text));
        block.unwrap_or_else(|| panic!("no block of the pages has {text}"))
    }
}

/// The words of a command, without variables that stand before it.
fn without_variables(command: &str) -> impl Iterator<Item = &str> {
    let words = command.split_whitespace();
    words.skip_while(|word| word.contains('='))
}

/// The words of a command as a shell takes them apart, without the program.
pub(crate) fn arguments(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    for character in command.chars() {
        match character {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            character => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words.split_off(1)
}

/// The words once for each of the alternatives `one|other` in them.
fn alternatives(words: &[String]) -> Vec<Vec<String>> {
    let Some(at) = words.iter().position(|word| word.contains('|')) else {
        return vec![words.to_vec()];
    };
    let each = words[at].split('|').map(|one| {
        let mut words = words.to_vec();
        one.clone_into(&mut words[at]);
        words
    });
    each.collect()
}

fn run(machine: &Machine, words: &[String]) -> Ran {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    machine.run(&words)
}

/// Fails unless the program has each subcommand and each option among the words of a command.
pub(crate) fn is_read(machine: &Machine, command: &str, words: &[String]) {
    for mut words in alternatives(words) {
        // What follows belongs to another program.
        if let Some(end) = words.iter().position(|word| word == "--") {
            words.truncate(end);
        }
        words.push("--help".to_owned());
        let Ran { code, stderr, .. } = run(machine, &words);
        assert_eq!(code, Some(0), "`{command}`: {stderr}");
    }
}

/// A machine with all that the commands of the pages name.
struct Setting {
    machine: Machine,
    /// The window's part of it, which holds the record.
    host: TestHost,
    http: programs::Listening,
    /// A server that keeps tasks, in the era in which they can be listed.
    research: programs::Listening,
}

impl Setting {
    async fn prepare(code: &Code) -> Self {
        let demo = json!({ "command": programs::own("sightglass-demo-server") });
        let host = TestHost::with_servers(json!({ "files": demo }));
        let files = TestHost::id("files");
        for (tool, arguments) in [
            ("echo", r#"{"message":"hi"}"#),
            // A row with an error, on a connection that the session file is not about.
            ("result_rpc_error", "{}"),
        ] {
            host.connect(&files).await;
            host.call(&files, tool, arguments).await;
            host.inspector
                .servers
                .open_connections
                .disconnect(&files)
                .await;
        }
        host.inspector.shutdown().await;

        let research = programs::demo_over_http(&["--era", "legacy"]);
        let machine = Machine::with_servers(json!({
            "files": demo,
            "docs": demo,
            "crm": demo,
            "research": { "url": research.url },
            "SERVER": demo,
            "SERVER_A": demo,
            "SERVER_B": demo,
        }));
        let request = "format = 1\nserver = \"files\"\nmethod = \"tools/list\"\n";
        for folder in ["project/.sightglass/requests", "project/PATH"] {
            let folder = machine.path(folder);
            fs::create_dir_all(&folder).expect("made");
            fs::write(folder.join("list.toml"), request).expect("written");
        }
        let rules = code.block_with("[[rule]]");
        fs::write(machine.path("project/answers.toml"), rules).expect("written");

        let setting = Self {
            machine,
            host,
            http: programs::demo_over_http(&[]),
            research,
        };
        for words in [
            &["config", "trust", "--yes"][..],
            &[
                "export",
                "--connection",
                "1",
                "--format",
                "ndjson",
                "-o",
                "FILE",
            ],
        ] {
            let Ran { code, stderr, .. } = setting.run(words);
            assert_eq!(code, Some(0), "{words:?}: {stderr}");
        }
        setting
    }

    /// Runs the command line beside the record of the window.
    fn run(&self, words: &[&str]) -> Ran {
        let mut command = self.machine.command(words);
        command.env("SIGHTGLASS_DATA_DIR", self.host.data());
        if words.first() == Some(&"export") {
            // A server that is named is one of the project's part of the record.
            command.arg("--project").arg(self.host.project());
        }
        ran(command.output().expect("it starts"))
    }

    /// The word that stands here for one of the pages: the demo server has other tools than the
    /// servers of a user, and a run of half a minute is short here.
    fn stand_in(&self, word: &str) -> String {
        match word {
            "http://localhost:8080/mcp" => self.http.url.clone(),
            "mcp.example.com/mcp" => self.http.url.trim_start_matches("http://").to_owned(),
            "read_text_file" | "write_file" => "echo_arguments".to_owned(),
            "summary" => "conversation".to_owned(),
            "docs://intro" => "demo://guide".to_owned(),
            "search" => "background_work".to_owned(),
            "sign_up" => "ask_elicitation".to_owned(),
            "4711" => "1".to_owned(),
            "30s" => "1s".to_owned(),
            "ID" => self.task(),
            word => word.to_owned(),
        }
    }

    /// The id of a task that an earlier command made.
    fn task(&self) -> String {
        let listed = self.run(&["tasks", "list", &self.research.url, "--json"]);
        let id = listed.result()["tasks"][0]["taskId"].clone();
        id.as_str().expect("a task").to_owned()
    }

    /// Fails unless a command ends with this code.
    fn ends(&self, command: &str, words: &[String], code: i32) {
        let mut words: Vec<String> = words.iter().map(|word| self.stand_in(word)).collect();
        if let Some(end) = words.iter().position(|word| word == "--") {
            words.truncate(end + 1);
            let program = programs::own("sightglass-demo-server");
            words.push(program.to_str().expect("a path in UTF-8").to_owned());
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Ran {
            code: ended,
            stdout,
            stderr,
        } = self.run(&words);
        assert_eq!(
            ended,
            Some(code),
            "`{command}` of the pages, run as {words:?}:\n{stdout}{stderr}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_pages_is_one_of_the_program() {
    let code = Code::of_pages();
    let shown = code.commands();
    let is_xtask = |command: &&String| without_variables(command).take(2).eq(["cargo", "xtask"]);
    let unknown: Vec<_> = shown
        .iter()
        .filter(|command| !is_xtask(command))
        .filter(|command| !COMMANDS.iter().any(|(known, _)| known == *command))
        .filter(|command| !OTHERS.iter().any(|(known, _)| known == *command))
        .collect();
    assert!(
        unknown.is_empty(),
        "the pages show commands that this test does not know: add each to COMMANDS, with the code \
         with which it ends, or to OTHERS: {unknown:#?}"
    );
    let known = COMMANDS.iter().map(|(command, _)| command);
    let known = known.chain(OTHERS.iter().map(|(command, _)| command));
    let gone: Vec<_> = known
        .filter(|known| !shown.iter().any(|command| command == *known))
        .collect();
    assert!(
        gone.is_empty(),
        "the pages do not show these any more: remove them from this test: {gone:#?}"
    );

    for (command, file) in OTHERS {
        assert!(programs::repository().join(file).exists(), "{command}");
    }
    let setting = Setting::prepare(&code).await;
    for (command, test) in COMMANDS {
        let words = arguments(command);
        match *test {
            Ends(code) => setting.ends(command, &words, code),
            IsRead => is_read(&setting.machine, command, &words),
        }
    }
    // The background process would wait for more.
    setting.run(&["close", "--all"]);
}

#[test]
fn the_readme_is_a_page_and_names_each_chapter() {
    let readme = page(README);
    let lines = readme.lines().count();
    assert!(
        lines <= MAX_README,
        "{README} has {lines} lines, {MAX_README} are allowed: say it in a chapter of {GUIDE}"
    );
    for chapter in chapters() {
        let title = chapter.lines().next().unwrap_or_default();
        let title = title.strip_prefix("# ").expect("a heading");
        let link = format!("[{title}]({GUIDE}/");
        assert!(readme.contains(&link), "{README} does not name {title}");
    }
}

#[test]
fn blocks_of_commands_in_the_guide_are_marked_as_such() {
    let mut code = Code::default();
    for chapter in chapters() {
        code.add(&chapter);
    }
    let mut marked = 0;
    for (block, language) in code.blocks.iter().zip(&code.languages) {
        let has_command = block.lines().any(|line| {
            let program = without_variables(line).next().unwrap_or_default();
            PROGRAMS.contains(&program)
        });
        assert_eq!(has_command, language == "sh", "{language}: {block}");
        marked += usize::from(has_command);
    }
    assert!(marked > 10, "only {marked} blocks of commands were found");
}

#[test]
fn the_guide_is_read_as_it_is_written() {
    let machine = Machine::new();
    let Ran { code, stdout, .. } = machine.run(&["guide", "command-line"]);
    assert_eq!(code, Some(0));
    assert_eq!(stdout, page(COMMAND_LINE));
    let listed = machine.run(&["guide"]).stdout;
    assert!(listed.starts_with("first-minute "), "{listed}");
    let Ran { code, stderr, .. } = machine.run(&["guide", "nowhere"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("`sightglass-cli guide`"), "{stderr}");
}

/// The subcommands that a help text lists.
pub(crate) fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:");
    let listed = lines.skip(1).take_while(|line| !line.is_empty());
    // Lines that go on with a description are indented further.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty())
}

/// Adds the help of a command and of all commands below it.
pub(crate) fn add_help(machine: &Machine, path: &[&str], help: &mut String) {
    let Ran { code, stdout, .. } = machine.run(&[path, &["--help"]].concat());
    assert_eq!(code, Some(0), "{path:?}");
    for name in subcommands(&stdout) {
        add_help(machine, &[path, &[name]].concat(), help);
    }
    help.push_str(&stdout);
}

/// Returns the help of `cargo xtask`.
fn xtask_usage() -> String {
    let mut xtask = std::process::Command::new(programs::own("xtask"));
    ran(xtask.arg("help").output().expect("it starts")).stdout
}

/// Returns true when a text has a word, an option with its dashes.
pub(crate) fn has_word(text: &str, wanted: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.any(|word| word == wanted)
}

#[test]
fn every_option_in_a_text_of_the_pages_is_one_of_the_program() {
    let machine = Machine::new();
    let mut help = xtask_usage();
    add_help(&machine, &[], &mut help);
    help.push_str(&machine.demo(&["--help"], &[]).stdout);
    help.push_str(&machine.run(&["demo-server", "--help"]).stdout);
    let bench = programs::repository().join("tests/bench/arguments.rs");
    help.push_str(&fs::read_to_string(bench).expect("UTF-8"));
    let code = Code::of_pages();
    let spans = code.spans.iter().filter(|span| span.starts_with('-'));
    let options = spans.flat_map(|span| span.split(' '));
    let options: Vec<&str> = options
        .filter(|word| word.starts_with('-') && *word != "--")
        .collect();
    assert!(options.contains(&"--json"), "{options:?}");
    for option in options {
        assert!(has_word(&help, option), "no program has {option}");
    }
}

fn is_capitals(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_uppercase())
}

#[test]
fn every_command_without_its_program_is_one_of_the_command_line() {
    let machine = Machine::new();
    let help = machine.run(&["--help"]).stdout;
    let commands: Vec<&str> = subcommands(&help).collect();
    assert!(commands.contains(&"doctor"), "{help}");
    let code = Code::of_pages();
    let mut read = 0;
    for span in &code.spans {
        // Capitals stand for anything.
        let words = span.split(' ').filter(|word| !is_capitals(word));
        let words: Vec<String> = words.map(str::to_owned).collect();
        let first = words.first().map(String::as_str).unwrap_or_default();
        if commands.contains(&first) {
            is_read(&machine, span, &words);
            read += 1;
        }
    }
    assert!(read > 10, "only {read} such commands were found");
}

#[test]
fn every_task_of_the_pages_is_one_of_xtask() {
    let usage = xtask_usage();
    let mut read = 0;
    for command in Code::of_pages().commands() {
        let mut words = without_variables(&command);
        if words.next() != Some("cargo") || words.next() != Some("xtask") {
            continue;
        }
        // What follows `--` is for another program, and numbers and capitals stand for anything.
        let own = words.take_while(|word| *word != "--");
        for word in own.flat_map(|word| word.split('|')) {
            let is_fixed = word.starts_with(|c: char| c == '-' || c.is_ascii_lowercase());
            assert!(
                !is_fixed || has_word(&usage, word),
                "`{command}` of the pages: xtask knows no {word}:\n{usage}"
            );
        }
        read += 1;
    }
    assert!(read > 5, "only {read} tasks were found");
}

#[test]
fn the_exit_codes_of_the_guide_are_those_of_the_help() {
    let help = Machine::new().run(&["--help"]).stdout;
    let told: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Exit codes:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let chapter = page(COMMAND_LINE);
    let rows = chapter.lines().filter_map(|line| {
        let (code, meaning) = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")?;
        code.parse::<u8>().ok()?;
        Some(format!("{code}  {meaning}"))
    });
    assert_eq!(rows.collect::<Vec<_>>(), told);
}

#[test]
fn the_test_and_the_rules_of_the_guide_are_in_order() {
    let code = Code::of_pages();
    let demo = json!({ "command": programs::own("sightglass-demo-server") });
    let machine = Machine::with_servers(json!({ "files": demo }));
    let folder = machine.path("project/.sightglass");
    for (path, text) in [
        ("requests/echo.toml", code.block_with("[[expect]]")),
        ("environments/ci.toml", "greeting = \"hello\"\n"),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    // It is sent, and the echo of the demo server has no structured content to count.
    let ran = machine.run(&["test", "--env", "ci", "--trust-project", "--json"]);
    let report = ran.result();
    let case = &report["cases"][0];
    assert!(case["requestFrame"].is_number(), "{case}");
    let label = "$.structuredContent.items count 3";
    assert_eq!(case["checks"][0]["label"], label, "{case}");

    let rules = code.block_with("[[rule]]");
    fs::write(
        machine.path("project/broken.toml"),
        format!("{rules}[[rule"),
    )
    .expect("written");
    let ran = machine.run(&["rules", "check", "broken.toml"]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
}
