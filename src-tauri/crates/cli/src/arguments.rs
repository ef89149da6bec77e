//! Parses the command line into [`CliArguments`].
//!
//! Options may stand anywhere before `--`, also on both sides of a command and more than once.
//! clap takes the options of a level on that level, and of an option that is given on two levels
//! it keeps the inner one alone; so the common options are moved to the front first. Words for the
//! server that begin with a dash, which clap would take for options, are escaped on the way. `help`
//! and `version`, which other programs have as commands, are taken for the options.

use std::ffi::OsString;

use clap::{ArgAction, Args as _, CommandFactory, FromArgMatches, Parser, error::ErrorKind};

use crate::{
    addressed, commands::CliCommand, error::CliError, options::CommonOptions,
    session_name::SessionName,
};

/// See and test MCP servers.
#[derive(Debug, Parser)]
#[command(
    name = "sightglass-cli",
    version,
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND",
    override_usage = "sightglass-cli <COMMAND> <TARGET> … [OPTIONS]\n       \
                      sightglass-cli <COMMAND> … [OPTIONS] -- PROGRAM [ARGS]…",
    after_help = AFTER_HELP
)]
pub(crate) struct CliArguments {
    #[command(subcommand)]
    pub command: CliCommand,
    #[command(flatten)]
    pub options: CommonOptions,
    /// The session that stands before the command.
    #[arg(skip)]
    pub session: Option<SessionName>,
}

/// The commands that ask one server and read no file of their caller's, so that they can do so on a
/// session.
pub(crate) const SESSION_COMMANDS: [&str; 8] = [
    "tools",
    "tasks",
    "resources",
    "prompts",
    "skills",
    "ping",
    "info",
    "restart",
];

const AFTER_HELP: &str = "\
Targets:
  NAME             a configured server; CLIENT:NAME where several clients have one
  URL              http, https, ws, wss or unix
  HOST[:PORT/PATH] the same as https://HOST, or http:// on this machine
  -- PROGRAM ARGS  a program to start, at the end
`sightglass-cli connect TARGET @NAME` keeps a connection, which @NAME before a command uses.
Arguments are KEY:=VALUE, or all of them one JSON object.
Options may stand anywhere before `--`.

With --json the result alone stands on stdout: the server's own as it came, or
the command's. An error is {\"error\": {code, message, data, hint}} on stderr.

Exit codes:
  0  done
  1  wrong usage, or something that is not approved or trusted
  2  the server answered with an error
  3  network, time-out, or a server that does not run
  4  a sign-in is missing, or failed
  5  a check failed
  130  interrupted, as by Ctrl-C

Environment:
  SIGHTGLASS_DATA_DIR   where the settings are, instead of the platform's directory
  SIGHTGLASS_KEYCHAIN   `off` keeps secrets in a file there instead of the keychain
  SIGHTGLASS_LOG        what to log on stderr, for instance `debug`
  NO_COLOR              print without colours";

/// Reason why there is nothing to run.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Help or the version was asked for; this is the text.
    Help(String),
    Error(CliError),
}

impl CliArguments {
    /// Reads the words of a command line, the program's own name first.
    pub(crate) fn parse(words: Vec<OsString>) -> Result<Self, Stop> {
        let (words, session) = with_common_options_first(words);
        if let Some(name) = &session {
            refuse_without_connection(&words, name).map_err(Stop::Error)?;
        }
        let parsed = Self::command()
            .try_get_matches_from(&words)
            .and_then(|matches| Self::from_arg_matches(&matches));
        let arguments = parsed.map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Stop::Help(error.render().ansi().to_string())
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Stop::Error(CliError::usage(
                "There is no command.",
                &format!("`{} --help` lists them.", named_commands(&words).join(" ")),
            )),
            _ => Stop::Error(usage_error(&error)),
        })?;
        if let Some(name) = &session {
            arguments.refuse_late_options(name).map_err(Stop::Error)?;
        }
        Ok(Self {
            session,
            ..arguments
        })
    }

    /// Returns true when the background process runs it.
    pub(crate) fn is_about_sessions(&self) -> bool {
        self.session.is_some() || self.command.is_about_sessions()
    }

    /// Refuses options that come too late for a session.
    fn refuse_late_options(&self, name: &SessionName) -> Result<(), CliError> {
        match self.options.of_connecting() {
            Some(option) => Err(CliError::usage(
                &format!("{option} counts when {name} is connected."),
                &format!(
                    "Give it then: `sightglass-cli close {name}`, and `sightglass-cli connect TARGET \
                     {name} {option} …`."
                ),
            )),
            None => Ok(()),
        }
    }
}

