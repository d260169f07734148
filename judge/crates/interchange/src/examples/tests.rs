//! Tests of examples.

use judge_model::NamedFiles;

use super::*;
use crate::examples::pairing::Pairs;

fn paired(names: &[&str]) -> Vec<String> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    match pairs(&names) {
        Ok(Pairs {
            pairs, unanswered, ..
        }) => {
            let pairs = pairs
                .into_iter()
                .map(|pair| format!("{}: {} {}", pair.key, pair.input, pair.output));
            pairs
                .chain(
                    unanswered
                        .into_iter()
                        .map(|(_, input)| format!("? {input}")),
                )
                .collect()
        }
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn files_are_paired_by_name() {
    assert_eq!(
        paired(&["10.in", "2.in", "2.out", "10.out"]),
        ["2: 2.in 2.out", "10: 10.in 10.out"]
    );
    assert_eq!(
        paired(&["sample1.in", "sample1.ans", "x.cpp"]),
        ["sample1: sample1.in sample1.ans"]
    );
    assert_eq!(
        paired(&["in1.txt", "out1.txt", "in2.txt"]),
        ["1: in1.txt out1.txt", "? in2.txt"]
    );
    assert_eq!(
        paired(&["input_1", "output_1", "INPUT.02", "OUTPUT.02"]),
        ["1: input_1 output_1", "02: INPUT.02 OUTPUT.02"]
    );
    assert_eq!(paired(&["01", "01.a", "02"]), ["01: 01 01.a"]);
    assert_eq!(
        paired(&["a-in.txt", "a-out.txt", "1.in.txt", "1.ans.txt"]),
        ["1: 1.in.txt 1.ans.txt", "a: a-in.txt a-out.txt"]
    );
    assert_eq!(
        paired(&["input.txt", "output.txt"]),
        ["1: input.txt output.txt"]
    );
    assert_eq!(
        paired(&["in/b", "out/b", "in/a.txt", "out/a.txt"]),
        ["a: in/a.txt out/a.txt", "b: in/b out/b"]
    );
    assert_eq!(
        paired(&[
            "input/input01.txt",
            "output/output01.txt",
            "input/input10.txt",
            "output/output10.txt"
        ]),
        [
            "01: input/input01.txt output/output01.txt",
            "10: input/input10.txt output/output10.txt"
        ]
    );
    assert_eq!(
        paired(&["I.1", "O.1", "I.10", "O.10", "I.2"]),
        ["1: I.1 O.1", "10: I.10 O.10", "? I.2"]
    );
    assert_eq!(
        paired(&["x.in1", "x.ou1", "y.in2", "y.out2"]),
        ["x.1: x.in1 x.ou1", "y.2: y.in2 y.out2"]
    );
    assert_eq!(
        paired(&["1-10.in", "1-9.in", "1-10.out", "1-9.out"]),
        ["1-9: 1-9.in 1-9.out", "1-10: 1-10.in 1-10.out"]
    );
    assert_eq!(
        paired(&["a/1.in", "a/1.out", "b/1.in", "b/1.sol"]),
        ["a/1: a/1.in a/1.out", "b/1: b/1.in b/1.sol"]
    );
    assert_eq!(paired(&["insane.dat", "outer", "README"]), [""; 0]);
    assert_eq!(
        paired(&["kol.in.1", "kol.out.1", "kol.in.10", "kol.out.10"]),
        ["kol.1: kol.in.1 kol.out.1", "kol.10: kol.in.10 kol.out.10"]
    );
    assert_eq!(
        paired(&["1.inp", "1.out", "2.IN", "2.Expected", "3.in", "3.exp"]),
        ["1: 1.inp 1.out", "2: 2.IN 2.Expected", "3: 3.in 3.exp"]
    );
    assert_eq!(
        paired(&["a.in", "a.ok", "b.in", "b.dat", "c.dat", "c.out"]),
        ["a: a.in a.ok", "b: b.in b.dat", "c: c.dat c.out"]
    );
    assert_eq!(
        paired(&["TEST1/bai.inp", "TEST1/bai.out"]),
        ["TEST1/bai: TEST1/bai.inp TEST1/bai.out"]
    );
}

#[test]
fn ambiguous_files_are_rejected() {
    let error = paired(&["1.in", "1.out", "1.ans"]);
    assert_eq!(
        error,
        ["`1.out` and `1.ans` are both the output of example `1`\nhint: remove one of them"]
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of files")]
fn companion_files_and_interactions_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let json = r#"{"name": "A. Sum", "interactive": false, "memoryLimit": 256, "timeLimit": 1500,
        "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "4\n", "output": "4\n"}], "more": {"x": null}}"#;
    let companion = write("a.json", json);
    let examples = Examples::read(&companion).unwrap();
    assert_eq!(
        (examples.name.as_str(), examples.test_cases.len()),
        ("A. Sum", 2)
    );
    assert_eq!(examples.time_limit, Some(Duration::from_millis(1500)));
    assert_eq!(examples.memory_bytes, Some(256 << 20));
    assert_eq!(fs::read(&examples.test_cases[1].answer).unwrap(), b"4\n");
    let record = write("1.interaction", "<5\n>3\n<lower\n>1\n---\n<x\n>y\n");
    let examples = Examples::read(&record).unwrap();
    let texts: Vec<(Vec<u8>, Vec<u8>)> = examples
        .test_cases
        .iter()
        .map(|case| {
            (
                fs::read(&case.input).unwrap(),
                fs::read(&case.answer).unwrap(),
            )
        })
        .collect();
    assert_eq!(
        texts,
        [
            (b"5\nlower\n".to_vec(), b"3\n1\n".to_vec()),
            (b"x\n".to_vec(), b"y\n".to_vec())
        ]
    );

    let windows = write("3.interaction", "<5\r\n>3\r\n");
    let examples = Examples::read(&windows).unwrap();
    assert_eq!(fs::read(&examples.test_cases[0].input).unwrap(), b"5\n");
    let empty = write("4.interaction", "\n");
    assert!(
        Examples::read(&empty)
            .unwrap_err()
            .to_string()
            .contains("no examples")
    );
    let interactive = write("b.json", &json.replace("false", "true"));
    assert!(
        Examples::read(&interactive)
            .unwrap_err()
            .to_string()
            .contains("is interactive")
    );
    let channel = |file: &str| {
        format!("\"input\": {{\"type\": \"file\", \"fileName\": \"{file}\"}}, \"tests\"")
    };
    let named = write("f.json", &json.replace("\"tests\"", &channel("a.in")));
    let files = NamedFiles {
        input: Some("a.in".to_owned()),
        output: None,
    };
    assert_eq!(Examples::read(&named).unwrap().named_files, files);
    let outside = write("g.json", &json.replace("\"tests\"", &channel("../a.in")));
    assert!(
        Examples::read(&outside)
            .unwrap_err()
            .to_string()
            .contains("`../a.in` is not a valid name for an input or output file")
    );
    let pattern = write(
        "h.json",
        &json.replace(
            "\"tests\"",
            "\"input\": {\"type\": \"regex\", \"pattern\": \"A-.*\"}, \"tests\"",
        ),
    );
    assert!(
        Examples::read(&pattern)
            .unwrap()
            .remarks
            .iter()
            .any(|remark| remark.contains("match `A-.*`"))
    );
    let wrong = write("c.json", "{\"tests\": [3]}");
    assert!(
        Examples::read(&wrong)
            .unwrap_err()
            .to_string()
            .contains("Competitive Companion")
    );
    let odd = write("2.interaction", "<5\nx\n");
    assert!(
        Examples::read(&odd)
            .unwrap_err()
            .to_string()
            .contains("line 2: expected `<`")
    );
    assert!(matches!(
        Examples::read(directory.path()),
        Err(ExamplesError::None { .. })
    ));
    let input = write("data.json", "[1, 2]");
    assert!(
        Examples::are_at(&companion)
            && Examples::are_at(directory.path())
            && Examples::are_at(&record)
    );
    assert!(!Examples::are_at(&input) && !Examples::are_at(&write("1.in", "")));
}
