//! Entries of `tests/fuzz` into the readers. cargo-fuzz sets `cfg(fuzzing)`; tests compile them
//! too, so that they stay in step.

use bytes::Bytes;

use crate::{
    filter,
    payload::lines::{LineLayout, Lines},
};

/// A mistake is placed within the text.
pub fn filter(text: &str) {
    let (_, problem) = filter::parse(text);
    if let Some(problem) = problem {
        let length = text.chars().count();
        assert!(problem.start <= problem.end);
        assert!(usize::try_from(problem.end).is_ok_and(|end| end <= length));
    }
}

/// Every page is a part of the whole, and raw lines hold every byte that is text.
pub fn payload(payload: &[u8]) {
    for layout in [LineLayout::Plain, LineLayout::Pretty] {
        let Ok(lines) = Lines::of(Bytes::copy_from_slice(payload), layout, &|| false) else {
            panic!("nothing stopped it");
        };
        let whole = lines.page(0, lines.total_lines);
        assert_eq!(u32::try_from(whole.len()), Ok(lines.total_lines));
        let middle = lines.total_lines / 2;
        let rest = lines.page(middle, lines.total_lines);
        assert_eq!(rest, whole[middle as usize..]);
    }
}
