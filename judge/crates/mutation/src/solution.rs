//! The solution that is mutated: its one file, and the toolchains that compile its mutants.

use std::fs;
use std::path::PathBuf;

use judge_exec::{Toolchain, Toolchains, regular_file};
use judge_model::{LanguageFamily, Submission};

use crate::equivalents::bytecode;
use crate::error::MutationError;
use crate::mutants::text_of;

/// The maximum size of a source, in bytes. Its mutants need many times as much memory.
const MAX_SOURCE_BYTES: u64 = 1 << 20;

/// Returns additional arguments of the compiler. Warnings must not reject a mutant. `blame` reads
/// the messages and needs columns in bytes, where a tab counts as one. Debugging information would
/// make equal programs differ.
fn compiler_arguments(language: LanguageFamily) -> &'static [&'static str] {
    match language {
        LanguageFamily::Rust => &[
            "--error-format=json",
            "--json=diagnostic-short",
            "--cap-lints=allow",
        ],
        LanguageFamily::Cpp | LanguageFamily::C => {
            &["-w", "-g0", "-ftabstop=1", "-fdiagnostics-color=never"]
        }
        // The compiler of one small file ends before its JIT compiler has optimised it.
        LanguageFamily::Java => &[
            "-g:none",
            "-proc:none",
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
        ],
        LanguageFamily::Python => &[],
    }
}

/// The name of the only file of a solution.
pub(crate) fn file_name(solution: &Submission) -> String {
    let name = solution
        .sources
        .first()
        .and_then(|source| source.file_name());
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// The path and the text of the only file of a solution.
pub(crate) fn read(
    solution: &Submission,
    language: LanguageFamily,
) -> Result<(PathBuf, String), MutationError> {
    let invalid = |reason: String| MutationError::Solution {
        solution: solution.id.clone(),
        reason,
    };
    let path = match &solution.sources[..] {
        [only] if solution.path.is_dir() => solution.path.join(only),
        [_] => solution.path.clone(),
        several => {
            return Err(invalid(format!(
                "expected a solution of one file, found {}",
                several.len()
            )));
        }
    };
    if fs::metadata(&path).is_ok_and(|metadata| metadata.len() > MAX_SOURCE_BYTES) {
        return Err(invalid(format!(
            "expected a source of at most {} MiB",
            MAX_SOURCE_BYTES >> 20
        )));
    }
    let bytes =
        regular_file::read(&path, MAX_SOURCE_BYTES).map_err(|source| MutationError::File {
            path: path.clone(),
            source,
        })?;
    let source = text_of(bytes, language).map_err(|line| {
        invalid(format!(
            "expected a source in UTF-8 but for its comments, found something else in line {line}"
        ))
    })?;
    // A combined program has text before the byte order mark, which is only allowed at the
    // beginning.
    let source = source.strip_prefix('\u{feff}').unwrap_or(&source);
    Ok((path, source.to_owned()))
}

/// The toolchains for mutants, with the arguments of [`compiler_arguments`], and the toolchain of
/// the solution. `None` when it is unavailable.
pub(crate) fn toolchains_of_mutants(
    found: &Toolchains,
    solution: &Submission,
) -> Option<(Toolchains, Toolchain)> {
    let id = solution.language.as_ref()?;
    let mut toolchains: Vec<Toolchain> = found
        .iter()
        .filter_map(|(_, toolchain)| toolchain.ok().cloned())
        .collect();
    let toolchain = toolchains
        .iter_mut()
        .find(|toolchain| toolchain.language.id == *id)?;
    let language = toolchain.language.family?;
    let arguments = compiler_arguments(language).iter().copied();
    toolchain
        .language
        .compile
        .extend(arguments.map(str::to_owned));
    let toolchain = toolchain.clone();
    toolchains
        .extend((language == LanguageFamily::Python).then(|| bytecode::toolchain(&toolchain)));
    Some((Toolchains::known(toolchains), toolchain))
}

/// The error about a solution whose language is not available.
pub(crate) fn without_compiler(solution: &Submission) -> MutationError {
    let language = solution.language.as_ref();
    let language = language.map_or_else(String::new, |id| format!(" `{id}`"));
    let hint = "`judge doctor` shows the tools of each language";
    MutationError::Solution {
        solution: solution.id.clone(),
        reason: format!("this host cannot compile and run{language}\nhint: {hint}"),
    }
}
