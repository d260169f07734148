//! Sentences: what a comparison says, in words.
//!
//! Responsible for every sentence about answers, ratios, gates, and how all of it was measured. Pure. Must not lay anything
//! out, nor compute ratios.

use judge_model::{SubmissionIndex, Verdict};

use crate::answers::Class;
use crate::document::{Candidate, CandidateIndex, Compared, Comparison, REFERENCE, Ratio, TimedOn};
use crate::statistics::conclusion::{Conclusion, SIZE, SPEED, Words, conclude, in_words, interval, percent, times};
use crate::statistics::estimate::Estimate;
use crate::statistics::gate::{Bound, Gate, Held, Quantity};
use crate::unlike::DISTURBING;

/// Names of test cases that a sentence lists.
const NAMES: usize = 4;

impl Comparison {
    /// The relation between the answers of a candidate and the reference, in one sentence.
    #[must_use]
    pub fn answers_in_words(&self, candidate: CandidateIndex) -> String {
        let submission = |index: SubmissionIndex| &self.submissions[index.0];
        answers(submission(REFERENCE), submission(candidate.submission()), &self.candidates[candidate.0])
    }

    /// The measures of a candidate, each with its name and what it says.
    #[must_use]
    pub fn measures_in_words(&self, candidate: &Candidate) -> Vec<(&'static str, String)> {
        let method = &self.method;
        let words_of = |estimate: &Estimate, words: Words| {
            in_words(estimate, conclude(estimate, method.margin, method.precision), method.margin, words)
        };
        let ratio = |ratio: &Option<Ratio>, words: Words| ratio.as_ref().map(|of| words_of(&of.estimate, words));
        let untimed = || match candidate.conclusion {
            Some(Conclusion::Undecided { .. }) => "undecided: the budget is too small for these test cases".to_owned(),
            _ => "not compared: no test case on which both are right".to_owned(),
        };
        let several = candidate.timed_on.test_cases.len() > 1;
        let of_several = |ratio: Option<String>| ratio.filter(|_| several);
        let all = [
            ("CPU time", Some(ratio(&candidate.cpu_time, SPEED).unwrap_or_else(untimed))),
            ("slowest", of_several(ratio(&candidate.slowest, SPEED))),
            ("total", of_several(ratio(&candidate.total, SPEED))),
            ("elapsed", ratio(&candidate.wall_time, SPEED)),
            ("memory", ratio(&candidate.memory, SIZE)),
            ("since baseline", candidate.since_baseline.as_ref().map(|change| words_of(change, SPEED))),
        ];
        all.into_iter().filter_map(|(name, words)| Some((name, words?))).collect()
    }

    /// Each bound of a gate for each candidate: whether it is held, and a sentence.
    #[must_use]
    pub fn gates_in_words(&self, gate: &Gate) -> Vec<(bool, String)> {
        let bounds = gate.0.iter();
        bounds.flat_map(|bound| self.candidates.iter().map(move |of| of_bound(bound, of))).collect()
    }

    /// True when every candidate holds every bound.
    #[must_use]
    pub fn holds(&self, gate: &Gate) -> bool {
        let mut bounds = gate.0.iter().flat_map(|bound| self.candidates.iter().map(move |of| bound.held_by(of)));
        bounds.all(|held| held == Held::Yes)
    }

