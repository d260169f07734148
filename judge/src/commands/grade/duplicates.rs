//! Duplicates: equal requests, which are judged once.
//!
//! Responsible for requests that wait for the result of an equal one, and for a bound on the
//! results that are kept. Must not know what judges a program.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};

use judge_event::{GradeRequest, GradeResult, RequestId};
use serde::Serialize;

use super::intake::{Sequence, locked};

/// The maximum number of results that are kept. Each takes about a kilobyte, so all of them take a
/// fifth of the memory of the process. A later request finds its results in the store.
const MAX_RESULTS: usize = 4_000;
/// The maximum size of a kept result, in bytes. Larger results are rare, and all kept ones must fit
/// in memory.
const MAX_RESULT_BYTES: usize = 4 << 10;

/// The identity of a request: two hashes of everything in it except its name and priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RequestKey([u64; 2]);

/// A request that waits for the result of an equal one.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) sequence: Sequence,
    pub(super) line: u64,
    pub(super) id: Option<RequestId>,
}

/// The outcome of claiming a request.
#[derive(Debug)]
pub(super) enum Claim {
    /// There is no equal request.
    Free,
    /// An equal request is in progress, and will provide the result.
    Waits,
    /// The result of an equal request.
    Known(Arc<GradeResult>),
}

#[derive(Debug)]
enum RequestState {
    Running(Vec<Waiting>),
    Done(Arc<GradeResult>),
}

#[derive(Debug, Default)]
struct KnownRequests {
    entries: HashMap<RequestKey, RequestState>,
    /// The requests with results, the oldest first.
    done: VecDeque<RequestKey>,
}

/// Requests in progress and recent results, to judge equal requests once.
#[derive(Debug)]
pub(super) struct Duplicates {
    /// False when equal requests are judged separately.
    is_enabled: bool,
    hashers: [RandomState; 2],
    state: Mutex<KnownRequests>,
}

impl Duplicates {
    pub(super) fn new(is_enabled: bool) -> Self {
        Self {
            is_enabled,
            hashers: [RandomState::new(), RandomState::new()],
            state: Mutex::default(),
        }
    }

    /// The key of a request whose name was taken out; `None` when it has to be judged in any case,
    /// such as for a program on this host, whose content may change.
    pub(super) fn key(&self, request: &GradeRequest) -> Option<RequestKey> {
        (self.is_enabled && request.path.is_none())
            .then(|| RequestKey(hashes(&self.hashers, request)))
    }

    /// Claims a request.
    pub(super) fn claim(&self, key: RequestKey, waiting: impl FnOnce() -> Waiting) -> Claim {
        match locked(&self.state)
            .entries
            .entry(key)
            .or_insert_with(|| RequestState::Running(Vec::new()))
        {
            RequestState::Done(result) => Claim::Known(Arc::clone(result)),
            // The first request finds the empty list that it has just inserted.
            RequestState::Running(others) if others.capacity() == 0 => {
                others.reserve(1);
                Claim::Free
            }
            RequestState::Running(others) => {
                others.push(waiting());
                Claim::Waits
            }
        }
    }

    /// Keeps the result of a claimed request, and returns the requests that wait for it. `None` and
    /// errors are not kept.
    pub(super) fn finish(&self, key: RequestKey, result: Option<&GradeResult>) -> Vec<Waiting> {
        // The size bounds the memory of results that are kept for later duplicates. Measuring it
        // takes time, so it happens before the lock is held.
        let is_small = |result: &&GradeResult| {
            serde_json::to_vec(result).is_ok_and(|bytes| bytes.len() <= MAX_RESULT_BYTES)
        };
        // An error may be gone at the next attempt.
        let kept = result
            .filter(|result| result.error.is_none())
            .filter(is_small)
            .cloned();
        let mut state = locked(&self.state);
        let waiting = match state.entries.remove(&key) {
            Some(RequestState::Running(waiting)) => waiting,
            _ => Vec::new(),
        };
        if let Some(result) = kept {
            state
                .entries
                .insert(key, RequestState::Done(Arc::new(result)));
            state.done.push_back(key);
            if state.done.len() > MAX_RESULTS
                && let Some(oldest) = state.done.pop_front()
            {
                state.entries.remove(&oldest);
            }
        }
        waiting
    }
}

/// Two hashes of everything in a document. Their seeds are secret, so that no client can write two
/// documents with equal hashes.
pub(super) fn hashes(hashers: &[RandomState; 2], document: &impl Serialize) -> [u64; 2] {
    let bytes = serde_json::to_vec(document).expect("a document has string keys only");
    hashers.each_ref().map(|hasher| hasher.hash_one(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> GradeRequest {
        GradeRequest {
            id: None,
            ..GradeRequest::parse(line.as_bytes()).unwrap()
        }
    }

    #[test]
    fn equal_requests_are_judged_once() {
        let duplicates = Duplicates::new(true);
        let key = |line: &str| duplicates.key(&request(line));
        let one = key(r#"{"id": 1, "problem": "sum", "source": "x", "language": "c"}"#).unwrap();
        assert_eq!(
            Some(one),
            key(r#"{"language": "c", "source": "x", "problem": "sum"}"#)
        );
        assert_ne!(
            Some(one),
            key(r#"{"problem": "sum", "source": "x", "language": "c", "stop": "never"}"#)
        );
        assert_eq!(key(r#"{"problem": "sum", "path": "a.c"}"#), None);
        let waiting = |line| {
            move || Waiting {
                sequence: Sequence(line),
                line,
                id: None,
            }
        };
        assert!(matches!(duplicates.claim(one, waiting(1)), Claim::Free));
        assert!(matches!(duplicates.claim(one, waiting(2)), Claim::Waits));
        assert!(matches!(duplicates.claim(one, waiting(3)), Claim::Waits));
        let result = GradeResult {
            passed: 7,
            ..GradeResult::default()
        };
        let lines: Vec<u64> = duplicates
            .finish(one, Some(&result))
            .iter()
            .map(|request| request.line)
            .collect();
        assert_eq!(lines, [2, 3]);
        assert!(
            matches!(duplicates.claim(one, waiting(4)), Claim::Known(known) if known.passed == 7)
        );
    }

    #[test]
    fn abandoned_requests_can_be_claimed_again() {
        let duplicates = Duplicates::new(true);
        let key = duplicates
            .key(&request(
                r#"{"problem": "sum", "source": "x", "language": "c"}"#,
            ))
            .unwrap();
        let waiting = || Waiting {
            sequence: Sequence(1),
            line: 1,
            id: None,
        };
        assert!(matches!(duplicates.claim(key, waiting), Claim::Free));
        assert!(duplicates.finish(key, None).is_empty());
        assert!(matches!(duplicates.claim(key, waiting), Claim::Free));
    }
}
