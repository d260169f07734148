//! `judge check`: packages themselves, without judging any submission.
//!
//! Responsible for which packages are checked. Must not know what is looked for, nor how findings weigh.

mod data;
pub(crate) mod packages;
pub(crate) mod validators;

use judge_lint::Extent;

use crate::args::CheckArgs;
use crate::commands::check::packages::{Scope, check_packages};
use crate::commands::explain;
use crate::commands::selection::{Selected, narrowed, select_changed, select_packages};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::reporters::{ReportRequest, Reporters};
use crate::since::staged::{self, Staged};

pub(crate) fn carry_out(config: &Config, args: &CheckArgs) -> Result<ExitCode, Failure> {
    if let Some(word) = &args.explain {
        return explain::carry_out(config, word);
    }
    if args.data_only {
        return data::check(config, args);
    }
    let selection = match selected(config, args)? {
        Selected::Some(selection) => selection,
        Selected::Unchanged => return Ok(ExitCode::AsExpected),
    };
    let (jobs, _) = config.jobs_or(args.jobs);
    let mut reporters = Reporters::open(config, ReportRequest::new(&args.reports))?;
    let scope = Scope {
        whole_workspace: args.changes.is_everything() && !args.staged,
        extent: if args.files_only { Extent::Files } else { Extent::Everything },
        isolation: args.isolation.level,
        jobs,
        no_cache: args.cache.no_cache,
    };
    check_packages(config, &selection, &args.weighing, scope, &mut reporters)?;
    let state = reporters.finish()?;
    Ok(exit_code::of(&state))
}

/// The packages that are checked.
fn selected(config: &Config, args: &CheckArgs) -> Result<Selected, Failure> {
    let changes = &args.changes;
    if !args.staged {
        return select_changed(config, changes);
    }
    match staged::meant(config, &changes.selection.what)? {
        Staged::Changes { changes, in_words } => {
            Ok(narrowed(config, select_packages(config, &[])?, &changes, in_words))
        }
        // Files of no package are nothing to check.
        Staged::Packages(packages) if packages.is_empty() => Ok(Selected::Unchanged),
        Staged::Packages(packages) => Ok(Selected::Some(select_packages(config, &packages)?)),
    }
}
