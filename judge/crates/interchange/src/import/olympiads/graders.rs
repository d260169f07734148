//! Graders of olympiads: code that is compiled with every solution.
//!
//! Responsible for its place in packages. Must not know where a format keeps it.

use judge_event::{Fate, Part};

use crate::import::draft::Draft;
use crate::import::draft::parts::Content;
use crate::import::programs::base_name;

/// Languages by the endings of file names.
const LANGUAGES: [(&str, &str); 11] = [
    ("cpp", "cpp"),
    ("cc", "cpp"),
    ("h", "cpp"),
    ("hpp", "cpp"),
    ("c", "c"),
    ("java", "java"),
    ("pas", "pascal"),
    ("py", "python3"),
    ("rs", "rust"),
    ("kt", "kotlin"),
    ("cs", "csharp"),
];

/// Puts files into `include/`, from where they are compiled with submissions of their language; headers also with those in C
/// when there is something in C.
pub(super) fn put_graders(files: &[String], draft: &mut Draft) {
    let ending = |file: &str| file.rsplit_once('.').map(|(_, of)| of.to_owned()).unwrap_or_default();
    let has_c = files.iter().any(|file| ending(file) == "c");
    for file in files {
        let of = ending(file);
        let Some((_, language)) = LANGUAGES.iter().find(|(ending, _)| *ending == of) else {
            draft.see(file);
            draft.say_at(Fate::Lost, Part::Graders, format!("`{file}` is of no language that is known"), file);
            continue;
        };
        draft.put(format!("include/{language}/{}", base_name(file)), Content::Copy(file.into()));
        if has_c && of == "h" {
            draft.put(format!("include/c/{}", base_name(file)), Content::Copy(file.into()));
        }
        draft.say_at(Fate::Carried, Part::Graders, format!("`{file}` is compiled with solutions in {language}"), file);
    }
}
