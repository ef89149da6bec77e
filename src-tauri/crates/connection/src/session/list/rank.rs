//! Ranks what a search finds: by name before by title, by title before by description.
//!
//! The window highlights what was found by the same rules (`ui/src/lib/rank.ts`). `nucleo-matcher`
//! has others: its letters may stand anywhere in a name (`akt` in `make_it`), and its scores do not
//! tell where a text was found.

/// The most characters of a name that the fuzzy search looks at.
const MAX_FUZZY_NAME: usize = 200;

/// The place in which a search was found; the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Exact,
    Prefix,
    /// At the beginning of a word of the name.
    Word,
    /// Inside a word of the name.
    Inside,
    /// Beginnings of the name's words, as `schobj` in `schema_objects`.
    Fuzzy,
    Title,
    Description,
}

/// A text that is looked for, in lower case.
struct WantedText {
    text: String,
    finder: memchr::memmem::Finder<'static>,
}

impl WantedText {
    fn new(text: &str) -> Self {
        Self {
            finder: memchr::memmem::Finder::new(text).into_owned(),
            text: text.to_owned(),
        }
    }
}

/// A search, prepared to be matched against many items.
pub(super) struct PreparedSearch {
    whole: WantedText,
    words: Vec<WantedText>,
    letters: Vec<char>,
}

impl PreparedSearch {
    pub(super) fn new(text: &str) -> Self {
        let whole = text.trim().to_lowercase();
        Self {
            words: whole.split_whitespace().map(WantedText::new).collect(),
            letters: whole
                .chars()
                .filter(|letter| !letter.is_whitespace())
                .collect(),
            whole: WantedText::new(&whole),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.whole.text.is_empty()
    }

    /// Ranks an item. `searched` holds its name, title and description in lower case, a line
    /// each; `name` is the name as it is written. `None` when it does not match.
    pub(super) fn rank(&self, name: &str, searched: &str) -> Option<Rank> {
        let whole = rank_of(&self.whole, name, searched);
        if whole.is_some_and(|rank| rank < Rank::Fuzzy) {
            return whole;
        }
        // Words in any order, each somewhere: as good as the worst of them.
        let each = || {
            let ranks = self.words.iter().map(|word| rank_of(word, name, searched));
            ranks.collect::<Option<Vec<_>>>()?.into_iter().max()
        };
        let worded = if self.words.len() > 1 { each() } else { None };
        let fuzzy = || is_fuzzy(&self.letters, name).then_some(Rank::Fuzzy);
        let best = whole.into_iter().chain(worded).min();
        match best {
            Some(rank) if rank < Rank::Fuzzy => Some(rank),
            best => fuzzy().or(best),
        }
    }
}

fn rank_of(wanted: &WantedText, name: &str, searched: &str) -> Option<Rank> {
    let found = wanted.finder.find(searched.as_bytes())?;
    let wanted = wanted.text.as_str();
    let (lower, rest) = searched.split_once('\n').unwrap_or((searched, ""));
    if found + wanted.len() > lower.len() {
        // The first line of the rest is the title, where there is one.
        let title = rest.split('\n').next().unwrap_or_default();
        let is_in_title = rest.contains('\n') && title.contains(wanted);
        return Some(if is_in_title {
            Rank::Title
        } else {
            Rank::Description
        });
    }
    if found == 0 {
        return Some(if lower.len() == wanted.len() {
            Rank::Exact
        } else {
            Rank::Prefix
        });
    }
    // Lower case may be longer than what it was made of; then only its own borders count.
    let written = if name.len() == lower.len() {
        name
    } else {
        lower
    };
    let begins_word = lower
        .match_indices(wanted)
        .any(|(index, _)| written.is_char_boundary(index) && begins_word(written, index));
    Some(if begins_word {
        Rank::Word
    } else {
        Rank::Inside
    })
}

/// Returns true when a word begins at `index`: after what is no letter and no digit, or with a
/// capital after a small letter.
fn begins_word(text: &str, index: usize) -> bool {
    let before = text[..index].chars().next_back();
    let here = text[index..].chars().next();
    is_border(before, here)
}

fn is_border(before: Option<char>, here: Option<char>) -> bool {
    match (before, here) {
        (None, _) => true,
        (Some(before), Some(here)) => {
            (!before.is_alphanumeric() && here.is_alphanumeric())
                || (before.is_lowercase() && here.is_uppercase())
        }
        _ => false,
    }
}

/// Returns true when the letters stand in `name` in this order, each at the beginning of a word
/// or right after the one before it.
fn is_fuzzy(letters: &[char], name: &str) -> bool {
    if letters.len() < 2 {
        return false;
    }
    let written: Vec<char> = name.chars().take(MAX_FUZZY_NAME).collect();
    let lower = |letter: char| letter.to_lowercase().next().unwrap_or(letter);
    // Where the letters so far can end.
    let mut ends: Vec<bool> = Vec::new();
    for (order, letter) in letters.iter().enumerate() {
        let mut next = vec![false; written.len()];
        let mut is_after = order == 0;
        for (index, candidate) in written.iter().enumerate() {
            let is_next = index > 0 && order > 0 && ends[index - 1];
            if lower(*candidate) == *letter {
                let before = index.checked_sub(1).map(|before| written[before]);
                next[index] = is_next || (is_after && is_border(before, Some(*candidate)));
            }
            is_after |= order > 0 && ends[index];
        }
        if !next.contains(&true) {
            return false;
        }
        ends = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(wanted: &str, name: &str, rest: &str) -> Option<Rank> {
        let searched = format!("{}{}", name.to_lowercase(), rest.to_lowercase());
        PreparedSearch::new(wanted).rank(name, &searched)
    }

    #[test]
    fn a_name_ranks_before_a_title_before_a_description() {
        let rest = "\nLists Objects\nAll objects of a schema";
        assert_eq!(rank("objects", "objects", rest), Some(Rank::Exact));
        assert_eq!(rank("OBJ", "objects", rest), Some(Rank::Prefix));
        assert_eq!(rank("objects", "schema_objects", rest), Some(Rank::Word));
        assert_eq!(rank("objects", "schemaObjects", ""), Some(Rank::Word));
        assert_eq!(rank("bject", "schema_objects", ""), Some(Rank::Inside));
        assert_eq!(rank("schobj", "schema_objects", ""), Some(Rank::Fuzzy));
        assert_eq!(rank("objects", "schema_arrays", rest), Some(Rank::Title));
        assert_eq!(rank("schema", "arrays", rest), Some(Rank::Description));
        assert_eq!(rank("nothing", "schema_arrays", rest), None);
    }

    #[test]
    fn words_may_stand_in_any_order() {
        assert_eq!(rank("file read", "read_file", ""), Some(Rank::Word));
        assert_eq!(
            rank("read disk", "read_file", "\n\nfrom the disk"),
            Some(Rank::Description)
        );
        assert_eq!(rank("read nothing", "read_file", ""), None);
    }

    #[test]
    fn letters_count_only_where_words_begin_or_go_on() {
        assert_eq!(rank("mit", "make_it", ""), Some(Rank::Fuzzy));
        assert_eq!(rank("mi", "make_it", ""), Some(Rank::Fuzzy));
        assert_eq!(rank("akt", "make_it", ""), None);
        assert_eq!(rank("so", "sum_of", ""), Some(Rank::Fuzzy));
        assert_eq!(rank("x", "é_xx", ""), Some(Rank::Word));
        assert_eq!(rank("ss", "STRASSE", ""), Some(Rank::Inside));
    }
}
