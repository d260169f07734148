//! Tests of the details on a page.

use super::*;

#[test]
fn embedded_data_cannot_close_elements_and_round_trips() {
    let hostile = "</script><!--<script>&amp;\u{2028}\"";
    let details = Details {
        problem: hostile.to_owned(),
        path: String::new(),
        limit: 1,
        cases: Vec::new(),
        inputs: vec![Some(InputData {
            size: 1,
            text: hostile.to_owned(),
            from: Some(("", hostile.to_owned())),
            file: None,
        })],
        rows: Vec::new(),
    };
    let embedded = embedded(&details);
    assert!(!embedded.contains(['<', '>', '&']), "{embedded}");
    let read: serde_json::Value = serde_json::from_str(&embedded).unwrap();
    assert_eq!(
        (read["problem"].as_str(), read["inputs"][0]["text"].as_str()),
        (Some(hostile), Some(hostile))
    );
}

#[test]
fn origins_of_inputs_are_described() {
    let rendered = [
        "generate random --n 5",
        "copy manual/1.in",
        "same as secret/1",
        "text",
        "hand-written",
        "\u{202e}x",
    ]
    .map(origin)
    .map(|(title, rest)| format!("{title} {rest}"));
    let expected = [
        "input made by random --n 5",
        "input copied from manual/1.in",
        "input the same as secret/1",
        "input written in generators.yaml",
        "input hand-written",
        "input \\u{202e}x",
    ];
    assert_eq!(rendered, expected);
}

#[test]
fn omissions_are_marked_between_both_ends() {
    let excerpt = Excerpt {
        head: "a\tb\n".into(),
        left_out: 1200,
        tail: vec![0xff, b'\n'].into(),
    };
    assert_eq!(lossless(&excerpt), "a\\tb\n[1,200 bytes left out]\n\\xff\n");
    let end = Excerpt {
        head: "".into(),
        ..excerpt.clone()
    };
    assert_eq!(lossless(&end), "[1,200 bytes left out]\n\\xff\n");
    assert_eq!(
        prose_text(&excerpt),
        "a    b\n[1,200 bytes left out]\n\\xff"
    );
}
