//! Tests of the page for a browser: its content, and that all of it is only text.

use judge_event::{
    End, Event, Interaction, Message, Party, RunState, SubmissionFinished, TestCaseFinished,
};
use judge_model::{ReportKind, Score, Verdict};
use judge_report::{ReportSettings, render};
use proptest::prelude::*;
use serde_json::Value;

use crate::hostile::{bytes, poisoned};
use crate::stream;

/// The permitted elements of a page.
const ELEMENTS: &str = " html head meta title style body script header h1 h2 h3 span p strong dl div dt dd time main \
    section nav table thead tbody tr th td a ul li details summary pre code br i search label input select option \
    output noscript dialog button figure figcaption svg g line text path wbr sup meter ";
/// Their permitted attributes, none of which runs anything.
const ATTRIBUTES: &str = " lang charset http-equiv content name class id href role title tabindex type for value \
    placeholder autocomplete open datetime colspan scope min max d x x1 x2 y y1 y2 text-anchor viewBox ";

fn page(events: &[Event]) -> String {
    let mut state = RunState::default();
    events.iter().for_each(|event| state.apply(event));
    render(ReportKind::Html, &state, &ReportSettings::default())
}

/// Returns the start tags of a page, unchanged. They are parsed as in a browser: attributes in
/// double quotes follow the name of an element, and scripts and styles are text up to their end.
fn tags(page: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut rest = page
        .strip_prefix("<!DOCTYPE html>")
        .expect("a page begins as one");
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text:?}");
        let mut quoted = false;
        let end = after.find(|c| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let (tag, remaining) = after.split_at(end.expect("a tag ends"));
        rest = &remaining[1..];
        let Some(name) = tag
            .split([' ', '>'])
            .next()
            .filter(|name| !name.starts_with('/'))
        else {
            continue;
        };
        assert!(ELEMENTS.contains(&format!(" {name} ")), "<{tag}>");
        if name == "script" || name == "style" {
            let end = rest
                .to_ascii_lowercase()
                .find(&format!("</{name}"))
                .expect("it ends");
            rest = &rest[end..];
        }
        check_attributes(tag);
        tags.push(tag);
    }
    tags
}

fn check_attributes(tag: &str) {
    let mut outside = true;
    let names: String = tag
        .split('"')
        .map(|part| {
            outside = !outside;
            if outside { "" } else { part }
        })
        .collect();
    for name in names
        .split(' ')
        .skip(1)
        .map(|name| name.trim_end_matches('='))
        .filter(|name| !name.is_empty())
    {
        let known = ATTRIBUTES.contains(&format!(" {name} "))
            || name.starts_with("data-")
            || name.starts_with("aria-");
        assert!(known, "`{name}` in <{tag}>");
    }
    if let Some((_, target)) = tag.split_once("href=\"") {
        assert!(target.starts_with('#'), "<{tag}>");
    }
}

/// Returns the text between two others.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, after) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start:?}"));
    after
        .split_once(end)
        .unwrap_or_else(|| panic!("no {end:?} after {start:?}"))
        .0
}

/// Returns the details of the cells of a problem.
fn details(page: &str, problem: usize) -> Value {
    let start = format!("<script type=\"application/json\" id=\"d{problem}\">");
    serde_json::from_str(between(page, &start, "</script>")).expect("it is JSON")
}

#[test]
fn pages_are_self_contained() {
    let page = page(&stream::everything());
    let tags = tags(&page);
    let count = |start: &str| tags.iter().filter(|tag| tag.starts_with(start)).count();
    // One script runs; the other two are the data of problems.
    assert_eq!(
        (
            count("script"),
            count("script type=\"application/json\""),
            count("style")
        ),
        (3, 2, 1)
    );
    let outside = tags
        .iter()
        .filter(|tag| tag.contains("src=") || tag.contains("://"));
    assert_eq!(outside.count(), 0);
    let policy = between(
        &page,
        "http-equiv=\"Content-Security-Policy\" content=\"",
        "\"",
    );
    assert!(
        policy.starts_with("default-src &#39;none&#39;")
            || policy.starts_with("default-src 'none';"),
        "{policy}"
    );
    assert!(page.is_ascii() || page.contains("<meta charset=\"utf-8\">"));
    assert!(
        page.contains("<title>✗ judge: 2 problems, 4 submissions as expected, 9 not"),
        "{}",
        &page[..600]
    );
}

