//! Tests of shrinking, with invented formats and failures.

use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::inputs::parts::Part;

/// True when no single line and no single word can be removed from an input.
fn is_one_minimal(input: &[u8], answer: &dyn Fn(&[u8]) -> Answer) -> bool {
    let text = Text::read(input);
    let lines = (0..text.lines.len()).map(|line| Part::Lines(line..line + 1));
    let words = text.words().map(|place| Part::Words(vec![place]));
    let partition = Partition {
        parts: lines.chain(words).collect(),
        counts: Vec::new(),
    };
    let all = 0..partition.parts.len();
    all.clone().all(|gone| {
        let kept: Vec<usize> = all.clone().filter(|part| *part != gone).collect();
        answer(&text.without(&partition.removal(&text, &kept))) != Answer::Same
    })
}

/// Shrinks an input with a validator and a failure, and asserts that the result is minimal.
fn shrunk(input: &str, is_valid: &dyn Fn(&str) -> bool, fails: &dyn Fn(&str) -> bool) -> String {
    let answer = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap();
        match (is_valid(text), is_valid(text) && fails(text)) {
            (false, _) => Answer::Invalid,
            (true, false) => Answer::Gone,
            (true, true) => Answer::Same,
        }
    };
    assert_eq!(answer(input.as_bytes()), Answer::Same, "{input}");
    let examine = |bytes: &[u8]| Ok::<_, Infallible>(answer(bytes));
    let Ok(shrunk) = shrink(input.as_bytes(), &mut |bytes| examine(bytes).map(Some));
    assert!(shrunk.is_minimal && shrunk.input.len() <= input.len());
    assert_eq!(answer(&shrunk.input), Answer::Same);
    assert!(is_one_minimal(&shrunk.input, &answer), "{:?}", shrunk.input);
    String::from_utf8(shrunk.input).unwrap()
}

fn integers(text: &str) -> Option<Vec<Vec<i64>>> {
    let line = |line: &str| {
        line.split(' ')
            .map(|word| crate::inputs::text::number(word.as_bytes()))
            .collect()
    };
    text.ends_with('\n').then_some(())?;
    text.lines().map(line).collect()
}

/// Returns true for `n`, followed by a line with `n` numbers.
fn is_list(text: &str) -> bool {
    integers(text).is_some_and(|lines| match lines.as_slice() {
        [head, list] => head.len() == 1 && head[0] == list.len() as i64,
        _ => false,
    })
}

fn list(text: &str) -> Vec<i64> {
    integers(text).unwrap().remove(1)
}

#[test]
fn list_lengths_are_kept_consistent() {
    let input = format!(
        "200\n{}\n",
        (0..200)
            .map(|n| (n * 37 % 101).to_string())
            .collect::<Vec<_>>()
            .join(" ")
    );
    let falls = |text: &str| list(text).windows(2).any(|pair| pair[0] > pair[1] + 5);
    assert_eq!(shrunk(&input, &is_list, &falls), "2\n6 0\n");
    let repeats = |text: &str| {
        list(text)
            .iter()
            .filter(|number| **number == list(text)[0])
            .count()
            >= 2
    };
    assert_eq!(shrunk("5\n42 7 42 9 42\n", &is_list, &repeats), "2\n0 0\n");
}

/// Returns true for the number of data sets, followed by the sets: each has the number of its lines
/// and these lines.
fn are_counted_sets(text: &str) -> bool {
    let Some(lines) = integers(text) else {
        return false;
    };
    let mut rest = lines.iter().map(Vec::as_slice);
    let mut sets = 0;
    let Some(&[threshold]) = rest.next() else {
        return false;
    };
    while let Some(head) = rest.next() {
        let &[count] = head else { return false };
        sets += 1;
        if (0..count).any(|_| rest.next().is_none_or(|line| line.len() != 2)) {
            return false;
        }
    }
    sets == threshold && sets > 0
}

#[test]
fn data_sets_are_removed_until_one_is_left() {
    let set = |first: i64| format!("3\n{first} 1\n{} 2\n{} 3\n", first + 1, first + 2);
    let input = format!(
        "30\n{}",
        (0..30).map(|index| set(index * 10)).collect::<String>()
    );
    let fails = |text: &str| {
        text.lines()
            .any(|line| line.starts_with("17") && line.contains(' '))
    };
    assert_eq!(shrunk(&input, &are_counted_sets, &fails), "1\n1\n17 0\n");
}

