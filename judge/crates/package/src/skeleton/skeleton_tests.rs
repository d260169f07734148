//! Tests of skeletons: what is planned, and that nothing of anybody's is touched.

use std::collections::BTreeSet;

use walkdir::WalkDir;

use super::*;
use crate::{Workspace, load};

const UUID: &str = "170d52ec-fa47-404f-8964-84061658bdca";

fn files_below(directory: &Path) -> BTreeSet<String> {
    let entries = WalkDir::new(directory).into_iter().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(|entry| entry.path().strip_prefix(directory).unwrap().display().to_string()).collect()
}

#[test]
fn every_file_of_the_templates_is_in_a_table() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let texts: BTreeSet<&str> =
        SkeletonKind::ALL.into_iter().flat_map(|kind| files::of(kind).into_iter().map(|(_, text)| text)).collect();
    let paths = files_below(&templates);
    for path in &paths {
        assert!(texts.contains(fs::read_to_string(templates.join(path)).unwrap().as_str()), "{path} is in no table");
    }
    assert!(paths.len() > 100, "{paths:?}");
}

#[test]
fn every_kind_loads_and_has_what_a_problem_needs() {
    for kind in SkeletonKind::ALL {
        let root = tempfile::tempdir().unwrap();
        let (package, submissions) = (root.path().join("adder"), root.path().join("adder/submissions"));
        let planned = skeleton(kind, "adder", root.path(), &submissions, UUID).unwrap();
        assert!(planned.files().iter().all(|(_, text)| !text.contains("@NAME@") && !text.contains("@UUID@")));
        planned.write().unwrap();
        let workspace = Workspace::find(root.path()).unwrap();
        let loaded = load(&package, &workspace).unwrap_or_else(|errors| panic!("{kind:?}: {errors}"));
        assert!(loaded.warnings.is_empty(), "{kind:?}: {:?}", loaded.warnings);
        let problem = loaded.problem;
        let wrong = |id: &str| id.starts_with("wrong_answer/");
        assert!(problem.submissions.iter().filter(|submission| wrong(&submission.id)).count() >= 2, "{kind:?}");
        assert!(problem.test_cases.len() >= 8 && !problem.input_validators.is_empty(), "{kind:?}");
        assert!(!loaded.extra_cases.invalid_input.is_empty(), "{kind:?}");
        assert_eq!(planned.files().len(), files_below(&package).len(), "{kind:?}");
    }
}

#[test]
fn submissions_may_lie_elsewhere() {
    let root = tempfile::tempdir().unwrap();
    let (package, submissions) = (root.path().join("problems/adder"), root.path().join("solutions/adder"));
    skeleton(SkeletonKind::Float, "adder", package.parent().unwrap(), &submissions, UUID).unwrap().write().unwrap();
    assert!(!package.join("submissions").exists());
    assert!(submissions.join("accepted/exact_sum.rs").is_file());
    let settings = fs::read_to_string(package.join("problem.yaml")).unwrap();
    assert!(settings.contains("en: \"Adder\"") && settings.contains(UUID), "{settings}");
}

#[test]
fn what_exists_is_not_touched() {
    let root = tempfile::tempdir().unwrap();
    let (package, submissions) = (root.path().join("adder"), root.path().join("solutions/adder"));
    let planned = skeleton(SkeletonKind::PassFail, "adder", root.path(), &submissions, UUID).unwrap();
    for taken in [&package, &submissions] {
        fs::create_dir_all(taken).unwrap();
        fs::write(taken.join("mine"), "mine").unwrap();
        let error = planned.write().unwrap_err();
        assert!(matches!(&error, SkeletonError::Exists(path) if path == taken), "{error}");
        let message = error.to_string();
        assert!(message.ends_with("exists already; nothing was written"), "{message}");
        assert_eq!(files_below(root.path()).len(), 1, "{taken:?}");
        fs::remove_dir_all(taken).unwrap();
    }
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    // A file where a directory is needed, for those who may write everywhere.
    fs::write(root.path().join("solutions"), "no directory").unwrap();
    let (package, submissions) = (root.path().join("adder"), root.path().join("solutions/adder"));
    let planned = skeleton(SkeletonKind::PassFail, "adder", root.path(), &submissions, UUID).unwrap();
    let error = planned.write().unwrap_err();
    assert!(matches!(error, SkeletonError::Unwritable { .. }), "{error}");
    assert_eq!(files_below(root.path()), BTreeSet::from(["solutions".to_owned()]));
    assert!(!package.exists());
}

#[test]
fn a_name_is_lower_case_letters_and_digits() {
    let of = |name| skeleton(SkeletonKind::PassFail, name, Path::new("/tmp"), Path::new("/tmp/s"), UUID);
    for name in ["", "Adder", "add-er", "a b", "a/b", "ä", ".."] {
        assert!(matches!(of(name), Err(SkeletonError::Name(_))), "{name}");
    }
    assert!(of("2adder").is_ok());
}
