//! `judge new`: creates the package of a new problem.
//!
//! Responsible for the place of the package. Must not know its content, and never prompts: the
//! arguments contain everything.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use judge_exec::has_plain_testlib;
use judge_files::is_in_package;
use judge_package::{
    NewPackage, SkeletonError, SkeletonKind, SkeletonLanguage, SkeletonSource, is_package,
    read_text_within, skeleton,
};
use judge_report::NewProblem;

use crate::args::{NewArgs, NewLanguage, NewType};
use crate::commands::selection::expect_outside_packages;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::print;

/// Creates the package.
pub(crate) fn run(config: &Config, args: &NewArgs) -> Result<ExitCode, Failure> {
    let usage = |error: SkeletonError| match error {
        SkeletonError::TestlibMissing => Failure::Usage(format!("{error}\nhint: {TESTLIB_HINT}")),
        error => Failure::Usage(error.to_string()),
    };
    let name = args.path.file_name().unwrap_or(args.path.as_os_str());
    let name = name.to_string_lossy();
    let place = args.path.parent().filter(|place| *place != Path::new(""));
    let directory = directory(config, place)?;
    // The path is checked as it was typed: a link in a package must not decide where files are
    // written.
    let inside = |package: &Path| {
        let package = package.display();
        Failure::Usage(format!(
            "`{package}` is a package; a package inside it would not be found"
        ))
    };
    if let Some(place) = place
        && let typed = config.directory.join(&args.path)
        && is_in_package(&typed)
            .map_err(|source| Failure::write(format!("`{}`", typed.display()), source))?
    {
        return Err(inside(
            typed
                .ancestors()
                .find(|ancestor| is_package(ancestor))
                .unwrap_or(place),
        ));
    }
    expect_outside_packages(&directory)?;
    let package = directory.join(&*name);
    let submissions = submissions(config, &package, &name);
    let own = args.from.as_ref().map(|typed| config.directory.join(typed));
    let source = match &own {
        Some(directory) => SkeletonSource::Directory(directory),
        None => SkeletonSource::Template(kind(args.kind), language(args.language)),
    };
    // A template of the user may include the header too.
    let testlib_h = match source {
        SkeletonSource::Template(_, SkeletonLanguage::CppTestlib)
        | SkeletonSource::Directory(_) => find_testlib_h(config),
        SkeletonSource::Template(..) => None,
    };
    let new = NewPackage {
        source,
        testlib_h: testlib_h.as_deref(),
        name: &name,
        title: args.title.as_deref(),
        author: args.author.as_deref(),
        license: &args.license,
        uuid: &uuid(),
    };
    let planned = skeleton(&new, &directory, &submissions).map_err(usage)?;
    planned.write().map_err(usage)?;
    let report = NewProblem {
        name: name.into_owned(),
        package: config.shown(&package),
        submissions: config.shown(&submissions),
        files: planned.files().len() as u64,
        portable: !matches!(source, SkeletonSource::Template(_, language) if !language.is_portable()),
        placeholders: planned.has_placeholders(),
        known: config
            .workspace
            .problems
            .iter()
            .any(|problems| package.starts_with(problems)),
    };
    print(report.to_text(config.terminal.look, config.terminal.verbosity))?;
    Ok(ExitCode::AsExpected)
}

/// The directory for the package.
fn directory(config: &Config, typed: Option<&Path>) -> Result<PathBuf, Failure> {
    let Some(typed) = typed else {
        return Ok(config
            .workspace
            .place_of_new_packages()
            .unwrap_or_else(|| config.directory.clone()));
    };
    let path = config.directory.join(typed);
    path.canonicalize()
        .map_err(|error| Failure::Usage(format!("cannot enter `{}`: {error}", typed.display())))
}

