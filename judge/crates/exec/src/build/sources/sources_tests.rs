//! Tests of the sources of programs: their files, the order of these, and the entry point. Must not
//! compile anything.

use std::fs;

use judge_model::FormatVersion;

use super::reading::MAX_DEPTH;
use super::*;

fn language(extension: &str, entry_points: &[&str]) -> Language {
    Language {
        id: LanguageId(extension.into()),
        name: extension.into(),
        extensions: vec![extension.into()],
        entry_points: entry_points.iter().map(ToString::to_string).collect(),
        processes: 1,
        ..Language::default()
    }
}

fn write(root: &Path, names: &[&str]) {
    for name in names {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{name} {{{{n}}}}")).unwrap();
    }
}

fn names(tree: &SourceTree) -> Vec<&str> {
    tree.files
        .iter()
        .map(|file| file.name.to_str().unwrap())
        .collect()
}

/// A problem that includes files for Python and for all other languages.
fn problem(root: &Path) -> Problem {
    let mut problem = Problem::new("p", root.to_owned(), FormatVersion::V2025_09);
    let included = |languages: &[&str], directory: &str| IncludedFiles {
        languages: languages
            .iter()
            .map(|id| LanguageId((*id).into()))
            .collect(),
        directory: root.join(directory),
        entry_class: None,
    };
    problem.included = vec![included(&[], "default"), included(&["py"], "python")];
    problem.constants = vec![Constant {
        name: "n".into(),
        value: "7".into(),
    }];
    problem
}

fn submission(root: &Path, name: &str, of_package: bool) -> Submission {
    Submission {
        path: root.join(name),
        sources: vec![name.into()],
        of_package,
        ..Submission::default()
    }
}

#[test]
fn single_files_are_taken_alone_and_directories_completely() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        &["p/main.c", "p/sub/list.h", "p/.hidden", "other.c"],
    );
    let c = Language {
        compile: vec!["cc".into()],
        ..language("c", &[])
    };
    let single = Sources::new(&dir.path().join("other.c"), &["other.c".into()], None)
        .read(&c)
        .unwrap();
    assert_eq!(
        (names(&single), single.own_bytes, single.at_hand),
        (vec!["other.c"], 13, false)
    );

    let whole = Sources::new(&dir.path().join("p"), &["main.c".into()], None)
        .read(&c)
        .unwrap();
    assert_eq!(
        (names(&whole), whole.at_hand),
        (vec!["main.c", "sub/list.h"], false)
    );
    write(dir.path(), &["p/table.txt"]);
    let whole = Sources::new(&dir.path().join("p"), &["main.c".into()], None)
        .read(&c)
        .unwrap();
    assert!(
        whole.at_hand,
        "a program looks for its data in its working directory"
    );
}

#[test]
fn scripts_find_other_scripts_in_their_working_directory() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &["p/main.sh", "p/other.sh"]);
    let read = |names: &[&str], language: &Language| {
        let names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        Sources::new(&dir.path().join("p"), &names, None)
            .read(language)
            .unwrap()
            .at_hand
    };
    let shell = language("sh", &["main.sh"]);
    assert!(read(&["main.sh", "other.sh"], &shell));
    let compiled = Language {
        compile: vec!["shc".into()],
        ..shell.clone()
    };
    assert!(
        !read(&["main.sh", "other.sh"], &compiled),
        "a compiled program needs no sources"
    );
    let single = Sources::new(&dir.path().join("p/main.sh"), &["main.sh".into()], None)
        .read(&shell)
        .unwrap();
    assert!(!single.at_hand);
}

#[test]
fn single_files_of_a_package_have_the_headers_of_their_directory() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        &["validate.cc", "validate.h", "other.cc", "sub/deep.h"],
    );
    let program = Program {
        name: "validate.cc".into(),
        path: dir.path().join("validate.cc"),
        sources: vec!["validate.cc".into()],
        language: LanguageId("cc".into()),
        entry_class: None,
        scripts: None,
    };
    let tree = Sources::from_program(&program, &problem(dir.path()))
        .read(&language("cc", &[]))
        .unwrap();
    assert_eq!(names(&tree), ["validate.cc", "validate.h"]);
    assert_eq!(tree.compiled, [Path::new("validate.cc")]);
    assert_eq!(tree.files[0].bytes, b"validate.cc 7");
}

#[test]
fn loops_of_links_are_not_followed_forever() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("main.c"), "").unwrap();
    std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).unwrap();
    let sources = Sources::new(dir.path(), &["main.c".into()], None);
    assert!(sources.read(&language("c", &[])).unwrap().files.len() <= MAX_DEPTH + 1);
}

