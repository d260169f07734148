//! The preparation of the programs of a package, so that they can be run.
//!
//! Responsible for choosing how a program is made, and for the message when it cannot be made. Must
//! not know its purpose.

use std::collections::BTreeSet;
use std::sync::Arc;

use judge_model::{LanguageId, Problem, Program};

use crate::build::compile::Compiler;
use crate::build::program::Runnable;
use crate::build::sources::Sources;
use crate::build::toolchain::{Toolchain, Toolchains};
use crate::fault::Fault;

/// The toolchains that were found on this host.
pub(crate) struct Tools {
    toolchains: Vec<Arc<Toolchain>>,
    /// The languages among them that submissions can use.
    of_submissions: BTreeSet<LanguageId>,
    /// The toolchain that programs with scripts are built and run with.
    scripts: Arc<Toolchain>,
}

impl Tools {
    pub(crate) fn new(found: &Toolchains) -> Self {
        Self {
            toolchains: found
                .iter()
                .filter_map(|(_, toolchain)| toolchain.ok().cloned().map(Arc::new))
                .collect(),
            of_submissions: found
                .iter()
                .filter(|(id, _)| matches!(found.for_submissions(id), Some(Ok(_))))
                .map(|(id, _)| id.clone())
                .collect(),
            scripts: Arc::new(found.for_scripts()),
        }
    }

    /// The toolchain of a language.
    pub(crate) fn for_language(&self, language: &LanguageId) -> Option<&Arc<Toolchain>> {
        self.toolchains
            .iter()
            .find(|toolchain| toolchain.language.id == *language)
    }

    /// True if submissions in this language can be run.
    pub(crate) fn are_for_submissions(&self, language: &LanguageId) -> bool {
        self.of_submissions.contains(language)
    }
}

/// Compiles or builds a program of the package. `role` names its kind.
pub(crate) fn make_ready(
    compiler: &mut Compiler<'_>,
    tools: &Tools,
    program: &Program,
    role: &str,
    problem: &Problem,
) -> Result<Arc<Runnable>, Fault> {
    let sources = Sources::from_program(program, problem);
    // A program with scripts states itself how it is built and run, so its language does not
    // matter.
    let compiled = if let Some(scripts) = program.scripts {
        compiler.build(&tools.scripts, &sources, scripts, &problem.limits)?
    } else {
        let Some(toolchain) = tools.for_language(&program.language) else {
            let (name, language) = (&program.name, &program.language);
            let why =
                format!("the {role} `{name}` is in `{language}`, for which this host has no tools");
            return Err(Fault::of_package(why));
        };
        compiler.compile(toolchain, &sources, &problem.limits, None)?
    };
    compiled.result.map_err(|failure| {
        let hint = failure
            .hint()
            .map(|hint| format!("\nhint: {hint}"))
            .unwrap_or_default();
        Fault::of_package(format!(
            "the {role} `{}` {}{hint}",
            program.name,
            failure.in_words()
        ))
    })
}
