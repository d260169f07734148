//! Tests of windows of lines.

use proptest::prelude::*;

use super::*;

const TEXT: &[u8] = b"one\ntwo\nthree\nfour\nfive\n";

fn shown(lines: &[WindowLine<'_>]) -> Vec<(usize, String)> {
    lines
        .iter()
        .map(|line| (line.number, line.bytes.escape_ascii().to_string()))
        .collect()
}

fn lines(list: &[(usize, &str)]) -> Vec<(usize, String)> {
    list.iter()
        .map(|(number, text)| (*number, (*text).to_owned()))
        .collect()
}

#[test]
fn windows_surround_the_line() {
    let three = lines(&[(2, "two"), (3, "three"), (4, "four")]);
    for at in 8..=13 {
        assert_eq!(
            shown(&window(TEXT, at, 1, 1, 80)),
            three,
            "at {at}; the line feed belongs to its line"
        );
    }
    assert_eq!(
        shown(&window(TEXT, 0, 5, 1, 80)),
        lines(&[(1, "one"), (2, "two")])
    );
    assert_eq!(
        shown(&window(TEXT, 20, 1, 5, 80)),
        lines(&[(4, "four"), (5, "five")])
    );
    assert_eq!(shown(&window(TEXT, 9, 0, 0, 80)), lines(&[(3, "three")]));
    assert_eq!(window(TEXT, 9, usize::MAX, usize::MAX, 80).len(), 5);
}

#[test]
fn places_past_the_end_show_the_last_line() {
    for at in [TEXT.len() - 1, TEXT.len(), usize::MAX] {
        let last = window(TEXT, at, 0, 3, 80);
        assert_eq!(shown(&last), lines(&[(5, "five")]));
        assert!(last[0].terminated);
    }
    let open = window(b"a\nb", 9, 1, 0, 80);
    assert_eq!(
        (shown(&open), open[1].terminated),
        (lines(&[(1, "a"), (2, "b")]), false)
    );
    assert_eq!(window(b"", 0, 3, 3, 80), []);
    assert_eq!(
        shown(&window(b"\n\n", 1, 1, 1, 80)),
        lines(&[(1, ""), (2, "")])
    );
}

#[test]
fn long_lines_are_cut_around_the_offset() {
    let cut = |at| {
        let line = window(b"0123456789", at, 0, 0, 4)[0];
        (
            line.omitted_before,
            str::from_utf8(line.bytes).unwrap(),
            line.omitted_after,
        )
    };
    assert_eq!(cut(0), (0, "0123", 6));
    assert_eq!(cut(5), (3, "3456", 3));
    assert_eq!(cut(9), (6, "6789", 0));
    let other = window(b"0123456789\nx\n", 11, 1, 0, 4)[0];
    assert_eq!(
        (other.omitted_before, other.bytes, other.omitted_after),
        (0, &b"0123"[..], 6)
    );
    assert_eq!(window(b"0123456789", 5, 0, 0, 0)[0].bytes, b"");
}

proptest! {
    #[test]
    fn a_window_is_a_part_of_the_lines(
        text in prop::collection::vec(prop::sample::select(&b"ab\n"[..]), 1..60),
        at in 0..70_usize,
        before in 0..4_usize,
        after in 0..4_usize,
        max_line in 0..6_usize,
    ) {
        let all: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let lines = window(&text, at, before, after, max_line);
        let number = text[..at.min(text.len() - 1)].iter().filter(|byte| **byte == b'\n').count() + 1;
        let first = number.saturating_sub(before).max(1);
        let last = (number + after).min(all.len());
        prop_assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), (first..=last).collect::<Vec<_>>());
        for line in lines {
            let whole = all[line.number - 1];
            let content = whole.strip_suffix(b"\n").unwrap_or(whole);
            prop_assert_eq!(line.terminated, whole.ends_with(b"\n"));
            prop_assert_eq!(line.omitted_before + line.bytes.len() + line.omitted_after, content.len());
            prop_assert_eq!(&content[line.omitted_before..][..line.bytes.len()], line.bytes);
            prop_assert!(line.bytes.len() <= max_line);
            prop_assert_eq!(line.bytes.len() < content.len(), content.len() > max_line);
        }
    }
}
