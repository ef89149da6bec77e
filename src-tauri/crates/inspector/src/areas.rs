//! Areas of what the application can do. Each is put together from parts that call one another in
//! one direction, and knows the areas below it.

mod calls;
mod checks;
mod clients;
mod record;
mod servers;
mod setup;
mod tests;

pub use self::{
    calls::Calls, checks::Checks, clients::Clients, record::Record, servers::Servers, setup::Setup,
    tests::Tests,
};
