//! The stdio transport: one JSON message per line.
//!
//! A thread reads stdin and answers what can be answered at once; longer work runs
//! as tasks. A second thread owns stdout: it takes messages from a bounded channel,
//! writes them through a buffer, and flushes when there is nothing more to write.
//! Thus a flood goes out as fast as the pipe takes it, and a single answer without
//! waiting for more.

use std::{
    io::{self, BufRead, BufReader, BufWriter, Write},
    process::ExitCode,
    sync::Arc,
    thread,
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};

use crate::{
    Error,
    connection::Connection,
    dispatch::{self, Accepted},
    message::Message,
    server::Server,
    sink::Sink,
};

/// Messages (or batches of 64 KiB) that may wait for stdout.
const CHANNEL: usize = 64;
const BUFFER: usize = 64 * 1024;
/// How long the last messages may take once stdin is closed.
const LAST_WORDS: Duration = Duration::from_secs(5);

enum Output {
    Message(Message),
    Raw(Bytes),
    Flush(oneshot::Sender<()>),
}

/// The way to the thread that owns stdout.
#[derive(Clone)]
pub struct LineWriter {
    outputs: mpsc::Sender<Output>,
}

impl LineWriter {
    /// Starts the writing thread on `target`.
    fn start(target: impl Write + Send + 'static) -> io::Result<LineWriter> {
        let (outputs, receiver) = mpsc::channel(CHANNEL);
        thread::Builder::new()
            .name("stdout".to_owned())
            .spawn(move || write_all(receiver, BufWriter::with_capacity(BUFFER, target)))?;
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

    fn blocking_message(&self, message: Message) {
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

/// Serves one client on stdin and stdout until stdin ends.
///
/// # Errors
///
/// When a thread cannot be started.
pub async fn serve(server: Arc<Server>) -> Result<ExitCode, Error> {
    let writer = LineWriter::start(io::stdout()).map_err(Error::Thread)?;
    let sink = Sink::Lines(writer.clone());
    let connection = Connection::new(sink.clone());
    let (ended, end) = oneshot::channel();
    let runtime = Handle::current();
    {
        let (server, connection, writer) = (server.clone(), connection.clone(), writer.clone());
        thread::Builder::new()
            .name("stdin".to_owned())
            .spawn(move || {
                read_all(io::stdin().lock(), |line| {
                    receive(&server, &connection, &writer, &runtime, line);
                });
                // Nobody waits any more when another reason ended the program.
                let _gone = ended.send(());
            })
            .map_err(Error::Thread)?;
    }

    let exit = tokio::select! {
        // An error would mean that the reading thread panicked: that is an end too.
        _end = end => None,
        code = server.exit_requested() => Some(code),
    };
    if exit.is_none() && server.options().ignore_eof {
        std::future::pending::<()>().await;
    }
    connection.close();
    // A client that stopped reading must not keep this process alive.
    let _timed_out = tokio::time::timeout(LAST_WORDS, writer.flush()).await;
    Ok(exit.map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Calls `receive` for each line until the end of the input or an error.
fn read_all(input: impl io::Read, mut receive: impl FnMut(&[u8])) {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = line.trim_ascii();
                if !text.is_empty() {
                    receive(text);
                }
            }
        }
    }
}

fn receive(
    server: &Arc<Server>,
    connection: &Arc<Connection>,
    writer: &LineWriter,
    runtime: &Handle,
    line: &[u8],
) {
    // Tools and timers started while handling the line belong to the runtime.
    let _entered = runtime.enter();
    match dispatch::accept_text(server, connection, &Sink::Lines(writer.clone()), line) {
        Accepted::Nothing => {}
        Accepted::Answer(answer) => writer.blocking_message(answer.message),
        Accepted::Working(work) => {
            let writer = writer.clone();
            runtime.spawn(async move {
                if let Some(answer) = work.await {
                    writer.message(answer.message).await;
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_one_by_one_and_blank_ones_skipped() {
        let mut lines = Vec::new();
        read_all(&b"{\"a\":1}\r\n\n  \n{\"b\":2}"[..], |line| {
            lines.push(line.to_vec())
        });
        assert_eq!(lines, [b"{\"a\":1}".to_vec(), b"{\"b\":2}".to_vec()]);
    }

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
