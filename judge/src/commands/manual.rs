//! `judge completions`, `judge man` and `judge schema`: what shells, man(1) and editors are given to read.
//!
//! Responsible for texts that cannot be out of date, because they are made from the arguments, or from what is
//! read, when they are asked for.
//! Must not need a workspace.

use crate::args::{CompletionsArgs, ManArgs, SchemaArgs, command};
use crate::completing::registration;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write;

/// Writes the script by which a shell asks this program what can follow.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    print(&registration(&args.shell.to_string()))
}

/// Writes a manual page.
pub(crate) fn page(args: &ManArgs) -> Result<ExitCode, Failure> {
    let mut judge = command();
    // Then options that every command has stand on the page of each.
    judge.build();
    let about = match &args.about {
        None => judge,
        Some(name) => judge.find_subcommand(name).ok_or_else(|| unknown(&judge, name))?.clone(),
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(about).render(&mut text);
    rendered.map_err(|source| Failure::Write { what: "the manual page".to_owned(), source })?;
    print(&text)
}

/// Writes a schema.
pub(crate) fn schema(args: &SchemaArgs) -> Result<ExitCode, Failure> {
    print(args.name.schema().as_bytes())
}

fn unknown(judge: &clap::Command, name: &str) -> Failure {
    let known: Vec<String> = judge.get_subcommands().map(|command| format!("`{}`", command.get_name())).collect();
    Failure::Usage(format!("unknown command `{name}`; expected one of {}", known.join(", ")))
}

fn print(text: &[u8]) -> Result<ExitCode, Failure> {
    write(&mut std::io::stdout(), &String::from_utf8_lossy(text))?;
    Ok(ExitCode::AsExpected)
}