#[test]
fn the_entry_point_is_the_first_source_even_if_its_class_is_named_differently() {
    let class = "Main".to_owned();
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &["a-b.java", "a.py"]);
    fs::write(dir.path().join("a-b.java"), "public class Main {}").unwrap();
    let named = Sources::new(
        &dir.path().join("a-b.java"),
        &["a-b.java".into()],
        Some(&class),
    );
    let tree = named.read(&language("java", &[])).unwrap();
    assert_eq!(
        tree.entry,
        Some(EntryPoint {
            main: "Main.java".into(),
            class: "Main".into()
        })
    );
    assert_eq!(names(&tree), ["Main.java"]);
    // Another public class than the started one keeps its file.
    fs::write(
        dir.path().join("a-b.java"),
        "public class Other { Main main; } class Main {}",
    )
    .unwrap();
    let tree = named.read(&language("java", &[])).unwrap();
    assert_eq!(
        tree.entry,
        Some(EntryPoint {
            main: "a-b.java".into(),
            class: "Main".into()
        })
    );
    fs::write(
        dir.path().join("a-b.java"),
        "@A public final class Outer { class Inner {} }",
    )
    .unwrap();
    let nested = Sources::new(
        &dir.path().join("a-b.java"),
        &["a-b.java".into()],
        Some(&"p.Outer$Inner".to_owned()),
    );
    let tree = nested.read(&language("java", &[])).unwrap();
    assert_eq!(
        tree.entry,
        Some(EntryPoint {
            main: "Outer.java".into(),
            class: "p.Outer$Inner".into()
        })
    );
    let plain = Sources::new(&dir.path().join("a.py"), &["a.py".into()], None)
        .read(&language("py", &[]))
        .unwrap();
    assert_eq!(plain.entry.unwrap().class, "a");
    assert_eq!(
        Sources::new(dir.path(), &[], None)
            .read(&language("py", &[]))
            .unwrap()
            .entry,
        None
    );
}

#[test]
fn included_classes_are_started_without_replacing_files() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &["cup.java", "java/grader.java"]);
    let mut problem = problem(dir.path());
    problem.included[1] = IncludedFiles {
        languages: vec![LanguageId("java".into())],
        directory: dir.path().join("java"),
        entry_class: None,
    };
    let java = language("java", &["Main.java"]);
    let named = Submission {
        entry_class: Some("grader".into()),
        ..submission(dir.path(), "cup.java", false)
    };
    let tree = Sources::from_submission(&named, &problem, &java.id)
        .read(&java)
        .unwrap();
    assert_eq!(names(&tree), ["cup.java", "grader.java"]);
    assert_eq!(tree.compiled, ["cup.java", "grader.java"].map(Path::new));
    assert_eq!(tree.entry.unwrap().class, "grader");
    // Without a rule that names it, the included class is started only if the submission has none.
    problem.included[1].entry_class = Some("grader".into());
    let started = |class: Option<&str>| {
        let entry_class = class.map(str::to_owned);
        let submission = Submission {
            entry_class,
            ..submission(dir.path(), "cup.java", false)
        };
        Sources::from_submission(&submission, &problem, &java.id)
            .read(&java)
            .unwrap()
            .entry
            .unwrap()
            .class
    };
    assert_eq!(
        (started(None).as_str(), started(Some("cup")).as_str()),
        ("grader", "cup")
    );
}

#[test]
fn included_files_replace_others_and_may_be_the_entry_point() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        &[
            "answer.py",
            "grader.py",
            "python/Main.py",
            "python/grader.py",
            "python/data/x.txt",
        ],
    );
    let problem = problem(dir.path());
    let python = language("py", &["__main__.py"]);
    let sources = Sources::from_submission(
        &submission(dir.path(), "answer.py", false),
        &problem,
        &python.id,
    );
    let tree = sources.read(&python).unwrap();
    assert_eq!(
        names(&tree),
        ["Main.py", "answer.py", "data/x.txt", "grader.py"]
    );
    assert_eq!(
        tree.compiled,
        ["Main.py", "answer.py", "grader.py"].map(Path::new)
    );
    assert_eq!(tree.entry.unwrap().main, Path::new("Main.py"));
    // The code limit applies to the submitted files.
    assert_eq!(
        (tree.own_bytes, tree.at_hand),
        ("answer.py {{n}}".len() as u64, true)
    );

    let sources = Sources::from_submission(
        &submission(dir.path(), "grader.py", false),
        &problem,
        &python.id,
    );
    let tree = sources.read(&python).unwrap();
    let grader = tree
        .files
        .iter()
        .find(|file| file.name == Path::new("grader.py"))
        .unwrap();
    assert_eq!(grader.bytes, b"python/grader.py 7");
}

#[test]
fn the_directory_of_a_language_replaces_the_default() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        &["a.py", "a.c", "python/lib.py", "default/shared.txt"],
    );
    let problem = problem(dir.path());
    for (file, language, expected) in [
        ("a.py", language("py", &[]), vec!["a.py", "lib.py"]),
        ("a.c", language("c", &[]), vec!["a.c", "shared.txt"]),
    ] {
        let sources =
            Sources::from_submission(&submission(dir.path(), file, false), &problem, &language.id);
        let tree = sources.read(&language).unwrap();
        assert_eq!(names(&tree), expected);
        assert_eq!(tree.entry.unwrap().main, Path::new(file));
    }
}

