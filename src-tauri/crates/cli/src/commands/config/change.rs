//! `config add`, `remove`, `disable`, `enable` and the like: changes configuration files.

use clap::Args;
use serde_json::json;
use sightglass_inspector::{
    ConfigAction, ConfigError, Draft, DraftEndpoint, DraftRemote, InspectorError, NamedText,
    OutsideWrites, RemoteTransport, Target, entirely_visible,
    view::{ApplyOutcome, PlanView},
};

use super::{Writing, difference::changed_lines, target};
use crate::{
    addressed::address,
    error::CliError,
    host::Host,
    launch::launch,
    next_step,
    options::{EraOption, Named as Pair, TransportOption},
    outcome::Outcome,
    style::{GOOD, HEADING, WARNING, styled},
    terminal,
};

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// Name of the server
    name: String,
    /// The file it is added to
    #[arg(long, value_name = "CLIENT:SCOPE", value_parser = target)]
    to: Target,
    #[command(flatten)]
    writing: Writing,
    /// The address of a remote server, or its host
    #[arg(value_name = "URL", conflicts_with = "program")]
    url: Option<String>,
    /// The program of a local server and its arguments
    #[arg(last = true, value_name = "PROGRAM [ARGS]…")]
    program: Vec<String>,
}

fn named<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> Vec<NamedText> {
    pairs
        .into_iter()
        .map(|pair| NamedText {
            name: pair.name.clone(),
            text: pair.value.expose().clone(),
        })
        .collect()
}

impl Add {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let options = &host.options;
        let endpoint = match (self.url, self.program.split_first()) {
            (Some(word), _) => DraftEndpoint::Remote(DraftRemote {
                transport: match options.transport {
                    TransportOption::Auto | TransportOption::Stdio => RemoteTransport::Auto,
                    TransportOption::Http => RemoteTransport::Http,
                    TransportOption::Sse => RemoteTransport::Sse,
                    TransportOption::Ws => RemoteTransport::WebSocket,
                },
                url: address(word)?,
                headers: named(&options.headers),
                ..DraftRemote::default()
            }),
            (None, Some((command, arguments))) => DraftEndpoint::Stdio {
                command: command.clone(),
                arguments: arguments.to_vec(),
                environment: named(options.variables()?),
                working_directory: options
                    .cwd
                    .as_ref()
                    .map(|directory| directory.display().to_string()),
            },
            (None, None) => {
                return Err(CliError::usage(
                    "There is neither an address nor a program.",
                    "Give a URL, or a program after `--`.",
                ));
            }
        };
        let draft = Draft {
            name: self.name,
            endpoint,
            era: options
                .era
                .map_or_else(Default::default, |era: EraOption| era.into()),
            limits: None,
            tools: None,
            sign_in: None,
            variables: None,
        };
        carry_out(
            host,
            &ConfigAction::Add {
                target: self.to,
                draft,
            },
            &self.writing,
        )
    }
}

