//! Shards: runs of which this host judges a part.
//!
//! Responsible for the way from a whole plan to the file of one shard. Must not know who starts shards, nor how a run is
//! put together from them. A run on one machine is the shard 1/1.

mod manifest;
mod shard_emitter;
mod slice;
pub(crate) mod time_limits;

use std::path::Path;
use std::sync::Arc;

use judge_event::{End, Event, RunState, SCHEMA_VERSION, ShardStarted};
use judge_model::{IsolationLevel, SubmissionPlace};
use judge_runner::{Observer as _, Plan};
use judge_sharding::{
    Durations, LocalPackages, Shard, ShardFile, Stored, TakenOver, partition, relocate, replay, there_already,
};

use crate::args::RunArgs;
use crate::commands::judging::Ready;
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::host;
use crate::reporters::{Reporters, Wanted, note};
use crate::sharding::manifest::{manifest, parts};
use crate::sharding::shard_emitter::ShardEmitter;
use crate::sharding::slice::{Places, slice, work_of};

/// The part of a plan that belongs to a shard.
struct Share<'a> {
    shard: Shard,
    whole: &'a Plan,
    /// The cost that each submission of the whole plan is reckoned to have.
    costs: Vec<u64>,
    places: Places,
}

/// Judges one shard of a plan, and leaves its events in the directory.
pub(crate) fn judge_shard(
    config: &Config,
    args: &RunArgs,
    whole: &Plan,
    directory: &Path,
) -> Result<ExitCode, Failure> {
    let share = Share::of(config, args, whole)?;
    let shard = share.shard;
    let directory = config.directory.join(directory);
    let cache = args.sharding.cache.as_ref().map(|cache| config.directory.join(cache));
    let local = cache.as_deref().map(LocalPackages::open).transpose()?;
    let mine = share.plan(&share.places);
    let mut ready = Ready::open(config, args.settings(), &mine.languages())?;
    ready.settings.cache_dir = cache.unwrap_or(ready.settings.cache_dir);
    let header = share.header(config, args, ready.sandbox.isolation().level, local.as_ref())?;
    let reporters = || {
        // What `judge.yaml` names is written once, by `judge merge`.
        let wanted = Wanted::new(&args.judging.reports);
        Reporters::open(config, Wanted { configured: false, ..wanted })
    };
    if let Some(stored) = there_already(&directory, &header)? {
        note(&format!("shard {shard} is there already: {}", config.shown(&stored.path)));
        return replay_into(&stored, reporters()?);
    }
    let taken = TakenOver::find(&directory, &header)?;
    if !taken.submissions.is_empty() {
        let (done, all) = (taken.submissions.len(), share.places.len());
        note(&format!("shard {shard}: {done} of {all} submissions are there from an attempt that did not end"));
    }
    let mut rest = share.plan(&share.places_without(&taken));
    if let Some(local) = &local {
        take_local(&mut rest, local, &header)?;
    }
    let reporters = reporters()?;
    let file = ShardFile::create(&directory, &header)?;
    let partial = file.partial().to_owned();
    let counts = (mine.problems.len() as u64, mine.submissions() as u64);
    let mut emitter = ShardEmitter::new(file, reporters, &taken, counts);
    let end = ready.run(rest, &mut emitter)?;
    let (file, reporters) = emitter.into_parts();
    if end == End::Completed {
        file.finish()?;
        taken.remove_leftovers();
    } else {
        file.leave()?;
        let partial = config.shown(&partial);
        note(&format!("shard {shard} is unfinished: {partial}; the same command goes on there"));
    }
    Ok(code_of(&reporters.finish()?))
}

impl<'a> Share<'a> {
    /// The share of the shard that was typed.
    fn of(config: &Config, args: &RunArgs, whole: &'a Plan) -> Result<Self, Failure> {
        let shard = args.sharding.shard.unwrap_or(Shard::WHOLE);
        time_limits::require(whole, shard)?;
        let durations = args.sharding.durations.as_ref().map(|path| Durations::read(&config.directory.join(path)));
        let (work, all): (Vec<_>, Vec<_>) = work_of(whole).into_iter().unzip();
        let costs = durations.transpose()?.unwrap_or_default().costs(&work);
        let mut shares = partition(&costs, usize::try_from(shard.of).unwrap_or(usize::MAX));
        let mine = shares.swap_remove(usize::try_from(shard.number - 1).unwrap_or(0));
        let places = mine.into_iter().map(|place| all[place]).collect();
        Ok(Self { shard, whole, costs, places })
    }

    /// True when this shard emits what belongs to no submission.
    fn is_first(&self) -> bool {
        self.shard.number == 1
    }

    fn plan(&self, places: &Places) -> Plan {
        slice(self.whole, places, self.is_first())
    }

    fn places_without(&self, taken: &TakenOver) -> Places {
        let is_left = |place: &SubmissionPlace| {
            let planned = &self.whole.problems[place.problem.0];
            let id = planned.problem.submissions[place.submission].id.clone();
            !taken.submissions.contains(&(planned.name.clone(), id))
        };
        self.places.iter().copied().filter(is_left).collect()
    }

    fn header(
        &self,
        config: &Config,
        args: &RunArgs,
        isolation: IsolationLevel,
        local: Option<&LocalPackages>,
    ) -> Result<ShardStarted, Failure> {
        Ok(ShardStarted {
            schema: SCHEMA_VERSION,
            manifest: manifest(config, args, self.whole, &self.costs),
            shard: self.shard.number,
            shards: self.shard.of,
            judge_version: env!("CARGO_PKG_VERSION").to_owned(),
            host: host::description(),
            affinity: host::affinity(),
            isolation,
            problems: self.whole.problems.len() as u64,
            submissions: self.whole.submissions() as u64,
            parts: parts(self.whole, &self.places, self.is_first(), local)?,
        })
    }
}

/// Lets the problems of a plan have their files on this node.
fn take_local(plan: &mut Plan, local: &LocalPackages, header: &ShardStarted) -> Result<(), Failure> {
    for planned in &mut plan.problems {
        let Some(part) = header.parts.iter().find(|part| part.problem == planned.name) else { continue };
        let copy = local.copy_of(&planned.problem.directory, &part.content)?;
        relocate(Arc::make_mut(&mut planned.problem), &copy);
    }
    Ok(())
}

fn replay_into(stored: &Stored, mut reporters: Reporters) -> Result<ExitCode, Failure> {
    replay(stored, &mut |event: &Event| reporters.event(event))?;
    Ok(code_of(&reporters.finish()?))
}

/// The exit code, as of any run. But a shard may be empty, and that is nobody's mistake.
fn code_of(state: &RunState) -> ExitCode {
    match exit_code::of(state) {
        ExitCode::NothingSelected => ExitCode::AsExpected,
        code => code,
    }
}
