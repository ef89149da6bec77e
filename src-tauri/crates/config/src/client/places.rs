use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sightglass_files::leads_into;

/// Entries at the top of a repository: of Git, Jujutsu, Mercurial and Subversion.
const REPOSITORY_MARKS: [&str; 4] = [".git", ".jj", ".hg", ".svn"];

/// The two directories from which all scope files are found. They are given, never read
/// from the environment here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Places {
    /// The user's home directory.
    pub home: PathBuf,
    /// The project that is open.
    pub project: PathBuf,
}

impl Places {
    /// The file of a scope, whether it exists or not.
    pub fn path(&self, scope: Scope) -> PathBuf {
        self.base(scope).join(scope.relative_path())
    }

    /// Tells whether the open project is the home directory itself, as when the application is
    /// started from a menu.
    pub fn project_is_home(&self) -> bool {
        let real = |path: &Path| path.canonicalize();
        self.home == self.project
            || matches!((real(&self.home), real(&self.project)), (Ok(home), Ok(project)) if home == project)
    }

    /// Returns true for what lies in the home directory, where the open project is that or a
    /// directory above it, as when the application is started in `/`: it is the user's own. Not
    /// where a repository holds the home directory, and so may have brought what is in it.
    pub fn is_own_in_project(&self, path: &Path) -> bool {
        leads_into(&self.home, path)
            && leads_into(&self.project, &self.home)
            && !self.home_is_in_repository()
    }

    /// Returns true when a repository holds the home directory, at the place that a link leads to.
    /// One whose top is the home directory, as of its settings, is the user's.
    fn home_is_in_repository(&self) -> bool {
        let real = self.home.canonicalize();
        let home = real.as_deref().unwrap_or(&self.home);
        let is_top = |directory: &Path| {
            let mut marks = REPOSITORY_MARKS.iter();
            marks.any(|mark| directory.join(mark).exists())
        };
        home.ancestors().skip(1).any(is_top)
    }

    /// A path of the project as the same path of the home directory.
    pub(crate) fn as_of_home(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.project) {
            Ok(inside) => self.home.join(inside),
            Err(_) => path.to_owned(),
        }
    }

    /// The directory against which the file of a scope is found.
    fn base(&self, scope: Scope) -> &Path {
        if scope.is_of_project() {
            &self.project
        } else {
            &self.home
        }
    }
}

/// The files in the `.mcp.json` format that Sightglass reads. The order of the variants is
/// the order of precedence, lowest first: a server that a later file defines replaces the
/// one of the same name in all earlier files, whole.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// `~/.chimera/mcp.json`: what Chimera set up for this user. The lowest, so that a
    /// user's own file always overrides it.
    Chimera,
    /// `~/.claude/.mcp.json`: this user's servers, in every project.
    User,
    /// `<project>/.mcp.json`: the project's servers at the place that Claude Code reads too.
    /// Above the user's own, since it was written for this project.
    ProjectRoot,
    /// `<project>/.claude/.mcp.json`: the project's servers. Above the file at the root,
    /// since it is the more specific of the two.
    Project,
    /// `<project>/.claude/.mcp.local.json`: this user's servers in this project alone,
    /// usually kept out of version control. The highest.
    Local,
}

impl Scope {
    /// All scopes, the lowest precedence first.
    pub const ALL: [Scope; 5] = [
        Scope::Chimera,
        Scope::User,
        Scope::ProjectRoot,
        Scope::Project,
        Scope::Local,
    ];

    /// The scope of that [id](Self::id).
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.id() == id)
    }

    /// The scope as the command line names it.
    pub fn id(self) -> &'static str {
        match self {
            Scope::Chimera => "chimera",
            Scope::User => "user",
            Scope::ProjectRoot => "project-root",
            Scope::Project => "project",
            Scope::Local => "local",
        }
    }

    /// Returns the title of the scope.
    pub fn title(self) -> &'static str {
        match self {
            Scope::Chimera => "Chimera",
            Scope::User => "User",
            Scope::ProjectRoot => "Project root",
            Scope::Project => "Project",
            Scope::Local => "Local",
        }
    }

    /// The short path that goes with the title; `~` stands for the home directory, and what
    /// has no `~` stands in the project.
    pub fn path_label(self) -> &'static str {
        match self {
            Scope::Chimera => "~/.chimera/mcp.json",
            Scope::User => "~/.claude/.mcp.json",
            Scope::ProjectRoot => ".mcp.json",
            Scope::Project => ".claude/.mcp.json",
            Scope::Local => ".claude/.mcp.local.json",
        }
    }

    /// Returns true when the file lies in the project rather than in the home directory.
    pub fn is_of_project(self) -> bool {
        match self {
            Scope::Chimera | Scope::User => false,
            Scope::ProjectRoot | Scope::Project | Scope::Local => true,
        }
    }

    fn relative_path(self) -> &'static str {
        self.path_label().trim_start_matches("~/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_has_its_documented_file() {
        let places = Places {
            home: "/home/ada".into(),
            project: "/work/engine".into(),
        };
        let paths: Vec<_> = Scope::ALL
            .iter()
            .map(|scope| places.path(*scope).display().to_string())
            .collect();
        assert_eq!(
            paths,
            [
                "/home/ada/.chimera/mcp.json",
                "/home/ada/.claude/.mcp.json",
                "/work/engine/.mcp.json",
                "/work/engine/.claude/.mcp.json",
                "/work/engine/.claude/.mcp.local.json",
            ]
        );
    }

    #[test]
    fn the_order_of_the_variants_is_the_order_of_precedence() {
        assert!(Scope::ALL.is_sorted());
        assert_eq!(Scope::ALL.last(), Some(&Scope::Local));
    }
}
