//! Tests of finding and reading statements.

use super::*;
use crate::fixture::Tree;

fn problem(tree: &Tree) -> Problem {
    Problem::new("p", tree.root().to_owned(), FormatVersion::V2025_09)
}

#[test]
fn languages_come_from_file_names() {
    for (name, legacy, expected) in [
        ("problem.en.md", false, Some("en")),
        ("problem.pt-BR.tex", false, Some("pt-BR")),
        ("problem.md", false, None),
        ("problem.tex", true, Some("en")),
        ("problem.english.md", false, None),
        ("solution.en.md", false, None),
        ("problem.en.txt", false, None),
    ] {
        assert_eq!(language_of(name, legacy).as_deref(), expected, "{name}");
    }
}

#[test]
fn statements_are_in_order_of_language_and_preference() {
    let tree = Tree::with(&[
        ("statement/problem.sv.tex", ""),
        ("statement/problem.sv.md", ""),
        ("statement/problem.en.pdf", ""),
        ("statement/problem.md", ""),
        ("statement/bones.svg", ""),
    ]);
    let found = statement_files(&problem(&tree))
        .into_iter()
        .map(|file| (file.language, file.kind));
    let expected = [
        ("en", StatementKind::Pdf),
        ("sv", StatementKind::Markdown),
        ("sv", StatementKind::Tex),
    ];
    assert_eq!(
        found.collect::<Vec<_>>(),
        expected.map(|(language, kind)| (language.to_owned(), kind))
    );
}

#[test]
fn constants_are_replaced_only_in_markdown() {
    let tree = Tree::with(&[
        ("statement/problem.en.md", "{{n}}"),
        ("statement/problem.en.tex", "{{n}}"),
    ]);
    let constant = judge_model::Constant {
        name: "n".into(),
        value: "5".into(),
    };
    let problem = Problem {
        constants: vec![constant],
        ..problem(&tree)
    };
    let texts: Vec<_> = statement_files(&problem)
        .iter()
        .map(|file| file.text(&problem).unwrap())
        .collect();
    assert_eq!(texts, ["5", "{{n}}"]);
}

#[test]
fn images_come_only_from_the_package() {
    let tree = Tree::with(&[
        ("p/statement/problem.en.md", ""),
        ("p/statement/a b.png", "image"),
        ("p/attachments/c.SVG", "<svg/>"),
        ("p/statement/d.txt", ""),
        ("secret.png", "secret"),
    ]);
    std::os::unix::fs::symlink(tree.path("secret.png"), tree.path("p/statement/link.png")).unwrap();
    let problem = Problem::new("p", tree.path("p"), FormatVersion::V2025_09);
    let statement = &statement_files(&problem)[0];
    let image = |address: &str| statement.image(&problem, address);
    fs::write(tree.path("p/statement/a b.png"), PNG).unwrap();
    assert_eq!(
        image("a%20b.png").unwrap(),
        StatementImage {
            media_type: "image/png",
            bytes: PNG.to_vec()
        }
    );
    assert_eq!(
        image("../attachments/c.SVG").unwrap().media_type,
        "image/svg+xml"
    );
    for (address, part) in [
        ("missing.png", "is missing"),
        ("d.txt", "none of the formats"),
        ("../../secret.png", "outside of the package"),
        ("link.png", "outside of the package"),
        ("https://example.org/x.png", "not a file of the package"),
        ("data:image/png;base64,AAAA", "not a file of the package"),
        ("%00.png", "not a valid file name"),
    ] {
        let error = image(address).unwrap_err().to_string();
        assert!(error.contains(part), "{address}: {error}");
    }
    let absolute = tree.path("secret.png").display().to_string();
    assert!(image(&absolute).is_err());
}

/// The signature of PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

