//! The words that pages and documents add to statements, in the language of the statement.
//!
//! Must not know where they are used.
//!
//! Source: `words.tsv`. Captions are taken from babel, the LaTeX package for languages, so that a
//! page and a PDF agree. The other words are common in contests in these languages. Missing words
//! are English.

/// A table with a line for each language: its code, its name in babel, and its words; `#` is
/// replaced by a number.
const TABLE: &str = include_str!("words.tsv");

/// The kind of an element with a caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Captioned {
    Figure,
    Table,
}

/// The words of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// The name of the language in babel, if it has one.
    pub(crate) babel: Option<&'static str>,
    /// False if the words up to the memory limit are English although the language is another one.
    pub(crate) is_translated: bool,
    /// False if the words after the memory limit are English although the language is another one.
    pub(crate) is_complete: bool,
    figure: &'static str,
    table: &'static str,
    sample: &'static str,
    pub(crate) input: &'static str,
    pub(crate) output: &'static str,
    pub(crate) interaction: &'static str,
    pub(crate) time_limit: &'static str,
    pub(crate) memory_limit: &'static str,
    pub(crate) author: &'static str,
    pub(crate) translation: &'static str,
    pub(crate) source: &'static str,
    pub(crate) licence: &'static str,
    pub(crate) rights_owner: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) interactive: &'static str,
    passes: &'static str,
    pub(crate) answers: &'static str,
    pub(crate) scoring: &'static str,
    pub(crate) judge_writes: &'static str,
    pub(crate) submission_writes: &'static str,
    pass: &'static str,
    pub(crate) arguments: &'static str,
    pub(crate) file: &'static str,
}

impl Words {
    /// Returns the words for a language such as `en` or `pt-BR`.
    pub(crate) fn for_language(language: &str) -> Self {
        let main = language.split('-').next().unwrap_or_default();
        let row = |code: &str| {
            TABLE
                .lines()
                .skip(1)
                .find(|line| line.split('\t').next() == Some(code))
        };
        let columns = |line: &'static str| line.split('\t').collect::<Vec<_>>();
        let english = row("en").map(columns).unwrap_or_default();
        let own = row(language)
            .or_else(|| row(main))
            .map(columns)
            .unwrap_or_default();
        let word = |at: usize| own.get(at).copied().filter(|word| !word.is_empty());
        let translated = |at: usize| {
            word(at)
                .or_else(|| english.get(at).copied())
                .unwrap_or_default()
        };
        Self {
            babel: word(1),
            is_translated: word(4).is_some(),
            is_complete: word(10).is_some(),
            // Without a word, a caption is only a number.
            figure: word(2).unwrap_or("#"),
            table: word(3).unwrap_or("#"),
            sample: translated(4),
            input: translated(5),
            output: translated(6),
            interaction: translated(7),
            time_limit: translated(8),
            memory_limit: translated(9),
            author: translated(10),
            translation: translated(11),
            source: translated(12),
            licence: translated(13),
            rights_owner: translated(14),
            kind: translated(15),
            interactive: translated(16),
            passes: translated(17),
            answers: translated(18),
            scoring: translated(19),
            judge_writes: translated(20),
            submission_writes: translated(21),
            pass: translated(22),
            arguments: translated(23),
            file: translated(24),
        }
    }

    /// Returns the name of a figure or table with its number, such as `Figure 2`.
    pub(crate) fn numbered(&self, what: Captioned, number: &str) -> String {
        match what {
            Captioned::Figure => self.figure.replace('#', number),
            Captioned::Table => self.table.replace('#', number),
        }
    }

    /// Returns the kind of a problem with this maximum number of passes.
    pub(crate) fn passes(&self, passes: u32) -> String {
        self.passes.replace('#', &passes.to_string())
    }

    /// Returns the heading of a pass.
    pub(crate) fn pass(&self, number: u32) -> String {
        self.pass.replace('#', &number.to_string())
    }

    /// Returns the heading of a sample.
    pub(crate) fn sample(&self, number: &str) -> String {
        self.sample.replace('#', number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_the_language_or_english() {
        assert_eq!(Words::for_language("sv").sample("2"), "Exempel 2");
        assert_eq!(Words::for_language("nn").time_limit, "Tidsgrense");
        assert_eq!(
            (
                Words::for_language("pt-BR").input,
                Words::for_language("pt-BR").babel
            ),
            ("Entrada", Some("brazilian"))
        );
        assert_eq!(
            (
                Words::for_language("pt-PT").input,
                Words::for_language("pt-PT").babel
            ),
            ("Entrada", Some("portuguese"))
        );
        assert_eq!(
            (
                Words::for_language("tlh").is_translated,
                Words::for_language("tlh").output
            ),
            (false, "Output")
        );
    }

    #[test]
    fn captions_are_numbered_in_the_language() {
        let names = |code: &str| {
            [Captioned::Figure, Captioned::Table]
                .map(|what| Words::for_language(code).numbered(what, "12"))
        };
        assert_eq!(names("en-GB"), ["Figure 12", "Table 12"]);
        assert_eq!(names("sv"), ["Figur 12", "Tabell 12"]);
        assert_eq!(names("hu"), ["12. ábra", "12. táblázat"]);
        assert_eq!(names("tlh"), ["12", "12"]);
    }

    #[test]
    fn the_table_of_words_is_consistent() {
        let rows: Vec<Vec<&str>> = TABLE
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect())
            .collect();
        for (index, row) in rows.iter().enumerate() {
            assert!(matches!(row.len(), 4 | 10 | 25), "{row:?}");
            assert!(
                !rows[..index].iter().any(|other| other[0] == row[0]),
                "{row:?}"
            );
            assert!(row.iter().skip(2).all(|word| !word.is_empty()), "{row:?}");
            for (at, word) in row.iter().enumerate() {
                let is_numbered = matches!(at, 2..=4 | 17 | 22);
                assert_eq!(
                    word.matches('#').count(),
                    usize::from(is_numbered),
                    "{row:?}"
                );
            }
        }
    }
}
