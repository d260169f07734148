//! Tests of unpacking: ordinary archives, and archives that try to write outside their directory.

use std::os::unix::fs::PermissionsExt;

use proptest::prelude::*;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use super::*;
use crate::fixture::Tree;

const FILE: u32 = 0o100_644;
const LINK: u32 = 0o120_777;

/// An archive of uncompressed files, written by hand: no tool would write some of these.
fn stored(entries: &[(&[u8], u32, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, mode, content) in entries {
        let length = u32::try_from(content.len()).unwrap().to_le_bytes();
        let name_length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let offset = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        let checksum = crc32(content).to_le_bytes();
        // Version 2.0, names in UTF-8, stored, no date.
        let shared = [
            &[20, 0, 0, 8, 0, 0, 0, 0, 0, 0][..],
            &checksum,
            &length,
            &length,
            &name_length,
            &[0, 0],
        ]
        .concat();
        bytes.extend([&b"PK\x03\x04"[..], &shared, name, content].concat());
        let attributes = (mode << 16).to_le_bytes();
        let rest = [&[0; 6][..], &attributes, &offset, name].concat();
        directory.extend([&b"PK\x01\x02\x14\x03"[..], &shared, &rest].concat());
    }
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    let size = u32::try_from(directory.len()).unwrap().to_le_bytes();
    let start = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    bytes.extend(directory);
    bytes.extend(
        [
            &b"PK\x05\x06\0\0\0\0"[..],
            &count,
            &count,
            &size,
            &start,
            &[0, 0],
        ]
        .concat(),
    );
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(crc & 1))
        })
    })
}

/// A directory with an archive and an empty directory `into`.
struct Place(TempDir);

