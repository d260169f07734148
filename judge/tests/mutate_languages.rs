//! `judge mutate` of solutions that are not in Rust: mutants that share a program, mutants that are
//! compiled separately, and skipped ones.

use judge_event::{MutantResult, MutantStatus, Mutation};

use crate::mutate::own_limit;
use crate::workspace::{CommandOutput, Workspace, has};

/// The larger of two numbers, with macros, a template and a branch of the preprocessor around it.
pub(crate) const LARGER_CPP: &str = "#include <iostream>
#include <string>
#define FOR(i, n) for (int i = 0; i < (n); i++)
#ifdef LOCAL
int debug = 1 + 1;
#endif
template <int N>
struct Numbers {
    long long of[N + 1];
};

long long larger(long long a, long long b) {
    if (a > b) {
        return a;
    }
    // The compiler must not detect that both branches are correct for two equal numbers.
    return std::stoll(std::to_string(b));
}

int main() {
    Numbers<2> numbers;
    FOR(i, 2) {
        std::cin >> numbers.of[i];
    }
    std::cout << larger(numbers.of[0], numbers.of[1]) << \"\\n\";
}
";

const LARGER_C: &str = "#include <stdio.h>

int main(void) {
    long long a, b;
    scanf(\"%lld %lld\", &a, &b);
    if (a < b) {
        a = b;
    }
    printf(\"%lld\\n\", a);
    return 0;
}
";

const LARGER_PYTHON: &str = "numbers = sorted(int(word) for word in input().split())
for place in range(1, len(numbers)):
    if numbers[place] < 0:
        print(0)
print(numbers[1])
";

const LARGER_JAVA: &str = "import java.util.Scanner;

public class Compare {
    static long larger(Long a, Long b) {
        if (a.equals(b)) {
            return a;
        }
        return a > b ? a : b;
    }

    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        System.out.println(larger(scanner.nextLong(), scanner.nextLong()));
    }
}
";

pub(crate) fn workspace(language: &str, file: &str, source: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    if !has(language) {
        return None;
    }
    let limits = format!("limits:\n  time_limit: 4\n  {}\n", own_limit());
    workspace.problem("larger", &limits);
    workspace.case("larger", "sample/1", "3 2\n", "3\n");
    workspace.case("larger", "secret/01", "1 2\n", "2\n");
    workspace.write(&format!("solutions/larger/accepted/{file}"), source);
    Some(workspace)
}

#[track_caller]
pub(crate) fn document(output: &CommandOutput) -> Mutation {
    Mutation::parse(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"))
}

/// The original texts of the mutants with this status, each with its replacement.
fn with(mutation: &Mutation, status: MutantStatus) -> Vec<(&str, &str)> {
    let mutants = mutation
        .mutants
        .iter()
        .filter(|mutant| mutant.status == status);
    mutants
        .map(|mutant| (mutant.was.as_str(), mutant.becomes.as_str()))
        .collect()
}

#[test]
fn cpp_mutants_share_a_program_and_widths_are_compiled_separately() {
    let Some(workspace) = workspace("cpp", "compare.cpp", LARGER_CPP) else {
        return;
    };
    let first = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert_eq!(
        with(&first, MutantStatus::Survived),
        [("long long", "int"), (">", ">="), SWAPPED]
    );
    assert_eq!(with(&first, MutantStatus::DoesNotCompile), []);
    assert_eq!(first.method.apart, 1, "{:?}", first.method);
    let reached = |was: &str| {
        first
            .survivors()
            .find(|mutant| mutant.was == was)
            .unwrap()
            .reached
            .as_deref()
    };
    assert_eq!(
        reached(">"),
        Some(&[][..]),
        "the numbers are never the same"
    );
    assert_eq!(reached(SWAPPED.0).map(<[_]>::len), Some(2));
    // A new test case runs the open mutants only; without a new one, nothing runs.
    workspace.case(
        "larger",
        "secret/02-large",
        "3000000000 1\n",
        "3000000000\n",
    );
    let second = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert_eq!(
        with(&second, MutantStatus::Survived),
        [(">", ">="), SWAPPED]
    );
    assert!(
        second.method.known > 0 && second.method.runs < first.method.runs,
        "{:?}",
        second.method
    );
    let third = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert_eq!((third.method.runs, third.score), (0, second.score));
}

const SWAPPED: (&str, &str) = (
    "numbers.of[0], numbers.of[1]",
    "numbers.of[1], numbers.of[0]",
);

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn results_of_samples_are_reported_separately() {
    let Some(workspace) = workspace("cpp", "compare.cpp", LARGER_CPP) else {
        return;
    };
    let whole = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    // The same program with another comment: none of its results are cached.
    let text = format!("{LARGER_CPP}// {} again\n", workspace.path("").display());
    workspace.write("solutions/larger/accepted/compare.cpp", text);
    for seed in ["1", "2"] {
        let output = workspace
            .judge([
                "mutate",
                "larger",
                "--sample",
                "4",
                "--seed",
                seed,
                "--report=json",
            ])
            .exits(0);
        assert_eq!(document(&output).mutants.len(), 4);
    }
    let all = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert!(all.method.known > 0, "{:?}", all.method);
    let facts = |mutation: &Mutation| -> Vec<_> {
        let fact =
            |mutant: &MutantResult| (mutant.id.clone(), mutant.status, mutant.reached.clone());
        mutation.mutants.iter().map(fact).collect()
    };
    assert_eq!(facts(&all), facts(&whole));
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn combined_mutants_die_like_separate_ones() {
    let Some(workspace) = workspace("cpp", "compare.cpp", LARGER_CPP) else {
        return;
    };
    let full = |way: &[&str]| {
        let base = [
            "mutate",
            "larger",
            "--full",
            "--sample",
            "8",
            "--report=json",
        ];
        document(&workspace.judge(base.iter().chain(way)).exits(0))
    };
    let (together, apart) = (full(&[]), full(&["--apart"]));
    assert!(
        together.method.together >= 5 && apart.method.together == 0,
        "{:?} {:?}",
        together.method,
        apart.method
    );
    assert_eq!(
        apart.method.known, 0,
        "results of the combined program are not used"
    );
    assert!(apart.mutants.iter().all(|mutant| mutant.reached.is_none()));
    let facts = |mutation: &Mutation| -> Vec<_> {
        mutation
            .mutants
            .iter()
            .map(|mutant| (mutant.id.clone(), mutant.status, mutant.kills.clone()))
            .collect()
    };
    assert_eq!(facts(&together), facts(&apart));
}

#[test]
fn c_mutants_share_a_program() {
    let Some(workspace) = workspace("c", "compare.c", LARGER_C) else {
        return;
    };
    let output = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    let survivors = with(&output, MutantStatus::Survived);
    assert!(
        survivors.contains(&("<", "<=")) && survivors.contains(&("long long", "int")),
        "{survivors:?}"
    );
    assert!(
        output.method.together > 4 * output.method.apart,
        "{:?}",
        output.method
    );
    assert!(output.score.totals.killed >= 5, "{:?}", output.score);
}

#[test]
fn mutants_with_identical_programs_are_equivalent() {
    let text = LARGER_C.replace("    if (a < b)", "    int unused = 5;\n    if (a < b)");
    let Some(workspace) = workspace("c", "compare.c", &text) else {
        return;
    };
    let output = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert_eq!(
        with(&output, MutantStatus::Equivalent),
        [("5", "6"), ("5", "4")]
    );
    assert_eq!((output.score.equivalent, output.score.same_program), (2, 2));
    // A survivor with other behaviour is not such a mutant.
    assert!(with(&output, MutantStatus::Survived).contains(&("<", "<=")));
    workspace
        .judge(["mutate", "larger"])
        .exits(0)
        .stdout_has(&["2 the same program"]);
}

/// A program with mutants that are equivalent in each kind of place: in a method, in a template, in
/// a function and in `main`, in a lambda, and in the initial value of a static variable.
const UNSEEN_CPP: &str = "#include <iostream>

struct Box {
    unsigned filled;
    bool holds() const { return filled > 0; }
};

template <class T>
T larger(T a, T b) {
    T in_template = 11;
    return a < b ? b : a;
}

long long shown(long long a) {
    static int calls = 5;
    auto step = [](long long b) {
        int in_lambda = 7;
        return b;
    };
    return calls++ > 20 ? 0 : step(a);
}

int main() {
    Box box{3};
    long long a, b;
    std::cin >> a >> b;
    int in_main = 9;
    if (box.holds()) {
        std::cout << shown(larger(a, b)) << \"\\n\";
    }
}
";

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn survivors_in_cpp_are_compared_with_the_solution() {
    let Some(workspace) = workspace("cpp", "compare.cpp", UNSEEN_CPP) else {
        return;
    };
    let output = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    let same: Vec<_> = output
        .mutants
        .iter()
        .filter(|mutant| mutant.same_program)
        .collect();
    let same: Vec<_> = same
        .iter()
        .map(|mutant| (mutant.was.as_str(), mutant.becomes.as_str()))
        .collect();
    for known in [(">", "!="), ("11", "12"), ("7", "8"), ("9", "10")] {
        assert!(same.contains(&known), "{known:?} of {same:?}");
    }
    // Each of these is a different program, although its output is the same.
    let survived = with(&output, MutantStatus::Survived);
    for known in [("5", "6"), ("5", "4")] {
        assert!(
            survived.contains(&known) && !same.contains(&known),
            "{known:?} of {survived:?}"
        );
    }
    // Each part, and the whole program, is the same.
    let apart = document(
        &workspace
            .judge(["mutate", "larger", "--apart", "--report=json"])
            .exits(0),
    );
    let facts = |mutation: &Mutation| -> Vec<_> {
        mutation
            .mutants
            .iter()
            .map(|mutant| (mutant.id.clone(), mutant.status, mutant.same_program))
            .collect()
    };
    assert_eq!(facts(&output), facts(&apart));
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn leading_headers_are_compiled_once() {
    for (before, times) in [("", 1), ("#define FIRST\n", 0)] {
        let Some(workspace) = workspace("cpp", "compare.cpp", &format!("{before}{UNSEEN_CPP}"))
        else {
            return;
        };
        let cache = tempfile::tempdir().unwrap();
        let mut command = workspace.command(["mutate", "larger"]);
        command
            .env("JUDGE_CACHE_DIR", cache.path())
            .env("JUDGE_LOG", "compile");
        let output = CommandOutput::from_command(&mut command).exits(0);
        let starts: Vec<&str> = output
            .stderr
            .lines()
            .filter(|line| line.contains("compiler starts"))
            .collect();
        let with = |word: &str| starts.iter().filter(|line| line.contains(word)).count();
        assert_eq!(with("c++-header"), times, "{starts:#?}");
        // The two programs that many mutants share, the solution, and mutants that are compiled
        // separately.
        assert_eq!(with("-include") > 3, times == 1, "{starts:#?}");
    }
}

#[test]
fn python_mutants_are_run_one_by_one() {
    let Some(workspace) = workspace("python3", "compare.py", LARGER_PYTHON) else {
        return;
    };
    let output = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    let survivors = with(&output, MutantStatus::Survived);
    assert!(survivors.contains(&("<", "<=")), "{survivors:?}");
    let killed = with(&output, MutantStatus::Killed);
    assert!(
        killed.contains(&("sorted", "list"))
            && killed.contains(&("len(numbers)", "(len(numbers)) + 1")),
        "{killed:?}"
    );
    assert_eq!(output.method.together, 0);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn mutants_with_identical_bytecode_or_class_files_are_equivalent() {
    let (python, java) = (
        "def never():\n    return 1 if False and 2 > 1 else 0\n\na, b = map(int, input().split())\nprint(max(a, b) + never())\n",
        LARGER_JAVA.replace("a.equals(b)", "false && a > 0"),
    );
    for (language, file, source, dead) in [
        ("python3", "compare.py", python, "2 > 1"),
        ("java", "Compare.java", &java, "a > 0"),
    ] {
        let Some(workspace) = workspace(language, file, source) else {
            continue;
        };
        let output = document(
            &workspace
                .judge(["mutate", "larger", "--report=json"])
                .exits(0),
        );
        let same = output
            .mutants
            .iter()
            .filter(|mutant| mutant.same_program)
            .map(|mutant| mutant.was.as_str());
        let same: Vec<_> = same.collect();
        assert!(same.contains(&dead), "{file}: {same:?}");
        // A survivor with other behaviour is not such a mutant.
        assert!(output.score.survived > 0, "{file}: {:?}", output.score);
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn java_mutants_are_compiled_one_by_one() {
    let Some(workspace) = workspace("java", "Compare.java", LARGER_JAVA) else {
        return;
    };
    let output = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    let survivors = with(&output, MutantStatus::Survived);
    assert!(
        survivors.contains(&("a.equals(b)", "(a == b)")),
        "{survivors:?}"
    );
    assert_eq!(output.method.together, 0);
    assert!(output.score.totals.killed > 2, "{:?}", output.score);
}

#[test]
fn endless_cpp_mutants_are_killed_by_the_time_limit() {
    let source = "#include <cstdio>\n\nint main() {\n    long long a, b;\n    std::scanf(\"%lld %lld\", &a, &b);\n    \
        volatile long long c = a;\n    while (c < b) {\n        c += 1;\n    }\n    \
        std::printf(\"%lld\\n\", c);\n}\n";
    let Some(workspace) = workspace("cpp", "compare.cpp", source) else {
        return;
    };
    let mutation = document(
        &workspace
            .judge(["mutate", "larger", "--time-limit", "0.1", "--report=json"])
            .exits(0),
    );
    let without = mutation
        .mutants
        .iter()
        .find(|mutant| mutant.was == "c += 1;")
        .unwrap();
    assert_eq!(without.kills[0].verdict.code(), "TLE");
}

#[test]
fn verdicts_on_mutants_are_not_cached_for_submissions() {
    let Some(workspace) = workspace("cpp", "compare.cpp", LARGER_CPP) else {
        return;
    };
    // `files` holds facts about programs, by content, `host` holds facts about the host, and neither
    // holds results.
    let kept = || {
        let mut files = workspace.files_below(&workspace.results_dir());
        let no_results =
            ["files", "host", "CACHEDIR.TAG"].map(|name| workspace.results_dir().join(name));
        files.retain(|file, _| !no_results.iter().any(|other| file.starts_with(other)));
        files
    };
    CommandOutput::from_command(&mut workspace.command_keeping(["mutate", "larger"])).exits(0);
    let none: Vec<_> = kept().into_keys().collect();
    assert!(none.is_empty(), "{none:?}");
    CommandOutput::from_command(&mut workspace.command_keeping(["run", "larger"])).exits(0);
    let of_run = kept();
    assert!(
        !of_run.is_empty(),
        "results of a run are cached in this directory"
    );
    CommandOutput::from_command(&mut workspace.command_keeping(["mutate", "larger", "--full"]))
        .exits(0);
    assert_eq!(kept(), of_run);
}

#[test]
fn the_mean_of_all_solutions_is_compared_with_the_minimum_score() {
    let Some(workspace) = workspace("cpp", "compare.cpp", LARGER_CPP) else {
        return;
    };
    if !has("python3") {
        return;
    }
    workspace.write("solutions/larger/accepted/second.py", LARGER_PYTHON);
    workspace.write("solutions/larger/wrong_answer/third.py", "print(0)\n");
    let output = workspace
        .judge([
            "mutate",
            "larger",
            "--all",
            "--report=json",
            "--min-score",
            "99",
        ])
        .exits(1);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{output:?}");
    let percent = |line: &str| Mutation::parse(line).unwrap().score.totals.percent();
    let overall: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
    let mean = (percent(lines[0]) + percent(lines[1])) / 2.0;
    assert!(
        (overall["mean"].as_f64().unwrap() - mean).abs() < 1e-6,
        "{overall}"
    );
    assert_eq!(overall["solutions"][1]["solution"], "accepted/second.py");
    let least = format!("{}", mean.floor());
    let message = workspace
        .judge(["mutate", "larger", "--all", "--min-score", &least])
        .exits(0);
    message.stdout_has(&[
        "mutants of 2 solutions together",
        "the mean of the solutions' scores",
        "accepted/second.py",
    ]);
}

#[test]
fn survivors_are_grouped_by_gap() {
    let Some(workspace) = workspace("cpp", "compare.cpp", LARGER_CPP) else {
        return;
    };
    let output = workspace.judge(["mutate", "larger"]).exits(0);
    output.stdout_has(&[
        "no test case has two equal values here  1",
        "no test case in which `a` and `b` are equal",
        "nearest: 2 test cases reach this place, with values that make no difference: sample/1, secret/01",
        "no test case needs more than 32 bits here  1",
    ]);
}
