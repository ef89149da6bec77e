//! Finds the paths of a folder in the texts of an entry.
//!
//! A text means what its reader makes of it: a shell, an option parser, an interpreter. So this
//! goes by what is written. It finds a path that is the whole text or a word of it, also after
//! `--option=`, in a list, in a `file:` URL, behind `~/` and through links, and the folder's own
//! path anywhere. It does not run the text: a path that a script puts together is not found. A
//! directory above the folder is none of the folder's paths: a server that may use the home
//! directory is the user's in every project.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use percent_encoding::percent_decode_str;
use sightglass_files::NamedFolder;

/// Words of a text that are looked at. A text of more may hold anything.
const MAX_WORDS: usize = 1000;

/// Directories of a text from which its relative paths may count.
const MAX_DIRECTORIES: usize = 8;

/// Ways to write the home directory at the beginning of a path.
const HOMES: [&str; 3] = ["~/", "$HOME/", "${HOME}/"];

/// Programs that take what they run from the directory in which they start.
const RUNNERS: [&str; 16] = [
    "bun", "cargo", "deno", "dotnet", "go", "gradle", "hatch", "just", "make", "mvn", "npm",
    "pipenv", "pnpm", "poetry", "uv", "yarn",
];

/// Tells whether a text may mean a folder without naming it: it has a path that is there from that
/// folder on, or names a program that runs what lies in its directory. A guess, which nothing that
/// is to be safe may rest on.
pub(super) fn may_mean(folder: &Path, text: &str) -> bool {
    let words = text.split(is_between_words).filter(|word| !word.is_empty());
    words.take(MAX_WORDS).map(Path::new).any(|word| {
        let is_runner = || {
            let name = word.file_stem().and_then(|name| name.to_str());
            name.is_some_and(|name| RUNNERS.contains(&name))
        };
        (!word.has_root() && folder.join(word).exists()) || is_runner()
    })
}

/// Folder that texts may name.
pub(super) struct FolderPaths<'a> {
    pub home: &'a Path,
    /// The folder's paths: as it was opened, and without links.
    pub names: [&'a Path; 2],
    /// The folder of these names.
    pub folder: &'a NamedFolder<'a>,
    /// Returns the directory from which relative paths count. Asked where a text holds one.
    pub from: &'a dyn Fn() -> &'a Path,
}

impl FolderPaths<'_> {
    /// Returns true when a text holds a path that leads into the folder.
    pub fn are_in(&self, text: &str) -> bool {
        let decoded = percent_decode_str(text).decode_utf8_lossy();
        self.is_spelled_in(text) || self.is_spelled_in(&decoded) || self.is_led_to_by(text)
    }

    /// Returns true when the folder's own path stands in a text.
    fn is_spelled_in(&self, text: &str) -> bool {
        let mut text = comparable(text);
        let home = format!("{}/", comparable(&self.home.to_string_lossy()));
        for written in HOMES {
            text = text.replace(&comparable(written), &home);
        }
        self.names.iter().any(|folder| {
            let folder = comparable(&folder.to_string_lossy());
            let folder = folder.trim_end_matches('/');
            let mut found = text.match_indices(folder);
            !folder.is_empty()
                && found.any(|(start, _)| {
                    let is_name = |character: char| {
                        character.is_alphanumeric() || matches!(character, '-' | '_' | '.')
                    };
                    !text[start + folder.len()..].starts_with(is_name)
                })
        })
    }

    /// Returns true when a word of a text is a path that leads into the folder.
    fn is_led_to_by(&self, text: &str) -> bool {
        let assigned = text.split_once('=').map(|(_, value)| value);
        let words = text.split(is_between_words).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(MAX_WORDS + 1).collect();
        if words.len() > MAX_WORDS {
            return true;
        }
        let paths: HashSet<PathBuf> = std::iter::once(text)
            .chain(assigned)
            .chain(words)
            .map(|word| self.path_of(word))
            .filter(|path| !is_of_network(path))
            .collect();
        // `cd /directory && ./program`
        let from = paths
            .iter()
            .filter(|path| path.is_absolute() && path.is_dir());
        let from: Vec<&PathBuf> = from.take(MAX_DIRECTORIES + 1).collect();
        let leads_in = |path: &Path| {
            let mut directories = from.iter();
            directories.any(|directory| self.folder.holds(&directory.join(path)))
                || self.folder.holds(&(self.from)().join(path))
        };
        paths.iter().any(|path| match path.is_absolute() {
            true => self.folder.holds(path),
            // A word without a separator is a name of any kind.
            false => {
                path.components().count() > 1 && (from.len() > MAX_DIRECTORIES || leads_in(path))
            }
        })
    }

    fn path_of(&self, word: &str) -> PathBuf {
        let of_home = HOMES.iter().find_map(|start| word.strip_prefix(start));
        match of_home {
            Some(rest) => self.home.join(rest),
            None => PathBuf::from(word),
        }
    }
}

