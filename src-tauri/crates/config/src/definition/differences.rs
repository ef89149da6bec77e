//! Says what a client does with a server of its own that Sightglass does not do.

use serde_json::{Map, Value};
use sightglass_model::visible;

use crate::{
    client::Client,
    definition::Definition,
    entry::{UnexpandedEndpoint, dialect::behaviour::Behaviour},
};

/// The most patterns of one list that are told.
const MAX_PATTERNS: usize = 10;

/// Returns where it was read or seen what a client does.
pub fn behaviour_source(client: Client) -> &'static str {
    Behaviour::of(client).source
}

/// Returns the differences of a server of a client, in sentences.
pub fn differences(client: Client, definition: &Definition) -> Vec<String> {
    let own = |name: &str| definition.own_fields.iter().any(|field| field == name);
    let mut sentences: Vec<String> = Behaviour::of(client)
        .differences
        .iter()
        .filter(|(member, _)| own(member))
        .map(|(_, sentence)| (*sentence).to_owned())
        .collect();
    if client == Client::Caliban {
        sentences.extend(caliban_permissions(definition.own.expose()));
        sentences.extend(caliban_sign_in(definition));
    }
    if client == Client::Continue && definition.raw.expose().contains("secrets.") {
        sentences.push(
            "Continue looks for secrets in its `.env` files first. Here they come from the \
             environment alone."
                .to_owned(),
        );
    }
    let oauth = definition.common.expose().get("oauth");
    if client == Client::Opencode && oauth.is_some_and(|oauth| oauth.to_string().contains("{file:"))
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
