//! Tests of skeletons: the planned files, and that no existing file is touched.

use std::collections::BTreeSet;

use walkdir::WalkDir;

use super::*;
use crate::{Workspace, load};

const UUID: &str = "170d52ec-fa47-404f-8964-84061658bdca";

fn files_below(directory: &Path) -> BTreeSet<String> {
    let entries = WalkDir::new(directory)
        .into_iter()
        .map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            entry
                .path()
                .strip_prefix(directory)
                .unwrap()
                .display()
                .to_string()
        })
        .collect()
}

/// A package with the name `adder` and otherwise default properties.
fn adder(kind: SkeletonKind, language: SkeletonLanguage) -> NewPackage<'static> {
    let source = SkeletonSource::Template(kind, language);
    let testlib_h = Some("// The library.\n");
    NewPackage {
        source,
        testlib_h,
        name: "adder",
        title: None,
        author: None,
        license: "cc by-sa",
        uuid: UUID,
    }
}

fn text_of(file: &NewFile) -> String {
    String::from_utf8(file.bytes.clone()).unwrap()
}

#[test]
fn every_file_of_the_templates_is_used() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut texts = BTreeSet::new();
    for kind in SkeletonKind::ALL {
        SkeletonLanguage::ALL
            .into_iter()
            .for_each(|language| texts.extend(files::template_files(kind, language).into_values()));
    }
    let paths = files_below(&templates);
    for path in &paths {
        let text = fs::read_to_string(templates.join(path)).unwrap();
        let is_used = |extension: &str| {
            texts.contains(&text.replace("generate.rs", &format!("generate.{extension}")))
        };
        assert!(
            ["rs", "cpp", "py"].into_iter().any(is_used),
            "{path} is used by no kind, or not built in"
        );
    }
    assert!(paths.len() > 100, "{paths:?}");
}

#[test]
fn packages_contain_only_programs_in_their_language() {
    for kind in SkeletonKind::ALL {
        let stems = |language| -> BTreeSet<_> {
            files::template_files(kind, language)
                .into_keys()
                .map(|path: &Path| path.with_extension(""))
                .collect()
        };
        for language in SkeletonLanguage::ALL {
            assert_eq!(
                stems(language),
                stems(SkeletonLanguage::Rust),
                "{kind:?} {language:?}"
            );
            let extensions: BTreeSet<_> = files::template_files(kind, language)
                .into_keys()
                // Attachments are in one language, which all contestants have.
                .filter(|path| !path.starts_with("attachments"))
                .filter_map(|path| path.extension()?.to_str())
                .filter(|extension| ["rs", "cpp", "py"].contains(extension))
                .collect();
            assert_eq!(
                extensions,
                BTreeSet::from([language.extension()]),
                "{kind:?}"
            );
        }
    }
}

#[test]
fn title_author_and_licence_are_in_problem_yaml() {
    let root = tempfile::tempdir().unwrap();
    let written = |new: &NewPackage<'_>| {
        let planned = skeleton(new, root.path(), &root.path().join("adder/submissions")).unwrap();
        text_of(
            planned
                .files()
                .iter()
                .find(|file| file.path.ends_with("problem.yaml"))
                .unwrap(),
        )
    };
    let plain = adder(SkeletonKind::PassFail, SkeletonLanguage::Python);
    let message = NewPackage {
        title: Some("A \"B\": \\c"),
        author: Some("D, E"),
        license: "cc0",
        ..plain.clone()
    };
    let text = written(&message);
    assert!(text.contains("  en: \"A \\\"B\\\": \\\\c\"\n"), "{text}");
    assert!(
        text.contains("  authors: [\"D, E\"]\n")
            && text.contains("license: cc0\nrights_owner: \"D, E\"\n"),
        "{text}"
    );
    let text = written(&NewPackage {
        license: "public domain",
        ..plain.clone()
    });
    assert!(
        !text.contains("rights_owner") && text.contains("license: public domain\n"),
        "{text}"
    );
    assert!(
        text.contains("en: \"Untitled adder\"") && text.contains("[\"the author of adder\"]"),
        "{text}"
    );
    let statement = |language, title| {
        let new = NewPackage {
            title: Some(title),
            ..adder(SkeletonKind::PassFail, language)
        };
        let planned = skeleton(&new, root.path(), &root.path().join("adder/submissions")).unwrap();
        let is_statement = |path: &Path| {
            path.components()
                .any(|part| part.as_os_str() == "statement")
        };
        let mut statements = planned
            .files()
            .iter()
            .filter(|file| is_statement(&file.path));
        let file = statements.next().unwrap();
        assert_eq!(statements.next(), None, "{language:?}");
        (
            file.path.file_name().unwrap().to_str().unwrap().to_owned(),
            text_of(file),
        )
    };
    assert_eq!(statement(SkeletonLanguage::Rust, "A").0, "problem.en.md");
    for language in [SkeletonLanguage::Cpp, SkeletonLanguage::Python] {
        let (file, text) = statement(language, r"50 % of \{a_b}, $1 & #2 ~ ^");
        assert_eq!(file, "problem.en.tex");
        let title =
            r"50 \% of \textbackslash{}\{a\_b\}, \$1 \& \#2 \textasciitilde{} \textasciicircum{}";
        assert!(
            text.starts_with(&format!("\\problemname{{{title}}}\n")),
            "{text}"
        );
    }
    for title in ["", " ", "a\nb"] {
        let error = skeleton(
            &NewPackage {
                title: Some(title),
                ..plain.clone()
            },
            root.path(),
            root.path(),
        )
        .unwrap_err();
        assert!(matches!(error, SkeletonError::Text(_)), "{error}");
    }
}

