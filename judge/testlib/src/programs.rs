//! Running the programs of packages: one function for each kind.
//!
//! Responsible for the calls and exit codes of programs. Must not know what programs do.
//!
//! Source: package format, "Input Validators", "Output Validators" and "Interactive Problems".

use std::fs;
use std::io::{self, Write};

use super::args::Args;
use super::ending::{broken, end, ACCEPTED};
use super::judge::Judge;
use super::reader::{OnFault, Reader};
use super::text::Text;

/// Runs an input validator: `validator [OPTION…] < INPUT`. `validate` reads the input strictly, and
/// nothing may follow. Exits with 42 if the input is valid, or with 43 and the position of the
/// fault on standard error. With `--constraints_file PATH`, an option of BAPCtools, it writes the
/// bounds that were reached.
pub fn validate_input(validate: impl FnOnce(&mut Reader, &mut Args)) -> ! {
    let mut args = Args::from_program();
    let log = args.text_if_given("constraints_file");
    let mut input = Reader::new(Box::new(io::stdin()), "the input", OnFault::Reject);
    validate(&mut input, &mut args);
    input.end_of_file();
    args.finish();
    if let Some(path) = log {
        if let Err(error) = fs::write(&path, input.bounds()) {
            broken(format_args!("cannot write `{path}`: {error}"));
        }
    }
    end(ACCEPTED)
}

/// Runs a generator: `generator [OPTION…] SEED`. The text of `make` is written to standard output
/// unless there is a fault.
pub fn generate(make: impl FnOnce(&mut Args, &mut Text)) {
    let mut args = Args::from_program();
    let mut out = Text::new();
    make(&mut args, &mut out);
    args.finish();
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout
        .write_all(out.as_str().as_bytes())
        .and_then(|()| stdout.flush())
    {
        broken(format_args!("cannot write: {error}"));
    }
}

/// Runs an output validator: `validator INPUT ANSWER FEEDBACK_DIRECTORY [ARGUMENT…] < OUTPUT`.
/// Exits with 42 if `judge` returns and nothing follows in the output, and with 43 if the output is
/// wrong.
pub fn validate_output(judge: impl FnOnce(&mut Judge)) -> ! {
    let mut given = Judge::from_program();
    judge(&mut given);
    given.args.finish();
    given.team.end_of_file();
    end(ACCEPTED)
}

/// Runs an interactor: an output validator that communicates with the submission, by
/// [`Judge::send`] and [`Judge::team`]. Output after the end is not checked: waiting for it could
/// take forever.
pub fn interact(judge: impl FnOnce(&mut Judge)) -> ! {
    let mut given = Judge::from_program();
    judge(&mut given);
    given.args.finish();
    end(ACCEPTED)
}
