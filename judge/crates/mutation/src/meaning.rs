//! The gap in the test data that a survivor reveals, in words. Pure.

use std::ops::Range;

use judge_event::DataGap;

use crate::mutants::{Mutant, Operation, Operator};

/// The maximum number of characters of a quoted text.
const MAX_QUOTED: usize = 60;
/// The smallest literal that is more likely a bound of the input than a part of the algorithm.
const MIN_BOUND: u128 = 10;
/// The number of bytes before a literal that are searched for its bracket.
const MAX_LOOK_BACK: usize = 64 << 10;

/// The reach of the test cases: how close they come to revealing a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The reach is unknown.
    Unknown,
    /// No test case reaches the place.
    Nowhere,
    /// Some test cases reach the place, but none with a value that makes a difference.
    Near,
    /// Some test cases reach the place with such a value, and the mutant still gives right answers.
    Differs,
}

impl Reach {
    /// Creates the reach from the number of test cases on which the mutant may differ, if known,
    /// and the number of those that reach it without a difference.
    pub(crate) fn new(differ: Option<usize>, near: usize) -> Self {
        match (differ, near) {
            (None, _) => Self::Unknown,
            (Some(0), 0) => Self::Nowhere,
            (Some(0), _) => Self::Near,
            _ => Self::Differs,
        }
    }
}

/// A gap with the words for it.
struct Meaning {
    gap: DataGap,
    clause: String,
    /// True when the clause is about values, and false when it is about the answers of test cases.
    is_value: bool,
}

fn value(gap: DataGap, clause: String) -> Meaning {
    Meaning {
        gap,
        clause,
        is_value: true,
    }
}

fn effect(gap: DataGap, clause: String) -> Meaning {
    Meaning {
        gap,
        clause,
        is_value: false,
    }
}

/// The meaning of a mistake without a special gap: no output shows it.
fn no_effect(clause: String) -> Meaning {
    effect(DataGap::NoEffect, clause)
}

fn distinguishes(was: &str, becomes: &str) -> String {
    format!("distinguishes {} from {}", quoted(was), quoted(becomes))
}

/// The gap that a survivor reveals, and a sentence that describes it.
pub(crate) fn meaning(mutant: &Mutant, source: &str, reach: Reach) -> (DataGap, String) {
    let edit = &mutant.edits[0];
    let line = source.lines().nth(mutant.line - 1).unwrap_or_default();
    // If no test case reaches the mistake, its kind does not matter.
    if reach == Reach::Nowhere {
        return (
            DataGap::Unreached,
            format!("no test case reaches {}", quoted(line)),
        );
    }
    let was = quoted(&mutant.was);
    let Meaning {
        gap,
        clause,
        is_value,
    } = match mutant.operator {
        Operator::Comparison => comparison(mutant),
        Operator::Branch => branch(mutant),
        Operator::Logic => logic(mutant),
        Operator::OffByOne | Operator::InitialValue => {
            number(mutant, line, is_entry(source, &edit.range))
        }
        Operator::RangeBound => effect(
            DataGap::Bound,
            format!("needs the range to end exactly there, in {}", quoted(line)),
        ),
        Operator::IntegerWidth => effect(
            DataGap::LargeValues,
            format!("needs more than 32 bits in {}", quoted(line)),
        ),
        Operator::Method => method(mutant),
        Operator::Statement if mutant.was.contains("sort") => effect(
            DataGap::Order,
            format!("has an order that {was} changes, and shows it"),
        ),
        Operator::Statement | Operator::Jump => no_effect(format!("shows that {was} is left out")),
        Operator::Arguments => no_effect(format!("shows which of {was} comes first")),
        Operator::Copy => no_effect(format!("shows that {was} is a copy")),
        Operator::Cast => no_effect(format!("shows that {was} is a conversion")),
        Operator::Arithmetic | Operator::Assignment | Operator::Boolean => {
            no_effect(distinguishes(&mutant.was, &edit.text))
        }
    };
    match (is_value, reach) {
        (false, _) => (gap, format!("no test case {clause}")),
        (true, Reach::Differs) => (
            DataGap::NoEffect,
            format!("in some test cases {clause}, but no answer shows it"),
        ),
        (true, Reach::Unknown) => (
            gap,
            format!("no test case in which {clause}, or no answer that shows it"),
        ),
        (true, _) => (gap, format!("no test case in which {clause}")),
    }
}

