//! The number of a shard and the number of shards.
//!
//! Responsible for the form `K/N`. Must not know what is in a shard.

use std::fmt;
use std::str::FromStr;

/// The maximum number of shards. More than batch systems accept as one array of jobs by default.
pub const MAX_SHARDS: u64 = 10_000;

/// Shard `number` of `count`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// The number of the shard.
    pub number: u64,
    /// The number of shards.
    pub count: u64,
}

/// The error for a text that is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected the number of a shard, from 1, and the number of shards, such as `3/16`; found `{found}`"
)]
pub struct UnknownShard {
    /// The text.
    pub found: String,
}

impl Shard {
    /// The whole run as one shard.
    pub const WHOLE: Self = Self {
        number: 1,
        count: 1,
    };
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = UnknownShard;

    fn from_str(text: &str) -> Result<Self, UnknownShard> {
        let parts = text
            .split_once('/')
            .and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((number, count)) if (1..=count).contains(&number) && count <= MAX_SHARDS => {
                Ok(Self { number, count })
            }
            _ => Err(UnknownShard {
                found: text.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_parsed() {
        assert_eq!(
            "3/16".parse(),
            Ok(Shard {
                number: 3,
                count: 16
            })
        );
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        for text in [
            "", "3", "0/4", "5/4", "1/0", "/", "a/4", "1/4/2", "-1/4", "1/10001",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
