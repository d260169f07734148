//! Packages of LaTeX that a document loads only if a statement in it uses them; the others stand in
//! the templates.
//!
//! Must not know the meaning of a command.

use crate::{Body, Page};

/// Packages that are loaded before and after `hyperref`, with the words in a text that need them.
const BEFORE_LINKS: [(&str, &[&str]); 21] = [
    (
        "mathtools",
        &[
            "\\coloneqq",
            "\\DeclarePairedDelimiter",
            "\\mathclap",
            "dcases",
            "\\prescript",
        ],
    ),
    ("amsthm", &["\\newtheorem", "{proof}", "\\theoremstyle"]),
    ("bm", &["\\bm{", "\\bm\\"]),
    ("cancel", &["\\cancel"]),
    ("nicefrac", &["\\nicefrac"]),
    ("stmaryrd", &["\\llbracket"]),
    ("pifont", &["\\ding{"]),
    (
        "csquotes",
        &["\\enquote", "\\textquote", "\\blockquote", "{displayquote}"],
    ),
    ("alltt", &["{alltt}"]),
    ("multicol", &["{multicols"]),
    ("soul", &["\\hl{", "\\st{", "\\so{"]),
    ("framed", &["{framed}", "{shaded}", "{leftbar}"]),
    ("mdframed", &["{mdframed}", "\\mdfsetup", "\\newmdenv"]),
    ("tcolorbox", &["tcolorbox", "\\tcbset", "\\tcbox"]),
    ("adjustbox", &["adjustbox"]),
    ("rotating", &["{sideways"]),
    ("diagbox", &["\\diagbox"]),
    ("hhline", &["\\hhline"]),
    ("dcolumn", &["D{.}", "D{,}"]),
    ("tabulary", &["{tabulary}"]),
    ("ifthen", &["\\ifthenelse"]),
];
const BEHIND_LINKS: [(&str, &[&str]); 5] = [
    ("algorithm", &["{algorithm}"]),
    ("algorithmic", &["\\STATE", "\\FOR{", "\\IF{", "\\WHILE{"]),
    (
        "algpseudocode",
        &[
            "\\State",
            "\\For{",
            "\\If{",
            "\\While{",
            "\\Procedure",
            "\\Function",
        ],
    ),
    (
        "algorithm2e",
        &[
            "\\KwIn",
            "\\KwOut",
            "\\KwData",
            "\\KwResult",
            "\\SetAlgoLined",
            "\\eIf",
            "\\tcp",
        ],
    ),
    ("cleveref", &["\\cref", "\\Cref", "\\crefname"]),
];

/// The lines that load the packages of the pages, before and after `hyperref`.
pub(super) fn packages(pages: &[Page]) -> [String; 2] {
    let texts: Vec<&str> = pages
        .iter()
        .filter_map(|page| match &page.body {
            Body::Latex { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let uses = |words: &[&str]| {
        words
            .iter()
            .any(|word| texts.iter().any(|text| text.contains(word)))
    };
    let is_other = uses(BEHIND_LINKS[3].1);
    let of = |known: &[(&str, &[&str])]| {
        // `algorithm2e` has an environment of the same name.
        let used = known
            .iter()
            .filter(|(name, words)| uses(words) && !(is_other && *name == "algorithm"));
        let options = |name: &str| {
            if name == "cleveref" {
                "[noabbrev,capitalise]"
            } else {
                ""
            }
        };
        used.map(|(name, _)| format!("\\judgeuse{}{{{name}}}\n", options(name)))
            .collect()
    };
    [of(&BEFORE_LINKS), of(&BEHIND_LINKS)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_packages_are_loaded() {
        let of = |text: &str| {
            packages(&[Page {
                body: Body::Latex {
                    text: text.into(),
                    constants: Vec::new(),
                },
                ..Page::default()
            }])
        };
        assert_eq!(of("plain"), ["", ""]);
        assert_eq!(
            of("\\cref{a} \\enquote{b}"),
            [
                "\\judgeuse{csquotes}\n",
                "\\judgeuse[noabbrev,capitalise]{cleveref}\n"
            ]
        );
        assert_eq!(
            of("\\begin{algorithm}\\State")[1],
            "\\judgeuse{algorithm}\n\\judgeuse{algpseudocode}\n"
        );
        assert_eq!(
            of("\\begin{algorithm}\\KwIn{x}")[1],
            "\\judgeuse{algorithm2e}\n"
        );
    }
}
