//! `judge grade`: requests in, results out, with the verdicts of `judge submit`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use judge_fixtures::schema::fault;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, has};

/// The schema of requests and results.
pub(crate) fn schema() -> Value {
    let file = crate::event_schema::file().with_file_name("grade.schema.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

pub(crate) fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// The results on standard output, each of which fits the schema.
pub(crate) fn results(output: &CommandOutput) -> Vec<Value> {
    let schema = schema();
    let parsed = output.stdout.lines().map(|line| {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(fault(&schema, &value), None, "{line}");
        value
    });
    parsed.collect()
}

pub(crate) fn grade(
    workspace: &Workspace,
    requests: &str,
    args: &[&str],
    code: i32,
) -> (Vec<Value>, CommandOutput) {
    workspace.write("requests.jsonl", requests);
    let output = workspace
        .judge([&["grade", "requests.jsonl"], args].concat())
        .exits(code);
    (results(&output), output)
}

/// A program in Bash that prints the sum of two numbers, with a further line.
pub(crate) fn bash(more: &str) -> String {
    format!("read a b\n{more}\necho $((a + b))\n")
}

pub(crate) fn inline(tests: &[(&str, &str)]) -> Value {
    let tests: Vec<Value> = tests
        .iter()
        .map(|(input, output)| json!({"input": input, "output": output}))
        .collect();
    json!({"tests": tests})
}

#[test]
fn verdicts_equal_those_of_submit() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let programs = [
        ("right.c", SUM.to_owned()),
        ("wrong.c", SUM_PLUS_ONE.to_owned()),
        (
            "broken.c",
            "int main(void) { return undeclared; }\n".to_owned(),
        ),
        ("crash.sh", bash("exit 3")),
        ("slow.sh", bash("while :; do :; done")),
        ("right.sh", bash("")),
    ];
    workspace.problem("quick", "limits:\n  time_limit: 0.3\n  memory: 256\n");
    workspace.case("quick", "secret/1", "1 2\n", "3\n");
    workspace.case("quick", "secret/2", "2 2\n", "4\n");
    let mut requests = Vec::new();
    for (name, text) in &programs {
        workspace.write(&format!("mine/{name}"), text);
        requests.push(json!({"id": name, "problem": "quick", "filename": name, "source": text}));
    }
    let (found, _) = grade(&workspace, &lines(&requests), &["--ordered"], 0);
    for (result, (name, _)) in found.iter().zip(&programs) {
        let submitted = workspace.events(["submit", &format!("mine/{name}"), "-p", "quick"]);
        let verdict = serde_json::to_value(submitted.verdict(name)).unwrap();
        assert_eq!(
            (&result["id"], &result["verdict"]),
            (&json!(name), &verdict),
            "{result}"
        );
    }
    assert_eq!(
        (&found[0]["passed"], &found[0]["judged"]),
        (&json!(2), &json!(2))
    );
    let failure = &found[1]["first_failure"];
    assert_eq!(
        (&failure["expected"], &failure["actual"], &failure["line"]),
        (&json!("3"), &json!("4"), &json!(1))
    );
    assert_eq!(failure["input"]["head"], "1 2\n");
    let message = found[2]["compiler_message"].as_str().unwrap();
    assert!(
        message.starts_with("broken.c: In function") && message.contains("undeclared"),
        "{message}"
    );
}

/// Verdicts and scores of whole packages: groups, scores of validators, conversations, several
/// passes, inferred limits.
#[test]
fn scoring_packages_get_the_results_of_run() {
    has_the_results_of_run(&["scoringgroups", "scoringfiles", "legacygroups"]);
}

#[test]
fn interactive_packages_get_the_results_of_run() {
    has_the_results_of_run(&["guess"]);
}

#[test]
fn other_packages_get_the_results_of_run() {
    has_the_results_of_run(&["caesar", "rounds", "inferredlimit"]);
}

fn has_the_results_of_run(packages: &[&str]) {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let (mut requests, mut expected) = (Vec::new(), Vec::new());
    for package in packages {
        let path = crate::programs::path(package);
        // Programs that exceed limits take long.
        let is_quick = |path: &PathBuf| match *package {
            "guess" => path.ends_with("accepted"),
            _ => !path.ends_with("time_limit_exceeded") && path.is_dir(),
        };
        let directories = fs::read_dir(path.join("submissions"))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let what: Vec<PathBuf> = directories
            .filter(is_quick)
            .map(|found| path.join(found.file_name().unwrap()))
            .collect();
        let run = workspace.events([vec![PathBuf::from("run")], what].concat());
        for submission in run
            .state()
            .problems
            .into_iter()
            .flat_map(|problem| problem.submissions)
        {
            let id = &submission.started.submission;
            let finished = submission.finished.unwrap();
            expected.push(json!([
                format!("{package}/{id}"),
                finished.verdict,
                finished.score
            ]));
            let program = path.join("submissions").join(id);
            requests
                .push(json!({"id": format!("{package}/{id}"), "problem": path, "path": program}));
        }
    }
    assert!(requests.len() >= 5, "{requests:?}");
    let (found, _) = grade(&workspace, &lines(&requests), &["--ordered"], 0);
    let found: Vec<Value> = found
        .iter()
        .map(|result| json!([result["id"], result["verdict"], result["score"]]))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn subsets_of_scoring_problems_and_all_test_cases_have_scores() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let path = crate::programs::path("scoringgroups");
    let program = path.join("submissions/partly/misses_13.py");
    let request = json!({"problem": path, "path": program, "details": true, "stop": "never"});
    let (found, _) = grade(&workspace, &lines(&[request]), &[], 0);
    assert_eq!(found[0]["score"], 90.0);
    let test_cases = found[0]["test_cases"].as_array().unwrap();
    assert_eq!(found[0]["judged"], test_cases.len());
    assert!(
        test_cases
            .iter()
            .any(|test_case| test_case["verdict"] == "WA"),
        "{test_cases:?}"
    );
}

#[test]
fn problems_in_requests_have_comparisons_checkers_and_limits() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let third = "read n; echo 0.3333\n";
    let request = |id: &str, problem: Value| json!({"id": id, "problem": problem, "language": "bash", "source": third});
    let with = |key: &str, value: Value| {
        let mut problem = inline(&[("3\n", "0.33333333\n")]);
        problem[key] = value;
        problem
    };
    let accepts = "int main(void) { return 42; }\n";
    let requests = [
        request("exact", inline(&[("3\n", "0.33333333\n")])),
        request("near", with("comparison", json!({"float_tolerance": 1e-3}))),
        request("far", with("comparison", json!({"float_tolerance": 1e-9}))),
        request(
            "checker",
            with("checker", json!({"language": "c", "source": accepts})),
        ),
        request(
            "broken checker",
            with(
                "checker",
                json!({"language": "c", "source": "int main(void) {"}),
            ),
        ),
        request("no tests", json!({"tests": []})),
        json!({"id": "output", "problem": inline(&[("", "")]), "language": "bash", "limits": {"output": 1},
               "source": "head -c 2000000 /dev/zero\n"}),
        json!({"id": "all", "problem": inline(&[("1\n", "1\n"), ("2\n", "x\n"), ("3\n", "3\n")]), "language": "bash",
               "source": "cat\n", "stop": "never", "details": true}),
        json!({"id": "part", "problem": inline(&[("1\n", "1\n"), ("2\n", "x\n")]), "language": "bash",
               "source": "cat\n", "tests": ["1"]}),
    ];
    let (found, _) = grade(&workspace, &lines(&requests), &["--ordered"], 3);
    let verdicts: Vec<&str> = found
        .iter()
        .map(|result| result["verdict"].as_str().unwrap_or("none"))
        .collect();
    assert_eq!(
        verdicts,
        ["WA", "AC", "WA", "AC", "none", "none", "OLE", "WA", "AC"],
        "{found:#?}"
    );
    assert_eq!(found[4]["error"]["kind"], "package");
    // The temporary directory of the checker is not named.
    let message = found[4]["error"]["message"].as_str().unwrap();
    let start = "the output validator `main.c` does not compile:\n  main.c";
    assert!(message.starts_with(start), "{message}");
    assert_eq!(found[5]["error"]["kind"], "request");
    assert_eq!(
        (&found[7]["passed"], &found[7]["judged"]),
        (&json!(2), &json!(3))
    );
    assert_eq!(found[7]["test_cases"].as_array().unwrap().len(), 3);
    assert_eq!(found[7]["first_failure"]["test_case"], "2");
}

