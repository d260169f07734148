//! Lines of an event stream: no text is a panic, and what is an event comes back the same.
#![no_main]

use judge_event::{RunState, parse_line, to_line};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut state = RunState::default();
    for (number, line) in (1..).zip(text.lines()) {
        if let Ok(event) = parse_line(line, number) {
            assert_eq!(parse_line(&to_line(&event), number).expect("an event is an event again"), event);
            state.apply(&event);
        }
    }
    let _ = state.counts();
});
