//! Jobs: work that starts, reports how far it is, ends, and can be stopped.

use std::{
    collections::HashMap,
    hash::Hash,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex},
};

use futures::FutureExt;
use sightglass_model::lock;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{error::InspectorError, publisher::Publisher, view::Fact};

/// Jobs of one kind that are under way, one of each key at most. Their events are published as
/// facts.
pub struct Jobs<K, E> {
    publisher: Arc<Publisher>,
    fact: fn(E) -> Fact,
    running: Mutex<HashMap<K, CancellationToken>>,
}

/// A job under way. Dropped, it is stopped and under way no longer.
pub struct Job<K, E> {
    pub key: K,
    /// Cancelled when the job is to end early.
    pub stop: CancellationToken,
    jobs: Arc<Jobs<K, E>>,
}

impl<K: Clone + Eq + Hash, E> Jobs<K, E> {
    /// Makes jobs whose events are published as what `fact` makes of them.
    pub fn new(publisher: &Arc<Publisher>, fact: fn(E) -> Fact) -> Arc<Self> {
        Arc::new(Self {
            publisher: Arc::clone(publisher),
            fact,
            running: Mutex::default(),
        })
    }

    /// Begins a job, and stops the one before it of the same key.
    pub fn begin(self: &Arc<Self>, key: K) -> Job<K, E> {
        let stop = CancellationToken::new();
        let before = lock(&self.running).insert(key.clone(), stop.clone());
        if let Some(before) = before {
            before.cancel();
        }
        let jobs = Arc::clone(self);
        Job { key, stop, jobs }
    }

    /// Stops the job of a key, if one is under way.
    pub fn stop(&self, key: &K) {
        if let Some(stop) = lock(&self.running).get(key) {
            stop.cancel();
        }
    }

    /// Stops all jobs.
    pub fn stop_all(&self) {
        lock(&self.running)
            .values()
            .for_each(CancellationToken::cancel);
    }
}

impl<K, E> Job<K, E> {
    /// Publishes an event of the job.
    pub fn report(&self, event: E) {
        self.jobs.publisher.publish((self.jobs.fact)(event));
    }
}

impl<K: Clone + Send + Sync + 'static, E: 'static> Job<K, E> {
    /// Does the work of the job on a task of its own. The last event is what `ended` makes of the
    /// key and of the report, or of the reason why there is none. A panic is such a reason too: the
    /// job must not seem to go on for ever.
    pub fn spawn<T, F>(
        self,
        work: impl FnOnce(Arc<Self>) -> F,
        ended: impl FnOnce(K, Option<T>, Option<String>) -> E + Send + 'static,
    ) -> JoinHandle<()>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, InspectorError>> + Send + 'static,
    {
        let job = Arc::new(self);
        let work = AssertUnwindSafe(work(Arc::clone(&job))).catch_unwind();
        tokio::spawn(async move {
            let (report, problem) = match work.await {
                Ok(Ok(report)) => (Some(report), None),
                Ok(Err(error)) => (None, Some(error.to_string())),
                Err(panic) => (None, Some(InspectorError::caught(&*panic).to_string())),
            };
            job.report(ended(job.key.clone(), report, problem));
        })
    }
}

impl<K, E> Drop for Job<K, E> {
    fn drop(&mut self) {
        self.stop.cancel();
        // A newer job of the key is not cancelled, and stays.
        lock(&self.jobs.running).retain(|_, stop| !stop.is_cancelled());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{publisher::Subscription, view::ExportProgress};

    fn jobs() -> (Arc<Jobs<u32, ExportProgress>>, Subscription) {
        let publisher = Arc::<Publisher>::default();
        let facts = publisher.subscribe();
        let jobs = Jobs::new(&publisher, |progress| Fact::Export { progress });
        (jobs, facts)
    }

    /// Returns the newest event that was published.
    async fn newest(facts: &mut Subscription) -> ExportProgress {
        let mut batch = facts.next_batch().await.expect("open");
        match batch.pop().expect("a fact").fact {
            Fact::Export { progress } => progress,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_job_stops_the_one_before_it_and_goes_on_after_the_end_of_that() {
        let (jobs, _) = jobs();
        let (first, other) = (jobs.begin(1), jobs.begin(2));
        let second = jobs.begin(1);
        assert!(first.stop.is_cancelled() && !other.stop.is_cancelled());
        drop(first);
        assert!(!second.stop.is_cancelled());
        jobs.stop(&1);
        assert!(second.stop.is_cancelled() && !other.stop.is_cancelled());
        jobs.stop_all();
        assert!(other.stop.is_cancelled());
        drop((second, other));
        assert!(lock(&jobs.running).is_empty());
    }

    #[tokio::test]
    async fn a_job_ends_with_its_report() {
        let (jobs, mut facts) = jobs();
        let task = jobs.begin(3).spawn(
            |job| async move {
                job.stop.cancelled().await;
                Ok(5)
            },
            |run, report, problem| {
                assert_eq!(problem, None);
                let done = report.unwrap_or_default();
                ExportProgress { run, done, of: 5 }
            },
        );
        jobs.stop(&3);
        task.await.expect("no panic");
        let (run, done, of) = (3, 5, 5);
        let expected = ExportProgress { run, done, of };
        assert_eq!(newest(&mut facts).await, expected);
        assert!(lock(&jobs.running).is_empty());
    }

    #[tokio::test]
    async fn a_job_that_panics_ends_with_a_problem() {
        let (jobs, mut facts) = jobs();
        let task = jobs.begin(3).spawn(
            |job| async move {
                job.report(ExportProgress {
                    run: job.key,
                    done: 1,
                    of: 0,
                });
                assert_eq!(job.key, 0, "the defect");
                Ok(())
            },
            |run, report: Option<()>, problem| {
                let problem = problem.expect("a reason");
                assert!(problem.contains("internal error"), "{problem}");
                ExportProgress {
                    run,
                    done: u32::from(report.is_some()),
                    of: 7,
                }
            },
        );
        task.await.expect("the panic is caught");
        let (run, done, of) = (3, 0, 7);
        let expected = ExportProgress { run, done, of };
        assert_eq!(newest(&mut facts).await, expected);
        assert!(lock(&jobs.running).is_empty());
    }
}
