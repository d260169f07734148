//! Templates of generator calls: the permitted values of each argument.
//!
//! Responsible for learning a template from the calls of a package, for parsing one that was typed,
//! and for drawing arguments from it, small ones first. Pure. Must not run anything.
//!
//! Source: BAPCtools, doc/generators.md (`{seed}`), and rbx (the notation `[a..b]`, `(a|b)`).

use std::collections::{BTreeMap, BTreeSet};

use crate::inputs::random::Draw;
use judge_exec::Random;
use judge_model::TestCaseIndex;

/// The number of seeds, as in `generators.yaml`: seeds are less than this.
const SEEDS: i64 = 1 << 31;
/// The placeholder of a seed in a call.
pub(crate) const SEED: &str = "{seed}";
/// One in this many inputs is drawn from the whole ranges, even at the beginning.
const UNCAPPED: u64 = 6;
/// In one of this many inputs, one number has a large range and the others have the smallest one:
/// this gives many small cases, or one long list of small numbers.
const ONE_LARGE: u64 = 4;
/// The minimum size of the large range.
const MIN_LARGE_RANGE: u64 = 64;
/// The initial size of the range from which numbers are drawn. It begins at the smallest value.
const FIRST_RANGE: u64 = 4;
/// The number of inputs after which the range doubles.
const DOUBLES_AFTER: u64 = 40;

/// The index of a generator among those of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GeneratorIndex(pub usize);

/// The index of a template among those of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TemplateIndex(pub usize);

/// A call of a generator in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The index of the generator.
    pub(crate) generator: GeneratorIndex,
    /// The arguments, with `{seed}` in place of a seed.
    pub(crate) args: Vec<String>,
    /// The index of the test case that the call creates. New inputs get its arguments and files.
    pub(crate) settings_case: TestCaseIndex,
}

/// A part of an argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    Text(String),
    /// A number within these bounds.
    Number(i64, i64),
    Choice(Vec<String>),
    Seed,
}

/// The template of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The index of the generator.
    pub generator: GeneratorIndex,
    /// The test case with the arguments and files for inputs.
    pub settings_case: TestCaseIndex,
    args: Vec<Vec<Piece>>,
    /// The numbers of the calls that the template was learnt from, in the order of its numbers.
    seen: Vec<Vec<i64>>,
}

/// Cuts an argument of a package's call at its numbers: whole numbers that are the argument or
/// follow `=` or `:`.
fn cut(arg: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = arg;
    while let Some((before, after)) = rest.split_once("{seed") {
        let is_seed = |(salt, _): &(&str, &str)| salt.is_empty() || salt.starts_with(':');
        let Some((_, behind)) = after.split_once('}').filter(is_seed) else {
            break;
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Seed);
        rest = behind;
    }
    // In an option such as `--n=5` or `range:3`, only the value may vary. A seed has no name after
    // it.
    let start = if pieces.is_empty() {
        rest.rfind(['=', ':']).map_or(0, |at| at + 1)
    } else {
        0
    };
    let (name, value) = rest.split_at(start);
    match value.parse::<i64>() {
        // A text such as `007` or `+5` is not a plain number: it would be written differently.
        Ok(number) if value == number.to_string() => {
            if !name.is_empty() {
                pieces.push(Piece::Text(name.to_owned()));
            }
            pieces.push(Piece::Number(number, number));
        }
        _ if rest.is_empty() => {}
        _ => pieces.push(Piece::Text(rest.to_owned())),
    }
    pieces
}

fn numbers(args: &[Vec<Piece>]) -> impl Iterator<Item = i64> + '_ {
    args.iter().flatten().filter_map(|piece| match piece {
        Piece::Number(number, _) => Some(*number),
        _ => None,
    })
}

