//! Tests of the YAML tree: values, positions, and that nothing makes it panic.

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Result<Document, Finding> {
    Document::parse(Path::new("/x.yaml"), text.as_bytes().to_vec())
}

fn line(node: &Node<'_>) -> u32 {
    node.position().unwrap().line
}

fn find<'d>(node: &Node<'d>, name: &str) -> Entry<'d> {
    node.entries()
        .unwrap()
        .into_iter()
        .find(|entry| entry.name == name)
        .unwrap()
}

#[test]
fn deep_nesting_is_refused_before_it_costs_anything() {
    let refused = |text: String| {
        Document::parse(Path::new("/x"), text.into_bytes())
            .unwrap_err()
            .to_string()
    };
    for text in [
        "[".repeat(300_000),
        "- ".repeat(300_000),
        "{a: ".repeat(100_000),
        "? ".repeat(100_000),
    ] {
        assert_eq!(
            refused(format!("a: 1\nb:\n {text}")),
            "/x:3: expected at most 500 nested lists and mappings"
        );
    }
}

#[test]
fn all_kinds_of_values_are_parsed() {
    let document =
        parse("{a: 1, b: -2, c: 1.5, d: yes, e: true, f: ~, g: [x], 7: {}, h: 2025-09}").unwrap();
    let values: Vec<_> = document
        .root()
        .entries()
        .unwrap()
        .iter()
        .map(|e| (e.name.clone(), e.value.value()))
        .collect();
    assert_eq!(
        values,
        [
            ("a".to_owned(), &Value::Integer(1)),
            ("b".to_owned(), &Value::Integer(-2)),
            ("c".to_owned(), &Value::Float(1.5)),
            ("d".to_owned(), &Value::Text("yes".to_owned())),
            ("e".to_owned(), &Value::Bool(true)),
            ("f".to_owned(), &Value::Null),
            (
                "g".to_owned(),
                &Value::List(vec![Value::Text("x".to_owned())])
            ),
            ("7".to_owned(), &Value::Map(vec![])),
            ("h".to_owned(), &Value::Text("2025-09".to_owned())),
        ]
    );
}

#[test]
fn empty_documents_are_null() {
    for text in [
        "",
        "\n\n",
        "# only a comment\n",
        "---\n",
        "---\n# x\n",
        "\u{feff}",
        "null",
    ] {
        assert_eq!(parse(text).unwrap().root, Value::Null, "{text:?}");
    }
}

#[test]
fn block_style_values_have_positions() {
    let text = "# comment\nname: x\nlimits:\n  # inner\n  memory: 5\n  time_multipliers:\n    a: 1\nkeywords:\n- one\n- two\n\
                text: |\n  long\n  text\nlast: 1\n";
    let document = parse(text).unwrap();
    let root = document.root();
    assert_eq!(line(&find(&root, "name").value), 2);
    let limits = find(&root, "limits");
    assert_eq!(line(&limits.key), 3);
    assert_eq!(line(&find(&limits.value, "memory").key), 5);
    assert_eq!(
        find(&limits.value, "memory").value.position(),
        Some(Position {
            line: 5,
            column: 11
        })
    );
    assert_eq!(
        line(&find(&find(&limits.value, "time_multipliers").value, "a").value),
        7
    );
    assert_eq!(line(&find(&root, "keywords").value.items().unwrap()[1]), 10);
    assert_eq!(line(&find(&root, "last").key), 14);
    assert_eq!(
        find(&find(&limits.value, "time_multipliers").value, "a")
            .value
            .key_path(),
        "limits.time_multipliers.a"
    );
}

#[test]
fn flow_style_and_anchored_values_have_positions() {
    let text = "a: {b: 1,\n  c: [x,\n y]}\nd: &d {e: 1}\nf: {g: *d, h: 2}\n\"q\": 'z'\n";
    let document = parse(text).unwrap();
    let a = find(&document.root(), "a").value;
    assert_eq!(
        find(&a, "c").key.position(),
        Some(Position { line: 2, column: 3 })
    );
    assert_eq!(line(&find(&a, "c").value.items().unwrap()[1]), 3);
    assert_eq!(
        find(&find(&document.root(), "f").value, "h").key.position(),
        Some(Position {
            line: 5,
            column: 12
        })
    );
    assert_eq!(line(&find(&document.root(), "q").value), 6);
}

