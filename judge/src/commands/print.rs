//! `judge print`: texts for shells, man(1), editors and compilers.
//!
//! Responsible for texts that are never out of date: they are made from the arguments, or from the
//! tables that loading uses, when they are printed. Must not need a workspace.

use judge_exec::testlib_source::one_file;
use judge_package::quoted;

use crate::args::{PrintArgs, PrintCommand, command};
use crate::completing::registration;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::print;

pub(crate) fn run(args: &PrintArgs) -> Result<ExitCode, Failure> {
    let text = match &args.what {
        PrintCommand::Completions { shell } => registration(&shell.to_string()),
        PrintCommand::Man { about } => page(about.as_deref())?,
        PrintCommand::Schema { name } => name.schema().into(),
        PrintCommand::Testlib => one_file().into(),
    };
    print(text)?;
    Ok(ExitCode::AsExpected)
}

/// The manual page of a command, or of `judge` as a whole.
fn page(about: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut judge = command();
    // This adds the global options to the page of each command.
    judge.build();
    let about = match about {
        None => judge,
        Some(name) => judge
            .find_subcommand(name)
            .ok_or_else(|| unknown(&judge, name))?
            .clone(),
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(about).render(&mut text);
    rendered.map_err(|source| Failure::write("the manual page", source))?;
    Ok(text)
}

fn unknown(judge: &clap::Command, name: &str) -> Failure {
    let known = quoted(judge.get_subcommands().map(clap::Command::get_name));
    Failure::Usage(format!("unknown command `{name}`; expected one of {known}"))
}
