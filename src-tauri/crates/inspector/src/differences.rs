//! Says what a client does with a server of its own that Sightglass does not do.

use serde_json::{Map, Value};
use sightglass_config::{Client, Definition, UnexpandedEndpoint};

use sightglass_model::visible;

use crate::config_workspace::ConfiguredServer;

/// The most patterns of one list that are told.
const MAX_PATTERNS: usize = 10;

/// Members of clients' entries that change how a server runs and have no counterpart here.
const NOT_REPRODUCED: [(Client, &str, &str); 13] = [
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
        "oauth_config.auth_url",
        "caliban signs in at `auth_url`. Here the server says where.",
    ),
    (
        Client::Caliban,
        "oauth_config.audience",
        "caliban asks for an `audience`. Here it is set in the Auth tab.",
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
        Client::Continue,
        "envFile",
        "Continue does not read `envFile`.",
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
    if server.client() == Client::Caliban {
        sentences.extend(caliban_permissions(definition.own.expose()));
        sentences.extend(caliban_sign_in(definition));
    }
    if server.client() == Client::Continue && definition.raw.expose().contains("secrets.") {
        sentences.push(
            "Continue looks for secrets in its `.env` files first. Here they come from the \
             environment alone."
                .to_owned(),
        );
    }
    let oauth = definition.common.expose().get("oauth");
    if server.client() == Client::Opencode
        && oauth.is_some_and(|oauth| oauth.to_string().contains("{file:"))
    {
        sentences.push(
            "OpenCode puts in the content of files for `{file:…}` in `oauth`. Here the text is taken \
             as it is."
                .to_owned(),
        );
    }
    sentences
}

/// The rules of caliban for the tools of a server (`ServerPermissions` in
/// `crates/caliban-mcp-client/src/config.rs` of <https://github.com/caliban-ai/caliban>).
fn caliban_permissions(own: &Map<String, Value>) -> Option<String> {
    let rules = own.get("permissions")?;
    let said = [
        ("allow", "allows"),
        ("ask", "asks about"),
        ("deny", "refuses"),
    ];
    let said: Vec<String> = said
        .iter()
        .filter_map(|(list, verb)| {
            let patterns = rules.get(list)?.as_array()?.iter();
            let patterns: Vec<_> = patterns
                .filter_map(Value::as_str)
                .take(MAX_PATTERNS)
                .map(visible)
                .collect();
            (!patterns.is_empty()).then(|| format!("{verb} {}", patterns.join(", ")))
        })
        .collect();
    (!said.is_empty()).then(|| {
        format!(
            "caliban {} (`permissions`). Here every call is made.",
            said.join("; ")
        )
    })
}

/// The mode of signing in, which is off in caliban unless the entry names another one.
fn caliban_sign_in(definition: &Definition) -> Option<String> {
    let spec = definition.spec.as_ref().ok()?;
    let mode = definition.own.expose().get("oauth").and_then(Value::as_str);
    let is_off = matches!(mode, None | Some("off"));
    (is_off && matches!(spec.endpoint, UnexpandedEndpoint::Remote(_))).then(|| {
        "caliban signs in nowhere unless `oauth` is auto or manual. Here signing in is offered when \
         the server asks."
            .to_owned()
    })
}
