//! Recognises the programs that fetch or build a server before they start it.

/// Programs that do nothing but fetch and start.
const RUNNERS: [&str; 11] = [
    "npx",
    "pnpx",
    "uvx",
    "bunx",
    "dnx",
    "docker",
    "podman",
    "nerdctl",
    "jbang",
    "nix-shell",
    "npx-cli.js",
];

/// Programs that do it with one of these words.
const WITH_A_WORD: [(&str, &[&str], &str); 14] = [
    ("npm", &["exec", "x"], "npm exec"),
    ("npm-cli.js", &["exec", "x"], "npm exec"),
    ("pnpm", &["dlx"], "pnpm dlx"),
    ("yarn", &["dlx"], "yarn dlx"),
    ("bun", &["x"], "bun x"),
    ("pipx", &["run"], "pipx"),
    ("uv", &["run", "tool", "x"], "uv"),
    ("deno", &["run", "x", "serve"], "deno"),
    ("go", &["run"], "go run"),
    ("cargo", &["run"], "cargo run"),
    ("dotnet", &["dnx", "tool", "run"], "dotnet"),
    ("nix", &["run", "shell", "develop"], "nix"),
    ("pixi", &["run", "exec"], "pixi"),
    ("rye", &["run"], "rye"),
];

/// Programs that start the one that is named after their own options.
const WRAPPERS: [&str; 12] = [
    "env", "sudo", "doas", "nice", "nohup", "timeout", "time", "setsid", "exec", "command",
    "corepack", "wsl",
];

/// Programs that start what stands behind `--`.
const WRAPPERS_WITH_SEPARATOR: [&str; 6] =
    ["op", "doppler", "infisical", "dotenvx", "mise", "direnv"];

const SHELLS: [&str; 10] = [
    "sh",
    "bash",
    "zsh",
    "dash",
    "ash",
    "ksh",
    "fish",
    "cmd",
    "pwsh",
    "powershell",
];

/// The package runner that a command line comes down to: a program that may download or build
/// the server before it starts it. One that only looks like it costs nothing but patience.
pub fn package_runner(command: &str, arguments: &[String]) -> Option<&'static str> {
    let program = program_name(command);
    let program = program.as_str();
    if let Some(runner) = RUNNERS.iter().find(|runner| **runner == program) {
        return Some(runner.trim_end_matches("-cli.js"));
    }
    let with_a_word = WITH_A_WORD.iter().find(|(name, ..)| *name == program);
    if let Some((_, wanted, title)) = with_a_word {
        return first_word(arguments, |word, _| {
            wanted.contains(&word).then_some(*title)
        });
    }
    if WRAPPERS.contains(&program) {
        return first_word(arguments, |word, rest| {
            package_runner(word, rest).or_else(|| in_script(word))
        });
    }
    if WRAPPERS_WITH_SEPARATOR.contains(&program) {
        let separator = arguments.iter().position(|word| word == "--")?;
        let (command, rest) = arguments[separator + 1..].split_first()?;
        return package_runner(command, rest);
    }
    if SHELLS.contains(&program) {
        // `sh -c SCRIPT`, and what Windows needs in front of a script: `cmd /c npx …`.
        let option = if program == "cmd" { '/' } else { '-' };
        let words = arguments.iter().skip_while(|word| word.starts_with(option));
        let script: Vec<&str> = words.map(String::as_str).collect();
        return in_script(&script.join(" "));
    }
    if program == "node" {
        // npm's own scripts, without the ones that stand for them on the PATH.
        return first_word(arguments, |word, rest| {
            program_name(word)
                .ends_with("-cli.js")
                .then(|| package_runner(word, rest))
                .flatten()
        });
    }
    if program == "py" || program.starts_with("python") {
        let options = arguments.iter().take_while(|word| word.starts_with('-'));
        let flag = options.enumerate().find(|(_, word)| *word == "-m")?.0;
        let (module, rest) = arguments[flag + 1..].split_first()?;
        return package_runner(module, rest);
    }
    None
}

/// Applies `judge` to the first word that is no option. A word behind an option may be its
/// value; then the next one counts as well.
fn first_word(
    arguments: &[String],
    judge: impl Fn(&str, &[String]) -> Option<&'static str>,
) -> Option<&'static str> {
    let mut may_be_value = false;
    for (index, word) in arguments.iter().enumerate() {
        if word.starts_with('-') {
            may_be_value = word != "--" && !word.contains('=');
            continue;
        }
        let found = judge(word, &arguments[index + 1..]);
        // `env A=1 …`, `timeout 30 …`.
        let is_setting = word.contains('=') || word.starts_with(|first: char| first.is_numeric());
        if found.is_some() || !(may_be_value || is_setting) {
            return found;
        }
        may_be_value = false;
    }
    None
}