#[derive(Debug, Args)]
pub(crate) struct NamedServers {
    /// The server
    name: String,
    /// The file it stands in
    #[arg(long, value_name = "CLIENT:SCOPE", value_parser = target)]
    from: Target,
    #[command(flatten)]
    writing: Writing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeVerb {
    Remove,
    Disable,
    Enable,
}

impl NamedServers {
    pub(crate) fn run(self, host: &Host, verb: ChangeVerb) -> Result<Outcome, CliError> {
        let (target, names) = (self.from, vec![self.name]);
        let action = match verb {
            ChangeVerb::Remove => ConfigAction::Remove { target, names },
            ChangeVerb::Disable => ConfigAction::Disable { target, names },
            ChangeVerb::Enable => ConfigAction::Enable { target, names },
        };
        carry_out(host, &action, &self.writing)
    }
}

/// Plans an action, shows it, and does it if it is wanted.
pub(super) fn carry_out(
    host: &Host,
    action: &ConfigAction,
    writing: &Writing,
) -> Result<Outcome, CliError> {
    let plan = host.inspector.setup.changes.plan_configuration(action);
    write(host, plan.map_err(|error| unplanned(host, error))?, writing)
}

/// Says why an action cannot be planned, and of a name that is not in its file which there are.
fn unplanned(host: &Host, error: InspectorError) -> CliError {
    let InspectorError::Configuration(ConfigError::NoSuchServer { path, name }) = &error else {
        return error.into();
    };
    let path = path.display().to_string();
    let mut names: Vec<String> = Vec::new();
    for client in host.inspector.servers.projection.configuration().clients {
        let files = client.files.iter().filter(|file| file.path == path);
        let scopes: Vec<&str> = files.map(|file| file.scope.as_str()).collect();
        for server in client.servers {
            let mut cells = server.cells.iter();
            if cells.any(|cell| scopes.contains(&cell.scope.as_str()))
                && !names.contains(&server.name)
            {
                names.push(server.name);
            }
        }
    }
    let step = next_step::instead_of(name, &names, "servers there");
    CliError::from(error)
        .with_step(&step)
        .with_step("`sightglass-cli config show` lists all.")
}

/// Shows a plan, and carries it out if it is wanted.
pub(super) fn write(host: &Host, plan: PlanView, writing: &Writing) -> Result<Outcome, CliError> {
    let shown = describe(&plan);
    let files: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
    let outcome = |is_written: bool, title: &str, text: String| {
        let result = json!({ "title": title, "written": is_written, "files": files });
        Outcome::new(result.to_string(), text)
    };
    let unwritten = |text: String| outcome(false, &plan.title, text);
    if plan.files.is_empty() {
        return Ok(unwritten(format!(
            "{shown}The files say so already; nothing was written."
        )));
    }
    if writing.dry_run {
        return Ok(unwritten(format!("{shown}Nothing was written.")));
    }
    let outside: Vec<&str> = plan
        .files
        .iter()
        .filter_map(|file| file.outside.as_deref())
        .collect();
    let (is_confirmed, question) = if outside.is_empty() {
        (writing.yes, "Write this?")
    } else {
        (
            writing.yes && writing.outside_project,
            "Write this outside the project?",
        )
    };
    if writing.yes && !is_confirmed {
        return Err(CliError::usage(
            &format!(
                "This writes to {}, outside this project: a link of the project leads there.",
                outside.join(", ")
            ),
            "Add `--outside-project` if that is meant, or remove the link.",
        ));
    }
    let otherwise =
        "Add `--yes` to go on without being asked, or `--dry-run` to see what it would do.";
    if !is_confirmed && !ask(&shown, question, otherwise)? {
        return Ok(unwritten("Nothing was written.".to_owned()));
    }
    let outside = match outside.is_empty() {
        true => OutsideWrites::Refused,
        false => OutsideWrites::Confirmed,
    };
    let applied = host
        .inspector
        .setup
        .changes
        .apply_configuration(plan.plan, outside);
    match applied? {
        ApplyOutcome::Applied { title } => {
            let shown = if writing.yes { shown } else { String::new() };
            let done = format!("{} {}.", styled(GOOD, "✓"), entirely_visible(&title));
            Ok(outcome(true, &title, shown + &done))
        }
        ApplyOutcome::Conflict { files } => Err(CliError::usage(
            &format!(
                "{} was changed by another program meanwhile. Nothing was written.",
                files.first().map_or("A file", |file| file.path.as_str())
            ),
            "Run the command again to see what it would change now.",
        )),
    }
}

/// Exactly what a plan does, for the user to agree to.
fn describe(plan: &PlanView) -> String {
    let warning = |line: &str| format!("{}\n", styled(WARNING, &entirely_visible(line)));
    let mut text = format!("{}\n", styled(HEADING, &entirely_visible(&plan.title)));
    for file in &plan.files {
        let what = match (file.creates, file.deletes) {
            (true, _) => " (new file)",
            (_, true) => " (is removed)",
            _ => "",
        };
        text.push_str(&format!("\n{}{what}\n", entirely_visible(&file.path)));
        if let Some(outside) = &file.outside {
            text.push_str(&warning(&format!(
                "writes to {outside}, outside this project"
            )));
        }
        text.push_str(&changed_lines(&file.diff));
        for problem in &file.remaining_problems {
            let line = format!(
                "{}, line {}: {} Nothing in this file counts before that.",
                file.label, problem.line, problem.message
            );
            text.push_str(&warning(&line));
        }
    }
    for server in &plan.servers {
        let title = format!("{} in {}", server.name, server.label);
        text.push_str(&format!(
            "\n{}\n",
            styled(HEADING, &entirely_visible(&title))
        ));
        text.push_str(&launch(&server.launch.consequences, &server.launch.rows));
    }
    for field in &plan.lost {
        let line = format!("{}: {}: {}", field.server, field.field, field.reason);
        text.push_str(&warning(&line));
    }
    for line in &plan.warnings {
        text.push_str(&warning(line));
    }
    text.push('\n');
    text
}

/// Asks on the terminal. `otherwise` says what to do where there is none.
pub(super) fn ask(shown: &str, question: &str, otherwise: &str) -> Result<bool, CliError> {
    if !terminal::is_there() {
        return Err(CliError::usage(
            "There is nobody to ask: the input is no terminal.",
            otherwise,
        ));
    }
    Ok(terminal::ask(shown, question))
}
