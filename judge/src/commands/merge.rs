//! `judge merge`: the shards of a run, reported as one run.
//!
//! Responsible for refusing what is no whole run, and for warning of what makes its times doubtful. Must not know how a
//! run is put together, or told.

use std::path::PathBuf;

use judge_event::Event;
use judge_report::noun;
use judge_runner::Observer as _;
use judge_sharding::{ShardingError, Stored, Survey, compose, format_numbers, survey};

use crate::args::MergeArgs;
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::reporters::{Reporters, Wanted, note};

/// The number of submissions that a warning names.
const NAMED: usize = 5;

pub(crate) fn carry_out(config: &Config, args: &MergeArgs) -> Result<ExitCode, Failure> {
    let survey = look(config, &args.directories)?;
    refuse(&survey, config)?;
    warn(&survey, config);
    let shards: Vec<&Stored> = survey.whole.values().collect();
    let sources: Vec<PathBuf> = shards.iter().map(|shard| shard.path.clone()).collect();
    let mut reporters = Reporters::open(config, Wanted { sources: &sources, ..Wanted::new(&args.reports) })?;
    let composed = compose(&shards, &mut |event: &Event| reporters.event(event));
    composed.map_err(|error| match error {
        ShardingError::Unreadable { .. } => Failure::Shards(error.to_string()),
        other => Failure::Sharding(other),
    })?;
    Ok(exit_code::of(&reporters.finish()?))
}

/// The shards in directories; none at all is an error.
pub(crate) fn look(config: &Config, directories: &[PathBuf]) -> Result<Survey, Failure> {
    let directories: Vec<PathBuf> = directories.iter().map(|directory| config.directory.join(directory)).collect();
    if let Some(missing) = directories.iter().find(|directory| !directory.exists()) {
        return Err(Failure::NothingSelected(format!("there is no directory `{}`", config.shown(missing))));
    }
    let found = survey(&directories)?;
    found.ok_or_else(|| {
        let places: Vec<String> =
            directories.iter().map(|directory| format!("`{}`", config.shown(directory))).collect();
        let text = format!("there is no shard in {}", places.join(", "));
        let hint = "hint: `judge run --shard K/N --events DIR` writes one, as `shard-K-of-N.jsonl`";
        Failure::NothingSelected(format!("{text}\n{hint}"))
    })
}

/// The missing shards of which a part is there, a line each.
fn unfinished(survey: &Survey, config: &Config) -> Vec<String> {
    let line = |file: &judge_sharding::Unfinished| {
        let (shard, done, total, host) = (file.shard, file.done, file.total, &file.host);
        let path = config.shown(&file.path);
        format!("shard {shard} is unfinished: {done} of {total} submissions, on `{host}` (`{path}`)")
    };
    survey.unfinished.iter().map(line).collect()
}

fn refuse(survey: &Survey, config: &Config) -> Result<(), Failure> {
    let mut lines: Vec<String> = survey.faults.iter().map(ToString::to_string).collect();
    let missing = survey.missing();
    if !missing.is_empty() {
        let (number, of) = (missing.len(), survey.of);
        let are = noun(of, "shard is", if number == 1 { "shards is" } else { "shards are" });
        lines.push(format!("{number} of {of} {are} missing: {}", format_numbers(missing)));
        lines.extend(unfinished(survey, config));
        lines.push(
            "hint: run them again, such as with `--array=$(judge missing DIR)`; what is unfinished is gone on with"
                .to_owned(),
        );
    }
    if lines.is_empty() { Ok(()) } else { Err(Failure::Shards(lines.join("\n"))) }
}

/// Prints warnings: what is no fault, but makes results depend on where they came from.
fn warn(survey: &Survey, config: &Config) {
    for (shard, path) in &survey.doubled {
        note(&format!("shard {shard} is there twice, with the same verdicts; not counted: {}", config.shown(path)));
    }
    let processors = survey.processors();
    let near = survey.near_limit();
    if processors.len() > 1 && !near.is_empty() {
        let each = processors.into_iter().map(|(model, shards)| format!("{model} ({})", format_numbers(shards)));
        let each: Vec<String> = each.collect();
        let more = if near.len() > NAMED { ", …" } else { "" };
        note(&format!(
            "shards ran on different processors: {}; {} {} took about as long as the time limit, where that decides: {}{more}",
            each.join(", "),
            near.len(),
            noun(near.len() as u64, "submission", "submissions"),
            near.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "),
        ));
    }
    for (language, shards) in survey.languages_lacking() {
        note(&format!("the hosts of shards {} could not judge `{language}`; others could", format_numbers(shards)));
    }
    let levels: Vec<String> = survey.levels().iter().map(|level| format!("`{level}`")).collect();
    if levels.len() > 1 {
        note(&format!("shards ran at different isolation levels, {}; the report tells the weakest", levels.join(", ")));
    }
}
