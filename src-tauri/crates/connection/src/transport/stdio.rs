//! Stdio transport (MCP, transports): starts a server as a child process, and ends it.
//!
//! Four tasks serve one process: a writer for the messages that cannot be written at once, a reader
//! for messages, a reader for stderr, and one that waits for the process to end. All output is
//! recorded before it is interpreted.

mod background;
mod group;
mod input;
mod lines;
mod locate;
mod login_shell;
mod reaper;
#[cfg(any(windows, test))]
mod resolve;
mod spawn;
mod spawner;
mod stderr;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::FutureExt;
use process_wrap::tokio::ChildWrapper;
use sightglass_model::Failure;
use sightglass_traffic::Direction;
use tokio::{
    io::AsyncWriteExt,
    process::ChildStdin,
    sync::{mpsc, watch},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

pub use background::start_in_background;
use group::ProcessGroup;
use input::{Input, QueuePlace};
pub(crate) use locate::ProgramSearch;
pub(crate) use login_shell::LoginShell;
pub(crate) use reaper::Reaper;
pub use reaper::{REAPER_ARGUMENT, ReaperCommand, run_reaper};
use spawn::Guardian;
pub(crate) use spawn::ServerProgram;
pub use spawner::prepare_to_start_processes;
pub(crate) use spawner::{child_command, inherited_secrets, on_spawner};
use stderr::Tail;

use crate::{
    sync::lock,
    transport::error::TransportError,
    transport::{Outbound, TransportEnd, TransportEvents},
};

/// Messages that may wait for the server to read its standard input.
const WRITE_QUEUE: usize = 256;
/// Bytes of messages that are written together. A pipe takes as many at once or none of them.
const MAX_BATCH_BYTES: usize = 4096;
/// Bytes of a message that is written by who sends it. Elsewhere a pipe is written on a thread.
const MAX_BYTES_AT_ONCE: usize = if cfg!(unix) { MAX_BATCH_BYTES } else { 0 };
/// Time limit for a process to end after its standard input was closed.
const END_OF_INPUT_TIMEOUT: Duration = Duration::from_millis(1500);
/// Time limit for a process to end after SIGTERM.
const TERMINATE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time for which output that is still in the pipe is read after the process ended. A grandchild
/// may hold the pipe open for ever.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);
/// Time limit for a process that closed its output to end.
const END_OF_OUTPUT_TIMEOUT: Duration = Duration::from_secs(1);

/// Exit of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ProcessExit {
    code: Option<i32>,
    signal: Option<i32>,
}

/// The way to a server over its standard streams.
pub(crate) struct StdioTransport {
    input: Option<Arc<Input<ChildStdin>>>,
    outbound: mpsc::Sender<QueuedMessage>,
    end_of_input: CancellationToken,
    exit: watch::Receiver<Option<ProcessExit>>,
    group: ProcessGroup,
    stderr: Arc<Mutex<Tail>>,
    /// The end of what came on standard output and is no message.
    stdout: Arc<Mutex<Tail>>,
    reaper: Option<Arc<Reaper>>,
}

impl StdioTransport {
    /// Starts the program and serves its pipes until it ends.
    pub(crate) async fn open(
        events: &Arc<impl TransportEvents>,
        program: ServerProgram,
        reaper: Option<Arc<Reaper>>,
    ) -> Result<Self, Failure> {
        let guardian = match &reaper {
            Some(reaper) if reaper.is_ready() => Guardian::Reaper,
            _ => Guardian::Kernel,
        };
        let mut child = spawn::spawn(program, guardian).await?;
        let group = ProcessGroup::of(child.as_ref());
        if let Some(reaper) = &reaper {
            reaper.watch(group);
        }
        let (outbound, outgoing) = mpsc::channel(WRITE_QUEUE);
        let end_of_input = CancellationToken::new();
        let output_done = CancellationToken::new();
        let stderr = Arc::new(Mutex::new(Tail::default()));
        let stray = Arc::new(Mutex::new(Tail::default()));
        let input = child.stdin().take().map(Input::new);
        if let Some(input) = input.clone() {
            let (writer, end) = (Arc::clone(events), end_of_input.clone());
            events.spawn_to_completion(async move {
                tokio::select! {
                    biased;
                    () = end.cancelled() => {}
                    () = write_messages(&*writer, &input, outgoing) => {}
                }
                input.close();
            });
        }
        if let Some(stdout) = child.stdout().take() {
            let (reader, stray, done) =
                (Arc::clone(events), Arc::clone(&stray), output_done.clone());
            // Reads on after the end, and drops what comes, so that the program can end.
            events.spawn_to_completion(async move {
                lines::read_messages(&reader, stdout, &stray).await;
                done.cancel();
            });
        }
        let errors_done = CancellationToken::new();
        if let Some(pipe) = child.stderr().take() {
            let (reader, tail, done) =
                (Arc::clone(events), Arc::clone(&stderr), errors_done.clone());
            events.spawn_to_completion(async move {
                stderr::read(pipe, reader, tail).await;
                done.cancel();
            });
        }
        let (exit_sender, exit) = watch::channel(None);
        events.spawn_to_completion(await_end(AwaitEnd {
            events: Arc::clone(events),
            child,
            group,
            exit: exit_sender,
            output_done,
            errors_done,
        }));
        Ok(Self {
            input,
            outbound,
            end_of_input,
            exit,
            group,
            stderr,
            stdout: stray,
            reaper,
        })
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.group.leader()
    }

