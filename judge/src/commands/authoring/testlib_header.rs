//! `testlib.h`: the header is not part of `judge`, so `judge new` looks for it on the host.
//!
//! Responsible for the places to search. Must not know which programs include it.

use std::path::{Path, PathBuf};

use judge_exec::uses_plain_testlib;
use judge_package::read_text_within;

use crate::config::Config;

/// The hint when the header is missing.
pub(super) const TESTLIB_HINT: &str = "get `testlib.h` from https://github.com/MikeMirzayanov/testlib and put it next to `judge.yaml`, \
    into the current directory or into `/usr/local/include`; `--language cpp` needs no header";

const MAX_BYTES: u64 = 4 << 20;

/// The text of the header, from the first place that has it: the workspace, the current directory,
/// another package of the workspace, the host.
pub(super) fn find_testlib_h(config: &Config) -> Option<String> {
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
    let text = read_text_within(file, MAX_BYTES).ok()?;
    let is_whole = [
        "registerValidation",
        "registerGen",
        "registerTestlibCmd",
        "registerInteraction",
    ]
    .iter()
    .all(|function| text.contains(function));
    let files = [(Path::new("testlib.h"), text.as_bytes())];
    (is_whole && uses_plain_testlib(files.into_iter())).then_some(text)
}