/// Refuses a command that does not use the connection of a session.
fn refuse_without_connection(words: &[OsString], name: &SessionName) -> Result<(), CliError> {
    match named_commands(words).get(1) {
        Some(command) if !SESSION_COMMANDS.contains(&command.as_str()) => Err(CliError::usage(
            &format!("`{command}` does not use a connection, so it cannot run on {name}."),
            &format!(
                "Leave {name} out. These run on a session: {}.",
                SESSION_COMMANDS.join(", ")
            ),
        )),
        _ => Ok(()),
    }
}

/// Returns the program's name and the commands that stand among the words, one below the other.
fn named_commands(words: &[OsString]) -> Vec<String> {
    let mut command = CliArguments::command();
    let mut path = vec![command.get_name().to_owned()];
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if is_followed_by_value(&command, &word.to_string_lossy()) == Some(true) {
            words.next();
        } else if let Some(found) = command.find_subcommand(word).cloned() {
            path.push(found.get_name().to_owned());
            command = found;
        }
    }
    path
}

/// Returns whether the next word is the value of an option of a command; nothing for a word that is
/// none of its options.
fn is_followed_by_value(command: &clap::Command, word: &str) -> Option<bool> {
    let (name, has_value) = match word.split_once('=') {
        Some((name, _)) => (name, true),
        None => (word, false),
    };
    command.get_arguments().find_map(|argument| {
        let long = argument.get_long().map(|name| format!("--{name}"));
        let short = argument.get_short().map(|name| format!("-{name}"));
        let takes_value = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
        [long, short]
            .contains(&Some(name.to_owned()))
            .then_some(takes_value && !has_value)
    })
}

/// Returns true when errors are wanted as JSON, known even when the words are wrong otherwise.
pub(crate) fn asks_for_json(words: &[OsString]) -> bool {
    words
        .iter()
        .take_while(|word| *word != "--")
        .any(|word| word == "--json")
}

/// clap's report as one sentence and a hint.
fn usage_error(error: &clap::Error) -> CliError {
    let report = error.render().to_string();
    let mut lines = report
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let message = in_our_words(first.strip_prefix("error: ").unwrap_or(first));
    let mut rest: Vec<&str> = Vec::new();
    for line in lines {
        if line.starts_with("Usage:") || line.starts_with("For more") {
            break;
        }
        rest.push(line);
    }
    let hint = rest
        .iter()
        .filter_map(|line| line.strip_prefix("tip: "))
        // Behind `--` stands a program here, not a value.
        .find(|tip| !tip.contains("'-- "))
        .map_or_else(
            || "Add `--help` to see how it is used.".to_owned(),
            |tip| format!("Perhaps: {tip}."),
        );
    let missing: Vec<&str> = rest
        .into_iter()
        .filter(|line| !line.starts_with("tip: "))
        .collect();
    let message = match missing.is_empty() {
        true => message,
        false => format!("{message} {}", missing.join(" ")),
    };
    CliError::usage(&message, &hint)
}

/// clap's message with a capital letter, and with our words for a value that is no number.
fn in_our_words(message: &str) -> String {
    let mut characters = message.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first
        .chain(characters)
        .collect::<String>()
        .replace(
            "invalid digit found in string",
            "write it as a whole number",
        )
        .replace("invalid float literal", "write it as a number")
}

