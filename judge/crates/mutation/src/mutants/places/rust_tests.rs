//! Tests of each kind of mistake on a minimal program, of the ids, and of parts without mutants.

use judge_model::LanguageFamily;

use crate::mutants::mutant::Operator;
use crate::mutants::testing::{body_mutants, rust_mutants};

#[track_caller]
fn has(body: &str, expected: &[&str]) {
    assert_eq!(body_mutants(body), expected, "{body}");
}

#[test]
fn comparisons_are_mutated() {
    has("a < b", &["comparison: a <= b", "comparison: a != b"]);
    has("a <= b", &["comparison: a < b", "comparison: a == b"]);
    has("a > b", &["comparison: a >= b", "comparison: a != b"]);
    has("a >= b", &["comparison: a > b", "comparison: a == b"]);
    has("a == b", &["comparison: a != b"]);
    has("a != b", &["comparison: a == b"]);
}

#[test]
fn arithmetic_is_mutated_unless_operands_are_neutral() {
    has("a + b", &["arithmetic: a - b"]);
    has("a % b", &["arithmetic: a / b"]);
    has(
        "a & b | c",
        &["arithmetic: a | b | c", "arithmetic: a & b & c"],
    );
    has("a << b", &["arithmetic: a >> b"]);
    has("a + 0", &["off-by-one: a + 1"]);
    has("a / 1", &["off-by-one: a / 2", "off-by-one: a / 0"]);
}

#[test]
fn assignments_are_mutated_and_statements_deleted() {
    has(
        "a += b;",
        &["statement: ", "assignment: a -= b;", "assignment: a = b;"],
    );
    has("a |= b;", &["statement: ", "assignment: a &= b;"]);
    has("a = b;", &["statement: "]);
    has(
        "v.sort(); f(a);",
        &["statement:  f(a);", "statement: v.sort(); "],
    );
    has("r.read_line(&mut s).unwrap();", &[]);
    has("loop { break; }", &["jump: loop {  }"]);
    has(
        "if a { continue; } g",
        &[
            "branch: if true { continue; } g",
            "branch: if false { continue; } g",
            "jump: if a {  } g",
        ],
    );
    has("return a;", &["jump: "]);
    has("#[cfg(a)] f(b);", &[]);
}

#[test]
fn numbers_and_initial_values_are_mutated() {
    has("a[3]", &["off-by-one: a[4]", "off-by-one: a[2]"]);
    has("a[0]", &["off-by-one: a[1]"]);
    has(
        "f(0x10_u8)",
        &["off-by-one: f(17u8)", "off-by-one: f(15u8)"],
    );
    has(
        "let mut x = 0; let y = 1;",
        &[
            "initial-value: let mut x = 1; let y = 1;",
            "off-by-one: let mut x = 0; let y = 2;",
            "off-by-one: let mut x = 0; let y = 0;",
        ],
    );
    has(
        "let mut x: bool = true;",
        &["initial-value: let mut x: bool = false;"],
    );
    has("f(true)", &["boolean: f(false)"]);
    has("x.unwrap_or(0)", &["off-by-one: x.unwrap_or(1)"]);
    has("(2.5, 'a', \"1\", t.0)", &[]);
}

#[test]
fn ranges_are_mutated() {
    has("a..b", &["range-bound: a..=b"]);
    has("a..=b", &["range-bound: a..b"]);
    has("&v[..b]", &["range-bound: &v[..=b]"]);
    has("&v[a..]", &[]);
    has(
        "f(0..*b)",
        &["off-by-one: f(1..*b)", "range-bound: f(0..=*b)"],
    );
}

#[test]
fn branches_are_mutated() {
    has(
        "if a { b; }",
        &["branch: if true { b; }", "branch: if false { b; }"],
    );
    has(
        "if a { b; } else { c; } d",
        &[
            "branch: if true { b; } else { c; } d",
            "branch: if false { b; } else { c; } d",
            "branch: if a { b; } d",
        ],
    );
    has(
        "if a { b } else { c }",
        &[
            "branch: if true { b } else { c }",
            "branch: if false { b } else { c }",
        ],
    );
    has("if let Some(a) = b { c; }", &[]);
    has("while a {}", &["branch: while false {}"]);
    has(
        "while a < b {}",
        &["branch: while false {}", "comparison: while a <= b {}"],
    );
    has("while let Some(a) = b {}", &[]);
    has(
        "match a { b if c => d, _ => e }",
        &[
            "branch: match a { b if true => d, _ => e }",
            "branch: match a { b if false => d, _ => e }",
        ],
    );
}

