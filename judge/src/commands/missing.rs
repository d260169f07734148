//! `judge missing`: which shards of a run are not there.
//!
//! Responsible for one line that goes into the array option of an engine. Must not decide about success.

use std::io::{self, Write};

use judge_sharding::format_numbers;

use crate::args::MissingArgs;
use crate::commands::merge::look;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, RESULT};
use crate::reporters::note;

pub(crate) fn carry_out(config: &Config, args: &MissingArgs) -> Result<ExitCode, Failure> {
    let survey = look(config, &args.directories)?;
    if survey.of == 0 {
        // Of a run of which nothing can be read, nobody knows what is missing.
        let faults: Vec<String> = survey.faults.iter().map(ToString::to_string).collect();
        return Err(Failure::Shards(faults.join("\n")));
    }
    for fault in &survey.faults {
        note(&fault.to_string());
    }
    let missing = survey.missing();
    if !missing.is_empty() {
        let written = writeln!(io::stdout(), "{}", format_numbers(missing));
        written.map_err(|source| Failure::Write { what: RESULT.to_owned(), source })?;
    }
    Ok(ExitCode::AsExpected)
}
