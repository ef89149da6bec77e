//! Guesses the name of a server from its address, its package or the command that starts it.

/// Programs that start another one, which the server is named after.
const LAUNCHERS: [&str; 9] = [
    "npx", "bunx", "uvx", "uv", "docker", "podman", "deno", "pipx", "bun",
];

/// Options of launchers that take a value as their next word.
const WITH_VALUE: [&str; 44] = [
    "-e",
    "--env",
    "--env-file",
    "-v",
    "--volume",
    "--mount",
    "--name",
    "--network",
    "--net",
    "-p",
    "--publish",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "--entrypoint",
    "--platform",
    "--add-host",
    "-l",
    "--label",
    "--pull",
    "-m",
    "--memory",
    "--cpus",
    "--gpus",
    "--hostname",
    "-h",
    "--device",
    "--shm-size",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--tmpfs",
    "--restart",
    "--from",
    "--with",
    "--python",
    "--index-url",
    "--extra-index-url",
    "--directory",
    "--project",
    "--config",
    "--package",
    "--with-requirements",
];

/// Names of files and folders that say nothing about the server in them.
const GENERIC: [&str; 10] = [
    "index", "main", "server", "cli", "app", "__main__", "build", "dist", "src", "bin",
];

/// Returns `linear` for `https://mcp.linear.app/sse`.
pub(super) fn of_url(url: &url::Url) -> String {
    let host = url.host_str().unwrap_or("server");
    let labels: Vec<&str> = host.split('.').collect();
    let name = match labels.as_slice() {
        [.., name, _] if host.parse::<std::net::IpAddr>().is_err() => name,
        _ => host,
    };
    plain_name(name)
}

/// Returns `filesystem` for `@modelcontextprotocol/server-filesystem@1.2`, and `github` for the
/// image `ghcr.io/github/github-mcp-server:latest`.
pub(super) fn of_package(package: &str) -> String {
    let bare = package.rsplit('/').next().unwrap_or(package);
    let bare = bare
        .split(['@', '=', '~', '^', ':', '['])
        .find(|part| !part.is_empty())
        .unwrap_or(package)
        .replace('_', "-");
    let name = ["mcp-server-", "server-", "mcp-"]
        .iter()
        .find_map(|prefix| bare.strip_prefix(prefix))
        .unwrap_or(&bare);
    plain_name(
        name.trim_end_matches("-mcp-server")
            .trim_end_matches("-mcp"),
    )
}

/// Returns the name of what a command starts: the package, the image, the module or the script.
pub(super) fn of_command(program: &str, arguments: &[&str]) -> String {
    let bare = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let bare = bare.trim_end_matches(".exe").trim_end_matches(".cmd");
    if bare.starts_with("python") || bare == "py" {
        return match arguments {
            ["-m", module, ..] => of_package(module),
            _ => of_script(positional(arguments).next().unwrap_or(bare)),
        };
    }
    if !LAUNCHERS.contains(&bare) {
        return match bare {
            "node" | "tsx" | "ruby" | "php" | "java" | "bash" | "sh" => {
                of_script(positional(arguments).next().unwrap_or(bare))
            }
            _ => of_package(bare),
        };
    }
    let mut words = positional(arguments).filter(|word| *word != "container");
    let first = match words.next() {
        Some("run" | "tool" | "x" | "exec") => {
            words.find(|word| !matches!(*word, "run" | "python" | "node"))
        }
        first => first,
    };
    match first.map(|word| word.trim_start_matches("npm:").trim_start_matches("jsr:")) {
        Some(script) if is_script(script) => of_script(script),
        Some(package) => of_package(package),
        None => of_package(bare),
    }
}

/// The words of a command line that are no options and no values of options.
fn positional<'a>(arguments: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let mut is_value = false;
    arguments.iter().copied().filter(move |word| {
        if std::mem::take(&mut is_value) {
            return false;
        }
        is_value = WITH_VALUE.contains(word);
        !word.starts_with('-')
    })
}

fn is_script(word: &str) -> bool {
    [
        ".js", ".mjs", ".cjs", ".ts", ".py", ".rb", ".php", ".jar", ".sh",
    ]
    .iter()
    .any(|ending| word.ends_with(ending))
}

/// Returns `weather` for `/srv/weather/build/index.js`.
fn of_script(path: &str) -> String {
    let parts = path.split(['/', '\\']).rev();
    let names = parts.map(|part| part.split('.').find(|stem| !stem.is_empty()).unwrap_or(""));
    let mut names = names.filter(|name| !name.is_empty() && *name != "~");
    let telling = names.find(|name| !GENERIC.contains(name));
    of_package(telling.unwrap_or("server"))
}

/// Returns a name that every client takes.
pub(super) fn plain_name(text: &str) -> String {
    let name: String = text
        .chars()
        .map(|character| match character.to_ascii_lowercase() {
            plain if plain.is_ascii_alphanumeric() || plain == '_' => plain,
            _ => '-',
        })
        .collect();
    let name = name.trim_matches('-');
    if name.is_empty() {
        "server".into()
    } else {
        name.chars().take(32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_named_after_what_it_starts() {
        for (line, name) in [
            ("docker run -i --rm -e GITHUB_TOKEN mcp/github", "github"),
            (
                "docker run -i --rm --name=x -e A -v /a:/b ghcr.io/github/github-mcp-server:1 stdio",
                "github",
            ),
            (
                "docker container run --rm localhost:5000/mcp/postgres@sha256:ab",
                "postgres",
            ),
            ("podman run -i mcp/time", "time"),
            (
                "npx -y @modelcontextprotocol/server-filesystem ~/Documents",
                "filesystem",
            ),
            ("npx --package=x-mcp x-mcp", "x"),
            ("uvx mcp-server-git --repository .", "git"),
            (
                "uvx --from git+https://example.com/x mcp-server-fetch",
                "fetch",
            ),
            ("uv --directory /srv/weather run weather.py", "weather"),
            ("uv run mcp_server_time", "time"),
            ("pipx run mcp-server-sqlite", "sqlite"),
            ("deno run -A npm:@acme/server-notes", "notes"),
            ("python -m mcp_server_git", "git"),
            ("python3 /srv/orders/server.py --port 1", "orders"),
            ("node /srv/weather/build/index.js", "weather"),
            ("node server.js", "server"),
            ("/usr/local/bin/my-mcp-server", "my"),
            ("docker", "docker"),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(of_command(words[0], &words[1..]), name, "{line}");
        }
    }
}