fn comparison(mutant: &Mutant) -> Meaning {
    let Some(Operation {
        left,
        op,
        right,
        other,
    }) = &mutant.operation
    else {
        let clause = distinguishes(&mutant.was, &mutant.edits[0].text);
        return effect(DataGap::EqualValues, clause);
    };
    let is_bound = is_bound(left) || is_bound(right);
    let (left, right) = (quoted(left), quoted(right));
    match (op.as_str(), other.as_str()) {
        ("equals", _) => {
            let clause = format!(
                "{left} and {right} are equal and not the same object, as numbers beyond 127 are"
            );
            value(DataGap::EqualValues, clause)
        }
        ("<", "<=") | ("<=", "<") | (">", ">=") | (">=", ">") if is_bound => {
            value(DataGap::Bound, format!("{left} is exactly {right}"))
        }
        ("<", "<=") | ("<=", "<") | (">", ">=") | (">=", ">") => value(
            DataGap::EqualValues,
            format!("{left} and {right} are equal"),
        ),
        ("<", "!=") | (">=", "==") => {
            value(DataGap::OneWay, format!("{left} is larger than {right}"))
        }
        (">", "!=") | ("<=", "==") => {
            value(DataGap::OneWay, format!("{left} is smaller than {right}"))
        }
        _ => no_effect(format!("shows whether {left} {op} {right} or {other}")),
    }
}

fn branch(mutant: &Mutant) -> Meaning {
    let was = quoted(&mutant.was);
    match mutant.edits[0].text.trim() {
        "" => no_effect(format!("shows that {was} is left out")),
        "true" | "True" | "1" => value(DataGap::OneWay, format!("{was} does not hold")),
        _ => value(DataGap::OneWay, format!("{was} holds")),
    }
}

fn logic(mutant: &Mutant) -> Meaning {
    let Some(Operation {
        left,
        op,
        right,
        other,
    }) = &mutant.operation
    else {
        return no_effect(distinguishes(&mutant.was, &mutant.edits[0].text));
    };
    let is_and = matches!(op.as_str(), "&&" | "and");
    let (is_left, is_right) = (other == left, other == right);
    let (left, right) = (quoted(left), quoted(right));
    // The rest of the operation shows which side was left out.
    let (kept, dropped) = match (is_left, is_right) {
        (true, _) => (left, right),
        (_, true) => (right, left),
        _ => {
            let clause = format!("exactly one of {left} and {right} holds");
            return value(DataGap::OneWay, clause);
        }
    };
    let clause = if is_and {
        format!("{kept} holds and {dropped} does not")
    } else {
        format!("{dropped} holds and {kept} does not")
    };
    value(DataGap::OneWay, clause)
}

/// Returns true for one of the values of a table or list.
fn is_entry(source: &str, range: &Range<usize>) -> bool {
    let (before, behind) = (
        source[..range.start].trim_end(),
        source[range.end..].trim_start(),
    );
    let is_listed = before.ends_with(',') && behind.starts_with([',', '}', ']'])
        || before.ends_with(['{', '[']) && behind.starts_with(',');
    let mut depth = 0_u32;
    // Finds the bracket that is open at the entry. Brackets that are closed before it are skipped
    // by depth.
    let open = before
        .bytes()
        .rev()
        .take(MAX_LOOK_BACK)
        .find(|byte| match byte {
            b')' | b']' | b'}' => {
                depth += 1;
                false
            }
            b'(' | b'[' | b'{' if depth > 0 => {
                depth -= 1;
                false
            }
            other => matches!(other, b'(' | b'[' | b'{'),
        });
    // If no bracket is found within the limit, the literal is in a long table.
    is_listed && open != Some(b'(')
}