#[test]
fn bad_lines_have_error_results_and_the_stream_continues() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "problems/broken/problem.yaml",
        "problem_format_version: 2025-09\nlimit: 1\n",
    );
    let good = json!({"id": 9, "problem": "sum", "language": "c", "source": SUM});
    let requests = [
        "nonsense".to_owned(),
        json!({"id": "key", "problem": "sum", "sourse": ""}).to_string(),
        json!({"id": "unknown", "problem": "nope", "language": "c", "source": SUM}).to_string(),
        json!({"id": "broken", "problem": "broken", "language": "c", "source": SUM}).to_string(),
        json!({"id": "language", "problem": "sum", "language": "phyton3", "source": SUM})
            .to_string(),
        json!({"id": "up", "problem": "sum", "files": {"../a.c": SUM}}).to_string(),
        json!({"id": "name", "problem": "sum", "files": {"a.c": SUM, "b c.txt": ""}}).to_string(),
        json!({"id": "nowhere", "problem": "sum", "path": ""}).to_string(),
        json!({"id": "tolerances", "problem": {
            "tests": [{"input": "", "output": ""}],
            "comparison": {"float_tolerance": 1e-6, "float_relative_tolerance": 1e-6},
        }, "language": "c", "source": SUM})
        .to_string(),
        json!({"id": "two", "problem": "sum", "path": "a.c", "source": SUM, "language": "c"})
            .to_string(),
        String::new(),
        format!(
            "{{\"id\": \"long\", \"problem\": \"{}\"}}",
            "x".repeat(65 << 20)
        ),
        good.to_string(),
    ];
    let (found, output) = grade(&workspace, &(requests.join("\n") + "\n"), &["--ordered"], 3);
    let kinds: Vec<&str> = found
        .iter()
        .map(|result| result["error"]["kind"].as_str().unwrap_or("none"))
        .collect();
    let request = "request";
    assert_eq!(
        kinds,
        [
            request, request, request, "package", request, request, request, request, request,
            request, request, "none"
        ]
    );
    assert_eq!((&found[0]["line"], found[0].get("id")), (&json!(1), None));
    assert!(
        found[1]["error"]["message"]
            .as_str()
            .unwrap()
            .starts_with("unknown field `sourse`"),
        "{}",
        found[1]
    );
    assert_eq!(
        found[4]["error"]["message"],
        "unknown language `phyton3`; did you mean `python3`?"
    );
    for (index, word) in [
        (6, "the name \"b c.txt\" in `files` is not allowed"),
        (7, "`path` is empty"),
        (8, "expected no other tolerance beside it"),
        (10, "the line is longer than 64 MiB"),
    ] {
        let message = found[index]["error"]["message"].as_str().unwrap();
        assert!(message.contains(word), "{message}");
    }
    assert_eq!(
        (&found[11]["id"], &found[11]["verdict"]),
        (&json!(9), &json!("AC"))
    );
    output.stderr_has(&["12 requests in", "1 AC, 11 errors"]);
    // A stream without a request selects nothing.
    let (found, output) = grade(&workspace, "\n", &[], 5);
    assert!(found.is_empty());
    output.stderr_has(&["error: there is no request", "hint: "]);
}