/// Learns the templates of the calls of a package. Calls that differ only in numbers have one
/// template, with ranges from the smallest number or 0 to the largest number of these calls.
#[must_use]
pub(crate) fn learn(calls: &[Call]) -> Vec<Template> {
    let mut found: Vec<(Vec<Vec<Piece>>, Template)> = Vec::new();
    for call in calls {
        let args: Vec<Vec<Piece>> = call.args.iter().map(|arg| cut(arg)).collect();
        let mut shape = args.clone();
        for piece in shape.iter_mut().flatten() {
            if let Piece::Number(low, high) = piece {
                // Calls that differ only in numbers have the same shape.
                (*low, *high) = (0, 0);
            }
        }
        let seen: Vec<i64> = numbers(&args).collect();
        let same = |(other, template): &&mut (Vec<Vec<Piece>>, Template)| {
            *other == shape && template.generator == call.generator
        };
        if let Some((_, template)) = found.iter_mut().find(same) {
            template.seen.push(seen);
        } else {
            let template = Template {
                generator: call.generator,
                settings_case: call.settings_case,
                args,
                seen: vec![seen],
            };
            found.push((shape, template));
        }
    }
    let mut templates: Vec<Template> = found.into_iter().map(|(_, template)| template).collect();
    let seeds = seeds_by_position(&templates);
    for template in &mut templates {
        let is_seed = seeds.contains(&template.generator) && !template.has_seed();
        let count = numbers(&template.args).count();
        let mut at = 0;
        for piece in template.args.iter_mut().flatten() {
            let Piece::Number(low, high) = piece else {
                continue;
            };
            at += 1;
            if is_seed && at == count {
                *piece = Piece::Seed;
                continue;
            }
            let column = template.seen.iter().map(|seen| seen[at - 1]);
            (*low, *high) = column.fold((0, 0), |(low, high), number| {
                (low.min(number), high.max(number))
            });
        }
        if is_seed {
            template
                .seen
                .iter_mut()
                .for_each(|seen| seen.truncate(count - 1));
        }
    }
    templates
}

/// Finds generators with calls that have no `{seed}` but end with a different number each time: it
/// is the seed.
fn seeds_by_position(templates: &[Template]) -> BTreeSet<GeneratorIndex> {
    let mut last: BTreeMap<GeneratorIndex, Vec<i64>> = BTreeMap::new();
    for template in templates.iter().filter(|template| !template.has_seed()) {
        let ends = matches!(
            template.args.last().and_then(|arg| arg.last()),
            Some(Piece::Number(..))
        );
        let last_numbers = last.entry(template.generator).or_default();
        for seen in &template.seen {
            // A call without a number at the end has no seed there.
            last_numbers.push(seen.last().copied().filter(|_| ends).unwrap_or(i64::MIN));
        }
    }
    last.retain(|_, seen| {
        let count = seen.len();
        // At least three calls, all with different numbers at the end: sizes would probably be
        // repeated.
        seen.sort_unstable();
        seen.dedup();
        count >= 3 && seen.len() == count && seen[0] != i64::MIN
    });
    last.into_keys().collect()
}

/// Parses arguments as they are typed: `[a..b]` is a number, `(x|y)` one of several texts, and
/// `{seed}` a seed.
///
/// # Errors
/// Returns a message that describes the fault.
pub(crate) fn read(
    generator: GeneratorIndex,
    args: &[String],
    settings_case: TestCaseIndex,
) -> Result<Template, String> {
    let args = args
        .iter()
        .map(|arg| read_one(arg))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Template {
        generator,
        settings_case,
        args,
        seen: Vec::new(),
    })
}

