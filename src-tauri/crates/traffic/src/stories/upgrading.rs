//! Records that earlier versions wrote are read, searched and continued.

use tempfile::TempDir;

use super::{call, connect, matching, open, put, result, rows, say};
use crate::{
    Direction::{Received, Sent},
    store::FILE_NAME,
};

/// Three calls of `echo`, written before blocks were compressed.
const VERSION_1: &[u8] = include_bytes!("version_1.db");

#[tokio::test]
async fn a_record_from_before_compression_is_read_and_continued() {
    let directory = TempDir::new().expect("a directory");
    put(&directory.path().join(FILE_NAME), VERSION_1);
    for opened in 1..=2 {
        let recorder = open(directory.path());
        let connection = connect(&recorder);
        say(&connection, Sent, &call(1, "newer")).await;
        say(&connection, Received, &result(1, "later")).await;
        recorder.flush().expect("flushed");
        assert_eq!(rows(&recorder).len(), 3 + opened);
        // Such a record has no bookmarks yet, and takes them from then on.
        assert_eq!(matching(&recorder, "is:bookmarked").len(), opened - 1);
        if opened == 1 {
            let oldest = rows(&recorder)[0].id;
            recorder.set_bookmark(oldest, Some("old")).expect("set");
        }
        assert_eq!(matching(&recorder, "\"answer 2\"").len(), 1);
        assert_eq!(matching(&recorder, "later").len(), opened);
        recorder.close();
    }
}
