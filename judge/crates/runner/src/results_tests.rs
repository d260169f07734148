//! What is kept does not grow without end.

use super::*;

#[test]
fn the_oldest_records_go_first() {
    let dir = tempfile::tempdir().unwrap();
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for (name, days) in [("aa/new", 3), ("ab/old", 1), ("aa/middle", 2)] {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, [0; 100]).unwrap();
        File::options().append(true).open(&path).unwrap().set_modified(start + USE_IS_NOTED_AFTER * days).unwrap();
    }
    let is_there = |name: &str| dir.path().join(name).exists();
    trim(dir.path(), 300, 100);
    assert!(is_there("aa/new") && is_there("aa/middle") && is_there("ab/old"), "there is room");
    trim(dir.path(), 299, 200);
    assert!(is_there("aa/new") && is_there("aa/middle") && !is_there("ab/old"));
    // Use makes it young again.
    note_use(&dir.path().join("aa/middle"));
    trim(dir.path(), 199, 100);
    assert!(is_there("aa/middle") && !is_there("aa/new"));
    trim(&dir.path().join("nothing"), 0, 0);
}
