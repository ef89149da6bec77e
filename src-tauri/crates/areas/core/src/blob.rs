//! Decodes base64 in payloads: sizes, bytes and hex dumps.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose};
use sightglass_model::ByteCount;
use sightglass_traffic::LinePage;

use crate::error::InspectorError;

/// Bytes on one line of a hex dump.
const BYTES_PER_LINE: usize = 16;

/// Returns the number of bytes that a base64 text stands for (RFC 4648, section 4).
pub fn decoded_size(text: &str) -> ByteCount {
    let padding = text
        .bytes()
        .rev()
        .take_while(|byte| *byte == b'=')
        .take(2)
        .count();
    ((text.len() - padding) * 3 / 4).into()
}

/// The bytes that a base64 text stands for. Line breaks and missing padding, which some
/// servers send, are taken.
pub fn decode(text: &str) -> Result<Vec<u8>, InspectorError> {
    let config = general_purpose::GeneralPurposeConfig::new()
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent);
    let engine = general_purpose::GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let compact: String;
    let text = if text.contains(char::is_whitespace) {
        compact = text.split_whitespace().collect();
        &compact
    } else {
        text
    };
    engine.decode(text).map_err(|error| {
        InspectorError::InvalidInput(format!("This is not valid base64: {error}."))
    })
}

/// Some lines of a hex dump: offset, sixteen bytes, and the printable characters among them.
pub fn hex_lines(bytes: &[u8], first_line: u32, count: u32) -> LinePage {
    let total_lines = bytes.len().div_ceil(BYTES_PER_LINE);
    let lines: Vec<String> = bytes
        .chunks(BYTES_PER_LINE)
        .enumerate()
        .skip(first_line as usize)
        .take(count as usize)
        .map(|(index, chunk)| hex_line(index * BYTES_PER_LINE, chunk))
        .collect();
    let numbers = (first_line + 1..).take(lines.len()).map(Some).collect();
    LinePage {
        lines,
        numbers,
        first_line,
        total_lines: u32::try_from(total_lines).unwrap_or(u32::MAX),
        total_size: bytes.len().into(),
    }
}

fn hex_line(offset: usize, chunk: &[u8]) -> String {
    let mut line = format!("{offset:08x} ");
    for column in 0..BYTES_PER_LINE {
        if column % 8 == 0 {
            line.push(' ');
        }
        match chunk.get(column) {
            // Writing to a string cannot fail.
            Some(byte) => drop(write!(line, "{byte:02x} ")),
            None => line.push_str("   "),
        }
    }
    line.push(' ');
    line.extend(chunk.iter().map(|byte| match byte {
        b' '..=b'~' => char::from(*byte),
        _ => '.',
    }));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_taken_with_and_without_padding_and_breaks() {
        for text in ["aGVsbG8=", "aGVsbG8", "aGVs\nbG8="] {
            assert_eq!(decode(text).expect(text), b"hello");
        }
        assert!(decode("a*b").is_err());
        assert_eq!(decoded_size("aGVsbG8="), 5_usize.into());
        assert_eq!(decoded_size(""), 0_usize.into());
    }

    #[test]
    fn a_hex_dump_shows_offset_bytes_and_characters() {
        let page = hex_lines(b"0123456789abcdef\x00A", 1, 10);
        assert_eq!(page.total_lines, 2);
        assert_eq!(
            page.lines,
            ["00000010  00 41                                             .A"]
        );
    }
}
