//! Reaper: a process that outlives a killed application by moments and ends its servers.
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

/// Command of the reaper: an executable of ours and the hidden argument on which it calls
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
        process::{Child, ChildStdin, Stdio},
        sync::Mutex,
        time::Duration,
    };

    use super::ReaperCommand;
    use crate::{
        sync::lock,
        transport::stdio::{child_command, group::ProcessGroup},
    };

    /// Time limit for groups to end after SIGTERM.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// The application's end of the pipe. The reaper starts with the first process.
    pub(crate) struct Reaper {
        command: ReaperCommand,
        state: Mutex<ReaperState>,
    }

    #[derive(Default)]
    struct ReaperState {
        running: Option<(Child, ChildStdin)>,
        /// The groups that a reaper has to know, for one that takes the place of another.
        groups: Vec<ProcessGroup>,
    }

    impl Reaper {
        pub(crate) fn new(command: ReaperCommand) -> Self {
            Self {
                command,
                state: Mutex::default(),
            }
        }

        /// Starts the reaper unless it runs. False when there is none.
        pub(in crate::transport::stdio) fn is_ready(&self) -> bool {
            self.revive(&mut lock(&self.state))
        }

        /// From now on the group dies with the application.
        pub(in crate::transport::stdio) fn watch(&self, group: ProcessGroup) {
            let mut state = lock(&self.state);
            state.groups.push(group);
            self.tell(&mut state, '+', group);
        }

        /// The group is gone.
        pub(in crate::transport::stdio) fn forget(&self, group: ProcessGroup) {
            let mut state = lock(&self.state);
            state.groups.retain(|known| *known != group);
            self.tell(&mut state, '-', group);
        }

        /// Tells the reaper of a group. One that was killed is replaced first.
        fn tell(&self, state: &mut ReaperState, sign: char, group: ProcessGroup) {
            let told = match &mut state.running {
                Some((_, pipe)) => pipe.write_all(line(sign, group).as_bytes()).is_ok(),
                // It was never there, and Linux ends the servers itself.
                None => true,
            };
            if !told {
                self.revive(state);
            }
        }

        /// Starts the reaper unless it runs, and tells it of all groups there are.
        fn revive(&self, state: &mut ReaperState) -> bool {
            if let Some((child, _)) = &mut state.running
                && !matches!(child.try_wait(), Ok(None))
            {
                state.running = None;
            }
            if state.running.is_none()
                && let Some((child, mut pipe)) = self.start()
            {
                let lines: String = state.groups.iter().map(|group| line('+', *group)).collect();
                // One that is killed at once is replaced at the next occasion.
                let _ = pipe.write_all(lines.as_bytes());
                state.running = Some((child, pipe));
            }
            state.running.is_some()
        }

        fn start(&self) -> Option<(Child, ChildStdin)> {
            // A group of its own, so that Ctrl+C in a terminal does not reach it.
            let mut child = child_command(&self.command.program)
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
            if let Some((mut child, pipe)) = lock(&self.state).running.take() {
                drop(pipe);
                // With all groups gone it ends at once, and leaves no zombie.
                let _ = child.wait();
            }
        }
    }

    fn line(sign: char, group: ProcessGroup) -> String {
        format!("{sign}{}\n", group.leader())
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
        fn a_reaper_that_takes_the_place_of_a_killed_one_knows_the_groups_that_run() {
            let directory = tempfile::tempdir().unwrap();
            let told = directory.path().join("told");
            let script = format!("exec cat >> {}", told.display());
            let reaper = Reaper::new(ReaperCommand {
                program: "/bin/sh".into(),
                arguments: vec!["-c".into(), script.into()],
            });
            assert!(reaper.is_ready());
            let [first, gone, next] =
                [1_000_001, 1_000_002, 1_000_003].map(ProcessGroup::from_leader);
            reaper.watch(first);
            reaper.watch(gone);
            reaper.forget(gone);
            if let Some((child, _)) = &mut lock(&reaper.state).running {
                child.kill().unwrap();
                child.wait().unwrap();
            }
            std::fs::write(&told, "").unwrap();
            assert!(reaper.is_ready());
            reaper.watch(next);
            // Closes the pipe and waits for the reaper to end.
            drop(reaper);
            assert_eq!(
                std::fs::read_to_string(&told).unwrap(),
                "+1000001\n+1000003\n"
            );
        }

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
    use crate::transport::stdio::group::ProcessGroup;

    /// The job objects end with the application; nothing is left to do here.
    pub(crate) struct Reaper;

    impl Reaper {
        pub(crate) fn new(_command: ReaperCommand) -> Self {
            Self
        }

        pub(in crate::transport::stdio) fn is_ready(&self) -> bool {
            true
        }

        pub(in crate::transport::stdio) fn watch(&self, _group: ProcessGroup) {}

        pub(in crate::transport::stdio) fn forget(&self, _group: ProcessGroup) {}
    }

    /// Never needed on Windows.
    pub fn run_reaper() -> io::Result<()> {
        Ok(())
    }
}

#[cfg(windows)]
pub(crate) use windows::Reaper;
#[cfg(windows)]
pub use windows::run_reaper;
