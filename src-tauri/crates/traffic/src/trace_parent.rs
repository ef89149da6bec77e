//! Reads the `traceparent` of W3C Trace Context.

/// Trace and parent that a request says it belongs to (W3C Trace Context, version 00).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceParent {
    pub trace: [u8; 16],
    pub parent: [u8; 8],
}

impl TraceParent {
    /// Reads the text of a `traceparent`; nothing where it is none of version 00.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let version = parts.next()?;
        let trace = digits::<16>(parts.next()?)?;
        let parent = digits::<8>(parts.next()?)?;
        digits::<1>(parts.next()?)?;
        if version != "00" || parts.next().is_some() {
            return None;
        }
        (trace != [0; 16] && parent != [0; 8]).then_some(Self { trace, parent })
    }
}

/// Reads lower-case hexadecimal digits.
fn digits<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    let is_lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != 2 * LENGTH || !text.bytes().all(is_lower) {
        return None;
    }
    let mut bytes = [0; LENGTH];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_trace_parent_is_taken_and_any_other_is_not() {
        let valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let found = TraceParent::parse(valid).expect("valid");
        assert_eq!((found.trace[0], found.parent[7]), (0x0a, 0x31));
        for invalid in [
            "",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
            "00-é",
        ] {
            assert_eq!(TraceParent::parse(invalid), None, "{invalid}");
        }
    }
}
