//! Tests of the schemas: they accept files that load, and refuse files that do not.

use std::fs;
use std::path::{Path, PathBuf};

use judge_fixtures::schema::fault;
use serde_json::{Map, Value as Json, json};
use walkdir::WalkDir;

use super::SchemaName;
use crate::error::{Finding, Findings};
use crate::fixture::Tree;
use crate::load::load_in_part;
use crate::workspace::Workspace;
use crate::yaml::{Document, Value};
use crate::{generators, metadata};

fn schema(name: SchemaName) -> Json {
    serde_json::from_str(&name.schema()).unwrap()
}

fn as_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Integer(value) => json!(i64::try_from(*value).unwrap()),
        Value::Float(value) => json!(value),
        Value::Text(text) => json!(text),
        Value::List(items) => items.iter().map(as_json).collect(),
        Value::Map(entries) => Json::Object(
            entries
                .iter()
                .map(|(key, value)| (key.as_key(), as_json(value)))
                .collect::<Map<_, _>>(),
        ),
    }
}

/// The packages in which files are loaded, with all other files that loading needs.
struct Workplace {
    tree: Tree,
    workspace: Workspace,
}

impl Workplace {
    fn new() -> Self {
        let tree = Tree::new();
        for (name, more) in [("scoring", "type: scoring\n"), ("other", "")] {
            tree.package(name, more);
            tree.cases(name, &["secret/a/1", "secret/b/1"]);
        }
        tree.write("legacy/problem.yaml", "name: A\ntype: scoring\n");
        tree.cases("legacy", &["secret/a/1"]);
        ["problems", "archive", "solutions"]
            .iter()
            .for_each(|directory| tree.make_directory(directory));
        for program in [
            "scoring/static_validator/run.py",
            "scoring/input_validators/v.py",
            "legacy/graders/g.py",
        ] {
            tree.write(program, "");
        }
        let workspace = Workspace::find(tree.root()).unwrap();
        Self { tree, workspace }
    }

    /// The errors of loading a file, of which `text` is the contents.
    fn errors(&self, name: SchemaName, text: &str) -> Vec<String> {
        let mut findings = Findings::default();
        let path = match name {
            SchemaName::Submissions => "scoring/submissions/submissions.yaml",
            SchemaName::TestGroup => "scoring/data/secret/b/test_group.yaml",
            SchemaName::TestData => "legacy/data/secret/a/testdata.yaml",
            _ => "x.yaml",
        };
        if path != "x.yaml" {
            self.tree.write(path, text);
            let package = self.tree.path(path.split('/').next().unwrap());
            let errors = load_in_part(&package, &self.workspace).errors;
            let is_about_file = |error: &Finding| error.file.ends_with(path);
            return errors
                .iter()
                .filter(|error| is_about_file(error))
                .map(ToString::to_string)
                .collect();
        }
        let document = match Document::parse(&self.tree.path(path), text.as_bytes().to_vec()) {
            Ok(document) => document,
            Err(error) => return vec![error.to_string()],
        };
        match name {
            SchemaName::Problem => drop(metadata::interpret(&document, &mut findings)),
            SchemaName::Generators => drop(generators::interpret(&document, &mut findings)),
            _ => drop(Workspace::interpret(
                self.tree.root(),
                &document,
                &mut findings,
            )),
        }
        findings
            .into_result()
            .err()
            .map(|errors| errors.iter().map(ToString::to_string).collect())
            .unwrap_or_default()
    }
}

