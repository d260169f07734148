//! The interpreter that runs Python 3 here.
//!
//! Responsible for the choice, by what the workspace says and what the host has. Must not run it.

use std::ffi::OsString;

use judge_exec::is_installed;
use judge_package::{CPYTHON, PYPY, Workspace, with_pypy};

/// Makes PyPy run Python 3 where the workspace says so, or where the system that the packages are
/// for does and the host has it. Returns what there is to say about it.
pub(crate) fn choose(workspace: &mut Workspace, path: &OsString) -> Option<String> {
    let stated = workspace.python.as_ref().map(|id| id.0.as_str());
    let profile = workspace
        .check
        .profile
        .filter(|profile| profile.runs_pypy());
    let (wanted, why) = match (stated, profile) {
        (Some(PYPY), _) => (true, "`judge.yaml` says so".to_owned()),
        (None, Some(profile)) => (
            false,
            format!("as for profile `{profile}`; `python: {CPYTHON}` in judge.yaml changes that"),
        ),
        _ => return None,
    };
    let found = workspace
        .languages
        .iter()
        .any(|row| row.id.0 == PYPY && is_installed(row, path));
    if wanted || found {
        workspace.languages = with_pypy(&workspace.languages);
        return Some(format!("PyPy runs Python 3: {why}"));
    }
    let profile = profile?;
    Some(format!(
        "profile `{profile}` means PyPy for Python 3, but there is no `pypy3` in PATH: CPython runs it, and times differ\n\
         hint: install PyPy, or say `python: {CPYTHON}` in judge.yaml"
    ))
}
