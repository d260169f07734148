//! From a search to what people are told of it.
//!
//! Responsible for the sentences and the commands to go on with. Must not lay anything out, nor run anything.

use std::path::PathBuf;
use std::time::Duration;

use judge_event::Bytes;
use judge_model::Verdict;
use judge_report::{FoundInput, SearchReport};
use judge_strengthening::{
    FailureClass, Finding, Hunt, Origin, Search, SearchEnd, Searched, Seen, SmallFinding, Tally,
};

use crate::commands::stress_sought::{Inputs, Sought};
use crate::config::Config;

/// An input up to this size is given to `judge add` on the command line.
const TYPED: usize = 300;

/// All that is known after a search.
pub(crate) struct Told<'a> {
    pub(crate) sought: &'a Sought,
    pub(crate) inputs: &'a Inputs,
    pub(crate) search: &'a Search<'a>,
    pub(crate) searched: &'a Searched,
    /// As many as there are findings, or none.
    pub(crate) small: &'a [SmallFinding],
    pub(crate) hunt: &'a Hunt<'a>,
}

/// A finding, as small as it is.
pub(crate) struct Found<'a> {
    pub(crate) number: u64,
    pub(crate) input: &'a [u8],
    pub(crate) answer: Option<Vec<u8>>,
    pub(crate) seen: &'a [Seen],
    /// As it was found.
    pub(crate) first: &'a Finding,
    pub(crate) small: Option<&'a SmallFinding>,
}

impl Told<'_> {
    pub(crate) fn found(&self) -> Vec<Found<'_>> {
        let all = self.searched.findings.iter().enumerate();
        all.map(|(index, first)| {
            let small = self.small.get(index);
            let best = small.map_or(first, |small| &small.finding);
            Found {
                number: first.number,
                input: &best.input,
                answer: small.and_then(|small| small.answer.clone()),
                seen: &best.seen,
                first,
                small,
            }
        })
        .collect()
    }

    /// The submissions of the package that an input must be rejected for.
    pub(crate) fn must_be_killed(&self, found: &Found<'_>) -> Vec<String> {
        let failed = found.seen.iter().filter(|seen| seen.class.verdict != Verdict::Accepted);
        let failed = failed.map(|seen| seen.submission);
        let of_package =
            failed.filter(|submission| *submission != self.sought.reference && self.sought.is_of_package(*submission));
        of_package.map(|submission| self.sought.id(submission).to_owned()).collect()
    }

    /// What made an input.
    pub(crate) fn origin(&self, origin: &Origin) -> String {
        self.inputs.told(origin, self.sought.problem())
    }
}

/// The report for people.
pub(crate) fn of(config: &Config, told: &Told<'_>, saved: &[PathBuf]) -> SearchReport {
    let found = told.found();
    let found = found.iter().enumerate().map(|(index, found)| found_input(config, told, found, saved.get(index)));
    let mut found: Vec<FoundInput> = found.collect();
    if let Some(slowest) = &told.searched.slowest {
        found.push(slowest_input(told, slowest));
    }
    SearchReport {
        problem: told.sought.problem().name.clone(),
        sought: sought(told),
        failed: !told.searched.findings.is_empty(),
        found,
        searched: searched(told),
        warnings: warnings(told),
    }
}

fn sought(told: &Told<'_>) -> String {
    let count = told.searched.findings.len();
    let what = &told.sought.told;
    match count {
        0 => format!("{what}: none found"),
        1 => format!("{what}: found"),
        _ => format!("{what}: {count} kinds found"),
    }
}

fn found_input(config: &Config, told: &Told<'_>, found: &Found<'_>, saved: Option<&PathBuf>) -> FoundInput {
    let mut facts = vec![(
        "found".to_owned(),
        format!("input {} ({}), {}", found.number, size(&found.first.input), told.origin(&found.first.origin)),
    )];
    let smaller_call =
        found.small.and_then(|small| small.call.as_ref()).filter(|call| call.origin != found.first.origin);
    if let Some(call) = smaller_call {
        facts.push(("call".to_owned(), format!("{} ({})", told.origin(&call.origin), size(&call.input))));
    }
    let state = smallness(found.small, told.hunt.validates());
    facts.push(("input".to_owned(), format!("{}, {state}", size(found.input))));
    if let Some(path) = saved {
        facts.push(("file".to_owned(), config.told(path)));
    }
    let mut texts = vec![(String::new(), found.input.to_vec())];
    if let Some(answer) = &found.answer {
        texts.push(("answer".to_owned(), answer.clone()));
    }
    FoundInput {
        did: found.seen.iter().map(|seen| (told.sought.id(seen.submission).to_owned(), did(seen))).collect(),
        facts,
        texts,
        commands: commands(config, told, found, saved, smaller_call),
    }
}

/// How small an input has become.
pub(crate) fn smallness(small: Option<&SmallFinding>, is_validated: bool) -> &'static str {
    match small {
        None => "as it was found",
        Some(small) if small.is_minimal => "no single line or word can be taken out",
        Some(_) if !is_validated => "not made smaller: nothing would validate it",
        Some(_) => "time was over before it was as small as it gets",
    }
}

fn slowest_input(told: &Told<'_>, finding: &Finding) -> FoundInput {
    let time = finding.seen.first().map_or(0.0, |seen| seen.tried.outcome.usage.cpu_time.as_secs_f64());
    let submission = finding.seen.first().map_or(0, |seen| seen.submission);
    FoundInput {
        did: vec![(told.sought.id(submission).to_owned(), format!("slowest: {time:.3} s"))],
        facts: vec![(
            "found".to_owned(),
            format!("input {} ({}), {}", finding.number, size(&finding.input), told.origin(&finding.origin)),
        )],
        ..FoundInput::default()
    }
}

