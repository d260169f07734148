//! Event streams of shards: whatever they hold, they are merged or refused.
#![no_main]

use std::fs;

use judge_sharding::{Shards, merge};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let file = directory.path().join("1.jsonl");
    fs::write(&file, bytes).expect("the file can be written");
    let merged = Shards::find(&[file]).and_then(|found| match found {
        Some(shards) => merge(shards, &mut |_| Ok(())).map(drop),
        None => Ok(()),
    });
    if let Err(error) = merged {
        assert!(!error.to_string().is_empty());
    }
});
