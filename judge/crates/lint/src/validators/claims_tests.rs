//! Tests of the claims that are found in statements, and of the text that is ignored.

use super::*;

/// The name, the smallest and the largest value of each claim.
fn read(text: &str) -> Vec<(String, Option<f64>, Option<f64>)> {
    let value = |limit: Option<Limit>| limit.map(|limit| limit.value + limit.strict);
    claims(text)
        .into_iter()
        .map(|claim| (claim.name, value(claim.bounds[0]), value(claim.bounds[1])))
        .collect()
}

fn one(name: &str, min: f64, max: f64) -> Vec<(String, Option<f64>, Option<f64>)> {
    vec![(name.to_owned(), Some(min), Some(max))]
}

#[test]
fn common_notations_of_comparisons_are_read() {
    for text in [
        "An integer $n$ ($1 \\le n \\le 10^5$).",
        "$1\\leq n\\leq100\\,000$",
        "$$1 \\leqslant n \\leqslant 10^{5}$$",
        "\\(10^5 \\ge n \\ge 1\\)",
        "\\[0 < n < 100{,}001\\]",
        "$1 ≤ n ≤ 1 \\cdot 10^5$",
        "$1 <= n <= 100000$",
        "costs $5.\n\nSo $1 \\le n \\le 10^5$",
        "costs \\$5 and $1 \\le n \\le 10^5$",
        "\\newcommand{\\maxn}{100\\,000} … $1 \\le n \\le \\maxn$",
        "\\def\\maxn{10^5} $1 \\le n \\le \\maxn$",
    ] {
        assert_eq!(read(text), one("n", 1.0, 1e5), "{text}");
    }
}

#[test]
fn set_membership_gives_bounds() {
    for text in [
        "$n \\in [1, 10^5]$",
        "$n\\in [1,100\\,000]$",
        "$n ∈ {1, …, 100000}$",
        "$n \\in \\{1, 2, \\ldots, 10^5\\}$",
        "$n \\in \\left(0, 10^5 + 1\\right)$",
        "$n \\in ]0, 10^5]$",
    ] {
        assert_eq!(read(text), one("n", 1.0, 1e5), "{text}");
    }
    assert_eq!(
        read("$a_i, b_i \\in [0, n]$"),
        [
            ("a_i".to_owned(), Some(0.0), None),
            ("b_i".to_owned(), Some(0.0), None)
        ]
    );
    for text in [
        "$n \\in S$",
        "$n \\in [5]$",
        "$n \\in \\{5\\}$",
        "$n \\in$",
        "$n \\in [1, 2, 3]$",
        "$\\inf x$",
        "$n ∈ é$",
    ] {
        assert_eq!(read(text), [], "{text}");
    }
}

#[test]
fn lists_subscripts_and_lengths_are_names() {
    let both = |names: [&str; 2]| {
        names
            .map(|name| (name.to_owned(), Some(0.0), Some(9.0)))
            .to_vec()
    };
    assert_eq!(read("$0 \\le x, y \\le 9$"), both(["x", "y"]));
    assert_eq!(
        read("$0 \\le a_{1}, \\ldots, a_n \\le 9$"),
        both(["a_1", "a_n"])
    );
    assert_eq!(read("$0 \\le a_{i,j} \\le 9$"), one("a_i,j", 0.0, 9.0));
    assert_eq!(read("$0 \\le |s| \\le 9$"), one("|s|", 0.0, 9.0));
    assert_eq!(read("$0 \\le \\alpha \\le 9$"), one("alpha", 0.0, 9.0));
    assert_eq!(
        read("$-2^{31} \\le \\mathrm{sum} \\le 2^{31}-1$"),
        one("sum", -2_147_483_648.0, 2_147_483_647.0)
    );
    let claim = &claims("$0 \\le a_i \\le 9$")[0];
    assert!(claim.is_about("a") && claim.is_about("a_i") && !claim.is_about("i"));
}

#[test]
fn only_numbers_are_bounds() {
    assert_eq!(
        read("$1 \\le l \\le r \\le n$"),
        [("l".to_owned(), Some(1.0), None)]
    );
    assert_eq!(
        read("$1 \\le i \\le n \\le 8$"),
        [
            ("i".to_owned(), Some(1.0), None),
            ("n".to_owned(), None, Some(8.0))
        ]
    );
    for text in [
        "",
        "$n$",
        "$n = 5$",
        "$a + b \\le 5$",
        "$f(x) \\le 5$",
        "costs $5 < 6",
        "`n <= 5`",
        "$5 < 6$",
        "$\\le$",
    ] {
        assert_eq!(read(text), [], "{text}");
    }
}

#[test]
fn lines_are_counted() {
    let lines: Vec<u32> = claims("$n \\le 1$\n\nof $m \\le 2$\n")
        .iter()
        .map(|claim| claim.line)
        .collect();
    assert_eq!(lines, [1, 3]);
}
