//! Limits of a problem: what a submission may use, and what the package's own programs are
//! guaranteed.
//!
//! Responsible for the values and their defaults. Must not know how they are enforced.

use std::time::Duration;

use serde::{Deserialize, Serialize};

const MIB: u64 = 1 << 20;

/// Limits as a package states them (package format 2025-09, "Problem Metadata", key `limits`), in
/// seconds and bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// CPU time of a submission on one test case; `None` when the package leaves it to be inferred.
    #[serde(rename = "time_limit_us", with = "optional_micros")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub time_limit: Option<Duration>,
    /// `time_multipliers.ac_to_time_limit`: the slowest accepted run times this must fit in the
    /// time limit.
    pub ac_to_time_limit: f64,
    /// `time_multipliers.time_limit_to_tle`: a submission that should be too slow must exceed the
    /// time limit times this.
    pub time_limit_to_tle: f64,
    /// The unit of inferred time limits, which are multiples of it.
    #[serde(rename = "time_resolution_us", with = "micros")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub time_resolution: Duration,
    /// Memory of a submission, in bytes.
    pub memory_bytes: u64,
    /// Output of a submission, in bytes.
    pub output_bytes: u64,
    /// Size of a submission's source, in bytes.
    pub code_bytes: u64,
    /// CPU time of compiling a submission.
    #[serde(rename = "compilation_time_us", with = "micros")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub compilation_time: Duration,
    /// Memory for compiling a submission, in bytes.
    pub compilation_memory_bytes: u64,
    /// CPU time of an output validator on one test case.
    #[serde(rename = "validation_time_us", with = "micros")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub validation_time: Duration,
    /// Memory of an output validator, in bytes.
    pub validation_memory_bytes: u64,
    /// Output of an output validator, feedback files included, in bytes.
    pub validation_output_bytes: u64,
}

impl Default for Limits {
    /// The format's typical system defaults; only the time limit has none.
    fn default() -> Self {
        Self {
            time_limit: None,
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
            time_resolution: Duration::from_secs(1),
            memory_bytes: 2048 * MIB,
            output_bytes: 8 * MIB,
            code_bytes: 128 << 10,
            compilation_time: Duration::from_secs(60),
            compilation_memory_bytes: 2048 * MIB,
            validation_time: Duration::from_secs(60),
            validation_memory_bytes: 2048 * MIB,
            validation_output_bytes: 8 * MIB,
        }
    }
}

/// A time in whole microseconds, rounded down.
#[must_use]
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Serialises durations as whole microseconds. The name of the key contains the unit.
mod micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(super::micros(*time))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}

/// Serialises optional durations as whole microseconds.
mod optional_micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(super::micros).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_trip_as_microseconds() {
        let limits = Limits {
            time_limit: Some(Duration::from_millis(1500)),
            ..Limits::default()
        };
        let json = serde_json::to_value(&limits).unwrap();
        assert_eq!(json["time_limit_us"], 1_500_000);
        assert_eq!(json["compilation_time_us"], 60_000_000);
        assert_eq!(serde_json::from_value::<Limits>(json).unwrap(), limits);
        let json = serde_json::to_value(Limits::default()).unwrap();
        assert!(json["time_limit_us"].is_null());
    }
}
