//! Serves answers that come from elsewhere, over the transports of this server.

use std::{process::ExitCode, sync::Arc};

use crate::{
    Error, catalog, http,
    options::{ListenTransport, Options},
    protocol::Eras,
    responder::Responder,
    server::Server,
    stdio,
};

/// Serves what `responder` answers until the client goes away, and returns the exit code. Requests
/// of other eras than `eras` are refused as a server refuses them that never heard of them.
///
/// # Errors
///
/// When it cannot start serving; never because of what a client does.
pub async fn serve(
    responder: Arc<dyn Responder>,
    eras: Eras,
    transport: ListenTransport,
) -> Result<ExitCode, Error> {
    let options = Options {
        eras,
        transport,
        ..Options::default()
    };
    let lists = catalog::build(&options);
    let server = Server::answering(options, lists, responder);
    match transport {
        ListenTransport::Stdio => stdio::serve(server).await,
        ListenTransport::Http { port, answers } => http::serve(server, port, answers).await,
    }
}
