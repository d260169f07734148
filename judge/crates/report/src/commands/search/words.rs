//! The findings of a search in sentences, with the next commands.
//!
//! Responsible for the words that the reports of `judge stress` and of the hunt of `judge mutate`
//! share. Must not know the layout.

use judge_event::{
    Behaviour, Bytes, FoundInput, InputSize, InputTally, KnownRejection, SearchEnd, SearchResult,
    SlowestInput, Smallness,
};
use judge_model::Verdict;

use super::{InputReport, SearchReport};
use crate::text::numbers::{count, counted, noun, plural};

/// The maximum size in bytes of an input that is passed to `judge add` on the command line.
const MAX_TYPED: usize = 300;

impl SearchReport {
    /// Returns the report of a search.
    #[must_use]
    pub fn new(result: &SearchResult) -> Self {
        let found = result.found.iter().map(|found| input_report(result, found));
        let failed = !result.found.is_empty() || !result.rejected_by.is_empty();
        let conclusive = result.end != SearchEnd::Interrupted && result.tally.judged_inputs > 0;
        Self {
            problem: result.problem.clone(),
            headline: headline(result),
            good: (failed || conclusive).then_some(!failed),
            found: found
                .chain(result.slowest.as_ref().map(slowest_input))
                .collect(),
            searched: searched(result),
            known: result.rejected_by.iter().map(already).collect(),
            warnings: result.warnings.clone(),
        }
    }
}

fn headline(result: &SearchResult) -> String {
    let what = &result.finder;
    match result.found.len() {
        0 if result.end == SearchEnd::Interrupted => {
            format!("{what}: none found before it was interrupted")
        }
        0 => format!("{what}: none found"),
        _ => format!("found {what}"),
    }
}

fn input_report(result: &SearchResult, found: &FoundInput) -> InputReport {
    let mut facts = vec![(
        "found".to_owned(),
        format!(
            "input {} ({}), {}",
            found.number,
            size(found.found),
            found.made_by
        ),
    )];
    facts.extend(smaller_call(found));
    facts.push(("input".to_owned(), small_input(found)));
    facts.extend(
        found
            .shown_file
            .iter()
            .map(|file| ("file".to_owned(), file.clone())),
    );
    facts.extend(
        found
            .pictures
            .iter()
            .map(|file| ("picture".to_owned(), file.clone())),
    );
    InputReport {
        did: did(found),
        facts,
        texts: texts(found),
        commands: commands(result, found),
    }
}

/// Returns the behaviour of each submission.
pub(crate) fn did(found: &FoundInput) -> Vec<(String, String)> {
    found
        .seen
        .iter()
        .map(|seen| (seen.submission.clone(), behaviour(seen)))
        .collect()
}

/// Returns the call with the smallest arguments, if it differs from the original call.
pub(crate) fn smaller_call(found: &FoundInput) -> Option<(String, String)> {
    let call = found.call.as_ref().filter(|call| **call != found.made_by)?;
    Some((
        "call".to_owned(),
        format!("{call} ({})", size(found.call_size)),
    ))
}

/// Returns the size of the minimized input, with the result of minimizing.
pub(crate) fn small_input(found: &FoundInput) -> String {
    let state = match found.smallness {
        Smallness::AsFound => "not minimized",
        Smallness::Minimal => "minimal: no line or word can be removed",
        Smallness::NotValidated => {
            "the smallest that the generator made; removing parts needs an input validator"
        }
        Smallness::TimeOver => "not minimal: the time for shrinking ran out",
    };
    format!("{}, {state}", size(InputSize::measure(&found.input.0)))
}

/// Returns the input and its answer.
pub(crate) fn texts(found: &FoundInput) -> Vec<(String, Vec<u8>)> {
    let answer = found
        .answer
        .as_ref()
        .map(|answer| ("answer".to_owned(), answer.0.clone()));
    std::iter::once((String::new(), found.input.0.clone()))
        .chain(answer)
        .collect()
}

/// Returns the command that adds the smallest generator call as a test case.
pub(crate) fn generate_command(
    problem: &str,
    found: &FoundInput,
    rest: &str,
) -> Option<(String, String)> {
    let call = found
        .call
        .as_ref()
        .unwrap_or(&found.made_by)
        .replace('\'', "'\\''");
    let command = || {
        format!(
            "judge add -p {problem} --generate '{call}' --name {}{rest}",
            found.name
        )
    };
    found.is_generated.then(|| ("or".to_owned(), command()))
}

