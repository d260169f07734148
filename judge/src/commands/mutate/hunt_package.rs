//! The package of a hunt, with the sources of its inputs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use judge_authoring::Project;
use judge_model::LanguageId;
use judge_mutation::HuntProblem;
use judge_runner::PlannedProblem;
use judge_stress::add_placeholder;

use crate::commands::selection::load_package;
use crate::commands::stress::target::{directories, inputs_of_package};
use crate::config::Config;
use crate::failure::Failure;

/// The package of a hunt.
pub(super) struct HuntPackage {
    pub(super) problem: HuntProblem,
    /// The directories that programs of the package may see.
    pub(super) directories: Vec<PathBuf>,
    /// Owns one of these directories.
    _project: Option<Project>,
}

impl HuntPackage {
    pub(super) fn open(config: &Config, planned: &PlannedProblem) -> Result<Self, Failure> {
        let package = &planned.problem.directory;
        let mut loaded = load_package(config, package)?;
        add_placeholder(&mut loaded.problem);
        let project = Project::open(package, &config.workspace)
            .map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let inputs = inputs_of_package(project.as_ref(), &loaded.problem);
        let directories = directories(&loaded.problem.directory, project.as_ref());
        let problem = HuntProblem {
            inputs,
            input_args: loaded.input_args(),
            problem: loaded.problem,
        };
        Ok(Self {
            problem,
            directories,
            _project: project,
        })
    }

    /// The languages of generators and input validators.
    pub(super) fn languages(&self) -> BTreeSet<LanguageId> {
        self.problem.languages()
    }
}
