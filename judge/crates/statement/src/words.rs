//! The words that pages and documents add to captions, in the language of the statement.
//!
//! Must not know where captions stand. In other languages than these a caption has its number alone.
//!
//! Source: the captions that babel, the package of LaTeX for languages, has; so that a page and a PDF say the same.

/// The kind of a thing with a caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Captioned {
    Figure,
    Table,
}

/// The name of a figure or table by its number, such as `Figure 2`, in a language such as `en` or `pt-BR`.
pub(crate) fn numbered(what: Captioned, number: &str, language: &str) -> String {
    let language = language.split('-').next().unwrap_or_default();
    let known = WORDS.iter().find(|(code, ..)| *code == language);
    let pattern = known.map_or("#", |(_, figure, table)| match what {
        Captioned::Figure => figure,
        Captioned::Table => table,
    });
    pattern.replace('#', number)
}

/// Languages, with how they name a figure and a table of the number `#`.
const WORDS: [(&str, &str, &str); 49] = [
    ("ar", "شكل #", "جدول #"),
    ("az", "Şəkil #", "Cədvəl #"),
    ("be", "Рыс. #", "Табліца #"),
    ("bg", "Фигура #", "Таблица #"),
    ("ca", "Figura #", "Taula #"),
    ("cs", "Obrázek #", "Tabulka #"),
    ("da", "Figur #", "Tabel #"),
    ("de", "Abbildung #", "Tabelle #"),
    ("el", "Σχήμα #", "Πίνακας #"),
    ("en", "Figure #", "Table #"),
    ("es", "Figura #", "Cuadro #"),
    ("et", "Joonis #", "Tabel #"),
    ("eu", "#. irudia", "#. taula"),
    ("fa", "شكل #", "جدول #"),
    ("fi", "Kuva #", "Taulukko #"),
    ("fr", "Figure #", "Table #"),
    ("ga", "Léaráid #", "Tábla #"),
    ("he", "איור #", "טבלה #"),
    ("hr", "Slika #", "Tablica #"),
    ("hu", "#. ábra", "#. táblázat"),
    ("hy", "Նկար #", "Աղյուսակ #"),
    ("id", "Gambar #", "Tabel #"),
    ("is", "Mynd #", "Tafla #"),
    ("it", "Figura #", "Tabella #"),
    ("ja", "図 #", "表 #"),
    ("ka", "სურ. #", "ცხრ. #"),
    ("ko", "그림 #", "표 #"),
    ("lt", "# pav.", "# lentelė"),
    ("lv", "#. att.", "#. tabula"),
    ("mk", "Слика #", "Табела #"),
    ("nb", "Figur #", "Tabell #"),
    ("nl", "Figuur #", "Tabel #"),
    ("nn", "Figur #", "Tabell #"),
    ("no", "Figur #", "Tabell #"),
    ("pl", "Rysunek #", "Tabela #"),
    ("pt", "Figura #", "Tabela #"),
    ("ro", "Figura #", "Tabela #"),
    ("ru", "Рис. #", "Таблица #"),
    ("sk", "Obrázok #", "Tabuľka #"),
    ("sl", "Slika #", "Tabela #"),
    ("sr", "Слика #", "Табела #"),
    ("sv", "Figur #", "Tabell #"),
    ("th", "รูปที่ #", "ตารางที่ #"),
    ("tr", "Şekil #", "Tablo #"),
    ("uk", "Рис. #", "Табл. #"),
    ("vi", "Hình #", "Bảng #"),
    ("zh", "图 #", "表 #"),
    ("af", "Figuur #", "Tabel #"),
    ("cy", "Darlun #", "Tabl #"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_are_numbered_in_the_language_of_the_statement() {
        let names = |language: &str| [Captioned::Figure, Captioned::Table].map(|what| numbered(what, "12", language));
        assert_eq!(names("en-GB"), ["Figure 12", "Table 12"]);
        assert_eq!(names("sv"), ["Figur 12", "Tabell 12"]);
        assert_eq!(names("hu"), ["12. ábra", "12. táblázat"]);
        assert_eq!(names("tlh"), ["12", "12"]);
    }

    #[test]
    fn every_language_stands_once_and_has_a_number() {
        for (index, (language, figure, table)) in WORDS.iter().enumerate() {
            assert!(!WORDS[..index].iter().any(|(other, ..)| other == language), "{language}");
            assert!(figure.matches('#').count() == 1 && table.matches('#').count() == 1, "{language}");
        }
    }
}