fn slowest_input(slowest: &SlowestInput) -> InputReport {
    let time = slowest.cpu_time_us as f64 / 1e6;
    InputReport {
        did: vec![(slowest.submission.clone(), format!("slowest: {time:.3} s"))],
        facts: vec![(
            "found".to_owned(),
            format!(
                "input {} ({}), {}",
                slowest.number,
                size(slowest.size),
                slowest.made_by
            ),
        )],
        ..InputReport::default()
    }
}

/// Returns the behaviour of a submission, in words.
fn behaviour(seen: &Behaviour) -> String {
    let mut text = seen.verdict.to_string();
    let message = seen.judge_message.to_text();
    let message = message
        .lines()
        .next()
        .filter(|line| !line.trim().is_empty());
    // For WA, `how` is the difference without its numbers.
    if !seen.how.is_empty() && (message.is_none() || seen.verdict != Verdict::WrongAnswer) {
        text.push_str(&format!(": {}", seen.how));
    }
    if let Some(difference) = &seen.difference
        && seen.verdict == Verdict::WrongAnswer
    {
        let word = |bytes: &Bytes| {
            let text = bytes.to_text().into_owned();
            if text.is_empty() {
                "nothing".to_owned()
            } else {
                format!("`{text}`")
            }
        };
        text.push_str(&format!(
            "; line {}: expected {}, found {}",
            difference.answer_position.line,
            word(&difference.expected),
            word(&difference.found)
        ));
    }
    if let Some(line) = message {
        text.push_str(&format!("; {line}"));
    }
    if let Some(reason) = &seen.reason {
        text.push_str(&format!("; {reason}"));
    }
    text
}

/// Returns the commands that add the input as a test case, or that save it.
fn commands(result: &SearchResult, found: &FoundInput) -> Vec<(String, String)> {
    let again = || {
        format!(
            "the same with {} --from {} --inputs 1",
            seed(result),
            found.number
        )
    };
    if !result.in_package {
        let is_saved = found.shown_file.is_some();
        return (!is_saved)
            .then(|| ("save it".to_owned(), format!("{} --save DIR", again())))
            .into_iter()
            .collect();
    }
    let (problem, name) = (&result.problem, &found.name);
    let kills: String = found
        .required
        .iter()
        .map(|id| format!(" --require-kill {id}"))
        .collect();
    let keep = match (&found.shown_file, typed(&found.input.0)) {
        (Some(file), _) => format!("judge add {file} -p {problem} --name {name}{kills}"),
        (None, Some(text)) => {
            format!("printf '{text}' | judge add - -p {problem} --name {name}{kills}")
        }
        (None, None) => format!("{} --add secret/{name}", again()),
    };
    std::iter::once(("add it".to_owned(), keep))
        .chain(generate_command(problem, found, &kills))
        .collect()
}

/// Returns an input as the argument of `printf`, if it is short and plain.
fn typed(input: &[u8]) -> Option<String> {
    let plain =
        |byte: &u8| matches!(byte, b'\n' | b' '..=b'~') && !matches!(byte, b'\'' | b'\\' | b'%');
    let text = std::str::from_utf8(input)
        .ok()
        .filter(|_| input.len() <= MAX_TYPED && input.iter().all(plain))?;
    Some(text.replace('\n', "\\n"))
}

/// Returns the size of an input, in words.
pub(crate) fn size(size: InputSize) -> String {
    let InputSize { bytes, lines } = size;
    format!(
        "{lines} {}, {bytes} {}",
        noun(lines, "line", "lines"),
        noun(bytes, "byte", "bytes")
    )
}

/// Reports that a test case of the package already rejects a submission, so that no further one is
/// needed.
fn already(known: &KnownRejection) -> String {
    format!(
        "`{}` rejects `{}` already ({})",
        known.test_case, known.submission, known.verdict
    )
}

fn searched(result: &SearchResult) -> Vec<(String, String)> {
    let seed = format!(
        "{}; continue with {} --from {}",
        result.seed,
        seed(result),
        result.next
    );
    rows(
        "searched",
        &result.tally,
        result.elapsed_us,
        &result.reference,
        seed,
        result.end,
    )
}

/// Returns the options that reproduce the inputs.
fn seed(result: &SearchResult) -> String {
    let costs: String = result
        .costs
        .iter()
        .map(|costs| format!("/{costs}"))
        .collect();
    format!("--seed {}{costs}", result.seed)
}

