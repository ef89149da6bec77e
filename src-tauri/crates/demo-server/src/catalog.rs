//! Builds the lists that a server offers.

use crate::{
    listing::{Listing, Lists},
    load,
    options::{Catalogue, Fault, Options},
    prompts, resources, tools,
};

/// Builds the lists that these options ask for.
pub fn build(options: &Options) -> Lists {
    let mut all = tools::all();
    match options.catalogue {
        Catalogue::Demo => {
            if options.conformance {
                all.extend(tools::conformance::tools());
            }
            let mut items: Vec<String> = all
                .iter()
                .map(|tool| (tool.definition)().to_string())
                .collect();
            let insertion = items.len().min(3);
            match options.fault {
                Some(Fault::MalformedTool) => {
                    items.insert(insertion, tools::faults::malformed_definition());
                }
                Some(Fault::InvalidHeaderTool) => {
                    items.insert(insertion, tools::faults::invalid_header_definition());
                }
                _ => {}
            }
            Lists {
                tools: Listing::new(items),
                resources: resources::listing(),
                templates: resources::templates(),
                prompts: prompts::listing(),
            }
        }
        Catalogue::Load {
            tools: count,
            resources,
            prompts,
        } => {
            all.retain(|tool| load::FIXED_TOOLS.contains(&tool.name));
            let fixed: Vec<String> = all
                .iter()
                .take(count)
                .map(|tool| (tool.definition)().to_string())
                .collect();
            Lists {
                tools: Listing::new(fixed.into_iter().chain(load::tools(count, all.len()))),
                resources: Listing::new(load::resources(resources)),
                templates: Listing::default(),
                prompts: Listing::new(load::prompts(prompts)),
            }
        }
    }
}