/// The words with every common option and its value moved to the front, and the session that stands
/// before the command.
fn with_common_options_first(words: Vec<OsString>) -> (Vec<OsString>, Option<SessionName>) {
    let common = CommonOptions::augment_args(clap::Command::new(""));
    let mut words = words.into_iter();
    let mut first: Vec<OsString> = words.next().into_iter().collect();
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            rest.push(word);
            rest.extend(words);
            break;
        }
        let text = word.to_string_lossy().into_owned();
        match is_followed_by_value(&common, &text) {
            Some(takes_next) => {
                first.push(word);
                if takes_next {
                    first.extend(words.next());
                }
            }
            None if is_value(&text) && hands_values_on(command_of(&rest)) => {
                rest.push(format!("{}{text}", addressed::ESCAPE).into());
            }
            None => rest.push(word),
        }
    }
    let session = with_session_as_target(&mut rest);
    first.extend(without_words_for_options(rest));
    (first, session)
}

/// The first word that is no session.
fn command_of(words: &[OsString]) -> Option<&OsString> {
    words.iter().find(|word| session(word).is_none())
}

fn session(word: &OsString) -> Option<SessionName> {
    SessionName::read(word.to_str()?)
}

/// Puts a session that stands before the command in the place of the command's target. `restart`
/// takes one there too.
fn with_session_as_target(words: &mut Vec<OsString>) -> Option<SessionName> {
    if let [restart, name] = words.as_mut_slice()
        && *restart == "restart"
        && session(name).is_some()
    {
        std::mem::swap(restart, name);
    }
    let name = session(words.first()?)?;
    let first = words.remove(0);
    let mut command = CliArguments::command();
    let mut path = 0;
    while let Some(found) = words
        .get(path)
        .and_then(|word| command.find_subcommand(word).cloned())
    {
        command = found;
        path += 1;
    }
    // Without a command there is nothing whose target it could be.
    if path > 0 {
        words.insert(path, first);
    }
    Some(name)
}

/// The words with the option where `help` or `version` stands for one as a command.
fn without_words_for_options(mut words: Vec<OsString>) -> Vec<OsString> {
    match words.first().and_then(|word| word.to_str()) {
        Some("help") => {
            words.remove(0);
            let end = words.iter().position(|word| word == "--");
            words.truncate(end.unwrap_or(words.len()));
            words.push("--help".into());
        }
        Some("version") if words.len() == 1 => words = vec!["--version".into()],
        _ => {}
    }
    words
}

/// Returns true when this command hands words on to a server.
fn hands_values_on(command: Option<&OsString>) -> bool {
    command.is_some_and(|command| {
        ["tools", "resources", "prompts"]
            .iter()
            .any(|name| command == name)
    })
}

