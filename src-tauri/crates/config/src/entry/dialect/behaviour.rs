//! Behaviour of the clients: one row for each, with what it refuses, which names it knows in
//! references, and what it does with a server that is not done here.
//!
//! Reading, checking, explaining, the form, the sidebar and the connection ask this table, so that a
//! server is used here as its client would use it, and no other way.

mod table;

use crate::{
    client::Client,
    entry::read_entry::DeclaredTransport,
    text::{
        format::FileFormat,
        json::{Document, Member, NodeValue, Object, SyntaxErrorKind},
        limits::{MAX_MISTAKES, shortened},
        problem::{Problem, ProblemKind},
        source::{BYTE_ORDER_MARK, Position, Source},
    },
};

/// Behaviour of one client, as far as a generous reader would do otherwise.
pub(crate) struct Behaviour {
    pub client: Client,
    /// Address of what says so, or the version in which it was seen.
    pub source: &'static str,
    /// Words for the transports, those of programs first.
    pub types: Types,
    pub refusals: &'static [EntryRefusal],
    /// Forms of a text that it refuses although others read them.
    pub refused_forms: &'static [TextForm],
    pub effect: RefusalEffect,
    /// Names that it knows in a reference beside those of the environment, such as
    /// `workspaceFolder`; one that ends with `:` stands before any others.
    pub names: &'static [&'static str],
    /// True when it asks its user for values that its files declare under `inputs`.
    pub has_inputs: bool,
    /// Members that change how a server runs and have no counterpart here, each with a sentence.
    pub differences: &'static [(&'static str, &'static str)],
}

/// Words with which an entry names its transport.
#[derive(Clone, Copy)]
pub(crate) struct Types {
    /// The member that holds the word.
    pub member: &'static str,
    pub program: &'static str,
    pub remote: &'static [&'static str],
    /// Further words that are accepted.
    pub also: &'static [&'static str],
}

/// Kind of entry that a client does not accept.
#[derive(Clone, Copy)]
pub(crate) enum EntryRefusal {
    /// An address, and no word for the transport.
    UntypedAddress,
    /// No word for the transport at all, and no `enabled`, which stands for the rest of another file.
    Untyped,
    /// Another word for the transport than those of the client.
    UnknownType,
    /// Anything but a program. The text says what works instead.
    Remote { instead: &'static str },
    /// Members of the other kind of server.
    Mixed {
        with_address: &'static [&'static str],
        with_program: &'static [&'static str],
    },
}

/// Form of a text that is no fault to every reader.
#[derive(Clone, Copy)]
pub(crate) enum TextForm {
    /// A mark at the beginning, as PowerShell writes it.
    ByteOrderMark,
    /// A comma after the last member or element, in a file that is JSON with comments otherwise.
    TrailingComma,
}

/// Effect of an entry that a client refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalEffect {
    /// The client goes on without the entry, and with that of a lower file.
    Skipped,
    /// The client reads nothing of the file.
    FileRefused,
    /// The client does not start the server, and goes on without it.
    NotStarted,
    /// The client itself does not start.
    ClientStops,
}

impl RefusalEffect {
    fn words(self) -> &'static str {
        match self {
            RefusalEffect::Skipped => "skips this server",
            RefusalEffect::FileRefused => "refuses the whole file",
            RefusalEffect::NotStarted => "does not start this server",
            RefusalEffect::ClientStops => "does not start with this entry",
        }
    }
}

/// Members that hold the address of a server in one client or another.
pub(crate) const ADDRESSES: [&str; 4] = ["url", "serverUrl", "httpUrl", "uri"];

/// Members that name a transport in one client or another.
const TRANSPORTS: [&str; 2] = ["type", "transport"];

