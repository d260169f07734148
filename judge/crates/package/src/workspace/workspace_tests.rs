//! Tests of workspaces.

use super::*;
use crate::code;
use crate::fixture::Tree;
use crate::workspace::profile::Profile;

fn package_names(tree: &Tree) -> Vec<String> {
    let errors = Workspace::find(tree.root()).unwrap_err();
    errors
        .iter()
        .map(|error| error.display_relative_to(tree.root()).to_string())
        .collect()
}

#[test]
fn nearest_judge_yaml_defines_the_workspace() {
    let tree = Tree::with(&[
        ("judge.yaml", ""),
        ("problems/x/data/a.in", ""),
        ("problems/y/judge.yaml", "jobs: 2"),
    ]);
    tree.make_directory("problems/y/problems");
    for from in ["", "problems/x", "problems/x/data/a.in", "problems/x/../x"] {
        let workspace = Workspace::find(&tree.path(from)).unwrap();
        assert_eq!(workspace.root, tree.root());
        assert_eq!(workspace.file, Some(tree.path("judge.yaml")));
        assert_eq!(workspace.problems, [tree.root()]);
        assert_eq!(workspace.solutions, tree.path("solutions"));
    }
    assert_eq!(
        Workspace::find(&tree.path("problems/y")).unwrap().jobs,
        NonZeroUsize::new(2)
    );
}

#[test]
fn every_key_is_read() {
    let text = "problems: [a, b/c]\nsolutions: answers\nisolation: user\njobs: 3\nlanguages: {c: {processes: 1}}\n";
    let tree = Tree::with(&[("judge.yaml", text)]);
    ["a", "b/c", "answers"]
        .iter()
        .for_each(|directory| tree.make_directory(directory));
    let workspace = Workspace::find(tree.root()).unwrap();
    assert_eq!(workspace.problems, [tree.path("a"), tree.path("b/c")]);
    assert_eq!(workspace.solutions, tree.path("answers"));
    assert_eq!(workspace.isolation, Some(IsolationLevel::User));
    assert_eq!(workspace.jobs, NonZeroUsize::new(3));
    let c = workspace
        .languages
        .iter()
        .find(|language| language.id.0 == "c")
        .unwrap();
    assert_eq!(c.processes, 1);
}

#[test]
fn skippable_languages_must_be_known() {
    let tree = Tree::with(&[(
        "judge.yaml",
        "allow_skipped: [haskell, mine]\nlanguages: {mine: {name: M, extensions: [mine], run: ['{main}']}}",
    )]);
    let allowed = Workspace::find(tree.root()).unwrap().allow_skipped;
    assert_eq!(
        allowed,
        ["haskell", "mine"].map(|id| LanguageId(id.to_owned()))
    );
    tree.write("judge.yaml", "allow_skipped:\n  - haskel\n  - c\n");
    assert_eq!(
        package_names(&tree),
        ["judge.yaml:2: `allow_skipped`: unknown language `haskel`\nhint: did you mean `haskell`?"]
    );
    tree.write("judge.yaml", "allow_skipped: [python]\n");
    assert_eq!(
        package_names(&tree),
        ["judge.yaml:1: `allow_skipped`: unknown language `python`\nhint: did you mean `python3`?"]
    );
}

#[test]
fn a_misnamed_file_is_noticed_up_to_the_workspace() {
    let tree = Tree::with(&[("a/b/judge.yml", "jobs: 3\n")]);
    let misnamed = |from: &str| {
        Workspace::find(&tree.path(from))
            .unwrap()
            .misnamed_file
            .map(|file| file.strip_prefix(tree.root()).unwrap().to_owned())
    };
    tree.make_directory("a/b/c");
    for from in ["a/b", "a/b/c"] {
        assert_eq!(misnamed(from), Some("a/b/judge.yml".into()));
    }
    tree.write("a/b/judge.yaml", "jobs: 2\n");
    assert_eq!(misnamed("a/b/c"), None);
    tree.write("a/b/judge.yaml", "jobs: 2\n");
    assert_eq!(misnamed("a"), None);
}

