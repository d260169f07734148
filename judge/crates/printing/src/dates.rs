//! Removes the dates of a PDF, so that the same page gives the same file.
//!
//! Must not know PDF beyond its strings.

/// The keys of dates in the document's information.
const KEYS: [&[u8]; 2] = [b"/CreationDate (D:", b"/ModDate (D:"];

/// Replaces the dates in Chromium's documents with spaces. The length is unchanged, because a table
/// in the file holds offsets.
pub(crate) fn blank_dates(pdf: &mut [u8]) {
    for key in KEYS {
        let mut from = 0;
        while let Some(at) = pdf[from..]
            .windows(key.len())
            .position(|window| window == key)
        {
            let start = from + at;
            from = start + key.len();
            // A date is at most `D:YYYYMMDDHHmmSS+HH'mm'`.
            let Some(length) = pdf[from..].iter().take(24).position(|byte| *byte == b')') else {
                continue;
            };
            pdf[start..=from + length].fill(b' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_spaces_of_the_same_length() {
        let mut pdf =
            b"<< /A 1\n/CreationDate (D:20261124121145+00'00')\n/ModDate (D:20261124121145+00'00')>>\nxref".to_vec();
        let length = pdf.len();
        blank_dates(&mut pdf);
        assert_eq!(pdf.len(), length);
        let text = String::from_utf8(pdf).unwrap();
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>(),
            ["<<", "/A", "1", ">>", "xref"]
        );
        let mut broken = b"/ModDate (D:2026 and no end of it at all, anywhere".to_vec();
        blank_dates(&mut broken);
        assert!(broken.starts_with(b"/ModDate (D:2026"));
    }
}
