//! The shards of a run, reported as one run.
//!
//! Responsible for refusing shards that do not form a whole run, and for warnings about
//! incomparable times. Must not know how shards are merged or reported.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use judge_event::Event;
use judge_package::quoted;
use judge_report::noun;
use judge_runner::Observer as _;
use judge_sharding::{Merged, Shards, format_numbers, merge};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::args::ReportArgs;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::{note, print};
use crate::reporters::{ReportRequest, Reporters};

/// The maximum number of submissions that a warning names.
const MAX_NAMED: usize = 5;

/// Merges the shards, or prints the numbers of those that are missing.
pub(super) fn report(config: &Config, args: &ReportArgs) -> Result<ExitCode, Failure> {
    allow_open_files();
    let shards = find(config, args)?;
    if args.missing {
        // Only the numbers go to standard output, where a shell puts them into an option.
        shards
            .faults
            .iter()
            .for_each(|fault| note(&fault.to_string()));
        let line = format_numbers(shards.missing());
        if !line.is_empty() {
            print(format!("{line}\n"))?;
        }
        return Ok(ExitCode::AsExpected);
    }
    refuse(&shards)?;
    // Collected before merging, which takes the shards.
    let hosts = Hosts::new(&shards);
    let sources: Vec<PathBuf> = shards
        .complete
        .values()
        .map(|shard| shard.path().to_owned())
        .collect();
    let mut reporters = Reporters::open(
        config,
        ReportRequest {
            sources: &sources,
            ..ReportRequest::new(&args.reporting)
        },
    )?;
    let merged = merge(shards, &mut |event: &Event| reporters.event(event))?;
    // The merged report looks like that of one host. Differences between hosts that may have
    // affected results are printed in addition.
    hosts.warn(&merged);
    reporters.finish()
}

/// Raises the limit of open files to the maximum of the host: each shard is an open file until all
/// are merged.
fn allow_open_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // If that fails, opening a shard reports it.
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: maximum,
            maximum,
        },
    );
}

/// Finds the shards in files and directories. Fails if no shard is found.
fn find(config: &Config, args: &ReportArgs) -> Result<Shards, Failure> {
    let paths: Vec<PathBuf> = args
        .paths
        .iter()
        .map(|path| config.directory.join(path))
        .collect();
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        return Err(Failure::NothingSelected(format!(
            "no such file or directory: `{}`",
            config.shown(missing)
        )));
    }
    Shards::find(&paths)?.ok_or_else(|| {
        let places = quoted(paths.iter().map(|path| config.shown(path)));
        let hint = "hint: `judge run --shard K/N --report json=FILE` writes one";
        Failure::NothingSelected(format!("no shard found in {places}\n{hint}"))
    })
}

fn refuse(shards: &Shards) -> Result<(), Failure> {
    let mut lines: Vec<String> = shards.faults.iter().map(ToString::to_string).collect();
    let missing = shards.missing();
    if !missing.is_empty() {
        let (number, shard_count) = (missing.len(), shards.shard_count);
        let are = noun(
            shard_count,
            "shard is",
            if number == 1 {
                "shards is"
            } else {
                "shards are"
            },
        );
        lines.push(format!(
            "{number} of {shard_count} {are} missing: {}",
            format_numbers(missing)
        ));
        lines.push(
            "hint: run them, for example with `--array=$(judge report --missing DIR)`".to_owned(),
        );
    }
    if lines.is_empty() {
        Ok(())
    } else {
        Err(Failure::Package(lines.join("\n")))
    }
}

/// The properties of hosts in which shards differ.
struct Hosts {
    /// Models of processors, each with its shards. Times on different ones cannot be compared.
    processors: BTreeMap<String, Vec<u64>>,
    levels: BTreeSet<judge_model::IsolationLevel>,
}

impl Hosts {
    fn new(shards: &Shards) -> Self {
        let mut hosts = Self {
            processors: BTreeMap::new(),
            levels: BTreeSet::new(),
        };
        for (number, shard) in &shards.complete {
            let run = shard.run();
            hosts.levels.insert(run.isolation.level);
            if run.submissions > 0 {
                let model = run.host.as_ref().and_then(|host| host.processor.clone());
                hosts
                    .processors
                    .entry(model.unwrap_or_else(|| "unknown".to_owned()))
                    .or_default()
                    .push(*number);
            }
        }
        hosts
    }

    /// Prints warnings about differences between hosts that affect results.
    fn warn(self, merged: &Merged) {
        let near = &merged.near_limit;
        if self.processors.len() > 1 && !near.is_empty() {
            let each = self
                .processors
                .into_iter()
                .map(|(model, shards)| format!("{model} ({})", format_numbers(shards)));
            note(&format!(
                "shards ran on different processors: {}; {} {} took about as long as the time limit: {}{}",
                each.collect::<Vec<_>>().join(", "),
                near.len(),
                noun(near.len() as u64, "submission", "submissions"),
                near.iter()
                    .take(MAX_NAMED)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(", "),
                if near.len() > MAX_NAMED { ", …" } else { "" },
            ));
        }
        for (language, shards) in &merged.unavailable_languages {
            let shards = format_numbers(shards.iter().copied());
            note(&format!(
                "the hosts of shards {shards} could not judge `{language}`; others could"
            ));
        }
        if self.levels.len() > 1 {
            let levels = quoted(self.levels);
            note(&format!(
                "shards ran at different isolation levels, {levels}; the report names the weakest"
            ));
        }
    }
}