/// Files that contain every key.
const FULL: [(SchemaName, &str); 9] = [
    (
        SchemaName::Problem,
        "problem_format_version: 2025-09\ntype: [scoring, multi-pass]\nname: {en: A, pt-BR: B}\nuuid: u\nversion: '1'\ncredits:\n  \
         authors: A\n  contributors: [C, {name: D, email: d@b.example, orcid: '0', kattis: dd}]\n  testers: T\n  packagers: P\n  \
         acknowledgements: [Q]\n  translators: {sv: E, da: [F, {name: G}]}\nsource: [One, {name: Two, url: https://two.example}]\n\
         license: cc by-sa\nrights_owner: Somebody\nembargo_until: 2027-01-01T00:00:00Z\nlimits:\n  time_limit: 1.5\n  \
         time_resolution: 0.1\n  time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 1.25}\n  memory: 256\n  output: 4\n  \
         code: 128\n  compilation_time: 30\n  compilation_memory: 1024\n  validation_time: 20\n  validation_memory: 512\n  \
         validation_output: 2\n  validation_passes: 3\nkeywords: [a]\nlanguages: [c]\nallow_file_writing: true\nconstants: {n: 5, \
         m: {value: x, tex: y}}\n",
    ),
    (
        SchemaName::Problem,
        "problem_format_version: 2025-09\nname: A\nuuid: u\ncredits: A\nsource: S\nlanguages: all\ntype: interactive\n",
    ),
    (
        SchemaName::Problem,
        "problem_format_version: 2023-07\nname: A\nkeywords: a b\nvalidator_flags: [a]\ntype: pass-fail interactive\n",
    ),
    (
        SchemaName::Problem,
        "problem_format_version: legacy\ntype: scoring\nname: {en: A}\nuuid: u\nauthor: [A]\nsource: S\nsource_url: https://s.example\n\
         license: cc by\nrights_owner: R\nlimits:\n  time_multiplier: 5\n  time_safety_margin: 2\n  memory: 64\n  output: 8\n  code: 128\n  \
         compilation_time: 60\n  compilation_memory: 2048\n  validation_time: 60\n  validation_memory: 2048\n  validation_output: 8\n  \
         time_limit: 1.5\n  time_resolution: 0.5\n  validation_passes: 3\nvalidation: custom score\nvalidator_flags: a b\ngrading:\n  \
         objective: min\n  show_test_data_groups: yes\n  accept_score: 1\n  reject_score: '0'\n  range: 0 inf\n  on_reject: grade\n\
         keywords: a b\n",
    ),
    (
        SchemaName::Submissions,
        "accepted/*.py:\n  language: python3\n  entrypoint: good.py\n  authors: [A, {name: B, email: b@b.example, orcid: '0', kattis: b}]\n  \
         model_solution: true\n  permitted: [AC]\n  required: AC\n  score: [1, 2.5]\n  message: m\n  use_for_time_limit: lower\n  \
         secret/a:\n    permitted: [AC, WA]\n    required: [WA]\n    score: 5\n    message: n\n    use_for_time_limit: false\nrejected:\n",
    ),
    (
        SchemaName::Generators,
        "solution: /submissions/accepted/a.c\nrandom_salt: x\nretries: 3\nversion: 1\ninclude: [x]\ngenerators: {g: [g.py, lib.py]}\ndata:\n  \
         secret:\n    test_group.yaml: {max_score: 3}\n    include: sample\n    data:\n      - b: g {seed}\n      - '': {in: '1', ans: '2', \
         count: 10..=12}\n  sample:\n    solution:\n    random_salt: y\n    retries: 2\n    data:\n      z: {copy: manual/z, match: {in: x, \
         ans: [y]}, count: [1, 3]}\n      a: {in: x, in.statement: {link: in}, ans.statement: y, yaml: {hint: h}, out: o, interaction: i}\n      \
         b: {generate: g 1, match: [x, y], count: 3, solution: /a, random_salt: z, retries: 1}\n      d: {data: {e: g 2}}\n  fuzz: {data: {x: g}}\n",
    ),
    (
        SchemaName::TestGroup,
        "args: [a]\ninput_validator_args: {v: [a]}\noutput_validator_args: [case_sensitive]\ninput_visualizer_args: [a]\noutput_visualizer_args: [a]\n\
         full_feedback: true\nstatic_validation_score: 3\nstatic_validator_args: [a]\nmax_score: 50\nscore_aggregation: sum\n\
         require_pass: [sample]\n",
    ),
    (
        SchemaName::TestData,
        "on_reject: continue\ngrading: custom\ngrader_flags: min\ninput_validator_flags: {v: a}\noutput_validator_flags: case_sensitive\naccept_score: 1\n\
         reject_score: '0'\nrange: 0 100\n",
    ),
    (
        SchemaName::Workspace,
        "problems: [problems, archive]\nsolutions: solutions\njobs: 2\ntime_factor: 1.5\nisolation: {level: none, require: [no_network]}\npython: pypy3\n\
         report: {junit: a.xml, html: [b.html, c.html]}\nallow_skipped: [c]\ncontest: {title: A, subtitle: [B, C], date: '2026', problems: [x]}\ncheck:\n  profile: icpc\n  ignore: [{code: JP302, problem: \
         x, file: '*.in', reason: r}]\nlanguages:\n  mine: {name: M, aliases: [m], family: cpp, minimal: m, extensions: [mm], entry_points: [main.mm], tools: {mm: {names: [mm], \
         prefix_args: [a], executable: bin/mm, version_args: [a]}}, compile: ['{mm}'], static_flags: [-s], check: [], run: ['{program}'], env: [A=b], processes: \
         3, needs_proc: true, starts_processes: true}\n",
    ),
];

