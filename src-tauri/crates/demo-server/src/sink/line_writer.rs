//! Writes lines to stdout from a thread of its own.
//!
//! The thread takes messages from a bounded channel, writes them through a buffer, and
//! flushes when there is nothing more to write. Thus a flood goes out as fast as the pipe
//! takes it, and a single answer without waiting for more.

use std::{
    io::{self, BufWriter, Write},
    thread,
};

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};

use crate::message::Message;

/// Messages (or batches of 64 KiB) that may wait for stdout.
const QUEUE_LENGTH: usize = 64;
const WRITE_BUFFER_BYTES: usize = 64 * 1024;

enum Output {
    Message(Message),
    Raw(Bytes),
    Flush(oneshot::Sender<()>),
}

/// Handle to the thread that owns stdout.
#[derive(Clone)]
pub struct LineWriter {
    outputs: mpsc::Sender<Output>,
}

impl LineWriter {
    /// Starts the writing thread on `target`.
    pub fn start(target: impl Write + Send + 'static) -> io::Result<LineWriter> {
        let (outputs, receiver) = mpsc::channel(QUEUE_LENGTH);
        thread::Builder::new()
            .name("stdout".to_owned())
            .spawn(move || {
                write_all(
                    receiver,
                    BufWriter::with_capacity(WRITE_BUFFER_BYTES, target),
                )
            })?;
        Ok(LineWriter { outputs })
    }

    /// Writes a message and a newline.
    pub async fn message(&self, message: Message) {
        self.put(Output::Message(message)).await;
    }

    /// Writes bytes as they are.
    pub async fn raw(&self, bytes: Bytes) {
        self.put(Output::Raw(bytes)).await;
    }

    /// Returns when everything before this has been written.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        self.put(Output::Flush(done)).await;
        // An error means that the client closed our stdout: nothing left to do.
        let _closed = written.await;
    }

    async fn put(&self, output: Output) {
        // Sending fails when the writing thread has ended, because the client
        // closed our stdout: there is nobody left to tell.
        let _closed = self.outputs.send(output).await;
    }

    /// Writes a message and a newline, from a thread outside the runtime.
    pub fn blocking_message(&self, message: Message) {
        let _closed = self.outputs.blocking_send(Output::Message(message));
    }
}

fn write_all(mut outputs: mpsc::Receiver<Output>, mut target: BufWriter<impl Write>) {
    while let Some(output) = outputs.blocking_recv() {
        if write_burst(output, &mut outputs, &mut target).is_err() {
            return;
        }
    }
}

/// Writes one output and all that are already waiting, then flushes.
fn write_burst(
    first: Output,
    outputs: &mut mpsc::Receiver<Output>,
    target: &mut BufWriter<impl Write>,
) -> io::Result<()> {
    let mut next = Some(first);
    while let Some(output) = next {
        match output {
            Output::Message(message) => {
                for piece in message.pieces() {
                    target.write_all(piece)?;
                }
                target.write_all(b"\n")?;
            }
            Output::Raw(bytes) => target.write_all(&bytes)?,
            Output::Flush(done) => {
                target.flush()?;
                // The one who asked may have stopped waiting.
                let _gone = done.send(());
            }
        }
        next = outputs.try_recv().ok();
    }
    target.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_message_in_pieces_becomes_one_line() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let lines = LineWriter::start(writer).unwrap();
        lines
            .message(Message::Pieces(vec![
                Bytes::from_static(b"{"),
                Bytes::from_static(b"}"),
            ]))
            .await;
        lines.flush().await;
        drop(lines);
        let mut text = String::new();
        io::Read::read_to_string(&mut reader, &mut text).unwrap();
        assert_eq!(text, "{}\n");
    }
}