/// What a submission did, in words.
pub(crate) fn did(seen: &Seen) -> String {
    let mut text = seen.class.to_string();
    if let Some(difference) = &seen.tried.difference
        && seen.class.verdict == Verdict::WrongAnswer
    {
        let word = |bytes: &Bytes| {
            let text = bytes.to_text().into_owned();
            if text.is_empty() { "nothing".to_owned() } else { format!("`{text}`") }
        };
        text.push_str(&format!(
            "; line {}: expected {}, found {}",
            difference.answer_position.line,
            word(&difference.expected),
            word(&difference.found)
        ));
    }
    let message = seen.tried.judge_message.to_text();
    if let Some(line) = message.lines().next().filter(|line| !line.trim().is_empty()) {
        text.push_str(&format!("; {line}"));
    }
    if let Some(reason) = &seen.tried.reason {
        text.push_str(&format!("; {reason}"));
    }
    text
}

/// The commands that make a test case of it.
fn commands(
    config: &Config,
    told: &Told<'_>,
    found: &Found<'_>,
    saved: Option<&PathBuf>,
    smaller_call: Option<&Finding>,
) -> Vec<(String, String)> {
    let problem = &told.sought.problem().name;
    let kills = told.must_be_killed(found);
    let kills: String = kills.iter().map(|id| format!(" --require-kill {id}")).collect();
    let name = format!("stress-{}", found.number);
    let mut commands = Vec::new();
    let keep = || "keep it".to_owned();
    match (saved, typed(found.input)) {
        (Some(path), _) => {
            commands.push((keep(), format!("judge add {} -p {problem} --name {name}{kills}", config.told(path))));
        }
        (None, Some(text)) => {
            commands.push((keep(), format!("printf '{text}' | judge add - -p {problem} --name {name}{kills}")));
        }
        (None, None) => {
            let again = format!("--seed {} --from {} --inputs 1", told.search.seed, found.number);
            commands.push((keep(), format!("the same with {again} --add secret/{name}")));
        }
    }
    let call = smaller_call.or_else(|| matches!(found.first.origin, Origin::Call { .. }).then_some(found.first));
    if let Some(Finding { origin: Origin::Call { generator, args, .. }, .. }) = call
        && !told.inputs.names.is_empty()
    {
        let command = told.inputs.command(*generator, args).replace('\'', "'\\''");
        commands.push(("or".to_owned(), format!("judge add -p {problem} --generate '{command}' --name {name}{kills}")));
    }
    commands
}

/// An input as the argument of `printf`, when it is short and plain.
fn typed(input: &[u8]) -> Option<String> {
    let plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~') && !matches!(byte, b'\'' | b'\\' | b'%');
    let text = std::str::from_utf8(input).ok().filter(|_| input.len() <= TYPED && input.iter().all(plain))?;
    Some(text.replace('\n', "\\n"))
}

pub(crate) fn size(input: &[u8]) -> String {
    let lines = input.iter().filter(|byte| **byte == b'\n').count() + usize::from(!input.ends_with(b"\n"));
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    format!("{}, {}", plural(if input.is_empty() { 0 } else { lines }, "line"), plural(input.len(), "byte"))
}

fn searched(told: &Told<'_>) -> Vec<(String, String)> {
    let Searched { tally, elapsed, next, end, .. } = told.searched;
    let reference = told.sought.id(told.sought.reference);
    let mut rows = vec![
        ("searched".to_owned(), spent(tally, *elapsed)),
        ("made of".to_owned(), made_of(told.hunt.sources(), tally.templates)),
        ("answers".to_owned(), format!("written by {reference}")),
        ("seed".to_owned(), format!("{}; goes on with --seed {} --from {next}", told.search.seed, told.search.seed)),
    ];
    if *end == SearchEnd::Interrupted {
        rows.push(("ended".to_owned(), "interrupted".to_owned()));
    }
    rows
}

/// What inputs came to, and how long it took.
pub(crate) fn spent(tally: &Tally, elapsed: Duration) -> String {
    let Tally { inputs, failed, repeated, invalid, unusable, judged, .. } = tally;
    let seconds = elapsed.as_secs_f64();
    let rate = *inputs as f64 / seconds.max(1e-3);
    let mut words = format!("{inputs} inputs in {seconds:.1} s ({rate:.0}/s): {judged} judged");
    for (count, what) in [
        (repeated, "came before"),
        (invalid, "rejected by the input validators"),
        (failed, "calls that the generator refused"),
        (unusable, "not answered by the reference"),
    ] {
        if *count > 0 {
            words.push_str(&format!(", {count} {what}"));
        }
    }
    words
}

/// What inputs were made of: so many kinds of calls and test cases, and of how many of the kinds a valid one came.
pub(crate) fn made_of((kinds, bases): (usize, usize), reached: usize) -> String {
    let mut made = Vec::new();
    if kinds > 0 {
        made.push(format!("kinds of calls: {kinds} (valid inputs from {reached})"));
    }
    if bases > 0 {
        made.push(format!("test cases to be changed: {bases}"));
    }
    made.join("; ")
}

pub(crate) fn warnings(told: &Told<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    if !told.hunt.validates() {
        let why = "the package has no input validator that runs: inputs are not validated, test cases are not changed";
        warnings.push(why.to_owned());
    }
    if let Some((finding, tried)) = &told.searched.unusable {
        let reference = told.sought.id(told.sought.reference);
        warnings.push(format!(
            "`{reference}`, which writes the answers, gets {} on some inputs, such as {}",
            FailureClass::of(tried),
            told.origin(&finding.origin)
        ));
    }
    if told.searched.tally.judged == 0 {
        warnings.push("not one input could be judged".to_owned());
    }
    warnings
}
