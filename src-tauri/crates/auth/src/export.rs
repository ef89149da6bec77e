//! A sign-in as text to hand on. The views hold no secrets, so neither does what is written
//! here.

use serde_json::json;
use sightglass_model::{
    Verdict, curl_command,
    markdown::{code_span, fenced_code},
    visible,
};
use url::Url;

use crate::{SignInExport, SignInView, StepState, StepView};

pub(crate) fn export(sign_in: &SignInView, server: &str, form: SignInExport) -> String {
    match form {
        SignInExport::Text => text(sign_in, server),
        SignInExport::Json => {
            let whole = json!({ "server": server, "signIn": sign_in });
            serde_json::to_string_pretty(&whole).unwrap_or_default()
        }
        SignInExport::Mermaid => mermaid(sign_in, server),
        SignInExport::Curl => curl(sign_in),
    }
}

/// Writes the sign-in as Markdown, in which everything that came from elsewhere stands in code.
fn text(sign_in: &SignInView, server: &str) -> String {
    let mut text = format!(
        "# Sign-in to {}\n\nSightglass {}, identity {}, {}\n",
        code_span(server),
        env!("CARGO_PKG_VERSION"),
        code_span(&sign_in.identity),
        state_word(&sign_in.state),
    );
    if let Some(failure) = &sign_in.failure {
        text.push_str(&format!(
            "\n{}: {}\n{}\n",
            failure.step.title(),
            code_span(&failure.message),
            code_span(&failure.hint)
        ));
        if let Some(clause) = &failure.clause {
            let url = clause.url.as_deref().unwrap_or_default();
            text.push_str(&format!("{}: {url}\n", clause.title));
        }
    }
    for step in &sign_in.steps {
        text.push_str(&format!(
            "\n## {}: {}\n",
            step.step.title(),
            state_word(&step.state)
        ));
        if let Some(summary) = &step.summary {
            text.push_str(&format!("\n{}\n", code_span(summary)));
        }
        for check in &step.checks {
            let clause = check
                .clause
                .as_ref()
                .map(|clause| format!(" [{}]", clause.title));
            text.push_str(&format!(
                "\n- {} {}: expected {}, came {}{}",
                mark(check.verdict),
                code_span(&check.rule),
                code_span(&check.subject.expected),
                code_span(&check.subject.actual),
                clause.unwrap_or_default()
            ));
        }
        if !step.checks.is_empty() {
            text.push('\n');
        }
        for exchange in &step.exchanges {
            let remark = exchange.remark.as_deref().map(code_span);
            let used = exchange.chosen.then(|| "used".to_owned());
            let about: Vec<String> = remark.into_iter().chain(used).collect();
            if !about.is_empty() {
                text.push_str(&format!("\n{}\n", about.join(", ")));
            }
            for message in [&exchange.request].into_iter().chain(&exchange.response) {
                text.push_str(&format!("\n{}\n", fenced_code(message, "http")));
            }
        }
    }
    text
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "ok",
        Verdict::Warning | Verdict::Note => "odd",
        Verdict::Failed => "WRONG",
        Verdict::Overridden => "allowed by hand",
        Verdict::Skipped | Verdict::NotApplicable | Verdict::Error => "not checked",
    }
}

