//! Keeps the texts of frames that are not written to the disk: those of servers that the user does
//! not record.

use std::{collections::BTreeMap, mem::size_of};

use bytes::Bytes;

/// The most bytes that are kept; the oldest texts go first.
const MAX_BYTES: usize = 64 << 20;

/// Text of one frame.
#[derive(Debug, Clone)]
pub(crate) struct UnrecordedText {
    pub target: String,
    pub payload: Bytes,
}

impl UnrecordedText {
    fn weight(&self) -> usize {
        self.target.len() + self.payload.len() + size_of::<Self>()
    }
}

/// The newest texts, by frame.
#[derive(Debug, Default)]
pub(crate) struct UnrecordedTexts {
    texts: BTreeMap<u32, UnrecordedText>,
    bytes: usize,
}

impl UnrecordedTexts {
    pub fn keep(&mut self, frame: u32, text: UnrecordedText) {
        self.bytes += text.weight();
        self.texts.insert(frame, text);
        while self.bytes > MAX_BYTES && self.texts.len() > 1 {
            let Some((_, oldest)) = self.texts.pop_first() else {
                break;
            };
            self.bytes -= oldest.weight();
        }
    }

    pub fn get(&self, frame: u32) -> Option<&UnrecordedText> {
        self.texts.get(&frame)
    }

    pub fn remove(&mut self, frame: u32) {
        if let Some(text) = self.texts.remove(&frame) {
            self.bytes -= text.weight();
        }
    }

    pub fn clear(&mut self) {
        self.texts.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_texts_make_room_for_the_newest() {
        let mut texts = UnrecordedTexts::default();
        let text = |bytes: usize| UnrecordedText {
            target: String::new(),
            payload: vec![b'x'; bytes].into(),
        };
        texts.keep(1, text(MAX_BYTES / 2));
        texts.keep(2, text(MAX_BYTES / 2));
        assert!(texts.get(1).is_none());
        assert!(texts.get(2).is_some());
        texts.keep(3, text(2 * MAX_BYTES));
        assert!(texts.get(2).is_none());
        assert!(
            texts.get(3).is_some(),
            "the newest is there whatever its size"
        );
    }
}
