//! Tells references to variables from texts that hold a value.

/// Returns whether what matters in a text comes from variables: it refers to one, and has no
/// default that could stand in.
pub fn is_mere_reference(text: &str) -> bool {
    text.contains("${") && !text.contains(":-")
}
