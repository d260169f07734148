//! Checktestdata: whatever the program and the input, reading and checking end, and say the same
//! again.
#![no_main]

use judge_checktestdata::{CheckOptions, Program};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: (bool, Vec<u8>, Vec<u8>)| {
    let (whitespace_ok, program, input) = case;
    match Program::parse(&program) {
        Ok(program) => {
            let options = CheckOptions { whitespace_ok, steps: Some(100_000) };
            let result = program.check_with(&input, &options);
            assert_eq!(program.check_with(&input, &options), result);
            if let Err(error) = result {
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});
