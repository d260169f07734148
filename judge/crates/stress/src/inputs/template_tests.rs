//! Tests of learning templates, parsing them, and drawing arguments.

use super::*;

fn call(text: &str) -> Call {
    Call {
        generator: GeneratorIndex(0),
        args: text.split(' ').map(str::to_owned).collect(),
        settings_case: TestCaseIndex(0),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn drawn(template: &Template, number: u64) -> Vec<Vec<String>> {
    (0..300)
        .map(|salt| template.draw(&mut Random::for_number(salt, number), number))
        .collect()
}

#[test]
fn calls_differing_only_in_numbers_share_a_template() {
    let templates = learn(&[
        call("random 500 1 {seed}"),
        call("random 20 28 {seed:2}"),
        call("pips n=300 {seed}"),
    ]);
    assert_eq!(templates.len(), 2);
    let expected = [
        vec![Piece::Text("random".into())],
        vec![Piece::Number(0, 500)],
        vec![Piece::Number(0, 28)],
        vec![Piece::Seed],
    ];
    assert_eq!(templates[0].args, expected);
    assert_eq!(
        templates[1].args[1],
        [Piece::Text("n=".into()), Piece::Number(0, 300)]
    );
    assert_eq!(templates[1].lower_bounds()[1], Some(("n=".into(), 0)));
    assert_eq!(templates[0].seeds(), [3]);
}

#[test]
fn varying_last_numbers_are_seeds() {
    let calls = [
        call("with 6 wild 6"),
        call("with 6 wild 7"),
        call("long 8 9"),
        call("long 3 10"),
    ];
    let templates = learn(&calls);
    assert!(
        templates
            .iter()
            .all(|template| template.args.last().unwrap().as_slice() == [Piece::Seed])
    );
    // Repeated numbers are not seeds, and neither are numbers next to a seed.
    let calls = [
        call("a 1 4"),
        call("a 5 4"),
        call("a 9 12"),
        call("b {seed} 1"),
        call("b {seed} 2"),
    ];
    assert!(learn(&calls)[0].seeds().is_empty());
    assert_eq!(learn(&calls)[1].seeds(), [1]);
}

#[test]
fn small_arguments_come_before_large_ones() {
    let template = &learn(&[call("random 5000 1 {seed}")])[0];
    let first = |args: &Vec<String>| args[1].parse::<i64>().unwrap();
    let early: Vec<i64> = drawn(template, 0).iter().map(first).collect();
    assert!(
        early.iter().filter(|number| **number <= 4).count() > 200,
        "{early:?}"
    );
    assert!(early.iter().any(|number| *number > 100), "{early:?}");
    let late: Vec<i64> = drawn(template, 4000).iter().map(first).collect();
    assert!(
        late.iter().filter(|number| **number > 1000).count() > 50,
        "{late:?}"
    );
    assert!(
        early
            .iter()
            .chain(&late)
            .all(|number| (0..=5000).contains(number))
    );
}

#[test]
fn the_same_input_number_draws_the_same_call() {
    let template = read(
        GeneratorIndex(0),
        &words("random [1..20] (a|b) {seed}"),
        TestCaseIndex(0),
    )
    .unwrap();
    let draw = |seed| template.draw(&mut Random::for_number(seed, 17), 17);
    assert_eq!(draw(5), draw(5));
    assert!((0..20).any(|seed| draw(seed) != draw(5)));
}

#[test]
fn drawn_arguments_match_the_template() {
    let template = read(
        GeneratorIndex(0),
        &words("x[1..20]y (a|b) [-3..-2] [1..10^2] {seed}z"),
        TestCaseIndex(0),
    )
    .unwrap();
    let all = drawn(&template, 900);
    for args in &all {
        let number: i64 = args[0]
            .strip_prefix('x')
            .unwrap()
            .strip_suffix('y')
            .unwrap()
            .parse()
            .unwrap();
        assert!((1..=20).contains(&number));
        assert!(
            ["a", "b"].contains(&&*args[1]) && ["-3", "-2"].contains(&&*args[2]),
            "{args:?}"
        );
        assert!((1..=100).contains(&args[3].parse::<i64>().unwrap()) && args[4].ends_with('z'));
    }
    for column in 0..4 {
        assert!(
            all.iter().any(|args| args[column] != all[0][column]),
            "{column}"
        );
    }
}

#[test]
fn invalid_templates_are_explained() {
    for (wrong, says) in [
        ("[1..", "is not closed"),
        ("[1-2]", "two whole numbers"),
        ("[5..2]", "smaller number first"),
        ("(a|b", "is not closed"),
        ("[a..N]", "two whole numbers"),
    ] {
        let error = read(GeneratorIndex(0), &words(wrong), TestCaseIndex(0)).unwrap_err();
        assert!(error.contains(says), "{wrong}: {error}");
    }
}