/// Values of every type; for nearly every key, at least one of them is wrong.
fn others() -> Vec<Json> {
    let texts = ["zzqx", "", " ", "1"].map(|text| json!(text));
    let plain = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(7),
        json!(2.5),
        json!(5000),
    ];
    let lists = [
        json!([]),
        json!([null]),
        json!([1]),
        json!(["zzqx"]),
        json!([["x"]]),
        json!([{"zzqx": 1}]),
    ];
    let mappings = [
        json!({}),
        json!({"zzqx": null}),
        json!({"zzqx": 1}),
        json!({"zzqx": {}}),
        json!({"z q": "x"}),
    ];
    texts
        .into_iter()
        .chain(plain)
        .chain(lists)
        .chain(mappings)
        .collect()
}

/// Returns the variants of a file with a single change, for every value in it and every other
/// value: the change, and the file.
fn changed(value: &Json) -> Vec<(String, Json)> {
    let mut changed: Vec<(String, Json)> = others()
        .into_iter()
        .map(|other| (format!(" = {other}"), other))
        .collect();
    match value {
        Json::Object(object) => {
            for (key, inner) in object {
                let without: Map<_, _> = object
                    .iter()
                    .filter(|(other, _)| *other != key)
                    .map(own)
                    .collect();
                changed.push((format!(".{key} left out"), Json::Object(without.clone())));
                for (what, inner) in self::changed(inner) {
                    let mut object = without.clone();
                    object.insert(key.clone(), inner);
                    changed.push((format!(".{key}{what}"), Json::Object(object)));
                }
            }
            for (key, inner) in [
                ("zzqx", json!(1)),
                ("zzqx", json!({})),
                ("zzqx", json!(null)),
                ("z q", json!("x")),
            ] {
                let mut object = object.clone();
                object.insert(key.to_owned(), inner);
                changed.push((format!(" with {key}"), Json::Object(object)));
            }
        }
        Json::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                for (what, inner) in self::changed(inner) {
                    let mut items = items.clone();
                    items[index] = inner;
                    changed.push((format!("[{index}]{what}"), Json::Array(items)));
                }
            }
        }
        _ => {}
    }
    changed
}

fn own<'a>((key, value): (&'a String, &'a Json)) -> (String, Json) {
    (key.clone(), value.clone())
}

/// Errors that follow from several keys, from other files, or from names that only loading knows: a
/// schema cannot find them.
const BEYOND: [&str; 30] = [
    "expected the smaller score first",
    "of the default output validator",
    "found no such file",
    "expected the code of a language",
    "cannot be combined",
    "is given twice",
    "unknown language",
    "unknown group",
    "only problems of type",
    "needs a `rights_owner`",
    "the package has no static validator",
    "expected at most the `max_score`",
    "nothing in this group has a score",
    "needs `score_aggregation: pass-fail`",
    "is given without `static_validation_score`",
    "can only be required",
    "needs a `max_score`",
    "expected one of `generate`, `copy` and `in`",
    "unknown variable",
    "belongs to the language",
    "a new language needs",
    "exclude each other",
    "expected a directory",
    "is already the file of another report",
    "expected the name of a file",
    "that is not a template variable",
    "is a link itself",
    "cannot be a link to",
    "makes no input",
    "is neither a tool",
];

#[test]
fn schema_agrees_with_the_reader() {
    // Thousands of files are written and loaded, so the documents share the processors.
    let found: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let threads = FULL.map(|(name, text)| scope.spawn(move || disagreements(name, text)));
        threads.map(|thread| thread.join().unwrap()).into()
    });
    let wrong: Vec<&str> = found
        .iter()
        .flat_map(|(_, wrong)| wrong)
        .map(String::as_str)
        .collect();
    assert!(
        wrong.is_empty(),
        "{} disagreements:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let refused: usize = found.iter().map(|(refused, _)| refused).sum();
    assert!(refused > 2000, "{refused}");
}

