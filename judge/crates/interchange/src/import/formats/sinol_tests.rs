//! Tests of the import of SIO2.

use super::*;

#[test]
fn groups_are_read_from_names() {
    assert_eq!(
        (split_id("12b"), split_id("0"), split_id("2a1")),
        (Some((12, "b")), Some((0, "")), Some((2, "a1")))
    );
    assert_eq!(
        (split_id("1ocen"), split_id("x"), split_id("1A")),
        (Some((1, "ocen")), None, None)
    );
}

#[test]
fn kinds_of_solutions_are_read_from_names() {
    let kinds = [
        "abc.cpp",
        "abc2_idea.py",
        "abcs12.pas",
        "abcb.c",
        "abc1b2_x.cpp",
    ]
    .map(|name| kind_of(name, "abc"));
    let expected = [
        SolutionKind::Normal,
        SolutionKind::Normal,
        SolutionKind::Slow,
        SolutionKind::Incorrect,
        SolutionKind::Incorrect,
    ];
    assert_eq!(kinds, expected.map(Some));
    for name in [
        "abcingen.cpp",
        "abcchk.cpp",
        "abcsoc.cpp",
        "abc.e",
        "xyz.cpp",
        "abclib.h",
        "abcsx.cpp",
    ] {
        assert_eq!(kind_of(name, "abc"), None, "{name}");
    }
}
