//! Reads what npm, uv and pip write when they cannot get a package to run.

use crate::shell_quoted;

const NOT_FOUND: &str = "The package runner did not find the package. Check its name and version.";
const NO_SUCH_VERSION: &str = "The package runner found the package, but not the version that is \
                               asked for. Name another version, or leave it out to take the latest.";

/// Returns the cause in the words of a package runner. uv breaks its sentences at the width of a
/// terminal, so that they are read across the lines.
pub(super) fn cause(lines: &[String]) -> Option<String> {
    let words: Vec<&str> = lines
        .iter()
        .flat_map(|line| line.split_whitespace())
        .collect();
    let text = words.join(" ");
    let lower = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["no solution found when resolving"]) {
        return unsolved(&text, &lower);
    }
    if says(&["code etarget", "no matching version found for"]) {
        return Some(NO_SUCH_VERSION.to_owned());
    }
    if says(&["no matching distribution found for"]) {
        let is_unknown = says(&["from versions: none"]);
        let words = if is_unknown {
            NOT_FOUND
        } else {
            NO_SUCH_VERSION
        };
        return Some(words.to_owned());
    }
    if says(&[
        "requires a different python",
        "incompatible with the project's python requirement",
    ]) {
        return Some(
            "The package needs another version of Python than the one that runs it. Name one: uv \
             and pipx take it with `--python`."
                .to_owned(),
        );
    }
    damaged_copy(lines).or_else(|| cache_of_another_user(lines))
}

/// Returns why uv found no set of packages that fit each other.
fn unsolved(text: &str, lower: &str) -> Option<String> {
    if let Some((found, wanted)) = python_versions(text) {
        return Some(format!(
            "uv took Python {found}, and the package needs {wanted}. Name another one with \
             `--python`, as in `uvx --python VERSION …`; uv can install it."
        ));
    }
    let says = |words: &str| lower.contains(words);
    if says("there is no version of ") || says(" only ") && says(" available and ") {
        return Some(NO_SUCH_VERSION.to_owned());
    }
    says("not found in the package registry").then(|| NOT_FOUND.to_owned())
}

/// Reads the version of Python that uv took, and the one that is needed, as in `Python>=3.10`.
fn python_versions(text: &str) -> Option<(&str, &str)> {
    let (before, after) = text.split_once(") does not satisfy ")?;
    let (_, found) = before.rsplit_once("current Python version (")?;
    let wanted = after.split(' ').next()?;
    Some((found, wanted.trim_end_matches([',', '.'])))
}

/// Returns the advice for a copy of a package in the cache of npx that npm cannot renew.
fn damaged_copy(lines: &[String]) -> Option<String> {
    let mut complaints = lines.iter().filter(|line| line.contains("ENOTEMPTY"));
    complaints
        .find_map(|line| npx_copy(line))
        .map(|copy| incomplete(&copy))
}

/// Returns the advice for a package in the cache of npx of which files are missing.
pub(super) fn incomplete(copy: &str) -> String {
    format!(
        "The copy of the package that npx keeps in {copy} seems to be incomplete. Remove that \
         directory, and npx installs the package again; if that does not help, try another version \
         of the package."
    )
}

/// Returns the directory of the cache of npx that a path in a line leads into.
pub(super) fn npx_copy(line: &str) -> Option<String> {
    let (cache, rest) = path_to(line, "_npx")?;
    let separator = rest.chars().next().filter(|first| "/\\".contains(*first))?;
    let name = rest[1..].split(['/', '\\', '\'', '"', ' ']).next()?;
    let is_hash = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_hexdigit());
    (is_hash && is_cache_of_a_user(cache))
        .then(|| format!("{cache}{separator}_npx{separator}{name}"))
}

fn cache_of_another_user(lines: &[String]) -> Option<String> {
    let is_refusal = |line: &&String| {
        let line = line.to_lowercase();
        ["eacces", "eperm", "permission denied", "not permitted"]
            .iter()
            .any(|words| line.contains(words))
    };
    let mut refusals = lines.iter().filter(is_refusal);
    let caches = refusals.find_map(|line| path_to(line, "_cacache"));
    let (cache, _) = caches.filter(|(cache, _)| is_cache_of_a_user(cache))?;
    Some(match cache.starts_with('/') {
        true => format!(
            "npm has no permission to write in its cache, {cache}: another user seems to own files \
             there. Make them yours again with `sudo chown -R \"$(id -u)\" {}`.",
            shell_quoted(cache)
        ),
        false => format!(
            "npm has no permission to write in its cache, {cache}. Check the permissions of that \
             directory, or remove it while no npm runs."
        ),
    })
}

/// Returns true for the place where npm keeps its cache in the home directory of a user. A program
/// writes what it likes, and no other directory is to be changed or removed because it says so.
fn is_cache_of_a_user(path: &str) -> bool {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    match parts[..] {
        ["", "home" | "Users", user, ".npm"] => is_plain(user),
        ["", "root", ".npm"] => true,
        [drive, "Users", user, "npm-cache"]
        | [drive, "Users", user, "AppData", "Local", "npm-cache"] => {
            drive.ends_with(':') && is_plain(user)
        }
        _ => false,
    }
}

