//! Numbers in readable form: times, memory, counts.
//!
//! Responsible for units and decimals, so that columns line up. Must not know where a number is
//! used.

/// Seconds with three decimals, without the unit: `0.123`. Rounded to the nearest millisecond.
pub(crate) fn seconds(microseconds: u64) -> String {
    let milliseconds = microseconds.saturating_add(500) / 1000;
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// Returns a limit in seconds without trailing zeros and without the unit: `1`, `1.5`.
pub(crate) fn limit_seconds(microseconds: u64) -> String {
    let text = format!(
        "{}.{:06}",
        microseconds / 1_000_000,
        microseconds % 1_000_000
    );
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Seconds with enough decimals to distinguish a time from a limit that it exceeds: `1.000012`.
pub(crate) fn seconds_over(microseconds: u64, limit: u64) -> String {
    let rounded = microseconds.saturating_add(500) / 1000 * 1000;
    if microseconds > limit && rounded <= limit {
        limit_seconds(microseconds)
    } else {
        seconds(microseconds)
    }
}

/// Returns a duration with its unit: `0.042 s`, `3.2 s`, `2 min 05 s`.
pub(crate) fn duration(microseconds: u64) -> String {
    let tenths = microseconds.saturating_add(50_000) / 100_000;
    if microseconds < 999_500 {
        format!("{} s", seconds(microseconds))
    } else if tenths < 600 {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else {
        let whole = tenths / 10;
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

/// Memory with one decimal and its unit: `12.3 MiB`.
pub(crate) fn mebibytes(bytes: u64) -> String {
    let tenths = (u128::from(bytes) * 10 + (1 << 19)) >> 20;
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

/// Returns a limit of memory or output with as few decimals as possible: `256 MiB`, `0.5 MiB`, `100
/// bytes`.
pub(crate) fn limit_bytes(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else if (KIB..MIB).contains(&bytes) && bytes.is_multiple_of(KIB) {
        format!("{} KiB", bytes / KIB)
    } else if bytes < MIB {
        plural(bytes, "byte")
    } else {
        mebibytes(bytes)
    }
}

/// Returns a count with separators: `1,234`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a count and the total that it is a part of: `3 of 1,234`.
pub(crate) fn part_of(number: u64, total: u64) -> String {
    format!("{} of {}", count(number), count(total))
}

/// Returns the form of a noun, or of a noun with its verb, for a number.
#[must_use]
pub fn noun<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

/// Returns a count with its noun, whose plural ends in `s`: `1 byte`, `1,234 bytes`.
pub(crate) fn plural(number: u64, one: &str) -> String {
    counted(number, one, &format!("{one}s"))
}

/// Returns a count with a noun and the words that belong to it: `1 result is cached`, `2 results are
/// cached`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), noun(number, one, many))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_their_decimals() {
        assert_eq!(seconds(123_499), "0.123");
        assert_eq!(seconds(999_500), "1.000");
        assert_eq!(limit_seconds(1_000_000), "1");
        assert_eq!(limit_seconds(1_500_000), "1.5");
        assert_eq!(seconds_over(1_000_012, 1_000_000), "1.000012");
        assert_eq!(seconds_over(1_200_000, 1_000_000), "1.200");
        assert_eq!(seconds_over(999_990, 1_000_000), "1.000");
    }

    #[test]
    fn durations_change_their_unit() {
        assert_eq!(duration(42_000), "0.042 s");
        assert_eq!(duration(999_600), "1.0 s");
        assert_eq!(duration(3_210_000), "3.2 s");
        assert_eq!(duration(59_960_000), "1 min 00 s");
        assert_eq!(duration(125_000_000), "2 min 05 s");
    }

    #[test]
    fn memory_and_counts_have_units() {
        assert_eq!(mebibytes(12_897_485), "12.3 MiB");
        assert_eq!(mebibytes(u64::MAX), "17592186044416.0 MiB");
        assert_eq!(limit_bytes(256 << 20), "256 MiB");
        assert_eq!(limit_bytes(64 << 10), "64 KiB");
        assert_eq!(limit_bytes(100), "100 bytes");
        assert_eq!(limit_bytes(3 << 19), "1.5 MiB");
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(plural(1, "byte"), "1 byte");
        assert_eq!(plural(1234, "byte"), "1,234 bytes");
        assert_eq!(
            (
                noun(0, "run was", "runs were"),
                noun(1, "run was", "runs were")
            ),
            ("runs were", "run was")
        );
    }
}
