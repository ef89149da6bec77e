//! Stories of what users rely on, told through the public handle.

mod exchanges;
mod faults;
mod operations;
mod payloads;
mod projects;
mod removing;
mod searching;
mod secrets;
mod temporary;
mod timeline;
mod upgrading;

use std::{fs, io::Write as _, path::Path};

use bytes::Bytes;
use sightglass_model::ServerId;
use sightglass_secrets::Redactor;

use crate::{ConnectionRecorder, ExchangeRow, Recorder, RecorderOptions, TrafficQuery};

fn open(directory: &Path) -> Recorder {
    Recorder::open(RecorderOptions::in_directory(directory))
}

fn put(path: &Path, bytes: &[u8]) {
    fs::File::create(path)
        .and_then(|mut file| file.write_all(bytes))
        .expect("a written file");
}

fn connect(recorder: &Recorder) -> ConnectionRecorder {
    recorder.start_connection(ServerId::demo(), "Demo", Redactor::default())
}

fn rows(recorder: &Recorder) -> Vec<ExchangeRow> {
    recorder
        .page(&TrafficQuery::default(), 0, 1000)
        .expect("a page")
        .rows
}

fn matching(recorder: &Recorder, filter: &str) -> Vec<u32> {
    let query = TrafficQuery {
        filter: filter.to_owned(),
        ..TrafficQuery::default()
    };
    asked(recorder, &query)
}

fn asked(recorder: &Recorder, query: &TrafficQuery) -> Vec<u32> {
    loop {
        let page = recorder.page(query, 0, 1000).expect("a page");
        if page.complete {
            assert_eq!(page.total as usize, page.rows.len());
            return page.rows.iter().map(|row| row.id.0).collect();
        }
    }
}

async fn say(connection: &ConnectionRecorder, direction: crate::Direction, text: &str) -> u32 {
    let text = Bytes::from(text.to_owned());
    connection.message(direction, &text, None).await.frame.0
}

fn call(id: u32, tool: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#)
}

fn result(id: u32, text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":"{text}"}}}}"#)
}
