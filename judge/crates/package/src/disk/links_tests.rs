//! Tests of the targets of links: each case creates one link in a workspace with one package and
//! loads it. Must not depend on how links are found.

use std::fs;
use std::os::unix::fs::symlink;

use crate::fixture::Tree;
use crate::load::{load, load_in_part, load_in_place_of};
use crate::{Workspace, built_in_languages, outside_submission, read_generators};

/// A workspace with one package `p`, its solutions, and a file next to them that the package must
/// not reach.
fn tree() -> Tree {
    let tree = Tree::new();
    tree.write("w/judge.yaml", "problems: [.]\n");
    tree.package("w/p", "");
    tree.write("w/p/include/python3/lib.py", "");
    tree.write("w/p/statement/problem.en.md", "text");
    tree.write("w/p/data/secret/01.files/data.txt", "");
    tree.write("w/p/generators/gen.py", "");
    tree.write("w/p/input_validators/lib.h", "");
    tree.write("w/p/submissions/wrong_answer/several/main.py", "");
    tree.write("w/p/submissions/.hidden/x.py", "");
    tree.write("w/solutions/p/accepted/mine.py", "");
    tree.write("outside/secret.py", "root:x:0:0");
    tree
}

/// Returns the errors about a link at `link` to `target`.
fn link_error(link: &str, target: &str) -> String {
    let tree = tree();
    let path = tree.path("w").join(link);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&path);
    let target = target.replace("OUTSIDE", &tree.path("outside").display().to_string());
    symlink(
        target.replace("PACKAGE", &tree.path("w/p").display().to_string()),
        &path,
    )
    .unwrap();
    let workspace = Workspace::find(&tree.path("w")).unwrap();
    match load(&tree.path("w/p"), &workspace) {
        Ok(_) => String::new(),
        Err(errors) => errors.to_string(),
    }
}

#[test]
fn links_within_shared_directories_are_followed() {
    for (link, target) in [
        ("p/data/secret/03.in", "01.in"),
        ("p/data/secret/group", "../sample"),
        ("p/data/secret/02.ans", "PACKAGE/data/secret/01.ans"),
        ("p/data/secret/02.files/data.txt", "../01.files/data.txt"),
        ("p/data/secret/02.files", "01.files"),
        ("p/submissions/wrong_answer/again.py", "../accepted/good.py"),
        ("p/submissions/wrong_answer/several/other.py", "main.py"),
        (
            "p/submissions/wrong_answer/several/lib.py",
            "../../../include/python3/lib.py",
        ),
        ("p/include/python3/more.py", "../../generators/gen.py"),
        ("p/input_validators/gen.py", "../generators/gen.py"),
        ("p/statement/sample.txt", "../data/sample/1.in"),
        ("solutions/p/wrong_answer", "accepted"),
        // It is never read.
        ("p/attachments/more", "OUTSIDE/secret.py"),
        ("p/README.md", "/etc/passwd"),
    ] {
        let link_error = link_error(link, target);
        assert!(
            !link_error.contains("the link"),
            "{link} -> {target}: {link_error}"
        );
    }
}

#[test]
fn links_out_of_the_package_are_errors_with_both_places() {
    for link in [
        "p/problem.yaml",
        "p/data/secret/03.in",
        "p/data/secret/03.ans",
        "p/data/secret/03.files",
        "p/data/secret/03.files/x",
        "p/data/secret/test_group.yaml",
        "p/data/secret/any file",
        "p/submissions/accepted/evil.py",
        "p/submissions/accepted/dir/evil.py",
        "p/submissions/accepted/dir/odd name/evil file",
        "p/submissions/submissions.yaml",
        "p/include/python3/evil.py",
        "p/generators/evil.py",
        "p/generators/generators.yaml",
        "p/input_validators/evil.py",
        "p/input_validators/evil.h",
        "p/output_validator/evil.py",
        "p/statement/problem.nl.md",
        "solutions/p/accepted/evil.py",
    ] {
        for target in ["OUTSIDE/secret.py", "/proc/kmsg"] {
            let link_error = link_error(link, target);
            let last = target.rsplit('/').next().unwrap();
            assert!(
                link_error.contains("the link leads out of")
                    && link_error.contains(&format!("{last}`")),
                "{link}: {link_error}"
            );
            assert!(link_error.contains(&format!("{link}: ")), "{link_error}");
            assert!(!link_error.contains("root:x"), "{link_error}");
        }
    }
    assert!(
        link_error("p/submissions/extra", "OUTSIDE").contains("the link leads out of the package")
    );
}

