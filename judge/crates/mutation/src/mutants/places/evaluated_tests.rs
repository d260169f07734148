//! Tests of parts in which a running program cannot choose a mistake: parts that compilers
//! evaluate, leave out or parse differently. Must not compile anything.

use super::*;

/// The lines with mutants, each with true when one of them can be chosen when the program runs.
fn lines(language: LanguageFamily, source: &str) -> Vec<(usize, bool)> {
    let found = mutants(source, language).unwrap();
    let mut lines: Vec<usize> = found.iter().map(|mutant| mutant.line).collect();
    lines.dedup();
    lines.sort_unstable();
    lines.dedup();
    let has_choice = |line| {
        found
            .iter()
            .any(|mutant| mutant.line == line && mutant.choice.is_some())
    };
    lines
        .into_iter()
        .map(|line| (line, has_choice(line)))
        .collect()
}

#[test]
fn cpp_compile_time_code_is_compiled_separately() {
    let source = "consteval int twice(int n) { return n * 2; }\n\
                  constexpr int half(int n) { return n / 2; }\n\
                  int table[twice(3) + 1];\n\
                  int f(int n) { return n * 2; }\n";
    assert_eq!(
        lines(LanguageFamily::Cpp, source),
        [(1, false), (2, false), (4, true)]
    );
}

#[test]
fn only_values_in_cpp_tables_can_be_chosen() {
    let source = "const int T[2][2] = {{0, 1}, {1, 0}};\n\
                  constexpr int C[] = {3, 5};\n\
                  const int N = 7, M{9};\n\
                  static int S[] = {4, 6};\n\
                  int f(int n) { return T[0][0] + S[1]; }\n";
    assert_eq!(
        lines(LanguageFamily::Cpp, source),
        [(1, true), (2, false), (3, false), (4, true), (5, true)]
    );
    let in_c = "static const int T[] = {3, 5};\nint f(int n) { return n * 2; }\n";
    assert_eq!(lines(LanguageFamily::C, in_c), [(1, false), (2, true)]);
    let long = format!(
        "int T[] = {{{}}};\nint f(int n) {{ return T[n]; }}\n",
        "1234, ".repeat(1000)
    );
    assert_eq!(lines(LanguageFamily::Cpp, &long), [(1, false)]);
}

#[test]
fn raw_strings_and_preprocessor_branches_have_no_mutants() {
    let source = "const char *text = R\"x(\nint g() { return 1 + 2; }\n)x\";\n\
                  #if 0\nint never() { return 1 + 2; }\n#else\nint other() { return 3 + 4; }\n#endif\n\
                  int f(int n) { return n * 2; }\n";
    assert_eq!(lines(LanguageFamily::Cpp, source), [(9, true)]);
}

#[test]
fn cpp_modules_are_mutated_or_skipped() {
    let source = "module;\n#include <cstdio>\nexport module sums;\nimport std;\n\
                  export int f(int n) { return n * 2; }\nint g(int n) { return n * 2; }\n";
    let found = mutants(source, LanguageFamily::Cpp).unwrap();
    assert!(found.iter().all(|mutant| mutant.line >= 5), "{found:?}");
    assert!(found.iter().any(|mutant| mutant.line == 6), "{found:?}");
}

#[test]
fn java_records_are_mutated_and_unicode_escapes_are_not() {
    let source = "record Pair(int a, int b) {\n    Pair {\n        if (a < b) { throw new IllegalArgumentException(); }\n    }\n\
                  \x20   String text() { return \"\\u0022 + 1 + \\u0022\"; }\n\
                  \x20   // \\u000a int never = 3 + 4;\n}\n";
    let found = lines(LanguageFamily::Java, source);
    assert_eq!(found, [(3, false)]);
}
