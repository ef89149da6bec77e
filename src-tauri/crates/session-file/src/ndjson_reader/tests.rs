use std::io::Cursor;

use super::*;
use crate::SessionWriter;

const HEAD: &str = r#"{"v":2,"dir":"meta","format":"sightglass-session","application":"sightglass 0.1.0","ts":1000}"#;
const FRAME: &str =
    r#"{"v":2,"seq":1,"conn":1,"ts":1000,"dir":"c2s","kind":"request","method":"ping","raw":"{}"}"#;

fn frame(number: u32, kind: ExchangeKind, direction: Direction, text: &[u8]) -> RecordedFrame {
    RecordedFrame {
        frame: FrameId(number),
        connection: ConnectionId(7),
        carrier: Some(FrameId(3)),
        at: Timestamp::from_millis(1_700_000_000_000.5),
        kind,
        direction,
        method: "method".to_owned(),
        redacted: number.is_multiple_of(2),
        size: (text.len() + 1).into(),
        payload: Some(Bytes::copy_from_slice(text)),
        bookmark: Some("look \"here\"".to_owned()),
    }
}

fn entries(text: &str) -> Vec<SessionEntry> {
    let mut reader = SessionReader::new(Cursor::new(text.to_owned())).expect("a session");
    std::iter::from_fn(|| reader.next().expect("read")).collect()
}

