//! Files of shards: whatever they hold, what is whole of them is read and told again, or refused.
#![no_main]

use std::fs;

use judge_sharding::{Stored, compose, replay};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let file = directory.path().join("1-of-1.jsonl");
    fs::write(&file, bytes).expect("the file can be written");
    match Stored::read(&file) {
        Ok(stored) => {
            let _ = replay(&stored, &mut |_| Ok(()));
            let _ = compose(&[&stored], &mut |_| Ok(()));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
