//! Input validator of "Bad to the Bone".
//!
//! ```text
//! input   = dataset { dataset }        1 to 500 datasets, then the end of the file
//! dataset = record { record } "0 F\n"  1 to 28 records, their IDs distinct
//! record  = ID " " ( "F" | "B" ) "\n"  ID is 1 to 28, without leading zeros
//! ```

use testlib::Reader;

const MAX_DATASETS: usize = 500;

fn main() {
    testlib::validate_input(|input, _| {
        let mut datasets = 0;
        while datasets == 0 || !input.is_at_end() {
            datasets += 1;
            input.require(datasets <= MAX_DATASETS, format_args!("more than {MAX_DATASETS} datasets"));
            dataset(input);
        }
    })
}

fn dataset(input: &mut Reader) {
    let mut seen = [false; 29];
    while input.peek() != Some(b'0') {
        let id: usize = input.int("ID", 1..=28);
        input.require(!seen[id], format_args!("bone {id} twice in one dataset"));
        seen[id] = true;
        input.space();
        input.choice("", &["F", "B"]);
        input.newline();
    }
    input.require(seen.contains(&true), "an empty dataset");
    input.literal("0 F\n");
}