#[test]
fn logic_is_mutated() {
    has("a && b", &["logic: b", "logic: a", "logic: a || b"]);
    has("!a", &["logic: a"]);
    has(
        "if let Some(a) = b && c { d; }",
        &["logic: if let Some(a) = b { d; }"],
    );
}

#[test]
fn calls_are_mutated() {
    has(
        "f(a, b, c)",
        &["arguments: f(b, a, c)", "arguments: f(a, c, b)"],
    );
    has("a.min(b)", &["method: a.max(b)"]);
    has("std::cmp::max(a, b)", &["method: std::cmp::min(a, b)"]);
    has("q.push_back(a)", &["method: q.push_front(a)"]);
    has("v.iter().any(|x| x)", &["method: v.iter().all(|x| x)"]);
    has("f(a, a)", &[]);
    has("f(\"%d\", a)", &[]);
}

#[test]
fn integer_widths_are_mutated() {
    has(
        "a as i64",
        &["integer-width: a as i32 as i64", "integer-width: a as i32"],
    );
    has("a as usize", &[]);
    let source = "fn f(a: u64) -> u64 { a + 1u64 }\n";
    let wide = rust_mutants(source)
        .into_iter()
        .find(|mutant| mutant.operator == Operator::IntegerWidth)
        .unwrap();
    assert_eq!(wide.apply(source), "fn f(a: u32) -> u32 { a + 1u32 }\n");
    assert!(wide.choice.is_none());
}

#[test]
fn expression_arguments_of_macros_are_mutated() {
    has(
        "println!(\"{} 7\", a + b);",
        &["arithmetic: println!(\"{} 7\", a - b);"],
    );
    has(
        "println!(\"{x}\", x = a - b);",
        &["arithmetic: println!(\"{x}\", x = a + b);"],
    );
    has(
        "vec![0; n + m]",
        &["off-by-one: vec![1; n + m]", "arithmetic: vec![0; n - m]"],
    );
    has(
        "println!(\"{}\", format!(\"{}\", a + b));",
        &["arithmetic: println!(\"{}\", format!(\"{}\", a - b));"],
    );
    has(
        "f(a, vec![0])",
        &["arguments: f(vec![0], a)", "off-by-one: f(a, vec![1])"],
    );
    has("assert!(a < b); panic!(\"{}\", 1); matches!(a, 1)", &[]);
}

#[test]
fn compile_time_code_has_no_choice() {
    let mutants = rust_mutants(
        "const N: usize = 2; const fn g() -> i8 { 3 } static S: [i8; 4] = [5; 6]; fn f() { [7; 8]; }",
    );
    let choices: Vec<_> = mutants
        .iter()
        .map(|mutant| (mutant.was.as_str(), mutant.choice.is_some()))
        .collect();
    let fixed = |was| [(was, false), (was, false)];
    let expected = [
        fixed("2"),
        fixed("3"),
        fixed("5"),
        fixed("6"),
        [("7", true), ("7", true)],
        fixed("8"),
    ]
    .concat();
    assert_eq!(choices, expected);
}

#[test]
fn tests_types_patterns_and_attributes_are_not_mutated() {
    let source = "#[derive(A)] #[a(1 + 2)] enum E { A = 1 } struct S([u8; 3]);\n\
        #[cfg(test)] mod tests { fn f() { 1 + 2; } } #[test] fn g() { 3; }\n\
        fn h(a: [u8; 4]) { match a { [1, ..] => {} } let (1, b) = c else { d };  e::<5>() }";
    assert_eq!(rust_mutants(source), []);
}

#[test]
fn ids_depend_on_the_function() {
    let source = "fn f(a: u8) { a < 1; a < 1; }\nimpl<T> S<T> { fn g(&self) { b + c; } }\n";
    let before = rust_mutants(source);
    let names: Vec<&str> = before
        .iter()
        .map(|mutant| mutant.function.as_str())
        .collect();
    assert_eq!(names.first(), Some(&"f"));
    assert_eq!(names.last(), Some(&"S<T>::g"));
    let mut ids: Vec<&str> = before.iter().map(|mutant| mutant.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), before.len());
    assert!(ids.iter().all(|id| id.len() == 10));
    let id = |source: &str, function: &str| {
        let mutants = rust_mutants(source);
        mutants
            .iter()
            .find(|mutant| mutant.function == function)
            .map(|mutant| (mutant.id.clone(), mutant.line))
            .unwrap()
    };
    // Comments, layout and other functions do not matter; the function itself does.
    let moved = "// A comment.\nfn e() { 7; }\nfn f(a: u8) { a <  1; // there\n a < 1; }";
    assert_eq!(id(source, "f").0, id(moved, "f").0);
    assert_eq!((id(source, "f").1, id(moved, "f").1), (1, 3));
    assert_ne!(
        id(source, "f").0,
        id("fn f(a: u8) { a < 1; a < 1; b; }", "f").0
    );
}

