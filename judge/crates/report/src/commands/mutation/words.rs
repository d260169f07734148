//! The results of mutation testing and of a hunt in sentences, with the next commands.
//!
//! Responsible for the words. Must not know the layout.

use std::collections::BTreeMap;

use judge_event::{FoundInput, Hunted, MutantResult, MutantStatus, Mutation, SearchEnd, Totals};

use super::MutationReport;
use crate::commands::search::InputReport;
use crate::commands::search::words::{
    did, generate_command, rows, size, small_input, smaller_call, texts,
};

use crate::text::numbers::{count, plural};

impl MutationReport {
    /// Returns the report of mutation testing, and of a hunt for survivors if there was one.
    /// `min_score` is the requested minimum, in percent.
    #[must_use]
    pub fn new(mutation: Mutation, hunted: Option<&Hunted>, min_score: Option<f64>) -> Self {
        let fates = hunted.iter().flat_map(|hunted| {
            let fate = move |mutant: &MutantResult| (mutant.id.clone(), fate(hunted, &mutant.id));
            mutation.survivors().map(fate)
        });
        let warnings = hunted.iter().flat_map(|hunted| &hunted.result.warnings);
        Self {
            operators: operators(&mutation),
            fates: fates.collect(),
            found: hunted.map(inputs).unwrap_or_default(),
            searched: hunted
                .map(|hunted| searched(hunted, &mutation.solution))
                .unwrap_or_default(),
            notes: notes(&mutation, hunted),
            warnings: mutation
                .contradictions
                .iter()
                .chain(warnings)
                .cloned()
                .collect(),
            min_score,
            mutation,
        }
    }

    /// The result of which this is the report.
    #[must_use]
    pub fn mutation(&self) -> &Mutation {
        &self.mutation
    }
}

/// Returns the totals of each kind of mistake.
fn operators(mutation: &Mutation) -> Vec<(String, Totals)> {
    let mut found: BTreeMap<&str, Totals> = BTreeMap::new();
    for mutant in &mutation.mutants {
        let killed = u64::from(mutant.status == MutantStatus::Killed);
        if killed > 0 || mutant.status == MutantStatus::Survived {
            let totals = found.entry(&mutant.operator).or_default();
            totals.killed += killed;
            totals.of += 1;
        }
    }
    found
        .into_iter()
        .map(|(name, totals)| (name.to_owned(), totals))
        .collect()
}

fn notes(mutation: &Mutation, hunted: Option<&Hunted>) -> Vec<String> {
    let method = &mutation.method;
    let sample = method.seed.map(|seed| {
        format!(
            "a sample of {} of {} mutants, drawn with seed {seed}",
            mutation.mutants.len(),
            method.possible
        )
    });
    let runs = format!(
        "{} of {} compiled together and {} apart; {} cached, {} left out because the mistake could not matter \
        there",
        plural(method.runs, "run"),
        plural(method.together, "mutant"),
        count(method.apart),
        plural(method.known, "result"),
        plural(method.left_out, "run")
    );
    // The name of a solution works everywhere in the workspace. Other characters would need quotes,
    // which depend on the unknown shell.
    let is_plain = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte))
    };
    let named = format!("{}/{}", mutation.problem, mutation.solution);
    let subject = if mutation.path.starts_with('/') {
        &mutation.path
    } else {
        &named
    };
    let hunt = (mutation.score.survived > 0 && hunted.is_none() && is_plain(subject)).then(|| {
        format!("hint: `judge mutate {subject} --hunt=5` looks for inputs that kill the survivors, 5 s for each")
    });
    let is_killed = |id: &str| {
        hunted.is_some_and(|hunted| {
            hunted
                .found
                .iter()
                .any(|found| found.seen.iter().any(|seen| seen.submission == id))
        })
    };
    let argue = mutation.survivors().find(|survivor| !is_killed(&survivor.id)).map(|survivor| {
        format!(
            "hint: a survivor that is equivalent to the solution no longer counts after a line in `equivalent_mutants.txt` \
             of the package: `{} {}: REASON`",
            mutation.solution, survivor.id
        )
    });
    sample
        .into_iter()
        .chain([runs])
        .chain(hunt)
        .chain(argue)
        .collect()
}

