//! The interpreter that runs Python 3 here.
//!
//! Responsible for the choice, by the workspace and the tools of the host. Must not run it.

use std::ffi::OsString;

use judge_exec::is_installed;
use judge_package::{CPYTHON, PYPY, Workspace, with_pypy};

/// Makes PyPy run Python 3 if the workspace chooses it, or if the target system of the packages
/// does and the host has PyPy. Returns a note about the choice.
pub(crate) fn choose(workspace: &mut Workspace, path: &OsString) -> Option<String> {
    let stated = workspace.python.as_ref().map(|id| id.0.as_str());
    let profile = workspace
        .check
        .profile
        .filter(|profile| profile.runs_pypy());
    let (requested, why) = match (stated, profile) {
        (Some(PYPY), _) => (true, "set in `judge.yaml`".to_owned()),
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
    if requested || found {
        workspace.languages = with_pypy(&workspace.languages);
        return Some(format!("PyPy runs Python 3: {why}"));
    }
    let profile = profile?;
    Some(format!(
        "profile `{profile}` runs Python 3 with PyPy, but `pypy3` is not in PATH: CPython runs it, and times differ\n\
         hint: install PyPy, or set `python: {CPYTHON}` in judge.yaml"
    ))
}
