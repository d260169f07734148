//! Tests of guesses: for common formats, the right guess is among them.

use super::*;

/// Returns true when the removal of the parts of some guess turns one text into the other.
fn reaches(before: &str, after: &str) -> bool {
    let text = Text::read(before.as_bytes());
    partitions(&text).iter().any(|partition| {
        let count = partition.parts.len();
        (0..count).any(|gone| {
            let kept: Vec<usize> = (0..count).filter(|part| *part != gone).collect();
            text.without(&partition.removal(&text, &kept)) == after.as_bytes()
        })
    })
}

#[test]
fn removing_counted_lines_updates_the_count() {
    assert!(reaches("3\n5\n6\n7\n", "2\n5\n7\n"));
    assert!(
        reaches("4 2\n1 2\n2 3\n3 4\n", "3 2\n1 2\n3 4\n"),
        "a tree: one line less than its number"
    );
    assert!(
        reaches("3 1\n9 8 7\n1 1\n", "3 0\n9 8 7\n"),
        "lines further down"
    );
    assert!(reaches("2\na\nb\nc\nd\n", "1\nc\nd\n"), "two lines each");
}

#[test]
fn data_sets_are_removed_completely() {
    assert!(
        reaches("5 B\n0 F\n7 F\n8 B\n0 F\n", "7 F\n8 B\n0 F\n"),
        "each with a last line"
    );
    assert!(
        reaches("2\n4\nL1\nQUIT\n3\nT1\nT2\nQUIT\n", "1\n4\nL1\nQUIT\n"),
        "counted, each with a last line"
    );
    assert!(
        reaches("2\n1\n8\n2\n7\n6\n", "1\n2\n7\n6\n"),
        "counted, each with its number of lines"
    );
    assert!(
        reaches("maze1 2 2\nab\nbig3 1 1\nc\n", "big3 1 1\nc\n"),
        "first lines that look the same"
    );
}

#[test]
fn removing_words_columns_and_characters_updates_the_count() {
    assert!(reaches("3\n9 8 7\n", "2\n9 7\n"));
    assert!(reaches("3 9 8 7\n", "2 9 7\n"));
    assert!(
        reaches("3\n9 8 7\n1 2 3\n", "2\n9 7\n1 3\n"),
        "two lines with a number of words"
    );
    assert!(
        reaches("2 3\nabc\ndef\n", "2 2\nac\ndf\n"),
        "a picture without its column"
    );
    assert!(
        reaches("2 3\n1 2 3\n4 5 6\n", "1 3\n4 5 6\n"),
        "a table without its row"
    );
    assert!(
        reaches("3\n1 2 3\n4 5 6\n7 8 9\n", "2\n1 3\n7 9\n"),
        "a square without a row and a column"
    );
    assert!(reaches("4\nabcd\n", "3\nabd\n"));
    assert!(reaches("3 abc\n", "2 ac\n"));
    assert!(reaches("98AK 7T8T\n", "98AK 7T8\n"));
}

#[test]
fn removing_everything_does_not_panic() {
    for text in [
        "",
        "\n",
        "x",
        "0",
        "1 1\n1\n",
        "9999999999999999999999\n",
        "\u{e9}\n\u{0}",
    ] {
        let text = Text::read(text.as_bytes());
        for partition in partitions(&text) {
            text.without(&partition.removal(&text, &[]));
        }
    }
}
