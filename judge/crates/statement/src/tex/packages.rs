//! LaTeX packages that a document loads only if a statement uses them. The templates load the
//! others.
//!
//! Must not know the meaning of a command.

use crate::Page;

/// Packages that are loaded before `hyperref`, with the words that require them. `AFTER_LINKS` are
/// loaded after it.
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
const AFTER_LINKS: [(&str, &[&str]); 5] = [
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

/// Returns the lines that load the packages of the pages before and after `hyperref`.
pub(super) fn packages(pages: &[Page]) -> [String; 2] {
    let texts: Vec<&str> = pages.iter().filter_map(|page| page.body.latex()).collect();
    let uses = |words: &[&str]| {
        words
            .iter()
            .any(|word| texts.iter().any(|text| text.contains(word)))
    };
    let uses_algorithm2e = uses(AFTER_LINKS[3].1);
    let lines = |known: &[(&str, &[&str])]| {
        // `algorithm2e` defines an environment of the same name.
        let used = known
            .iter()
            .filter(|(name, words)| uses(words) && !(uses_algorithm2e && *name == "algorithm"));
        let options = |name: &str| match name {
            "cleveref" => "[noabbrev,capitalise]",
            _ => "",
        };
        used.map(|(name, _)| format!("\\judgeuse{}{{{name}}}\n", options(name)))
            .collect()
    };
    [lines(&BEFORE_LINKS), lines(&AFTER_LINKS)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Body;

    #[test]
    fn used_packages_are_loaded() {
        let lines = |text: &str| {
            packages(&[Page {
                body: Body::Latex {
                    text: text.into(),
                    constants: Vec::new(),
                },
                ..Page::default()
            }])
        };
        assert_eq!(lines("plain"), ["", ""]);
        assert_eq!(
            lines("\\cref{a} \\enquote{b}"),
            [
                "\\judgeuse{csquotes}\n",
                "\\judgeuse[noabbrev,capitalise]{cleveref}\n"
            ]
        );
        assert_eq!(
            lines("\\begin{algorithm}\\State")[1],
            "\\judgeuse{algorithm}\n\\judgeuse{algpseudocode}\n"
        );
        assert_eq!(
            lines("\\begin{algorithm}\\KwIn{x}")[1],
            "\\judgeuse{algorithm2e}\n"
        );
    }
}
