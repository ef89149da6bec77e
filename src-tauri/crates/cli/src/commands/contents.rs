//! Prints the result of a tool, a resource or a prompt for a user to read.

use serde_json::Value;
use sightglass_inspector::{
    ByteCount,
    view::{BlockBody, BlockView, PartView, ResultView},
};
use sightglass_json_text::value_at;

use crate::{
    host::Answer,
    json::pretty,
    style::{FAINT, GOOD, HEADING, WARNING, harmless, styled},
};

/// Everything in a result: its blocks, its structured content, and what is wrong with it.
pub(crate) fn text(answer: &Answer) -> String {
    let Some(result) = &answer.report.result else {
        return harmless(&pretty(&answer.result)) + "\n";
    };
    let response = answer.report.request.response.as_ref();
    let document = ResponseDocument(response.map_or(&[], |response| &response.text));
    render(result, document)
}

fn render(result: &ResultView, document: ResponseDocument<'_>) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        text.push_str(&line);
        if !line.ends_with('\n') {
            text.push('\n');
        }
    };
    if let Some(description) = &result.description {
        line(styled(FAINT, &harmless(description)));
    }
    for block in &result.blocks {
        if let Some(role) = &block.role {
            line(styled(HEADING, &format!("{}:", harmless(role))));
        }
        line(block_text(block, document));
    }
    if let Some(structured) = &result.structured
        && !repeats(result, structured, document)
    {
        line(styled(HEADING, "Structured content:"));
        line(harmless(&pretty(&document.json(structured))));
    }
    if let Some(check) = &result.schema_check {
        match (&check.not_checked, check.valid) {
            (Some(reason), _) => line(styled(
                WARNING,
                &format!("Not checked against the output schema: {reason}."),
            )),
            (None, true) => line(styled(GOOD, "Conforms to the output schema.")),
            (None, false) => line(styled(WARNING, "Does not conform to the output schema:")),
        }
        for problem in &check.problems {
            let sentence = harmless(&problem.sentence);
            line(styled(WARNING, &format!("  {sentence}")));
        }
    }
    for problem in &result.problems {
        line(styled(WARNING, &harmless(problem)));
    }
    text
}

/// Returns true when the only block says in text what the structured content says, as the
/// specification recommends for older clients.
fn repeats(result: &ResultView, structured: &PartView, document: ResponseDocument<'_>) -> bool {
    let [
        BlockView {
            body: BlockBody::Text { text },
            ..
        },
    ] = result.blocks.as_slice()
    else {
        return false;
    };
    let parse = |text: &str| serde_json::from_str::<Value>(text).ok();
    let said = parse(&document.string(text));
    said.is_some() && said == parse(&document.json(structured))
}

fn block_text(block: &BlockView, document: ResponseDocument<'_>) -> String {
    let binary = |what: &str, mime_type: &str, size: ByteCount| {
        styled(
            FAINT,
            &harmless(&format!("[{what}, {mime_type}, {} bytes]", size.as_u64())),
        )
    };
    match &block.body {
        BlockBody::Text { text } => harmless(&document.string(text)),
        BlockBody::Image {
            mime_type, size, ..
        } => binary("image", mime_type, *size),
        BlockBody::Audio {
            mime_type, size, ..
        } => binary("audio", mime_type, *size),
        BlockBody::ResourceLink {
            uri,
            name,
            description,
            ..
        } => {
            let description = description.as_deref().unwrap_or_default();
            let link = styled(FAINT, &harmless(&format!("[link] {name} <{uri}>")));
            format!("{link} {}", harmless(description))
        }
        BlockBody::TextResource { uri, text, .. } => format!(
            "{}\n{}",
            styled(FAINT, &harmless(&format!("[{uri}]"))),
            harmless(&document.string(text))
        ),
        BlockBody::BinaryResource {
            uri,
            mime_type,
            size,
            ..
        } => binary(uri, mime_type.as_deref().unwrap_or("binary"), *size),
        BlockBody::Unknown { json, .. } => harmless(&pretty(&document.json(json))),
    }
}

/// The response that the parts are parts of. Large parts are not in the report.
#[derive(Clone, Copy)]
struct ResponseDocument<'a>(&'a [u8]);

impl ResponseDocument<'_> {
    fn string(self, part: &PartView) -> String {
        part.text.clone().unwrap_or_else(|| {
            let text = self.json(part);
            serde_json::from_str(&text).unwrap_or(text)
        })
    }

    /// The text of the part, as it came.
    fn json(self, part: &PartView) -> String {
        part.text.clone().unwrap_or_else(|| {
            let text = value_at(self.0, &part.pointer).unwrap_or_default();
            String::from_utf8_lossy(text).into_owned()
        })
    }
}