#[test]
fn equal_requests_are_judged_once_and_resuming_skips_results() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let mut requests: Vec<Value> = (0..6)
        .map(|id| json!({"id": id, "problem": "sum", "language": "bash", "source": bash("")}))
        .collect();
    // Different programs with the same id have a result each.
    requests.extend(["a=1", "a=2"].map(
        |line| json!({"id": "other", "problem": "sum", "language": "bash", "source": bash(line)}),
    ));
    let (found, _) = grade(&workspace, &lines(&requests), &[], 0);
    assert_eq!(found.len(), 8);
    let fresh = found
        .iter()
        .filter(|result| result["id"] != "other" && result["cached"] == false)
        .count();
    assert_eq!(fresh, 1, "{found:#?}");

    // The state after a process was killed.
    let kept: Vec<String> = found.iter().take(3).map(Value::to_string).collect();
    workspace.write("results.jsonl", kept.join("\n") + "\n{\"id\": 5, \"li");
    workspace
        .judge(["grade", "requests.jsonl", "--resume", "results.jsonl"])
        .exits(0);
    let text = fs::read_to_string(workspace.path("results.jsonl")).unwrap();
    let mut ids: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].to_string())
        .collect();
    ids.sort();
    let other = "\"other\"";
    assert_eq!(ids, [other, other, "0", "1", "2", "3", "4", "5"]);
    let again = workspace
        .judge(["grade", "requests.jsonl", "--output", "results.jsonl"])
        .exits(2);
    again.stderr_has(&["`results.jsonl` exists already", "--resume results.jsonl"]);
}