fn number(mutant: &Mutant, line: &str, is_entry: bool) -> Meaning {
    let was = mutant.was.trim();
    let digits: String = was.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse::<u128>() {
        Ok(number) if number >= MIN_BOUND && !is_entry => {
            let (bound, line) = (quoted(was), quoted(line));
            let clause = format!("is near enough to the bound {bound} in {line}");
            effect(DataGap::Bound, clause)
        }
        _ => {
            let clause = distinguishes(was, &mutant.edits[0].text);
            no_effect(format!("{clause} in {}", quoted(line)))
        }
    }
}

fn method(mutant: &Mutant) -> Meaning {
    let becomes = &mutant.edits[0].text;
    let clause = distinguishes(&mutant.was, becomes);
    match mutant.was.as_str() {
        "lower_bound" | "upper_bound" | "bisect_left" | "bisect_right" => effect(
            DataGap::EqualValues,
            format!("searches for a value that exists, and {clause}"),
        ),
        "min" | "max" | "any" | "all" | "floor" | "ceil" => no_effect(clause),
        was => {
            let (was, becomes) = (quoted(was), quoted(becomes));
            let clause = format!("shows whether the order is that of {was} or {becomes}");
            effect(DataGap::Order, clause)
        }
    }
}

/// Returns true for a text that is likely to be a bound: a number, a constant, a length.
fn is_bound(text: &str) -> bool {
    let text = text.trim();
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    let is_constant = text.len() > 1
        && text
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter == '_');
    let is_length = ["size()", "length()", "len()", ".length"]
        .iter()
        .any(|end| text.ends_with(end));
    is_number
        || is_constant
        || is_length
        || text.starts_with("len(")
        || matches!(text, "n" | "m" | "k" | "N" | "M")
}

