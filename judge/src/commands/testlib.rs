//! `judge testlib`: the library for programs of packages, written out for those who compile them without the judge.
//!
//! Responsible for never writing over anything else. Must not know what is in the library.

use std::io;
use std::path::Path;

use judge_exec::testlib_source::{HEAD, one_file};
use judge_files::{ConfinedDirectory, regular_file};
use judge_report::printable_lines;

use crate::args::TestlibArgs;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write;

/// Another version of the library may be larger by this, in bytes.
const MAX_OTHER_BYTES: u64 = 1 << 20;

pub(crate) fn carry_out(config: &Config, args: &TestlibArgs) -> Result<ExitCode, Failure> {
    let path = config.directory.join(&args.into).join("testlib.rs");
    let text = one_file();
    let done = match regular_file::read(&path, text.len() as u64 + MAX_OTHER_BYTES) {
        Ok(found) if found == text.as_bytes() => "is current",
        Ok(found) if !found.starts_with(HEAD.as_bytes()) => {
            return Err(Failure::Usage(format!(
                "`{}` was not written by `judge testlib`, and is left as it is\nhint: name another directory, or remove the file",
                config.shown(&path)
            )));
        }
        Ok(_) => written(config, &path, &text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => written(config, &path, &text)?,
        Err(source) => return Err(failed(config, &path, source)),
    };
    write(&mut io::stdout(), &printable_lines(&format!("{} {done}\n", config.shown(&path))))?;
    Ok(ExitCode::AsExpected)
}

fn written(config: &Config, path: &Path, text: &str) -> Result<&'static str, Failure> {
    let directory = path.parent().unwrap_or(path);
    let written = ConfinedDirectory::for_output(directory)
        .and_then(|(root, below)| root.write(&below.join(path.file_name().unwrap_or_default()), text.as_bytes()));
    written.map_err(|source| failed(config, path, source))?;
    Ok("is written")
}

fn failed(config: &Config, path: &Path, source: io::Error) -> Failure {
    Failure::Write { what: format!("`{}`", config.shown(path)), source }
}