/// The directory for submissions: that of the workspace if the package belongs to one, otherwise
/// one in the package.
fn submissions(config: &Config, package: &Path, name: &str) -> PathBuf {
    let is_in_workspace = config
        .workspace
        .problems
        .iter()
        .any(|problems| package.starts_with(problems));
    match config.workspace.file {
        Some(_) if is_in_workspace => config.workspace.solutions.join(name),
        _ => package.join("submissions"),
    }
}

fn kind(typed: NewType) -> SkeletonKind {
    match typed {
        NewType::PassFail => SkeletonKind::PassFail,
        NewType::Float => SkeletonKind::Float,
        NewType::Custom => SkeletonKind::Custom,
        NewType::Interactive => SkeletonKind::Interactive,
        NewType::MultiPass => SkeletonKind::MultiPass,
        NewType::Scoring => SkeletonKind::Scoring,
    }
}

fn language(typed: NewLanguage) -> SkeletonLanguage {
    match typed {
        NewLanguage::Rust => SkeletonLanguage::Rust,
        NewLanguage::Cpp => SkeletonLanguage::Cpp,
        NewLanguage::CppTestlib => SkeletonLanguage::CppTestlib,
        NewLanguage::Python => SkeletonLanguage::Python,
    }
}

/// A random UUID (RFC 9562, section 5.4: version 4). The standard library's hashers have keys from
/// the system's source of random numbers, which is random enough for distinct problems.
fn uuid() -> String {
    let random = |half: u64| RandomState::new().hash_one(half);
    let bits = u128::from(random(0)) << 64 | u128::from(random(1));
    judge_package::uuid_of_bits(bits, 4)
}

/// The hint when the header is missing.
const TESTLIB_HINT: &str = "get `testlib.h` from https://github.com/MikeMirzayanov/testlib and put it next to `judge.yaml`, \
    into the current directory or into `/usr/local/include`; `--language cpp` needs no header";

/// The maximum size of the header, in bytes.
const MAX_TESTLIB_BYTES: u64 = 4 << 20;

/// The text of the header, from the first place that has it: the workspace, the current directory,
/// another package of the workspace, the host.
fn find_testlib_h(config: &Config) -> Option<String> {
    let packages = config.workspace.packages().unwrap_or_default();
    let own = [config.workspace.root.clone(), config.directory.clone()];
    let host = ["/usr/local/include", "/usr/include"].map(PathBuf::from);
    let places = own
        .into_iter()
        .chain(
            packages
                .iter()
                .flat_map(|package| program_directories(package)),
        )
        .chain(host);
    places
        .map(|place| place.join("testlib.h"))
        .find_map(|file| usable(&file))
}

/// The directories of a package that hold programs of its author.
fn program_directories(package: &Path) -> Vec<PathBuf> {
    let roots = [
        "input_validators",
        "output_validator",
        "generators",
        "output_validators",
    ]
    .map(|name| package.join(name));
    let below = |root: &PathBuf| {
        let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect::<Vec<_>>()
    };
    roots
        .iter()
        .flat_map(|root| std::iter::once(root.clone()).chain(below(root)))
        .collect()
}

/// Returns the text of a complete header with the original exit codes, which the programs of the
/// templates rely on.
fn usable(file: &Path) -> Option<String> {
    let text = read_text_within(file, MAX_TESTLIB_BYTES).ok()?;
    let is_whole = [
        "registerValidation",
        "registerGen",
        "registerTestlibCmd",
        "registerInteraction",
    ]
    .iter()
    .all(|function| text.contains(function));
    let files = [(Path::new("testlib.h"), text.as_bytes())];
    (is_whole && has_plain_testlib(files.into_iter())).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn uuids_are_of_version_4_and_differ() {
        let made: Vec<String> = (0..100).map(|_| uuid()).collect();
        for uuid in &made {
            let lengths: Vec<usize> = uuid.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{uuid}");
            assert_eq!(&uuid[14..15], "4", "{uuid}");
            assert!("89ab".contains(&uuid[19..20]), "{uuid}");
        }
        assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), made.len());
    }
}
