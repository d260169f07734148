//! Strings that YAML 1.1 reads as other values; PyYAML and the tools that use it do so.
//!
//! Pure. Must not parse documents.

/// The words that are booleans in YAML 1.1 only, and two special keys. Source: PyYAML, resolver.py.
const WORDS: [&str; 6] = ["yes", "no", "on", "off", "=", "<<"];

/// Returns true if an unquoted string may be a boolean, a number or a date in YAML 1.1. If unsure,
/// it returns true.
#[must_use]
pub fn needs_quotes_in_yaml_1_1(text: &str) -> bool {
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    // Numbers may have `_` between their digits, or be parts of a time such as `1:30`; dates begin
    // with digits, too.
    let begins_like_a_number = text
        .trim_start_matches(['+', '-', '.'])
        .starts_with(|first: char| first.is_ascii_digit());
    let belongs = |c: char| c.is_ascii_hexdigit() || "_:+-. tTzZxX".contains(c);
    is_word || (begins_like_a_number && text.chars().all(belongs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_booleans_numbers_and_dates_need_quotes() {
        for text in [
            "Yes",
            "no",
            "ON",
            "2020-01-01",
            "2020-01-01 10:00:00 +1",
            "1:30",
            "1_000",
            "0b11",
            "-1.5e3",
            "0x1F",
            "=",
        ] {
            assert!(needs_quotes_in_yaml_1_1(text), "{text}");
        }
        for text in [
            "",
            "Sum",
            "Nobody",
            "yes, please",
            "NCPC 2020",
            "2 Queens",
            "float_tolerance 1e-6",
            "a:b",
        ] {
            assert!(!needs_quotes_in_yaml_1_1(text), "{text}");
        }
    }
}