/// Returns the fate of a survivor.
fn fate(hunted: &Hunted, mutant: &str) -> String {
    if let Some((_, why)) = hunted.not_ready.iter().find(|(id, _)| id == mutant) {
        return format!("no search: {why}");
    }
    for (number, found) in (1..).zip(&hunted.found) {
        if let Some(seen) = found.seen.iter().find(|seen| seen.submission == mutant) {
            let how = if seen.how.is_empty() {
                String::new()
            } else {
                format!(": {}", seen.how)
            };
            return format!("killed by input {number} below: {}{how}", seen.verdict);
        }
    }
    let tried = plural(hunted.result.tally.judged_inputs, "input");
    match hunted.result.end {
        SearchEnd::Interrupted => {
            format!("not killed by any of {tried} until the hunt was interrupted")
        }
        _ if hunted.result.tally.judged_inputs == 0 => {
            "no search: none of the inputs could be judged".to_owned()
        }
        _ => format!("likely equivalent: it was correct on all {tried}"),
    }
}

fn inputs(hunted: &Hunted) -> Vec<InputReport> {
    (1..)
        .zip(&hunted.found)
        .map(|(number, found)| input(hunted, number, found))
        .collect()
}

fn input(hunted: &Hunted, number: usize, found: &FoundInput) -> InputReport {
    let Hunted {
        problem, result, ..
    } = hunted;
    let seed = result.seed;
    let origin = format!(
        "input {} of seed {seed} ({}), {}",
        found.number,
        size(found.found),
        found.made_by
    );
    let mut facts = vec![
        (format!("input {number}"), small_input(found)),
        ("found".to_owned(), origin),
    ];
    facts.extend(smaller_call(found));
    facts.extend(
        found
            .shown_file
            .iter()
            .map(|file| ("file".to_owned(), file.clone())),
    );
    let keep = |file: &String| {
        (
            "add it".to_owned(),
            format!("judge add {file} -p {problem}"),
        )
    };
    let commands = found
        .shown_file
        .iter()
        .map(keep)
        .chain(generate_command(problem, found, ""));
    InputReport {
        did: did(found),
        facts,
        texts: texts(found),
        commands: commands.collect(),
    }
}

fn searched(hunted: &Hunted, solution: &str) -> Vec<(String, String)> {
    let result = &hunted.result;
    if !hunted.is_searched {
        return Vec::new();
    }
    let (seed, next) = (result.seed, result.seed.wrapping_add(1));
    let seed = format!("{seed}; other inputs with another one, such as --seed {next}");
    rows(
        "hunted",
        &result.tally,
        result.elapsed_us,
        solution,
        seed,
        result.end,
    )
}

#[cfg(test)]
mod tests {
    use judge_event::{
        Behaviour, Bytes, GroupScore, HuntResult, InputTally, Method, Score, Smallness,
    };
    use judge_model::Verdict;

    use super::*;

    fn mutant(id: &str, operator: &str, status: MutantStatus) -> MutantResult {
        MutantResult {
            id: id.into(),
            operator: operator.into(),
            function: "f".into(),
            line: 1,
            was: "1".into(),
            becomes: "2".into(),
            status,
            source: (status == MutantStatus::Survived)
                .then(|| "fn f() -> u32 {\n    2\n}\n".into()),
            ..MutantResult::default()
        }
    }

    fn mutation() -> Mutation {
        Mutation {
            problem: "sum".into(),
            solution: "accepted/a.rs".into(),
            source: "fn f() -> u32 {\n    1\n}\n".into(),
            method: Method {
                runs: 9,
                together: 3,
                known: 1,
                seed: Some(4),
                possible: 20,
                ..Method::default()
            },
            mutants: vec![
                mutant("m1", "number", MutantStatus::Survived),
                mutant("m2", "number", MutantStatus::Killed),
                mutant("m3", "jump", MutantStatus::DoesNotCompile),
            ],
            groups: vec![GroupScore {
                group: "secret".into(),
                test_cases: 1,
                totals: Totals { killed: 1, of: 2 },
            }],
            score: Score {
                totals: Totals { killed: 1, of: 2 },
                survived: 1,
                equivalent: 0,
                same_program: 0,
                does_not_compile: 1,
                interval: None,
            },
            contradictions: vec!["wrong".into()],
            ..Mutation::default()
        }
    }

