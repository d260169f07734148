//! `--report short`, and the settings for editors in `judge/docs/guides/editors.md`.

use std::fs;
use std::path::Path;

use regex_automata::nfa::thompson::pikevm::PikeVM;
use serde_json::Value;

use crate::workspace::{SUM, SUM_PLUS_ONE, Workspace};

pub(crate) fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guides/editors.md"))
        .unwrap()
}

/// The blocks of the page in this language.
pub(crate) fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence)
        .skip(1)
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect()
}

/// The groups of a regular expression in a line; `None` when it does not match.
fn groups(regex: &PikeVM, line: &str) -> Option<Vec<String>> {
    let mut found = regex.create_captures();
    regex.captures(&mut regex.create_cache(), line, &mut found);
    let spans = found.is_match().then(|| found.iter().collect::<Vec<_>>())?;
    Some(
        spans
            .into_iter()
            .map(|span| line[span.unwrap().range()].to_owned())
            .collect(),
    )
}

/// The problem matcher of the page: for each line that it matches file, line, column, severity,
/// text and code.
fn of_vscode(lines: &str) -> Vec<Option<[String; 6]>> {
    let page = page();
    let blocks = blocks(&page, "json");
    let tasks = blocks
        .iter()
        .find(|block| block.contains("problemMatcher"))
        .unwrap();
    let tasks: Value = serde_json::from_str(tasks).unwrap();
    let pattern = &tasks["tasks"][0]["problemMatcher"]["pattern"];
    let regex = PikeVM::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let of_line = |line: &str| {
        let groups = groups(&regex, line)?;
        let part =
            |name: &str| groups[usize::try_from(pattern[name].as_u64().unwrap()).unwrap()].clone();
        Some(["file", "line", "column", "severity", "message", "code"].map(part))
    };
    lines.lines().map(of_line).collect()
}

/// The `errorformat` of the page as a regular expression (`:help errorformat`).
fn of_vim() -> PikeVM {
    let page = page();
    let settings = &blocks(&page, "vim")[0];
    let format = settings
        .lines()
        .find_map(|line| line.strip_prefix("set errorformat="))
        .unwrap();
    let mut regex = format.replace("\\ ", " ");
    for (item, meaning) in [
        ("%f", "(.+?)"),
        ("%l", "([0-9]+)"),
        ("%c", "([0-9]+)"),
        ("%t", "(.)"),
        ("%*[a-z]", "[a-z]+"),
        ("%m", "(.+)"),
    ] {
        assert_eq!(regex.matches(item).count(), 1, "{item} in {format}");
        regex = regex.replace(item, meaning);
    }
    assert!(
        !regex.contains('%'),
        "an item that is not known here: {format}"
    );
    PikeVM::new(&format!("^{regex}$")).unwrap()
}

/// A package with an error at a line and column, one that is about a file as a whole, and warnings.
fn faulty() -> Workspace {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write(
        "problems/sum/problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nuuid: u\nlimits:\n    time: 1\n",
    );
    workspace
}

#[test]
fn findings_are_lines_for_editors() {
    let workspace = faulty();
    let output = workspace
        .judge(["check", "--static", "--report", "short"])
        .exits(3);
    let read = of_vscode(&output.stdout);
    assert!(
        read.len() >= 2 && read.iter().all(Option::is_some),
        "{output:?}"
    );
    let read: Vec<[String; 6]> = read.into_iter().flatten().collect();
    let error = read
        .iter()
        .find(|fields| fields[3] == "error")
        .expect("an error");
    let [file, line, column, _, message, code] = error;
    assert_eq!(
        [file, line, column, code].map(String::as_str),
        ["problems/sum/problem.yaml", "5", "5", "JP013"]
    );
    // In the order of files and lines.
    let place = |fields: &[String; 6]| (fields[0].clone(), fields[1].parse::<u32>().unwrap());
    assert!(read.is_sorted_by_key(place), "{output:?}");
    assert!(
        message.starts_with("unknown key `limits.time`; expected one of `time_limit`"),
        "{message}"
    );
    assert!(
        workspace.path(file).is_file(),
        "paths are relative to the workspace"
    );
    let vim = of_vim();
    for (text, expected) in output.stdout.lines().zip(&read) {
        let found = groups(&vim, text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(found[1..4], expected[..3], "{text}");
        assert_eq!(found[4], expected[3][..1], "{text}");
    }
    // A submission to a package that cannot be judged is answered in the same form.
    workspace.write("mine/sum/right.c", SUM);
    let submitted = workspace
        .judge(["submit", "mine/sum/right.c", "--report", "short"])
        .exits(3);
    submitted.stdout_has(&[
        "problems/sum/problem.yaml:5:",
        ": error: unknown key `limits.time`",
        "[package-fault]",
    ]);
    // There are as many lines as unsilenced findings in the stream.
    let stream = workspace
        .judge(["check", "--static", "--report=json"])
        .exits(3);
    let findings = stream
        .stdout
        .lines()
        .filter(|line| line.starts_with("{\"event\":\"finding\""))
        .count();
    assert_eq!(read.len(), findings);
}

#[test]
fn verify_prints_lines_for_unexpected_submissions() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let calm = workspace.judge(["run", "--report", "short"]).exits(0);
    assert!(
        of_vscode(&calm.stdout)
            .into_iter()
            .flatten()
            .all(|fields| fields[3] == "warning"),
        "{calm:?}"
    );
    workspace.write("solutions/sum/accepted/more.c", SUM_PLUS_ONE);
    // The package has no statement either, which is another error.
    let output = workspace
        .judge(["verify", "--report", "short", "--report=json=run.jsonl"])
        .exits(3);
    let read = of_vscode(&output.stdout);
    assert!(read.iter().all(Option::is_some), "{output:?}");
    let violated: Vec<[String; 6]> = read
        .into_iter()
        .flatten()
        .filter(|fields| fields[5] == "expectation-violated")
        .collect();
    let [only] = &violated[..] else {
        panic!("{output:?}")
    };
    assert_eq!(
        [only[0].as_str(), only[3].as_str()],
        ["solutions/sum/accepted/more.c", "error"]
    );
    let again = workspace
        .judge(["report", "run.jsonl", "--report", "short"])
        .exits(3);
    assert_eq!(again.stdout, output.stdout);
    // A compile error is reported at the place that the compiler names.
    workspace.write(
        "mine/sum/broken.c",
        "int main(void) {\n    return undeclared;\n}\n",
    );
    let output = workspace
        .judge(["submit", "mine/sum/broken.c", "--report", "short"])
        .exits(1);
    let line = output
        .stdout
        .lines()
        .find(|line| line.contains("broken.c"))
        .unwrap_or_default();
    assert!(
        line.starts_with("mine/sum/broken.c:2:12: error: CE: ") && line.contains("undeclared"),
        "{output:?}"
    );
    // A submission that cannot be judged is reported by a line about this host.
    workspace.write("mine/sum/absent.lost", "");
    let lost = "languages: {lost: {name: Lost, extensions: [lost], tools: {compiler: {names: [no-such-compiler], \
                version_args: [-v]}}, run: ['{compiler}', '{main}']}}\n";
    workspace.write("judge.yaml", lost);
    let output = workspace
        .judge(["submit", "mine/sum/absent.lost", "--report", "short"])
        .exits(4);
    output.stdout_has(&[
        "judge: warning: `lost` cannot be judged here: ",
        "1 submission is skipped [remark]",
    ]);
    let both = workspace
        .judge(["verify", "--report", "short", "--report=json"])
        .exits(2);
    both.stderr_has(&["standard output has room for one of `--report short` and `--report json`"]);
}
