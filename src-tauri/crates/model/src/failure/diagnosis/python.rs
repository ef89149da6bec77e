//! Reads the errors of Python's imports.

/// Returns the cause in a line that says that a module is missing. `lines` are all of the output.
pub(super) fn missing_module(line: &str, lines: &[String]) -> Option<String> {
    let Some((_, rest)) = line.split_once("No module named ") else {
        let is_bare = line.contains("ModuleNotFoundError");
        return is_bare.then(|| "A package that it needs is not installed.".to_owned());
    };
    let rest = rest.trim_start_matches(['\'', '"']);
    let name = rest.split(['\'', '"', ';', ' ']).next();
    let name = name.filter(|name| !name.is_empty())?;
    if rest.contains("cannot be directly executed") {
        let package = name.trim_end_matches(".__main__");
        return Some(format!(
            "The package {package} is installed, but `python -m {package}` cannot run it. Start the \
             program that it installs, or name one of its modules."
        ));
    }
    // Python imports the package first: where that were missing, it would be the one named.
    let Some((package, _)) = name.split_once('.') else {
        return Some(format!(
            "The package {name}, which it needs, is not installed."
        ));
    };
    if rest.contains("is not a package") {
        return Some(format!(
            "Python takes another file named {package} for the package {package}. Rename that file, \
             often one beside the program."
        ));
    }
    Some(match importing_file(lines) {
        Some(file) if is_part_of(file, package) => format!(
            "Python finds the package {package}, but not its own part {name}. It seems to be built \
             for another Python or platform, or to be incomplete. Install it again with the Python \
             that runs this server."
        ),
        _ => of_another_version(package, name),
    })
}

/// Returns the cause in a line that says that an installed package lacks a name.
pub(super) fn missing_name(line: &str) -> Option<String> {
    let is_installed = line.contains("site-packages") || line.contains("dist-packages");
    if !is_installed || line.contains("circular import") {
        return None;
    }
    let (_, rest) = line.split_once("cannot import name '")?;
    let (name, rest) = rest.split_once("' from '")?;
    let (module, _) = rest.split_once('\'')?;
    let package = module.split('.').next()?;
    Some(of_another_version(package, &format!("{module}.{name}")))
}

fn of_another_version(package: &str, part: &str) -> String {
    format!(
        "Python finds the package {package}, but no {part} in it. Another version of {package} than \
         the program was written for seems to be installed. Install the version that it needs (with \
         uvx: `--with '{package}==VERSION'`), or another version of the program."
    )
}

/// Returns the file of the newest call in a stack trace.
fn importing_file(lines: &[String]) -> Option<&str> {
    lines.iter().rev().find_map(|line| {
        let rest = line.trim_start().strip_prefix("File \"")?;
        Some(rest.split_once("\", line ")?.0)
    })
}

/// Tells if a file belongs to an installed package.
fn is_part_of(file: &str, package: &str) -> bool {
    let mut folders = file.split(['/', '\\']);
    let is_store = |folder: &str| ["site-packages", "dist-packages"].contains(&folder);
    folders.any(is_store) && folders.next() == Some(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(file: &str, line: &str) -> String {
        let frame = format!("  File \"{file}\", line 6, in <module>");
        missing_module(line, &[frame, line.to_owned()]).expect("a cause")
    }

    #[test]
    fn a_part_that_a_package_itself_lacks_is_told_from_one_that_another_version_has() {
        let line = "ModuleNotFoundError: No module named 'rpds.rpds'";
        let own = "/app/.venv/lib/python3.11/site-packages/rpds/__init__.py";
        let hint = missing(own, line);
        assert!(hint.contains("another Python or platform"), "{hint}");
        for file in [
            "/app/.venv/lib/python3.11/site-packages/server/main.py",
            "/home/ada/rpds/main.py",
        ] {
            let hint = missing(file, line);
            assert!(hint.contains("Another version of rpds"), "{hint}");
            assert!(!hint.contains("not installed"), "{hint}");
        }
    }

    #[test]
    fn a_package_that_is_missing_or_hidden_or_not_to_be_run_is_told_so() {
        for (line, wanted) in [
            (
                "No module named 'mcp'",
                "mcp, which it needs, is not installed",
            ),
            (
                "/bin/python3: No module named mcp_server",
                "mcp_server, which it",
            ),
            (
                "No module named 'mcp.server'; 'mcp' is not a package",
                "another file named mcp",
            ),
            (
                "python: No module named mcp.__main__; 'mcp' is a package and cannot be directly \
                 executed",
                "`python -m mcp` cannot run it",
            ),
        ] {
            let hint = missing("/srv/main.py", line);
            assert!(hint.contains(wanted), "{hint}");
        }
        assert_eq!(missing_module("KeyError: 'mcp'", &[]), None);
    }

    #[test]
    fn a_name_that_an_installed_package_lacks_is_a_matter_of_its_version() {
        let from = "ImportError: cannot import name 'Icon' from 'mcp.types'";
        let hint = missing_name(&format!("{from} (/v/site-packages/mcp/types.py)"));
        assert!(hint.is_some_and(|hint| hint.contains("no mcp.types.Icon in it")));
        for line in [
            format!("{from} (/home/ada/server/mcp/types.py)"),
            format!(
                "{from} (most likely due to a circular import) (/v/site-packages/mcp/types.py)"
            ),
        ] {
            assert_eq!(missing_name(&line), None, "{line}");
        }
    }
}
