//! Messages between the harness and its zygotes: whatever the bytes, they are a message or are
//! refused.
#![no_main]

use judge_sandbox::{message_head, read_message};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_message(bytes);
    // With the right version in front, so that the fields behind it are reached as well.
    if let Some((kind, fields)) = bytes.split_first() {
        let _ = read_message(&[message_head(u32::from(*kind % 16)).as_slice(), fields].concat());
    }
});
