//! A process that outlives a killed application by moments and takes its servers along.
//!
//! A process that is killed with SIGKILL cannot clean up. So the application starts a program
//! with a hidden argument, as a *reaper*. It reads the process groups of running servers from a
//! pipe; the kernel closes the pipe when the application dies, however it dies, and the reaper
//! then ends the groups that are left. On Windows the job objects do this, and there is no
//! reaper.
//!
//! Linux's parent-death signal is used only where there is no reaper: it ends the servers, but
//! not what they started in turn, and arming it takes a real fork, which copies the page tables
//! of the whole application for every server.

use std::{ffi::OsString, path::PathBuf};

/// The hidden argument on which each executable of ours is the reaper.
pub const REAPER_ARGUMENT: &str = "--reap-servers";

/// How to start the reaper: an executable of ours and the hidden argument on which it calls
/// [`run_reaper`].
#[derive(Debug, Clone)]
pub struct ReaperCommand {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

#[cfg(unix)]
mod unix {
    use std::{
        io::{self, BufRead, Write},
        os::unix::process::CommandExt,
        process::{Child, ChildStdin, Command, Stdio},
        sync::Mutex,
        time::Duration,
    };

    use super::ReaperCommand;
    use crate::{process::group::ProcessGroup, sync::lock};

    /// How long groups may take to end after SIGTERM.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// The application's end of the pipe. The reaper starts with the first process.
    pub(crate) struct Reaper {
        command: ReaperCommand,
        running: Mutex<Option<(Child, ChildStdin)>>,
    }

    impl Reaper {
        pub(crate) fn new(command: ReaperCommand) -> Self {
            Self {
                command,
                running: Mutex::default(),
            }
        }

        /// Starts the reaper unless it runs. False when there is none.
        pub(in crate::process) fn is_ready(&self) -> bool {
            let mut running = lock(&self.running);
            if let Some((child, _)) = running.as_mut()
                && !matches!(child.try_wait(), Ok(None))
            {
                *running = None;
            }
            if running.is_none() {
                *running = self.start();
            }
            running.is_some()
        }

        /// From now on the group dies with the application.
        pub(in crate::process) fn watch(&self, group: ProcessGroup) {
            self.tell('+', group);
        }

        /// The group is gone.
        pub(in crate::process) fn forget(&self, group: ProcessGroup) {
            self.tell('-', group);
        }

        fn tell(&self, sign: char, group: ProcessGroup) {
            let line = format!("{sign}{}\n", group.leader());
            if let Some((_, pipe)) = lock(&self.running).as_mut() {
                // One that was killed is replaced before the next process starts.
                let _ = pipe.write_all(line.as_bytes());
            }
        }

        fn start(&self) -> Option<(Child, ChildStdin)> {
            // A group of its own, so that Ctrl+C in a terminal does not reach it.
            let mut child = Command::new(&self.command.program)
                .args(&self.command.arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()
                .ok()?;
            let pipe = child.stdin.take()?;
            Some((child, pipe))
        }
    }

    impl Drop for Reaper {
        fn drop(&mut self) {
            if let Some((mut child, pipe)) = lock(&self.running).take() {
                drop(pipe);
                // With all groups gone it ends at once, and leaves no zombie.
                let _ = child.wait();
            }
        }
    }

    /// The reaper's own main function: reads groups from standard input until it closes,
    /// then ends those that are left. Call it when the program was started with the
    /// arguments of its [`ReaperCommand`], before anything else is set up.
    ///
    /// # Errors
    ///
    /// When standard input cannot be read; the groups known by then are ended first.
    pub fn run_reaper() -> io::Result<()> {
        // The application may be stopped by a signal to all processes of a session; the
        // reaper has to outlive that.
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // SAFETY: SIG_IGN is a valid disposition for each of these signals.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
        let mut groups: Vec<ProcessGroup> = Vec::new();
        let mut outcome = Ok(());
        for line in io::stdin().lock().lines() {
            match line {
                Ok(line) => follow(&mut groups, &line),
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        end(&groups);
        outcome
    }

    fn follow(groups: &mut Vec<ProcessGroup>, line: &str) {
        let (sign, number) = line.split_at(line.len().min(1));
        let Ok(leader) = number.parse() else { return };
        let group = ProcessGroup::from_leader(leader);
        groups.retain(|known| *known != group);
        if sign == "+" {
            groups.push(group);
        }
    }

    fn end(groups: &[ProcessGroup]) {
        const STEP: Duration = Duration::from_millis(20);
        groups.iter().for_each(|group| group.terminate());
        let mut waited = Duration::ZERO;
        while waited < PATIENCE && groups.iter().any(|group| group.is_alive()) {
            std::thread::sleep(STEP);
            waited += STEP;
        }
        groups.iter().for_each(|group| group.kill());
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_reaper_knows_the_groups_that_are_left() {
            let mut groups = Vec::new();
            for line in ["+10", "+11", "-10", "+11", "nonsense", ""] {
                follow(&mut groups, line);
            }
            assert_eq!(groups, [ProcessGroup::from_leader(11)]);
        }
    }
}

#[cfg(unix)]
pub(crate) use unix::Reaper;
#[cfg(unix)]
pub use unix::run_reaper;

#[cfg(windows)]
mod windows {
    use std::io;

    use super::ReaperCommand;
    use crate::process::group::ProcessGroup;

    /// The job objects end with the application; nothing is left to do here.
    pub(crate) struct Reaper;

    impl Reaper {
        pub(crate) fn new(_command: ReaperCommand) -> Self {
            Self
        }

        pub(in crate::process) fn is_ready(&self) -> bool {
            true
        }

        pub(in crate::process) fn watch(&self, _group: ProcessGroup) {}

        pub(in crate::process) fn forget(&self, _group: ProcessGroup) {}
    }

    /// Never needed on Windows.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn run_reaper() -> io::Result<()> {
        Ok(())
    }
}

#[cfg(windows)]
pub(crate) use windows::Reaper;
#[cfg(windows)]
pub use windows::run_reaper;
