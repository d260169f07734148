//! Which functions are copied, and the text of copies. Must not compile anything.

use super::*;
use crate::mutants::mutants;

const PROGRAM: &str = "#include <vector>
struct Pair {
    int a, b;
    Pair(int x) : a(x + 1), b(x - 1) {}
    bool operator<(const Pair &other) const { return a < other.a; }
    virtual int sum() { return a + b; }
};
template <class T>
T larger(T a, T b) {
    return a < b ? b : a;
}
constexpr int twice(int n) {
    return n * 2;
}
auto half(int n) {
    return n / 2;
}
#ifdef LOCAL
int debug(int n) { return n + 7; }
#endif
namespace inner {
long long *find(std::vector<long long> &of, int n = 1 + 1) {
    return of.size() > 3 ? &of[n - 3] : nullptr;
}
}
int global = 1 + 2;
int main() {
    auto lambda = [](int n) { return n + 5; };
    return lambda(global) - 5;
}
";

fn found(source: &str) -> (Functions<'_>, Vec<Mutant>) {
    (Functions::of(source, MutantLanguage::Cpp), mutants(source, MutantLanguage::Cpp).unwrap())
}

#[test]
fn only_what_depends_on_nothing_but_its_body_is_copied() {
    let (functions, mutants) = found(PROGRAM);
    let names: Vec<&str> = functions.functions.iter().map(|function| &PROGRAM[function.name.clone()]).collect();
    assert_eq!(names, ["operator<", "find", "main"]);
    let copied = |line: &str| {
        let number = PROGRAM.lines().position(|text| text.contains(line)).unwrap() + 1;
        let of_line: Vec<bool> =
            mutants.iter().filter(|mutant| mutant.line == number).map(|mutant| functions.can_copy(mutant)).collect();
        assert!(!of_line.is_empty(), "{line}");
        of_line.iter().any(|can| *can)
    };
    for line in ["a < other.a", "of.size() > 3", "n + 5", "lambda(global)"] {
        assert!(copied(line), "{line}");
    }
    for line in ["b(x - 1)", "return a + b", "a < b", "n * 2", "n / 2", "1 + 1", "global ="] {
        assert!(!copied(line), "{line}");
    }
    assert!(mutants.iter().all(|mutant| mutant.was != "n + 7"));
    assert!(Functions::of("def f(): return 1\n", MutantLanguage::Python).functions.is_empty());
}

#[test]
fn a_mistake_in_the_whole_file_is_in_no_function() {
    let (functions, mutants) = found("long long f() { long long a = 1; return a; }\nlong long b;\n");
    let widths: Vec<bool> =
        mutants.iter().filter(|mutant| mutant.edits.len() > 1).map(|mutant| functions.can_copy(mutant)).collect();
    assert!(!widths.is_empty() && widths.iter().all(|can| !can));
}

#[test]
fn copies_stand_behind_the_function_with_its_lines() {
    let source = "int f(int a) {\n    return a + f(1);\n}\nint main() {\n    f(2);\n}\n";
    let (functions, mutants) = found(source);
    let at = |was: &str| mutants.iter().position(|mutant| mutant.was == was).map(MutantIndex).unwrap();
    let (plus, two) = (at("+"), at("2"));
    let Copies { text, pairs } = functions.copies(&mutants, &[two, plus]);
    let words = |number: usize| format!("judge_copy_{number:05}");
    assert_eq!(pairs, [(plus, words(1), words(0)), (two, words(3), words(2))]);
    let of = |number: usize, line: usize, rest: &str| {
        format!("\n#line {line}\n__attribute__((noipa, used)) int judge_copy_{number:05}{rest}")
    };
    let f = "int f(int a) {\n    return a + f(1);\n}";
    let main = "int main() {\n    f(2);\n}";
    let expected = format!(
        "{f}{CHECK}{}{}\n\n{main}{CHECK}{}{}\n\n",
        of(0, 1, "(int a) {\n    return a + f(1);\n}"),
        of(1, 1, &format!("(int a) {{\n    return a {} f(1);\n}}", mutants[plus].edits[0].text)),
        of(2, 4, "() {\n    f(2);\n\nreturn 0;\n}"),
        of(3, 4, &format!("() {{\n    f({});\n\nreturn 0;\n}}", mutants[two].edits[0].text)),
    );
    assert_eq!(text, expected);
}

#[test]
fn loops_that_are_macros_keep_no_function_from_being_copied() {
    let program = "#define rep(i, n) for (int i = 0; i < n; ++i)\nint odd() { BEGIN } { return 1 + 1; }\n\
                   int main() {\n    int sum = 0;\n    rep(i, 9) {\n        \
                   rep(j, i) { sum += i + 5; }\n    }\n    return sum;\n}\nint broken() { return 3 + ; }\n";
    let (functions, mutants) = found(program);
    let names: Vec<&str> = functions.functions.iter().map(|function| &program[function.name.clone()]).collect();
    assert_eq!(names, ["main"]);
    let chosen: Vec<MutantIndex> = MutantIndex::first(mutants.len())
        .filter(|index| mutants[*index].was == "+" && mutants[*index].line == 6)
        .collect();
    let copies = functions.copies(&mutants, &chosen);
    assert!(!copies.pairs.is_empty(), "{:?}", mutants.iter().map(|mutant| &mutant.was).collect::<Vec<_>>());
    assert!(
        copies.text.contains("rep(j, i) { sum += i - 5; }\n    }\n    return sum;\n\nreturn 0;\n}"),
        "{}",
        copies.text
    );
}
