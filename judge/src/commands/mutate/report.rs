//! From mutation testing and a hunt to what people are told of it.
//!
//! Responsible for the sentences and the commands to go on with. Must not lay anything out, nor run anything.

use std::collections::BTreeMap;

use judge_mutation::{HuntEnd, MutantResult, Mutation, Status};
use judge_report::{FoundInput, MutationReport, SurvivorReport};
use judge_stress::{Killer, Origin};

use crate::args::MutateArgs;
use crate::commands::mutate::hunt::Hunted;
use crate::commands::stress::report::{did, made_of, size, smallness, spent};
use crate::config::Config;

/// The report of a problem.
pub(crate) fn report(
    config: &Config,
    args: &MutateArgs,
    mutation: &Mutation,
    hunted: Option<&Hunted<'_>>,
) -> MutationReport {
    let survivor = |mutant: &MutantResult| SurvivorReport {
        id: mutant.id.clone(),
        operator: mutant.operator.clone(),
        function: mutant.function.clone(),
        line: mutant.line,
        source: mutant.source.clone().unwrap_or_default(),
        reached: mutant.reached.clone(),
        hunted: hunted.map(|hunted| vec![fate(hunted, &mutant.id)]).unwrap_or_default(),
    };
    let warnings = hunted.iter().flat_map(|hunted| &hunted.result.warnings);
    let found = hunted.iter().flat_map(|hunted| (0..hunted.killers.len()).map(|index| found(config, hunted, index)));
    MutationReport {
        problem: mutation.problem.clone(),
        solution: mutation.solution.clone(),
        source: mutation.source.clone(),
        killed: mutation.score.totals.killed,
        of: mutation.score.totals.of,
        equivalent: mutation.score.equivalent,
        does_not_compile: mutation.score.does_not_compile,
        groups: mutation.groups.iter().map(|group| (group.group.clone(), group.totals.killed)).collect(),
        operators: operators(mutation),
        survivors: mutation.survivors().map(survivor).collect(),
        found: found.collect(),
        searched: hunted.map(|hunted| searched(hunted, &mutation.solution)).unwrap_or_default(),
        notes: notes(mutation),
        warnings: mutation.contradictions.iter().chain(warnings).cloned().collect(),
        elapsed_us: mutation.method.elapsed_us,
        least: args.min_score,
    }
}

/// Of each kind of mistake, how many were killed, and how many could have been.
fn operators(mutation: &Mutation) -> Vec<(String, u64, u64)> {
    let mut found: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for mutant in &mutation.mutants {
        let killed = u64::from(mutant.status == Status::Killed);
        if killed > 0 || mutant.status == Status::Survived {
            let (dead, of) = found.entry(&mutant.operator).or_default();
            *dead += killed;
            *of += 1;
        }
    }
    found.into_iter().map(|(name, (killed, of))| (name.to_owned(), killed, of)).collect()
}

fn notes(mutation: &Mutation) -> Vec<String> {
    let method = &mutation.method;
    let sample = method.seed.map(|seed| {
        format!("a sample of {} of {} mutants, drawn with seed {seed}", mutation.mutants.len(), method.possible)
    });
    let runs = format!(
        "{} runs of {} mutants compiled together and {} apart; {} results known from before, {} runs left out because the \
        mistake could not matter there",
        method.runs, method.together, method.apart, method.known, method.left_out
    );
    sample.into_iter().chain([runs]).collect()
}

/// What has become of a survivor.
fn fate(hunted: &Hunted<'_>, mutant: &str) -> String {
    if let Some((_, why)) = hunted.not_ready.iter().find(|(id, _)| id == mutant) {
        return format!("not hunted: {why}");
    }
    let killed = |killer: &&Killer| killer.small.finding.seen.iter().any(|seen| hunted.id(seen.submission) == mutant);
    if let Some(index) = hunted.killers.iter().position(|killer| killed(&killer)) {
        let seen = hunted.killers[index].small.finding.seen.iter().find(|seen| hunted.id(seen.submission) == mutant);
        return format!(
            "killed by input {} below: {}",
            index + 1,
            seen.map_or(String::new(), |seen| seen.class.to_string())
        );
    }
    let judged = hunted.result.judged;
    match hunted.result.end {
        HuntEnd::Interrupted => format!("not killed by any of {judged} inputs until the hunt was interrupted"),
        _ if judged == 0 => "not hunted: not one input could be judged".to_owned(),
        _ => format!("likely equivalent: it did what is right on each of {judged} inputs"),
    }
}

fn found(config: &Config, hunted: &Hunted<'_>, index: usize) -> FoundInput {
    let Killer { first, small } = &hunted.killers[index];
    let told = |origin: &Origin| hunted.inputs.describe(origin, hunted.problem);
    let input = &small.finding.input;
    let mut facts = vec![(
        format!("input {}", index + 1),
        format!("{}, {}", size(input), smallness(Some(small), hunted.is_validated)),
    )];
    facts.push((
        "found".to_owned(),
        format!(
            "input {} of seed {} ({}), {}",
            first.number,
            hunted.result.seed,
            size(&first.input),
            told(&first.origin)
        ),
    ));
    let smaller = small.call.as_ref().filter(|call| call.origin != first.origin);
    if let Some(call) = smaller {
        facts.push(("call".to_owned(), format!("{} ({})", told(&call.origin), size(&call.input))));
    }
    let problem = &hunted.problem.name;
    let mut commands = Vec::new();
    if let Some(file) = hunted.files.get(index) {
        facts.push(("file".to_owned(), config.told(file)));
        commands.push(("keep it".to_owned(), format!("judge add {} -p {problem}", config.told(file))));
    }
    if let Origin::Call { .. } = first.origin {
        let call = told(&smaller.unwrap_or(first).origin).replace('\'', "'\\''");
        let name = hunted.name(index);
        commands.push(("or".to_owned(), format!("judge add -p {problem} --generate '{call}' --name {name}")));
    }
    let texts = [(String::new(), input.clone())];
    let answer = small.answer.clone().map(|answer| ("answer".to_owned(), answer));
    FoundInput {
        did: small.finding.seen.iter().map(|seen| (hunted.id(seen.submission).to_owned(), did(seen))).collect(),
        facts,
        texts: texts.into_iter().chain(answer).collect(),
        commands,
    }
}

fn searched(hunted: &Hunted<'_>, solution: &str) -> Vec<(String, String)> {
    let Some(swept) = &hunted.swept else { return Vec::new() };
    let seed = hunted.result.seed;
    let mut rows = vec![
        ("hunted".to_owned(), spent(&swept.tally, swept.elapsed)),
        ("made of".to_owned(), made_of(hunted.sources, swept.tally.templates)),
        ("answers".to_owned(), format!("written by {solution}")),
        ("seed".to_owned(), format!("{seed}; other inputs with another one, such as --seed {}", seed.wrapping_add(1))),
    ];
    if hunted.result.end == HuntEnd::Interrupted {
        rows.push(("ended".to_owned(), "interrupted".to_owned()));
    }
    rows
}
