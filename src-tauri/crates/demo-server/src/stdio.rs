//! The stdio transport: one JSON message per line.
//!
//! A thread reads stdin and answers what can be answered at once; longer work runs
//! as tasks. A [`LineWriter`] owns stdout.

use std::{
    io::{self, BufRead, BufReader},
    process::ExitCode,
    sync::Arc,
    thread,
    time::Duration,
};

use tokio::{runtime::Handle, sync::oneshot};

use crate::{
    Error,
    answer::Accepted,
    connection::ClientConnection,
    dispatch,
    server::Server,
    sink::{LineWriter, Sink},
};

const READ_BUFFER_BYTES: usize = 64 * 1024;
/// Time for the last messages to be written once stdin is closed.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// Serves one client on stdin and stdout until stdin ends.
pub async fn serve(server: Arc<Server>) -> Result<ExitCode, Error> {
    let writer = LineWriter::start(io::stdout()).map_err(Error::Thread)?;
    let sink = Sink::Lines(writer.clone());
    let connection = ClientConnection::new(sink.clone());
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
    let _timed_out = tokio::time::timeout(FLUSH_TIMEOUT, writer.flush()).await;
    Ok(exit.map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Calls `receive` for each line until the end of the input or an error.
fn read_all(input: impl io::Read, mut receive: impl FnMut(&[u8])) {
    let mut input = BufReader::with_capacity(READ_BUFFER_BYTES, input);
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
    connection: &Arc<ClientConnection>,
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
}
