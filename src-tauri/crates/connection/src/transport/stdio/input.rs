//! Standard input of a server. A message is written by the task that sends it, where the pipe takes
//! it at once; the others wait in a queue, in their order.
//!
//! With a queue alone each message wakes a task of its own, which takes as long as many a call.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use tokio::{io::AsyncWrite, sync::Notify};

use crate::sync::lock;

/// The pipe, shared by those who send and the task that empties the queue.
pub(super) struct Input<W> {
    state: Mutex<InputState<W>>,
    /// Messages that were queued and are not written yet.
    queued: AtomicUsize,
    /// Told when the task that empties the queue has something to do beside it: a line was begun and
    /// is not written whole, or the pipe turned out to be closed.
    pub begun: Notify,
}

struct InputState<W> {
    /// `None` while the queue is written, and once the pipe is closed.
    writer: Option<W>,
    /// Rest of a line that was begun.
    rest: Vec<u8>,
}

impl<W> Input<W> {
    pub fn new(writer: W) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(InputState {
                writer: Some(writer),
                rest: Vec::new(),
            }),
            queued: AtomicUsize::new(0),
            begun: Notify::new(),
        })
    }

    /// Takes a place in the queue. Nothing is written at once before it is given up.
    pub fn place(self: &Arc<Self>) -> QueuePlace<W> {
        self.queued.fetch_add(1, Ordering::AcqRel);
        QueuePlace(Arc::clone(self))
    }

    /// Takes the pipe for the queue, with what has to be written first; `None` when it is closed.
    pub fn take(&self) -> Option<(W, Vec<u8>)> {
        let mut state = lock(&self.state);
        let writer = state.writer.take()?;
        Some((writer, std::mem::take(&mut state.rest)))
    }

    /// Gives the pipe back.
    pub fn give_back(&self, writer: W) {
        lock(&self.state).writer = Some(writer);
    }

    pub fn close(&self) {
        lock(&self.state).writer = None;
    }
}

impl<W: AsyncWrite + Unpin> Input<W> {
    /// Writes a line at once. False where others are before it; `line` is not asked for then. It
    /// gives none where the line would have to wait by itself.
    pub fn write_now(&self, line: impl FnOnce() -> Option<Vec<u8>>) -> bool {
        let Ok(mut state) = self.state.try_lock() else {
            return false;
        };
        let InputState { writer, rest } = &mut *state;
        let Some(pipe) = writer.as_mut().filter(|_| rest.is_empty()) else {
            return false;
        };
        if self.queued.load(Ordering::Acquire) > 0 {
            return false;
        }
        let Some(line) = line() else { return false };
        let mut context = Context::from_waker(Waker::noop());
        let polled = Pin::new(pipe).poll_write(&mut context, &line);
        let written = match polled {
            Poll::Ready(Ok(written)) => written,
            Poll::Pending => 0,
            // The process closed its input. What that means shows when it ends. Until then whoever
            // sends more is told, and does not wait for an answer that cannot come.
            Poll::Ready(Err(_)) => {
                *writer = None;
                self.begun.notify_one();
                return true;
            }
        };
        if written < line.len() {
            rest.extend_from_slice(&line[written..]);
            self.begun.notify_one();
        }
        true
    }
}

/// A place in the queue, until it is dropped.
pub(super) struct QueuePlace<W>(Arc<Input<W>>);

impl<W> Drop for QueuePlace<W> {
    fn drop(&mut self) {
        self.0.queued.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    fn line(text: &str) -> impl FnOnce() -> Option<Vec<u8>> {
        move || Some(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn a_line_is_written_at_once_unless_others_are_before_it() {
        let (writer, mut reader) = duplex(8);
        let input = Input::new(writer);
        assert!(input.write_now(line("one\n")));
        let place = input.place();
        assert!(!input.write_now(|| unreachable!("others are before it")));
        drop(place);
        assert!(input.write_now(line("two and more\n")), "it is begun");
        assert!(!input.write_now(|| unreachable!("its rest is before it")));

        input.begun.notified().await;
        let (mut writer, rest) = input.take().expect("open");
        assert_eq!(rest, b"and more\n");
        assert!(!input.write_now(|| unreachable!("the queue is being written")));
        let writing = async {
            writer.write_all(&rest).await.expect("open");
            input.give_back(writer);
            assert!(!input.write_now(|| None), "it would have to wait");
        };
        let reading = async {
            let mut read = vec![0; 17];
            reader.read_exact(&mut read).await.expect("written");
            read
        };
        let ((), read) = tokio::join!(writing, reading);
        assert_eq!(read, b"one\ntwo and more\n");
        assert!(input.write_now(line("three\n")));
        input.close();
        assert!(!input.write_now(|| unreachable!("it is closed")));
        assert!(input.take().is_none());
    }

    #[tokio::test]
    async fn a_pipe_that_the_server_closed_takes_nothing_any_more() {
        let (writer, reader) = duplex(8);
        drop(reader);
        let input = Input::new(writer);
        assert!(input.write_now(line("one\n")), "it ends with the server");
        assert!(!input.write_now(|| unreachable!("it is closed")));
        // The task that empties the queue is woken, and ends with it.
        input.begun.notified().await;
        assert!(input.take().is_none());
    }
}
