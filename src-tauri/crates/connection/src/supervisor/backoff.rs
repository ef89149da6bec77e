//! Decides if and when a lost connection is retried: exponential backoff with limits.
//!
//! - Only a connection that was up is made again. A first attempt that fails is the user's
//!   to repeat: its explanation is worth more than its repetition.
//! - A refusal is final: sign-in, policy, configuration, a program that cannot be started, a
//!   status such as 404, an answer that the protocol does not allow.
//! - What may pass by itself is tried again for as long as the user lets it: connection
//!   refused, no such host, a broken connection, HTTP 408, 429 and 5xx, a time limit.
//! - A program that ends before it is ready has failed, with its exit code and last words.
//!   One that becomes ready and ends within [`STEADY`] is started again, but the third such
//!   life in a row is the last.
//!
//! The wait doubles from [`MIN_WAIT`] to [`MAX_WAIT`], each time a fifth more or less,
//! so that many clients of one server do not come back at one moment. A life longer than
//! [`STEADY`] begins the count anew. A server that says when it wants to be asked again
//! (`Retry-After`) is not asked before, [`MAX_REQUESTED_WAIT`] at most: the user can have the
//! next try at any time.

use std::time::Duration;

use sightglass_model::{Failure, NetworkStage};

const MIN_WAIT: Duration = Duration::from_secs(1);
const MAX_WAIT: Duration = Duration::from_secs(30);
/// The longest wait that a server is granted.
const MAX_REQUESTED_WAIT: Duration = Duration::from_secs(300);
/// A connection that was up for this long did not fail at its start.
const STEADY: Duration = Duration::from_secs(10);
/// Lives in a row, each shorter than [`STEADY`], after which a program or a session is given
/// up.
const MAX_SHORT_LIVES: u32 = 3;

/// The next try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Retry {
    /// From 1.
    pub attempt: u32,
    pub wait: Duration,
}

/// State kept from attempt to attempt.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    attempt: u32,
    short_lives: u32,
}

impl Backoff {
    /// Decides what to do after a failure. `lived` is how long the connection had been up, if it
    /// was; `requested` the wait that the server asked for.
    pub(crate) fn after(
        &mut self,
        failure: &Failure,
        lived: Option<Duration>,
        requested: Option<Duration>,
    ) -> Option<Retry> {
        let was_lost = lived.is_some() || self.attempt > 0;
        if !was_lost || !may_pass(failure, lived.is_some()) {
            return None;
        }
        match lived {
            Some(lived) if lived >= STEADY => *self = Self::default(),
            Some(_) if is_the_programs_end(failure) => {
                self.short_lives += 1;
                if self.short_lives >= MAX_SHORT_LIVES {
                    return None;
                }
            }
            _ => {}
        }
        let wait = MIN_WAIT.saturating_mul(1 << self.attempt.min(5));
        self.attempt += 1;
        Some(Retry {
            attempt: self.attempt,
            wait: spread(wait, fastrand::f64())
                .min(MAX_WAIT)
                .max(requested.unwrap_or_default().min(MAX_REQUESTED_WAIT)),
        })
    }
}

/// Limits the renewals of sessions that the server forgot.
#[derive(Debug, Default)]
pub(crate) struct Renewals {
    short_lives: u32,
}

impl Renewals {
    /// Returns true when a session that lived this long may be followed by another.
    pub(crate) fn allow(&mut self, lived: Duration) -> bool {
        if lived >= STEADY {
            self.short_lives = 0;
        }
        self.short_lives += 1;
        self.short_lives < MAX_SHORT_LIVES
    }
}

/// `wait`, a fifth more or less; `chance` is from 0 to 1.
fn spread(wait: Duration, chance: f64) -> Duration {
    wait.mul_f64(0.8 + 0.4 * chance)
}

fn may_pass(failure: &Failure, was_up: bool) -> bool {
    match failure {
        Failure::Network {
            stage: NetworkStage::Http,
            status: Some(status),
            ..
        } => matches!(status, 408 | 429 | 500..),
        // Certificates, which do not change by themselves, are refused in a failure of their own.
        Failure::Network { .. } | Failure::TimedOut { .. } => true,
        Failure::Exited { .. } | Failure::ProtocolError { .. } => was_up,
        Failure::SpawnFailed { .. }
        | Failure::SignInRequired { .. }
        | Failure::TokenUnreadable { .. }
        | Failure::ClientRegistrationRequired { .. }
        | Failure::RefusedByPolicy { .. }
        | Failure::CertificateRefused { .. }
        | Failure::SessionExpired { .. }
        | Failure::Configuration { .. }
        | Failure::InternalError { .. } => false,
    }
}

