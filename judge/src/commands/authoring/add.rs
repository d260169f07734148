//! `judge add`: a further test case, with what it is worth.
//!
//! Responsible for what is asked for. Must not know how data is made or judged, nor what stands against a test case.

use std::io;
use std::path::Path;

use judge_authoring::{CaseSource, GivenFile, NewTestCase};

use crate::args::AddArgs;
use crate::commands::authoring::addition::add;
use crate::commands::document::DocumentOutput;
use crate::commands::judging::submission_args::ids_of;
use crate::commands::selection::select_own;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

pub(crate) fn carry_out(config: &Config, args: &AddArgs) -> Result<ExitCode, Failure> {
    let selection = select_own(config, args.problem.as_slice())?;
    let [package] = selection.packages.as_slice() else {
        let found = selection.packages.len();
        return Err(Failure::Usage(format!(
            "expected one problem, found {found}\nhint: name it with `--problem NAME`, or start in its directory"
        )));
    };
    let source = match (&args.generate, &args.file) {
        (Some(command), None) => CaseSource::Command(command),
        (None, Some(input)) => CaseSource::Files {
            input: given(config, input),
            answer: args.answer.as_deref().map(|answer| given(config, answer)),
        },
        _ => {
            let expected = "expected a file, `-` for standard input, or `--generate COMMAND`";
            return Err(Failure::Usage(expected.to_owned()));
        }
    };
    let required = ids_of(config, &package.directory, &args.require_kill)?;
    let new = NewTestCase {
        source,
        group: args.to.trim_matches('/'),
        name: args.name.as_deref(),
        required: &required,
        quick: args.quick,
        dry_run: args.dry_run,
    };
    let output = DocumentOutput::open(config, &args.reports)?;
    add(config, &package.directory, &new, args.execution.into(), output)
}

/// A file that was typed; `-` is standard input.
fn given<'a>(config: &'a Config, typed: &'a Path) -> GivenFile<'a> {
    match typed.as_os_str().as_encoded_bytes() {
        b"-" => GivenFile::Stream(|| Box::new(io::stdin().lock())),
        _ => GivenFile::Named { typed, within: &config.directory },
    }
}