impl Place {
    fn with(archive: &[u8]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.archive(), archive).unwrap();
        fs::create_dir(place.target()).unwrap();
        place
    }

    fn archive(&self) -> PathBuf {
        self.0.path().join("x.kpp")
    }

    fn target(&self) -> PathBuf {
        self.0.path().join("into")
    }

    fn unpack(&self, bounds: &Bounds) -> Result<PathBuf, String> {
        unpack(&self.archive(), &self.target(), bounds).map_err(|error| match error {
            UnpackError::Unsound(error) => error.message,
            UnpackError::Unwritable { .. } => panic!("{error}"),
        })
    }

    /// Returns everything outside of `into`.
    fn outside(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// Returns the reason why an archive with these entries, and with a package, is refused. Nothing
/// may be written outside.
fn refused(entries: &[(&[u8], u32, &[u8])]) -> String {
    let entries = [&[(&b"problem.yaml"[..], FILE, &b""[..])], entries].concat();
    let place = Place::with(&stored(&entries));
    let message = place.unpack(&BOUNDS).unwrap_err();
    assert_eq!(place.outside(), ["into", "x.kpp"]);
    message
}

#[test]
fn packages_are_found_at_the_top_or_in_a_directory() {
    let files: [(&[u8], u32, &[u8]); 4] = [
        (b"x/problem.yaml", FILE, b"name: x"),
        (b"x/output_validator/run", 0o100_755, b"#!/bin/sh\n"),
        (b"x/data/linked", LINK, b"../problem.yaml"),
        (b"__MACOSX/x/._problem.yaml", FILE, b"?"),
    ];
    let place = Place::with(&stored(&files));
    let package = place.unpack(&BOUNDS).unwrap();
    assert_eq!(package, place.target().join("x"));
    assert_eq!(
        fs::read_to_string(package.join("data/linked")).unwrap(),
        "name: x"
    );
    let mode = |name: &str| {
        fs::metadata(package.join(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(
        (mode("output_validator/run"), mode("problem.yaml") & 0o111),
        (0o755, 0)
    );
    assert!(!place.target().join("__MACOSX").exists());

    let place = Place::with(&stored(&[(b"./problem.yaml", FILE, b"")]));
    assert_eq!(place.unpack(&BOUNDS).unwrap(), place.target());
    let place = Place::with(&stored(&[
        (b"a/problem.yaml", FILE, b""),
        (b"b/problem.yaml", FILE, b""),
    ]));
    assert_eq!(
        place.unpack(&BOUNDS).unwrap_err(),
        "expected one problem package, found 2"
    );
    let place = Place::with(&stored(&[(b"a/readme", FILE, b"")]));
    assert_eq!(
        place.unpack(&BOUNDS).unwrap_err(),
        "expected a problem package, found no `problem.yaml` in it"
    );
    assert!(
        Place::with(b"not a zip")
            .unpack(&BOUNDS)
            .unwrap_err()
            .contains("cannot be read as a zip archive")
    );
}

#[test]
fn archives_cannot_write_outside_their_directory() {
    for (name, reason) in [
        (&b"../out"[..], "found one with `..`"),
        (b"a/../../out", "found one with `..`"),
        (b"/tmp/out", "found an absolute one"),
        (b"C:out", "found an absolute one"),
        (b"..\\out", "without backslashes"),
        (b"a\0b", "without backslashes"),
        (b"\xff", "expected a name in UTF-8"),
        (&[b'x'; 300], "at most 255 bytes"),
        (
            b"problem.yaml/x",
            "lies in `problem.yaml`, which is not a directory",
        ),
    ] {
        let message = refused(&[(name, FILE, b"x")]);
        assert!(message.contains(reason), "{message}");
    }
    let deep = "d/".repeat(40) + "x";
    assert!(refused(&[(deep.as_bytes(), FILE, b"")]).contains("at most 32 nested directories"));
    assert!(refused(&[(b"pipe", 0o010_644, b"")]).contains("found something else"));
}

#[test]
fn links_leaving_the_archive_are_refused() {
    for target in [
        &b"../out"[..],
        b"a/../../out",
        b"/etc/passwd",
        b"C:\\x",
        b"",
        b"..",
        b"gone",
        b"loop",
    ] {
        let message = refused(&[(b"a/x", FILE, b""), (b"loop", LINK, target)]);
        assert!(message.starts_with("`loop`: "), "{message}");
    }
    // Each link alone stays inside, but the second leads out through the first.
    let message = refused(&[
        (b"a/b/here", LINK, b"../.."),
        (b"out", LINK, b"a/b/here/.."),
    ]);
    assert!(
        message.contains("`out`: the link leads out of the package"),
        "{message}"
    );
    // Nothing is written through a link, in any order.
    let message = refused(&[(b"dir", LINK, b".."), (b"dir/file", FILE, b"x")]);
    assert!(
        message.contains("lies in `dir`, which is not a directory"),
        "{message}"
    );
}

#[test]
fn duplicate_entries_are_refused() {
    assert_eq!(
        refused(&[(b"a", FILE, b"1"), (b"a", FILE, b"2")]),
        "has several entries of the same name"
    );
    assert!(refused(&[(b"a", FILE, b"1"), (b"./a", FILE, b"2")]).contains("`./a`: exists twice"));
    assert!(refused(&[(b"a/b", FILE, b"1"), (b"a", FILE, b"2")]).contains("`a`: exists twice"));
    let place = Place::with(&stored(&[
        (b"x/problem.yaml", FILE, b""),
        (b"x/", 0o040_755, b""),
    ]));
    assert!(
        place.unpack(&BOUNDS).is_ok(),
        "a directory after what is in it"
    );
}

#[test]
fn unpacked_size_is_bounded() {
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    writer
        .start_file("problem.yaml", SimpleFileOptions::default())
        .unwrap();
    writer
        .start_file("data/secret/1.in", SimpleFileOptions::default())
        .unwrap();
    writer.write_all(&vec![b'0'; 4 << 20]).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    let refused = |bounds: Bounds| Place::with(&bytes).unpack(&bounds).unwrap_err();
    assert!(Place::with(&bytes).unpack(&BOUNDS).is_ok());
    let shrinks = refused(Bounds {
        always_allowed_bytes: 1 << 20,
        ..BOUNDS
    });
    // An archive that states too large a size is not unpacked at all.
    assert_eq!(shrinks, TOO_LARGE);
    assert_eq!(
        refused(Bounds {
            bytes: 4 << 20 >> 1,
            ..BOUNDS
        }),
        TOO_LARGE
    );
    let place = Place::with(&bytes);
    assert!(
        place
            .unpack(&Bounds {
                bytes: 1 << 20,
                ..BOUNDS
            })
            .is_err()
    );
    assert_eq!(fs::read_dir(place.target()).unwrap().count(), 0);
    // Each file states a size of one byte; together they are four times the bound.
    let mut lying = bytes.clone();
    let large = (4_u32 << 20).to_le_bytes();
    let stated_size = |lying: &[u8]| lying.windows(4).position(|four| four == large);
    while let Some(at) = stated_size(&lying) {
        lying[at..at + 4].copy_from_slice(&1_u32.to_le_bytes());
    }
    let place = Place::with(&lying);
    let reported = place
        .unpack(&Bounds {
            bytes: 1 << 20,
            ..BOUNDS
        })
        .unwrap_err();
    assert!(reported.contains("`data/secret/1.in`: "), "{reported}");
    let unpacked =
        fs::metadata(place.target().join("data/secret/1.in")).map_or(0, |file| file.len());
    assert!(unpacked <= 1 << 20, "{unpacked}");
    assert_eq!(
        refused(Bounds {
            entries: 1,
            ..BOUNDS
        }),
        "expected at most 1 files and directories, found more"
    );
}

#[test]
fn unpacking_ends_when_stopped_and_with_too_many_files() {
    let files: [(&[u8], u32, &[u8]); 3] =
        [(b"a", FILE, b"1"), (b"b", FILE, b"2"), (b"c", FILE, b"3")];
    let place = Place::with(&stored(&files));
    let calls = std::cell::Cell::new(0);
    let is_stopped = || calls.replace(calls.get() + 1) >= 2;
    let message = unpack_archive(&place.archive(), &place.target(), 3, &is_stopped).unwrap_err();
    assert!(
        message.to_string().contains("unpacking was stopped"),
        "{message}"
    );
    assert!(fs::read_dir(place.target()).unwrap().count() < 3);
    let place = Place::with(&stored(&files));
    let message = unpack_archive(&place.archive(), &place.target(), 2, &|| false).unwrap_err();
    assert!(
        message
            .to_string()
            .ends_with(": expected at most 2 files and directories, found more"),
        "{message}"
    );
    assert_eq!(fs::read_dir(place.target()).unwrap().count(), 0);
    unpack_archive(&place.archive(), &place.target(), 3, &|| false).unwrap();
}

/// An archive that `tar` and `gzip` have packed, with the two blocks that end it.
fn gzipped(entries: &[(&str, u8, &[u8])]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for (name, kind, contents) in entries {
        packer
            .write_all(&tar::tests::entry(name, *kind, contents))
            .unwrap();
    }
    packer.write_all(&[0; 1024]).unwrap();
    packer.finish().unwrap()
}

impl Place {
    fn with_tar(archive: &[u8]) -> Self {
        let place = Self::with(archive);
        fs::rename(place.archive(), place.tar()).unwrap();
        place
    }

    fn tar(&self) -> PathBuf {
        self.0.path().join("x.tar.gz")
    }

    fn unpack_tar(&self, bounds: &Bounds, is_stopped: &dyn Fn() -> bool) -> Result<(), String> {
        unpack_files(&self.tar(), &self.target(), bounds, is_stopped).map_err(|error| match error {
            UnpackError::Unsound(error) => error.message,
            UnpackError::Unwritable { .. } => panic!("{error}"),
        })
    }
}

const SMALL: Bounds = Bounds {
    bytes: 64 << 10,
    always_allowed_bytes: 64 << 10,
    ..BOUNDS
};

#[test]
fn tar_archives_are_unpacked_or_refused_like_zip_archives() {
    let packed = gzipped(&[
        ("x/", b'5', b""),
        ("x/problem.yaml", b'0', b"name: x"),
        ("x/linked", b'2', b"problem.yaml"),
        ("__MACOSX/x", b'0', b"?"),
    ]);
    let place = Place::with_tar(&packed);
    let package = unpack(&place.tar(), &place.target(), &BOUNDS).unwrap();
    assert_eq!(package, place.target().join("x"));
    assert_eq!(
        fs::read_to_string(package.join("linked")).unwrap(),
        "name: x"
    );
    let refused = |entries: &[(&str, u8, &[u8])]| {
        let place = Place::with_tar(&gzipped(entries));
        let message = place.unpack_tar(&SMALL, &|| false).unwrap_err();
        assert_eq!(place.outside(), ["into", "x.tar.gz"]);
        message
    };
    assert!(refused(&[("../out", b'0', b"")]).contains("found one with `..`"));
    assert!(refused(&[("a", b'2', b"../out")]).contains("the link leads nowhere"));
    assert!(
        refused(&[("a", b'0', b""), ("b", b'1', b"a")])
            .contains("`b`: expected a separate file, found a hard link")
    );
    assert!(refused(&[("pipe", b'6', b"")]).contains("found something else"));
    assert!(refused(&[("a", b'0', &[0; 65 << 10])]).contains(TOO_LARGE));
    assert!(
        Place::with_tar(b"no gzip")
            .unpack_tar(&SMALL, &|| false)
            .unwrap_err()
            .contains("that gzip has packed")
    );
}

#[test]
fn extended_headers_of_tar_archives_are_bounded_and_can_be_stopped() {
    let comment = [b"32768 comment=".as_slice(), &[b'x'; 32_768 - 15], b"\n"].concat();
    let headers = gzipped(&[("h", b'g', comment.as_slice()); 8]);
    assert_eq!(
        Place::with_tar(&headers).unpack_tar(&SMALL, &|| false),
        Err(TOO_LARGE.to_owned())
    );
    assert_eq!(
        Place::with_tar(&headers).unpack_tar(&BOUNDS, &|| false),
        Ok(())
    );
    let calls = std::cell::Cell::new(0);
    let is_stopped = || calls.replace(calls.get() + 1) >= 4;
    let stopped = Place::with_tar(&headers).unpack_tar(&BOUNDS, &is_stopped);
    assert_eq!(stopped, Err("unpacking was stopped".to_owned()));
}

#[test]
fn damaged_tar_archives_are_found_by_the_checksum_of_gzip() {
    let mut packed = gzipped(&[("problem.yaml", b'0', b"name: x")]);
    // The last eight bytes are the checksum and the size.
    let at = packed.len() - 8;
    packed[at] ^= 1;
    let message = Place::with_tar(&packed)
        .unpack_tar(&BOUNDS, &|| false)
        .unwrap_err();
    assert!(message.contains("checksum"), "{message}");
    packed.truncate(at);
    assert!(
        Place::with_tar(&packed)
            .unpack_tar(&BOUNDS, &|| false)
            .is_err(),
        "its end is missing"
    );
}

#[test]
fn packages_in_archives_are_recognised_without_unpacking() {
    let holds =
        |entries: &[(&str, u8, &[u8])]| holds_package(&Place::with_tar(&gzipped(entries)).tar());
    assert!(holds(&[
        ("./", b'5', b""),
        ("./x/problem.yaml", b'0', b"name: x"),
        ("./x/data/1.in", b'0', b"1")
    ]));
    assert!(holds(&[("problem.yaml", b'0', b"name: x")]));
    assert!(!holds(&[("a/b/problem.yaml", b'0', b"")]) && !holds(&[("x.in", b'0', b"")]));
    assert!(
        !holds(&[
            ("x/problem.yaml", b'0', b""),
            ("x/testdata/config.yaml", b'0', b"")
        ]),
        "a problem of Hydro"
    );
    let zip = Place::with(&stored(&[(b"x/problem.yaml", FILE, b"")]));
    assert!(holds_package(&zip.archive()) && !holds_package(&zip.target()));
}

#[test]
fn archives_are_packages_of_a_workspace() {
    let files: [(&[u8], u32, &[u8]); 6] = [
        (
            b"packed/problem.yaml",
            FILE,
            b"problem_format_version: 2025-09\nname: X\nuuid: u\nlimit: 1\n",
        ),
        (b"packed/data/secret/1.in", FILE, b"1\n"),
        (b"packed/data/secret/1.ans", FILE, b"1\n"),
        (b"packed/data/sample/1.in", FILE, b"1\n"),
        (b"packed/data/sample/1.ans", FILE, b"1\n"),
        (b"packed/submissions/accepted/a.py", FILE, b""),
    ];
    let tree = Tree::with(&[
        ("judge.yaml", ""),
        ("solutions/packed/wrong_answer/w.py", ""),
    ]);
    tree.make_directory("problems");
    let sound: Vec<_> = files
        .into_iter()
        .map(|(name, mode, bytes)| {
            (
                name,
                mode,
                if name.ends_with(b"yaml") {
                    &bytes[..bytes.len() - 9]
                } else {
                    bytes
                },
            )
        })
        .collect();
    fs::write(tree.path("problems/packed.kpp"), stored(&sound)).unwrap();
    fs::write(tree.path("problems/broken.kpp"), stored(&files)).unwrap();
    fs::write(tree.path("problems/other.zip"), stored(&sound)).unwrap();
    let workspace = crate::Workspace::find(tree.root()).unwrap();
    let select = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        crate::select(&workspace, &words, tree.root())
            .unwrap()
            .packages
    };
    assert_eq!(select(&[]).len(), 2, "a `.zip` may be anything");
    assert_eq!(select(&["problems/other.zip"]).len(), 1);
    let [package] = &select(&["packed/secret/*"])[..] else {
        panic!()
    };
    assert!(!package.filter.is_everything());
    let loaded = crate::load(&package.directory, &workspace).unwrap();
    assert_eq!(loaded.problem.name, "packed");
    let ids: Vec<&str> = loaded
        .problem
        .submissions
        .iter()
        .map(|submission| submission.id.as_str())
        .collect();
    assert_eq!(
        ids,
        ["accepted/a.py", "wrong_answer/w.py"],
        "the workspace has solutions for it"
    );
    // Its findings have places in the archive.
    assert!(
        tree.warning_lines(&loaded.warnings)[0].starts_with("problems/packed.kpp/"),
        "{:?}",
        loaded.warnings
    );
    let [package] = &select(&["broken"])[..] else {
        panic!()
    };
    let errors = crate::load(&package.directory, &workspace).unwrap_err();
    assert_eq!(
        errors.iter().next().unwrap().file,
        tree.path("problems/broken.kpp/problem.yaml")
    );
    let directory = package.directory.clone();
    assert!(directory.is_dir());
    drop(workspace);
    assert!(!directory.exists(), "nothing is left behind");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any archive is unpacked or refused, without a panic, and nothing is written outside.
    #[test]
    fn any_archive_is_unpacked_or_refused(
        names in proptest::collection::vec("(problem.yaml|[ab./\\\\]{1,6})", 1..6),
        modes in proptest::collection::vec(proptest::sample::select(vec![FILE, LINK, 0o040_755, 0, 0o060_000]), 6),
        content in "[ab./]{0,6}",
        damage in proptest::option::of((0usize..400, any::<u8>())),
    ) {
        let entries: Vec<(&[u8], u32, &[u8])> =
            names.iter().zip(modes).map(|(name, mode)| (name.as_bytes(), mode, content.as_bytes())).collect();
        let mut bytes = stored(&entries);
        if let Some((at, byte)) = damage && at < bytes.len() {
            bytes[at] = byte;
        }
        let place = Place::with(&bytes);
        if let Ok(package) = place.unpack(&BOUNDS) {
            prop_assert!(is_package(&package));
            for entry in walkdir::WalkDir::new(place.target()) {
                let real = entry.unwrap().path().canonicalize().unwrap();
                prop_assert!(real.starts_with(place.target().canonicalize().unwrap()));
            }
        }
        prop_assert_eq!(place.outside(), ["into", "x.kpp"]);
    }
}
