//! The packages that a command for authors works on.
//!
//! Responsible for opening them, and for printing why one cannot be opened. Must not know what a
//! command does with them.

use std::path::Path;

use judge_authoring::Project;
use judge_model::Problem;
use judge_package::{Filter, PackageErrors, Selection};

use crate::commands::judging::name_of;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::messages::{complain, note};

/// The work of a command on packages.
#[derive(Clone, Copy)]
pub(crate) struct PackageWork<'a> {
    pub(crate) config: &'a Config,
    /// The consequence of a fault of a package, such as `its test data cannot be generated`.
    pub(crate) cannot: &'a str,
    /// True when nothing is written.
    pub(crate) dry_run: bool,
}

/// The packages that could be opened, each with the filter of its selected parts.
pub(crate) struct OpenPackages<'s, P> {
    pub(crate) packages: Vec<(P, &'s Filter)>,
    /// The exit code that follows from the packages that could not be opened.
    pub(crate) code: ExitCode,
}

impl PackageWork<'_> {
    /// Opens every selected package, and prints the errors of those that cannot be opened.
    pub(crate) fn open<'s, P>(
        &self,
        selection: &'s Selection,
        open: impl Fn(&Path) -> Result<P, PackageErrors>,
    ) -> Result<OpenPackages<'s, P>, Failure> {
        let mut opened = OpenPackages {
            packages: Vec::new(),
            code: ExitCode::AsExpected,
        };
        for package in &selection.packages {
            self.revert_interrupted(&package.directory)?;
            match open(&package.directory) {
                Ok(found) => opened.packages.push((found, &package.filter)),
                Err(errors) => {
                    opened.code = worse(
                        opened.code,
                        self.complain(&name_of(&package.directory), &errors)?,
                    );
                }
            }
        }
        Ok(opened)
    }

    /// Reverts the changes of a killed command.
    pub(crate) fn revert_interrupted(&self, package: &Path) -> Result<(), Failure> {
        if self.dry_run {
            Ok(())
        } else {
            revert_interrupted(self.config, package)
        }
    }

    /// Prints the errors of a package, and their consequence.
    pub(crate) fn complain(
        &self,
        problem: &str,
        errors: &PackageErrors,
    ) -> Result<ExitCode, Failure> {
        let failure = Failure::package(errors, &self.config.workspace.root);
        let text = format!("error: {problem}: {}\n{failure}", self.cannot);
        complain(&text)?;
        Ok(ExitCode::PackageFault)
    }
}

/// Reverts the changes of a killed command to a package, before another one changes it.
pub(crate) fn revert_interrupted(config: &Config, package: &Path) -> Result<(), Failure> {
    if judge_files::recover(package)? {
        let place = config.shown(package);
        note(&format!(
            "{place}: a command that was changing it was killed; its changes were reverted"
        ));
    }
    Ok(())
}

/// Checks that every named part exists, or is planned.
pub(crate) fn check<'p>(
    selection: &Selection,
    projects: impl Iterator<Item = &'p Project>,
) -> Result<(), Failure> {
    let planned: Vec<Problem> = projects.map(Project::as_planned).collect();
    Ok(selection.check(planned.iter())?)
}