    /// The last lines of stderr.
    pub(crate) fn stderr_tail(&self) -> Vec<String> {
        lock(&self.stderr).lines()
    }

    /// The question that stderr ends with.
    pub(crate) fn question(&self) -> Option<String> {
        lock(&self.stderr).question()
    }

    /// The last lines of standard output that are no messages.
    pub(crate) fn stdout_tail(&self) -> Vec<String> {
        lock(&self.stdout).lines()
    }

    /// Writes a message, or queues it where it has to wait.
    pub(crate) async fn send(
        &self,
        events: &impl TransportEvents,
        outbound: Outbound,
    ) -> Result<(), TransportError> {
        let input = self.input.as_ref().ok_or(TransportError::Closed)?;
        if outbound.text.len() < MAX_BYTES_AT_ONCE
            && input.write_now(|| recorded_now(events, &outbound))
        {
            return Ok(());
        }
        let queued = QueuedMessage {
            outbound,
            _place: input.place(),
        };
        let sent = self.outbound.send(queued).await;
        sent.map_err(|_| TransportError::Closed)
    }

    async fn exited(&self) {
        // An error means that the waiter for the process is gone, and the process with it.
        let _ = self.exit.clone().wait_for(Option::is_some).await;
    }

    /// Ends the process and all that it started: end of input, SIGTERM to the group, then
    /// SIGKILL to the group, each after giving the one before it time.
    pub(crate) async fn close(&self) {
        self.end_of_input.cancel();
        let left = timeout(END_OF_INPUT_TIMEOUT, self.exited()).await;
        if left.is_err() || self.group.is_alive() {
            self.group.terminate();
            let gone = timeout(TERMINATE_TIMEOUT, async {
                self.exited().await;
                while self.group.is_alive() {
                    sleep(Duration::from_millis(10)).await;
                }
            });
            if gone.await.is_err() {
                self.group.kill();
                // After SIGKILL only the kernel can keep it; waiting longer would not help.
                let _ = timeout(TERMINATE_TIMEOUT, self.exited()).await;
            }
        }
        if let Some(reaper) = &self.reaper {
            reaper.forget(self.group);
        }
    }
}

/// A message that waits to be written.
struct QueuedMessage<W = ChildStdin> {
    outbound: Outbound,
    _place: QueuePlace<W>,
}

/// Records a message that is about to be written, and returns its line; `None` where the record has
/// no room for it now.
fn recorded_now(events: &impl TransportEvents, outbound: &Outbound) -> Option<Vec<u8>> {
    let mut line = Vec::with_capacity(outbound.text.len() + 1);
    record(events, outbound, &mut line).now_or_never()?;
    Some(line)
}

/// Records a message that is about to be written, and adds it to the lines. It is on record with its
/// pipe in hand, so that the record's order is that of the pipe.
async fn record(events: &impl TransportEvents, outbound: &Outbound, lines: &mut Vec<u8>) {
    let recorder = &events.connection().recorder;
    let recorded = recorder.message(Direction::Sent, &outbound.text, None);
    let frame = recorded.await.frame;
    if let Some(request) = &outbound.request {
        events.sent(request.id, frame);
    }
    lines.extend_from_slice(&outbound.text);
    lines.push(b'\n');
}

