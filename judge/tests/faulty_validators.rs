//! `judge check` of packages whose validators and interactors have common mistakes: those in
//! `testdata/faulty/`. The first line of each describes its mistake.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use judge_event::{Event, Finding};

use crate::faulty_programs::{FAULTY, Faulty, INPUT, NUMBER, SLOW_FAULTY, Setting};
use crate::workspace::{Workspace, has};

/// The number of programs in one run, so that a run does not exceed the time limit of tests on a
/// busy host.
const PROGRAMS_PER_RUN: usize = 4;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/faulty")
}

/// Puts a program into a problem. The time limit of validators is short, and the limits of output
/// and messages are small.
fn put(workspace: &Workspace, problem: &str, file: &str, source: &[u8], setting: &Setting) {
    let limits = "{time_limit: 1, output: 1, validation_time: 1, validation_output: 1}";
    workspace.problem(problem, &format!("limits: {limits}\n"));
    let yaml = workspace.path(&format!("problems/{problem}/problem.yaml"));
    let text = std::fs::read_to_string(&yaml)
        .unwrap()
        .replace("type: pass-fail", &format!("type: {}", setting.types));
    std::fs::write(yaml, text).unwrap();
    for (number, (input, answer)) in (1..).zip(setting.cases) {
        workspace.case(problem, &format!("secret/{number}"), input, answer);
    }
    if !setting.args.is_empty() {
        let group = format!("output_validator_args: [{}]\n", setting.args);
        workspace.write(
            &format!("problems/{problem}/data/secret/test_group.yaml"),
            group,
        );
    }
    if !setting.is_input {
        workspace.write(
            &format!("problems/{problem}/input_validators/validate.ctd"),
            "INT(0, 99) NEWLINE EOF\n",
        );
    }
    let place = if setting.is_input {
        "input_validators"
    } else {
        "output_validator"
    };
    workspace.write(&format!("problems/{problem}/{place}/{file}"), source);
}