/// The word that the interface uses, without its quotes.
fn state_word(state: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(state).unwrap_or_default();
    let mut words = String::new();
    for letter in name.as_str().unwrap_or_default().chars() {
        if letter.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

fn mermaid(sign_in: &SignInView, server: &str) -> String {
    let server_host = host(server);
    let mut lines = vec![
        "sequenceDiagram".to_owned(),
        "    autonumber".to_owned(),
        "    participant S as Sightglass".to_owned(),
        format!("    participant M as {}", label(&server_host)),
    ];
    let mut others: Vec<String> = Vec::new();
    let exchanges = || sign_in.steps.iter().flat_map(|step| &step.exchanges);
    for exchange in exchanges() {
        let host = host(&exchange.url);
        if host != server_host && !others.contains(&host) {
            lines.push(format!(
                "    participant A{} as {}",
                others.len(),
                label(&host)
            ));
            others.push(host);
        }
    }
    let actor = |url: &str| {
        let host = host(url);
        match others.iter().position(|other| *other == host) {
            Some(index) => format!("A{index}"),
            None => "M".to_owned(),
        }
    };
    let visits_browser = sign_in.address.is_some();
    if visits_browser {
        lines.push("    participant B as Browser".to_owned());
    }
    for step in &sign_in.steps {
        if step.state == StepState::Pending {
            continue;
        }
        lines.push(format!("    Note over S: {}", label(step.step.title())));
        write_step(step, sign_in, &actor, &mut lines);
    }
    lines.push(String::new());
    lines.join("\n")
}

fn write_step(
    step: &StepView,
    sign_in: &SignInView,
    actor: &impl Fn(&str) -> String,
    lines: &mut Vec<String>,
) {
    use crate::StepKind;
    if let (StepKind::Authorization, Some(address), StepState::Done) =
        (step.step, &sign_in.address, step.state)
    {
        lines.push("    S->>B: opens the authorization address".to_owned());
        lines.push(format!("    B->>{}: signs in and consents", actor(address)));
    }
    if let (StepKind::Callback, true) = (step.step, sign_in.address.is_some()) {
        let words = if step.state == StepState::Done {
            "code"
        } else {
            "callback"
        };
        lines.push(format!("    B->>S: {words}"));
    }
    for exchange in &step.exchanges {
        let to = actor(&exchange.url);
        let path = Url::parse(&exchange.url)
            .map(|url| url.path().to_owned())
            .unwrap_or_default();
        lines.push(format!(
            "    S->>{to}: {} {}",
            exchange.method,
            label(&path)
        ));
        match exchange.status {
            Some(status) => lines.push(format!("    {to}-->>S: {status}")),
            None => lines.push(format!(
                "    {to}--xS: {}",
                label(exchange.remark.as_deref().unwrap_or("no answer"))
            )),
        }
    }
    if let (StepState::Failed, Some(summary)) = (step.state, &step.summary) {
        lines.push(format!("    Note over S: failed: {}", label(summary)));
    }
}

fn host(address: &str) -> String {
    Url::parse(address).map_or_else(
        |_| address.to_owned(),
        |url| match url.port() {
            Some(port) => format!("{}:{port}", url.host_str().unwrap_or_default()),
            None => url.host_str().unwrap_or_default().to_owned(),
        },
    )
}

/// Characters that say something to Mermaid, or to what reads its labels: it ends a line at a
/// semicolon, reads `#` as an escape, `%%` as a comment and `$$` as a formula, and labels as HTML.
const OF_MERMAID: [char; 13] = [
    '#', ';', '%', '$', '<', '>', '&', '"', '\'', '`', '\\', '{', '}',
];

/// Writes a text as a label, in which each character stands for itself
/// (<https://mermaid.js.org/syntax/sequenceDiagram.html#entity-codes-to-escape-characters>).
fn label(text: &str) -> String {
    let mut label = String::with_capacity(text.len());
    for character in visible(text).chars() {
        if OF_MERMAID.contains(&character) {
            label.push_str(&format!("#{};", u32::from(character)));
        } else {
            label.push(character);
        }
    }
    label
}

fn curl(sign_in: &SignInView) -> String {
    let exchanges = sign_in.steps.iter().flat_map(|step| &step.exchanges);
    let commands: Vec<String> = exchanges
        .map(|exchange| command(&exchange.request))
        .collect();
    commands.join("\n\n")
}

/// A request's text as a command for a shell. Secrets read `•••`.
fn command(request: &str) -> String {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let mut lines = head.lines();
    let (method, url) = lines
        .next()
        .and_then(|line| line.split_once(' '))
        .unwrap_or(("GET", ""));
    curl_command(method, url, lines, (!body.is_empty()).then_some(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_becomes_a_command() {
        let request = "POST https://a.test/token?x='1'\naccept: application/json\n\ncode=•••";
        assert_eq!(
            command(request),
            "curl -X POST \"https://a.test/token?x='1'\" \\\n  -H 'accept: application/json' \\\n  --data-raw code=•••"
        );
    }

    #[test]
    fn a_label_says_nothing_to_the_diagram() {
        assert_eq!(label("/token"), "/token");
        assert_eq!(
            label("a;b\n<img src=x> %%{init"),
            "a#59;b#92;u#123;a#125;#60;img src=x#62; #37;#37;#123;init"
        );
    }
}
