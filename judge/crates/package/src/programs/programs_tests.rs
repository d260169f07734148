//! Tests of recognising programs.

use super::*;
use crate::fixture::Tree;
use crate::programs::languages::built_in_languages;

fn recognised(
    files: &[(&str, &str)],
    path: &str,
) -> Result<(String, Vec<String>, Option<String>), RecognitionFailure> {
    let tree = Tree::with(files);
    let mut findings = Findings::default();
    let program = recognise(&tree.path(path), &built_in_languages(), &mut findings)?;
    findings.into_result().unwrap();
    let sources = program
        .sources
        .iter()
        .map(|source| source.to_str().unwrap().to_owned())
        .collect();
    Ok((program.language.0, sources, program.entry_class))
}

fn sources(files: &[&str]) -> Vec<String> {
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    recognised(&files, "p").unwrap().1
}

#[test]
fn files_are_recognised_by_extension() {
    for (name, language) in [
        ("a.rs", "rust"),
        ("a.C", "cpp"),
        ("a.c", "c"),
        ("x.y.c++", "cpp"),
        ("a.py3", "python3"),
    ] {
        assert_eq!(
            recognised(&[(name, "")], name),
            Ok((language.to_owned(), vec![name.to_owned()], None))
        );
    }
    for name in ["a.RS", "rs", "a.txt", "a.rs.bak"] {
        assert_eq!(
            recognised(&[(name, "")], name),
            Err(RecognitionFailure::NoSource),
            "{name}"
        );
    }
}

#[test]
fn entry_points_come_first() {
    assert_eq!(
        sources(&["p/a.py", "p/main.py", "p/__main__.py"]),
        ["__main__.py", "main.py", "a.py"]
    );
    assert_eq!(
        sources(&["p/b.rs", "p/a.rs", "p/x/main.rs"]),
        ["a.rs", "b.rs", "x/main.rs"]
    );
    assert_eq!(sources(&["p/z.rs", "p/main.rs"]), ["main.rs", "z.rs"]);
    assert_eq!(
        sources(&[
            "p/solve.cpp",
            "p/solve.h",
            "p/README.md",
            "p/.hidden.py",
            "p/a b.java"
        ]),
        ["solve.cpp"]
    );
}

#[test]
fn predominant_language_is_chosen() {
    let error = recognised(&[("p/a.py", ""), ("p/sub/b.cc", "")], "p").unwrap_err();
    assert_eq!(
        error.message(),
        "expected files of one language, found `a.py` (python3) and `sub/b.cc` (cpp)"
    );
    let found = recognised(&[("p/a.py", ""), ("p/sub/b.cc", ""), ("p/c.cpp", "")], "p").unwrap();
    assert_eq!(
        (found.0.as_str(), found.1),
        ("cpp", vec!["c.cpp".to_owned(), "sub/b.cc".to_owned()])
    );
    assert_eq!(
        recognised(&[("p/x.txt", "")], "p"),
        Err(RecognitionFailure::NoSource)
    );
}

#[test]
fn python_2_is_recognised_by_its_first_line() {
    assert_eq!(
        recognised(&[("a.py", "#!/usr/bin/env python2\n")], "a.py")
            .unwrap()
            .0,
        "python2"
    );
    assert_eq!(
        recognised(&[("a.py", "#!/usr/bin/env python3\n# python2\n")], "a.py")
            .unwrap()
            .0,
        "python3"
    );
}

#[test]
fn java_entry_class_has_a_main_method() {
    let main =
        |class: &str| format!("class {class} {{ public static void main(String[] args) {{ }} }}");
    let found = recognised(&[("any-name.java", &main("Main"))], "any-name.java").unwrap();
    assert_eq!(found.2.as_deref(), Some("Main"));
    let found = recognised(
        &[("p/A.java", "class A { }"), ("p/B.java", &main("B"))],
        "p",
    )
    .unwrap();
    assert_eq!(
        (found.1, found.2.as_deref()),
        (vec!["B.java".to_owned(), "A.java".to_owned()], Some("B"))
    );
    // A file without any class.
    assert_eq!(
        recognised(&[("X.java", "\u{0}")], "X.java").unwrap().2,
        None
    );
}
