//! Lists of lent servers, joined, under names that lead back to their servers.

use std::collections::HashSet;

use sightglass_inspector::{Era, ListKind};
use sightglass_json_text::{Members, lossy, object, quoted};

use super::{LentServer, LentServers};

impl LentServers {
    /// Returns the result of a list. Servers that are not ready have no part in it.
    pub async fn list(&self, list: ListKind, era: Era) -> String {
        self.settled().await;
        let mut items = Vec::new();
        for server in &self.servers {
            // None where it is not connected, or does not offer the list.
            let listed = self
                .inspector
                .core
                .connections
                .definitions(&server.id, list);
            let mut seen = HashSet::new();
            for text in listed.unwrap_or_default() {
                let item = self.lent_item(server, list, &lossy(&text));
                items.extend(item.filter(|(name, _)| seen.insert(name.clone())));
            }
        }
        let texts: Vec<&str> = items.iter().map(|(_, text)| text.as_str()).collect();
        let items = format!("[{}]", texts.join(","));
        let members = [(list.member(), items.as_str())];
        // What is listed changes whenever a server does.
        let stateless = [("ttlMs", "0"), ("cacheScope", "\"private\"")];
        let stateless = stateless.into_iter().filter(|_| era == Era::Modern);
        let text = object(members.into_iter().chain(stateless));
        self.outgoing.masked(text).into_owned()
    }

    /// Returns an item under the name that agents use, with that name; nothing for one that cannot
    /// be used or is not lent.
    fn lent_item(
        &self,
        server: &LentServer,
        list: ListKind,
        text: &str,
    ) -> Option<(String, String)> {
        let members = Members::parse(text).ok()?;
        let key = match list {
            ListKind::Tools | ListKind::Prompts => "name",
            ListKind::Resources => "uri",
            ListKind::ResourceTemplates => "uriTemplate",
        };
        let name = members.string(key)?;
        let lent = match key {
            _ if self.is_plain => name,
            "name" => server.lent.name(&name),
            _ => server.lent.address(&name),
        };
        if !self.reach.patterns.permit(&lent) {
            return None;
        }
        let quoted = quoted(&lent);
        let left_out = |member: &str| match member {
            // Nothing is made a task of here.
            "execution" => true,
            "outputSchema" => self.outgoing.cuts_results(),
            member => member == key,
        };
        let others = members.iter().filter(|(member, _)| !left_out(member));
        let text = object(std::iter::once((key, quoted.as_str())).chain(others));
        Some((lent, text))
    }
}