#[test]
fn the_grid_has_a_row_for_each_submission_and_a_column_for_each_test_case() {
    let page = page(&stream::everything());
    let grid = between(&page, "<table class=\"grid\"", "</table>");
    assert_eq!(grid.matches(" data-row=").count(), 5);
    assert_eq!(grid.matches("<th class=\"case").count(), 3);
    insta::assert_snapshot!(
        "html_row",
        between(grid, " data-row=\"2\">", "</tr>").replace("<td", "\n<td")
    );
    // An expected wrong answer is not a surprise; an unexpected one is.
    assert!(
        !grid.contains("odd") && !grid.contains("data-surprise"),
        "{grid}"
    );
    let (_, after) = page.split_once("id=\"p1\"").unwrap();
    let grid = between(after, "<table class=\"grid\"", "</table>");
    assert_eq!(
        (
            grid.matches(" data-surprise").count(),
            grid.matches("class=\"wa odd\"").count()
        ),
        (10, 1)
    );
}

#[test]
fn cells_have_details() {
    let page = page(&stream::everything());
    let calm = details(&page, 0);
    assert_eq!(
        (&calm["cases"][1], &calm["limit"]),
        (&"secret/01-small".into(), &1_000_000.into())
    );
    assert_eq!(
        calm["inputs"][0]["text"],
        "1\n1 2 3 <4>\n[200 bytes left out]\n5 6\n"
    );
    assert_eq!(
        calm["inputs"][0]["from"],
        serde_json::json!(["input made by", "random --lines 1 <seed>"])
    );
    let plain = calm["rows"][0]["cells"][0].as_object().unwrap();
    assert_eq!(
        plain.keys().collect::<Vec<_>>(),
        ["c", "m", "v", "w"],
        "an accepted run is small"
    );
    let wrong = &calm["rows"][3]["cells"][1];
    assert_eq!(wrong["why"], "wrong answer at line 12, column 3 (token 2)");
    let differing = serde_json::json!([
        true,
        [12, 0, [[false, "5 "], [true, "7"], [false, " 1"]], 0],
        [12, 0, [[false, "5 "], [true, "9"], [false, " 1"]], 0]
    ]);
    assert_eq!(wrong["diff"]["rows"][2], differing);
    assert_eq!(
        calm["rows"][4]["cells"],
        serde_json::json!([null, null, null]),
        "what was skipped has no runs"
    );
    let crash = &details(&page, 1)["rows"][1]["cells"][1];
    assert!(
        crash["stderr"]
            .as_str()
            .unwrap()
            .starts_with("[4,000 bytes left out]\n  1: some::frame"),
        "{crash}"
    );
    assert_eq!(
        (&crash["odd"], &crash["why"]),
        (
            &true.into(),
            &"run time error: SIGABRT (signal 6): aborted, often by a failed assertion or an exception".into()
        )
    );
}

#[test]
fn conversations_have_both_sides_and_groups_have_scores() {
    let mut events = stream::everything();
    let message = |from, text: &str| Message {
        from,
        pass: 1,
        time_us: 700,
        bytes: text.into(),
        left_out: 3,
        after_deadlock: false,
    };
    let messages = vec![
        message(Party::Submission, "<2>\n"),
        message(Party::Validator, "higher\n"),
    ];
    for event in &mut events {
        match event {
            Event::TestCaseFinished(TestCaseFinished { interaction, .. }) => {
                *interaction = Some(Box::new(Interaction {
                    messages: messages.clone(),
                    ..Interaction::default()
                }));
            }
            Event::SubmissionFinished(SubmissionFinished { score, groups, .. }) => {
                *score = Some(Score(40.0));
                *groups = vec![judge_event::GroupFinished {
                    group: "secret/<g>".into(),
                    verdict: Some(Verdict::Accepted),
                    score: Some(Score(40.0)),
                    max_score: Some(Score(60.0)),
                    skipped: None,
                    reason: None,
                }];
            }
            _ => {}
        }
    }
    let page = page(&events);
    let messages = serde_json::json!([[true, 1, 700, "<2>", 3], [false, 1, 700, "higher", 3]]);
    assert_eq!(
        details(&page, 0)["rows"][0]["cells"][0]["talk"]["said"],
        messages
    );
    let scores = between(&page, "Groups and scores", "</table>");
    assert!(
        scores.contains("secret/&lt;g&gt;") && scores.contains(" 40 / 60"),
        "{scores}"
    );
}

