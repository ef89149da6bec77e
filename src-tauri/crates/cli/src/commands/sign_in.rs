//! `login` and `logout`, until there is sign-in.

use clap::Args;

use crate::{outcome::Outcome, target::Addressed, trouble::Trouble};

#[derive(Debug, Args)]
pub(crate) struct SignIn {
    #[command(flatten)]
    addressed: Addressed,
}

impl SignIn {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        self.addressed.alone()?;
        Err(Trouble::authentication(
            "not_available",
            "Signing in is not built yet.",
            "Give a token with `--header 'Authorization: Bearer TOKEN'`.",
        ))
    }
}
