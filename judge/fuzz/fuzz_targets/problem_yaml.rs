//! `problem.yaml`: whatever it holds, loading gives a package or errors.
#![no_main]

use std::cell::RefCell;
use std::fs;

use judge_package::{Workspace, load};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

thread_local! {
    static DIRECTORY: RefCell<Option<(TempDir, Workspace)>> = const { RefCell::new(None) };
}

fuzz_target!(|text: &[u8]| {
    DIRECTORY.with_borrow_mut(|directory| {
        let (directory, workspace) = directory.get_or_insert_with(|| {
            let directory = tempfile::tempdir().expect("a directory for the package");
            let workspace = Workspace::find(directory.path()).expect("an empty workspace");
            (directory, workspace)
        });
        fs::write(directory.path().join("problem.yaml"), text).expect("the package can be written");
        match load(directory.path(), workspace) {
            Ok(loaded) => assert!(!loaded.problem.name.is_empty()),
            Err(errors) => assert!(!errors.to_string().is_empty()),
        }
    });
});