/// Returns the facts of a search; `what` is the word for the search.
pub(crate) fn rows(
    what: &str,
    tally: &InputTally,
    elapsed_us: u64,
    reference: &str,
    seed: String,
    end: SearchEnd,
) -> Vec<(String, String)> {
    let mut rows = vec![
        (what.to_owned(), spent(tally, elapsed_us)),
        ("made of".to_owned(), made_of(tally)),
        ("answers".to_owned(), format!("written by {reference}")),
        ("seed".to_owned(), seed),
    ];
    if end == SearchEnd::Interrupted {
        rows.push(("ended".to_owned(), "interrupted".to_owned()));
    }
    rows
}

/// Returns the number of inputs by result, and the time of the search.
fn spent(tally: &InputTally, elapsed_us: u64) -> String {
    let seconds = elapsed_us as f64 / 1e6;
    let rate = tally.inputs as f64 / seconds.max(1e-3);
    let mut words = format!(
        "{} in {seconds:.1} s ({rate:.0}/s): {} judged",
        plural(tally.inputs, "input"),
        count(tally.judged_inputs)
    );
    for (number, what) in [
        (
            tally.repeated,
            noun(tally.repeated, "duplicate", "duplicates"),
        ),
        (tally.invalid, "rejected by the input validators"),
        (
            tally.refused,
            noun(
                tally.refused,
                "call that the generator refused",
                "calls that the generator refused",
            ),
        ),
        (tally.unusable, "not answered by the reference"),
    ] {
        if number > 0 {
            words.push_str(&format!(", {} {what}", count(number)));
        }
    }
    words
}

/// Returns the origins of inputs: the kinds of calls, the number of those that produced a valid
/// input, and the test cases that were changed.
fn made_of(tally: &InputTally) -> String {
    let mut made = Vec::new();
    if tally.kinds > 0 {
        made.push(format!(
            "{} ({} gave valid inputs)",
            counted(
                tally.kinds,
                "kind of generator call",
                "kinds of generator calls"
            ),
            tally.kinds_reached
        ));
    }
    if tally.bases > 0 {
        made.push(counted(
            tally.bases,
            "test case to change",
            "test cases to change",
        ));
    }
    made.join(", ")
}

#[cfg(test)]
mod tests {
    use judge_event::{Difference, DifferenceKind, Position, Window};

    use super::*;
    use crate::text::page::Look;

    fn seen(verdict: Verdict, how: &str) -> Behaviour {
        Behaviour {
            submission: "wrong_answer/x.c".into(),
            verdict,
            how: how.into(),
            difference: None,
            judge_message: Bytes::default(),
            reason: None,
        }
    }

    fn found() -> FoundInput {
        FoundInput {
            number: 7,
            name: "stress-7".into(),
            made_by: "gen 9 'a b'".into(),
            is_generated: true,
            seen: vec![seen(Verdict::WrongAnswer, "output ends early")],
            found: InputSize {
                bytes: 1200,
                lines: 30,
            },
            call: Some("gen 1 'a b'".into()),
            call_size: InputSize { bytes: 1, lines: 1 },
            input: Bytes(b"1\n-1\n".to_vec()),
            answer: Some(Bytes(b"-1\n".to_vec())),
            smallness: Smallness::Minimal,
            required: vec!["wrong_answer/x.c".into()],
            ..FoundInput::default()
        }
    }

    #[test]
    fn one_duplicate_is_not_several() {
        let tally = InputTally {
            inputs: 2,
            judged_inputs: 1,
            repeated: 1,
            ..InputTally::default()
        };
        assert_eq!(
            spent(&tally, 500_000),
            "2 inputs in 0.5 s (4/s): 1 judged, 1 duplicate"
        );
    }

    fn result(found: Vec<FoundInput>) -> SearchResult {
        SearchResult {
            schema: SearchResult::SCHEMA,
            problem: "sum".into(),
            finder: "an input on which `x.c` fails".into(),
            reference: "accepted/a.c".into(),
            submissions: Vec::new(),
            seed: 5,
            costs: None,
            from: 0,
            next: 8,
            end: SearchEnd::Found,
            elapsed_us: 500_000,
            tally: InputTally {
                inputs: 8,
                judged_inputs: 6,
                repeated: 2,
                kinds: 3,
                kinds_reached: 1,
                ..InputTally::default()
            },
            found,
            slowest: None,
            rejected_by: Vec::new(),
            warnings: vec!["a warning".into()],
            is_judge_error: false,
            in_package: true,
        }
    }

