//! `judge doctor`: the isolation and the languages of this host.

use std::path::PathBuf;

use judge_model::{Isolation, IsolationLevel};

use crate::workspace::{CommandOutput, Workspace};

fn examined(command: &mut std::process::Command) -> (serde_json::Value, Option<i32>) {
    let output = CommandOutput::from_command(command.arg("--report=json"));
    // Long work prints its progress.
    let message: Vec<&str> = output
        .stderr
        .lines()
        .filter(|line| !line.contains("s elapsed"))
        .collect();
    assert!(message.is_empty(), "{message:?}");
    (serde_json::from_str(&output.stdout).unwrap(), output.code)
}

#[test]
fn json_names_level_tools_and_timing() {
    let workspace = Workspace::new();
    let (found, code) = examined(&mut workspace.command(["doctor"]));
    let isolation: Option<Isolation> = serde_json::from_value(found["isolation"].clone()).unwrap();
    assert_eq!(code, Some(if isolation.is_some() { 0 } else { 4 }));
    let attempts = found["attempts"].as_array().unwrap();
    assert!(!attempts.is_empty());
    if let Some(isolation) = &isolation {
        assert!(
            isolation.level != IsolationLevel::None,
            "chosen only by name"
        );
        let taken = attempts
            .iter()
            .find(|attempt| attempt["level"] == isolation.level.name())
            .unwrap();
        assert_eq!(taken["problem"], serde_json::Value::Null);
        assert_eq!(
            isolation.gaps.is_empty(),
            isolation.level == IsolationLevel::Full,
            "{isolation:?}"
        );
    }
    for language in ["c", "cpp", "go", "java", "javascript", "python3", "rust"] {
        let tools = found["toolchains"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|line| line["language"] == language);
        for tool in tools.clone() {
            assert!(
                tool["problem"].is_string() || tool["version"].is_string(),
                "{tool}"
            );
            // Without isolation, nothing is tried.
            assert!(
                isolation.is_none() || tool["problem"].is_string() != (tool["works"] == true),
                "{tool}"
            );
        }
        assert!(tools.count() > 0, "{language}");
    }
    assert!(
        found["environment"]
            .as_str()
            .is_some_and(|text| text.contains(", ")),
        "{}",
        found["environment"]
    );
    assert!(found["cores"].as_u64().unwrap() > 0 && found["jobs"].as_u64().unwrap() > 0);
    let cache = crate::workspace::cache_dir().display().to_string();
    assert_eq!(found["cache_dir"].as_str(), Some(cache.as_str()));
    // The tests are linked as the program is.
    assert_eq!(
        found["program"]["linked_statically"],
        cfg!(target_feature = "crt-static"),
        "{}",
        found["program"]
    );
    assert_eq!(found["program"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn fixes_close_gaps_and_name_commands() {
    let workspace = Workspace::new();
    let (found, _) = examined(&mut workspace.doctor_without_languages());
    let isolation: Option<Isolation> = serde_json::from_value(found["isolation"].clone()).unwrap();
    for hint in found["fixes"].as_array().unwrap() {
        let gives: IsolationLevel = serde_json::from_value(hint["gives"].clone()).unwrap();
        assert!(
            isolation
                .as_ref()
                .is_none_or(|isolation| isolation.level < gives),
            "{hint}"
        );
        assert!(
            hint["commands"]
                .as_array()
                .is_some_and(|commands| !commands.is_empty()),
            "{hint}"
        );
    }
    let has_fixes = !found["fixes"].as_array().unwrap().is_empty();
    let text = CommandOutput::from_command(&mut workspace.doctor_without_languages()).stdout;
    assert_eq!(text.contains("stronger isolation"), has_fixes, "{found}");
}

/// A directory for `PATH` in which GCC is the only compiler.
fn with_gcc_alone(workspace: &Workspace) -> PathBuf {
    let bin = workspace.path("bin");
    std::fs::create_dir_all(&bin).unwrap();
    for name in ["gcc", "g++"] {
        std::os::unix::fs::symlink(format!("/usr/bin/{name}"), bin.join(name)).unwrap();
    }
    bin
}

#[test]
fn compilers_without_output_are_reported_as_broken() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let row = "languages: {c: {compile: ['{compiler}', -no-such-option, '{sources}', -o, '{output}/main']}}\n";
    workspace.write("judge.yaml", format!("problems: [problems]\n{row}"));
    let bin = with_gcc_alone(&workspace);
    let (found, _) = examined(workspace.command(["doctor"]).env("PATH", bin));
    let line = found["toolchains"]
        .as_array()
        .unwrap()
        .iter()
        .find(|line| line["language"] == "c")
        .unwrap();
    assert_eq!(line["works"], false);
    assert!(line["version"].is_string(), "{line}");
    let problem = line["problem"].as_str().unwrap();
    assert!(
        problem.starts_with("a small program does not compile: ")
            && problem.contains("no-such-option"),
        "{line}"
    );
}

/// A tool that is hidden from programs, and one that cannot be started, do not affect other
/// languages.
#[test]
fn broken_languages_do_not_affect_others() {
    let Some(workspace) = Workspace::isolated().filter(|_| crate::workspace::has("c")) else {
        return;
    };
    workspace.write(
        "judge.yaml",
        "problems: [problems]\nlanguages: {cpp: {run: [/missing/program]}}\n",
    );
    workspace.write("bin/bash", std::fs::read("/bin/bash").unwrap());
    let bin = with_gcc_alone(&workspace);
    std::fs::set_permissions(
        bin.join("bash"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let (found, _) = examined(workspace.command(["doctor"]).env("PATH", &bin));
    let line = |language: &str| {
        let of_language = |line: &&serde_json::Value| line["language"] == language;
        found["toolchains"]
            .as_array()
            .unwrap()
            .iter()
            .find(of_language)
            .unwrap()
            .clone()
    };
    assert!(
        line("cpp")["problem"]
            .as_str()
            .unwrap()
            .contains("cannot start `/missing/program`"),
        "{}",
        line("cpp")
    );
    assert_eq!(line("c")["works"], true, "{}", line("c"));
    let levels = ["full", "namespaces"].map(serde_json::Value::from);
    if bin.starts_with("/tmp") && levels.contains(&found["isolation"]["level"]) {
        let problem = line("bash")["problem"].as_str().unwrap().to_owned();
        let expected = format!("`{}`, but programs see another", bin.join("bash").display());
        assert!(
            problem.contains(&expected) && problem.contains("`/opt`"),
            "{problem}"
        );
    }
}

#[test]
fn missing_tools_are_named() {
    let workspace = Workspace::new();
    let (found, _) = examined(
        workspace
            .command(["doctor"])
            .env("PATH", workspace.path("problems")),
    );
    for tool in found["toolchains"].as_array().unwrap() {
        let problem = tool["problem"].as_str().unwrap_or_else(|| panic!("{tool}"));
        assert!(problem.contains("is in PATH"), "{tool}");
    }
}

#[test]
fn the_text_report_is_readable() {
    let output = Workspace::new().judge(["doctor"]);
    output.stdout_has(&[
        "isolation",
        "languages",
        "rust",
        "timing",
        "program: judge ",
        "cache: ",
    ]);
    assert!(matches!(output.code, Some(0 | 4)), "{output:?}");
}

#[test]
fn required_levels_get_no_further_fixes() {
    let workspace = Workspace::new();
    workspace.write("judge.yaml", "problems: [problems]\nisolation: none\n");
    let (found, code) = examined(&mut workspace.doctor_without_languages());
    assert_eq!(
        (code, &found["demanded"], &found["isolation"]["level"]),
        (Some(0), &"none".into(), &"none".into())
    );
    assert_eq!(found["fixes"], serde_json::json!([]));
    let output = CommandOutput::from_command(&mut workspace.doctor_without_languages()).exits(0);
    output
        .stdout_has(&["isolation none"])
        .stdout_lacks(&["stronger isolation"]);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn calibration_reports_a_factor_and_changes_nothing() {
    let Some(workspace) = Workspace::isolated().filter(|_| crate::workspace::has("c")) else {
        return;
    };
    let before = std::fs::read(workspace.path("judge.yaml")).unwrap();
    let (found, code) = examined(&mut workspace.command(["doctor", "--calibrate"]));
    assert_eq!(code, Some(0));
    let calibration = &found["calibration"];
    let kinds: Vec<_> = calibration["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| kind["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["integer", "memory", "branch"]);
    let factor = |name: &str| calibration[name].as_f64().unwrap();
    // Between much faster and much slower hosts.
    assert!((0.02..50.0).contains(&factor("factor")), "{calibration}");
    assert!(
        factor("lowest") <= factor("factor") + 0.01 && factor("factor") <= factor("highest") + 0.01,
        "{calibration}"
    );
    assert_eq!(std::fs::read(workspace.path("judge.yaml")).unwrap(), before);
    let (found, _) = examined(&mut workspace.command(["doctor"]));
    assert!(found["calibration"].is_null(), "only on request");
}
