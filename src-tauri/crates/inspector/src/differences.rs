//! Says what a client does with a server of its own that Sightglass does not do.

use sightglass_config::Client;

use crate::config_workspace::ConfiguredServer;

/// Members of clients' entries that change how a server runs and have no counterpart here.
const NOT_REPRODUCED: [(Client, &str, &str); 12] = [
    (
        Client::Vscode,
        "sandboxEnabled",
        "VS Code runs it in a sandbox. Here it runs without one.",
    ),
    (
        Client::Vscode,
        "sandbox",
        "VS Code runs it with the rules of `sandbox`. Here it runs without them.",
    ),
    (
        Client::Vscode,
        "dev",
        "VS Code restarts it when files change and can debug it (`dev`).",
    ),
    (
        Client::Caliban,
        "lazy",
        "caliban starts it when a tool is first used (`lazy`).",
    ),
    (
        Client::Caliban,
        "permissions",
        "caliban asks or refuses by `permissions`. Here every call is made.",
    ),
    (
        Client::Caliban,
        "oauth_config",
        "caliban signs in with `oauth_config`. Here it is set in the Auth tab.",
    ),
    (
        Client::Codex,
        "experimental_environment",
        "Codex may run it in another environment.",
    ),
    (
        Client::Codex,
        "required",
        "Codex does not start when this server fails (`required`).",
    ),
    (
        Client::Gemini,
        "authProviderType",
        "Gemini CLI signs in through Google (`authProviderType`).",
    ),
    (
        Client::Goose,
        "env_keys",
        "Goose adds secrets of its keyring (`env_keys`). Here they come from the environment alone.",
    ),
    (
        Client::Goose,
        "available_tools",
        "Goose may offer some of its tools alone (`available_tools`).",
    ),
    (
        Client::Zed,
        "remote",
        "Zed may run it on the remote machine of a project (`remote`).",
    ),
];

/// The differences of a server, in sentences.
pub(crate) fn differences(server: &ConfiguredServer) -> Vec<String> {
    let definition = &server.definition;
    let own = |name: &str| definition.own_fields.iter().any(|field| field == name);
    let mut sentences: Vec<String> = NOT_REPRODUCED
        .iter()
        .filter(|(client, member, _)| *client == server.client() && own(member))
        .map(|(_, _, sentence)| (*sentence).to_owned())
        .collect();
    if server.client() == Client::Opencode && definition.raw.expose().contains("{file:") {
        sentences.push("OpenCode puts in the content of files for `{file:…}`. Here the text is taken as it is.".to_owned());
    }
    sentences
}
