//! Reads what Docker writes, and how it was called, when it starts no server that can be spoken
//! with.

use crate::package_runner::program_name;

/// Short options without a value, which alone can stand before another one.
const SWITCHES: &str = "ditPq";
/// Long options without a value, of Docker and Podman.
const LONG_SWITCHES: [&str; 19] = [
    "detach",
    "disable-content-trust",
    "env-host",
    "init",
    "interactive",
    "latest",
    "no-healthcheck",
    "no-hosts",
    "oom-kill-disable",
    "privileged",
    "publish-all",
    "quiet",
    "read-only",
    "replace",
    "rm",
    "rmi",
    "sig-proxy",
    "tty",
    "use-api-socket",
];

/// Returns the cause in the words of Docker or Podman.
pub(super) fn cause(lines: &[String]) -> Option<String> {
    lines.iter().rev().find_map(|line| cause_in(line))
}

fn cause_in(line: &str) -> Option<String> {
    let lower = line.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let text = if says(&[
        "the input device is not a tty",
        "cannot attach stdin to a tty-enabled container",
    ]) {
        "Docker was told to open a terminal (`-t`), and the pipe of an MCP client is none. Use `-i` \
         alone, not `-it`; with Docker Compose, add `-T`."
    } else if says(&["permission denied"]) && says(&["docker daemon", "docker api", "docker.sock"])
    {
        "This user has no permission to use Docker. On Linux, add the user to the group `docker` and \
         log in again."
    } else if says(&["cannot connect to podman"]) {
        "Podman does not answer. Start its machine with `podman machine start`, then connect again."
    } else if says(&[
        "cannot connect to the docker daemon",
        "is the docker daemon running",
        "failed to connect to the docker api",
        "docker_engine",
        "dockerdesktoplinuxengine",
    ]) {
        "Docker does not answer: it does not seem to run. Start Docker (Docker Desktop, or the \
         service), then connect again."
    } else if says(&["pull access denied for", "manifest unknown"])
        || says(&["manifest for "]) && says(&["not found"])
    {
        "Docker did not get the image. Check its name and tag; a private one needs `docker login`."
    } else {
        return None;
    };
    Some(text.to_owned())
}

/// Returns what is wrong with a `docker run` or `docker exec` that gives the container no standard
/// input.
pub(super) fn without_input(words: &[String]) -> Option<String> {
    let (name, arguments, command) = into_container(words)?;
    let rest = &arguments[command + 1..];
    // The options of the program inside count as well: rather no advice than a wrong one.
    if rest.iter().any(|word| is_flag(word, 'i', "--interactive")) {
        return None;
    }
    let command = &arguments[command];
    let mut options = rest.iter().take_while(|word| word.starts_with('-'));
    Some(match options.any(|word| is_flag(word, 'd', "--detach")) {
        true => format!(
            "`{name} {command}` with `-d` leaves the container in the background, where nobody can \
             send it messages over standard input. Use `-i` in place of `-d`."
        ),
        false => format!(
            "`{name} {command}` gives the container no standard input (stdin), over which the \
             messages come. Add `-i`, as in `{name} {command} -i …`."
        ),
    })
}

/// Tells if the program runs in a container that does not get this variable of the environment.
/// It may get any where an option names a file of variables, or hands all of them on.
pub(super) fn withholds(words: &[String], variable: &str) -> bool {
    let Some((_, arguments, command)) = into_container(words) else {
        return false;
    };
    let options = options_of(&arguments[command + 1..]);
    !options.iter().any(|(name, value)| match *name {
        "e" | "env" => *value == Some(variable),
        name => ["env-file", "env-host"].contains(&name),
    })
}

/// Returns the options in front of the image, each with its value.
fn options_of(words: &[String]) -> Vec<(&str, Option<&str>)> {
    let mut options = Vec::new();
    let mut words = words.iter().map(String::as_str).peekable();
    while let Some(word) = words.next_if(|word| word.starts_with('-') && *word != "--") {
        let (name, value) = match word.strip_prefix("--") {
            Some(long) => match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (long, None),
            },
            None => {
                let group =
                    word.trim_start_matches(|one: char| one == '-' || SWITCHES.contains(one));
                let (name, value) = group.split_at(group.chars().next().map_or(0, char::len_utf8));
                let value = value.strip_prefix('=').unwrap_or(value);
                (name, Some(value).filter(|value| !value.is_empty()))
            }
        };
        let is_switch = name.is_empty() || LONG_SWITCHES.contains(&name);
        let value = match value {
            None if !is_switch => words.next_if(|word| !word.starts_with('-')),
            value => value,
        };
        options.push((name, value));
    }
    options
}

