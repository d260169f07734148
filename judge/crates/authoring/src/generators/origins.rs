//! The origins of the inputs of test cases, for reports.
//!
//! Responsible for reading the origins from the lock file. Must not report its faults: `judge
//! generate` does that.

use std::fs;
use std::path::Path;

use judge_model::TestCase;

use crate::files::lock::{HAND_WRITTEN, LOCK_FILE, Lock};
use crate::files::reading::Content;

/// Adds the origin of each input from the package's lock file. An input has no origin if its size
/// has changed since it was generated.
pub fn add_origins(package: &Path, test_cases: &mut [TestCase]) {
    let Ok(lock) = Lock::read(&package.join(LOCK_FILE)) else {
        return;
    };
    for test_case in test_cases {
        let locked = lock.cases.get(&test_case.id);
        let Some((locked, input)) = locked.and_then(|case| Some((case, case.files.get(".in")?)))
        else {
            continue;
        };
        let is_same = match &input.content {
            Content::Link { .. } => true,
            Content::Bytes { bytes, .. } => {
                fs::metadata(&test_case.input).is_ok_and(|found| found.len() == *bytes)
            }
        };
        if is_same {
            let origin = if input.by_hand {
                HAND_WRITTEN
            } else {
                &locked.from
            };
            test_case.origin = Some(origin.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unchanged_inputs_have_an_origin() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path();
        fs::create_dir_all(package.join("generators")).unwrap();
        let mut lock = Lock::default();
        lock.add(
            "secret/made.in",
            Content::from_bytes(b"12\n"),
            Some("generate g 12"),
        );
        lock.add(
            "secret/changed.in",
            Content::from_bytes(b"1\n"),
            Some("generate g 1"),
        );
        lock.add(
            "secret/mine.ans",
            Content::from_bytes(b"1\n"),
            Some("generate g 1"),
        );
        lock.add("secret/mine.in", Content::from_bytes(b"34\n"), None);
        lock.add(
            "secret/linked.in",
            Content::Link {
                link: "made.in".into(),
            },
            Some("same as secret/made"),
        );
        let mut test_cases: Vec<TestCase> = ["made", "changed", "mine", "linked", "new"]
            .iter()
            .map(|name| {
                let input = package.join(name);
                fs::write(&input, "12\n").unwrap();
                TestCase {
                    id: format!("secret/{name}"),
                    input,
                    ..TestCase::default()
                }
            })
            .collect();
        let origins = |test_cases: &[TestCase]| {
            test_cases
                .iter()
                .map(|test_case| test_case.origin.clone())
                .collect::<Vec<_>>()
        };
        add_origins(package, &mut test_cases);
        assert_eq!(
            origins(&test_cases),
            [const { None::<String> }; 5],
            "without a lock file"
        );
        fs::write(package.join(LOCK_FILE), lock.to_text()).unwrap();
        add_origins(package, &mut test_cases);
        let expected = [
            Some("generate g 12"),
            None,
            Some("hand-written"),
            Some("same as secret/made"),
            None,
        ];
        assert_eq!(
            origins(&test_cases),
            expected.map(|origin| origin.map(str::to_owned))
        );
        fs::write(package.join(LOCK_FILE), "{").unwrap();
        add_origins(package, &mut test_cases);
    }
}
