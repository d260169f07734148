//! The words that pages and documents put around statements, in the language of the statement.
//!
//! Must not know where they stand. In other languages than these they are English.
//!
//! Source: the words that contests in these languages have in their statements.

/// The words of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    /// The heading of the sample of the number `#`.
    pub(crate) sample: &'static str,
    pub(crate) input: &'static str,
    pub(crate) output: &'static str,
    pub(crate) interaction: &'static str,
    pub(crate) time_limit: &'static str,
    pub(crate) memory_limit: &'static str,
}

impl Terms {
    /// The words in a language such as `en` or `pt-BR`; `None` where they are not known.
    pub(crate) fn known(language: &str) -> Option<Self> {
        let language = language.split('-').next().unwrap_or_default();
        let (_, [sample, input, output, interaction, time_limit, memory_limit]) =
            *WORDS.iter().find(|(codes, _)| codes.split(' ').any(|code| code == language))?;
        Some(Self { sample, input, output, interaction, time_limit, memory_limit })
    }

    /// The words in that language, or else in English.
    pub(crate) fn of(language: &str) -> Self {
        let english = || {
            Self::known("en").unwrap_or(Self {
                sample: "#",
                input: "",
                output: "",
                interaction: "",
                time_limit: "",
                memory_limit: "",
            })
        };
        Self::known(language).unwrap_or_else(english)
    }

    /// The heading of a sample.
    pub(crate) fn sample(&self, number: &str) -> String {
        self.sample.replace('#', number)
    }
}

/// Languages, with their words: sample, input, output, interaction, time limit, memory limit.
const WORDS: [(&str, [&str; 6]); 29] = [
    ("en", ["Sample #", "Input", "Output", "Interaction", "Time limit", "Memory limit"]),
    ("bg", ["Пример #", "Вход", "Изход", "Взаимодействие", "Ограничение по време", "Ограничение по памет"]),
    ("cs", ["Příklad #", "Vstup", "Výstup", "Interakce", "Časový limit", "Paměťový limit"]),
    ("da", ["Eksempel #", "Indlæsning", "Udskrift", "Interaktion", "Tidsgrænse", "Hukommelsesgrænse"]),
    ("de", ["Beispiel #", "Eingabe", "Ausgabe", "Interaktion", "Zeitlimit", "Speicherlimit"]),
    ("es", ["Ejemplo #", "Entrada", "Salida", "Interacción", "Límite de tiempo", "Límite de memoria"]),
    ("et", ["Näide #", "Sisend", "Väljund", "Interaktsioon", "Ajalimiit", "Mälulimiit"]),
    ("fi", ["Esimerkki #", "Syöte", "Tuloste", "Vuorovaikutus", "Aikaraja", "Muistiraja"]),
    ("fr", ["Exemple #", "Entrée", "Sortie", "Interaction", "Limite de temps", "Limite de mémoire"]),
    ("hr", ["Primjer #", "Ulaz", "Izlaz", "Interakcija", "Vremensko ograničenje", "Memorijsko ograničenje"]),
    ("hu", ["#. példa", "Bemenet", "Kimenet", "Interakció", "Időlimit", "Memórialimit"]),
    ("id", ["Contoh #", "Masukan", "Keluaran", "Interaksi", "Batasan waktu", "Batasan memori"]),
    ("is", ["Sýnidæmi #", "Inntak", "Úttak", "Samskipti", "Tímamörk", "Minnismörk"]),
    ("it", ["Esempio #", "Input", "Output", "Interazione", "Limite di tempo", "Limite di memoria"]),
    ("ja", ["サンプル #", "入力", "出力", "インタラクション", "時間制限", "メモリ制限"]),
    ("ko", ["예제 #", "입력", "출력", "상호작용", "시간 제한", "메모리 제한"]),
    ("lt", ["# pavyzdys", "Pradiniai duomenys", "Rezultatai", "Sąveika", "Laiko ribojimas", "Atminties ribojimas"]),
    ("lv", ["#. paraugs", "Ievaddati", "Izvaddati", "Komunikācija", "Laika ierobežojums", "Atmiņas ierobežojums"]),
    ("nb nn no", ["Eksempel #", "Inndata", "Utdata", "Interaksjon", "Tidsgrense", "Minnegrense"]),
    ("nl", ["Voorbeeld #", "Invoer", "Uitvoer", "Interactie", "Tijdslimiet", "Geheugenlimiet"]),
    ("pl", ["Przykład #", "Wejście", "Wyjście", "Interakcja", "Limit czasu", "Limit pamięci"]),
    ("pt", ["Exemplo #", "Entrada", "Saída", "Interação", "Limite de tempo", "Limite de memória"]),
    ("ro", ["Exemplul #", "Date de intrare", "Date de ieșire", "Interacțiune", "Limită de timp", "Limită de memorie"]),
    ("ru", ["Пример #", "Ввод", "Вывод", "Взаимодействие", "Ограничение по времени", "Ограничение по памяти"]),
    ("sk", ["Príklad #", "Vstup", "Výstup", "Interakcia", "Časový limit", "Pamäťový limit"]),
    ("sv", ["Exempel #", "Indata", "Utdata", "Interaktion", "Tidsgräns", "Minnesgräns"]),
    ("tr", ["Örnek #", "Girdi", "Çıktı", "Etkileşim", "Zaman limiti", "Bellek limiti"]),
    ("uk", ["Приклад #", "Вхідні дані", "Вихідні дані", "Взаємодія", "Обмеження часу", "Обмеження пам’яті"]),
    ("zh", ["样例 #", "输入", "输出", "交互", "时间限制", "内存限制"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_language_or_english() {
        assert_eq!(Terms::of("sv").sample("2"), "Exempel 2");
        assert_eq!(Terms::of("pt-BR").input, "Entrada");
        assert_eq!(Terms::of("nn").time_limit, "Tidsgrense");
        assert_eq!((Terms::known("tlh"), Terms::of("tlh").output), (None, "Output"));
    }

    #[test]
    fn every_language_stands_once_and_has_all_words() {
        let codes: Vec<&str> = WORDS.iter().flat_map(|(codes, _)| codes.split(' ')).collect();
        for (index, code) in codes.iter().enumerate() {
            assert!(code.len() == 2 && !codes[..index].contains(code), "{code}");
        }
        for (code, words) in WORDS {
            assert!(words[0].matches('#').count() == 1 && words.iter().all(|word| !word.is_empty()), "{code}");
        }
    }
}