/// A text of the program on one line, truncated to the maximum length.
fn quoted(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > MAX_QUOTED {
        words = words.chars().take(MAX_QUOTED - 1).collect::<String>() + "…";
    }
    format!("`{words}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::mutants;
    use judge_model::LanguageFamily;

    /// The gap of each mutant of an operator, for this reach.
    fn gaps(
        language: LanguageFamily,
        source: &str,
        operator: Operator,
        reach: Reach,
    ) -> Vec<(DataGap, String)> {
        let found = mutants(source, language).unwrap();
        let of_operator = found.iter().filter(|mutant| mutant.operator == operator);
        of_operator
            .map(|mutant| meaning(mutant, source, reach))
            .collect()
    }

    #[test]
    fn gaps_of_comparisons_name_bounds_or_equal_values() {
        let source = "int f(int a, int b) { return a < 100 && a <= b; }";
        let expected = [
            (DataGap::Bound, "no test case in which `a` is exactly `100`"),
            (
                DataGap::OneWay,
                "no test case in which `a` is larger than `100`",
            ),
            (
                DataGap::EqualValues,
                "no test case in which `a` and `b` are equal",
            ),
            (
                DataGap::OneWay,
                "no test case in which `a` is smaller than `b`",
            ),
        ];
        let found = gaps(
            LanguageFamily::Cpp,
            source,
            Operator::Comparison,
            Reach::Near,
        );
        assert_eq!(found, expected.map(|(gap, text)| (gap, text.to_owned())));
        let rust = "fn f(a: u32, b: u32) -> bool { a < 100 && a <= b }";
        assert_eq!(
            gaps(
                LanguageFamily::Rust,
                rust,
                Operator::Comparison,
                Reach::Near
            ),
            found
        );
        let python = "def f(a, b):\n    return a < 100 and a <= b\n";
        let unknown = gaps(
            LanguageFamily::Python,
            python,
            Operator::Comparison,
            Reach::Unknown,
        );
        assert_eq!(
            unknown[0].1,
            "no test case in which `a` is exactly `100`, or no answer that shows it"
        );
        let shown = gaps(
            LanguageFamily::Cpp,
            source,
            Operator::Comparison,
            Reach::Differs,
        );
        let expected = "in some test cases `a` is exactly `100`, but no answer shows it";
        assert_eq!(shown[0], (DataGap::NoEffect, expected.to_owned()));
    }

    #[test]
    fn survivors_with_constant_conditions_reveal_one_way_branches() {
        let source = "int f(int a, int b) { if (a < b || g(b)) { return 1; } return 0; }";
        let found = gaps(LanguageFamily::Cpp, source, Operator::Branch, Reach::Near);
        assert_eq!(
            found[0],
            (
                DataGap::OneWay,
                "no test case in which `a < b || g(b)` does not hold".to_owned()
            )
        );
        let sides: Vec<String> = gaps(LanguageFamily::Cpp, source, Operator::Logic, Reach::Near)
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        let expected = [
            "no test case in which exactly one of `a < b` and `g(b)` holds",
            "no test case in which `g(b)` holds and `a < b` does not",
            "no test case in which `a < b` holds and `g(b)` does not",
        ];
        assert!(
            expected
                .iter()
                .all(|text| sides.iter().any(|found| found == text)),
            "{sides:#?}"
        );
        let rust = "fn f(a: u32, b: u32) -> bool { a < b || g(b) }";
        let of_rust: Vec<String> = gaps(LanguageFamily::Rust, rust, Operator::Logic, Reach::Near)
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        assert!(
            expected
                .iter()
                .all(|text| of_rust.iter().any(|found| found == text)),
            "{of_rust:#?}"
        );
        assert_eq!(found.len(), 2);
        let nowhere = gaps(
            LanguageFamily::Cpp,
            source,
            Operator::OffByOne,
            Reach::Nowhere,
        );
        assert!(
            nowhere.iter().all(|(gap, text)| *gap == DataGap::Unreached
                && text.starts_with("no test case reaches `"))
        );
    }

    #[test]
    fn gaps_of_numbers_widths_and_orders_are_described() {
        let source = "void f() { long long a = 100000; sort(b, e); x = lower_bound(b, e, a); q.pop_front(); }";
        let one = |operator| gaps(LanguageFamily::Cpp, source, operator, Reach::Unknown).remove(0);
        assert_eq!(one(Operator::InitialValue).0, DataGap::Bound);
        let table = "int f(int i) { int t[] = {100000, g(2, 3), 200000}; return t[i] + h(300000, 400000); }";
        let found = gaps(
            LanguageFamily::Cpp,
            table,
            Operator::OffByOne,
            Reach::Unknown,
        );
        let bounds = found
            .iter()
            .filter(|(gap, _)| *gap == DataGap::Bound)
            .map(|(_, text)| text.as_str());
        let bounds: Vec<&str> = bounds.collect();
        assert!(
            bounds.len() == 4
                && bounds
                    .iter()
                    .all(|text| text.contains("bound `3") || text.contains("bound `4"))
        );
        assert_eq!(one(Operator::IntegerWidth).0, DataGap::LargeValues);
        assert_eq!(one(Operator::Statement).0, DataGap::Order);
        assert_eq!(one(Operator::Method).0, DataGap::EqualValues);
        assert!(
            one(Operator::IntegerWidth).1.ends_with("…`"),
            "{:?}",
            one(Operator::IntegerWidth)
        );
        let reach = [
            Reach::new(None, 0),
            Reach::new(Some(0), 0),
            Reach::new(Some(0), 2),
            Reach::new(Some(1), 2),
        ];
        assert_eq!(
            reach,
            [Reach::Unknown, Reach::Nowhere, Reach::Near, Reach::Differs]
        );
    }
}
