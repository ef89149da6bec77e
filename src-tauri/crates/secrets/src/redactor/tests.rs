use proptest::prelude::*;

use super::*;

fn redactor(values: &[&str]) -> Redactor {
    Redactor::new(values.iter().map(|value| Secret::new((*value).to_owned())))
}

fn masked(redactor: &Redactor, text: &str) -> String {
    redactor.text(Cow::Borrowed(text)).into_owned()
}

#[test]
fn a_secret_is_masked_in_every_spelling() {
    let redactor = redactor(&["pa\"ss/wörd +1"]);
    for text in [
        "x pa\"ss/wörd +1 y",
        r#"{"a":"pa\"ss/wörd +1"}"#,
        r#"{"a":"pa\"ss\/wörd +1"}"#,
        r#"{"a":"pa\"ss/w\u00f6rd +1"}"#,
        r#"{"a":"pa\u0022ss/w\u00F6rd \u002B1"}"#,
        r#"{"a":"{\"b\":\"pa\\\"ss\\/w\\u00f6rd +1\"}"}"#,
        r#"{"a":"\u0070a\"\u0073s/w\u00f6rd\u0020\u002b1"}"#,
        "k=pa%22ss%2Fw%C3%B6rd%20%2B1",
        "k=pa%22ss%2fw%c3%b6rd+%2b1",
        "k=pa%2522ss%252Fw%25C3%25B6rd%2520%252B1",
    ] {
        let masked = masked(&redactor, text);
        assert!(masked.contains(MASK) && !masked.contains("rd"), "{masked}");
    }
}

#[test]
fn a_secret_is_masked_within_what_was_encoded_with_it() {
    let redactor = redactor(&["s3cr3t-value"]);
    for before in ["", "u:", "us:", "user:"] {
        for value in spelling::base64(format!("{before}s3cr3t-value and more").as_bytes()) {
            let masked = masked(&redactor, &value);
            assert!(masked.contains(MASK), "{before} {value}: {masked}");
        }
    }
}