/// Splits a line at the folder `name` of a path in it: the path of the folder that holds it, and
/// what comes behind.
fn path_to<'a>(line: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let mut separators = ['/', '\\'].into_iter();
    let at = separators.find_map(|separator| line.find(&format!("{separator}{name}")))?;
    let before = &line[..at];
    let path = before
        .rfind(['\'', '"', '`'])
        .map_or(before, |mark| &before[mark + 1..]);
    let path = path
        .rsplit_once(" imported from ")
        .map_or(path, |(_, importer)| importer);
    let path = path.trim_start_matches("- ").trim_start_matches("file://");
    let is_absolute = path.starts_with('/') || path.get(1..2) == Some(":");
    let path = match is_absolute {
        true => path,
        false => path.rsplit(' ').next().unwrap_or(path),
    };
    Some((path, &line[at + 1 + name.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::diagnosis::told::lines;

    #[test]
    fn each_refusal_of_a_package_runner_says_what_to_change() {
        let table = [
            (
                "× No solution found when resolving tool dependencies:\n╰─▶ Because there is no \
                 version\n    of server==0.1.8 and you require\n    server==0.1.8, we can",
                "another version",
            ),
            (
                "× No solution found when resolving tool dependencies:\n╰─▶ Because only \
                 server<=1.0 is available and you require server>=2",
                "another version",
            ),
            (
                "× No solution found when resolving tool dependencies:\n╰─▶ Because servr was not \
                 found in the package\n    registry and you require servr",
                "did not find the package",
            ),
            (
                "× No solution found when resolving tool dependencies:\n╰─▶ Because the current \
                 Python version (3.9.22) does not\n    satisfy Python>=3.10, we can",
                "uv took Python 3.9.22, and the package needs Python>=3.10. ",
            ),
            (
                "npm error code ETARGET\nnpm error notarget No matching version found for a@9.",
                "another version",
            ),
            (
                "ERROR: Could not find a version (from versions: none)\nERROR: No matching \
                 distribution found for servr",
                "did not find the package",
            ),
            (
                "ERROR: Could not find a version (from versions: 1.0, 1.1)\nERROR: No matching \
                 distribution found for server==9",
                "another version",
            ),
            (
                "ERROR: Package 'a' requires a different Python: 3.9.1 not in '>=3.10'",
                "`--python`",
            ),
            (
                "npm error ENOTEMPTY: directory not empty, rename '/home/ada/.npm/_npx/47b7/node_modules/a'",
                "keeps in /home/ada/.npm/_npx/47b7 seems",
            ),
            (
                "npm error EACCES: permission denied, mkdir '/Users/ada lo/.npm/_cacache'",
                "chown -R \"$(id -u)\" '/Users/ada lo/.npm'`",
            ),
            (
                "npm error EPERM: operation not permitted, open 'C:\\Users\\ada\\npm-cache\\_cacache\\a'",
                "in its cache, C:\\Users\\ada\\npm-cache. Check",
            ),
        ];
        for (text, wanted) in table {
            let found = cause(&lines(text));
            assert!(
                found.as_ref().is_some_and(|found| found.contains(wanted)),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn other_words_are_not_those_of_a_package_runner() {
        for text in [
            "Error: EACCES: permission denied, open '/var/db/notes'",
            "npm warn cached /home/ada/.npm/_cacache",
            "only tools are available and resources are not",
            "ENOTEMPTY: directory not empty, rmdir '/srv/a'",
        ] {
            assert_eq!(cause(&lines(text)), None, "{text}");
        }
    }

    #[test]
    fn no_other_directory_is_named_because_a_program_writes_of_it() {
        for line in [
            "EACCES: permission denied, open '/etc/_cacache/x'",
            "EACCES: permission denied, open '//_cacache'",
            "EACCES: permission denied, open '/home/../.npm/_cacache'",
            "ENOTEMPTY: directory not empty, rename '/home/ada/Documents/_npx/47b7/a'",
            "ENOTEMPTY: directory not empty, rename '/home/ada/.npm/_npx/../a'",
        ] {
            assert_eq!(cause(&lines(line)), None, "{line}");
        }
    }

    #[test]
    fn the_copy_of_npx_is_found_in_each_way_of_writing_its_path() {
        for (line, wanted) in [
            (
                "Cannot find module '/home/ada/.npm/_npx/47b7/node_modules/a/x.js' imported from /b",
                Some("/home/ada/.npm/_npx/47b7"),
            ),
            (
                "Cannot find package 'zod' imported from /home/ada/.npm/_npx/47b7/node_modules/a/x.js",
                Some("/home/ada/.npm/_npx/47b7"),
            ),
            (
                "- C:\\Users\\Ada L\\npm-cache\\_npx\\47b7\\node_modules\\a\\x.js",
                Some("C:\\Users\\Ada L\\npm-cache\\_npx\\47b7"),
            ),
            ("Cannot find module '/srv/dist/index.js'", None),
        ] {
            assert_eq!(npx_copy(line).as_deref(), wanted, "{line}");
        }
    }
}