#[test]
fn text_in_another_encoding_is_reported_with_its_line() {
    let tree = Tree::with(&[("statement/problem.en.md", "")]);
    fs::write(tree.path("statement/problem.en.md"), b"One\nTv\xe5\n").unwrap();
    let problem = problem(&tree);
    let error = statement_files(&problem)[0].text(&problem).unwrap_err();
    assert_eq!(
        (error.line, error.message.as_str()),
        (Some(2), "expected text in UTF-8, found the byte `0xe5`")
    );
    assert!(error.hint.unwrap().contains("iconv -f latin1"));
}

#[test]
fn latex_finds_images_without_their_extensions() {
    let text = "a\n\\graphicspath{{img/} {more/}}\n\\includegraphics{other}\n";
    let tree = Tree::with(&[
        ("statement/problem.en.tex", text),
        ("statement/more/map.svg", "<svg/>"),
        ("statement/not.png", "text"),
    ]);
    fs::write(tree.path("statement/road.jpg"), b"\xff\xd8\xff\xe0").unwrap();
    let problem = problem(&tree);
    let statement = &statement_files(&problem)[0];
    assert_eq!(
        statement.image(&problem, "road").unwrap().media_type,
        "image/jpeg"
    );
    assert_eq!(
        statement.image(&problem, "map").unwrap().media_type,
        "image/svg+xml"
    );
    assert_eq!(
        statement.image(&problem, "other").unwrap_err().line,
        Some(3)
    );
    let error = statement.image(&problem, "not").unwrap_err().to_string();
    assert!(
        error.contains("does not match its extension: its content is not `image/png`"),
        "{error}"
    );
    let (pictures, errors) = pictures_next_to(&problem, statement);
    assert_eq!(
        (pictures.len(), errors.len()),
        (1, 0),
        "other files are not returned, and are only reported if the statement names them"
    );
}

fn file(language: &str, kind: StatementKind) -> StatementFile {
    StatementFile {
        language: language.to_owned(),
        kind,
        path: PathBuf::from(language),
    }
}

#[test]
fn one_statement_of_each_requested_language_is_returned() {
    use StatementKind::{Markdown, Tex};
    let files = [
        file("de", Tex),
        file("en", Markdown),
        file("en", Tex),
        file("sv", Tex),
    ];
    let chosen_of = |files: &[StatementFile], language: Option<&str>| {
        preferred_statements(files, language)
            .iter()
            .map(|file| (file.language.clone(), file.kind))
            .collect::<Vec<_>>()
    };
    assert_eq!(chosen_of(&files, None), [("en".to_owned(), Markdown)]);
    assert_eq!(chosen_of(&files[..1], None), [("de".to_owned(), Tex)]);
    assert_eq!(chosen_of(&files, Some("sv")), [("sv".to_owned(), Tex)]);
    assert_eq!(chosen_of(&files, Some("all")).len(), 3);
    assert!(chosen_of(&files, Some("fr")).is_empty());
}

#[test]
fn solution_descriptions_are_read_from_the_solution_directory() {
    let tree = Tree::with(&[
        ("solution/solution.sv.tex", ""),
        ("solution/solution.en.md", ""),
        ("solution/solution.md", ""),
        ("solution/problem.en.md", ""),
    ]);
    let found = solution_files(&problem(&tree))
        .into_iter()
        .map(|file| (file.language, file.kind));
    let expected = [("en", StatementKind::Markdown), ("sv", StatementKind::Tex)];
    assert_eq!(
        found.collect::<Vec<_>>(),
        expected.map(|(language, kind)| (language.to_owned(), kind))
    );
}

#[test]
fn pictures_are_found_next_to_the_statement_and_below() {
    let tree = Tree::with(&[
        ("statement/problem.en.tex", ""),
        ("statement/a.png", "a"),
        ("statement/img/b.PDF", "%PDF-1.4"),
        ("statement/img/1/2/3/deep.png", "c"),
        ("secret.png", "no"),
    ]);
    std::os::unix::fs::symlink("/etc/passwd", tree.path("statement/passwd.png")).unwrap();
    fs::write(tree.path("statement/a.png"), PNG).unwrap();
    let problem = problem(&tree);
    let (found, _) = pictures_next_to(&problem, &statement_files(&problem)[0]);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a.png", "img/b.PDF"]);
}