fn is_the_programs_end(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::Exited { .. } | Failure::ProtocolError { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRIEFLY: Option<Duration> = Some(Duration::from_secs(1));
    const LONG: Option<Duration> = Some(Duration::from_secs(60));

    fn exited() -> Failure {
        Failure::Exited {
            command_line: "server".into(),
            code: Some(1),
            signal: None,
            stderr: Vec::new(),
            stdout: Vec::new(),
            unanswered: Vec::new(),
        }
    }

    fn network(stage: NetworkStage, status: Option<u16>) -> Failure {
        Failure::Network {
            stage,
            url: "http://localhost".into(),
            status,
            message: String::new(),
            body: None,
            proxy: None,
            fault: None,
        }
    }

    fn refusal() -> Failure {
        Failure::SignInRequired {
            url: "http://localhost".into(),
            status: 401,
            challenge: None,
            scopes: Vec::new(),
            body: None,
            token: None,
            sent_password: false,
        }
    }

    #[test]
    fn a_first_attempt_that_fails_is_not_repeated() {
        for failure in [exited(), network(NetworkStage::Tcp, None)] {
            assert_eq!(Backoff::default().after(&failure, None, None), None);
        }
    }

    #[test]
    fn a_refusal_is_final_whenever_it_comes() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.after(&refusal(), LONG, None), None);
        assert!(
            backoff
                .after(&network(NetworkStage::Tcp, None), LONG, None)
                .is_some()
        );
        assert_eq!(backoff.after(&refusal(), None, None), None);
        assert_eq!(
            backoff.after(&network(NetworkStage::Http, Some(404)), None, None),
            None
        );
    }

    #[test]
    fn the_wait_doubles_to_its_limit_and_begins_anew_after_a_long_life() {
        let mut backoff = Backoff::default();
        let gone = network(NetworkStage::Tcp, None);
        let mut lived = LONG;
        for expected in [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0] {
            let wait = backoff.after(&gone, lived.take(), None).unwrap().wait;
            assert!(wait >= Duration::from_secs_f64(expected * 0.8), "{wait:?}");
            assert!(wait <= Duration::from_secs_f64(expected * 1.2), "{wait:?}");
            assert!(wait <= MAX_WAIT);
        }
        assert_eq!(backoff.after(&gone, LONG, None).unwrap().attempt, 1);
        assert_eq!(spread(MIN_WAIT, 0.0), Duration::from_millis(800));
        assert_eq!(spread(MIN_WAIT, 1.0), Duration::from_millis(1200));
    }

    #[test]
    fn a_server_that_asks_to_be_left_alone_is_for_a_while() {
        let mut backoff = Backoff::default();
        let busy = network(NetworkStage::Http, Some(503));
        let seconds = Duration::from_secs;
        let mut wait = |requested| backoff.after(&busy, LONG, Some(requested)).unwrap().wait;
        assert_eq!(wait(seconds(60)), seconds(60));
        assert_eq!(wait(seconds(86_400)), MAX_REQUESTED_WAIT);
        assert!(
            wait(Duration::ZERO) >= MIN_WAIT.mul_f64(0.8),
            "not sooner than else"
        );
    }

    #[test]
    fn a_server_error_may_pass() {
        let mut backoff = Backoff::default();
        assert!(
            backoff
                .after(&network(NetworkStage::Tcp, None), LONG, None)
                .is_some()
        );
        for status in [408, 429, 500, 502, 503] {
            let failure = network(NetworkStage::Http, Some(status));
            assert!(backoff.after(&failure, None, None).is_some(), "{status}");
        }
    }

    #[test]
    fn a_program_that_keeps_ending_soon_is_given_up() {
        let mut backoff = Backoff::default();
        assert!(backoff.after(&exited(), BRIEFLY, None).is_some());
        assert!(backoff.after(&exited(), BRIEFLY, None).is_some());
        assert_eq!(backoff.after(&exited(), BRIEFLY, None), None);

        let mut backoff = Backoff::default();
        assert!(backoff.after(&exited(), LONG, None).is_some());
        assert_eq!(
            backoff.after(&exited(), None, None),
            None,
            "never ready again"
        );
    }

    #[test]
    fn a_server_that_forgets_each_session_at_once_is_given_up() {
        let mut renewals = Renewals::default();
        let soon = Duration::from_secs(1);
        assert!(renewals.allow(soon));
        assert!(renewals.allow(soon));
        assert!(!renewals.allow(soon));
        assert!(renewals.allow(STEADY));
    }
}