#[test]
fn pictures_shrink_by_rows_and_columns() {
    let is_picture = |text: &str| {
        let mut lines = text.lines();
        let head: Vec<usize> = lines
            .next()
            .unwrap_or_default()
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        let rows: Vec<&str> = lines.collect();
        head.len() == 2
            && !rows.is_empty()
            && rows.len() == head[0]
            && rows.iter().all(|row| row.len() == head[1] && head[1] > 0)
    };
    let input = "4 6\n......\n..#...\n.##...\n......\n";
    assert_eq!(
        shrunk(input, &is_picture, &|text| text.matches('#').count() >= 2),
        "1 2\n##\n"
    );
}

#[test]
fn blocks_with_a_last_line_are_removed_together() {
    let is_valid = |text: &str| {
        text.ends_with("0 F\n")
            && !text.starts_with("0 F")
            && !text.contains("0 F\n0 F\n")
            && text
                .lines()
                .all(|line| line.len() <= 4 && line.split(' ').count() == 2)
    };
    let input = "5 B\n7 F\n0 F\n9 B\n9 F\n8 F\n0 F\n12 B\n0 F\n";
    assert_eq!(
        shrunk(input, &is_valid, &|text| text.contains("9 F\n8 F")),
        "9 F\n8 F\n0 F\n"
    );
}

#[test]
fn numbers_are_reduced_within_words_and_across_zero() {
    let any = |_: &str| true;
    let value = |text: &str| {
        text.trim()
            .trim_start_matches('T')
            .parse::<i64>()
            .unwrap_or(0)
    };
    assert_eq!(
        shrunk("T1234\n", &any, &|text| text.starts_with('T')
            && value(text) > 9),
        "T10\n"
    );
    assert_eq!(shrunk("-900\n", &any, &|text| value(text) < -17), "-18\n");
    assert_eq!(
        shrunk("-900\n", &any, &|text| value(text).abs() > 17),
        "18\n"
    );
    assert_eq!(
        shrunk("77777777777777777777\n", &any, &|text| !text
            .trim()
            .is_empty()),
        "0\n"
    );
}

#[test]
fn the_best_input_is_returned_on_timeout() {
    let mut left = 5;
    let mut examine = |bytes: &[u8]| {
        left -= 1;
        let fails = bytes.contains(&b'x');
        Ok::<_, Infallible>((left >= 0).then_some(if fails { Answer::Same } else { Answer::Gone }))
    };
    let Ok(shrunk) = shrink(b"a\nb\nx\nc\nd\ne\nf\ng\n", &mut examine);
    assert!(
        !shrunk.is_minimal && shrunk.input.len() < 16 && shrunk.input.contains(&b'x'),
        "{shrunk:?}"
    );
}

#[test]
fn failures_must_occur_twice() {
    let mut attempts = 0;
    let mut examine = |_: &[u8]| {
        attempts += 1;
        Ok::<_, Infallible>(Some(if attempts % 2 == 1 {
            Answer::Same
        } else {
            Answer::Gone
        }))
    };
    let Ok(shrunk) = shrink(b"1\n2\n3\n", &mut examine);
    assert_eq!(shrunk.input, b"1\n2\n3\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn results_are_one_minimal(numbers in proptest::collection::vec(-50i64..50, 1..40), threshold in 0i64..60) {
        let input = format!("{}\n{}\n", numbers.len(), numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" "));
        let fails = |text: &str| list(text).iter().map(|number| number.abs()).sum::<i64>() >= threshold;
        prop_assume!(fails(&input));
        shrunk(&input, &is_list, &fails);
    }

    #[test]
    fn shrinking_any_bytes_does_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), threshold in any::<u8>()) {
        let answer = |bytes: &[u8]| if bytes.contains(&threshold) { Answer::Same } else { Answer::Gone };
        prop_assume!(answer(&bytes) == Answer::Same);
        let Ok(shrunk) = shrink(&bytes, &mut |bytes| Ok::<_, Infallible>(Some(answer(bytes))));
        prop_assert!(shrunk.is_minimal && shrunk.input.contains(&threshold) && shrunk.input.len() <= bytes.len());
    }
}