#[test]
fn reports_are_files_of_known_kinds() {
    let tree = Tree::with(&[(
        "judge.yaml",
        "report: {junit: out/j.xml, markdown: [a.md, b.md]}\n",
    )]);
    let reports = Workspace::find(tree.root()).unwrap().reports;
    let package_names: Vec<_> = reports
        .iter()
        .map(|report| (report.kind.name(), report.file.clone()))
        .collect();
    assert_eq!(
        package_names,
        [
            ("junit", tree.path("out/j.xml")),
            ("markdown", tree.path("a.md")),
            ("markdown", tree.path("b.md"))
        ]
    );
    tree.write(
        "judge.yaml",
        "report:\n  junti: x.xml\n  sarif: x\n  junit: \"-\"\n  gitlab: ./x\n",
    );
    let package_names = self::package_names(&tree);
    assert_eq!(package_names.len(), 3, "{package_names:?}");
    assert!(
        package_names[0].starts_with("judge.yaml:2: unknown key `report.junti`")
            && package_names[0].contains("did you mean `junit`?")
    );
    assert!(
        package_names[1].contains("expected the name of a file, found `-`"),
        "{package_names:?}"
    );
    assert!(
        package_names[2].contains("is already the file of another report"),
        "{package_names:?}"
    );
}

#[test]
fn isolation_is_a_level_or_a_list_of_guarantees() {
    let text = "isolation: {level: namespaces, require: [no_network, process_limit]}\n";
    let tree = Tree::with(&[("judge.yaml", text), ("problems/x/problem.yaml", "")]);
    let workspace = Workspace::find(tree.root()).unwrap();
    assert_eq!(workspace.isolation, Some(IsolationLevel::Namespaces));
    assert_eq!(
        workspace.required,
        [Guarantee::NoNetwork, Guarantee::ProcessLimit]
    );
    tree.write("judge.yaml", "isolation: {require: total_memory}\n");
    let workspace = Workspace::find(tree.root()).unwrap();
    assert_eq!(
        (workspace.isolation, workspace.required),
        (None, vec![Guarantee::TotalMemory])
    );
    tree.write(
        "judge.yaml",
        "isolation:\n  levle: full\n  require: [memory]\n",
    );
    let package_names = package_names(&tree);
    assert_eq!(package_names.len(), 2, "{package_names:?}");
    assert!(
        package_names[0].starts_with("judge.yaml:2: unknown key `isolation.levle`"),
        "{package_names:?}"
    );
    assert!(
        package_names[1].contains("unknown guarantee `memory`; expected one of `files_hidden`"),
        "{package_names:?}"
    );
}

#[test]
fn mistakes_in_judge_yaml_are_reported_together() {
    let tree = Tree::with(&[(
        "judge.yaml",
        "problem: x\njobs: 0\nisolation: fall\nsolutions: nowhere\n",
    )]);
    assert_eq!(
        package_names(&tree),
        [
            "judge.yaml:1: unknown key `problem`; expected one of `problems`, `solutions`, `languages`, `python`, \
             `isolation`, `jobs`, `time_factor`, `check`, `report`, `allow_skipped`, `contest`\nhint: did you mean `problems`?",
            "judge.yaml:4: `solutions`: expected a directory, found none at `nowhere`",
            "judge.yaml:3: `isolation`: unknown isolation level `fall`; expected one of `full`, `namespaces`, `user`, \
             `landlock`, `none`",
            "judge.yaml:2: `jobs`: expected an integer from 1 to 1024, found the number `0`",
        ]
    );
    tree.write("judge.yaml", "- a\n");
    assert_eq!(
        package_names(&tree),
        ["judge.yaml:1: expected a mapping, found a list of 1"]
    );
    for number in ["1025", "99999999999", "99999999999999999999"] {
        tree.write("judge.yaml", &format!("jobs: {number}\n"));
        let package_names = package_names(&tree);
        assert!(
            package_names.len() == 1
                && package_names[0].starts_with("judge.yaml:1: `jobs`: expected an integer "),
            "{package_names:?}"
        );
    }
    tree.write("judge.yaml", "jobs: 1024\n");
    assert_eq!(
        Workspace::find(tree.root()).unwrap().jobs,
        NonZeroUsize::new(1024)
    );
}

#[test]
fn silencings_have_a_known_code_and_a_reason() {
    let text = "check:\n  profile: kattis\n  ignore:\n    - {code: jp302, problem: x, file: data/secret/*, reason: shared}\n";
    let tree = Tree::with(&[("judge.yaml", text)]);
    tree.make_directory("problems");
    let check = Workspace::find(tree.root()).unwrap().check;
    assert_eq!(check.profile, Some(Profile::Kattis));
    let silencing = &check.silencings[0];
    assert_eq!(
        (silencing.code, silencing.reason.as_str(), silencing.line),
        (code::INPUT_TWICE, "shared", Some(4))
    );
    let covers = |code, problem: &str, file: &str| silencing.covers(code, problem, Path::new(file));
    assert!(covers(code::INPUT_TWICE, "x", "data/secret/1.in"));
    assert!(!covers(code::INPUT_TWICE, "y", "data/secret/1.in"));
    assert!(!covers(code::INPUT_TWICE, "x", "data/sample/1.in"));
    assert!(!covers(code::NUL_BYTE, "x", "data/secret/1.in"));

    tree.write(
        "judge.yaml",
        "check:\n  ignore:\n    - code: JP3O2\n      reason: x\n    - code: JP302\n    - JP303\n",
    );
    assert_eq!(
        package_names(&tree),
        [
            "judge.yaml:3: `check.ignore[0]`: unknown code `JP3O2`\nhint: did you mean `JP302`?",
            "judge.yaml:5: `check.ignore[1]`: missing key `reason`",
            "judge.yaml:6: `check.ignore[2]`: expected `{code: …, reason: …}`, found the string `JP303`",
        ]
    );
}

