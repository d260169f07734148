//! Tests of reading `generators.yaml`.

use super::*;

fn read(text: &str) -> Result<Generators, String> {
    let document = Document::parse(Path::new("/g.yaml"), text.as_bytes().to_vec()).unwrap();
    let mut findings = Findings::default();
    let read = interpret(&document, &mut findings);
    findings
        .into_result()
        .map_err(|errors| errors.to_string())?;
    Ok(read.unwrap())
}

#[test]
fn all_keys_of_the_file_are_read() {
    let text = "solution: /submissions/accepted/a.c\nrandom_salt: x\ngenerators: {g: [g.py, lib.py]}\ndata:\n  secret:\n    \
                test_group.yaml: {max_score: 3} # all\n    data:\n      - b: g {seed}\n      - '': {in: '1', ans: '2', \
                count: 10..=12}\n  sample:\n    solution:\n    data:\n      z: {copy: manual/z}\n      a: {in: 'x'}\n";
    let read = read(text).unwrap();
    assert_eq!(read.programs["g"], ["g.py", "lib.py"]);
    assert_eq!(
        read.root.settings.solution,
        Some(Some("/submissions/accepted/a.c".to_owned()))
    );
    let [sample, secret] = &read.root.entries[..] else {
        panic!()
    };
    let inside = |entry: &GeneratedEntry| match &entry.rule {
        GeneratedRule::Directory(directory) => directory.clone(),
        GeneratedRule::Case(_) => panic!(),
    };
    let keys = |directory: &GeneratedDirectory| {
        directory
            .entries
            .iter()
            .map(|entry| entry.key.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (keys(&inside(sample)), inside(sample).settings.solution),
        (vec!["a".into(), "z".into()], Some(None))
    );
    let secret = inside(secret);
    assert_eq!(
        (secret.numbered, secret.test_group_yaml),
        (true, Some(Some("{max_score: 3}\n".to_owned())))
    );
    let GeneratedRule::Case(case) = &secret.entries[1].rule else {
        panic!()
    };
    assert_eq!(
        (case.count.clone(), case.texts["ans"].as_str()),
        (Some(vec![10, 11, 12]), "2")
    );
}

#[test]
fn unknown_keys_are_warnings_unless_similar_to_known_ones() {
    let text = "later:\ndata:\n  secret:\n    data:\n      a: {in: x, owner: me}\n";
    let document = Document::parse(Path::new("/g.yaml"), text.as_bytes().to_vec()).unwrap();
    let mut findings = Findings::default();
    assert!(interpret(&document, &mut findings).is_some());
    let reported: Vec<String> = findings
        .into_result()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        reported[0].starts_with("/g.yaml:1: unknown key `later` is ignored"),
        "{reported:?}"
    );
    assert!(
        reported[1].starts_with("/g.yaml:5: unknown key `data.secret.data.a.owner` is ignored"),
        "{reported:?}"
    );
}

/// The expected texts are those that ruamel.yaml, which `bt` uses, writes for the same parts.
#[test]
fn nested_documents_are_cut_out_with_their_comments() {
    for (part, expected) in [
        ("x: []   # c\ny: 1 # d\n", "x: []       # c\ny: 1     # d\n"),
        ("x: 1\n# mid\ny: 2\n", "x: 1\n    # mid\ny: 2\n"),
        ("# first\nx: 1\n\ny: 2\n", "    # first\nx: 1\n\ny: 2\n"),
        ("x: 1\ny: 2\n# last\n", "x: 1\ny: 2\n    # last\n"),
        ("x: 1\ny: [2]\n# last\n", "x: 1\ny: [2]\n"),
        ("x: 1\n\n\n", "x: 1\n\n\n"),
        ("x: [1]\n\n", "x: [1]\n"),
        ("y: |\n  q\n\n  # r\n", "y: |\n  q\n\n  # r\n"),
        ("y: |\n  q\n\n", "y: |\n  q\n\n"),
        ("x: 'a # b'\n", "x: 'a # b'\n"),
        ("{x: [1, 2]}\n", "{x: [1, 2]}\n"),
    ] {
        let indented: String = part
            .lines()
            .map(|line| {
                if line.is_empty() {
                    "\n".to_owned()
                } else {
                    format!("    {line}\n")
                }
            })
            .collect();
        let gap = if part.starts_with('{') { " " } else { "\n" };
        let part = if gap == " " { part } else { &indented };
        let text = format!(
            "data:\n  secret:\n    data: {{a: {{in: x}}}}\ntest_group.yaml:{gap}{part}retries: 3\n"
        );
        let read = read(&text).unwrap();
        assert_eq!(
            read.root.test_group_yaml.unwrap().unwrap(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn mistakes_are_reported_with_line_and_hint() {
    for (text, expected) in [
        (
            "dat: {}\n",
            "/g.yaml:1: unknown key `dat`\nhint: did you mean `data`?",
        ),
        (
            "data:\n  secrets: {data: {}}\n",
            "/g.yaml:2: unknown key `data.secrets`",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {coppy: x, in: '1'}\n",
            "/g.yaml:4: unknown key",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {inn: '1'}\n",
            "/g.yaml:4: `data.secret.data.a` makes no input: expected `generate`, `copy` or `in` for a test case, or `data` for a directory; found `inn`\nhint: did you mean `in`?",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {solution: /x.py}\n",
            "makes no input",
        ),
        (
            "data:\n  secret: {cases: {a: x}}\n",
            "/g.yaml:2: `data.secret` makes no input",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {generate: x, count: 101}\n",
            "expected a number, a list of numbers",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {generate: x, count: [1, 1]}\n",
            "expected a number, a list of numbers",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {in: 5}\n",
            "write it in quotes",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {ans: '5'}\n",
            "expected one of `generate`, `copy` and `in`",
        ),
        (
            "data:\n  secret:\n    data:\n      - {a: x, b: y}\n",
            "expected an item with exactly one key, its name; found 2: `a`, `b`\nhint: write each of them as a separate item, with `- `",
        ),
        (
            "data:\n  secret:\n    data:\n      - {generate: x, count: 3}\n",
            "hint: the keys of a rule belong one level deeper, below its name",
        ),
        (
            "data:\n  secret:\n    data:\n      1: x\n",
            "write it in quotes: `\"1\"`",
        ),
        (
            "data:\n  secret:\n    data:\n      a: g --count 3 5 > 04.in\n",
            "expected a command, found the string `g --count 3 5 > 04.in`\nhint: the standard output of the command is the input: remove `> 04.in`",
        ),
        (
            "data:\n  secret:\n    data:\n      a: {generate: g >x}\n",
            "hint: the standard output of the command is the input: remove `>x`",
        ),
        ("solution: submissions/a.c\n", "which begins with `/`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_quoted_redirection_is_an_argument() {
    for command in ["g '>' x", "g 'a > b'", "g a>b", "g >= 3"] {
        let text = format!("data:\n  secret:\n    data:\n      a: {{generate: \"{command}\"}}\n");
        assert!(read(&text).is_ok(), "{text}");
    }
}