#[test]
fn every_kind_loads_as_a_complete_problem() {
    let pairs = SkeletonKind::ALL
        .into_iter()
        .flat_map(|kind| SkeletonLanguage::ALL.map(|language| (kind, language)));
    for (kind, language) in pairs {
        let root = tempfile::tempdir().unwrap();
        let (package, submissions) = (
            root.path().join("adder"),
            root.path().join("adder/submissions"),
        );
        let planned = skeleton(&adder(kind, language), root.path(), &submissions).unwrap();
        assert!(
            planned
                .files()
                .iter()
                .map(text_of)
                .all(|text| !text.contains("@UUID@")
                    && !text.contains("@LICENSE@")
                    && !text.contains("HOR@"))
        );
        planned.write().unwrap();
        let workspace = Workspace::find(root.path()).unwrap();
        let loaded =
            load(&package, &workspace).unwrap_or_else(|errors| panic!("{kind:?}: {errors}"));
        assert!(
            loaded.warnings.is_empty(),
            "{kind:?}: {:?}",
            loaded.warnings
        );
        let problem = loaded.problem;
        let wrong = |id: &str| id.starts_with("wrong_answer/");
        assert!(
            problem
                .submissions
                .iter()
                .filter(|submission| wrong(&submission.id))
                .count()
                >= 2,
            "{kind:?}"
        );
        assert!(
            problem.test_cases.len() >= 8 && !problem.input_validators.is_empty(),
            "{kind:?}"
        );
        assert!(!loaded.extra_cases.invalid_input.is_empty(), "{kind:?}");
        assert_eq!(
            planned.files().len(),
            files_below(&package).len(),
            "{kind:?}"
        );
    }
}

#[test]
fn testlib_h_is_copied_next_to_programs_including_it() {
    let root = tempfile::tempdir().unwrap();
    for kind in SkeletonKind::ALL {
        let new = adder(kind, SkeletonLanguage::CppTestlib);
        let planned = skeleton(&new, root.path(), &root.path().join("adder/submissions")).unwrap();
        let directories = |is_it: &dyn Fn(&NewFile) -> bool| -> BTreeSet<PathBuf> {
            planned
                .files()
                .iter()
                .filter(|file| is_it(file))
                .map(|file| file.path.parent().unwrap().to_owned())
                .collect()
        };
        let with_header = directories(&|file| file.path.ends_with("testlib.h"));
        let is_using = |file: &NewFile| {
            file.path.extension().is_some_and(|e| e == "cpp") && text_of(file).contains("testlib.h")
        };
        assert_eq!(with_header, directories(&is_using), "{kind:?}");
        assert!(with_header.len() >= 2, "{kind:?}: {with_header:?}");
        let without = NewPackage {
            testlib_h: None,
            ..new
        };
        assert!(matches!(
            skeleton(&without, root.path(), root.path()),
            Err(SkeletonError::TestlibMissing)
        ));
    }
}

