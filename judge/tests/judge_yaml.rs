//! `judge/docs/reference/judge-yaml.md`: that every key stands on it, and that its examples are workspaces.
//!
//! The keys are those that an error names when another one is used, so the page cannot stay behind the loader.

use std::fs;
use std::path::Path;

use crate::workspace::Workspace;

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/judge-yaml.md")).unwrap()
}

/// The keys that may stand in this mapping, of which `nonsense` is none.
fn keys(workspace: &Workspace, text: &str) -> Vec<String> {
    workspace.write("judge.yaml", text);
    let said = workspace.judge(["list"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    let (_, expected) = said.stderr.split_once("expected one of ").unwrap_or_else(|| panic!("{said:?}"));
    expected.lines().next().unwrap().split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_key_stands_on_the_page() {
    let (workspace, page) = (Workspace::new(), page());
    for key in keys(&workspace, "nonsense: 1\n") {
        assert!(page.contains(&format!("## `{key}`\n")), "`{key}` has no section");
        assert!(page.contains(&format!("| [`{key}`](#{key}) |")), "`{key}` is not in the table");
    }
    for nested in [
        "check: {nonsense: 1}",
        "check: {ignore: [{nonsense: 1}]}",
        "isolation: {nonsense: 1}",
        "report: {nonsense: 1}",
    ] {
        for key in keys(&workspace, nested) {
            assert!(page.contains(&format!("`{key}`")) || page.contains(&format!("{key}:")), "`{key}` of `{nested}`");
        }
    }
    for key in keys(&workspace, "languages: {cpp: {nonsense: 1}}") {
        assert!(page.contains(&format!("| `{key}` |")), "`{key}` of a row of languages");
    }
}

#[test]
fn the_directory_of_a_report_is_made() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("judge.yaml", "report: {junit: target/deep/judge.xml}\n");
    workspace.judge(["check", "--static"]);
    assert!(workspace.path("target/deep/judge.xml").is_file());
}

#[test]
fn every_example_on_the_page_loads() {
    let workspace = Workspace::new();
    for directory in ["archive/2025", "solutions"] {
        fs::create_dir_all(workspace.path(directory)).unwrap();
    }
    let page = page();
    let examples: Vec<_> = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 7, "{} examples", examples.len());
    for example in examples {
        workspace.write("judge.yaml", example);
        let said = workspace.judge(["list"]);
        let loads = said.code == Some(5) && said.stderr.starts_with("error: no problem package in ");
        assert!(loads, "{example}\n{said:?}");
    }
}