/// Returns true for a word that begins as an option does and is none of ours: an argument of a tool
/// whose name begins with a dash, or something such as `-5`.
fn is_value(word: &str) -> bool {
    const SHORT: [char; 3] = ['h', 'v', 'V'];
    match word.strip_prefix('-') {
        None | Some("") => false,
        Some(_) if word.contains(":=") => true,
        Some(rest) => !rest.starts_with('-') && !rest.chars().all(|name| SHORT.contains(&name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> CliArguments {
        let words = line.split(' ').map(OsString::from);
        CliArguments::parse(words.collect()).expect("understood")
    }

    fn refused(line: &str) -> CliError {
        let words = line.split(' ').map(OsString::from);
        match CliArguments::parse(words.collect()) {
            Err(Stop::Error(error)) => error,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        CliArguments::command().debug_assert();
    }

    #[test]
    fn options_stand_anywhere_and_add_up() {
        let arguments = parsed(
            "sightglass-cli --header A:1 tools --json call --header=B:2 x --timeout 5 echo -v",
        );
        let options = arguments.options;
        assert_eq!(options.headers.len(), 2);
        assert!(options.json && options.verbose);
        assert_eq!(options.timeout, Some(5));
    }

    #[test]
    fn what_may_be_secret_is_not_printed_with_the_arguments() {
        let arguments =
            parsed("sightglass-cli ping x --header K:s3cret --client-id C --client-secret s3cret");
        assert!(!format!("{arguments:?}").contains("s3cret"));
        let arguments = parsed("sightglass-cli ping --env K=s3cret -- program");
        assert!(!format!("{arguments:?}").contains("s3cret"));
    }

    #[test]
    fn what_follows_the_separator_belongs_to_the_program() {
        let arguments = parsed("sightglass-cli ping --env K=V -- node server.js --json --env X");
        assert!(!arguments.options.json);
        let CliCommand::Ping(ping) = arguments.command else {
            panic!("another command");
        };
        assert_eq!(
            ping.addressed.program,
            ["node", "server.js", "--json", "--env", "X"]
        );
    }

    #[test]
    fn a_misspelt_option_is_named_with_a_hint() {
        for line in ["servers --jsom", "tools call there echo a:=1 --jsom"] {
            let error = refused(&format!("sightglass-cli {line}"));
            assert!(error.message.contains("--jsom"), "{}", error.message);
            assert!(error.hint.expect("a hint").contains("--json"));
        }
    }

    #[test]
    fn words_of_other_programs_are_taken_for_the_options() {
        let told = |line: &str| match CliArguments::parse(line.split(' ').map(Into::into).collect())
        {
            Err(Stop::Help(text)) => text,
            other => panic!("{line}: {other:?}"),
        };
        assert!(told("sightglass-cli help").contains("See and test MCP servers"));
        assert!(told("sightglass-cli help tools call").contains("Call a tool"));
        assert!(told("sightglass-cli --json help ping -- x").contains("sign of life"));
        assert!(told("sightglass-cli version").starts_with("sightglass-cli "));
    }

    #[test]
    fn a_mistake_is_told_with_advice_that_fits() {
        for (line, message, hint) in [
            (
                "tools",
                "There is no command.",
                "`sightglass-cli tools --help`",
            ),
            ("", "There is no command.", "`sightglass-cli --help`"),
            (
                "--project config tools",
                "There is no command.",
                "`sightglass-cli tools --help`",
            ),
            (
                "ping x --timeout soon",
                "Invalid value 'soon' for '--timeout <MS>': write it as a whole number.",
                "`--help`",
            ),
            (
                "tools call x echo --mesage hi",
                "Unexpected argument '--mesage' found.",
                "Add `--help`",
            ),
        ] {
            let error = refused(format!("sightglass-cli {line}").trim());
            assert_eq!(error.message, message);
            let told = error.hint.expect("a hint");
            assert!(told.contains(hint), "{told}");
        }
    }

    #[test]
    fn a_session_before_the_command_is_its_target() {
        for (line, same) in [
            ("@a tools call --json echo x:=1", "tools call @a echo x:=1"),
            (
                "--json @a tools call echo --x:=1",
                "tools call @a echo --x:=1",
            ),
            ("restart @a", "restart @a"),
            ("@a ping", "ping @a"),
        ] {
            let arguments = parsed(&format!("sightglass-cli {line}"));
            assert_eq!(arguments.session, SessionName::read("@a"), "{line}");
            let words = same.split(' ').map(OsString::from);
            let words = [OsString::from("sightglass-cli")].into_iter().chain(words);
            let plain = CliArguments::parse(words.collect()).expect("understood");
            assert_eq!(
                format!("{:?}", arguments.command),
                format!("{:?}", plain.command)
            );
        }
        assert_eq!(parsed("sightglass-cli connect x @a").session, None);
    }

    #[test]
    fn what_has_no_use_for_a_session_is_refused_there() {
        for line in [
            "@a servers",
            "@a connect x @b",
            "@a doctor",
            "@a config show",
        ] {
            let error = refused(&format!("sightglass-cli {line}"));
            assert!(
                error.message.contains("cannot run on @a"),
                "{}",
                error.message
            );
        }
        let error = refused("sightglass-cli @a tools list --header K:V");
        assert!(
            error
                .message
                .contains("--header counts when @a is connected")
        );
        assert!(refused("sightglass-cli @a").message.contains("no command"));
    }

    #[test]
    fn values_that_look_like_options_are_values() {
        for word in ["--foo:=1", "-5", "--json:=1", "-n:=2"] {
            let arguments = parsed(&format!(
                "sightglass-cli tools call --json x echo {word} -v"
            ));
            assert!(arguments.options.json && arguments.options.verbose);
            let CliCommand::Tools(tools) = arguments.command else {
                panic!("another command");
            };
            assert!(format!("{tools:?}").contains(word), "{tools:?}");
        }
    }
}