#[test]
fn links_to_hidden_data_are_errors() {
    for (link, target) in [
        ("p/submissions/accepted/evil.py", "../../data/secret/01.ans"),
        ("p/submissions/accepted/evil.py", "../../data/secret/01.in"),
        ("p/submissions/accepted/evil", "../../data/secret"),
        ("p/submissions/accepted/evil", "../.."),
        (
            "p/submissions/accepted/dir/evil.txt",
            "../../../data/sample/1.ans",
        ),
        (
            "p/submissions/accepted/evil.py",
            "../../input_validators/validate.py",
        ),
        ("p/submissions/evil", "../data/secret"),
        ("p/include/python3/answers", "../../data/secret"),
        ("p/include/python3/answer.txt", "../../data/secret/01.ans"),
        ("p/include/default", "../data"),
        ("p/statement/answer.md", "../data/secret/01.ans"),
        ("p/statement/answers", "../data/secret"),
        ("p/data/secret/03.in", "01.ans"),
        ("p/data/secret/01.files/answer", "../01.ans"),
        ("p/data/secret/03.files", "../secret"),
        ("p/data/secret/01.files/all", ".."),
    ] {
        assert!(
            link_error(link, target).contains("the link leads to"),
            "{link} -> {target}: {}",
            link_error(link, target)
        );
    }
    let hidden = link_error("p/submissions/accepted/evil.py", "../.hidden/x.py");
    assert!(hidden.contains("is not part of the package"), "{hidden}");
    let solutions = link_error(
        "solutions/p/accepted/evil.py",
        "../../../p/data/secret/01.ans",
    );
    assert!(
        solutions.contains("leads out of the solutions of the problem"),
        "{solutions}"
    );
}

#[test]
fn chains_of_links_are_judged_by_their_target() {
    let tree = tree();
    symlink(tree.path("outside"), tree.path("w/p/extra")).unwrap();
    symlink(
        "../../extra/secret.py",
        tree.path("w/p/submissions/accepted/x.py"),
    )
    .unwrap();
    tree.make_directory("w/p/more");
    symlink(tree.path("outside/secret.py"), tree.path("w/p/more/x.h")).unwrap();
    symlink("../more", tree.path("w/p/input_validators/more")).unwrap();
    let workspace = Workspace::find(&tree.path("w")).unwrap();
    let link_error = load(&tree.path("w/p"), &workspace).unwrap_err().to_string();
    assert!(
        link_error.contains("accepted/x.py: the link leads out of the package"),
        "{link_error}"
    );
    assert!(
        link_error.contains("input_validators/more: the link leads to")
            && link_error.contains("leads out again"),
        "{link_error}"
    );
}

#[test]
fn links_leaving_the_solutions_are_refused() {
    let tree = tree();
    fs::remove_dir_all(tree.path("w/solutions/p")).unwrap();
    symlink("../p/data", tree.path("w/solutions/p")).unwrap();
    let workspace = Workspace::find(&tree.path("w")).unwrap();
    let link_error = load(&tree.path("w/p"), &workspace).unwrap_err().to_string();
    assert!(
        link_error.contains("leads out of the solutions, to"),
        "{link_error}"
    );
}

#[test]
fn links_of_a_substitute_package_may_lead_into_the_original() {
    let tree = tree();
    tree.make_directory("staged/data");
    for part in ["problem.yaml", "submissions", "input_validators"] {
        symlink(tree.path("w/p").join(part), tree.path("staged").join(part)).unwrap();
    }
    symlink(
        tree.path("w/p/data/secret"),
        tree.path("staged/data/secret"),
    )
    .unwrap();
    let workspace = Workspace::find(&tree.path("w")).unwrap();
    load_in_place_of(&tree.path("w/p"), &tree.path("staged"), &workspace).unwrap();
    let link_error = load(&tree.path("staged"), &workspace)
        .unwrap_err()
        .to_string();
    assert!(
        link_error.contains("the link leads out of the package"),
        "{link_error}"
    );
}

#[test]
fn links_out_of_an_outside_submission_are_errors() {
    let tree = tree();
    tree.write("mine/main.py", "");
    symlink("main.py", tree.path("mine/again.py")).unwrap();
    outside_submission(&tree.path("mine"), &built_in_languages()).unwrap();
    symlink(tree.path("outside/secret.py"), tree.path("mine/data file")).unwrap();
    let link_error = outside_submission(&tree.path("mine"), &built_in_languages())
        .unwrap_err()
        .to_string();
    assert!(
        link_error.contains("mine/data file: the link leads out of the submission, to"),
        "{link_error}"
    );
}

#[test]
fn packages_with_leaving_links_are_not_read() {
    let tree = tree();
    fs::remove_file(tree.path("w/p/problem.yaml")).unwrap();
    symlink(
        tree.path("outside/secret.py"),
        tree.path("w/p/problem.yaml"),
    )
    .unwrap();
    symlink(
        tree.path("outside/secret.py"),
        tree.path("w/p/generators/generators.yaml"),
    )
    .unwrap();
    symlink(
        tree.path("outside/secret.py"),
        tree.path("w/p/data/sample/1.interaction"),
    )
    .unwrap();
    let workspace = Workspace::find(&tree.path("w")).unwrap();
    let found = load_in_part(&tree.path("w/p"), &workspace);
    assert!(
        found.loaded.is_none() && found.errors.len() == 3,
        "{found:?}"
    );
    let found = format!("{found:?}");
    let generators = read_generators(&tree.path("w/p")).unwrap_err().to_string();
    assert!(
        !found.contains("root:x") && !generators.contains("root:x"),
        "{found} {generators}"
    );
}

#[test]
fn only_the_first_hundred_links_are_reported() {
    let tree = tree();
    for number in 0..130 {
        symlink(
            "/etc/passwd",
            tree.path(&format!("w/p/data/secret/{number}.txt")),
        )
        .unwrap();
    }
    let workspace = Workspace::find(&tree.path("w")).unwrap();
    let errors = load(&tree.path("w/p"), &workspace).unwrap_err();
    assert_eq!(errors.len(), 101);
    assert!(errors.to_string().contains("30 more links"), "{errors}");
}