#[test]
fn a_package_that_loses_a_file_does_not_end_the_stream() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let mut child = piped(&workspace, &[]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut results = BufReader::new(child.stdout.take().unwrap());
    let mut answer = |problem: Value, source: String| -> Value {
        let request = json!({"problem": problem, "language": "bash", "source": source});
        writeln!(input, "{request}").unwrap();
        let mut line = String::new();
        results.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    assert_eq!(answer(json!("sum"), bash(""))["verdict"], "AC");
    fs::remove_file(workspace.path("problems/sum/data/sample/1.in")).unwrap();
    let missing = answer(json!("sum"), bash(": 2"));
    assert_eq!(missing["error"]["kind"], "package", "{missing}");
    let message = missing["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("1.in` was removed after the package was loaded"),
        "{message}"
    );
    let other = answer(inline(&[("1 2\n", "3\n")]), bash(": 3"));
    assert_eq!(other["verdict"], "AC", "{other}");
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

/// Returns the command with pipes, not started.
fn piped(workspace: &Workspace, args: &[&str]) -> Command {
    let mut command = workspace.command([&["grade"], args].concat());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[test]
fn results_are_written_immediately_and_signals_let_requests_finish() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let mut child = piped(&workspace, &["-j", "2"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut results = BufReader::new(child.stdout.take().unwrap());
    let mut next = || {
        let mut line = String::new();
        results.read_line(&mut line).unwrap();
        line
    };
    let request = |id: &str, more: &str| json!({"id": id, "problem": "sum", "language": "bash", "source": bash(more)});
    writeln!(input, "{}", request("first", "")).unwrap();
    assert!(next().contains("\"id\":\"first\""), "before the input ends");
    writeln!(input, "{}", request("slow", "sleep 0.4")).unwrap();
    writeln!(input, "{}", request("quick", ": 1")).unwrap();
    assert!(
        next().contains("\"id\":\"quick\""),
        "a slow request holds up no other one"
    );
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(next().contains("\"id\":\"slow\",\"line\":2,\"verdict\":\"AC\""));
    assert_eq!(next(), "");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("every request that was begun is answered")
    );
}

#[test]
fn a_closed_output_ends_the_stream() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let mut child = piped(&workspace, &["-j", "1"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let endless = json!({"problem": inline(&[("1 2\n", "3\n")]), "language": "bash", "source": "while :; do :; done\n",
                         "limits": {"time_limit": 60}});
    writeln!(input, "{endless}").unwrap();
    drop(child.stdout.take());
    // Standard input stays open, and the program would run for a minute.
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(141),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    drop(input);
}

/// The tests of the Python package, which start this program.
#[test]
fn python_package_returns_the_same_results() {
    passes("tests/test_problem_judge.py");
}

#[test]
fn python_package_converts_datasets() {
    passes("tests/test_datasets.py");
}

#[test]
fn python_package_passes_only_functions_that_return_the_right_value() {
    passes("tests/test_functions.py");
}

/// Runs the tests of the Python package in a file.
fn passes(test: &str) {
    let Some(workspace) = Workspace::isolated().filter(|_| has("cpp") && has("python3")) else {
        return;
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let test = package.join(test);
    let mut command = workspace.command_of(Path::new("python3"), ["-B".as_ref(), test.as_os_str()]);
    command
        .env("PYTHONPATH", &package)
        .env("JUDGE", env!("CARGO_BIN_EXE_judge"));
    let output = CommandOutput::from_command(&mut command).exits(0);
    output.stderr_has(&["Ran ", "OK"]);
    assert!(!output.stderr.contains("skipped"), "{output:?}");
}

#[test]
fn requests_with_a_high_priority_are_judged_first() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let request = |id: u32, priority: i64, more: &str| {
        json!({
            "id": id, "problem": inline(&[("1 2\n", "3\n")]), "priority": priority,
            "language": "bash", "source": bash(more),
        })
    };
    // The other requests are read while the only lane judges the first one.
    let requests = [
        request(1, 9, "sleep 0.5"),
        request(2, -1, ""),
        request(3, 0, "true"),
        request(4, 7, ": four"),
    ];
    let (found, _) = grade(&workspace, &lines(&requests), &["-j", "1"], 0);
    let order: Vec<&Value> = found.iter().map(|result| &result["id"]).collect();
    assert_eq!(order, [1, 4, 3, 2]);
}
