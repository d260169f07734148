//! Tests of the warnings of a comparison.

use super::*;

#[test]
fn noise_is_reported_with_a_sufficient_budget() {
    let warning = |ratio: f64, half: f64, spent_us: u64| {
        let interval = Some([ratio * (-half).exp(), ratio * half.exp()]);
        let estimate = Estimate {
            ratio,
            interval,
            rounds: 40,
            test_cases: 1,
            ..Estimate::default()
        };
        let (budget_us, others_busy, precision, margin) = (30_000_000, None, 0.0075, 0.02);
        let method = TimingMethod {
            budget_us,
            spent_us,
            others_busy,
            precision,
            margin,
            budget_needed_us: None,
        };
        noise(&method, &[&estimate])
    };
    let text = warning(1.0, 0.2, 10_000_000).unwrap_or_default();
    assert!(
        text.contains("accurate only to 22 %; `--budget 160`, a larger input"),
        "{text}"
    );
    let text = warning(1.0, 1.0, 10_000_000).unwrap_or_default();
    assert!(text.contains(" %; a larger input"), "{text}");
    assert_eq!(
        [
            warning(1.0, 0.04, 10_000_000),
            warning(9.0, 0.06, 10_000_000)
        ],
        [None, None]
    );
}
