//! Session files: recorded traffic as a file to hand on, and such a file read again.
//!
//! Values in, values out: nothing here connects, and nothing here is shown.