#[test]
fn duplicate_keys_are_kept_with_their_lines() {
    let document = parse("a: 1\nb: 2\na: 3\n").unwrap();
    let lines: Vec<_> = document
        .root()
        .entries()
        .unwrap()
        .iter()
        .map(|e| (e.name.clone(), line(&e.key)))
        .collect();
    assert_eq!(
        lines,
        [
            ("a".to_owned(), 1),
            ("b".to_owned(), 2),
            ("a".to_owned(), 3)
        ]
    );
}

#[test]
fn invalid_documents_are_refused_with_their_line() {
    let error = parse("a: 1\nb: [1, 2\nc: 3\n").unwrap_err();
    assert_eq!(error.line, Some(3), "{error}");
    assert!(
        !error.message.contains("at line 3") && error.message.contains("at line 2"),
        "{error}"
    );
    assert_eq!(parse("a: 1\n\tb: 2\n").unwrap_err().line, Some(2));
    assert_eq!(parse("a: 1\nb: !tag 2\n").unwrap_err().line, Some(2));
    assert!(
        parse("a: 1\n---\nb: 2\n")
            .unwrap_err()
            .message
            .contains("more than one document")
    );
    let error = Document::parse(Path::new("/x.yaml"), b"a: 1\nb: \xff\n".to_vec()).unwrap_err();
    assert_eq!((error.line, error.column), (Some(2), Some(4)));
}

#[test]
fn unbounded_expansion_is_refused() {
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (name, previous) in ('b'..='i').zip('a'..) {
        let aliases = vec![format!("*{previous}"); 9].join(",");
        bomb.push_str(&format!("{name}: &{name} [{aliases}]\n"));
    }
    assert!(parse(&bomb).is_err());
    // Few aliases of something large.
    let error = parse(&format!(
        "a: &a [{}]\nb: [{}]\n",
        "x,".repeat(5000),
        "*a,".repeat(3000)
    ))
    .unwrap_err();
    assert!(error.message.contains("too large"), "{error}");
    assert!(parse(&"[".repeat(5000)).is_err());
    assert!(parse(&format!("{}{}", "[".repeat(5000), "]".repeat(5000))).is_err());
    assert!(parse("&a [*a]").is_err());
}

#[test]
fn position_lookups_are_bounded() {
    let text: String = (0..30_000).map(|key| format!("k{key}: 1\n")).collect();
    let document = parse(&text).unwrap();
    assert_eq!(document.locate_budget.get(), LOCATE_BUDGET);
    // With the full budget, the file would be read a hundred times, which takes seconds without
    // optimisation.
    document.locate_budget.set(LOCATE_BUDGET / 8);
    let entries = document.root().entries().unwrap();
    let found = entries
        .iter()
        .take_while(|entry| entry.key.position().is_some())
        .count();
    assert!((5..100).contains(&found), "{found}");
}

fn visit(node: &Node<'_>) {
    assert!(node.position().is_some(), "{}", node.key_path());
    for entry in node.entries().unwrap_or_default() {
        visit(&entry.key);
        visit(&entry.value);
    }
    for item in node.items().unwrap_or_default() {
        visit(&item);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Document::parse(Path::new("/x.yaml"), bytes);
    }

    #[test]
    fn any_yaml_like_text_is_read_or_refused_and_has_positions(text in "([a-c]|[ \n:{}\\[\\],#&*!|>'\"%@`?-]){0,40}") {
        if let Ok(document) = parse(&text) && document.root != Value::Null {
            visit(&document.root());
        }
    }

    #[test]
    fn key_lines_are_correct(
        keys in prop::collection::btree_set("[a-z]{1,6}", 1..12),
        blank_lines in prop::collection::vec(0usize..3, 12),
        nested in prop::collection::vec(any::<bool>(), 12),
    ) {
        let mut text = String::new();
        let mut expected = Vec::new();
        for ((key, blank), nested) in keys.iter().zip(&blank_lines).zip(&nested) {
            text.push_str(&"# c\n".repeat(*blank));
            expected.push(u32::try_from(text.lines().count()).unwrap() + 1);
            text.push_str(&if *nested { format!("{key}:\n  inner:\n  - 1\n") } else { format!("{key}: \"v\"\n") });
        }
        let document = parse(&text).unwrap();
        let lines: Vec<u32> = document.root().entries().unwrap().iter().map(|entry| line(&entry.key)).collect();
        prop_assert_eq!(lines, expected);
    }
}