#[test]
fn multibyte_letters_do_not_shift_edits() {
    let source = "fn f() { println!(\"é—\"); a + b }";
    let mutants = rust_mutants(source);
    assert_eq!(
        mutants[0].apply(source),
        "fn f() { println!(\"é—\"); a - b }"
    );
}

#[test]
fn invalid_programs_are_refused_with_a_line() {
    let error = crate::mutants::mutants("fn f() {}\nfn g( {}\n", LanguageFamily::Rust).unwrap_err();
    assert_eq!(error.line, 2);
    assert_eq!(
        crate::mutants::mutants("fn f() {\n", LanguageFamily::Rust)
            .unwrap_err()
            .line,
        1
    );
}

/// Returns the mutants of a body that can be chosen when the program runs, as `was -> becomes`, and
/// whether the condition under which they differ is known.
fn chosen(body: &str) -> Vec<(String, bool)> {
    let source = format!("fn main() {{ {body} }}");
    let found = crate::mutants::mutants(&source, LanguageFamily::Rust).unwrap();
    let known = |mutant: &crate::mutants::Mutant| {
        let choice = mutant.choice.as_ref()?;
        let is_known = !matches!(choice.differs, crate::mutants::mutant::Differs::Always);
        Some((
            format!("{} -> {}", mutant.was, mutant.edits[0].text),
            is_known,
        ))
    };
    found.iter().filter_map(known).collect()
}

#[test]
fn conditions_with_side_effects_may_always_differ() {
    let known = |text: &str, is_known| (text.to_owned(), is_known);
    assert_eq!(
        chosen("if a[b] { f(); }")[..2],
        [known("a[b] -> true", true), known("a[b] -> false", true)]
    );
    assert_eq!(
        chosen("if s.insert(b) { f(); }")[..2],
        [
            known("s.insert(b) -> true", false),
            known("s.insert(b) -> false", false)
        ]
    );
    assert_eq!(
        chosen("while next() {}")[0],
        known("next() -> false", false)
    );
}

#[test]
fn only_ranges_of_loops_can_be_chosen() {
    let has_range = |body: &str| chosen(body).iter().any(|(text, _)| text.starts_with(".."));
    for body in [
        "for i in a..b {}",
        "for i in (a..=b).rev() {}",
        "for i in (a..b).step_by(c) {}",
    ] {
        assert!(has_range(body), "{body}");
    }
    for body in [
        "(a..b).len()",
        "&v[a..=b]",
        "f(a..b)",
        "for i in a..u8::MAX {}",
        "for i in (a..b).map(f) {}",
    ] {
        assert!(!has_range(body), "{body}");
    }
}

#[test]
fn type_determining_uses_are_compiled_separately() {
    let texts = |body: &str| {
        chosen(body)
            .into_iter()
            .map(|(text, _)| text)
            .collect::<Vec<_>>()
    };
    assert!(texts("let mut v = Vec::new(); v.push(a); if v.contains(a) {}").is_empty());
    assert_eq!(
        texts("let mut v = Vec::<u8>::new(); v.push(a);"),
        ["v.push(a); -> "]
    );
}

#[test]
fn calls_starting_in_a_macro_are_not_chosen() {
    assert!(
        !chosen("f(vec![a, b].first());")
            .iter()
            .any(|(text, _)| text.starts_with("first"))
    );
    assert!(
        chosen("f(v.first());")
            .iter()
            .any(|(text, _)| text.starts_with("first"))
    );
}

#[test]
fn shebang_lines_are_not_part_of_the_program() {
    let source = "#!/usr/bin/env run-é\nfn main() { f(3); }\n";
    let found = crate::mutants::mutants(source, LanguageFamily::Rust).unwrap();
    assert_eq!(
        found[0].apply(source),
        "#!/usr/bin/env run-é\nfn main() {  }\n"
    );
    assert_eq!(found[0].line, 2);
    // An attribute of the whole file also begins with `#!`, but is part of the program.
    let source = "#![recursion_limit = \"256\"]\nfn main() { f(3); }\n";
    let found = crate::mutants::mutants(source, LanguageFamily::Rust).unwrap();
    assert_eq!(
        found[0].apply(source),
        "#![recursion_limit = \"256\"]\nfn main() {  }\n"
    );
}
