use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a panic while it was held: what it guards is whole between two
/// statements, and one defect must not stop the rest.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
