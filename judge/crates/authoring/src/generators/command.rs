//! Commands of generators: their words, and placeholders for a seed, a name and a number.
//!
//! Pure. Must not run anything.
//!
//! Source: BAPCtools, doc/generators.md, "Generator objects". A command has the same seed as there.

use judge_model::Constant;
use judge_package::{fill_in_constants, shell_words};
use sha2::{Digest, Sha512};

/// The number of seeds: they are less than this.
pub(crate) const SEEDS: u32 = 1 << 31;
/// The maximum size of a command in bytes: the kernel starts no program with longer arguments.
const MAX_BYTES: usize = 2 << 20;
/// The text in place of `{name}`. The real names change with the numbers of test cases, which must
/// not change the data.
const NAME: &str = "testcase";

/// A call of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// The text as it was written, with constants and `{count}` filled in.
    pub(crate) text: String,
    /// The generator: a file or directory below `generators/`, or a name of the file's
    /// `generators`.
    pub(crate) program: String,
    /// The arguments, with `{seed}` still in them.
    args: Vec<String>,
    /// The seed, when the command uses one.
    pub(crate) seed: Option<u32>,
}

impl Command {
    /// Reads a command. `number` is the number of the test case's copy, when there is a `count`.
    /// The error is the fault, in words.
    pub(crate) fn read(
        text: &str,
        constants: &[Constant],
        number: Option<i64>,
        salt: &str,
    ) -> Result<Self, String> {
        let mut text = fill_in_constants(text, constants, MAX_BYTES).ok_or_else(|| {
            format!("expected a command of at most {MAX_BYTES} bytes with its constants filled in")
        })?;
        if let Some(number) = number {
            text = text.replace("{count}", &number.to_string());
        }
        let Some(mut words) = shell_words(&text).filter(|words| !words.is_empty()) else {
            return Err(
                "expected a command, found a quote that is not closed, or nothing".to_owned(),
            );
        };
        let program = words.remove(0);
        let mentions: usize = words.iter().map(|word| seeds_in(word).len()).sum();
        if mentions > 1 {
            return Err(format!(
                "expected `{{seed}}` at most once, found it {mentions} times"
            ));
        }
        let seed = (mentions == 1).then(|| seed_of(salt, number, &text));
        Ok(Self {
            text,
            program,
            args: words,
            seed,
        })
    }

    /// Returns the arguments with this seed.
    pub(crate) fn args(&self, seed: u32) -> Vec<String> {
        self.args
            .iter()
            .map(|arg| with_seed(&arg.replace("{name}", NAME), seed))
            .collect()
    }

    /// Returns the arguments with the placeholders of the seed unchanged.
    pub(crate) fn open_args(&self) -> Vec<String> {
        self.args
            .iter()
            .map(|arg| arg.replace("{name}", NAME))
            .collect()
    }

    /// Returns the command as it is run, for messages and for the lock file.
    pub(crate) fn to_text(&self) -> String {
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.seed
            .map_or_else(|| text.clone(), |seed| with_seed(&text, seed))
    }
}

/// The low 31 bits of the SHA-512 of salt and command. For all copies but the first, their number
/// minus one is hashed too.
fn seed_of(salt: &str, number: Option<i64>, command: &str) -> u32 {
    let mut text = salt.to_owned();
    if let Some(number) = number.filter(|number| *number != 1) {
        text.push_str(&format!(":{}", i128::from(number) - 1));
    }
    text.push_str(command.trim());
    let digest = Sha512::digest(text.as_bytes());
    let last: [u8; 4] = std::array::from_fn(|index| digest[digest.len() - 4 + index]);
    u32::from_be_bytes(last) % SEEDS
}

/// The places of `{seed}` and `{seed:DIGITS}`.
fn seeds_in(text: &str) -> Vec<std::ops::Range<usize>> {
    let at = |start: usize| -> Option<std::ops::Range<usize>> {
        let rest = &text[start + "{seed".len()..];
        let digits = match rest.strip_prefix(':') {
            Some(after) => {
                1 + Some(after.bytes().take_while(u8::is_ascii_digit).count())
                    .filter(|count| *count > 0)?
            }
            None => 0,
        };
        rest[digits..]
            .starts_with('}')
            .then_some(start..start + "{seed".len() + digits + 1)
    };
    text.match_indices("{seed")
        .filter_map(|(start, _)| at(start))
        .collect()
}

fn with_seed(text: &str, seed: u32) -> String {
    let mut filled = text.to_owned();
    for range in seeds_in(text).into_iter().rev() {
        filled.replace_range(range, &seed.to_string());
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Command {
        Command::read(text, &[], None, "").unwrap()
    }

    #[test]
    fn seeds_match_the_documented_hash() {
        // Computed independently by the documented rule: SHA-512 of the command, modulo 2^31.
        assert_eq!(read("random 500 1 1 {seed}").seed, Some(706107814));
        assert_eq!(read("random 500 1 1").seed, None);
        let spaces = read("random  500 1 1 {seed}");
        assert_ne!(spaces.seed, Some(706107814), "white space inside counts");
        assert_eq!(
            read(" random 500 1 1 {seed}\n").seed,
            Some(706107814),
            "white space around does not"
        );
    }

    #[test]
    fn seeds_of_copies_differ() {
        let number = |number| {
            Command::read("g {seed}", &[], Some(number), "")
                .unwrap()
                .seed
        };
        assert_eq!(number(1), read("g {seed}").seed);
        assert_eq!(
            number(3),
            Command::read("2g {seed}", &[], None, ":").unwrap().seed
        );
        assert_ne!(number(1), number(2));
    }

    #[test]
    fn words_and_placeholders_are_replaced() {
        let command = Command::read(
            "g 'a b' {name} {count} x{seed:07}y {seed:} {{N}}",
            &[constant()],
            Some(-3),
            "s",
        );
        let command = command.unwrap();
        assert_eq!(
            (command.program.as_str(), command.seed.is_some()),
            ("g", true)
        );
        assert_eq!(
            command.args(5),
            ["a b", "testcase", "-3", "x5y", "{seed:}", "12"]
        );
        assert_eq!(
            command.open_args(),
            ["a b", "testcase", "-3", "x{seed:07}y", "{seed:}", "12"]
        );
        assert!(read("g\n  {seed}\n  b").to_text().starts_with("g "));
        for wrong in ["", " ", "g 'a", "g {seed} {seed:1}"] {
            assert!(Command::read(wrong, &[], None, "").is_err(), "{wrong}");
        }
        // Constants that each mention another one twice would grow without bound.
        let pair = |n: u32| Constant {
            name: format!("c{n}"),
            value: format!("{{{{c{0}}}}}{{{{c{0}}}}}", n + 1),
        };
        let constants: Vec<Constant> = (0..64).map(pair).collect();
        assert_eq!(
            Command::read("g {{c0}}", &constants, None, "")
                .unwrap()
                .text,
            "g {{c1}}{{c1}}"
        );
        let long = [Constant {
            name: "n".to_owned(),
            value: "x".repeat(1 << 16),
        }];
        let result = Command::read(&"{{n}}".repeat(64), &long, None, "").unwrap_err();
        assert_eq!(
            result,
            "expected a command of at most 2097152 bytes with its constants filled in"
        );
    }

    fn constant() -> Constant {
        Constant {
            name: "N".into(),
            value: "12".into(),
        }
    }
}
