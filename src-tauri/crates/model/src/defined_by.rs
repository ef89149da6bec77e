/// Definer of a server: whoever said what connecting to it starts or reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinedBy {
    /// A file of the user's own.
    User,
    /// A file of the project, its request files among them. It may be anybody's.
    Project,
    /// A link, an entry of a registry or a snippet that is connected without being saved: the user
    /// chose it for one connection. Its name may be anybody's too.
    Unsaved,
    /// The user, in words of a command line.
    CommandLine,
    /// Sightglass, whose demo server it is.
    BuiltIn,
}

impl DefinedBy {
    /// Returns true when what the user keeps for their own servers by name is for this one.
    pub fn is_trusted_by_name(self) -> bool {
        match self {
            Self::User | Self::CommandLine | Self::BuiltIn => true,
            Self::Project | Self::Unsaved => false,
        }
    }
}