    #[test]
    fn found_inputs_are_shown_with_facts_and_a_command_to_add_them() {
        let report = SearchReport::new(&result(vec![found()]));
        insta::assert_snapshot!(report.to_text(Look::default(), false));
        let saved = FoundInput {
            shown_file: Some("found/7.in".into()),
            is_generated: false,
            call: None,
            ..found()
        };
        let [input] = &SearchReport::new(&result(vec![saved])).found[..] else {
            panic!("one was found")
        };
        let keep = "judge add found/7.in -p sum --name stress-7 --require-kill wrong_answer/x.c";
        assert_eq!(input.commands, [("add it".to_owned(), keep.to_owned())]);
        let names: Vec<&str> = input.facts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["found", "input", "file"]);
    }

    #[test]
    fn untypable_calls_are_repeated_by_seed() {
        for input in [
            b"it's\n".to_vec(),
            b"\xff\n".to_vec(),
            b"5 %\n".to_vec(),
            vec![b'1'; MAX_TYPED + 1],
        ] {
            let found = FoundInput {
                input: Bytes(input),
                required: Vec::new(),
                ..found()
            };
            let report = SearchReport::new(&result(vec![found]));
            let (_, keep) = &report.found[0].commands[0];
            assert_eq!(
                keep,
                "the same with --seed 5 --from 7 --inputs 1 --add secret/stress-7"
            );
        }
    }

    #[test]
    fn headlines_depend_on_the_end() {
        let headline = |found| SearchReport::new(&result(found)).headline;
        assert_eq!(
            headline(Vec::new()),
            "an input on which `x.c` fails: none found"
        );
        let slowest = SlowestInput {
            number: 3,
            made_by: "gen 900".into(),
            cpu_time_us: 1_234_567,
            size: InputSize { bytes: 1, lines: 1 },
            submission: "x.c".into(),
        };
        let ended = SearchResult {
            slowest: Some(slowest),
            end: SearchEnd::Interrupted,
            ..result(Vec::new())
        };
        let report = SearchReport::new(&ended);
        assert_eq!(report.good, None);
        assert_eq!(
            report.headline,
            "an input on which `x.c` fails: none found before it was interrupted"
        );
        assert!(report.to_text(Look::default(), true).starts_with("! "));
        let nothing = SearchResult {
            tally: InputTally {
                judged_inputs: 0,
                ..result(Vec::new()).tally
            },
            ..result(Vec::new())
        };
        assert_eq!(SearchReport::new(&nothing).good, None);
        assert_eq!(SearchReport::new(&result(Vec::new())).good, Some(true));
        assert_eq!(
            report.found[0].did,
            [("x.c".to_owned(), "slowest: 1.235 s".to_owned())]
        );
        assert_eq!(
            report.found[0].facts[0].1,
            "input 3 (1 line, 1 byte), gen 900"
        );
        assert_eq!(report.searched.last().unwrap().1, "interrupted");
    }

    #[test]
    fn behaviours_have_the_difference_and_messages() {
        let at = Position {
            line: 2,
            column: 1,
            token: 1,
        };
        let difference = Difference {
            kind: DifferenceKind::Missing,
            answer_position: at,
            output_position: at,
            expected: Bytes(b"5".to_vec()),
            found: Bytes::default(),
            answer_window: Window::default(),
            output_window: Window::default(),
            same_line_count: false,
        };
        let with = |verdict, message: &str| Behaviour {
            difference: Some(difference.clone()),
            judge_message: Bytes(message.as_bytes().to_vec()),
            ..seen(verdict, "")
        };
        assert_eq!(
            behaviour(&with(Verdict::WrongAnswer, "")),
            "WA; line 2: expected `5`, found nothing"
        );
        assert_eq!(
            behaviour(&with(Verdict::TimeLimitExceeded, "late\nmore")),
            "TLE; late"
        );
        let reason = Some("exit code 7".to_owned());
        assert_eq!(
            behaviour(&Behaviour {
                reason,
                ..seen(Verdict::JudgeError, "exit")
            }),
            "JE: exit; exit code 7"
        );
    }

    #[test]
    fn results_of_minimizing_are_described() {
        let words = |smallness| {
            small_input(&FoundInput {
                smallness,
                ..found()
            })
        };
        assert_eq!(words(Smallness::AsFound), "2 lines, 5 bytes, not minimized");
        assert_eq!(
            words(Smallness::NotValidated),
            "2 lines, 5 bytes, the smallest that the generator made; removing parts needs an input validator"
        );
        assert!(
            words(Smallness::TimeOver).ends_with("not minimal: the time for shrinking ran out")
        );
    }
}