#[test]
fn a_directory_is_copied_and_its_placeholders_are_filled() {
    let root = tempfile::tempdir().unwrap();
    let own = root.path().join("own");
    fs::create_dir_all(own.join("submissions/accepted")).unwrap();
    fs::create_dir_all(own.join(".git")).unwrap();
    fs::write(own.join(".git/config"), "private").unwrap();
    fs::write(
        own.join("problem.yaml"),
        "name: @TITLE@\nuuid: @UUID@\nkeywords: [@NAME@]\n",
    )
    .unwrap();
    fs::write(own.join("logo.bin"), b"\xff@TITLE@").unwrap();
    fs::write(own.join("submissions/accepted/run.sh"), "true\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(own.join("submissions/accepted/run.sh"), executable).unwrap();
    let new = NewPackage {
        source: SkeletonSource::Directory(&own),
        ..adder(SkeletonKind::PassFail, SkeletonLanguage::Rust)
    };
    let planned = skeleton(&new, root.path(), &root.path().join("solutions/adder")).unwrap();
    assert!(planned.has_placeholders());
    planned.write().unwrap();
    let package = root.path().join("adder");
    assert_eq!(
        files_below(&package),
        BTreeSet::from(["logo.bin".to_owned(), "problem.yaml".to_owned()])
    );
    let text = fs::read_to_string(package.join("problem.yaml")).unwrap();
    assert_eq!(
        text,
        format!("name: \"Untitled adder\"\nuuid: {UUID}\nkeywords: [adder]\n")
    );
    assert_eq!(fs::read(package.join("logo.bin")).unwrap(), b"\xff@TITLE@");
    let script = root
        .path()
        .join("solutions/adder/accepted/run.sh")
        .metadata()
        .unwrap();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&script.permissions()) & 0o100,
        0o100
    );
    fs::remove_dir_all(&package).unwrap();
    // A link may lead anywhere.
    std::os::unix::fs::symlink("/etc/hostname", own.join("link")).unwrap();
    let error = skeleton(&new, root.path(), root.path())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("own/link`: expected a file or a directory"),
        "{error}"
    );
    let none = NewPackage {
        source: SkeletonSource::Directory(root.path()),
        ..new
    };
    fs::remove_file(own.join("link")).unwrap();
    let error = skeleton(&none, root.path(), root.path())
        .unwrap_err()
        .to_string();
    assert!(error.contains("it contains no `problem.yaml`"), "{error}");
}

#[test]
fn submissions_can_be_written_elsewhere() {
    let root = tempfile::tempdir().unwrap();
    let (package, submissions) = (
        root.path().join("problems/adder"),
        root.path().join("solutions/adder"),
    );
    skeleton(
        &adder(SkeletonKind::Float, SkeletonLanguage::Rust),
        package.parent().unwrap(),
        &submissions,
    )
    .unwrap()
    .write()
    .unwrap();
    assert!(!package.join("submissions").exists());
    assert!(submissions.join("accepted/exact_sum.rs").is_file());
    let settings = fs::read_to_string(package.join("problem.yaml")).unwrap();
    assert!(
        settings.contains("en: \"Untitled adder\"") && settings.contains(UUID),
        "{settings}"
    );
}

#[test]
fn existing_files_are_not_touched() {
    let root = tempfile::tempdir().unwrap();
    let (package, submissions) = (
        root.path().join("adder"),
        root.path().join("solutions/adder"),
    );
    let planned = skeleton(
        &adder(SkeletonKind::PassFail, SkeletonLanguage::Rust),
        root.path(),
        &submissions,
    )
    .unwrap();
    for taken in [&package, &submissions] {
        fs::create_dir_all(taken).unwrap();
        fs::write(taken.join("mine"), "mine").unwrap();
        let error = planned.write().unwrap_err();
        assert!(
            matches!(&error, SkeletonError::Exists(path) if path == taken),
            "{error}"
        );
        let message = error.to_string();
        assert!(
            message.ends_with("exists already; nothing was written"),
            "{message}"
        );
        assert_eq!(files_below(root.path()).len(), 1, "{taken:?}");
        fs::remove_dir_all(taken).unwrap();
    }
}

#[test]
fn failed_write_leaves_nothing_behind() {
    let root = tempfile::tempdir().unwrap();
    // A file where a directory is needed, because root may write everywhere.
    fs::write(root.path().join("solutions"), "no directory").unwrap();
    let (package, submissions) = (
        root.path().join("adder"),
        root.path().join("solutions/adder"),
    );
    let planned = skeleton(
        &adder(SkeletonKind::PassFail, SkeletonLanguage::Rust),
        root.path(),
        &submissions,
    )
    .unwrap();
    let error = planned.write().unwrap_err();
    assert!(matches!(error, SkeletonError::Unwritable { .. }), "{error}");
    assert_eq!(
        files_below(root.path()),
        BTreeSet::from(["solutions".to_owned()])
    );
    assert!(!package.exists());
}

#[test]
fn names_must_be_lower_case_letters_and_digits() {
    let new = adder(SkeletonKind::PassFail, SkeletonLanguage::Rust);
    let plan = |name| {
        skeleton(
            &NewPackage {
                name,
                ..new.clone()
            },
            Path::new("/tmp"),
            Path::new("/tmp/s"),
        )
    };
    for name in ["", "Adder", "add-er", "a b", "a/b", "ä", ".."] {
        assert!(matches!(plan(name), Err(SkeletonError::Name(_))), "{name}");
    }
    assert!(plan("2adder").is_ok());
}