    fn hunted() -> Hunted {
        let seen = Behaviour {
            submission: "m1".into(),
            verdict: Verdict::RunTimeError,
            how: "exit code 101".into(),
            difference: None,
            judge_message: Bytes::default(),
            reason: None,
        };
        let found = FoundInput {
            number: 7,
            name: "mutant-m1".into(),
            made_by: "gen 9".into(),
            is_generated: true,
            seen: vec![seen],
            input: Bytes(b"1\n".to_vec()),
            smallness: Smallness::Minimal,
            shown_file: Some("judge-hunt/sum/mutant-m1.in".into()),
            ..FoundInput::default()
        };
        let tally = InputTally {
            inputs: 12,
            judged_inputs: 10,
            kinds: 1,
            kinds_reached: 1,
            bases: 2,
            ..InputTally::default()
        };
        Hunted {
            problem: "sum".into(),
            result: HuntResult {
                seed: 5,
                tally,
                warnings: vec!["late".into()],
                ..HuntResult::default()
            },
            found: vec![found],
            not_ready: vec![("m9".into(), "it does not compile".into())],
            is_searched: true,
            is_judge_error: false,
        }
    }

    #[test]
    fn hunts_are_rendered_with_the_next_steps() {
        let report = MutationReport::new(mutation(), Some(&hunted()), Some(60.0));
        insta::assert_snapshot!(report.to_text(crate::Look::default(), false));
        let totals = Totals { killed: 1, of: 2 };
        assert_eq!(report.operators, [("number".to_owned(), totals)]);
        assert!(!report.is_enough());
    }

    #[test]
    fn fates_of_survivors_are_described() {
        let hunted = hunted();
        assert_eq!(
            fate(&hunted, "m1"),
            "killed by input 1 below: RTE: exit code 101"
        );
        assert_eq!(fate(&hunted, "m9"), "no search: it does not compile");
        assert_eq!(
            fate(&hunted, "m2"),
            "likely equivalent: it was correct on all 10 inputs"
        );
        let with = |end, judged_inputs| {
            let mut hunted = hunted.clone();
            hunted.result = HuntResult {
                end,
                tally: InputTally {
                    judged_inputs,
                    ..InputTally::default()
                },
                ..hunted.result
            };
            fate(&hunted, "m2")
        };
        assert_eq!(
            with(SearchEnd::Interrupted, 4),
            "not killed by any of 4 inputs until the hunt was interrupted"
        );
        assert_eq!(
            with(SearchEnd::Time, 0),
            "no search: none of the inputs could be judged"
        );
    }

    #[test]
    fn hints_name_the_file_of_equivalent_mutants() {
        let argued = |hunted: Option<&Hunted>| {
            let notes = MutationReport::new(mutation(), hunted, None).notes;
            notes
                .into_iter()
                .find(|note| note.contains("`equivalent_mutants.txt`"))
        };
        let survivors: Vec<String> = mutation()
            .survivors()
            .map(|mutant| mutant.id.clone())
            .collect();
        assert!(
            argued(None)
                .unwrap()
                .contains(&format!("`accepted/a.rs {}: REASON`", survivors[0]))
        );
        // A survivor that a found input kills is not equivalent.
        let mut all = hunted();
        let kill = |id: &String| Behaviour {
            submission: id.clone(),
            ..all.found[0].seen[0].clone()
        };
        let kills = survivors.iter().map(kill).collect();
        all.found[0].seen = kills;
        assert_eq!(argued(Some(&all)), None);
    }

    #[test]
    fn reports_without_a_hunt_do_not_mention_one() {
        let report = MutationReport::new(mutation(), None, None);
        assert!(report.found.is_empty() && report.searched.is_empty() && report.fates.is_empty());
        assert_eq!(
            (report.notes.len(), report.warnings.as_slice()),
            (4, &["wrong".to_owned()][..])
        );
        let hint = |mutation: Mutation| {
            MutationReport::new(mutation, None, None)
                .notes
                .get(2)
                .cloned()
        };
        let hunt = |what: &str| {
            format!(
                "hint: `judge mutate {what} --hunt=5` looks for inputs that kill the survivors, 5 s for each"
            )
        };
        assert_eq!(hint(mutation()), Some(hunt("sum/accepted/a.rs")));
        let outside = Mutation {
            path: "/p/sum/submissions/accepted/a.rs".into(),
            ..mutation()
        };
        assert_eq!(
            hint(outside),
            Some(hunt("/p/sum/submissions/accepted/a.rs"))
        );
        let unquoted = hint(Mutation {
            solution: "accepted/a b.rs".into(),
            ..mutation()
        });
        assert!(!unquoted.unwrap_or_default().contains("--hunt"));
        let unsearched = Hunted {
            is_searched: false,
            found: Vec::new(),
            ..hunted()
        };
        assert!(
            MutationReport::new(mutation(), Some(&unsearched), None)
                .searched
                .is_empty()
        );
    }
}