    /// The way it was measured.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let method = &self.method;
        let rounds: usize = self.test_cases.iter().map(|case| case.rounds.len()).sum();
        let spent = method.spent_us as f64 / 1e6;
        let rounds = format!(
            "{} in {spent:.1} s, one program at a time; 95 % intervals; seed {}",
            plural(rounds, "round"),
            method.seed
        );
        self.timed_on().into_iter().chain([rounds]).chain(self.host_effects()).chain([self.starts()]).collect()
    }

    /// The reasons to read the numbers with care.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let short = self.method.budget_needed_us.map(|needed| {
            format!(
                "the budget of {} s has no room for 3 rounds on each test case; `--budget {}` has",
                percent(self.method.budget_us as f64 / 1e8),
                (needed as f64 * 1.1 / 1e6).ceil()
            )
        });
        let dominates = self
            .candidates
            .iter()
            .any(|of| of.timed_on.start_up_dominates && !of.timed_on.test_cases.is_empty())
            .then(|| {
                "no test case takes both several times as long as starting a program: the ratios are mostly of starting"
                    .to_owned()
            });
        short.into_iter().chain(dominates).chain(self.disturbed()).collect()
    }

    /// The warning that other programs kept the host busy, where that matters.
    fn disturbed(&self) -> Option<String> {
        let others = self.method.others_busy.filter(|others| *others >= DISTURBING)?;
        self.host_effects()?;
        Some(format!(
            "other programs kept at least {others:.1} processors busy meanwhile: the ratio of programs in different languages, or \
             of which one needs much more memory, may be another one on a quiet machine"
        ))
    }

    /// The candidates whose intervals allow for other work on the host.
    fn host_effects(&self) -> Option<String> {
        let effect = |of: &Candidate| of.cpu_time.as_ref().and_then(|ratio| ratio.estimate.host_effect);
        let mut unlike: Vec<(f64, Vec<&str>)> = Vec::new();
        for (label, share) in self.candidates.iter().filter_map(|of| Some((of.label.as_str(), effect(of)?))) {
            match unlike.iter_mut().find(|(of, _)| *of == share) {
                Some((_, labels)) => labels.push(label),
                None => unlike.push((share, vec![label])),
            }
        }
        let is_only = self.candidates.len() == 1;
        let allowed = |(share, labels): &(f64, Vec<&str>)| {
            let them = if is_only { String::new() } else { format!(" of {}", labels.join(", ")) };
            format!("{them} allow for {} %", percent(*share))
        };
        let allowed: Vec<String> = unlike.iter().map(allowed).collect();
        let why = "that other work on the host may move them: another language, or much more memory";
        (!allowed.is_empty()).then(|| format!("intervals{} {why}", allowed.join(", and those")))
    }

    /// On which test cases each candidate was timed; once for all where they are the same.
    fn timed_on(&self) -> Vec<String> {
        let total = plural(self.test_cases.len(), "test case");
        let sentence = |of: &TimedOn| {
            let why = match of.start_up_dominates {
                true => "the largest".to_owned(),
                false => format!("on which both take at least {:.1} times as long as starting", of.above_start_up),
            };
            let others = match of.left_out {
                0 => String::new(),
                others => format!("; {} on which they do too left out", plural(others, "test case")),
            };
            format!("timed on {} of {total}, {why}: {}{others}", of.test_cases.len(), listed(&of.test_cases))
        };
        let timed: Vec<&Candidate> = self.candidates.iter().filter(|of| !of.timed_on.test_cases.is_empty()).collect();
        match timed.as_slice() {
            [] => Vec::new(),
            [first, rest @ ..] if rest.iter().all(|of| of.timed_on == first.timed_on) => {
                vec![sentence(&first.timed_on)]
            }
            all => all.iter().map(|of| format!("{} {}", of.label, sentence(&of.timed_on))).collect(),
        }
    }

    /// The time that starting a program takes in each language.
    fn starts(&self) -> String {
        let mut languages: Vec<String> = Vec::new();
        for of in &self.submissions {
            let Some(language) = &of.language else { continue };
            let start = of.start_up_us.map_or_else(
                || format!("{language} not measured"),
                |time| format!("{language} {:.1} ms", time as f64 / 1e3),
            );
            if !languages.contains(&start) {
                languages.push(start);
            }
        }
        let taken_off = if self.method.subtracts_start_up { "; taken off" } else { "" };
        format!("CPU time of a program that does nothing: {}{taken_off}", languages.join(", "))
    }
}

fn plural(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// The first names, and how many more there are.
fn listed(names: &[String]) -> String {
    match names {
        few if few.len() <= NAMES + 1 => few.join(", "),
        many => format!("{} and {} more", many[..NAMES].join(", "), many.len() - NAMES),
    }
}

fn answers(reference_of: &Compared, of: &Compared, candidate: &Candidate) -> String {
    let (reference, label) = (&reference_of.label, &candidate.label);
    if let Some(broken) = [of, reference_of].into_iter().find(|of| of.verdict == Verdict::CompileError) {
        return format!("{} does not compile", broken.label);
    }
    let differences = candidate.classes.iter().filter(|class| class.is_difference()).count();
    let of_class = |class: Class, text: String| {
        let number = candidate.classes.iter().filter(|of| **of == class).count();
        (number > 0).then(|| format!("{text} {number}"))
    };
    let parts = [
        of_class(Class::OnlyReference, format!("only {reference} is right on")),
        of_class(Class::OnlyCandidate, format!("only {label} is right on")),
        of_class(Class::Unsteady, "not right every time on".to_owned()),
        of_class(Class::BothWrong, "both wrong on".to_owned()),
        of_class(Class::DifferentOutputs, "different outputs, both right, on".to_owned()),
        of_class(Class::NotDeterministic, "right, but not the same every time, on".to_owned()),
        of_class(Class::NotRun, "not run on".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let total = plural(candidate.classes.len(), "test case");
    let head = match differences {
        0 => format!("{label} differs from {reference} on none of {total}"),
        some => format!("{label} differs from {reference} on {some} of {total}"),
    };
    if parts.is_empty() { head } else { format!("{head}: {}", parts.join(", ")) }
}

fn of_bound(bound: &Bound, candidate: &Candidate) -> (bool, String) {
    let seen = match bound.estimate_of(candidate) {
        Some(estimate) => format!("{} {}", times(estimate), interval(estimate)),
        None if bound.quantity == Quantity::Baseline => "there is no baseline to hold it against".to_owned(),
        None if candidate.conclusion.is_some() => "not timed often enough".to_owned(),
        None => "nothing was timed".to_owned(),
    };
    let held = bound.held_by(candidate);
    let decision = match held {
        Held::Yes => "held",
        Held::No => "not held",
        Held::Undecided => "undecided, which counts as not held",
    };
    let text = format!("gate {}<={} for {}: {decision}: {seen}", bound.quantity.name(), bound.most, candidate.label);
    (held == Held::Yes, text)
}
