//! Sharding: one run, cut so that many hosts can carry it out, and put together again from what they wrote.
//!
//! Responsible for the partition, which is a pure function of costs and a number of shards; for the files of shards,
//! which have their names only when they are whole; and for the one stream of events that whole shards make. Must not
//! know what starts a shard on a host, how anything is run, or how events are shown.
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

mod composing;
mod digest;
mod durations;
mod error;
mod local;
mod numbers;
mod partition;
mod shard;
mod shard_file;
mod stored;
mod survey;
mod take_over;

pub use composing::{compose, replay};
pub use digest::{Digester, digest_of_package, digest_of_tree};
pub use durations::{Durations, Work};
pub use error::ShardingError;
pub use local::{LocalPackages, relocate};
pub use numbers::{format_numbers, parse_numbers};
pub use partition::partition;
pub use shard::{MAX_SHARDS, Shard, UnknownShard};
pub use shard_file::ShardFile;
pub use stored::{Block, Stored, StoredProblem};
pub use survey::{Fault, Survey, Unfinished, survey};
pub use take_over::{TakenOver, there_already};
