//! From a search to what people are told of it.
//!
//! Responsible for the sentences and the commands to go on with. Must not lay anything out, nor run anything.

use std::path::PathBuf;
use std::time::Duration;

use judge_event::Bytes;
use judge_model::Verdict;
use judge_report::{FoundInput, SearchReport};
use judge_stress::{Finding, Found, MinimizedFinding, Origin, SearchEnd, SearchOutcome, Searched, Seen, Tally};

use crate::config::Config;

/// An input up to this size is given to `judge add` on the command line.
const TYPED: usize = 300;

/// The report for people.
pub(crate) fn of(config: &Config, told: &SearchOutcome<'_>, saved: &[PathBuf]) -> SearchReport {
    let found = told.found();
    let found = found.iter().enumerate().map(|(index, found)| found_input(config, told, found, saved.get(index)));
    let mut found: Vec<FoundInput> = found.collect();
    if let Some(slowest) = &told.searched.slowest {
        found.push(slowest_input(told, slowest));
    }
    SearchReport {
        problem: told.target.problem.name.clone(),
        sought: sought(told),
        failed: !told.searched.findings.is_empty(),
        found,
        searched: searched(told),
        warnings: told.warnings(),
    }
}

fn sought(told: &SearchOutcome<'_>) -> String {
    let count = told.searched.findings.len();
    let what = &told.target.words;
    match count {
        0 => format!("{what}: none found"),
        1 => format!("{what}: found"),
        _ => format!("{what}: {count} kinds found"),
    }
}

fn found_input(config: &Config, told: &SearchOutcome<'_>, found: &Found<'_>, saved: Option<&PathBuf>) -> FoundInput {
    let mut facts = vec![(
        "found".to_owned(),
        format!("input {} ({}), {}", found.number, size(&found.first.input), told.origin(&found.first.origin)),
    )];
    let smaller_call =
        found.small.and_then(|small| small.call.as_ref()).filter(|call| call.origin != found.first.origin);
    if let Some(call) = smaller_call {
        facts.push(("call".to_owned(), format!("{} ({})", told.origin(&call.origin), size(&call.input))));
    }
    let state = smallness(found.small, told.is_validated);
    facts.push(("input".to_owned(), format!("{}, {state}", size(found.input))));
    if let Some(path) = saved {
        facts.push(("file".to_owned(), config.told(path)));
    }
    let mut texts = vec![(String::new(), found.input.to_vec())];
    if let Some(answer) = &found.answer {
        texts.push(("answer".to_owned(), answer.clone()));
    }
    FoundInput {
        did: found.seen.iter().map(|seen| (told.target.id(seen.submission).to_owned(), did(seen))).collect(),
        facts,
        texts,
        commands: commands(config, told, found, saved, smaller_call),
    }
}

/// How small an input has become.
pub(crate) fn smallness(small: Option<&MinimizedFinding>, is_validated: bool) -> &'static str {
    match small {
        None => "as it was found",
        Some(small) if small.is_minimal => "no single line or word can be taken out",
        Some(_) if !is_validated => "not made smaller: nothing would validate it",
        Some(_) => "time was over before it was as small as it gets",
    }
}

fn slowest_input(told: &SearchOutcome<'_>, finding: &Finding) -> FoundInput {
    let time = finding.seen.first().map_or(0.0, |seen| seen.tried.outcome.usage.cpu_time.as_secs_f64());
    let submission = finding.seen.first().map_or(0, |seen| seen.submission);
    FoundInput {
        did: vec![(told.target.id(submission).to_owned(), format!("slowest: {time:.3} s"))],
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
    told: &SearchOutcome<'_>,
    found: &Found<'_>,
    saved: Option<&PathBuf>,
    smaller_call: Option<&Finding>,
) -> Vec<(String, String)> {
    let problem = &told.target.problem.name;
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

fn searched(told: &SearchOutcome<'_>) -> Vec<(String, String)> {
    let Searched { tally, elapsed, next, end, .. } = told.searched;
    let reference = told.target.id(told.target.reference);
    let mut rows = vec![
        ("searched".to_owned(), spent(tally, *elapsed)),
        ("made of".to_owned(), made_of(told.sources, tally.templates)),
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
