//! Sharding: a run that is split between hosts, and its shards merged into one run.
//!
//! Responsible for the partition, which is a pure function of costs and a number of shards, and for
//! the event stream that is merged from all shards. Must not know how shards are started on hosts,
//! how programs are run, or how events are rendered.
//!
//! # Example
//!
//! ```
//! use judge_sharding::{format_numbers, partition};
//!
//! // Five submissions, one of which takes as long as all others together.
//! let shards = partition(&[1, 1, 4, 1, 1], 2);
//! assert_eq!(shards.iter().map(Vec::len).sum::<usize>(), 5);
//! assert!(shards.iter().any(|shard| shard == &[2]));
//! assert_eq!(format_numbers([1, 2, 3, 7]), "1-3,7");
//! ```

mod digest;
mod durations;
mod error;
mod finding;
mod merging;
mod numbers;
mod partition;
mod shard;
mod shard_events;

pub use digest::{Digester, digest_of_package};
pub use durations::{Durations, Work};
pub use error::ShardingError;
pub use finding::{Fault, Shards};
pub use merging::{Merged, merge};
pub use numbers::{format_numbers, parse_numbers};
pub use partition::partition;
pub use shard::{MAX_SHARDS, Shard, UnknownShard};
pub use shard_events::ShardEvents;