/// Splits a command line that runs something in a container: the name of the program, its
/// arguments, and the place of `run` or `exec` among them.
fn into_container(words: &[String]) -> Option<(String, &[String], usize)> {
    let (program, arguments) = words.split_first()?;
    let name = program_name(program);
    if !["docker", "podman", "nerdctl"].contains(&name.as_str()) {
        return None;
    }
    let command = command_of(arguments)?;
    Some((name, arguments, command))
}

/// Finds `run` or `exec`, where that is the command of Docker itself and not of a plugin, as in
/// `docker compose run`.
fn command_of(arguments: &[String]) -> Option<usize> {
    let mut may_be_value = false;
    for (at, word) in arguments.iter().enumerate() {
        match word.as_str() {
            "run" | "exec" => return Some(at),
            "container" => may_be_value = false,
            option if option.starts_with('-') => may_be_value = !option.contains('='),
            _ if may_be_value => may_be_value = false,
            _ => return None,
        }
    }
    None
}

/// Tells if a word is the option, or a group of short options that has it, as in `-it`.
fn is_flag(word: &str, short: char, long: &str) -> bool {
    let is_switch = |letter: &char| SWITCHES.contains(*letter);
    match word.strip_prefix('-') {
        Some(group) if !group.starts_with('-') => group
            .chars()
            .take_while(is_switch)
            .any(|letter| letter == short),
        _ => word == long || word.strip_prefix(long) == Some("=true"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::diagnosis::told::assert_told;

    #[test]
    fn each_refusal_of_docker_says_what_to_do() {
        let table = [
            ("the input device is not a TTY", Some("`-i` alone")),
            (
                "cannot attach stdin to a TTY-enabled container because stdin is not a terminal",
                Some("`-i` alone"),
            ),
            (
                "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is \
                 the docker daemon running?.",
                Some("Start Docker"),
            ),
            (
                "error during connect: open //./pipe/dockerDesktopLinuxEngine: The system cannot \
                 find the file specified.",
                Some("Start Docker"),
            ),
            (
                "permission denied while trying to connect to the Docker daemon socket at \
                 unix:///var/run/docker.sock",
                Some("group `docker`"),
            ),
            (
                "docker: Error response from daemon: pull access denied for mcp-servr, repository \
                 does not exist or may require 'docker login'",
                Some("name and tag"),
            ),
            ("Connected to the Docker daemon", None),
            ("permission denied: /srv/docker-compose.yml", None),
        ];
        for (line, wanted) in table {
            let found = cause(&[line.to_owned()]);
            assert_told(line, found.as_deref(), wanted);
        }
    }

    #[test]
    fn a_container_gets_the_variables_alone_that_its_options_name() {
        for (line, is_withheld) in [
            ("docker run -i image", true),
            ("docker run -i -e TOKEN= image", true),
            ("podman exec -i -e KEY box server", true),
            ("docker run -i -e TOKEN image", false),
            ("docker run -i --env=TOKEN image", false),
            ("docker run -i -eTOKEN image", false),
            ("docker run -ie TOKEN image", false),
            ("docker run --rm -i --name box -e TOKEN image", false),
            ("docker run -i --rm image -e TOKEN", true),
            ("docker run -i --network host image --env-file x", true),
            ("docker run -i --env-file .env image", false),
            ("podman run --env-host image", false),
            ("docker compose run server", false),
            ("npx server", false),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(withholds(&words, "TOKEN"), is_withheld, "{line}");
        }
    }

    #[test]
    fn a_container_without_standard_input_is_told_so_and_no_other() {
        let table = [
            ("docker run --rm image", Some("docker run -i …")),
            (
                "/usr/bin/docker -D container run image",
                Some("docker run -i …"),
            ),
            (
                "docker.exe --context far exec box server",
                Some("docker exec -i …"),
            ),
            ("podman run -e KEY image", Some("podman run -i …")),
            ("docker run -d --rm image", Some("in place of `-d`")),
            ("docker run -i --rm image", None),
            ("docker run --rm -it image", None),
            ("docker run --interactive image", None),
            ("docker mcp gateway run", None),
            ("docker compose run server", None),
            ("docker start box", None),
            ("dockerize run image", None),
            ("npx run", None),
        ];
        for (line, wanted) in table {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let found = without_input(&words);
            assert_told(line, found.as_deref(), wanted);
        }
    }
}
