//! Generation programs of a package ready to run.
//!
//! Responsible for choosing how a program is made, and for the words when it cannot be. Must not know what it is for.

use std::sync::Arc;

use judge_model::{LanguageId, Problem, Program};

use crate::ExecError;
use crate::build::compile::Compiler;
use crate::build::program::Runnable;
use crate::build::sources::Sources;
use crate::build::toolchain::{Toolchain, Toolchains};

/// The toolchains that were found on this host.
pub(crate) struct Tools {
    toolchains: Vec<Arc<Toolchain>>,
    /// The toolchain that programs with scripts are built and run with.
    scripts: Arc<Toolchain>,
}

impl Tools {
    pub(crate) fn new(found: &Toolchains) -> Self {
        Self {
            toolchains: found.iter().filter_map(|(_, toolchain)| toolchain.ok().cloned().map(Arc::new)).collect(),
            scripts: Arc::new(found.for_scripts()),
        }
    }

    /// The toolchain of a language.
    pub(crate) fn of(&self, language: &LanguageId) -> Option<&Arc<Toolchain>> {
        self.toolchains.iter().find(|toolchain| toolchain.language.id == *language)
    }
}

/// Compiles or builds a program; the error in words is the package's fault. `role` says what the program is.
pub(crate) fn make_ready(
    compiler: &mut Compiler<'_>,
    tools: &Tools,
    program: &Program,
    role: &str,
    problem: &Problem,
) -> Result<Result<Arc<Runnable>, String>, ExecError> {
    let sources = Sources::of_program(program, problem);
    let compiled = if let Some(scripts) = program.scripts {
        compiler.build(&tools.scripts, &sources, scripts, &problem.limits)?
    } else {
        let Some(toolchain) = tools.of(&program.language) else {
            return Ok(Err(format!(
                "the {role} `{}` is in `{}`, for which this host has no tools",
                program.name, program.language
            )));
        };
        compiler.compile(toolchain, &sources, &problem.limits, None)?
    };
    Ok(compiled.result.map_err(|failure| {
        let said = compiled.message.head.to_text().into_owned();
        let why = failure.reason.unwrap_or_else(|| said.trim_end().to_owned());
        format!("the {role} `{}` does not compile: {why}", program.name)
    }))
}
