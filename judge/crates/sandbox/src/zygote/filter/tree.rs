//! A search tree over the numbers of calls.
//!
//! Responsible for a filter that is short and costs little per call. Must not know what the answers
//! mean.

use libc::sock_filter;

use crate::zygote::filter::instructions::{
    ALLOW, AT_LEAST, Answer, EQUAL, JUMP, RETURN, jump, step,
};

/// Numbers of calls, with the answer to them.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// One answer for all calls from the first number to the last.
    Range(u32, u32, u32),
    /// An answer that depends on arguments.
    Special(u32, Answer),
}

impl Entry {
    pub(super) fn single(number: libc::c_long, answer: u32) -> Self {
        Self::Range(number as u32, number as u32, answer)
    }

    fn first(&self) -> u32 {
        match self {
            Self::Range(first, ..) | Self::Special(first, _) => *first,
        }
    }
}

/// The entries, sorted, with one for neighbours that get the same answer.
pub(super) fn merged(entries: Vec<(u32, Entry)>) -> Vec<Entry> {
    let mut merged: Vec<Entry> = Vec::new();
    for (number, entry) in entries {
        if let (Some(Entry::Range(_, last, answer)), Entry::Range(_, _, same)) =
            (merged.last_mut(), &entry)
            && *last + 1 == number
            && answer == same
        {
            *last = number;
        } else {
            merged.push(entry);
        }
    }
    merged
}

/// The largest number of entries in a leaf of the tree. The deeper the tree, the longer the filter;
/// the larger the leaves, the more instructions a call takes.
const MAX_LEAF_ENTRIES: usize = 4;

/// A search tree over the numbers. The kernel translates the filter whenever it is loaded, and runs
/// it once per call number (it keeps a bitmap of calls that are always allowed), so that both
/// length and depth count.
pub(super) fn tree(entries: &[Entry], filter: &mut Vec<sock_filter>) {
    if entries.len() <= MAX_LEAF_ENTRIES {
        leaf(entries, filter);
        return;
    }
    // Halving keeps the path to every number about equally short.
    let (low, high) = entries.split_at(entries.len() / 2);
    // Conditional jumps reach no further than 255 instructions, unconditional ones anywhere.
    filter.push(jump(AT_LEAST, high[0].first(), 0, 1));
    let at = filter.len();
    filter.push(step(JUMP, 0));
    tree(low, filter);
    filter[at].k = (filter.len() - at - 1) as u32;
    tree(high, filter);
}

/// Some comparisons, followed by the returns that they share.
fn leaf(entries: &[Entry], filter: &mut Vec<sock_filter>) {
    let mut returns = vec![ALLOW];
    // The places of jumps to a return, each with its index.
    let mut jumps = Vec::new();
    for entry in entries {
        match entry {
            Entry::Special(number, answer) => {
                filter.push(jump(EQUAL, *number, 0, answer.len() as u8));
                filter.extend_from_slice(answer);
            }
            Entry::Range(first, last, answer) => {
                let index = returns
                    .iter()
                    .position(|known| known == answer)
                    .unwrap_or(returns.len());
                if index == returns.len() {
                    returns.push(*answer);
                }
                if first == last {
                    jumps.push((filter.len(), index, true));
                    filter.push(jump(EQUAL, *first, 0, 0));
                } else {
                    filter.push(jump(AT_LEAST, *first, 0, 1));
                    jumps.push((filter.len(), index, false));
                    filter.push(jump(AT_LEAST, *last + 1, 0, 0));
                }
            }
        }
    }
    let end = filter.len();
    for (at, index, when) in jumps {
        let distance = (end + index - at - 1) as u8;
        if when {
            filter[at].jt = distance;
        } else {
            filter[at].jf = distance;
        }
    }
    filter.extend(returns.into_iter().map(|answer| step(RETURN, answer)));
}
