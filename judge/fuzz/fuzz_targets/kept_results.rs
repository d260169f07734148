//! Records of kept results: whatever became of the file, its whole lines are read, and mean the
//! same when written again.
#![no_main]

use judge_exec::read_kept_results;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_kept_results("record", bytes, false);
    let _ = read_kept_results("record", bytes, true);
});
