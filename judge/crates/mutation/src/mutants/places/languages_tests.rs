//! Tests of the places for mistakes in each language. Must not compile anything.

use std::collections::BTreeSet;

use super::*;
use crate::mutants::combine::combine;
use crate::mutants::{MutantIndex, Purpose};

/// The mutants, each as `operator: first changed line`.
fn mutants_of(language: LanguageFamily, source: &str) -> Vec<String> {
    let short = |mutant: &Mutant| {
        let text = mutant.apply(source);
        format!(
            "{}: {}",
            mutant.operator.name(),
            text.lines().nth(mutant.line - 1).unwrap_or_default().trim()
        )
    };
    mutants(source, language)
        .unwrap()
        .iter()
        .map(short)
        .collect()
}

#[test]
fn rust_mistakes_apply_to_the_c_family() {
    let found = mutants_of(
        LanguageFamily::Cpp,
        "int f(long long a) {\n  if (a < 10) a += 2;\n  return a;\n}\n",
    );
    let expected = [
        "integer-width: int f(int a) {",
        "branch: if (true) a += 2;",
        "branch: if (false) a += 2;",
        "comparison: if (a <= 10) a += 2;",
        "comparison: if (a != 10) a += 2;",
        "off-by-one: if (a < 11) a += 2;",
        "off-by-one: if (a < 9) a += 2;",
        "statement: if (a < 10) ;",
        "assignment: if (a < 10) a -= 2;",
        "assignment: if (a < 10) a = 2;",
        "off-by-one: if (a < 10) a += 3;",
        "off-by-one: if (a < 10) a += 1;",
    ];
    assert_eq!(sorted(found), sorted(expected.map(str::to_owned).to_vec()));
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

#[test]
fn compile_time_code_has_no_mutants() {
    let source = "#define REP(i, n) for (int i = 0; i < n; i++)\n#define SQ(x) x * x\n#ifdef LOCAL\nint debug() { return 1 + 2; }\n\
                  #endif\ntemplate <int N = 3> struct A { int x[N + 1]; };\nint f(int a) { return SQ(a + 1); }\n\
                  int g(int a) { switch (a) { case 1 + 2: break; } A<4> b; std::cout << a << b; return 0; }\n";
    let found = mutants_of(LanguageFamily::Cpp, source);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("jump: ") && found[1].starts_with("off-by-one: "),
        "{found:?}"
    );
}

#[test]
fn widths_are_changed_one_by_one_and_in_the_whole_file() {
    let source = "typedef long long ll;\nint f(int a) {\n  ll x = 1LL * a;\n  vector<ll> s;\n  return (long long) x;\n}\n";
    let mutated = |source| -> Vec<String> {
        let found = mutants(source, LanguageFamily::Cpp).unwrap();
        let widths = found
            .iter()
            .filter(|mutant| mutant.operator == Operator::IntegerWidth);
        widths.map(|mutant| mutant.apply(source)).collect()
    };
    let expected = [
        source.replace("long long", "int").replace("1LL", "1"),
        source.replace("ll x", "int x"),
        source.replace("1LL", "1"),
        source.replace("<ll>", "<int>"),
        source.replace("(long long)", "(int)"),
    ];
    assert_eq!(mutated(source), expected);
    let source = "#define int long long\n#define F(x) ((long long) x)\nint f;\n";
    assert_eq!(
        mutated(source),
        [source.replace("int long long", "int int")]
    );
}

#[test]
fn only_local_constants_can_be_chosen_with_a_block() {
    let source =
        "const int N = 7;\nint m = 8;\nint f() { constexpr int k = 9; int x = 10; return x; }\n";
    let found = mutants(source, LanguageFamily::Cpp).unwrap();
    let choices: Vec<(&str, bool)> = found
        .iter()
        .map(|mutant| (&*mutant.was, mutant.choice.is_some()))
        .collect();
    let expected = [
        ("7", false),
        ("7", false),
        ("8", false),
        ("8", false),
        ("9", true),
        ("9", true),
    ];
    assert_eq!(choices[..6], expected);
    assert_eq!(choices[6..], [("10", true), ("10", true)]);
    let choice = |index: usize| {
        found[index]
            .choice
            .as_ref()
            .map(|choice| &source[choice.range.clone()])
    };
    assert_eq!(
        choice(4),
        Some("{ constexpr int k = 9; int x = 10; return x; }")
    );
    assert_eq!(choice(6), Some("10"));
}

#[test]
fn replaced_operators_preserve_precedence() {
    let found = mutants_of(
        LanguageFamily::Cpp,
        "int f(int a, int b, int c) { return a * b * c; }",
    );
    assert_eq!(
        found[0],
        "arithmetic: int f(int a, int b, int c) { return ((a * b) + (c)); }"
    );
    assert_eq!(
        found[1],
        "arithmetic: int f(int a, int b, int c) { return ((a) + (b)) * c; }"
    );
}

