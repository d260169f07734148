//! `judge/docs/reference/judge-yaml.md` has every key, and its examples are workspaces.
//! `judge/docs/reference/settings.md` lists the options of every command. All documents name only
//! existing options of commands.
//!
//! The keys are taken from the error about an unknown key, so the page cannot be older than the
//! loader.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::workspace::Workspace;

fn page() -> String {
    reference("judge-yaml.md")
}

fn reference(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("docs/reference")
            .join(name),
    )
    .unwrap()
}

/// The long options in a text, except for those of every command.
fn options(text: &str) -> BTreeSet<&str> {
    let common = ["--verbose", "--quiet", "--directory", "--help"];
    let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '-'));
    words
        .filter(|word| word.starts_with("--") && word.len() > 2 && !common.contains(word))
        .collect()
}

/// The commands, each with its help.
fn commands(workspace: &Workspace) -> BTreeMap<String, String> {
    let overview = workspace.judge(["--help"]).stdout;
    let groups = overview
        .lines()
        .skip_while(|line| *line != "Judging:")
        .take_while(|line| *line != "Options:");
    let names = groups.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let names = names.filter(|name| !["print", "help"].contains(name));
    let commands: BTreeMap<_, _> = names
        .map(|name| (name.to_owned(), workspace.judge([name, "--help"]).stdout))
        .collect();
    assert!(commands.len() > 18, "{:?}", commands.keys());
    commands
}

#[test]
fn the_page_of_settings_lists_the_options_of_every_command() {
    let page = reference("settings.md");
    for (command, help) in commands(&Workspace::new()) {
        // Descriptions mention options of other commands, and are indented by ten spaces.
        let is_option =
            |line: &&str| line.trim_start().starts_with('-') && !line.starts_with(&" ".repeat(10));
        let introduced = help
            .lines()
            .filter(is_option)
            .collect::<Vec<_>>()
            .join("\n");
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{command}` | `--")));
        let row = row.unwrap_or_else(|| panic!("`{command}` has no row of options"));
        assert_eq!(options(row), options(&introduced), "`{command}`");
    }
}

#[test]
fn documents_name_existing_options() {
    let workspace = Workspace::new();
    let commands = commands(&workspace);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut documents = workspace.files_below(&root.join("judge/docs"));
    for page in ["README.md", "CONTRIBUTING.md", "judge/README.md"] {
        documents.insert(root.join(page), fs::read(root.join(page)).unwrap());
    }
    let mut named = 0;
    for (path, bytes) in documents
        .into_iter()
        .filter(|(path, _)| path.extension().is_some_and(|end| end == "md"))
    {
        let text = String::from_utf8(bytes).unwrap();
        for rest in text.lines().flat_map(|line| line.split("judge ").skip(1)) {
            let line = rest
                .split(['`', '#', '|', ';', '&'])
                .next()
                .unwrap_or_default();
            let Some(help) = line
                .split_whitespace()
                .next()
                .and_then(|word| commands.get(word))
            else {
                continue;
            };
            for option in options(line) {
                assert!(
                    options(help).contains(option),
                    "{}: `judge {line}` has no {option}",
                    path.display()
                );
                named += 1;
            }
        }
    }
    assert!(named > 200, "only {named} options are named");
}

/// The valid keys of this mapping. `nonsense` must not be among them.
fn keys(workspace: &Workspace, text: &str) -> Vec<String> {
    workspace.write("judge.yaml", text);
    let output = workspace.judge(["list"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let (_, expected) = output
        .stderr
        .split_once("expected one of ")
        .unwrap_or_else(|| panic!("{output:?}"));
    expected
        .lines()
        .next()
        .unwrap()
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_key_is_on_the_page() {
    let (workspace, page) = (Workspace::new(), page());
    for key in keys(&workspace, "nonsense: 1\n") {
        assert!(
            page.contains(&format!("## `{key}`\n")),
            "`{key}` has no section"
        );
        assert!(
            page.contains(&format!("| [`{key}`](#{key}) |")),
            "`{key}` is not in the table"
        );
    }
    for nested in [
        "check: {nonsense: 1}",
        "check: {ignore: [{nonsense: 1}]}",
        "isolation: {nonsense: 1}",
        "report: {nonsense: 1}",
    ] {
        for key in keys(&workspace, nested) {
            assert!(
                page.contains(&format!("`{key}`")) || page.contains(&format!("{key}:")),
                "`{key}` of `{nested}`"
            );
        }
    }
    for key in keys(&workspace, "languages: {cpp: {nonsense: 1}}") {
        assert!(
            page.contains(&format!("| `{key}` |")),
            "`{key}` of a row of languages"
        );
    }
}

#[test]
fn the_directory_of_a_report_is_created() {
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
    let examples: Vec<_> = page
        .split("```yaml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(examples.len() >= 7, "{} examples", examples.len());
    for example in examples {
        workspace.write("judge.yaml", example);
        let output = workspace.judge(["list"]);
        let loads =
            output.code == Some(5) && output.stderr.starts_with("error: no problem package in ");
        assert!(loads, "{example}\n{output:?}");
    }
}