fn read_one(arg: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = arg;
    while let Some(first) = rest.chars().next() {
        let (piece, behind) = match first {
            '[' => {
                let (inside, behind) = rest[1..]
                    .split_once(']')
                    .ok_or_else(|| unclosed(arg, '['))?;
                let bounds = inside
                    .split_once("..")
                    .map(|(low, high)| (whole_number(low), whole_number(high)));
                let Some((Some(low), Some(high))) = bounds else {
                    return Err(format!(
                        "`{arg}`: expected two whole numbers such as `[1..20]`, found `[{inside}]`"
                    ));
                };
                if low > high {
                    return Err(format!(
                        "`{arg}`: expected the smaller number first, found `[{inside}]`"
                    ));
                }
                (Piece::Number(low, high), behind)
            }
            '(' => {
                let (inside, behind) = rest[1..]
                    .split_once(')')
                    .ok_or_else(|| unclosed(arg, '('))?;
                (
                    Piece::Choice(inside.split('|').map(str::to_owned).collect()),
                    behind,
                )
            }
            _ if rest.starts_with(SEED) => (Piece::Seed, &rest[SEED.len()..]),
            other => {
                text.push(other);
                rest = &rest[other.len_utf8()..];
                continue;
            }
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(piece);
        rest = behind;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

fn unclosed(arg: &str, bracket: char) -> String {
    format!("`{arg}`: `{bracket}` is not closed")
}

/// Parses a whole number, including `10^9` and `1e9`.
fn whole_number(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some((base, exponent)) = text.split_once('^') {
        return base
            .parse::<i64>()
            .ok()?
            .checked_pow(exponent.parse().ok()?);
    }
    if let Some((factor, exponent)) = text.split_once('e') {
        return factor
            .parse::<i64>()
            .ok()?
            .checked_mul(10_i64.checked_pow(exponent.parse().ok()?)?);
    }
    text.replace('_', "").parse().ok()
}

impl Template {
    fn has_seed(&self) -> bool {
        self.args
            .iter()
            .flatten()
            .any(|piece| *piece == Piece::Seed)
    }

    /// Draws arguments for input number `number`: small ones first, from a range that grows. Some
    /// inputs keep all but one of the numbers of a call of the package, so that related numbers
    /// stay consistent.
    pub(crate) fn draw(&self, random: &mut Random, number: u64) -> Vec<String> {
        let range = if random.once_in(UNCAPPED) {
            u64::MAX
        } else {
            let doubled = 1_u64.checked_shl((number / DOUBLES_AFTER).min(64) as u32);
            FIRST_RANGE.saturating_mul(doubled.unwrap_or(u64::MAX))
        };
        let is_kept = !self.seen.is_empty() && random.once_in(3);
        let kept = is_kept.then(|| &self.seen[random.index(self.seen.len())]);
        let count = numbers(&self.args).count();
        let large =
            (count > 1 && kept.is_none() && random.once_in(ONE_LARGE)).then(|| random.index(count));
        // The index may be one beyond the last number. Then no number changes, and the call differs
        // only in its seeds and choices.
        let changed = kept.map_or(0, |kept| random.index(kept.len() + 1));
        let mut at = 0;
        let mut drawn = Vec::with_capacity(self.args.len());
        for arg in &self.args {
            let mut text = String::new();
            for piece in arg {
                match piece {
                    Piece::Text(part) => text.push_str(part),
                    Piece::Choice(parts) => text.push_str(&parts[random.index(parts.len())]),
                    Piece::Seed => text.push_str(&random.between(0, SEEDS - 1).to_string()),
                    Piece::Number(low, high) => {
                        let range = match large {
                            None => range,
                            Some(large) if large == at => range.max(MIN_LARGE_RANGE),
                            Some(_) => FIRST_RANGE,
                        };
                        let own = kept.and_then(|kept| kept.get(at)).copied();
                        // A number of the package that is far beyond the current range is drawn
                        // again, so that early inputs stay small.
                        let number = match own.filter(|_| at != changed) {
                            Some(own) if within(own, *low, range) => own,
                            _ => draw_number(random, *low, *high, range),
                        };
                        at += 1;
                        text.push_str(&number.to_string());
                    }
                }
            }
            drawn.push(text);
        }
        drawn
    }

    /// The smallest values of the numbers among the arguments, by argument, each with the text
    /// before it. `None` for an argument that does not end with its only number.
    pub(crate) fn lower_bounds(&self) -> Vec<Option<(String, i64)>> {
        let low = |arg: &Vec<Piece>| match arg.as_slice() {
            [Piece::Number(low, _)] => Some((String::new(), *low)),
            [Piece::Text(name), Piece::Number(low, _)] => Some((name.clone(), *low)),
            _ => None,
        };
        self.args.iter().map(low).collect()
    }

    /// The indices of arguments that consist only of a seed.
    pub(crate) fn seeds(&self) -> Vec<usize> {
        let is_seed = |arg: &Vec<Piece>| arg.as_slice() == [Piece::Seed];
        self.args
            .iter()
            .enumerate()
            .filter(|(_, arg)| is_seed(arg))
            .map(|(index, _)| index)
            .collect()
    }
}

fn within(number: i64, low: i64, range: u64) -> bool {
    number.abs_diff(low.max(0)) <= range.saturating_mul(8)
}

fn draw_number(random: &mut Random, low: i64, high: i64, range: u64) -> i64 {
    let capped_high = if low >= 0 {
        low.saturating_add_unsigned(range).min(high)
    } else {
        high.min(0_i64.saturating_add_unsigned(range))
    };
    let capped_low = if low < 0 {
        low.max(0_i64.saturating_sub_unsigned(range))
            .min(capped_high)
    } else {
        low
    };
    match random.below(8) {
        0 => capped_high,
        1 => capped_low,
        _ => random.near(capped_low, capped_high),
    }
}

/// Returns a different seed for each number.
pub(crate) fn other_seed(seed: &str, number: u64) -> String {
    let mut random = Random::for_number(
        seed.bytes()
            .fold(0, |sum, byte| sum.wrapping_mul(257) + u64::from(byte)),
        number,
    );
    random.between(0, SEEDS - 1).to_string()
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