#[test]
fn python_and_java_have_specific_mistakes() {
    let found = mutants_of(
        LanguageFamily::Python,
        "for i in range(n):\n    if a // 2 in s and b:\n        break\n",
    );
    let expected = [
        "range-bound: for i in range((n) + 1):",
        "range-bound: for i in range((n) - 1):",
        "branch: if True:",
        "branch: if False:",
        "arithmetic: if a / 2 in s and b:",
        "jump: pass",
        "logic: if a // 2 in s:",
        "logic: if b:",
    ];
    for mistake in expected {
        assert!(
            found.iter().any(|found| found == mistake),
            "{mistake} in {found:#?}"
        );
    }
    let found = mutants_of(
        LanguageFamily::Java,
        "class A { boolean f(String a, long b) { return a.equals(c) && b == 1L; } }",
    );
    for mistake in [
        "integer-width: class A { boolean f(String a, int b)",
        "comparison: class A { boolean f(String a, long b) { return (a == c)",
    ] {
        assert!(
            found.iter().any(|found| found.starts_with(mistake)),
            "{mistake} in {found:#?}"
        );
    }
    let found = mutants_of(
        LanguageFamily::Java,
        "class A { void f() { long a = b; while (a < 1) { a++; } } }",
    );
    for mistake in [
        "int a = (int) (b); while",
        "long a = b; while (Boolean.FALSE)",
    ] {
        assert!(
            found.iter().any(|found| found.contains(mistake)),
            "{mistake} in {found:#?}"
        );
    }
    assert!(
        mutants("class A { int f() { return 1; } }", LanguageFamily::Java).unwrap()[0]
            .choice
            .is_none()
    );
}

#[test]
fn ids_depend_only_on_the_surrounding_function() {
    let ids = |source: &str| -> Vec<String> {
        mutants(source, LanguageFamily::Cpp)
            .unwrap()
            .into_iter()
            .map(|mutant| mutant.id)
            .collect()
    };
    let first = ids("int f(int a) { return a + b; }");
    assert_eq!(
        first,
        ids("// Adds.\nint g;\nint f(int a) {\n  return a +  b; }")
    );
    assert_ne!(first, ids("int f(int a) { a; return a + b; }"));
}

#[test]
fn choices_of_conditions_and_statements_are_nested() {
    let source = "int f(int a) { while (a < b) { a++; } return a; }";
    let found = mutants(source, LanguageFamily::Cpp).unwrap();
    let all: BTreeSet<MutantIndex> = MutantIndex::first(found.len()).collect();
    let program = |purpose| {
        combine(source, LanguageFamily::Cpp, &found, &all, purpose)
            .text
            .replace('\n', "")
    };
    let choosing = program(Purpose::Choosing);
    assert!(
        choosing.contains("judge_is(1) ? (false) : !!((judge_is(2) ? (a <= b) : (a < b)))"),
        "{choosing}"
    );
    assert!(
        choosing.contains("if (judge_is(3)) { ; } else { a++; }"),
        "{choosing}"
    );
    let recording = program(Purpose::Recording);
    assert!(
        recording.contains("judge_value(0, 0, !!((judge_saw(1, ((a < b) != (a <= b))), (a < b))))"),
        "{recording}"
    );
}

#[test]
fn flushing_has_no_mutants() {
    let source = "def f(a):\n    print(a, flush=True)\n    sys.stdout.flush()\n    return sorted(a, reverse=True)\n";
    let found = mutants_of(LanguageFamily::Python, source);
    assert!(
        !found
            .iter()
            .any(|mutant| mutant.contains("flush=False") || mutant.contains("flush= ")),
        "{found:?}"
    );
    assert!(
        found.iter().any(|mutant| mutant.contains("reverse=False")),
        "{found:?}"
    );
}

#[test]
fn conditions_with_side_effects_may_always_differ() {
    let known = |condition: &str| {
        let source = format!("int f(int a, int b) {{ if ({condition}) a++; return a; }}\n");
        let found = mutants(&source, LanguageFamily::Cpp).unwrap();
        let branch = found
            .iter()
            .find(|mutant| mutant.operator == Operator::Branch)
            .unwrap();
        !matches!(branch.choice.as_ref().unwrap().differs, Differs::Always)
    };
    for condition in ["a < b", "v[a].size() > b && !c", "a >> 3 & 1", "1 << a & b"] {
        assert!(known(condition), "{condition}");
    }
    for condition in [
        "scanf(\"%d\", &a) != 1",
        "s.insert(a).second",
        "in >> a",
        "a++ < b",
        "(a = b)",
        "dfs(a)",
    ] {
        assert!(!known(condition), "{condition}");
    }
}
