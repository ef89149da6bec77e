//! Token: what a program that connects has to know. It is made anew by each that listens.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sightglass_files::{read_at_most, replace};
use subtle::ConstantTimeEq;

use crate::ControlError;

/// Random bytes of a token.
const BYTES: usize = 32;

/// Bytes of the file that are read.
const MAX_FILE_BYTES: u64 = 1024;

/// Random text that only those can read who can read the user's own files.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct AccessToken {
    token: String,
}

impl AccessToken {
    /// Makes one, and writes it to its file, which only the owner can read.
    pub(crate) fn make(path: &Path) -> Result<Self, ControlError> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|error| ControlError::io("There is no token")(error.into()))?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        replace(path, token.as_bytes()).map_err(ControlError::io(format!(
            "{} was not written",
            path.display()
        )))?;
        Ok(Self { token })
    }

    /// Reads the token of the program that listens.
    pub(crate) fn read(path: &Path) -> Result<Self, ControlError> {
        let bytes = read_at_most(path, MAX_FILE_BYTES).map_err(|_| ControlError::Absent)?;
        let token = String::from_utf8(bytes).map_err(|_| ControlError::Absent)?;
        Ok(Self { token })
    }

    /// Compares in a time that does not tell where they differ.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.token.as_bytes().ct_eq(other.token.as_bytes()).into()
    }

    /// Returns a name that only readers of the token know, for what has one name on all the machine.
    #[cfg(windows)]
    pub(crate) fn name(&self) -> String {
        use sha2::{Digest, Sha256};

        let digest = Sha256::digest(format!("name of {}", self.token));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
