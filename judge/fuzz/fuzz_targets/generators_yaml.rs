//! `generators.yaml`: whatever it holds, reading gives rules or errors.
#![no_main]

use std::path::Path;

use judge_package::read_generators_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(errors) = read_generators_text(Path::new("/nonexistent"), text) {
        assert!(!errors.to_string().is_empty());
    }
});