/// Returns true for a path that Windows would ask another machine for.
fn is_of_network(path: &Path) -> bool {
    let text = path.to_string_lossy();
    cfg!(windows) && (text.starts_with("\\\\") || text.starts_with("//"))
}

/// A text as far as systems tell paths apart.
fn comparable(text: &str) -> String {
    let text = text.replace('\\', "/");
    match cfg!(any(windows, target_os = "macos")) {
        true => text.to_lowercase(),
        false => text,
    }
}

/// Returns true for what stands between the words of a command line, an option or a list.
fn is_between_words(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '"' | '\'' | '`' | '=' | ';' | ',' | '|' | '&' | '<' | '>' | '(' | ')' | '[' | ']'
        )
        // A drive has one on Windows.
        || (character == ':' && !cfg!(windows))
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, fs};

    use super::*;

    #[test]
    fn a_path_of_the_folder_is_found_however_a_text_holds_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("there");
        let (home, folder) = (root.join("home"), root.join("home/my work"));
        for path in ["home/my work/inner", "home/other", "elsewhere"] {
            fs::create_dir_all(root.join(path)).expect("created");
        }
        let from = root.join("elsewhere");
        let names = [folder.as_path(); 2];
        let paths = FolderPaths {
            home: &home,
            names,
            folder: &NamedFolder::named(names),
            from: &|| &from,
        };
        let written = folder.display().to_string();
        let mut inside = vec![
            written.clone(),
            format!("{written}/server.sh"),
            format!("--config={written}/a.json"),
            format!("/usr/lib:{written}:/lib"),
            format!("cd '{written}' && ./run"),
            format!("file://{}/a", written.replace(' ', "%20")),
            "sh ~/my work/server.sh".to_owned(),
            "$HOME/my work/a".to_owned(),
            "../home/my work/a".to_owned(),
            format!("{}/../my work/a", root.join("home/other").display()),
        ];
        let mut outside = vec![
            String::new(),
            "server.sh".to_owned(),
            "@scope/server".to_owned(),
            "https://example.com/a".to_owned(),
            format!("{written}-of-another-name/a"),
            root.join("home/other").display().to_string(),
            // Above it.
            home.display().to_string(),
            "/".to_owned(),
        ];
        #[cfg(unix)]
        {
            let link = root.join("link");
            std::os::unix::fs::symlink(&folder, &link).expect("linked");
            inside.push(format!("node {}/a.js", link.display()));
            inside.push(format!("cd {} && ./link/run", root.display()));
            outside.push(format!("cd {} && ./run", root.display()));
        }
        for text in inside {
            assert!(paths.are_in(&text), "{text}");
        }
        for text in outside {
            assert!(!paths.are_in(&text), "{text}");
        }
    }

    #[test]
    fn a_text_means_the_folder_in_which_its_paths_are_there() {
        let directory = tempfile::tempdir().expect("a directory");
        let folder = directory.path();
        fs::create_dir(folder.join("build")).expect("created");
        fs::create_dir(folder.join("build/index.js")).expect("created");
        for text in [
            "build/index.js",
            "./build/index.js",
            "--config=build",
            "cd build && ./run",
            ".",
            "npm",
            "/usr/bin/uv",
            "cargo run",
        ] {
            assert!(may_mean(folder, text), "{text}");
        }
        for text in [
            "",
            "npx",
            "-y",
            "@scope/server",
            "index.js",
            "/usr/bin/env",
            "/",
            "https://example.com/build",
        ] {
            assert!(!may_mean(folder, text), "{text}");
        }
    }

    #[test]
    fn the_directory_of_relative_paths_is_asked_for_where_there_is_one() {
        let asked = Cell::new(0);
        let elsewhere = Path::new("/elsewhere");
        let names = [Path::new("/folder"); 2];
        let paths = FolderPaths {
            home: Path::new("/home"),
            names,
            folder: &NamedFolder::named(names),
            from: &|| {
                asked.set(asked.get() + 1);
                elsewhere
            },
        };
        for text in ["npx", "-y", "server", "/usr/bin/env"] {
            assert!(!paths.are_in(text), "{text}");
        }
        assert_eq!(asked.get(), 0);
        assert!(!paths.are_in("./run"));
        assert!(asked.get() > 0);
    }
}
