//! Generates small real pictures and sounds.

use std::{f32::consts::TAU, io::Read};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, Crc, read::ZlibEncoder};

/// A vector picture of a sight glass.
pub const SVG: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#0d9488"/><circle cx="16" cy="16" r="9" fill="#ccfbf1"/><path d="M7 18q4.5-4 9 0t9 0v2q-4 5-9 5t-9-5z" fill="#0ea5e9"/></svg>"##;

/// Base64 with padding (RFC 4648, section 4).
pub fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// A PNG of 32 by 32 pixels as a data URI.
pub fn icon_data_uri() -> String {
    format!("data:image/png;base64,{}", base64(&png(32)))
}

/// A square PNG (RGB, 8 bits per channel) of a disc before a gradient.
pub fn png(side: u32) -> Vec<u8> {
    let mut pixels = Vec::with_capacity((side * (side * 3 + 1)) as usize);
    let radius = side as f32 * 0.35;
    let centre = side as f32 / 2.0;
    for y in 0..side {
        pixels.push(0); // filter type "none" for this row
        for x in 0..side {
            let distance = (x as f32 - centre).hypot(y as f32 - centre);
            let shade = |value: u32| (value * 255 / side.max(1)) as u8;
            if distance < radius {
                pixels.extend([13, 148, 136]);
            } else {
                pixels.extend([shade(x), shade(y), 200]);
            }
        }
    }
    let mut header = Vec::new();
    header.extend(side.to_be_bytes());
    header.extend(side.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &zlib(&pixels));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// A PDF (ISO 32000-1) with a line of text on each page, and with a script that must not run. Its
/// fonts are not in it: a reader brings those of the standard, and the map of the Japanese one.
pub fn pdf(pages: usize) -> Vec<u8> {
    let kids: Vec<String> = (0..pages)
        .map(|page| format!("{} 0 R", 9 + 2 * page))
        .collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Kids [{}] /Count {pages} >>",
            kids.join(" ")
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        "<< /S /JavaScript /JS (app.alert\\('this must not run'\\)) >>".to_owned(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>".to_owned(),
        "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /UniJIS-UCS2-H \
         /DescendantFonts [7 0 R] >>"
            .to_owned(),
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 \
         /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> \
         /FontDescriptor 8 0 R >>"
            .to_owned(),
        "<< /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [-92 -250 1010 922] \
         /ItalicAngle 0 /Ascent 752 /Descent -221 /CapHeight 737 /StemV 114 >>"
            .to_owned(),
    ];
    for page in 0..pages {
        let content = format!(
            "BT /F1 24 Tf 72 760 Td (Page {} of the demo document) Tj \
             /F2 24 Tf 0 -40 Td (abc) Tj /F3 24 Tf 0 -40 Td <65E5672C8A9E> Tj ET",
            page + 1
        );
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R \
             /Resources << /Font << /F1 3 0 R /F2 5 0 R /F3 6 0 R >> >> >>",
            10 + 2 * page
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ));
    }
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut table = String::from("0000000000 65535 f \n");
    for (index, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).bytes());
    }
    let (start, count) = (file.len(), objects.len() + 1);
    file.extend(
        format!(
            "xref\n0 {count}\n{table}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
        )
        .bytes(),
    );
    file
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(data);
    let mut sum = Crc::new();
    sum.update(&file[start..]);
    file.extend(sum.sum().to_be_bytes());
}

/// A zlib stream (RFC 1950).
fn zlib(data: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    ZlibEncoder::new(data, Compression::none())
        .read_to_end(&mut stream)
        .expect("memory can be read");
    stream
}

/// A WAV file: a tone of 440 Hz, mono, 8 kHz, 8 bits.
pub fn wav(milliseconds: u32) -> Vec<u8> {
    const RATE: u32 = 8_000;
    let samples = RATE * milliseconds / 1_000;
    let mut file = Vec::with_capacity(44 + samples as usize);
    file.extend(b"RIFF");
    file.extend((36 + samples).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    file.extend(1_u16.to_le_bytes()); // PCM
    file.extend(1_u16.to_le_bytes()); // one channel
    file.extend(RATE.to_le_bytes());
    file.extend(RATE.to_le_bytes()); // bytes per second
    file.extend(1_u16.to_le_bytes()); // bytes per sample
    file.extend(8_u16.to_le_bytes()); // bits per sample
    file.extend(b"data");
    file.extend(samples.to_le_bytes());
    file.extend((0..samples).map(|index| {
        let time = index as f32 / RATE as f32;
        (128.0 + 60.0 * (TAU * 440.0 * time).sin()) as u8
    }));
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_holds_a_filter_and_three_bytes_of_each_pixel_for_every_row() {
        let file = png(64);
        let data = file.windows(4).position(|word| word == b"IDAT").unwrap() + 4;
        let mut pixels = Vec::new();
        let mut decoder = flate2::read::ZlibDecoder::new(&file[data..]);
        decoder.read_to_end(&mut pixels).unwrap();
        assert_eq!(pixels.len(), 64 * (1 + 64 * 3));
    }

    #[test]
    fn the_picture_ends_with_the_well_known_end_chunk() {
        let file = png(64);
        assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"));
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
    }

    #[test]
    fn the_sound_announces_exactly_the_bytes_it_has() {
        let file = wav(250);
        let announced = u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
        assert_eq!(announced + 8, file.len());
    }
}
