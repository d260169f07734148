//! The speed of this host beside that of the reference.
//!
//! Responsible for its shape and text. Must not measure anything.

use serde::Serialize;

use crate::text::line::Tone;
use crate::text::page::Page;

/// The factor by which this host is slower than the reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The factor over all kinds of work.
    pub factor: f64,
    /// The factor of the kind that fares best here.
    pub lowest: f64,
    /// The factor of the kind that fares worst here.
    pub highest: f64,
    /// The largest distance between runs of the same work, as a share of their median.
    pub noise: f64,
    /// Each kind of work.
    pub kinds: Vec<CalibratedKind>,
}

/// One kind of work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibratedKind {
    /// Its name.
    pub kind: String,
    /// The median of its CPU times here.
    pub seconds: f64,
    /// Its CPU time on the reference.
    pub reference_seconds: f64,
    /// The first by the second.
    pub factor: f64,
    /// The distance between the fastest and the slowest run, as a share of the median.
    pub spread: f64,
}

/// A share of noise from which nothing should be concluded.
const TOO_NOISY: f64 = 0.15;

impl Calibration {
    pub(super) fn write(&self, page: &mut Page) {
        for of in &self.kinds {
            let text = format!(
                "{:<8} {:.3} s, {:.2} times the reference of {:.3} s; runs lie {:.0} % apart",
                of.kind,
                of.seconds,
                of.factor,
                of.reference_seconds,
                of.spread * 100.0
            );
            page.wrapped(2, Tone::Plain, &text);
        }
        let text = format!(
            "this host takes {:.2} times as long as the reference; by kind {:.2} to {:.2} times",
            self.factor, self.lowest, self.highest
        );
        page.wrapped(2, Tone::Strong, &text);
        if self.noise > TOO_NOISY {
            let text = "runs of the same work differ too much to be sure of that: try again when nothing else runs";
            page.wrapped(2, Tone::Warn, text);
        }
        let text = format!(
            "nothing was changed. Where time limits are meant for the reference, write `time_factor: {}` into judge.yaml; \
             where they are meant for another host, calibrate that too and divide",
            self.factor
        );
        page.wrapped(2, Tone::Dim, &text);
    }
}
