//! Stories of comparing and examining what servers offer.

mod generated;
mod lint;
mod rules;