#[test]
fn a_key_of_several_lines_is_masked_line_by_line_and_whole() {
    let redactor = redactor(&["first-line-of-key\nsecond-line-of-key"]);
    assert_eq!(
        masked(&redactor, "> second-line-of-key"),
        format!("> {MASK}")
    );
    assert_eq!(
        masked(&redactor, r#""first-line-of-key\nsecond-line-of-key""#),
        format!("\"{MASK}\"")
    );
}

#[test]
fn short_values_and_ordinary_text_are_left_alone() {
    let redactor = redactor(&["abc", ""]);
    assert_eq!(redactor.bytes(b"abc abc"), None);
}

#[test]
fn a_secret_that_a_line_break_splits_is_masked() {
    let redactor = redactor(&["s3cr3t-value"]);
    assert_eq!(masked(&redactor, "a s3cr3t\r\n-value b"), "a ••• b");
    let mut split = SplitSecrets::default();
    let mut told = String::new();
    for line in ["key: s3cr3t", "-value, and", "s3", "cr3t-val", "ue"] {
        let line = redactor
            .line(line.as_bytes(), &mut split)
            .unwrap_or_else(|| line.as_bytes().to_vec());
        told.push_str(&String::from_utf8_lossy(&line));
        told.push('|');
    }
    assert_eq!(told, "key: •••|•••, and|s3|•••|•••|");
}

#[test]
fn values_of_any_length_are_looked_for() {
    let long: String = (0..4_000).map(|number| format!("{number}/+")).collect();
    let redactor = redactor(&[&long, "s3cr3t/value"]);
    for text in [
        long.clone(),
        long.replace('/', "\\/"),
        long.replace('+', "\\u002B"),
    ] {
        assert_eq!(masked(&redactor, &format!("<{text}>")), "<•••>");
    }
    assert_eq!(masked(&redactor, r"s3cr3t\/value"), "•••");
}

#[test]
fn a_sign_that_begins_escapes_is_masked_with_the_whole_of_its_own() {
    let redactor = redactor(&[r"s3cr3t-value\"]);
    for text in [
        r"s3cr3t-value\",
        r"s3cr3t-value\\",
        r"s3cr3t-value\u005C",
        r"s3cr3t-value\\u005c",
        "s3cr3t-value%5C",
    ] {
        assert_eq!(masked(&redactor, &format!("<{text}>")), "<•••>", "{text}");
    }
    let redactor = self::redactor(&["s3cr3t/value%"]);
    for text in ["s3cr3t/value%", "s3cr3t%2Fvalue%25", r"s3cr3t/value\u0025"] {
        assert_eq!(masked(&redactor, &format!("<{text}>")), "<•••>", "{text}");
    }
}

#[test]
fn more_values_are_learned_once() {
    let redactor = redactor(&["s3cr3t-value"]);
    assert!(
        redactor
            .with(&[Secret::new(" s3cr3t-value ".into())])
            .is_none()
    );
    let wider = redactor.with(&[Secret::new("an0ther-value".into())]);
    let wider = wider.expect("it is new");
    assert_eq!(masked(&wider, "s3cr3t-value an0ther-value"), "••• •••");
}

/// The spellings that a reader would take back to the value.
fn spellings(value: &str) -> Vec<String> {
    let mut spellings: Vec<String> = spelling::usual(value)
        .into_iter()
        .map(|bytes| String::from_utf8(bytes).expect("made of text"))
        .collect();
    spellings.push(value.to_owned());
    spellings.extend(spelling::base64(value.as_bytes()));
    let all: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
    spellings.push(all);
    spellings
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_spelling_of_a_secret_survives_in_any_text(
        secret in "\\PC{8,24}",
        before in "[ -~\n]{0,12}|\\PC{0,12}",
        after in "[ -~\n]{0,12}|\\PC{0,12}",
        number in any::<prop::sample::Index>(),
    ) {
        let secret = secret.trim();
        prop_assume!(secret.chars().count() >= 8 && !secret.contains('•'));
        let spellings = spellings(secret);
        let spelt = &spellings[number.index(spellings.len())];
        let redactor = redactor(&[secret]);
        let masked = masked(&redactor, &format!("{before}{spelt}{after}"));
        for spelling in &spellings {
            prop_assert!(!masked.contains(spelling.as_str()), "{spelling} is in {masked}");
        }
        prop_assert!(masked.contains(MASK));
    }

    #[test]
    fn a_secret_is_found_however_its_characters_are_mixed(
        secret in "[ -~äß€😀]{8,20}",
        ways in prop::collection::vec(0_usize..5, 20),
    ) {
        let secret = secret.trim();
        prop_assume!(secret.chars().count() >= 8);
        let spelt: String = secret
            .chars()
            .zip(ways)
            .map(|(character, way)| {
                let units = |prefix: &str| -> String {
                    let mut units = [0; 2];
                    let units = character.encode_utf16(&mut units);
                    units.iter().map(|unit| format!("{prefix}u{unit:04X}")).collect()
                };
                let percent = |sign: &str| -> String {
                    let mut bytes = [0; 4];
                    let bytes = character.encode_utf8(&mut bytes).bytes();
                    bytes.map(|byte| format!("{sign}{byte:02x}")).collect()
                };
                match way {
                    0 => units("\\"),
                    1 => units("\\\\"),
                    2 => percent("%"),
                    3 => percent("%25"),
                    _ => character.to_string(),
                }
            })
            .collect();
        let redactor = redactor(&[secret]);
        prop_assert_eq!(masked(&redactor, &format!("<{spelt}>")), "<•••>");
    }

    #[test]
    fn a_text_without_a_secret_is_unchanged(text in "\\PC{0,200}|[ -~\n\\\\%]{0,200}") {
        let redactor = redactor(&["zq-Xj7 kV/9+w\"ö"]);
        prop_assert_eq!(masked(&redactor, &text), text);
    }
}