#[test]
fn packages_are_found_anywhere_without_judge_yaml() {
    let tree = Tree::new();
    tree.package("deep/er/x", "");
    let workspace = Workspace::find(tree.root()).unwrap();
    assert_eq!(workspace.file, None);
    assert_eq!(workspace.packages().unwrap(), [tree.path("deep/er/x")]);
}

#[test]
fn packages_are_found_anywhere_without_the_problems_key() {
    let tree = Tree::with(&[("judge.yaml", "jobs: 1\n")]);
    ["sum", "deep/er/x", "problems/y"]
        .iter()
        .for_each(|package| tree.package(package, ""));
    tree.make_directory("solutions/sum");
    let workspace = Workspace::find(tree.root()).unwrap();
    assert_eq!(
        workspace.packages().unwrap(),
        ["deep/er/x", "problems/y", "sum"].map(|package| tree.path(package))
    );
    assert_eq!(
        workspace.solutions_of(&tree.path("sum")),
        Some(tree.path("solutions/sum"))
    );
    // New ones go where packages usually are.
    assert_eq!(
        workspace.place_of_new_packages(),
        Some(tree.path("problems"))
    );
    tree.write("judge.yaml", "problems: [deep]\n");
    assert_eq!(
        Workspace::find(tree.root())
            .unwrap()
            .place_of_new_packages(),
        Some(tree.path("deep"))
    );
}

#[test]
fn solutions_belong_to_packages_of_the_workspace() {
    let tree = Tree::with(&[
        ("judge.yaml", "problems: problems\n"),
        ("problems/x/data/1.in", ""),
    ]);
    ["problems/x", "problems/y", "elsewhere/x"]
        .iter()
        .for_each(|package| tree.package(package, ""));
    tree.make_directory("solutions/x");
    let workspace = Workspace::find(tree.root()).unwrap();
    assert_eq!(
        workspace.solutions_of(&tree.path("problems/x")),
        Some(tree.path("solutions/x"))
    );
    assert_eq!(workspace.solutions_of(&tree.path("problems/y")), None);
    assert_eq!(workspace.solutions_of(&tree.path("elsewhere/x")), None);
}

#[test]
fn writable_judge_yaml_must_not_act_outside_the_sandbox() {
    use std::os::unix::fs::PermissionsExt;
    let tree = Tree::with(&[("judge.yaml", "problems: [.]\njobs: 2\n"), ("x/y", "")]);
    std::fs::set_permissions(
        tree.path("judge.yaml"),
        std::fs::Permissions::from_mode(0o666),
    )
    .unwrap();
    assert_eq!(
        Workspace::find(&tree.path("x")).unwrap().jobs,
        NonZeroUsize::new(2)
    );
    for acting in [
        "languages: {c: {processes: 1}}",
        "isolation: none",
        "report: {junit: x.xml}",
    ] {
        tree.write("judge.yaml", &format!("problems: [.]\n{acting}\n"));
        std::fs::set_permissions(
            tree.path("judge.yaml"),
            std::fs::Permissions::from_mode(0o666),
        )
        .unwrap();
        let package_names = package_names(&tree);
        assert!(
            package_names[0].starts_with("judge.yaml:2: ")
                && package_names[0].contains("can be written by every user"),
            "{package_names:?}"
        );
        std::fs::set_permissions(
            tree.path("judge.yaml"),
            std::fs::Permissions::from_mode(0o644),
        )
        .unwrap();
        Workspace::find(tree.root()).unwrap();
    }
}

#[test]
fn files_in_packages_are_ignored() {
    let tree = Tree::with(&[("judge.yaml", "problems: [.]\n"), ("p/problem.yaml", "")]);
    for place in ["p/judge.yaml", "p/data/judge.yaml"] {
        tree.write(
            place,
            "languages: {c: {tools: {compiler: {names: [evil], version_args: [run]}}}}\n",
        );
        assert_eq!(
            Workspace::find(tree.path(place).parent().unwrap())
                .unwrap()
                .file,
            Some(tree.path("judge.yaml"))
        );
    }
}
