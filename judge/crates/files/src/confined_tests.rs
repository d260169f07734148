//! Tests of confined directories.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

/// A directory to be changed, with and without openat2(2), and one outside of it.
fn places() -> (tempfile::TempDir, [ConfinedDirectory; 2]) {
    let around = tempfile::tempdir().unwrap();
    fs::create_dir_all(around.path().join("root/sub")).unwrap();
    fs::create_dir_all(around.path().join("outside/sub")).unwrap();
    fs::write(around.path().join("outside/file"), "precious").unwrap();
    let open = |walks| ConfinedDirectory {
        walks,
        ..ConfinedDirectory::open(&around.path().join("root")).unwrap()
    };
    let both = [open(false), open(true)];
    (around, both)
}

/// Returns every file and directory below a place: its path, content, and permissions.
pub(crate) fn everything(place: &Path) -> Vec<(PathBuf, Option<Vec<u8>>, u32)> {
    let mut found = Vec::new();
    let mut directories = vec![place.to_owned()];
    while let Some(directory) = directories.pop() {
        for path in fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                directories.push(path.clone());
            }
            let content = if metadata.is_symlink() {
                Some(
                    fs::read_link(&path)
                        .unwrap()
                        .into_os_string()
                        .into_encoded_bytes(),
                )
            } else {
                fs::read(&path).ok()
            };
            found.push((
                path.strip_prefix(place).unwrap().to_owned(),
                content,
                metadata.permissions().mode(),
            ));
        }
    }
    found.sort();
    found
}

/// Every operation below a directory.
type Operation = fn(&ConfinedDirectory, &Path) -> io::Result<()>;
const OPERATIONS: [(&str, Operation); 14] = [
    ("create a directory", |root, place| {
        root.create_directory(&place.join("new"))
    }),
    ("create directories", |root, place| {
        root.create_directories(&place.join("new/er"))
    }),
    ("create existing directories", |root, place| {
        root.create_directories(&place.join("sub"))
    }),
    ("create a file", |root, place| {
        root.create_new(&place.join("new"), 0o666).map(drop)
    }),
    ("write a file", |root, place| {
        root.write(&place.join("file"), b"planted")
    }),
    ("make a link", |root, place| {
        root.symlink(Path::new("x"), &place.join("new"))
    }),
    ("create a hard link to a file there", |root, place| {
        root.hard_link(&place.join("file"), Path::new("got"))
    }),
    ("create a hard link there", |root, place| {
        root.hard_link(Path::new("own"), &place.join("new"))
    }),
    ("move there", |root, place| {
        root.rename(Path::new("own"), &place.join("file"))
    }),
    ("move from there", |root, place| {
        root.rename(&place.join("file"), Path::new("got"))
    }),
    ("move to a new name", |root, place| {
        root.rename_new(Path::new("own"), &place.join("new"))
    }),
    ("remove a file", |root, place| {
        root.remove_file(&place.join("file"))
    }),
    ("remove a directory", |root, place| {
        root.remove_directory(&place.join("sub"))
    }),
    ("list", |root, place| root.names(place).map(drop)),
];

#[test]
fn links_lead_to_no_change_outside() {
    for (what, operation) in OPERATIONS {
        for (number, depth) in [(0, "link"), (0, "link/sub"), (1, "link"), (1, "link/sub")] {
            for is_absolute in [false, true] {
                let (around, roots) = places();
                let root = &roots[number];
                let outside = around.path().join("outside");
                let target = if is_absolute {
                    &outside
                } else {
                    Path::new("../outside")
                };
                symlink(target, around.path().join("root/link")).unwrap();
                fs::write(around.path().join("root/own"), "own").unwrap();
                let before = everything(around.path());
                let error = operation(root, Path::new(depth)).unwrap_err();
                assert!(
                    error.to_string().starts_with("`link` is a link"),
                    "{what}: {error}"
                );
                assert_eq!(everything(around.path()), before, "{what}");
            }
        }
        // No other path leads outside either.
        let (around, roots) = places();
        fs::write(around.path().join("root/own"), "own").unwrap();
        let before = everything(around.path());
        let absolute = around.path().join("outside");
        for path in [
            Path::new("../outside"),
            &absolute,
            Path::new("sub/../../outside"),
        ] {
            for root in &roots {
                assert_eq!(
                    operation(root, path).unwrap_err().kind(),
                    io::ErrorKind::InvalidInput,
                    "{what}"
                );
                assert_eq!(everything(around.path()), before, "{what}");
            }
        }
    }
}