/// Records and writes the messages that wait, in the order in which they were handed over.
async fn write_messages(
    events: &impl TransportEvents,
    input: &Input<ChildStdin>,
    mut outgoing: mpsc::Receiver<QueuedMessage>,
) {
    loop {
        let first = tokio::select! {
            () = input.begun.notified() => None,
            queued = outgoing.recv() => match queued {
                Some(queued) => Some(queued),
                None => return,
            },
        };
        let Some((mut stdin, mut lines)) = input.take() else {
            return;
        };
        let batch = first.map(|first| with_waiting(first, &mut outgoing));
        for queued in batch.iter().flatten() {
            record(events, &queued.outbound, &mut lines).await;
        }
        let written = async {
            stdin.write_all(&lines).await?;
            stdin.flush().await
        };
        if written.await.is_err() {
            // The process closed its input. What that means shows when it ends.
            return;
        }
        input.give_back(stdin);
    }
}

/// Takes along what waits already and is small enough, in its order: under load a server is woken
/// once for several messages.
fn with_waiting<W>(
    first: QueuedMessage<W>,
    outgoing: &mut mpsc::Receiver<QueuedMessage<W>>,
) -> Vec<QueuedMessage<W>> {
    let mut bytes = first.outbound.text.len();
    let mut batch = vec![first];
    while bytes < MAX_BATCH_BYTES
        && let Ok(next) = outgoing.try_recv()
    {
        bytes += next.outbound.text.len();
        batch.push(next);
    }
    batch
}

struct AwaitEnd<E> {
    events: Arc<E>,
    child: Box<dyn ChildWrapper>,
    group: ProcessGroup,
    exit: watch::Sender<Option<ProcessExit>>,
    output_done: CancellationToken,
    errors_done: CancellationToken,
}

async fn await_end(mut parts: AwaitEnd<impl TransportEvents>) {
    let status = tokio::select! {
        status = parts.child.wait() => status,
        () = parts.output_done.cancelled() => {
            match timeout(END_OF_OUTPUT_TIMEOUT, parts.child.wait()).await {
                Ok(status) => status,
                Err(_) => {
                    parts.events.end(TransportEnd::OutputClosed);
                    parts.child.wait().await
                }
            }
        }
    };
    let exit = match status {
        Ok(status) => ProcessExit {
            code: status.code(),
            signal: group::signal_of(status),
        },
        Err(_) => ProcessExit {
            code: None,
            signal: None,
        },
    };
    let _ = timeout(DRAIN_TIMEOUT, async {
        parts.output_done.cancelled().await;
        parts.errors_done.cancelled().await;
    })
    .await;
    parts
        .events
        .connection()
        .recorder
        .note("exit", &exit_message(exit));
    // Receivers may be gone when the program is shutting down.
    let _ = parts.exit.send(Some(exit));
    parts.events.end(TransportEnd::Exited {
        code: exit.code,
        signal: exit.signal,
    });
    // What the process started and left behind is ended by `close`; the job object of
    // Windows must stay open until then.
    parts.group.released(parts.child);
}

fn exit_message(exit: ProcessExit) -> String {
    match exit {
        ProcessExit {
            code: Some(code), ..
        } => format!("The process exited with code {code}."),
        ProcessExit {
            signal: Some(signal),
            ..
        } => format!("The process was killed by signal {signal}."),
        _ => "The process ended.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_written_together_in_its_order_up_to_a_limit() {
        let (sender, mut waiting) = mpsc::channel(WRITE_QUEUE);
        let input = Input::new(tokio::io::sink());
        let message = |number: usize, size: usize| QueuedMessage {
            outbound: Outbound {
                text: format!("{number:size$}").into(),
                request: None,
            },
            _place: input.place(),
        };
        for (number, size) in [(1, 10), (2, 10), (3, MAX_BATCH_BYTES), (4, 10)] {
            assert!(sender.try_send(message(number, size)).is_ok());
        }
        let numbers = |batch: Vec<QueuedMessage<_>>| -> Vec<usize> {
            let texts = batch.iter().map(|one| &one.outbound.text);
            texts
                .map(|text| String::from_utf8_lossy(text))
                .map(|text| text.trim().parse().expect("a number"))
                .collect()
        };
        assert_eq!(
            numbers(with_waiting(message(0, 10), &mut waiting)),
            [0, 1, 2, 3]
        );
        assert_eq!(numbers(with_waiting(message(0, 10), &mut waiting)), [0, 4]);
        assert_eq!(numbers(with_waiting(message(5, 10), &mut waiting)), [5]);
    }
}
