//! Tests of the table of languages.

use std::path::Path;

use super::*;
use crate::fixture::error_lines;
use crate::yaml::Document;

fn overridden(text: &str) -> (Vec<Language>, Vec<String>) {
    let document = Document::parse(Path::new("/judge.yaml"), text.as_bytes().to_vec()).unwrap();
    let mut findings = Findings::default();
    let table = override_languages(built_in_languages(), &document.root(), &mut findings);
    (table, error_lines(findings))
}

/// Reads the table from its source.
fn read_source() -> Vec<Language> {
    let document = Document::parse(
        Path::new("languages.yaml"),
        include_bytes!("languages.yaml").to_vec(),
    )
    .unwrap();
    let mut findings = Findings::default();
    let languages = override_languages(Vec::new(), &document.root(), &mut findings);
    assert_eq!(error_lines(findings), [""; 0]);
    languages
}

/// `UPDATE=1` writes the file.
#[test]
fn languages_json_has_the_rows_of_languages_yaml() {
    let rows: Vec<_> = read_source()
        .iter()
        .map(|row| serde_json::to_string(row).unwrap())
        .collect();
    let expected = format!("[\n{}\n]\n", rows.join(",\n"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write("src/programs/languages.json", &expected).unwrap();
    } else {
        assert!(
            BUILT_IN == expected,
            "languages.json is obsolete; `UPDATE=1 cargo test -p judge-package` writes it"
        );
    }
}

fn row<'t>(table: &'t [Language], id: &str) -> &'t Language {
    table.iter().find(|row| row.id.0 == id).unwrap()
}

#[test]
fn the_built_in_table_is_sound() {
    let table = read_source();
    let ids: Vec<&str> = table.iter().map(|row| row.id.0.as_str()).collect();
    assert_eq!(
        ids,
        [
            "ada",
            "bash",
            "c",
            "cgmp",
            "cobol",
            "cpp",
            "cppgmp",
            "crystal",
            "csharp",
            "d",
            "elixir",
            "erlang",
            "forth",
            "fortran",
            "go",
            "haskell",
            "java",
            "javascript",
            "kotlin",
            "lisp",
            "lua",
            "nim",
            "objectivec",
            "ocaml",
            "octave",
            "pascal",
            "perl",
            "php",
            "prolog",
            "pypy3",
            "python2",
            "python3",
            "python3numpy",
            "racket",
            "ruby",
            "rust",
            "scala"
        ]
    );
    for language in &table {
        assert!(!language.name.is_empty() && !language.run.is_empty());
        let has_shared_extension =
            [PYPY, "cgmp", "cppgmp", "octave", "python3numpy"].contains(&&*language.id.0);
        assert_eq!(
            language.extensions.is_empty(),
            has_shared_extension,
            "{}",
            language.id
        );
        assert!(
            !language.tools.is_empty() && language.tools.iter().all(|tool| !tool.names.is_empty())
        );
        // A compiled program is run from the directory of the compiler's output.
        assert!(
            language.compile.is_empty() || language.check.is_empty(),
            "{}",
            language.id
        );
        if !language.compile.is_empty() {
            assert!(
                language
                    .compile
                    .iter()
                    .any(|argument| argument.contains("{output}")),
                "{}",
                language.id
            );
            assert!(
                language
                    .run
                    .iter()
                    .any(|argument| argument.contains("{program}")),
                "{}",
                language.id
            );
        }
    }
    assert!(needs_class(row(&table, "java")) && !needs_class(row(&table, "rust")));
}

#[test]
fn aliases_are_unique_and_lower_case() {
    let table = built_in_languages();
    let names: Vec<&String> = table
        .iter()
        .flat_map(|row| row.aliases.iter().chain([&row.id.0]))
        .collect();
    for name in &names {
        assert_eq!(
            names.iter().filter(|other| *other == name).count(),
            1,
            "{name}"
        );
        assert_eq!(name.to_ascii_lowercase(), **name);
        assert!(language_named(&table, &name.to_uppercase()).is_some());
    }
    assert_eq!(language_named(&table, "G++").unwrap().id.0, "cpp");
    assert_eq!(language_named(&table, "Malbolge"), None);
}

#[test]
fn keys_are_overridden_individually() {
    let (table, errors) =
        overridden("cpp:\n  compile: ['{compiler}', '{sources}', -o, '{output}/main']\n");
    assert_eq!(errors, [""; 0]);
    let (cpp, before) = (row(&table, "cpp"), built_in_languages());
    assert_eq!(cpp.compile[3], "{output}/main");
    assert_eq!(cpp.run, row(&before, "cpp").run);
    assert_eq!(cpp.tools, row(&before, "cpp").tools);
    assert_eq!(table.len(), before.len());
}

