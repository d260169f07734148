//! Tests of the diff of two windows.

use judge_event::Line as Text;

use super::*;
use crate::text::page::Look;

fn window(lines: &[&str]) -> Window {
    let line = |text: &&str| Text {
        text: (*text).into(),
        cut_before: 0,
        cut_after: 0,
    };
    Window {
        first_line: 1,
        lines: lines.iter().map(line).collect(),
        more_after: false,
    }
}

fn difference(kind: DifferenceKind, line: u64, answer: &[&str], output: &[&str]) -> Difference {
    let position = Position {
        line,
        column: 1,
        token: 1,
    };
    Difference {
        kind,
        answer_position: position,
        output_position: position,
        expected: "".into(),
        found: "".into(),
        answer_window: window(answer),
        output_window: window(output),
        same_line_count: false,
    }
}

fn rendered(difference: &Difference) -> String {
    let mut page = Page::new(Look {
        width: 40,
        ..Look::default()
    });
    render(&mut page, 0, difference);
    page.take()
}

#[test]
fn white_space_differences_are_context_unless_white_space_counts() {
    let (answer, output) = (&["1  2", "x"][..], &["1 2 ", "y"][..]);
    assert_eq!(
        rendered(&difference(DifferenceKind::Line, 2, answer, output)),
        "  1  1 2\n- 2  x\n+ 2  y\n"
    );
    let counts = difference(DifferenceKind::Whitespace, 1, answer, output);
    assert_eq!(
        rendered(&counts),
        "- 1  1  2\n- 2  x\n+ 1  1 2\\x20\n+ 2  y\n"
    );
}

#[test]
fn accepted_lines_before_the_place_are_context() {
    let (answer, output) = (&["0.5", "1"][..], &["0.50", "2"][..]);
    let known = difference(DifferenceKind::Tolerance, 2, answer, output);
    assert_eq!(rendered(&known), "  1  0.50\n- 2  1\n+ 2  2\n");
    let unknown = difference(DifferenceKind::Line, 2, answer, output);
    assert_eq!(rendered(&unknown), "- 1  0.5\n- 2  1\n+ 1  0.50\n+ 2  2\n");
}

#[test]
fn both_sides_have_line_numbers() {
    let mut shifted = difference(DifferenceKind::Line, 2, &["a", "b"], &["a", "new", "b"]);
    shifted.output_window.first_line = 9;
    assert_eq!(rendered(&shifted), "   9  a\n+ 10  new\n  11  b\n");
}

#[test]
fn words_of_only_one_side_are_emphasised() {
    let (removed, added) = words("5 7 1", "5 9 1");
    let emphasised = |parts: Words| -> String {
        let marked = parts.into_iter().filter(|(marked, _)| *marked);
        marked.map(|(_, text)| text).collect()
    };
    assert_eq!(emphasised(removed), "7");
    assert_eq!(emphasised(added), "9");
}

#[test]
fn the_rendered_size_of_windows_is_bounded() {
    let lines = vec!["x"; 5000];
    let huge = difference(DifferenceKind::Token, 1, &lines, &["y"]);
    let text = rendered(&huge);
    assert!(
        text.lines().count() <= 2 * MAX_LINES + 1,
        "{}",
        text.lines().count()
    );
    assert!(text.ends_with("…\n"));
    let mut far = difference(DifferenceKind::Line, u64::MAX, &["a", "b"], &["c"]);
    far.answer_window.first_line = u64::MAX;
    assert!(rendered(&far).contains("c"));
}

#[test]
fn rows_have_both_sides_with_marked_words() {
    let difference = difference(
        DifferenceKind::Token,
        2,
        &["1 2", "5 7 1", "x"],
        &["1  2", "5 9 1"],
    );
    let rows = rows(60, &difference);
    let text = |side: &Option<DiffLine>| {
        let side = side.as_ref()?;
        let parts: String = side
            .parts
            .iter()
            .map(|(marked, text)| {
                if *marked {
                    format!("[{text}]")
                } else {
                    text.clone()
                }
            })
            .collect();
        Some(format!("{}: {parts}", side.number))
    };
    let parts: Vec<_> = rows
        .iter()
        .map(|row| (row.differs, text(&row.answer), text(&row.output)))
        .collect();
    let some = |text: &str| Some(text.to_owned());
    let expected = [
        (false, some("1: 1 2"), some("1: 1  2")),
        (true, some("2: 5 [7] 1"), some("2: 5 [9] 1")),
        (true, some("3: x"), None),
    ];
    assert_eq!(parts, expected);
}

#[test]
fn lines_are_compared_by_number_if_both_sides_have_equally_many() {
    let (answer, output) = (
        &["true", "false", "true", "false", "false"][..],
        &["true", "true", "true", "true", "false"][..],
    );
    let mut both = difference(DifferenceKind::Token, 2, answer, output);
    both.same_line_count = true;
    assert_eq!(
        rendered(&both),
        "  1  true\n- 2  false\n+ 2  true\n  3  true\n- 4  false\n+ 4  true\n  5  false\n"
    );
    let numbers = |rows: Vec<DiffRow>| -> Vec<_> {
        rows.iter()
            .map(|row| {
                (
                    row.answer.as_ref().unwrap().number,
                    row.output.as_ref().unwrap().number,
                )
            })
            .collect()
    };
    assert_eq!(
        numbers(rows(40, &both)),
        [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    );
    // Otherwise a line may be missing, and the diff matches the lines after it.
    let missing = difference(DifferenceKind::Token, 2, answer, &answer[1..]);
    assert_eq!(
        rendered(&missing)
            .lines()
            .filter(|line| line.starts_with(['-', '+']))
            .count(),
        1
    );
}

#[test]
fn diffs_of_two_tokens_are_redundant() {
    let mut tokens = difference(DifferenceKind::Token, 1, &["3"], &["-1"]);
    (tokens.expected, tokens.found) = ("3".into(), "-1".into());
    assert!(is_redundant(&tokens));
    tokens.output_window.more_after = true;
    assert!(!is_redundant(&tokens));
    tokens.output_window = window(&["-1", "2"]);
    assert!(!is_redundant(&tokens));
}