/// The package runner among the commands of a script. Quotes are looked through, not understood.
fn in_script(script: &str) -> Option<&'static str> {
    script
        .split([';', '&', '|', '\n', '(', ')'])
        .find_map(|command| {
            let words: Vec<String> = command
                .split_whitespace()
                .map(|word| word.trim_matches(['"', '\'']).to_owned())
                .filter(|word| !word.is_empty())
                .collect();
            // Variables that are set for this command alone.
            let settings = words.iter().take_while(|word| word.contains('=')).count();
            let (program, rest) = words[settings..].split_first()?;
            package_runner(program, rest)
        })
}

/// The name of a program without its directory and without the ending that Windows gives it.
pub(crate) fn program_name(command: &str) -> String {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let name = name.to_lowercase();
    match name.rsplit_once('.') {
        Some((stem, "exe" | "cmd" | "bat" | "ps1")) => stem.to_owned(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words apart by two spaces, so that a script is one of them.
    fn runner(line: &str) -> Option<&'static str> {
        let mut words = line.split("  ").map(str::to_owned);
        let command = words.next().unwrap();
        package_runner(&command, &words.collect::<Vec<_>>())
    }

    #[test]
    fn package_runners_are_known_however_they_are_started() {
        for (line, expected) in [
            ("npx  -y  @scope/server", "npx"),
            ("/usr/bin/npx  -y  server", "npx"),
            (r"C:\Program Files\nodejs\npx.cmd  -y  server", "npx"),
            ("/usr/local/bin/uvx  mcp-server-time", "uvx"),
            (
                "node  /usr/lib/node_modules/npm/bin/npx-cli.js  -y  server",
                "npx",
            ),
            (
                r"node.exe  C:\nodejs\node_modules\npm\bin\npm-cli.js  exec  server",
                "npm exec",
            ),
            ("npm  exec  --yes  --  server", "npm exec"),
            ("npm  --prefix  /srv  exec  server", "npm exec"),
            ("npm  x  server", "npm exec"),
            ("pnpm  dlx  server", "pnpm dlx"),
            ("yarn  dlx  server", "yarn dlx"),
            ("bunx  server", "bunx"),
            ("bun  x  server", "bun x"),
            ("pipx  run  server", "pipx"),
            ("uv  run  server.py", "uv"),
            ("uv  tool  run  server", "uv"),
            ("uv  --directory  /srv/weather  run  weather.py", "uv"),
            ("python3  -m  pipx  run  server", "pipx"),
            ("python3.12  -m  uv  tool  run  server", "uv"),
            ("docker  run  -i  --rm  image", "docker"),
            ("podman  run  image", "podman"),
            ("deno  run  -A  npm:server", "deno"),
            ("go  run  example.com/server@latest", "go run"),
            ("cmd  /c  npx  -y  server", "npx"),
            ("cmd.exe  /d  /s  /c  npx.cmd -y server", "npx"),
            ("powershell  -NoProfile  -Command  npx -y server", "npx"),
            ("env  FOO=1  npx  server", "npx"),
            ("/usr/bin/env  -u  BAR  FOO=1  npx  server", "npx"),
            ("env  -S  npx -y server", "npx"),
            ("sudo  -u  ada  docker  run  image", "docker"),
            ("timeout  90  uvx  server", "uvx"),
            ("nice  -n  10  npx  server", "npx"),
            ("corepack  pnpm  dlx  server", "pnpm dlx"),
            ("op  run  --env-file=.env  --  npx  server", "npx"),
            ("wsl.exe  npx  server", "npx"),
            ("sh  -c  npx -y server", "npx"),
            ("bash  -lc  cd /srv && exec npx -y server", "npx"),
            ("zsh  -i  -c  TOKEN=\"$(cat token)\" uvx server", "uvx"),
            ("sh  -c  A=1 B=2 docker run -i image", "docker"),
        ] {
            assert_eq!(runner(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn a_program_that_is_there_already_is_none() {
        for line in [
            "node  server.js",
            "node  npx.js",
            "node  dist/index.js  npx-cli.js",
            "python  -m  mcp_server_time",
            "python  server.py  -m  docker",
            "pnpm  start",
            "npm  run  exec",
            "uv  pip  list",
            "yarn  start",
            "env  FOO=npx  node  server.js",
            "env  node  server.js  npx",
            "sh  -c  node server.js --with npx",
            "bash  start-npx.sh",
            "my-docker",
            "cargo  build",
            "sudo",
            "sh",
            "op  run",
        ] {
            assert_eq!(runner(line), None, "{line}");
        }
    }
}
