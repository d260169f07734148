//! Tests of the checks of statements, and of the texts that are shown next to them.

use super::lint_tests::{UUID, finds, sound};

#[test]
fn template_placeholders_are_reported() {
    let tree = sound();
    let yaml = |name: &str, credits: &str, owner: &str| {
        let text = format!(
            "problem_format_version: 2025-09\nname: {name}\nuuid: {UUID}\ncredits: {credits}\nlicense: cc by\n\
             rights_owner: {owner}\nlimits:\n  time_limit: 1\n"
        );
        tree.write("p/problem.yaml", &text);
    };
    yaml(
        "{en: Untitled adder}",
        "{authors: [Ada, the author of adder]}",
        "the author of adder",
    );
    finds(
        &tree,
        &[
            "JP516 problem.yaml:2: `Untitled adder` is a placeholder",
            "JP516 problem.yaml:4: `the author of adder` is a placeholder",
            "JP516 problem.yaml:6: `the author of adder` is a placeholder",
        ],
    );
    yaml("'{{name}}'", "TODO", "'{%rights_owner%}'");
    finds(
        &tree,
        &[
            "JP516 problem.yaml:2: `{{name}}`",
            "JP516 problem.yaml:4: `TODO`",
            "JP516 problem.yaml:6: `{%rights_owner%}`",
        ],
    );
    yaml("The Author of It All", "The Author of It", "Untitled");
    finds(&tree, &[]);
}

#[test]
fn unknown_placeholders_are_reported_even_without_constants() {
    let tree = sound();
    let yaml = std::fs::read_to_string(tree.path("p/problem.yaml")).unwrap();
    let text = "Up to {{max_n}}, $x^{{n}} + \\sqrt{{n}}$, {{max_n}}.\n\n{{nextsample}}\n\n{{remainingsamples}}\n";
    tree.write("p/statement/problem.en.md", text);
    finds(
        &tree,
        &["JP119 statement/problem.en.md:1: `{{max_n}}` is not a constant"],
    );
    // With constants, everything else in double braces is a finding.
    tree.write(
        "p/problem.yaml",
        &format!("{yaml}constants: {{max_n: 5}}\n"),
    );
    finds(
        &tree,
        &["JP119 statement/problem.en.md:1: `{{n}}` is not a constant"],
    );
    tree.write("p/statement/problem.en.md", &text.replace("{{n}}", "n"));
    finds(&tree, &[]);
}

#[test]
fn shown_interactive_inputs_are_reported() {
    let tree = sound();
    let yaml = std::fs::read_to_string(tree.path("p/problem.yaml")).unwrap();
    tree.write("p/problem.yaml", &format!("{yaml}type: interactive\n"));
    tree.write("p/output_validator/talk.py", "print()\n");
    let shown = "JP340 data/sample/1.in: the statement shows this input, although only the output validator reads it";
    finds(&tree, &[shown]);
    // The statement shows a log, or a text that was written for it, instead of the input.
    for (file, text) in [
        ("interaction", ">1\n<correct\n"),
        ("in.statement", "A number.\n"),
    ] {
        tree.write(&format!("p/data/sample/1.{file}"), text);
        finds(&tree, &[]);
        std::fs::remove_file(tree.path(&format!("p/data/sample/1.{file}"))).unwrap();
    }
    tree.write("p/data/sample/1.in", "");
    finds(&tree, &[]);
}

#[test]
fn unknown_latex_commands_are_reported_once_with_their_line() {
    let tree = sound();
    tree.write(
        "p/statement/problem.sv.tex",
        "\\constant{n}\\emph{a}\n\\foo b\n\n\\foo \\bar $\\baz$\n",
    );
    std::fs::remove_file(tree.path("p/statement/problem.en.md")).unwrap();
    tree.write(
        "p/problem.yaml",
        &std::fs::read_to_string(tree.path("p/problem.yaml"))
            .unwrap()
            .replace("name: A Problem", "name: {sv: A}"),
    );
    let place = |line: u32, what: &str| format!("JP411 statement/problem.sv.tex:{line}: {what}");
    let expected = [
        place(1, "`\\constant{n}` is unknown, and is shown as written"),
        place(2, "`\\foo` is unknown, and is shown as written (2 times)"),
        place(4, "`\\bar` is unknown, and is shown as written"),
        place(4, "the formula `\\baz` is shown as written: it "),
    ];
    finds(&tree, &expected.each_ref().map(String::as_str));
}

#[test]
fn duplicate_statements_and_missing_images_are_reported() {
    let tree = sound();
    tree.write("p/problem.yaml", &format!(
        "problem_format_version: 2025-09\nname: {{de: C, en: A, sv: B}}\nuuid: {UUID}\nlicense: cc by\nrights_owner: Ada\nlimits: {{time_limit: 1}}\n"
    ));
    tree.write(
        "p/statement/problem.en.md",
        "Look:\n![a graph](graph.png) ![](there.svg)\n",
    );
    tree.write("p/statement/there.svg", "<svg/>\n");
    tree.write(
        "p/statement/problem.en.tex",
        "\\includegraphics{there} \\includegraphics{gone}\n",
    );
    tree.write(
        "p/statement/problem.de.tex",
        "\\graphicspath{{images/}}\n\\includegraphics{gone}\n",
    );
    tree.write("p/statement/problem.md", "x\n");
    tree.write("p/statement/problem.sv.md", "");
    finds(
        &tree,
        &[
            "JP405 statement/problem.en.md:2: shows the image `graph.png`",
            "JP402 statement/problem.en.tex: `problem.en.md` is",
            "JP405 statement/problem.en.tex:1: shows the image `gone`",
            "JP404 statement/problem.md",
            "JP403 statement/problem.sv.md",
        ],
    );
}

#[test]
fn names_must_match_the_languages_of_statements() {
    let tree = sound();
    std::fs::rename(
        tree.path("p/statement/problem.en.md"),
        tree.path("p/statement/problem.sv.md"),
    )
    .unwrap();
    finds(
        &tree,
        &[
            "JP408 problem.yaml:2: no name for the statement in `sv`",
            "JP408 problem.yaml:2: no statement for the name in `en`",
        ],
    );
}
