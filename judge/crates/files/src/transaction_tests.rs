//! Tests of transactions: each is killed at every step, fails at every step, and meets links.

use std::os::unix::fs::symlink;

use super::*;
use crate::confined::tests::everything;
use crate::set_journal_directory;

/// A package with something for every kind of step.
fn package() -> tempfile::TempDir {
    set_journal_directory(
        &std::env::current_exe()
            .unwrap()
            .with_file_name("state-of-tests"),
    );
    let package = tempfile::tempdir().unwrap();
    let files = [
        ("file", "old"),
        ("obsolete", "old"),
        ("full/a", "old"),
        ("moved/b", "old"),
        ("group/c", "old"),
    ];
    for (path, text) in files {
        let path = package.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    symlink("file", package.path().join("link")).unwrap();
    package
}

fn prepare(package: &Path) -> Transaction {
    prepare_for(package, Withstands::Kills)
}

fn prepare_for(package: &Path, withstands: Withstands) -> Transaction {
    let mut transaction = Transaction::begin(package, withstands).unwrap();
    let path = Path::new;
    transaction
        .rename(path("moved"), path("deep/er/new"))
        .unwrap();
    transaction
        .rename(path("deep/er/new/b"), path("deep/er/new/d"))
        .unwrap();
    transaction.write(path("file"), b"new").unwrap();
    transaction.write(path("link"), b"new").unwrap();
    transaction.write(path("some/where/file"), b"new").unwrap();
    transaction
        .copy(&package.join("link"), path("some/link"))
        .unwrap();
    transaction.remove(path("obsolete"));
    transaction.remove(path("missing"));
    transaction.remove(path("group/c"));
    transaction.remove_if_empty(path("group")).unwrap();
    transaction.remove_if_empty(path("full")).unwrap();
    transaction.remove_if_empty(path("missing")).unwrap();
    transaction
}

/// Leaves everything as if the process had been killed.
fn kill(mut transaction: Transaction) {
    transaction.is_over = true;
}

#[test]
fn all_changes_are_made_and_no_temporary_file_is_left() {
    let package = package();
    let transaction = prepare(package.path());
    assert!(!is_changing(package.path()).unwrap(), "nothing has changed");
    transaction.commit().unwrap();
    let found = everything(package.path())
        .into_iter()
        .filter_map(|(path, content, _)| {
            Some(format!(
                "{} {}",
                path.display(),
                String::from_utf8(content?).unwrap()
            ))
        });
    let expected = [
        "deep/er/new/d old",
        "file new",
        "full/a old",
        "link new",
        "some/link file",
        "some/where/file new",
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    assert!(!package.path().join("group").exists());
    assert!(!recover(package.path()).unwrap());
}

#[test]
fn dropping_a_transaction_changes_nothing() {
    let package = package();
    let before = everything(package.path());
    drop(prepare(package.path()));
    assert_eq!(everything(package.path()), before);
    assert!(!recover(package.path()).unwrap());
}

#[test]
fn transactions_killed_at_any_step_are_undone() {
    let steps = prepare(package().path()).steps.len();
    assert!(steps > 12);
    for done in 0..=steps {
        let package = package();
        let before = everything(package.path());
        let mut transaction = prepare(package.path());
        transaction.note_steps().unwrap();
        transaction.run(done).unwrap();
        assert!(is_changing(package.path()).unwrap());
        assert!(
            matches!(recover(package.path()), Err(ChangeError::UnderWay(_))),
            "the transaction is in use"
        );
        let (steps, stage) = (transaction.steps.clone(), transaction.stage.clone());
        kill(transaction);
        // Undoing it is killed too, before its end and at its end.
        let directory = ConfinedDirectory::open(package.path()).unwrap();
        undo(&directory, &steps[done.min(6)..], &stage).unwrap();
        assert!(is_changing(package.path()).unwrap());
        assert!(recover(package.path()).unwrap());
        assert_eq!(
            everything(package.path()),
            before,
            "killed after step {done}"
        );
        undo(&directory, &steps, &stage).unwrap();
        assert_eq!(
            everything(package.path()),
            before,
            "undone twice after step {done}"
        );
        assert!(!is_changing(package.path()).unwrap() && !recover(package.path()).unwrap());
    }
}

#[test]
fn the_next_transaction_undoes_a_killed_one() {
    let package = package();
    let before = everything(package.path());
    // Killed before the journal was written, while it was written, and after some steps.
    for (is_noted, is_cut) in [(false, false), (true, true), (true, false)] {
        let mut transaction = prepare(package.path());
        if is_noted {
            transaction.note_steps().unwrap();
        }
        if is_noted && !is_cut {
            transaction.run(3).unwrap();
        }
        kill(transaction);
        if is_cut {
            // A part of the line has reached the disk.
            let directory = ConfinedDirectory::open(package.path()).unwrap();
            Journal::open(&directory).unwrap().0.cut(9);
        }
        drop(Transaction::begin(package.path(), Withstands::LossOfPower).unwrap());
        assert_eq!(everything(package.path()), before, "{is_noted} {is_cut}");
    }
}

#[test]
fn a_failing_step_undoes_those_before_it() {
    for in_the_way in ["obsolete/x", "some/where/file/x", "deep/er/new/x", "some"] {
        for withstands in [Withstands::Failures, Withstands::LossOfPower] {
            let package = package();
            let path = package.path().join(in_the_way);
            if in_the_way == "obsolete/x" {
                fs::remove_file(package.path().join("obsolete")).unwrap();
            }
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
            let before = everything(package.path());
            let error = prepare_for(package.path(), withstands)
                .commit()
                .unwrap_err();
            assert!(
                error.to_string().contains("in the way"),
                "{in_the_way}: {error}"
            );
            assert_eq!(everything(package.path()), before, "{in_the_way}");
            assert!(!is_changing(package.path()).unwrap());
        }
    }
}

#[test]
fn files_written_since_are_kept() {
    let package = package();
    let mut transaction = prepare(package.path());
    transaction.note_steps().unwrap();
    transaction.run(usize::MAX).unwrap();
    kill(transaction);
    // In place, as a new file, and where one was removed.
    fs::write(package.path().join("file"), "by hand, longer").unwrap();
    fs::remove_file(package.path().join("link")).unwrap();
    fs::write(package.path().join("link"), "by hand").unwrap();
    fs::write(package.path().join("obsolete"), "by hand").unwrap();
    assert!(recover(package.path()).unwrap());
    for name in ["file", "link", "obsolete"] {
        assert!(
            fs::read_to_string(package.path().join(name))
                .unwrap()
                .starts_with("by hand"),
            "{name}"
        );
    }
    assert_eq!(
        fs::read_to_string(package.path().join("group/c")).unwrap(),
        "old"
    );
    assert!(!package.path().join("some").exists());
}

#[test]
fn a_copy_of_a_package_has_no_journal() {
    let package = package();
    let mut transaction = prepare(package.path());
    transaction.note_steps().unwrap();
    transaction.run(4).unwrap();
    kill(transaction);
    let around = tempfile::tempdir().unwrap();
    let copy = around.path().join("copy");
    let copied = std::process::Command::new("cp")
        .arg("-a")
        .arg(package.path())
        .arg(&copy)
        .status()
        .unwrap();
    assert!(copied.success());
    let before = everything(&copy);
    assert!(!is_changing(&copy).unwrap() && !recover(&copy).unwrap());
    assert_eq!(everything(&copy), before);
    // The package itself keeps it under another name.
    let moved = around.path().join("moved");
    fs::rename(package.path(), &moved).unwrap();
    assert!(is_changing(&moved).unwrap() && recover(&moved).unwrap());
}

/// The second step would follow the link that the first one creates, or that another process
/// creates meanwhile.
#[test]
fn steps_and_undoing_change_nothing_outside() {
    let around = tempfile::tempdir().unwrap();
    let outside = around.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("c"), "precious").unwrap();
    let before = everything(&outside);
    for place in ["some", "deep", "group", "full", ".judge-changes"] {
        let package = package();
        let root = package.path();
        let replace_by_link = || {
            let _ = fs::rename(root.join(place), root.join("elsewhere"));
            symlink(&outside, root.join(place)).unwrap();
        };
        // Before it is prepared: a link at the path of a new file is refused.
        if place != ".judge-changes" {
            replace_by_link();
            let mut transaction = Transaction::begin(root, Withstands::Kills).unwrap();
            let refused = transaction
                .write(&Path::new(place).join("c"), b"planted")
                .unwrap_err()
                .to_string();
            assert!(
                refused.ends_with("is a link, and nothing is written through links in a package"),
                "{refused}"
            );
            drop(transaction);
            fs::remove_file(root.join(place)).unwrap();
            let _ = fs::rename(root.join("elsewhere"), root.join(place));
        }
        // Between preparing and committing.
        let transaction = prepare(root);
        replace_by_link();
        let _ = transaction.commit();
        assert_eq!(everything(&outside), before, "{place}");
        let _ = recover(root);
        assert_eq!(everything(&outside), before, "{place}");
    }
    // Before it is undone.
    for place in ["some", "deep", "group", "full", ".judge-changes"] {
        let package = package();
        let mut transaction = prepare(package.path());
        transaction.note_steps().unwrap();
        transaction.run(usize::MAX).unwrap();
        kill(transaction);
        let _ = fs::rename(package.path().join(place), package.path().join("elsewhere"));
        symlink(&outside, package.path().join(place)).unwrap();
        let _ = recover(package.path());
        assert_eq!(everything(&outside), before, "{place}");
    }
}

#[test]
fn hidden_directories_of_a_package_are_left_alone() {
    let package = package();
    fs::create_dir(package.path().join(".judge-changes")).unwrap();
    fs::write(package.path().join(".judge-changes/0.old"), "theirs").unwrap();
    let before = everything(package.path());
    drop(prepare(package.path()));
    assert!(!recover(package.path()).unwrap());
    assert_eq!(everything(package.path()), before);
}