#[test]
fn testlib_is_plain_unless_the_codes_of_packages_are_defined() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let is_plain = || {
        let program = Program {
            name: "check.cc".into(),
            path: dir.path().join("check.cc"),
            sources: vec!["check.cc".into()],
            language: LanguageId("cc".into()),
            entry_class: None,
            scripts: None,
        };
        Sources::from_program(&program, &problem(dir.path()))
            .read(&language("cc", &[]))
            .unwrap()
            .testlib
    };
    write("check.cc", "#include \"testlib.h\"\n");
    assert!(!is_plain(), "no library is included");
    let plain = "#   ifdef CONTESTER\n#       define OK_EXIT_CODE 0xAC\n#   else\n#       define OK_EXIT_CODE 0\n";
    write("testlib.h", plain);
    assert!(is_plain());
    write("testlib.h", &plain.replace("CODE 0\n", "CODE 42\n"));
    assert!(!is_plain());
    write("testlib.h", plain);
    write(
        "check.cc",
        "#define OK_EXIT_CODE 42\n#include \"testlib.h\"\n",
    );
    assert!(!is_plain());
    write("check.cc", "int main() { return 42; }\n");
    assert!(!is_plain(), "it does not include the library");
}

#[test]
fn validators_must_register_themselves() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let validates = || {
        let program = Program {
            name: "v".into(),
            path: dir.path().to_owned(),
            sources: vec!["testlib.h".into(), "v.cc".into()],
            language: LanguageId("cc".into()),
            entry_class: None,
            scripts: None,
        };
        Sources::from_program(&program, &problem(dir.path()))
            .read(&language("cc", &[]))
            .unwrap()
            .testlib_validator
    };
    write(
        "testlib.h",
        "#define OK_EXIT_CODE 0\nvoid registerValidation() {}\n",
    );
    write(
        "v.cc",
        "#include \"testlib.h\"\nint main() { return 42; }\n",
    );
    assert!(
        !validates(),
        "it has the codes of packages, and only a copy of the library"
    );
    write(
        "v.cc",
        "#include \"testlib.h\"\nint main() { registerValidation(); }\n",
    );
    assert!(validates());
    write(
        "testlib.h",
        "#define OK_EXIT_CODE 42\nvoid registerValidation() {}\n",
    );
    assert!(!validates(), "the library was adapted to packages");
}

#[test]
fn constants_apply_to_the_packages_submissions_only() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &["a.c"]);
    fs::create_dir_all(dir.path().join("default")).unwrap();
    let c = language("c", &[]);
    for (of_package, expected) in [(true, b"a.c 7".as_slice()), (false, b"a.c {{n}}")] {
        let sources = Sources::from_submission(
            &submission(dir.path(), "a.c", of_package),
            &problem(dir.path()),
            &c.id,
        );
        assert_eq!(sources.read(&c).unwrap().files[0].bytes, expected);
    }
}

#[test]
fn programs_too_long_after_filling_in_constants_are_package_faults() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.c"), "{{n}}".repeat(20_000)).unwrap();
    let mut problem = problem(dir.path());
    problem.constants[0].value = "x".repeat(1 << 16);
    let c = language("c", &[]);
    let sources = Sources::from_submission(&submission(dir.path(), "a.c", true), &problem, &c.id);
    let refusal = sources.read(&c).unwrap_err().refusal().unwrap();
    assert!(
        refusal
            .to_string()
            .contains("`a.c` is too long with its constants filled in"),
        "{refusal}"
    );
}

#[test]
fn sources_with_stream_paths_get_proc() {
    let dir = tempfile::tempdir().unwrap();
    let opens = |text: &str| {
        fs::write(dir.path().join("main.c"), text).unwrap();
        let sources = Sources::new(&dir.path().join("main.c"), &["main.c".into()], None);
        sources.read(&language("c", &[])).unwrap().opens_streams
    };
    assert!(opens("fopen(\"/dev/stdin\", \"r\");"));
    assert!(opens("sprintf(path, \"/dev/%s\", name);"));
    assert!(opens("path = \"/proc\" + rest;"));
    assert!(!opens("int dev; /* a product / proc */"));
}

#[test]
fn the_library_is_added_only_if_it_is_named() {
    let file = |name: &str, text: &str| SourceFile {
        name: name.into(),
        bytes: text.into(),
        executable: false,
    };
    let user = || file("validate.rs", "use testlib::Reader;");
    assert!(needs_library(&[user()]));
    assert!(needs_library(&[
        file("main.rs", "mod a;"),
        file("a.rs", "testlib::join(&[1])")
    ]));
    assert!(!needs_library(&[file("main.rs", "use std::io;")]));
    assert!(!needs_library(&[file(
        "main.cpp",
        "#include \"testlib.h\""
    )]));
    assert!(!needs_library(&[user(), file("testlib.rs", "")]));
    assert!(!needs_library(&[user(), file("testlib/mod.rs", "")]));
}
