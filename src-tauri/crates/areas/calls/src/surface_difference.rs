//! Differences of surfaces, as they are shown.

use std::borrow::Cow;

use sightglass_area_core::{error::InspectorError, view::SurfaceDifference};
use sightglass_model::brief;
use sightglass_surface::{ChangeClass, Surface, SurfaceChange, diff};

/// Number of changes in a view.
const MAX_CHANGES: usize = 1_000;

/// Characters of a value in a view.
const MAX_VALUE_CHARS: usize = 20_000;

/// Rules about texts that a model reads and does what they say.
const TEXT_RULES: [&str; 3] = ["description", "title", "instructions"];

/// Compares two surfaces on a thread that may block: large ones take a while.
pub async fn compared(
    before: Surface,
    after: Surface,
) -> Result<SurfaceDifference, InspectorError> {
    tokio::task::spawn_blocking(move || difference(diff(&before, &after)))
        .await
        .map_err(|_| InspectorError::Closing)
}

/// Counts changes, and leaves out those that are too many or too long to be shown.
pub fn difference(mut changes: Vec<SurfaceChange>) -> SurfaceDifference {
    let count = |class| {
        let of_class = changes.iter().filter(|change| change.class == class);
        u32::try_from(of_class.count()).unwrap_or(u32::MAX)
    };
    let [breaking, attention, compatible, notes] = [
        ChangeClass::Breaking,
        ChangeClass::Attention,
        ChangeClass::Compatible,
        ChangeClass::Note,
    ]
    .map(count);
    let is_possible_rug_pull = changes
        .iter()
        .any(|change| TEXT_RULES.contains(&change.rule.as_str()));
    let left_out = changes.len().saturating_sub(MAX_CHANGES);
    changes.truncate(MAX_CHANGES);
    for change in &mut changes {
        for value in [&mut change.before, &mut change.after]
            .into_iter()
            .flatten()
        {
            if let Cow::Owned(short) = brief(value, MAX_VALUE_CHARS) {
                *value = short;
            }
        }
    }
    SurfaceDifference {
        changes,
        left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
        breaking,
        attention,
        compatible,
        notes,
        is_possible_rug_pull,
    }
}