#[test]
fn new_languages_are_added() {
    let text = "scheme:\n  name: Scheme\n  extensions: [scm]\n  tools: {interpreter: {names: [guile, chibi]}}\n  \
                run: ['{interpreter}', '{main}']\n";
    let (table, errors) = overridden(text);
    assert_eq!(errors, [""; 0]);
    assert_eq!(row(&table, "scheme").tools[0].names, ["guile", "chibi"]);
    let (_, errors) = overridden("cppp:\n  processes: 3\n");
    assert_eq!(
        errors,
        [
            "/judge.yaml:2: `cppp`: a new language needs `name`, `extensions`, `run` as well\nhint: did you mean `cpp`?"
        ]
    );
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let text = "rust:\n  run:\n  - '{program}/main'\n  - '{memory_mb}'\n  - 'x{sources}'\n  - '{ {main} not a variable }'\n\
                c:\n  extentions: [c]\n  env: [NAME]\n  check: ['{compiler}']\njava:\n  extensions: [py]\n  tools: {main: {names: [java]}}\n";
    let (_, errors) = overridden(text);
    let expected = [
        ":9: `c.env[0]`: expected `NAME=value`, found the string `NAME`",
        ":10: `c.check`: `compile` and `check` exclude each other",
        ":8: unknown key `c.extentions`; expected one of",
        ":12: `java`: the extension `py` belongs to the language `python3` already",
        ":13: `java.tools.main`: expected a role",
        ":4: `rust.run[1]`: unknown variable `{memory_mb}`; expected one of `{main}`",
        ":5: `rust.run[2]`: `{sources}` has no value in `run`",
    ];
    for part in expected {
        assert!(
            errors.iter().any(|error| error.contains(part)),
            "{part}\n{errors:#?}"
        );
    }
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    assert!(
        errors
            .iter()
            .any(|error| error.ends_with("hint: did you mean `memory_mib`?"))
    );
}

#[test]
fn commands_begin_with_a_tool_or_an_absolute_path() {
    let (_, errors) = overridden("python3:\n  run: [python3.12, '{main}']\n");
    assert_eq!(
        errors,
        [
            "/judge.yaml:2: `python3.run[0]`: `python3.12` is neither a tool, such as `{interpreter}`, nor an absolute path\nhint: name it as a tool, `tools: {interpreter: {names: [python3.12]}}`, and write `{interpreter}` here"
        ]
    );
    let (_, errors) = overridden("python3:\n  run: [/opt/python/bin/python3, '{main}']\n");
    assert_eq!(errors, [""; 0]);
}

#[test]
fn variables_need_one_pair_of_braces_and_a_value() {
    let text = "go:\n  compile: ['{compiler}', '{{main}}', '{program}', 'x{sources}']\n  run: ['{output}/main', '-D{{{main}']\n\
                lua:\n  check: ['{program}']\n";
    let (_, errors) = overridden(text);
    let expected = [
        ":2: `go.compile[1]`: expected `{main}` in single braces",
        ":2: `go.compile[2]`: `{program}` has no value in `compile`",
        ":2: `go.compile[3]`: `{sources}` expands to several arguments",
        ":3: `go.run[0]`: `{output}` has no value in `run`",
        ":3: `go.run[1]`: expected `{main}` in single braces",
        ":5: `lua.check[0]`: `{program}` has no value in `check`",
    ];
    for part in expected {
        assert!(
            errors.iter().any(|error| error.contains(part)),
            "{part}\n{errors:#?}"
        );
    }
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
}

#[test]
fn pypy_replaces_only_cpython() {
    let before = built_in_languages();
    let after = with_pypy(&before);
    let (cpython, pypy, chosen) = (
        row(&before, CPYTHON),
        row(&before, PYPY),
        row(&after, CPYTHON),
    );
    assert_eq!(
        (&chosen.id, &chosen.extensions),
        (&cpython.id, &cpython.extensions)
    );
    assert_eq!(
        (&chosen.tools, &chosen.run, &chosen.check),
        (&pypy.tools, &pypy.run, &pypy.check)
    );
    assert_ne!(chosen.tools, cpython.tools);
    let others = |table: &[Language]| {
        table
            .iter()
            .filter(|row| row.id.0 != CPYTHON)
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(others(&before), others(&after));
}
