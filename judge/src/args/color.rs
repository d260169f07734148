//! `--color`: when to use colour, also before the command line is understood.
//!
//! Responsible for names and help. What `auto` means on this terminal is decided in `config`, and by clap for its own texts.

use std::ffi::{OsStr, OsString};

use clap::{ColorChoice, ValueEnum};

/// The use of colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set; always with `CLICOLOR_FORCE` or `FORCE_COLOR`
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The colour of help and of messages about mistakes in the words, for which there are no parsed arguments.
pub(crate) fn of_help(words: &[OsString]) -> ColorChoice {
    let options = words.iter().take_while(|word| *word != "--");
    let mut values = options.zip(words.iter().skip(1).map(Some).chain([None])).filter_map(|(word, next)| {
        let value =
            if word == "--color" { next?.as_os_str() } else { OsStr::new(word.to_str()?.strip_prefix("--color=")?) };
        Color::from_str(value.to_str()?, false).ok()
    });
    match values.next() {
        Some(Color::Always) => ColorChoice::Always,
        Some(Color::Never) => ColorChoice::Never,
        Some(Color::Auto) | None => ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_say_it_wherever_it_stands() {
        let of = |line: &str| of_help(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("judge run --color always --help"), ColorChoice::Always);
        assert_eq!(of("judge --color=never --help"), ColorChoice::Never);
        for line in ["judge", "judge run --color", "judge --color=so --help", "judge run -- --color always"] {
            assert_eq!(of(line), ColorChoice::Auto, "{line}");
        }
    }
}