fn refusal(text: &str) -> String {
    match SessionReader::new(Cursor::new(text.to_owned())) {
        Ok(_) => panic!("{text:?} was read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_written_is_read_again() {
    let server = SessionServer {
        id: "mcp-json:files".to_owned(),
        name: "files".to_owned(),
    };
    let mut frames = vec![
        frame(4, ExchangeKind::Request, Direction::Sent, b"{\"id\":1.50}"),
        frame(
            5,
            ExchangeKind::Log,
            Direction::Received,
            "\u{0}\u{1b}[2J ä".as_bytes(),
        ),
        frame(
            6,
            ExchangeKind::Stderr,
            Direction::Received,
            b"\xff\xfe no text",
        ),
        frame(
            7,
            ExchangeKind::Http,
            Direction::Sent,
            b"POST http://a/mcp?x=1\naccept: b: c\nx-empty: \n",
        ),
        frame(
            8,
            ExchangeKind::Http,
            Direction::Received,
            b"404 broke off\ncontent-type: d\n",
        ),
        frame(
            9,
            ExchangeKind::Oauth,
            Direction::Sent,
            b"POST http://a/token\na: b\n\ngrant=1\n\n2",
        ),
        frame(
            10,
            ExchangeKind::Http,
            Direction::Received,
            b"no answer: refused\n",
        ),
        frame(
            11,
            ExchangeKind::Http,
            Direction::Sent,
            b"not as it is written here",
        ),
        frame(12, ExchangeKind::Phase, Direction::Received, b"ready"),
    ];
    frames.push(RecordedFrame {
        payload: None,
        carrier: None,
        ..frame(13, ExchangeKind::Request, Direction::Received, b"gone")
    });
    let at = Timestamp::from_millis(5.0);
    let mut writer = SessionWriter::new(Vec::new(), "sightglass 0.1.0", at).expect("written");
    writer.missing_frames(3).expect("written");
    for frame in &frames {
        writer.frame(frame, &server).expect("written");
    }
    let (text, count) = writer.finish().expect("written");
    assert_eq!(count as usize, frames.len());
    let mut expected = vec![
        SessionEntry::MissingFrames(3),
        SessionEntry::Connection {
            connection: ConnectionId(7),
            server,
        },
    ];
    expected.extend(frames.into_iter().map(SessionEntry::Frame));
    expected.push(SessionEntry::End { frames: count });
    assert_eq!(entries(&String::from_utf8(text).expect("UTF-8")), expected);
}

#[test]
fn version_1_is_read() {
    let text = concat!(
        r#"{"application":"sightglass 0.1.0","dir":"meta","server":{"id":"mcp-json:one","name":"one"},"ts":2.0,"v":1}"#,
        "\n",
        r#"{"v":1,"seq":9,"conn":2,"ts":3.5,"dir":"meta","kind":"phase","method":"ready","raw":"now"}"#,
        "\n",
        r#"{"v":1,"seq":10,"conn":2,"ts":4,"dir":"c2s","kind":"http","method":"POST /","masked":true,"raw":"POST http://a/\nb: c\n"}"#,
    );
    let mut reader = SessionReader::new(Cursor::new(text)).expect("a session");
    assert_eq!(reader.head().version, 1);
    assert_eq!(
        reader.only_server().map(|server| server.name.as_str()),
        Some("one")
    );
    let read: Vec<_> = std::iter::from_fn(|| reader.next().expect("read")).collect();
    let [SessionEntry::Frame(phase), SessionEntry::Frame(http)] = &read[..] else {
        panic!("{read:?}");
    };
    assert_eq!((phase.frame.0, phase.at.as_millis()), (9, 3.5));
    assert!(http.redacted);
    assert_eq!(
        http.payload.as_deref(),
        Some(&b"POST http://a/\nb: c\n"[..])
    );
}

#[test]
fn a_newer_version_is_refused_with_the_program_that_wrote_it() {
    let text = HEAD
        .replace("\"v\":2", "\"v\":3")
        .replace("0.1.0", "9.0\\u001b[2J");
    assert_eq!(
        refusal(&text),
        "this session was written by sightglass 9.0\\u{1b}[2J in version 3 of the format, and this \
         program reads versions up to 2. Open it with a newer Sightglass"
    );
}

#[test]
fn what_is_no_session_is_refused() {
    for text in [
        "",
        "\n",
        "hello",
        "{}",
        "[]",
        "{\"v\":1}",
        "{\"v\":-1,\"format\":\"sightglass-session\"}",
        "{\"v\":2,\"format\":\"another\"}",
        FRAME,
    ] {
        assert!(
            refusal(text).starts_with("this is not a session file"),
            "{text}"
        );
    }
}

#[test]
fn unknown_members_and_empty_lines_are_passed_over() {
    let text = format!(
        "{}\n\n  \r\n{}\n",
        HEAD.replace("\"v\"", "\"later\":{\"a\":[1e999]},\"v\""),
        FRAME.replace("\"v\"", "\"later\":null,\"v\"")
    );
    assert!(matches!(&entries(&text)[..], [SessionEntry::Frame(_)]));
}

#[test]
fn each_malformed_line_is_told_and_the_next_one_read() {
    let malformed = [
        "{",
        "7",
        "\u{0}\u{0}",
        "{\"v\":2,\"dir\":\"meta\"}",
        &FRAME.replace("\"seq\":1", "\"seq\":-1"),
        &FRAME.replace("\"seq\":1", "\"seq\":1e10"),
        &FRAME.replace("\"seq\":1", "\"seq\":4294967296"),
        &FRAME.replace("\"seq\":1", "\"seq\":1,\"seq\":2"),
        &FRAME.replace("1000", "1e300"),
        &FRAME.replace("1000", "\"now\""),
        &FRAME.replace("c2s", "up"),
        &FRAME.replace("\"kind\":\"request\"", "\"kind\":\"program\""),
        &FRAME.replace("\"conn\":1,", ""),
        &FRAME.replace("\"raw\":\"{}\"", "\"raw\":\"\\ud800\""),
        &FRAME.replace("\"raw\":\"{}\"", "\"raw_base64\":\"*\""),
    ];
    for line in malformed {
        let text = format!("{HEAD}\n{line}\n{FRAME}\n");
        let read = entries(&text);
        let [SessionEntry::Unreadable(told), SessionEntry::Frame(_)] = &read[..] else {
            panic!("{line}: {read:?}");
        };
        assert_eq!(told.line, 2, "{line}");
    }
}

#[test]
fn a_line_that_is_too_long_is_passed_over_without_being_kept() {
    let long = "x".repeat(100_000);
    let text = format!("{HEAD}\n{long}\n{FRAME}\n{long}");
    let mut reader = SessionReader::with_limit(Cursor::new(text), 1000).expect("a session");
    let mut read = Vec::new();
    while let Some(entry) = reader.next().expect("read") {
        assert!(reader.line.capacity() <= 2048);
        read.push(entry);
    }
    assert!(matches!(
        &read[..],
        [
            SessionEntry::Unreadable(_),
            SessionEntry::Frame(_),
            SessionEntry::Unreadable(_)
        ]
    ));
}

#[test]
fn a_line_cut_in_half_is_the_last_one_and_no_end_follows() {
    let text = format!("{HEAD}\n{FRAME}\n{}", &FRAME[..FRAME.len() / 2]);
    assert!(matches!(
        &entries(&text)[..],
        [
            SessionEntry::Frame(_),
            SessionEntry::Unreadable(Unreadable { line: 3, .. })
        ]
    ));
}

#[test]
fn names_are_short_and_visible() {
    let long = "n".repeat(5000);
    let text = format!(
        "{HEAD}\n{{\"dir\":\"meta\",\"conn\":1,\"server\":{{\"id\":\"a\\u202eb\",\"name\":\"{long}\"}}}}"
    );
    let read = entries(&text);
    let [SessionEntry::Connection { server, .. }] = &read[..] else {
        panic!("{read:?}");
    };
    assert_eq!(server.id, "a\\u{202e}b");
    assert_eq!(server.name.chars().count(), MAX_NAME_CHARACTERS + 1);
}

#[test]
fn two_files_that_were_joined_are_two_sessions() {
    let text = format!("{HEAD}\n{FRAME}\n{HEAD}\n{FRAME}\n");
    assert!(matches!(
        &entries(&text)[..],
        [
            SessionEntry::Frame(_),
            SessionEntry::Head(_),
            SessionEntry::Frame(_)
        ]
    ));
    let newer = HEAD.replace("\"v\":2", "\"v\":9");
    let mut reader =
        SessionReader::new(Cursor::new(format!("{HEAD}\n{newer}\n"))).expect("a session");
    assert!(matches!(
        reader.next(),
        Err(SessionError::Newer { version: 9, .. })
    ));
}
