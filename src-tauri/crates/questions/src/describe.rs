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

    /// The answer that it gives, in a few words. `show` says how a text of a field is shown.
    pub fn answer(&self, show: &dyn Fn(&str, &str) -> String) -> String {
        match &self.action {
            Action::Ask => "ask".to_owned(),
            Action::Decline => "decline".to_owned(),
            Action::Cancel => "cancel".to_owned(),
            Action::Visit { host } => format!("accept on {host}"),
            Action::Reply { text, model } => {
                format!("reply {} (model: {model})", in_quotes(&show("text", text)))
            }
            Action::Model { endpoint } => format!("ask the model {endpoint}"),
            Action::Fill(values) if values.is_empty() => "accept".to_owned(),
            Action::Fill(values) => {
                let values = values.iter().map(|(field, value)| {
                    let value = shown_value(field, value, show);
                    format!("{field} = {value}")
                });
                format!("accept with {}", values.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

fn shown_value(field: &str, value: &toml::Value, show: &dyn Fn(&str, &str) -> String) -> String {
    match value {
        toml::Value::String(text) => in_quotes(&show(field, text)),
        toml::Value::Array(items) => {
            let items = items.iter().map(|item| shown_value(field, item, show));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

fn in_quotes(text: &str) -> String {
    format!("\u{201c}{text}\u{201d}")
}

#[cfg(test)]
mod tests {
    use crate::RuleFile;

    #[test]
    fn an_answer_is_told_with_its_values_as_they_are_to_be_shown() {
        let text = "[[rule]]\nname = \"a\"\nserver = \"s\"\nkind = \"form\"\nthen = \"accept\"\n\
                    values = { name = \"Ada\", tags = [\"x\"], n = 1, pin = \"1234\" }\n\
                    [[rule]]\nname = \"b\"\nserver = \"s\"\nkind = \"sampling\"\n\
                    then = \"accept\"\ntext = \"Hi\"\n";
        let rules = RuleFile::parse(text).expect("rules").rules;
        let show = |field: &str, text: &str| match field {
            "pin" => "hidden".to_owned(),
            _ => text.to_owned(),
        };
        assert_eq!(
            rules[0].answer(&show),
            "accept with n = 1, name = \u{201c}Ada\u{201d}, pin = \u{201c}hidden\u{201d}, \
             tags = [\u{201c}x\u{201d}]"
        );
        assert_eq!(
            rules[1].answer(&show),
            "reply \u{201c}Hi\u{201d} (model: answered by a rule)"
        );
    }
}