/// Markup, scripts and invisible characters become visible text.
#[test]
fn hostile_text_is_not_markup() {
    let hostile = "</script><img src=x onerror=alert(1)>\"'&lt;\u{202e}\0<!--<script>";
    let calm = page(&poisoned(b"x/x", 1, [3, 4, 5]));
    let page = page(&poisoned(hostile.as_bytes(), 1, [3, 4, 5]));
    let names = |page: &str| -> Vec<String> {
        tags(page)
            .into_iter()
            .map(|tag| tag.split(' ').next().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(
        names(&page).len(),
        names(&calm).len(),
        "the same elements for any text"
    );
    let shown = "</script><img src=x onerror=alert(1)>\"'&lt;\\u{202e}\\x00<!--<script>";
    assert_eq!(details(&page, 0)["rows"][0]["name"], shown);
    assert_eq!(
        details(&page, 0)["rows"][0]["cells"][0]["diff"]["rows"][0][1][2][0][1],
        shown
    );
}

#[test]
fn incomplete_runs_are_marked() {
    let mut events = vec![stream::run_started(&[])];
    events.extend(
        stream::calm()
            .into_iter()
            .take_while(|event| !matches!(event, Event::SubmissionFinished(_))),
    );
    events.push(stream::run_finished(End::Interrupted));
    let page = page(&events);
    tags(&page);
    assert!(
        page.contains("<strong>Partial: interrupted.</strong>") && page.contains("<title>✗"),
        "{}",
        &page[..900]
    );
    tags(&self::page(&[]));
}

#[test]
fn cached_results_are_marked() {
    let mut events = stream::everything();
    let calm = page(&events);
    for event in &mut events {
        if let Event::TestCaseFinished(test) = event {
            test.cached = test.test_case == "secret/02-max";
        }
    }
    let page = page(&events);
    let marked = |page: &str| {
        (
            page.matches(" kept\"").count(),
            page.matches("from an earlier run").count(),
        )
    };
    assert_eq!(
        (marked(&calm), marked(&page)),
        ((0, 1), (4, 2)),
        "the script has the words too"
    );
    assert_eq!(details(&page, 0)["rows"][0]["cells"][2]["k"], true);
}

/// Untrusted streams may contain a test case twice, or an unknown one.
#[test]
fn inconsistent_test_cases_are_harmless() {
    let mut events = vec![
        stream::run_started(&[]),
        stream::problem("p", "P", &["a", "a"], &["accepted/x.rs"]),
    ];
    let tests = vec![
        stream::test_case("a", Verdict::Accepted, 1),
        stream::test_case("b", Verdict::Accepted, u64::MAX),
    ];
    events.extend(stream::submission("p", "accepted/x.rs", &[], tests));
    let page = page(&events);
    tags(&page);
    assert_eq!(details(&page, 0)["rows"][0]["cells"][0], Value::Null);
    assert_eq!(details(&page, 0)["rows"][0]["cells"][1]["v"], "AC");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn hostile_bytes_are_neither_markup_nor_invisible(bytes in bytes(), kind in 0usize..8, number in 0u64..300, large: u64) {
        let page = page(&poisoned(&bytes, kind, [number, large, number]));
        tags(&page);
        prop_assert!(details(&page, 0).is_object());
        let raw = page.chars().find(|c| (c.is_control() && *c != '\n') || "\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}".contains(*c));
        prop_assert_eq!(raw, None);
    }
}
