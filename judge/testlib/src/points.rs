//! Random points.
//!
//! Responsible for points with integer coordinates. Must not know any other geometry.

// Programs that contain the library are compiled in older editions too, in which this trait is not
// in the prelude.
use std::convert::TryFrom;
use std::ops::RangeInclusive;

use super::random::Random;

/// Draws `count` different points of a rectangle, in random order.
///
/// # Panics
/// When the rectangle has fewer points.
#[track_caller]
pub fn points(
    random: &mut Random,
    count: usize,
    x: RangeInclusive<i64>,
    y: RangeInclusive<i64>,
) -> Vec<(i64, i64)> {
    let size = |range: &RangeInclusive<i64>| {
        (i128::from(*range.end()) - i128::from(*range.start()) + 1).max(0)
    };
    let area = size(&x)
        .checked_mul(size(&y))
        .expect("expected a rectangle of less than 2^127 points");
    let coordinate = |first: i64, offset: i128| {
        i64::try_from(i128::from(first) + offset).expect("it is in the range")
    };
    let numbers = random.distinct(count, 0..=area - 1).into_iter();
    numbers
        .map(|number| {
            (
                coordinate(*x.start(), number / size(&y)),
                coordinate(*y.start(), number % size(&y)),
            )
        })
        .collect()
}