impl Behaviour {
    /// Returns the row of a client.
    ///
    /// # Panics
    /// For a client without one; a test asks for each.
    pub(crate) fn of(client: Client) -> &'static Behaviour {
        table::find(client).unwrap_or_else(|| unreachable!("{client} has a row"))
    }

    /// Returns true when the client knows a name in a reference that is no variable of the
    /// environment.
    pub(crate) fn knows(&self, name: &str) -> bool {
        let is_known = |known: &&str| match known.strip_suffix(':') {
            Some(prefix) => name.split_once(':').is_some_and(|(kind, _)| kind == prefix),
            None => *known == name,
        };
        self.names.iter().any(is_known)
    }

    /// Returns the reasons for which the client refuses an entry, each with what to write instead.
    pub(crate) fn refusals(
        &'static self,
        source: &Source<'_>,
        format: FileFormat,
        at: Position,
        entry: &Object,
    ) -> Vec<Problem> {
        let judge = EntryJudge {
            behaviour: self,
            source,
            format,
            at,
            entry,
        };
        self.refusals
            .iter()
            .filter_map(|refusal| judge.problem(*refusal))
            .collect()
    }

    /// Returns what keeps the client from reading a text that others read.
    pub(crate) fn refused_forms(&self, source: &Source<'_>, document: &Document) -> Vec<Problem> {
        let title = self.client.title();
        let mut problems = Vec::new();
        for form in self.refused_forms {
            match form {
                TextForm::ByteOrderMark if source.text().starts_with(BYTE_ORDER_MARK) => {
                    problems.push(Problem::error(
                        ProblemKind::Encoding,
                        Position::START,
                        format!(
                            "The file begins with a byte order mark. {title} refuses such a file, and \
                             may write it anew without its servers. Save it as UTF-8 without the mark."
                        ),
                    ));
                }
                TextForm::ByteOrderMark => {}
                TextForm::TrailingComma => {
                    let commas = document
                        .errors
                        .iter()
                        .filter(|error| error.kind == SyntaxErrorKind::TrailingComma);
                    problems.extend(commas.take(MAX_MISTAKES).map(|error| {
                        let message = format!(
                            "A comma after the last entry, which JSON does not have: {title} was seen \
                             to refuse such a file. Remove the comma."
                        );
                        let at = source.position(error.at);
                        Problem::warning(ProblemKind::TrailingComma, at, message)
                    }));
                }
            }
        }
        problems
    }

    /// Says that the client refuses an entry, and why.
    pub(crate) fn refusal(&self, at: Position, reason: &str) -> Problem {
        Problem::error(
            ProblemKind::RefusedByClient,
            at,
            format!("{} {}: {reason}", self.client.title(), self.effect.words()),
        )
    }
}

/// One entry held against the row of its client.
struct EntryJudge<'a> {
    behaviour: &'static Behaviour,
    source: &'a Source<'a>,
    format: FileFormat,
    at: Position,
    entry: &'a Object,
}

