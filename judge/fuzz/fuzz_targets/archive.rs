//! Archives: whatever their bytes, they are unpacked below the directory that was named, or
//! refused; and so they are imported.
#![no_main]

use std::fs;

use judge_interchange::import::{Imported, Source};
use judge_package::{holds_package, unpack_archive};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let directory = tempfile::tempdir().expect("a directory for the archive");
    let file = directory.path().join("a.zip");
    let into = directory.path().join("into");
    fs::write(&file, bytes).expect("the archive can be written");
    fs::create_dir(&into).expect("a directory for its files");
    let _ = holds_package(&file);
    if let Err(error) = unpack_archive(&file, &into, usize::MAX, &|| false) {
        assert!(!error.to_string().is_empty());
    }
    let here = fs::read_dir(directory.path()).expect("the directory can be read").count();
    assert_eq!(here, 2, "an archive has written beside the directory that it was unpacked into");
    if let Ok(source) = Source::open(&file, &|| false) {
        let _ = Imported::read(source, None, Some("imported"), &|| false);
    }
});
