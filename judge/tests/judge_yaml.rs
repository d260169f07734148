//! `judge/docs/reference/judge-yaml.md`: that every key stands on it, and that its examples are workspaces; and
//! `judge/docs/reference/settings.md`: that it lists the options of every command.
//!
//! The keys are those that an error names when another one is used, so the page cannot stay behind the loader.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::workspace::Workspace;

fn page() -> String {
    reference("judge-yaml.md")
}

fn reference(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(name)).unwrap()
}

/// The long options in a text, but for those that every command has.
fn options(text: &str) -> BTreeSet<&str> {
    let common = ["--verbose", "--quiet", "--color", "--directory", "--help"];
    let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '-'));
    words.filter(|word| word.starts_with("--") && word.len() > 2 && !common.contains(word)).collect()
}

#[test]
fn the_page_of_settings_lists_the_options_of_every_command() {
    let (workspace, page) = (Workspace::new(), reference("settings.md"));
    let overview = workspace.judge(["--help"]).stdout;
    let commands: Vec<&str> = overview
        .lines()
        .skip_while(|line| !line.starts_with("Judging:"))
        .take_while(|line| !line.starts_with("Options:"))
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|command| !["print", "help"].contains(command))
        .collect();
    assert!(commands.len() > 18, "{commands:?}");
    for command in commands {
        let help = workspace.judge([command, "--help"]).stdout;
        // Descriptions mention options of other commands, and are indented by ten spaces.
        let is_option = |line: &&str| line.trim_start().starts_with('-') && !line.starts_with(&" ".repeat(10));
        let introduced = help.lines().filter(is_option).collect::<Vec<_>>().join("\n");
        let row = page.lines().find(|line| line.starts_with(&format!("| `{command}` | `--")));
        let row = row.unwrap_or_else(|| panic!("`{command}` has no row of options"));
        assert_eq!(options(row), options(&introduced), "`{command}`");
    }
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
