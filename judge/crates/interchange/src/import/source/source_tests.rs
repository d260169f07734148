//! Tests of opening sources.

use crate::fixture::Tree;

use super::*;

#[test]
fn an_only_directory_becomes_the_root() {
    let tree = Tree::with(&[]);
    tree.write("outer/problem/problem.xml", "<problem/>");
    tree.write("outer/problem/tests/01", "1\n");
    let source = Source::open(&tree.path("outer"), &|| false).unwrap();
    assert!(
        source.has("problem.xml") && source.has("tests/01") && !source.has("problem/problem.xml")
    );
    assert_eq!(source.stem(), "outer");
    assert_eq!(source.files_below("tests").count(), 1);
}

#[test]
fn macos_metadata_files_are_ignored() {
    let tree = Tree::with(&[]);
    for file in [
        "1.in",
        "._1.in",
        ".DS_Store",
        "__MACOSX/._1.in",
        "tests/._2.in",
        "tests/2.in",
        "tests/.DS_Store",
    ] {
        tree.write(&format!("p/{file}"), "\0\x05\x16\x07");
    }
    let source = Source::open(&tree.path("p"), &|| false).unwrap();
    assert_eq!(
        source.files().collect::<Vec<_>>(),
        [Path::new("1.in"), Path::new("tests/2.in")]
    );
}

#[test]
fn directories_can_be_opened_as_separate_sources() {
    let tree = Tree::with(&[
        ("p/a/1.in", "1\n"),
        ("p/a/x/2.in", "2\n"),
        ("p/ab/1.in", "3\n"),
        ("p/z", ""),
    ]);
    let source = Source::open(&tree.path("p"), &|| false).unwrap();
    assert_eq!(source.directories(), [Path::new("a"), Path::new("ab")]);
    let inner = source.within(Path::new("a"));
    assert_eq!(
        inner.files().collect::<Vec<_>>(),
        [Path::new("1.in"), Path::new("x/2.in")]
    );
    assert_eq!(inner.bytes("x/2.in").unwrap(), b"2\n");
}

#[test]
fn links_out_of_the_source_are_not_followed() {
    let tree = Tree::with(&[]);
    tree.write("p/1.in", "1\n");
    std::os::unix::fs::symlink("1.in", tree.path("p/2.in")).unwrap();
    assert_eq!(
        Source::open(&tree.path("p"), &|| false)
            .unwrap()
            .bytes("2.in")
            .unwrap(),
        b"1\n"
    );
    std::os::unix::fs::symlink("/etc/passwd", tree.path("p/3.in")).unwrap();
    let source = Source::open(&tree.path("p"), &|| false).unwrap();
    assert!(source.files().all(|file| file != Path::new("3.in")) && source.bytes("3.in").is_err());
    let (path, what) = source.others().next().unwrap();
    assert!(
        path == Path::new("3.in") && what.contains("leads out"),
        "{what}"
    );
}

#[test]
fn names_outside_of_the_source_are_refused() {
    let tree = Tree::with(&[("secret.txt", "geheim"), ("p/1.in", "1\n")]);
    let mut source = Source::open(&tree.path("p"), &|| false).unwrap();
    for name in [
        "../secret.txt",
        &tree.path("secret.txt").display().to_string(),
        "../p/1.in",
    ] {
        let error = source.bytes(name).unwrap_err().to_string();
        assert!(error.contains("in the source, found none"), "{error}");
        assert!(source.text(name).is_err() && source.unpack(name, &|| false).is_err());
    }
}
