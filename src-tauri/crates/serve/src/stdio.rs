//! Serves one agent over standard input and output: a message a line (MCP, Transports, stdio).

use std::{
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    sync::Arc,
    thread,
    time::Duration,
};

use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use crate::{
    agent::{Agent, AgentSink},
    dispatch,
    listening::ListChanges,
    message::{RefusedRequest, error_response, notification},
    protocol::code,
    serving::Serving,
};

/// The longest message that is read, in bytes.
const MAX_LINE: usize = 32 << 20;
/// Messages that wait to be handled, and those that wait to be written.
const MAX_WAITING: usize = 64;
/// Time for the last messages to be written once the agent has closed its side.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// Reason why nothing could be served.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error("The system refused a thread: {0}.")]
    Thread(io::Error),
}

/// A line of the input.
enum InputLine {
    Message(String),
    /// It was too long, or is not UTF-8.
    Unreadable(&'static str),
}

/// Serves one agent until its input ends.
///
/// # Errors
/// When it cannot begin; never because of what an agent does.
pub async fn serve_stdio(
    serving: &Arc<Serving>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let (lines, mut waiting) = mpsc::channel(MAX_WAITING);
    let (messages, outgoing) = mpsc::channel(MAX_WAITING);
    let (written, all_written) = oneshot::channel();
    spawn("agent input", move || read_lines(input, &lines))?;
    spawn("agent output", move || {
        write_lines(outgoing, output);
        // Nobody waits any more where the time for it is over.
        let _ = written.send(());
    })?;
    let sink = AgentSink::new(messages);
    let agent = Arc::<Agent>::default();
    let changes = serving.changes.add(ListChanges::ALL);
    loop {
        tokio::select! {
            line = waiting.recv() => match line {
                Some(InputLine::Message(text)) => {
                    dispatch::accept(serving, &agent, &sink, &text).await;
                }
                Some(InputLine::Unreadable(words)) => {
                    let refused = RefusedRequest::new(code::INVALID_REQUEST, words);
                    sink.send(error_response(None, &refused.text())).await;
                }
                None => break,
            },
            changed = changes.next() => {
                // Where there is no session, those who want to know asked for it.
                for method in changed.methods().filter(|_| agent.session().is_some()) {
                    sink.send(notification(method, "{}")).await;
                }
            }
        }
    }
    agent.close();
    drop(sink);
    // An agent that does not read any more must not keep this alive.
    let _ = tokio::time::timeout(FLUSH_TIMEOUT, all_written).await;
    Ok(())
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), ServeError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(ServeError::Thread)
}

/// Reads lines until the input ends. One that is too long is passed over.
fn read_lines(input: impl Read, lines: &mpsc::Sender<InputLine>) {
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = (&mut input).take(MAX_LINE as u64);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_cut = line.len() == MAX_LINE && !line.ends_with(b"\n");
        let read = if is_cut {
            if input.skip_until(b'\n').is_err() {
                return;
            }
            InputLine::Unreadable("The message is longer than 32 MiB")
        } else {
            match std::str::from_utf8(line.trim_ascii()) {
                Ok("") => continue,
                Ok(text) => InputLine::Message(text.to_owned()),
                Err(_) => InputLine::Unreadable("The message is not UTF-8"),
            }
        };
        if lines.blocking_send(read).is_err() {
            return;
        }
    }
}

/// Writes messages until nobody sends any, and flushes where no other waits.
fn write_lines(mut messages: mpsc::Receiver<String>, output: impl Write) {
    let mut output = BufWriter::with_capacity(64 * 1024, output);
    while let Some(first) = messages.blocking_recv() {
        let mut next = Some(first);
        while let Some(text) = next {
            let written = output.write_all(text.as_bytes());
            if written.and_then(|()| output.write_all(b"\n")).is_err() {
                return;
            }
            next = messages.try_recv().ok();
        }
        if output.flush().is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let mut text = vec![b'a'; MAX_LINE + 10];
        text.extend_from_slice(b"\n\n{}\r\n\xff\n");
        let (lines, mut read) = mpsc::channel(8);
        read_lines(&text[..], &lines);
        drop(lines);
        let mut next = || read.blocking_recv();
        assert!(matches!(next(), Some(InputLine::Unreadable(_))));
        assert!(matches!(next(), Some(InputLine::Message(text)) if text == "{}"));
        assert!(matches!(next(), Some(InputLine::Unreadable(_))));
        assert!(next().is_none());
    }
}
