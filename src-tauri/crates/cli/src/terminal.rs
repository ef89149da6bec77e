//! Questions to the user on the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

/// Returns true when there is a user who can be asked.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a question below `shown`. Without an answer it is no.
pub(crate) fn ask(shown: &str, question: &str) -> bool {
    let mut stderr = anstream::stderr().lock();
    // Without a question the answer is no.
    let asked = write!(stderr, "{shown}{question} [y/N] ").and_then(|()| stderr.flush());
    let mut answer = String::new();
    let read = asked.and_then(|()| io::stdin().lock().read_line(&mut answer));
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}
