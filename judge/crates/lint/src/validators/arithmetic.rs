//! Arithmetic of bounds in statements: `2 * 10^5`, `2^{31}-1`, `1,000,000`.
//!
//! Pure. Responsible for the value of such an expression. Must not know TeX beyond braces and
//! `\frac`.

/// The value of an expression; `None` when it is not a number.
pub(crate) fn evaluate(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = if has_thousands(&text) {
        text.replace(',', "")
    } else {
        text
    };
    let mut expression = Expression {
        rest: text.as_bytes(),
    };
    let value = expression.sum(0)?;
    (expression.rest.is_empty() && value.is_finite()).then_some(value)
}

/// Returns true when every comma separates thousands.
fn has_thousands(text: &str) -> bool {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default().trim_start_matches('-');
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    text.contains(',')
        && (1..=3).contains(&first.len())
        && digits(first)
        && groups.all(|g| g.len() == 3 && digits(g))
}

/// The maximum depth of parentheses. No bound needs more.
const MAX_DEPTH: usize = 16;

struct Expression<'a> {
    rest: &'a [u8],
}

impl Expression<'_> {
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.rest.first() == Some(&byte);
        if is_next {
            self.rest = &self.rest[1..];
        }
        is_next
    }

    fn sum(&mut self, depth: usize) -> Option<f64> {
        let negative = self.take(b'-');
        let mut value = self.product(depth)?;
        if negative {
            value = -value;
        }
        loop {
            if self.take(b'+') {
                value += self.product(depth)?;
            } else if self.take(b'-') {
                value -= self.product(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Option<f64> {
        let mut value = self.power(depth)?;
        loop {
            if self.take(b'*') {
                value *= self.power(depth)?;
            } else if self.take(b'/') {
                value /= self.power(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn power(&mut self, depth: usize) -> Option<f64> {
        let base = self.number(depth)?;
        if !self.take(b'^') {
            return Some(base);
        }
        // Without braces TeX takes one digit, but authors mean all of them.
        let negative = self.take(b'-');
        let exponent = self.number(depth)?;
        let power = powered(base, exponent)?;
        if negative {
            Some(1.0 / power)
        } else {
            Some(power)
        }
    }

    fn number(&mut self, depth: usize) -> Option<f64> {
        for (open, close) in [(b'{', b'}'), (b'(', b')')] {
            if self.take(open) {
                let value = if depth < MAX_DEPTH {
                    self.sum(depth + 1)?
                } else {
                    return None;
                };
                return self.take(close).then_some(value);
            }
        }
        let length = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
            .count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        str::from_utf8(digits).ok()?.parse().ok()
    }
}

/// A power with an integer exponent. Repeated multiplication keeps powers of ten exact up to 10^22.
fn powered(base: f64, exponent: f64) -> Option<f64> {
    if exponent.fract() != 0.0 || exponent.abs() > 400.0 {
        return None;
    }
    let mut value = 1.0;
    let mut left = exponent.abs();
    while left > 0.0 {
        value *= base;
        left -= 1.0;
    }
    Some(if exponent < 0.0 { 1.0 / value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_evaluated() {
        for (text, value) in [
            ("5", 5.0),
            ("-10^9", -1e9),
            ("10^{18}", 1e18),
            ("2*10^5", 2e5),
            ("2^{31}-1", 2_147_483_647.0),
            ("10^9+7", 1_000_000_007.0),
            ("1,000,000", 1e6),
            ("100 000", 1e5),
            ("10^{-6}", 1e-6),
            ("0.5", 0.5),
            ("(3+4)*2", 14.0),
            ("10^5/2", 5e4),
        ] {
            let found = evaluate(text);
            assert!(
                found.is_some_and(|found| (found - value).abs() <= value.abs() * 1e-15),
                "{text}: {found:?}"
            );
        }
        for text in [
            "", "n", "10^n", "1,2", "1,0000", "5n", "1.2.3", "10^", "(1", "1/0", "10^999",
            "{{max}}",
        ] {
            assert_eq!(evaluate(text), None, "{text}");
        }
        assert_eq!(evaluate(&"(".repeat(10_000)), None);
    }
}
