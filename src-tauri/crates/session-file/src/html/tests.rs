use super::{HtmlWriter, PageHead};
use crate::sample::{ATTACKS, call};

fn page(rows: &[sightglass_traffic::RecordedExchange]) -> String {
    let head = PageHead {
        application: "Sightglass 1.0",
        scope: "a<b>",
        remarks: &["<i>left out</i>".to_owned()],
    };
    let mut page = HtmlWriter::new(Vec::new(), &head).expect("memory");
    for row in rows {
        page.row(row, None).expect("memory");
    }
    String::from_utf8(page.finish().expect("memory")).expect("UTF-8")
}

#[test]
fn nothing_of_a_server_becomes_markup() {
    let plain = page(&[call(1, "echo", "{}")]);
    for attack in ATTACKS {
        let mut row = call(1, attack, attack);
        row.row.server = attack.to_owned();
        row.row.method = attack.to_owned();
        let page = page(&[row]);
        // Every tag and attribute is one of the page's own.
        for mark in ["<", ">", "'", "\""] {
            assert_eq!(
                page.matches(mark).count(),
                plain.matches(mark).count(),
                "{mark} of {attack}"
            );
        }
        assert!(
            !page.contains(['\u{202e}', '\u{200b}', '\u{1b}']),
            "{attack}"
        );
    }
    assert!(plain.contains("a&lt;b&gt;") && plain.contains("&lt;i&gt;left out"));
}

#[test]
fn a_page_allows_its_own_style_and_script_and_nothing_else() {
    let page = page(&[]);
    let policy = page
        .split("content=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"));
    assert!(!policy.contains("unsafe"), "{policy}");
    for address in ["http:", "https:", "//"] {
        let own = page.replace("// On paper", "");
        assert!(!own.contains(address), "{address}");
    }
}

#[test]
fn a_long_message_is_cut_and_says_so() {
    let page = page(&[call(1, "echo", &"x".repeat(super::MAX_TEXT + 5))]);
    assert!(page.contains("5 more bytes are not in this file."));
}
