//! Counts the tokens of lists of tools, and keeps the figures of the last list: it is asked about
//! again for another model, context window or setting of tool search, which change none of them.

use std::{
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::Mutex,
};

use sightglass_llm_tools::tokens::{ListCost, ListTool, TokenError, list_cost};
use sightglass_model::lock;
use sightglass_surface::ItemDefinition;

/// Largest list of which the figures are kept, in tools.
const MAX_KEPT_TOOLS: usize = 20_000;

/// Figures of the list that was counted last.
#[derive(Default)]
pub(crate) struct CountedList {
    hasher: RandomState,
    /// Hash of the list, with its figures.
    last: Mutex<Option<(u64, ListCost)>>,
    #[cfg(test)]
    counts: std::sync::atomic::AtomicUsize,
}

impl CountedList {
    /// Computes the figures of a list whose tools are sent by these names, or by their own.
    pub(super) fn cost_of(
        &self,
        tools: &[ItemDefinition],
        names: &[String],
    ) -> Result<ListCost, TokenError> {
        let key = self.key(tools, names);
        if let Some((last, cost)) = &*lock(&self.last)
            && *last == key
        {
            return Ok(cost.clone());
        }
        let list: Vec<ListTool<'_>> = tools
            .iter()
            .enumerate()
            .map(|(index, tool)| ListTool {
                tool: tool.text(),
                qualified_name: names.get(index).map(String::as_str),
            })
            .collect();
        let cost = list_cost(&list)?;
        #[cfg(test)]
        self.counts
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let kept = (tools.len() <= MAX_KEPT_TOOLS).then(|| (key, cost.clone()));
        *lock(&self.last) = kept;
        Ok(cost)
    }

    fn key(&self, tools: &[ItemDefinition], names: &[String]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        for tool in tools {
            tool.text().hash(&mut hasher);
        }
        names.hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_counted_again_only_when_it_is_another() {
        let tool = |name: &str| ItemDefinition::from(json!({"name": name, "inputSchema": {}}));
        let counted = CountedList::default();
        let names =
            |of: &[&str]| -> Vec<String> { of.iter().map(|name| (*name).to_owned()).collect() };
        let tools = [tool("a"), tool("b")];
        let first = counted.cost_of(&tools, &names(&["x", "y"]));
        assert!(first.is_ok());
        assert_eq!(counted.cost_of(&tools, &names(&["x", "y"])), first);
        assert_eq!(counted.counts.load(Ordering::Relaxed), 1);
        assert_ne!(counted.cost_of(&tools, &names(&["x", "long_name"])), first);
        assert_ne!(counted.cost_of(&tools[..1], &names(&["x", "y"])), first);
        assert_eq!(counted.counts.load(Ordering::Relaxed), 3);
    }
}
