//! The document of mutation testing.
//!
//! Responsible for the status of a mutant, which is determined by its verdicts and by claims that
//! it is equivalent. Must not run anything.

use std::time::Duration;

use judge_event::{Kill, Method, MutantResult, MutantStatus, Mutation, Score};
use judge_model::{Submission, TestCaseIndex, Verdict, micros};

use crate::equivalents::Equivalent;
use crate::meaning::{Reach, meaning};
use crate::mutants::MutantIndex;
use crate::run::{MutantOutcome, RunOutcome};
use crate::score::count;
use crate::subject::Subject;

/// The reason given for a mutant that is equivalent because it compiles to the same program as the
/// solution.
const SAME_PROGRAM: &str = "the compiled program is the same";

/// Builds the document for a mutated solution.
pub(crate) fn document(
    subject: &Subject<'_>,
    solution: &Submission,
    run: &RunOutcome,
    elapsed: Duration,
) -> Mutation {
    let cases = &subject.timed.problem.test_cases;
    let mutants: Vec<MutantResult> = run
        .outcomes
        .iter()
        .map(|(index, outcome)| result(subject, run, *index, outcome))
        .collect();
    let mut mutation = Mutation {
        mutation_schema: Mutation::SCHEMA,
        judge_version: subject.environment.judge_version.clone(),
        problem: subject.timed.name.clone(),
        solution: solution.id.clone(),
        path: String::new(),
        source: subject.source.to_owned(),
        time_limit_us: micros(subject.timed.time_limit),
        test_cases: cases.iter().map(|case| case.id.clone()).collect(),
        method: Method {
            elapsed_us: micros(elapsed),
            ..run.method.clone()
        },
        contradictions: contradictions(subject, &mutants),
        mutants,
        groups: Vec::new(),
        score: Score::default(),
        hunt: None,
    };
    count(&mut mutation);
    mutation
}

/// The result of one mutant.
fn result(
    subject: &Subject<'_>,
    run: &RunOutcome,
    index: MutantIndex,
    outcome: &MutantOutcome,
) -> MutantResult {
    let cases = &subject.timed.problem.test_cases;
    let names = |indices: &[TestCaseIndex]| {
        indices
            .iter()
            .map(|case| cases[*case].id.clone())
            .collect::<Vec<_>>()
    };
    let mutant = &subject.mutants[index];
    let mut kills: Vec<(TestCaseIndex, Verdict)> = outcome
        .verdicts
        .iter()
        .copied()
        .filter(|(_, verdict)| verdict.is_rejection())
        .collect();
    kills.sort_unstable();
    let argued = subject
        .equivalents
        .iter()
        .find(|argued| argued.mutant == mutant.id);
    let reason = argued
        .map(|argued| argued.reason.clone())
        .or_else(|| run.same.contains(&index).then(|| SAME_PROGRAM.to_owned()));
    let rejected = outcome.rejected
        || outcome
            .verdicts
            .iter()
            .any(|(_, verdict)| *verdict == Verdict::CompileError);
    // A kill outweighs a declared equivalence: the declaration is then wrong, and `contradictions`
    // reports it.
    let status = match (rejected, kills.is_empty(), &reason) {
        (true, ..) => MutantStatus::DoesNotCompile,
        (_, false, _) => MutantStatus::Killed,
        (_, true, Some(_)) => MutantStatus::Equivalent,
        (_, true, None) => MutantStatus::Survived,
    };
    let first = &mutant.edits[0];
    let survived = status == MutantStatus::Survived;
    let reach = Reach::new(
        run.reached[index].as_ref().map(Vec::len),
        run.near[index].len(),
    );
    let means = survived.then(|| meaning(mutant, subject.source, reach));
    MutantResult {
        id: mutant.id.clone(),
        operator: mutant.operator.name().to_owned(),
        function: mutant.function.clone(),
        line: mutant.line as u64,
        was: mutant.was.clone(),
        becomes: first.text.clone(),
        status,
        kills: kills
            .iter()
            .map(|(case, verdict)| Kill {
                test_case: cases[*case].id.clone(),
                verdict: *verdict,
            })
            .collect(),
        reached: run.reached[index].as_deref().map(names),
        near: if survived {
            names(&run.near[index])
        } else {
            Vec::new()
        },
        gap: means.as_ref().map(|(gap, _)| *gap),
        meaning: means.map(|(_, words)| words),
        same_program: status == MutantStatus::Equivalent && argued.is_none(),
        reason: reason.filter(|_| status == MutantStatus::Equivalent),
        source: survived.then(|| mutant.apply(subject.source)),
    }
}

/// Returns messages about mutants that are wrongly declared equivalent: they are killed, do not
/// compile, or do not exist.
fn contradictions(subject: &Subject<'_>, results: &[MutantResult]) -> Vec<String> {
    let wrong = |argued: &Equivalent| {
        let Some(found) = results.iter().find(|result| result.id == argued.mutant) else {
            let mut mutants = subject.mutants.iter();
            // A mutant that exists but has no result did not run, for example because it is not in
            // a sample. That contradicts nothing.
            return (!mutants.any(|mutant| mutant.id == argued.mutant))
                .then(|| "this mutant no longer exists".to_owned());
        };
        match found.status {
            MutantStatus::Killed => {
                let Kill { test_case, verdict } = &found.kills[0];
                Some(format!("`{test_case}` kills it ({})", verdict.code()))
            }
            MutantStatus::DoesNotCompile => Some("does not compile".to_owned()),
            MutantStatus::Equivalent | MutantStatus::Survived => None,
        }
    };
    let message = |argued: &Equivalent| {
        let but = wrong(argued)?;
        let mutant = &argued.mutant;
        Some(format!("`{mutant}` is declared equivalent, but {but}"))
    };
    subject.equivalents.iter().filter_map(message).collect()
}
