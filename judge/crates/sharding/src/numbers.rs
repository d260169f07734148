//! Lists of numbers in the format of array options of batch systems: `3,17-18`.
//!
//! Responsible for formatting and parsing them. Must not know what is numbered.

/// Ascending numbers as a list of ranges.
#[must_use]
pub fn format_numbers(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let one = |(first, last): &(u64, u64)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    };
    ranges.iter().map(one).collect::<Vec<_>>().join(",")
}

/// Parses such a list of numbers from 1 to `max`, in ascending order. `None` for anything else.
#[must_use]
pub fn parse_numbers(text: &str, max: u64) -> Option<Vec<u64>> {
    let mut numbers: Vec<u64> = Vec::new();
    for part in text.split(',').filter(|_| !text.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
        if first <= numbers.last().copied().unwrap_or(0) || last < first || last > max {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn consecutive_numbers_form_a_range() {
        assert_eq!(format_numbers([3, 17, 18]), "3,17-18");
        assert_eq!(format_numbers([1, 2, 3, 5]), "1-3,5");
        assert_eq!(format_numbers([]), "");
    }

    #[test]
    fn invalid_lists_are_rejected() {
        assert_eq!(parse_numbers("", 9), Some(Vec::new()));
        for text in [
            "0",
            "3,2",
            "2-1",
            "1,1",
            "10",
            "1-",
            "-1",
            "a",
            "1,",
            "1 - 2",
            "1-99999999999999",
        ] {
            assert_eq!(parse_numbers(text, 9), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn formatted_numbers_are_parsed_back(numbers: BTreeSet<u16>) {
            let numbers: Vec<u64> = numbers.into_iter().map(|number| u64::from(number) + 1).collect();
            let text = format_numbers(numbers.iter().copied());
            prop_assert_eq!(parse_numbers(&text, 1 << 20), Some(numbers));
        }
    }
}