/// A check beforehand would miss this: the directory is a directory when it is checked, and a link
/// when it is used.
#[test]
fn concurrent_links_lead_to_no_change_outside() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let (around, roots) = places();
    let [directory, link, place] =
        ["directory", "link", "place"].map(|name| around.path().join("root").join(name));
    fs::create_dir(&directory).unwrap();
    symlink("../outside", &link).unwrap();
    fs::rename(&directory, &place).unwrap();
    let before = everything(&around.path().join("outside"));
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                // Exchanges the two names, in one step.
                renameat_with(CWD, &link, CWD, &place, RenameFlags::EXCHANGE).unwrap();
            }
        });
        let (mut written, mut refused) = (0, 0);
        for round in 0..20_000 {
            let root = &roots[round % 2];
            let path = Path::new("place").join("file");
            let done = [root.write(&path, b"planted"), root.remove_file(&path)];
            match done.iter().all(Result::is_ok) {
                true => written += 1,
                false => refused += 1,
            }
            if written > 50 && refused > 50 {
                break;
            }
        }
        is_done.store(true, Ordering::Relaxed);
        assert!(
            written > 0 && refused > 0,
            "{written} were written, {refused} refused: nothing was exchanged"
        );
    });
    assert_eq!(everything(&around.path().join("outside")), before);
}

#[test]
fn links_are_replaced_and_their_targets_are_kept() {
    for number in 0..2 {
        let (around, roots) = places();
        symlink("../outside/file", around.path().join("root/sub/link")).unwrap();
        roots[number].write(Path::new("sub/link"), b"new").unwrap();
        assert_eq!(
            fs::read(around.path().join("root/sub/link")).unwrap(),
            b"new"
        );
        assert_eq!(
            fs::read(around.path().join("outside/file")).unwrap(),
            b"precious"
        );
        assert_eq!(
            roots[number].names(Path::new("sub")).unwrap(),
            ["link"],
            "no temporary file is left"
        );
        assert!(
            roots[number]
                .create_new(Path::new("sub/link"), 0o666)
                .is_err()
        );
    }
}

#[test]
fn output_cannot_leave_packages_but_follows_other_links() {
    let (around, _) = places();
    let [package, outside] = ["root", "outside"].map(|name| around.path().join(name));
    symlink("../outside", package.join("link")).unwrap();
    symlink("outside", around.path().join("link")).unwrap();
    crate::set_rule(&package, std::sync::Arc::new(|_: &Path, _: &Path| true));
    let before = everything(&outside);
    for typed in ["link", "link/new", "sub/../link", "../root/link"] {
        let refused = [
            ConfinedDirectory::for_output(&package.join(typed)).map(drop),
            crate::replace(
                &package.join(typed).join("file"),
                b"",
                crate::ReplacementOptions::default(),
            ),
        ];
        for error in refused.map(Result::unwrap_err) {
            assert!(
                error.to_string().starts_with("`link` is a link"),
                "{typed}: {error}"
            );
        }
    }
    assert_eq!(everything(&outside), before);
    // A package that was not loaded, by its own name, by another one, and by the name of a
    // directory in it.
    let unloaded = around.path().join("unloaded");
    fs::create_dir_all(unloaded.join("sub")).unwrap();
    fs::write(unloaded.join("problem.yaml"), "").unwrap();
    symlink("../outside", unloaded.join("link")).unwrap();
    symlink("../../outside", unloaded.join("sub/link")).unwrap();
    symlink("unloaded", around.path().join("alias")).unwrap();
    symlink("alias/sub", around.path().join("below")).unwrap();
    for typed in [
        "unloaded/link/new",
        "alias/link",
        "alias/sub/link",
        "below/link/new",
    ] {
        let typed = around.path().join(typed);
        let error = ConfinedDirectory::for_output(&typed).unwrap_err();
        assert!(
            error.to_string().starts_with("`"),
            "{}: {error}",
            typed.display()
        );
        let error = crate::replace(
            &typed.join("file"),
            b"",
            crate::ReplacementOptions::default(),
        )
        .unwrap_err();
        assert!(
            error.to_string().contains("link` is a link"),
            "{}: {error}",
            typed.display()
        );
        assert!(crate::is_in_package(&typed).unwrap());
    }
    assert_eq!(everything(&outside), before);
    assert!(!crate::is_in_package(&around.path().join("link/file")).unwrap());
    assert!(!crate::is_in_package(&unloaded).unwrap());
    let (root, below) = ConfinedDirectory::for_output(&package.join("sub/../new/er")).unwrap();
    assert_eq!(
        (root.path(), below.as_path()),
        (package.as_path(), Path::new("new/er"))
    );
    root.write(&below.join("file"), b"1").unwrap();
    assert_eq!(fs::read(package.join("new/er/file")).unwrap(), b"1");
    // Outside of packages, a link that the user names is followed.
    let (root, below) = ConfinedDirectory::for_output(&around.path().join("link/new")).unwrap();
    root.write(&below.join("file"), b"1").unwrap();
    crate::replace(
        &around.path().join("link/file"),
        b"2",
        crate::ReplacementOptions::default(),
    )
    .unwrap();
    assert_eq!(fs::read(outside.join("new/file")).unwrap(), b"1");
    assert_eq!(fs::read(outside.join("file")).unwrap(), b"2");
}

#[test]
fn files_in_place_of_directories_are_reported() {
    let (around, roots) = places();
    fs::write(around.path().join("root/file"), "").unwrap();
    for root in &roots {
        let error = root.write(Path::new("file/x"), b"").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        assert_eq!(root.kind(Path::new("file/x")).unwrap(), None);
        assert_eq!(
            root.kind(Path::new("sub")).unwrap(),
            Some(FileType::Directory)
        );
    }
}
