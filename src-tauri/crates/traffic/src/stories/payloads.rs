//! Payloads that are too large to be read whole.

use bytes::Bytes;
use tempfile::TempDir;

use super::{connect, matching, open};
use crate::{Direction::Received, PayloadForm, PayloadQuery, RecordError};

#[tokio::test]
async fn a_large_payload_is_read_by_window_before_and_after_it_is_written() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let items: Vec<String> = (0..300_000)
        .map(|index| format!(r#"{{"n":{index}.0}}"#))
        .collect();
    let text = format!(
        r#"{{"id":1,"result":{{"items":[{}],"text":"a\nb","last":"needle"}}}}"#,
        items.join(",")
    );
    let whole = Bytes::from(text.clone());
    let recorded = connection.message(Received, &whole, None).await;
    for round in 0..2 {
        if round == 1 {
            recorder.flush().expect("flushed");
            // Another recorder knows nothing but the disk.
            recorder.close();
        }
        let recorder = if round == 1 {
            open(directory.path())
        } else {
            recorder.clone()
        };
        let lines = |pointer: &str, form, first| {
            recorder.lines(
                &PayloadQuery {
                    frame: recorded.frame,
                    pointer: pointer.into(),
                    form,
                },
                first,
                3,
            )
        };
        let page = lines("", PayloadForm::Pretty, 600_004).expect("a page");
        assert_eq!(
            page.lines,
            ["      {", "        \"n\": 200000.0", "      },"]
        );
        assert_eq!(page.total_lines, 900_000 + 9);
        assert_eq!(
            lines("/result/text", PayloadForm::Text, 0)
                .expect("a page")
                .lines,
            ["a", "b"]
        );
        assert_eq!(
            lines("/result/items/7", PayloadForm::Raw, 0)
                .expect("a page")
                .lines,
            [r#"{"n":7.0}"#]
        );
        assert!(matches!(
            lines("/nothing", PayloadForm::Raw, 0),
            Err(RecordError::NoSuchValue(_))
        ));
        let query = PayloadQuery {
            frame: recorded.frame,
            pointer: "/result/items".into(),
            form: PayloadForm::Pretty,
        };
        let first = recorder.first_lines(&query, whole.clone(), 3);
        let read = lines("/result/items", PayloadForm::Pretty, 0);
        assert_eq!(first.expect("a page"), read.expect("a page"));
        let part = recorder.first_lines(&query, whole.slice(..9), 3);
        assert!(matches!(part, Err(RecordError::NoSuchValue(_))));
        assert_eq!(recorder.payload(recorded.frame).expect("a payload"), text);
        assert_eq!(matching(&recorder, "NEEDLE"), [recorded.frame.0]);
    }
}
