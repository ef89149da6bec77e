//! Opens an address in the user's browser.

use std::{io, process::Stdio, sync::mpsc};

use url::Url;

use crate::transport::stdio::{child_command, on_spawner};

/// Opens an http(s) address with the programs that `$BROWSER` names, the first that starts, or with
/// what the platform opens addresses with.
///
/// `$BROWSER` holds programs separated by `:` (`;` on Windows), each a command line in which
/// `%s` stands for the address; without it the address comes last.
///
/// A program gets the address in its normal form (<https://url.spec.whatwg.org/#url-serializing>),
/// not as somebody wrote it: a browser passes over tabs and line feeds in it, a script does not.
///
/// # Errors
/// When it is no such address, or no program could be started, in words.
pub fn open_in_browser(address: &str, browser: Option<&str>) -> Result<(), String> {
    let address = Url::parse(address)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or("only http and https addresses are opened")?;
    let address = address.as_str();
    let separator = if cfg!(windows) { ';' } else { ':' };
    let own = browser
        .into_iter()
        .flat_map(|programs| programs.split(separator))
        .filter_map(|program| words(program, address));
    let mut last = "there is no program to open addresses with".to_owned();
    for command in own.chain(platform(address)) {
        match start(&command) {
            Ok(()) => return Ok(()),
            Err(error) => last = format!("{} could not be started: {error}", command[0]),
        }
    }
    Err(last)
}

/// The words of a command line, split at spaces.
fn words(program: &str, address: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = program.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return None;
    }
    if words.iter().any(|word| word.contains("%s")) {
        for word in &mut words {
            *word = word.replace("%s", address);
        }
    } else {
        words.push(address.to_owned());
    }
    Some(words)
}

/// The command lines with which the platform opens addresses.
fn platform(address: &str) -> impl Iterator<Item = Vec<String>> {
    let openers: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else {
        &[&["xdg-open"], &["gio", "open"]]
    };
    openers.iter().map(move |opener| {
        let words = opener.iter().copied().chain([address]);
        words.map(str::to_owned).collect()
    })
}

/// The program goes on by itself; the waiter is a thread of its own, so that it
/// leaves no zombie behind.
fn start(command: &[String]) -> io::Result<()> {
    let mut browser = child_command(&command[0]);
    browser
        .args(&command[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Not where Sightglass was started: that may be an untrusted folder, and a search
    // path may hold `.`.
    if let Some(home) = std::env::home_dir().filter(|home| home.is_dir()) {
        browser.current_dir(home);
    }
    let (started, answer) = mpsc::channel();
    on_spawner(move || {
        // Whoever asked waits for it.
        let _ = started.send(browser.spawn());
    });
    let mut child = answer
        .recv()
        .unwrap_or_else(|_| Err(io::Error::other("there is no thread to start processes")))?;
    std::thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_stands_where_the_program_wants_it() {
        let with = |program: &str| words(program, "http://a").map(|words| words.join(" "));
        assert_eq!(
            with("firefox --new-tab %s -p x").as_deref(),
            Some("firefox --new-tab http://a -p x")
        );
        assert_eq!(with("firefox").as_deref(), Some("firefox http://a"));
        assert_eq!(with("  "), None);
    }

    #[test]
    fn nothing_is_started_for_what_is_no_web_address() {
        for address in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "-x",
            "https://",
        ] {
            let refused = open_in_browser(address, Some("true"));
            assert!(refused.is_err(), "{address}");
        }
    }
}