/// Returns the number of changed documents that the schema refuses, and the disagreements between
/// the schema and the reader.
fn disagreements(name: SchemaName, text: &str) -> (usize, Vec<String>) {
    let workplace = Workplace::new();
    let (mut refused, mut wrong) = (0, Vec::new());
    let schema = schema(name);
    let document = Document::parse(Path::new("/x.yaml"), text.as_bytes().to_vec()).unwrap();
    let full = as_json(document.root().value());
    assert_eq!(
        (workplace.errors(name, text), fault(&schema, &full)),
        (vec![], None),
        "{text}"
    );
    for (what, value) in changed(&full) {
        // JSON is YAML too.
        let errors = workplace.errors(name, &value.to_string());
        let fault = fault(&schema, &value);
        let beyond = || {
            errors
                .iter()
                .all(|error| BEYOND.iter().any(|known| error.contains(known)))
        };
        match &fault {
            Some(fault) if errors.is_empty() => {
                wrong.push(format!("{name}{what} loads, but its schema says: {fault}"));
            }
            None if !beyond() => {
                wrong.push(format!(
                    "{name}{what} fits its schema, but loading says: {errors:?}"
                ));
            }
            _ => {}
        }
        refused += usize::from(fault.is_some());
    }
    (refused, wrong)
}

#[test]
fn full_files_contain_every_key() {
    for name in SchemaName::ALL {
        let texts = FULL
            .iter()
            .filter(|(of, _)| *of == name)
            .map(|(_, text)| *text)
            .collect::<String>();
        let mut missing = Vec::new();
        keys(&schema(name), &mut |key| {
            if !texts.contains(&format!("{key}:")) {
                missing.push(key.to_owned());
            }
        });
        // The keys of the root have the same form, so one of them is enough.
        missing.retain(|key| !generators::ROOTS.contains(&key.as_str()));
        missing.retain(|key| !generators::OLD_KEYS.contains(&key.as_str()));
        missing.retain(|key| {
            !key.contains('.')
                && ![
                    "json", "junit", "markdown", "github", "gitlab", "sarif", "short",
                ]
                .contains(&key.as_str())
        });
        assert_eq!(missing, [""; 0], "{name}");
    }
}

fn keys(schema: &Json, found: &mut impl FnMut(&str)) {
    match schema {
        Json::Object(object) => {
            for (keyword, inner) in object {
                if keyword == "properties" {
                    inner.as_object().unwrap().keys().for_each(|key| found(key));
                }
                keys(inner, found);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

/// Draft 7, "type" and "enum": the items of a list differ, or strict readers reject the schema.
fn check_lists(schema: &Json) {
    for (keyword, inner) in schema.as_object().into_iter().flatten() {
        if let ("type" | "enum" | "required", Json::Array(items)) = (keyword.as_str(), inner) {
            let differ = items
                .iter()
                .enumerate()
                .all(|(index, item)| !items[..index].contains(item));
            assert!(differ && !items.is_empty(), "{schema}");
        }
        check_lists(inner);
    }
    schema
        .as_array()
        .into_iter()
        .flatten()
        .for_each(check_lists);
}

#[test]
fn lists_have_no_duplicates() {
    SchemaName::ALL
        .into_iter()
        .for_each(|name| check_lists(&schema(name)));
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

#[test]
fn every_package_of_the_repository_fits() {
    let (mut fitting, mut refused) = (0, 0);
    let workplace = Workplace::new();
    // With `PACKAGES=DIRECTORY:…` in the environment, those too.
    let more = std::env::var_os("PACKAGES").unwrap_or_default();
    let own = ["problems", "testdata", "judge.yaml"].map(|place| repository().join(place));
    for place in own
        .into_iter()
        .chain(std::env::split_paths(&more).filter(|path| path.is_dir()))
    {
        for entry in WalkDir::new(place).into_iter().map(Result::unwrap) {
            let Some(name) = SchemaName::ALL
                .into_iter()
                .find(|name| entry.file_name() == name.file_name())
            else {
                continue;
            };
            let Ok(text) = fs::read_to_string(entry.path()) else {
                continue;
            };
            let Ok(document) = Document::parse(entry.path(), text.clone().into_bytes()) else {
                continue;
            };
            let fault = fault(&schema(name), &as_json(document.root().value()));
            // Constants are replaced before this file is read as YAML.
            if fault.is_none() || text.contains("{{") {
                fitting += 1;
                continue;
            }
            refused += 1;
            let errors = workplace.errors(name, &text);
            assert!(
                !errors.is_empty(),
                "{} loads, but its schema says {fault:?}",
                entry.path().display()
            );
        }
    }
    assert!(
        fitting > 100 && refused > 0,
        "{fitting} fit, {refused} do not"
    );
}

#[test]
fn names_parse_back_and_errors_list_all() {
    for name in SchemaName::ALL {
        assert_eq!(name.to_string().parse(), Ok(name));
    }
    let error = "x".parse::<SchemaName>().unwrap_err().to_string();
    assert!(
        error.starts_with("unknown schema `x`; expected one of `problem.yaml`, `submissions.yaml`"),
        "{error}"
    );
}
