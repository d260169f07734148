//! Warm programs: searches, generation and checks of test data report the same as with ordinary
//! runs.

use judge_model::IsolationLevel;

use crate::workspace::{CommandOutput, Workspace, skipped, strongest_level};

/// Adds two numbers. `PRIVATE` is the code of a program that remembers its runs; `RUNS` is the
/// number of runs since its start.
const ADD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/mman.h>\nstatic int *runs;\n\
    __attribute__((constructor)) static void before(void) {\n\
    runs = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }\n\
    int main(void) { long a, b; if (scanf(\"%ld %ld\", &a, &b) != 2) return 1; long sum = a + b; int RUNS = ++*runs;\n\
    PRIVATE\nprintf(\"%ld\\n\", sum); }\n";
const GENERATOR: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {\n\
    unsigned s = atoi(v[c - 1]) * 2654435761u; printf(\"%u %u\\n\", s % 1000, s / 1000 % 1000); }\n";
const VALIDATOR: &str = "#include <stdio.h>\nint main(void) { long a, b;\n\
    return scanf(\"%ld %ld\", &a, &b) == 2 && a >= 0 && b >= 0 ? 42 : 43; }\n";

fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("add", "limits:\n  time_limit: 2\n  memory: 256\n");
    workspace.case("add", "secret/1", "1 2\n", "3\n");
    workspace.write("problems/add/input_validators/v.c", VALIDATOR);
    workspace.write("problems/add/generators/gen.c", GENERATOR);
    workspace.write(
        "problems/add/generators/generators.yaml",
        "data: {secret: {data: {a: 'gen.c {seed}'}}}\n",
    );
    let add = |private: &str| ADD.replace("PRIVATE", private);
    workspace.write("solutions/add/accepted/reference.c", add(""));
    workspace.write("solutions/add/accepted/second.c", add("puts(\"\");"));
    workspace.write(
        "solutions/add/wrong_answer/only_warm.c",
        add("if (RUNS > 1) sum++;"),
    );
    workspace.write(
        "solutions/add/wrong_answer/wrong.c",
        add("if (a > 990) sum++;"),
    );
    workspace.write(
        "solutions/add/wrong_answer/crashes.c",
        add("if (a > 995) abort();"),
    );
    Some(workspace)
}

/// True where programs are run warm.
fn is_full() -> bool {
    let full = strongest_level() == Some(IsolationLevel::Full);
    if !full {
        skipped(
            "warm programs",
            "they are run only at the isolation level `full`",
        );
    }
    full
}

/// A search of 300 inputs, and how many runs of it were warm.
fn stress(workspace: &Workspace, args: &[&str]) -> (CommandOutput, usize) {
    let mut command = workspace.command(["stress", "--inputs", "300", "--seed", "1"]);
    command
        .args(["--shrink", "0", "-j", "1"])
        .args(args)
        .env("JUDGE_LOG", "sandbox");
    let output = CommandOutput::from_command(&mut command);
    let warm = output
        .stderr
        .lines()
        .filter(|line| line.contains("kind=\"run warm\""))
        .count();
    (output, warm)
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn warm_searches_find_the_same_inputs() {
    let Some(workspace) = workspace() else { return };
    if !is_full() {
        return;
    }
    for name in ["wrong.c", "crashes.c"] {
        let name = format!("add/wrong_answer/{name}");
        let (found, warm) = stress(&workspace, &[&name, "--report=json"]);
        let (again, cold) = stress(
            &workspace,
            &[&name, "--report=json", "--isolation", "namespaces"],
        );
        assert!(warm > 0 && cold == 0, "{warm} {cold}: {}", found.stderr);
        let document = |output: CommandOutput| {
            let mut document: serde_json::Value =
                serde_json::from_str(&output.exits(1).stdout).unwrap();
            document.as_object_mut().unwrap().remove("elapsed_us");
            let failure = document["findings"][0]["failures"][0]
                .as_object_mut()
                .unwrap();
            failure.retain(|key, _| ["verdict", "how", "submission"].contains(&key.as_str()));
            document
        };
        assert_eq!(document(found), document(again));
    }
    // Nearly all runs are warm when nothing is found.
    let (output, warm) = stress(&workspace, &["add/accepted/second.c"]);
    assert!(warm > 500, "{warm} runs were warm: {}", output.stderr);
}

#[test]
fn findings_only_in_warm_runs_are_not_reported() {
    let Some(workspace) = workspace() else { return };
    if !is_full() {
        return;
    }
    let (output, warm) = stress(&workspace, &["add/wrong_answer/only_warm.c"]);
    output.exits(0).stdout_has(&["none found"]);
    assert!(warm > 500, "{warm} runs were warm");
    // It does not change a verdict, either.
    let output = workspace.judge(["run", "add/wrong_answer/only_warm.c"]);
    output.stdout_has(&["only_warm.c  AC"]);
}

/// Shrinks a finding of loose files, and returns it.
fn shrunk(workspace: &Workspace, options: &[&str]) -> serde_json::Value {
    let search = ["stress", "a.c", "--reference", "b.sh", "--seed", "6"];
    let output = workspace
        .judge(search.iter().chain(&["--report=json"]).chain(options))
        .exits(1);
    let found: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    found["findings"][0].clone()
}

#[test]
fn ordinary_runs_decide_that_nothing_more_can_be_removed() {
    let workspace = Workspace::new();
    if !is_full() {
        return;
    }
    // It fails only shortly after its start, which is long ago in most warm runs.
    workspace.write(
        "a.c",
        "#include <stdio.h>\n#include <time.h>\nstatic double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); \
         return t.tv_sec + t.tv_nsec / 1e9; }\nstatic double start;\n__attribute__((constructor)) static void begin(void) { \
         start = now(); }\nint main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1;\n\
         printf(\"%d\\n\", n + (n >= 3 && now() - start < 0.2)); }\n",
    );
    workspace.write("b.sh", "read n; echo $n\n");
    workspace.write("gen.sh", "echo $(($1 % 50 + 20)); echo 1 2 3 4 5 6 7 8 9\n");
    workspace.write(
        "v.ctd",
        "INT(0,99) NEWLINE REP(9,SPACE) INT(0,9) END NEWLINE EOF\n",
    );
    let finding = shrunk(
        &workspace,
        &["--generator", "gen.sh {seed}", "--validator", "v.ctd"],
    );
    assert_eq!(finding["input"], "3\n0 0 0 0 0 0 0 0 0\n");
    assert_eq!(finding["is_minimal"], true);
}

#[test]
fn reported_calls_make_the_reported_inputs() {
    let workspace = Workspace::new();
    if !is_full() {
        return;
    }
    workspace.write(
        "a.c",
        "#include <stdio.h>\nint main(void) { puts(\"0\"); }\n",
    );
    workspace.write("b.sh", "echo 1\n");
    // Its output is fixed at its start.
    workspace.write(
        "gen.c",
        "#include <stdio.h>\n#include <stdlib.h>\nstatic int seed;\n\
         __attribute__((constructor)) static void begin(int count, char **args) { seed = count > 2 ? atoi(args[2]) : 0; }\n\
         int main(int count, char **args) { int n = atoi(args[1]); while (n-- > 0) printf(\"%d \", seed); puts(\"\"); }\n",
    );
    let finding = shrunk(&workspace, &["--generator", "gen.c [1..30] {seed}"]);
    let call = finding["call"].as_str().unwrap();
    let args: Vec<&str> = call.split_whitespace().collect();
    let input = finding["input"].as_str().unwrap();
    let numbers: Vec<&str> = input.split_whitespace().collect();
    assert_eq!(
        numbers,
        vec![args[2]; args[1].parse().unwrap()],
        "{finding}"
    );
}

/// A package with a generator of this source. `CHANGING` affects only the last of its calls, so
/// that the generator is warm by then.
fn generating(name: &str, source: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("made", "limits:\n  time_limit: 2\n  memory: 256\n");
    // The source differs from that of any other test, since generated data is cached.
    let comment = if name.ends_with(".py") { "#" } else { "//" };
    let source = format!("{comment} {}\n{source}", workspace.root().display());
    workspace.write(&format!("problems/made/generators/{name}"), source);
    let calls: String = (1..=8)
        .map(|call| format!("      - c{call}: '{name} {call}'\n"))
        .collect();
    let rules = format!("data:\n  secret:\n    data:\n{calls}");
    workspace.write("problems/made/generators/generators.yaml", rules);
    workspace.write("problems/made/input_validators/v.py", PYTHON_VALIDATOR);
    workspace.write("solutions/made/accepted/same.py", "print(input())\n");
    Some(workspace)
}

const PYTHON_VALIDATOR: &str =
    "import sys\nsys.exit(42 if 1 <= len(input().split()) <= 99 else 43)\n";

/// Generates, and returns how many runs were warm.
fn generate(workspace: &Workspace) -> (CommandOutput, usize) {
    let mut command = workspace.command(["generate", "made", "-j", "1"]);
    let output = CommandOutput::from_command(command.env("JUDGE_LOG", "sandbox"));
    let warm = output
        .stderr
        .lines()
        .filter(|line| line.contains("kind=\"run warm\""))
        .count();
    (output, warm)
}

#[test]
fn start_dependent_generators_are_detected() {
    if !is_full() {
        return;
    }
    let c = |before: &str, changing: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/auxv.h>\n#include <time.h>\n{before}\n\
            int main(int c, char **v) {{ int call = atoi(v[1]); long made = call;\n\
            if (call == 8) {{ {changing} }}\nprintf(\"%ld\\n\", made); }}\n"
        )
    };
    let clock = "static struct timespec at;\n__attribute__((constructor)) static void before(void) {\n\
        clock_gettime(CLOCK_MONOTONIC, &at); }";
    let changing = [
        (
            "set.py",
            "import sys\ncall = int(sys.argv[1])\nprint(*({str(n) for n in range(20)} if call == 8 else [call]))\n"
                .to_owned(),
        ),
        (
            "draws.py",
            "import random, sys\ncall = int(sys.argv[1])\nprint(random.random() if call == 8 else call)\n".to_owned(),
        ),
        ("address.c", c("", "made = (long)&call;")),
        ("random.c", c("", "made = *(long *)getauxval(AT_RANDOM);")),
        ("clock.c", c(clock, "made = at.tv_nsec;")),
        ("heap.c", c("", "made = (long)malloc(9);")),
    ];
    for (name, source) in &changing {
        let Some(workspace) = generating(name, source) else {
            return;
        };
        let (output, warm) = generate(&workspace);
        let output = output.exits(3);
        output.stderr_has(&[&format!(
            "`{name} 8` is not deterministic: a second run with the same arguments produced different data"
        )]);
        assert!(
            !output.stderr.contains(&format!("`{name} 7`")),
            "{}",
            output.stderr
        );
        assert!(
            warm >= 10,
            "{name}: {warm} runs were warm: {}",
            output.stderr
        );
    }
}

#[test]
fn stateful_generators_make_the_same_data_as_in_ordinary_runs() {
    if !is_full() {
        return;
    }
    // Only two runs of the same warm program differ.
    let source = "#include <stdio.h>\n#include <sys/mman.h>\n#include <sys/random.h>\nstatic int *runs;\n\
        __attribute__((constructor)) static void before(void) {\n\
        runs = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }\n\
        int main(int c, char **v) { unsigned made;\n\
        if (++*runs > 1 && getrandom(&made, sizeof made, 0)) printf(\"%u\\n\", made); else puts(v[1]); }\n";
    let Some(workspace) = generating("remembers.c", source) else {
        return;
    };
    let (output, warm) = generate(&workspace);
    output.exits(0);
    assert!(warm >= 3, "{warm} runs were warm");
    for call in 1..=8 {
        let path = workspace.path(&format!("problems/made/data/secret/{call}-c{call}.in"));
        let made = std::fs::read_to_string(path).unwrap();
        assert_eq!(made, format!("{call}\n"));
    }
}

#[test]
fn failures_only_in_warm_runs_are_ignored() {
    if !is_full() {
        return;
    }
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/mman.h>\nstatic int *runs;\n\
        __attribute__((constructor)) static void before(void) {\n\
        runs = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }\n\
        int main(int c, char **v) { if (++*runs > 1) abort(); puts(v[1]); }\n";
    let Some(workspace) = generating("fails.c", source) else {
        return;
    };
    let (output, warm) = generate(&workspace);
    output.exits(0);
    assert!(warm >= 1, "{warm} runs were warm");
}
