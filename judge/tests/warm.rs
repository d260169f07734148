//! Searches run programs warm: what they tell is as if they did not.

use judge_model::IsolationLevel;

use crate::workspace::{Said, Workspace, skipped, strongest_level};

/// Adds two numbers. `PRIVATE` is what a program does that remembers its runs: `RUNS` is how often it has run since it
/// was started.
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
    workspace.write("problems/add/generators/generators.yaml", "data: {secret: {data: {a: 'gen.c {seed}'}}}\n");
    let add = |private: &str| ADD.replace("PRIVATE", private);
    workspace.write("solutions/add/accepted/reference.c", add(""));
    workspace.write("solutions/add/accepted/second.c", add("puts(\"\");"));
    workspace.write("solutions/add/wrong_answer/only_warm.c", add("if (RUNS > 1) sum++;"));
    workspace.write("solutions/add/wrong_answer/wrong.c", add("if (a > 500) sum++;"));
    workspace.write("solutions/add/wrong_answer/crashes.c", add("if (a > 900) abort();"));
    Some(workspace)
}

/// True where programs are run warm.
fn is_full() -> bool {
    let full = strongest_level() == Some(IsolationLevel::Full);
    if !full {
        skipped("warm programs", "they are run only at the isolation level `full`");
    }
    full
}

/// A search of 300 inputs, and how many runs of it were warm.
fn stress(workspace: &Workspace, args: &[&str]) -> (Said, usize) {
    let mut command = workspace.command(["stress", "--inputs", "300", "--seed", "1", "--source", "generators"]);
    command.args(["--shrink", "0", "-j", "1"]).args(args).env("JUDGE_LOG", "sandbox");
    let said = Said::of(&mut command);
    let warm = said.stderr.lines().filter(|line| line.contains("kind=\"run warm\"")).count();
    (said, warm)
}

#[test]
fn a_search_runs_warm_and_finds_the_same() {
    let Some(workspace) = workspace() else { return };
    if !is_full() {
        return;
    }
    for name in ["wrong.c", "crashes.c"] {
        let name = format!("add/wrong_answer/{name}");
        let (found, warm) = stress(&workspace, &[&name, "--json"]);
        let (again, cold) = stress(&workspace, &[&name, "--json", "--isolation", "namespaces"]);
        assert!(warm > 0 && cold == 0, "{warm} {cold}: {}", found.stderr);
        let document = |said: Said| {
            let mut document: serde_json::Value = serde_json::from_str(&said.exits(1).stdout).unwrap();
            document.as_object_mut().unwrap().remove("elapsed_us");
            let failure = document["findings"][0]["failures"][0].as_object_mut().unwrap();
            failure.retain(|key, _| ["verdict", "how", "submission"].contains(&key.as_str()));
            document
        };
        assert_eq!(document(found), document(again));
    }
    // Hardly a run is ordinary when nothing is found.
    let (said, warm) = stress(&workspace, &["add/accepted/second.c"]);
    assert!(warm > 500, "{warm} runs were warm: {}", said.stderr);
}

#[test]
fn what_only_a_warm_run_does_is_not_told() {
    let Some(workspace) = workspace() else { return };
    if !is_full() {
        return;
    }
    let (said, warm) = stress(&workspace, &["add/wrong_answer/only_warm.c"]);
    said.exits(0).tells(&["none found"]);
    assert!(warm > 500, "{warm} runs were warm");
    // Nor does it change a verdict.
    let said = workspace.judge(["run", "add/wrong_answer/only_warm.c"]);
    said.tells(&["only_warm.c  AC"]);
}