fn language(file: &'static str) -> &'static str {
    match file.rsplit_once('.').unwrap().1 {
        "py" => "python3",
        "sh" => "bash",
        "rs" => "rust",
        ending => ending,
    }
}

fn findings(workspace: &Workspace) -> Vec<Finding> {
    let output = workspace.events(["check"]);
    // After a failure of the host, findings are missing.
    assert!(matches!(output.code, Some(0 | 1 | 3)), "{output:?}");
    let of_event = |event| match event {
        Event::Finding(finding) => Some(finding),
        _ => None,
    };
    output.events.into_iter().filter_map(of_event).collect()
}

/// Checks problems with these programs. Each must have its findings about validators, and no
/// others.
fn find(programs: &[Faulty]) {
    let wrong: Vec<String> = programs.chunks(PROGRAMS_PER_RUN).flat_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// Checks the programs in one run, and returns those with unexpected findings.
fn check(programs: &[Faulty]) -> Vec<String> {
    let Some(workspace) = Workspace::isolated() else {
        return Vec::new();
    };
    let needed: BTreeSet<&str> = programs.iter().map(|(file, ..)| language(file)).collect();
    let available: BTreeSet<&str> = needed
        .into_iter()
        .filter(|language| has(language))
        .collect();
    let programs: Vec<(String, &Faulty)> = programs
        .iter()
        .filter(|(file, ..)| available.contains(language(file)))
        .enumerate()
        .map(|(number, program)| (format!("p{number}"), program))
        .collect();
    for (problem, (file, setting, _)) in &programs {
        put(
            &workspace,
            problem,
            file,
            &std::fs::read(directory().join(file)).unwrap(),
            setting,
        );
    }
    let findings = findings(&workspace);
    let mut wrong = Vec::new();
    for (problem, (file, setting, expected)) in &programs {
        let kind = if setting.is_input { "JP8" } else { "JP9" };
        let of_program = findings.iter().filter(|finding| {
            finding.problem.as_ref() == Some(problem) && finding.code.starts_with(kind)
        });
        let found: Vec<&Finding> = of_program.collect();
        let is_expected = |(finding, (code, part)): (&&Finding, &(&str, &str))| {
            finding.code == *code && finding.message.contains(part)
        };
        if found.len() != expected.len() || !found.iter().zip(*expected).all(is_expected) {
            let found: Vec<String> = found
                .iter()
                .map(|finding| format!("  {} {}\n", finding.code, finding.message))
                .collect();
            wrong.push(format!(
                "{file} ({}): expected {expected:?}, found\n{}",
                setting.types,
                found.concat()
            ));
        }
    }
    wrong
}

fn find_in(languages: &[&str]) {
    find(
        &FAULTY
            .into_iter()
            .filter(|(file, ..)| languages.contains(&language(file)))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn mistakes_of_validators_in_c_are_found() {
    find_in(&["c"]);
}

#[test]
fn mistakes_of_validators_in_bash_are_found() {
    find_in(&["bash"]);
}

#[test]
fn mistakes_of_validators_in_cpp_are_found() {
    find_in(&["cpp"]);
}

#[test]
fn mistakes_of_validators_in_rust_are_found() {
    find_in(&["rust"]);
}

#[test]
fn mistakes_of_validators_in_python_are_found() {
    find_in(&["python3"]);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn mistakes_of_slow_validators_are_found() {
    find(&SLOW_FAULTY);
}

/// Numbers of any size may be correct, and then accepting one that is correct modulo 2^32 is not a
/// mistake.
#[test]
fn validators_with_large_numbers_have_no_findings() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let any_larger_number = "#include <math.h>\n#include <stdio.h>\nint main(int argc, char **argv) {\n\
        double answer, output; char rest[2]; FILE *file = fopen(argv[2], \"r\");\n\
        if (!file || fscanf(file, \"%lf\", &answer) != 1) return 1;\n\
        return scanf(\"%lf\", &output) == 1 && !isnan(output) && output >= answer && scanf(\"%1s\", rest) != 1 ? 42 : 43; }\n";
    put(
        &workspace,
        "output",
        "larger.c",
        any_larger_number.as_bytes(),
        &NUMBER,
    );
    let up_to_25_digits = "#include <ctype.h>\n#include <stdio.h>\nint main(void) {\n\
        int letter = getchar(), digits = 0;\n if (letter == '0') return 43;\n\
        for (; isdigit(letter); digits++) letter = getchar();\n\
        return digits > 0 && digits <= 25 && letter == '\\n' && getchar() == EOF ? 42 : 43; }\n";
    put(
        &workspace,
        "input",
        "digits.c",
        up_to_25_digits.as_bytes(),
        &INPUT,
    );
    let found = findings(&workspace);
    let of_validators = found.iter().filter(|finding| {
        finding.code.starts_with("JP8") && finding.file.contains("digits")
            || finding.code.starts_with("JP9")
    });
    assert_eq!(of_validators.collect::<Vec<_>>(), Vec::<&Finding>::new());
}

#[test]
fn every_faulty_program_is_tried() {
    let tried: BTreeSet<&str> = [&FAULTY[..], &SLOW_FAULTY]
        .concat()
        .iter()
        .map(|(file, ..)| *file)
        .collect();
    let there: BTreeSet<String> = std::fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(there.iter().map(String::as_str).eq(tried), "{there:?}");
    let languages = FAULTY.map(|(file, ..)| language(file));
    assert!(
        languages
            .iter()
            .all(|language| ["c", "bash", "cpp", "rust", "python3"].contains(language)),
        "{languages:?}"
    );
}

#[test]
fn uncompilable_graders_are_found() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/packages/customgrader");
    for (path, text) in workspace.files_below(&package) {
        let path = path
            .strip_prefix(&package)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        workspace.write(&format!("problems/customgrader/{path}"), text);
    }
    workspace.judge(["check"]).stdout_lacks(&["JP913"]);
    workspace.write("problems/customgrader/graders/grade.py", "print 42\n");
    workspace.judge(["check"]).exits(3).stdout_has(&[
        "JP913",
        "customgrader/graders",
        "SyntaxError",
    ]);
}
