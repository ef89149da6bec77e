use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also when a thread panicked while it held the lock: every critical section here
/// leaves its data consistent at each step, and one failed task must not take the other
/// connections with it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
