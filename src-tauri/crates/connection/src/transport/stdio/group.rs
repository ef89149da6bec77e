//! Process group: a process together with everything that it started, ended as one.

use process_wrap::tokio::ChildWrapper;

/// The process group that a server leads. On Windows the job object does its work, and
/// this holds the process id alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessGroup {
    leader: u32,
}

impl ProcessGroup {
    /// The group of a child that was started as a leader.
    pub(super) fn of(child: &dyn ChildWrapper) -> Self {
        // The id is absent only after the child has been waited for, which never happened.
        Self {
            leader: child.id().unwrap_or_default(),
        }
    }

    pub(super) fn leader(self) -> u32 {
        self.leader
    }
}

#[cfg(unix)]
mod unix {
    use std::process::ExitStatus;

    use process_wrap::tokio::ChildWrapper;

    use super::ProcessGroup;

    impl ProcessGroup {
        /// Reads a group from the reaper's protocol.
        pub(in crate::transport::stdio) fn from_leader(leader: u32) -> Self {
            Self { leader }
        }

        /// True when any member is left, the leader or a grandchild.
        pub(in crate::transport::stdio) fn is_alive(self) -> bool {
            self.signal(0)
        }

        pub(in crate::transport::stdio) fn terminate(self) {
            self.signal(libc::SIGTERM);
        }

        pub(in crate::transport::stdio) fn kill(self) {
            self.signal(libc::SIGKILL);
        }

        /// Returns true when the signal found a process.
        fn signal(self, signal: libc::c_int) -> bool {
            let Ok(leader) = libc::pid_t::try_from(self.leader) else {
                return false;
            };
            // 0 would be our own group and 1 would be everybody's.
            if leader <= 1 {
                return false;
            }
            // SAFETY: kill(2) takes two integers and touches no memory of ours.
            unsafe { libc::kill(-leader, signal) == 0 }
        }

        pub(in crate::transport::stdio) fn released(self, child: Box<dyn ChildWrapper>) {
            drop(child);
        }
    }

    pub(in crate::transport::stdio) fn signal_of(status: ExitStatus) -> Option<i32> {
        std::os::unix::process::ExitStatusExt::signal(&status)
    }
}

#[cfg(unix)]
pub(super) use unix::signal_of;

#[cfg(windows)]
mod windows {
    use std::process::ExitStatus;

    use process_wrap::tokio::ChildWrapper;

    use super::ProcessGroup;
    use crate::transport::stdio::child_command;

    impl ProcessGroup {
        /// The job object ends with its last handle, which `released` drops; there is
        /// nothing that could be alive after that.
        pub(in crate::transport::stdio) fn is_alive(self) -> bool {
            false
        }

        /// A console program has no equivalent of SIGTERM; closing its input was the
        /// polite request.
        pub(in crate::transport::stdio) fn terminate(self) {
            self.kill();
        }

        pub(in crate::transport::stdio) fn kill(self) {
            // `taskkill /T` ends the tree; the job object then has nothing left to do.
            let _ = child_command("taskkill")
                .args(["/F", "/T", "/PID", &self.leader.to_string()])
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .status();
        }

        /// Closing the job ends whatever the process left behind.
        pub(in crate::transport::stdio) fn released(self, mut child: Box<dyn ChildWrapper>) {
            let _ = child.start_kill();
        }
    }

    pub(in crate::transport::stdio) fn signal_of(_status: ExitStatus) -> Option<i32> {
        None
    }
}

#[cfg(windows)]
pub(super) use windows::signal_of;