impl EntryJudge<'_> {
    fn problem(&self, refusal: EntryRefusal) -> Option<Problem> {
        let types = &self.behaviour.types;
        let word = self.entry.get(types.member);
        let address = self.address();
        let (at, reason) = match refusal {
            EntryRefusal::UntypedAddress => {
                let address = address.filter(|_| word.is_none())?;
                // With a program beside it the address does not count.
                if self.entry.get("command").is_some()
                    && self.behaviour.effect == RefusalEffect::Skipped
                {
                    return None;
                }
                let reason = format!(
                    "it has a {} and no {}. {}",
                    address.key,
                    types.member,
                    self.advice(types.remote)
                );
                (self.position(address), reason)
            }
            EntryRefusal::Untyped => {
                if word.is_some() || self.entry.get("enabled").is_some() {
                    return None;
                }
                let advice = match address {
                    Some(_) => self.advice(types.remote),
                    None => self.advice(&[types.program]),
                };
                (self.at, format!("it has no {}. {advice}", types.member))
            }
            EntryRefusal::UnknownType => {
                let member = word?;
                let NodeValue::String(word) = &member.value.value else {
                    return None;
                };
                if types.accepts(word) {
                    return None;
                }
                let reason = format!(
                    "it knows no {} {:?}. {}",
                    types.member,
                    shortened(word),
                    self.advice(&self.meant(word))
                );
                (self.position(member), reason)
            }
            EntryRefusal::Remote { instead } => {
                let remote = address.or_else(|| self.remote_transport())?;
                if self.entry.get("command").is_some() {
                    return None;
                }
                let reason = format!("it takes programs alone from its file. {instead}");
                (self.position(remote), reason)
            }
            EntryRefusal::Mixed {
                with_address,
                with_program,
            } => {
                let (fields, other) = match (self.entry.get("command"), address) {
                    (Some(_), _) => (with_program, "command"),
                    (None, Some(address)) => (with_address, address.key.as_str()),
                    (None, None) => return None,
                };
                let member = fields.iter().find_map(|field| self.entry.get(field))?;
                let key = member.key.as_str();
                let reason = if ADDRESSES.contains(&key) {
                    format!("it has both a {other} and a {key}. Remove one of them.")
                } else {
                    format!("{key} does not go with a {other}. Remove one of them.")
                };
                (self.position(member), reason)
            }
        };
        Some(self.behaviour.refusal(at, &reason))
    }

    fn position(&self, member: &Member) -> Position {
        self.source.position(member.key_range.start)
    }

    fn address(&self) -> Option<&Member> {
        ADDRESSES.iter().find_map(|field| self.entry.get(field))
    }

    /// The member that names another transport than a program's, or holds one.
    fn remote_transport(&self) -> Option<&Member> {
        let mut members = TRANSPORTS.iter().filter_map(|field| self.entry.get(field));
        members.find(|member| match &member.value.value {
            NodeValue::String(word) => matches!(
                DeclaredTransport::from_word(word),
                Some(DeclaredTransport::Remote(_))
            ),
            NodeValue::Object(_) => true,
            _ => false,
        })
    }

    /// The words that an unknown one may stand for.
    fn meant(&self, word: &str) -> Vec<&'static str> {
        let types = &self.behaviour.types;
        let meant = DeclaredTransport::from_word(word);
        let same = |known: &&&str| DeclaredTransport::from_word(known) == meant;
        if let Some(known) = meant.and_then(|_| types.remote.iter().find(same)) {
            return vec![known];
        }
        match self.address() {
            Some(_) => types.remote.to_vec(),
            None => vec![types.program],
        }
    }

    /// Says what to write, as the file has it.
    fn advice(&self, words: &[&str]) -> String {
        let Some((first, others)) = words.split_first() else {
            return String::new();
        };
        let member = self.behaviour.types.member;
        let assignment = match self.format {
            FileFormat::Json | FileFormat::Jsonc => format!("\"{member}\": \"{first}\""),
            FileFormat::Toml => format!("{member} = \"{first}\""),
            FileFormat::Yaml => format!("{member}: {first}"),
        };
        let others: String = others
            .iter()
            .map(|word| format!(" or \"{word}\""))
            .collect();
        match others.is_empty() {
            true => format!("Write {assignment}."),
            false => format!(
                "Write {assignment}, or{}.",
                others.trim_start_matches(" or")
            ),
        }
    }
}

impl Types {
    fn accepts(&self, word: &str) -> bool {
        self.program == word || self.remote.contains(&word) || self.also.contains(&word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_has_one_row_with_a_source() {
        for client in Client::ALL {
            let row = Behaviour::of(client);
            assert_eq!(row.client, client);
            assert!(!row.source.is_empty(), "{client}");
            assert_eq!(table::rows(client), 1, "{client}");
        }
    }

    #[test]
    fn a_name_is_known_by_itself_or_by_what_stands_before_it() {
        let vscode = Behaviour::of(Client::Vscode);
        for name in ["workspaceFolder", "/", "input:key", "config:a.b"] {
            assert!(vscode.knows(name), "{name}");
        }
        for name in ["TOKEN", "workspace", "inputkey", "nothing:x"] {
            assert!(!vscode.knows(name), "{name}");
        }
        assert!(!Behaviour::of(Client::Cursor).knows("input:key"));
    }
}
