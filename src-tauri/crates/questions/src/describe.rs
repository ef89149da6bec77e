//! Rules in words.

use sightglass_model::Era;

use crate::{
    pattern::MessagePattern,
    rule::{Action, QuestionKind, Rule},
};

impl Rule {
    /// The questions that it is about, in one line.
    pub fn conditions(&self) -> String {
        let kind = match self.kind {
            QuestionKind::Form => "Form",
            QuestionKind::Url => "Address",
            QuestionKind::Sampling => "Sampling",
        };
        let server = match self.server.as_str() {
            "*" => "every server",
            server => server,
        };
        let mut text = format!("{kind} of {server}");
        if let Some(folder) = &self.folder {
            text.push_str(&format!(" in {folder}"));
        }
        match self.era {
            Some(Era::Modern) => text.push_str(", modern generation"),
            Some(Era::Legacy) => text.push_str(", legacy generation"),
            None => {}
        }
        match &self.message {
            Some(MessagePattern::Contains(part)) => {
                text.push_str(&format!(", message contains \u{201c}{part}\u{201d}"));
            }
            Some(MessagePattern::Matches(regex)) => {
                text.push_str(&format!(", message matches {regex}"));
            }
            None => {}
        }
        if !self.fields.is_empty() {
            let fields: Vec<&str> = self.fields.keys().map(String::as_str).collect();
            text.push_str(&format!(", fields {}", fields.join(", ")));
        }
        text
    }

    /// The answer that it gives, in a few words without values.
    pub fn answer(&self) -> String {
        match &self.action {
            Action::Ask => "ask".to_owned(),
            Action::Decline => "decline".to_owned(),
            Action::Cancel => "cancel".to_owned(),
            Action::Visit { host } => format!("accept on {host}"),
            Action::Reply { .. } => "reply".to_owned(),
            Action::Model { endpoint } => format!("ask the model {endpoint}"),
            Action::Fill(values) => match values.len() {
                0 => "accept".to_owned(),
                1 => "accept with 1 value".to_owned(),
                count => format!("accept with {count} values"),
            },
        }
    }
}
