//! Checktestdata: whatever the program and the input, reading and checking end, and say the same
//! again.
#![no_main]

use judge_checktestdata::{Program};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: (Vec<u8>, Vec<u8>)| {
    let (program, input) = case;
    match Program::parse(&program) {
        Ok(program) => {
            let result = program.check_within(&input, 100_000);
            assert_eq!(program.check_within(&input, 100_000), result);
            if let Err(error) = result {
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});
