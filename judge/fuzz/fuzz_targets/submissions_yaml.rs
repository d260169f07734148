//! `submissions.yaml`: whatever it holds, loading its package gives a problem or errors.
#![no_main]

use std::cell::RefCell;
use std::fs;

use judge_package::{Workspace, load};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

thread_local! {
    static DIRECTORY: RefCell<Option<(TempDir, Workspace)>> = const { RefCell::new(None) };
}

/// A package that loads, with two submissions.
const FILES: [(&str, &str); 5] = [
    ("problem.yaml", "problem_format_version: 2025-09\nname: p\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n"),
    ("data/secret/1.in", "1\n"),
    ("data/secret/1.ans", "1\n"),
    ("submissions/accepted/a.py", "print(input())\n"),
    ("submissions/wrong_answer/b.py", "print(2)\n"),
];

fuzz_target!(|text: &[u8]| {
    DIRECTORY.with_borrow_mut(|directory| {
        let (directory, workspace) = directory.get_or_insert_with(|| {
            let directory = tempfile::tempdir().expect("a directory for the package");
            for (name, content) in FILES {
                let file = directory.path().join(name);
                fs::create_dir_all(file.parent().expect("it lies in the package")).expect("a directory of the package");
                fs::write(file, content).expect("the package can be written");
            }
            let workspace = Workspace::find(directory.path()).expect("an empty workspace");
            (directory, workspace)
        });
        fs::write(directory.path().join("submissions/submissions.yaml"), text).expect("the package can be written");
        match load(directory.path(), workspace) {
            Ok(loaded) => assert!(loaded.problem.submissions.len() <= 2),
            Err(errors) => assert!(!errors.to_string().is_empty()),
        }
    });
});
