//! `judge/docs/reference/lint.md` is generated from the catalogue of codes by this module.
//!
//! With `UPDATE=1` in the environment the page is updated.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use judge_lint::severity;
use judge_model::Severity;
use judge_package::{Code, Profile};

const HEAD: &str = "# Findings of `judge check`

Lists the findings of `judge check` in packages, by code. A code never changes its meaning, and codes that are no longer used are
not assigned again. `judge check --explain CODE` prints the same on the command line.

This page is generated from the catalogue in `judge/crates/package/src/code/`; a test checks that it is current
(`UPDATE=1 cargo test -p judge --test main lint_docs` updates it).

## Silencing

Intended findings can be silenced in `judge.yaml`, with a reason. An entry that silences nothing is a finding itself
(JP003). Findings that prevent judging cannot be silenced.

```yaml
check:
  profile: default      # what the packages are meant for; --profile on the command line wins
  ignore:
    - code: JP302
      problem: fiveup              # optional: one problem
      file: data/secret/group2/*   # optional: a pattern of paths in the package
      reason: another judge that uses these files does not support links
```

## Profiles

A profile sets the severity of each finding for packages that are meant for a certain system. `--profile NAME` chooses it;
`--strict` makes every warning an error in any profile, and the profile `strict` is the default one with `--strict`.
Findings that are `off` are not reported. A dash means: as in the default profile. A fault that prevents judging is always an error,
regardless of the severity in this table: an unknown key, for example, is an error in 2025-09 and mostly a warning in older formats.

";

fn severity_name(severity: Option<Severity>) -> &'static str {
    severity.map_or("off", Severity::name)
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    let others = [Profile::Kattis, Profile::DomJudge, Profile::Icpc];
    let names = others.map(Profile::name).join(" | ");
    let _ = writeln!(
        page,
        "| code | found | default | {names} |\n|---|---|---|---|---|---|"
    );
    for code in Code::all() {
        let changes = others.map(|profile| {
            let changed = severity(profile, code);
            if changed == code.default_severity() {
                "–"
            } else {
                severity_name(changed)
            }
        });
        let anchor = code.id().to_lowercase();
        let (title, default, changes) = (
            code.title(),
            severity_name(code.default_severity()),
            changes.join(" | "),
        );
        let _ = writeln!(
            page,
            "| [{code}](#{anchor}) | {title} | {default} | {changes} |"
        );
    }
    page.push_str("\n## Codes\n");
    for code in Code::all() {
        let _ = write!(
            page,
            "\n### {code}\n\n**{}** ({}). {}\n\nFix: {}\n\n```text\n{}\n```\n",
            capital(code.title()),
            severity_name(code.default_severity()),
            code.why(),
            code.fix(),
            code.example(),
        );
    }
    page
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[test]
fn the_page_matches_the_catalogue() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/lint.md");
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&file, page()).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page(),
        "judge/docs/reference/lint.md is not current; UPDATE=1 writes it"
    );
}
