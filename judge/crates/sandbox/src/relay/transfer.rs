//! The relay between the two sides of a conversation.
//!
//! Responsible for carrying bytes, for deciding whose turn it is, and for the time at which a side
//! is notified that the other one has ended. Must not know how a side is run.
//!
//! The side that ended first decides about verdicts, so it must not depend on chance. Two rules
//! ensure that. First, a closed stream is passed on only when its process is known to be alive, or
//! else after its end has been reported: no side can react to an end before that is recorded.
//! Second, a side is notified of the other one's end only when it waits for input, so the end
//! cannot influence anything that it had already decided to do.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use judge_model::Limit;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::clock::{now, timespec};
use crate::proc::state::ProcessState;
use crate::relay::conversation::{Conversation, First, Listener, Mailbox, Partner, with_reason};
use crate::relay::peer::Peer;
use crate::relay::pipe::PipeFlow;
use crate::streams::duplex::{Duplex, Observation};
use crate::{CancelToken, Finished, RunLimits, SandboxError};

/// The pause before both sides are observed, if no bytes have moved: the first and the maximum one.
const OBSERVATION_PAUSE: (Duration, Duration) =
    (Duration::from_millis(20), Duration::from_millis(200));
/// The pause while one side has yet to be notified that the other one has closed its output or has
/// ended.
const SHORT_PAUSE: Duration = Duration::from_millis(5);
/// The grace time before a side that may be waiting is notified of the other one's end.
const GRACE: Duration = Duration::from_millis(60);
/// The grace time for a side that does not seem to wait, or whose state is not known yet, as on an
/// overloaded host.
const LONG_GRACE: Duration = Duration::from_secs(2);
/// The CPU time between two observations above which a side counts as computing, in nanoseconds.
const COMPUTING_NS: u64 = 500_000;
/// The number of consecutive observations that must show both sides waiting.
const MIN_WAITING_OBSERVATIONS: u32 = 2;

/// The relay of one conversation.
pub(crate) struct Relay<'a> {
    peers: [Peer<'a>; 2],
    /// The flows from each side to the other one.
    flows: [PipeFlow; 2],
    cancel: &'a CancelToken,
    begun: Instant,
    /// The time up to which time has been accounted for.
    accounted: Instant,
    /// The time of the last event, and the number of observations since.
    last: Instant,
    observations: u32,
    next_observation: Instant,
    waiting_observations: u32,
    deadlock: bool,
}

impl<'a> Relay<'a> {
    pub(crate) fn new(
        lines: [(Duplex, [OwnedFd; 2]); 2],
        limits: [RunLimits; 2],
        tokens: [CancelToken; 2],
        mailboxes: &'a [Mailbox; 2],
        cancel: &'a CancelToken,
    ) -> Result<Self, SandboxError> {
        let [(line0, [to0, from0]), (line1, [to1, from1])] = lines;
        let flows = [
            PipeFlow::new(from0, to1, limits[0].stdout_bytes)?,
            PipeFlow::new(from1, to0, limits[1].stdout_bytes)?,
        ];
        let [limits0, limits1] = limits;
        let [token0, token1] = tokens;
        let peers = [
            Peer::new(line0, limits0, token0, &mailboxes[0]),
            Peer::new(line1, limits1, token1, &mailboxes[1]),
        ];
        let begun = Instant::now();
        Ok(Self {
            peers,
            flows,
            cancel,
            begun,
            accounted: begun,
            last: begun,
            observations: 0,
            next_observation: begun + OBSERVATION_PAUSE.0,
            waiting_observations: 0,
            deadlock: false,
        })
    }

    pub(crate) fn lines(&self) -> [Duplex; 2] {
        self.peers.each_ref().map(|peer| peer.line.clone())
    }

    /// Carries bytes until both sides have ended.
    pub(crate) fn relay(&mut self, listener: &mut dyn Listener) -> Result<(), SandboxError> {
        while self.peers.iter().any(|peer| peer.finished.is_none()) {
            let turn = self.turn();
            let ready = self
                .wait(turn)
                .map_err(SandboxError::host("wait for a conversation"))?;
            // The elapsed time is attributed by the turn that was known when the wait began.
            self.account(turn);
            self.carry(&ready, listener);
            self.record_ends(listener)?;
            self.record_observations();
            self.pass_on_ends();
            self.observe();
            self.enforce_time(listener);
            if self.cancel.is_cancelled() {
                self.peers.iter().for_each(|peer| peer.cancel.cancel());
            }
        }
        Ok(())
    }

    /// The conversation, once both sides have ended.
    pub(crate) fn conversation(self) -> Result<Conversation, SandboxError> {
        // The ends were recorded by the inits on one monotonic clock, so they can be compared
        // although two zygotes reported them.
        let ended = self
            .peers
            .each_ref()
            .map(|peer| peer.finished.as_ref().map(|finished| finished.ended));
        // If the later side had not been notified of the earlier end, it ended for its own reasons,
        // and their order is chance.
        let earlier = usize::from(ended[1] < ended[0]);
        let later = &self.peers[1 - earlier];
        let was_notified = later
            .notified_at
            .is_some_and(|notified| Some(notified) < ended[1 - earlier]);
        let first = if was_notified || later.dismissed {
            First::Side(earlier)
        } else {
            First::ByChance(earlier)
        };
        let written = self.flows.each_ref().map(|flow| flow.total);
        let starved =
            self.peers[0].own_time >= RunLimits::max_elapsed(self.peers[0].limits.wall_time);
        let mut sides = self
            .peers
            .into_iter()
            .zip(written)
            .filter_map(|(peer, written)| {
                peer.finished
                    .map(|finished| with_reason(finished, peer.reason, written))
            });
        let (Some(one), Some(other)) = (sides.next(), sides.next()) else {
            return Err(SandboxError::helper("a side of a conversation has no end"));
        };
        Ok(Conversation {
            sides: [one, other],
            first,
            deadlock: self.deadlock,
            starved,
        })
    }

    fn is_over(&self, side: usize) -> bool {
        self.peers[side].finished.is_some()
    }

    /// The number of bytes that have moved in either direction so far. It changes with every event.
    fn moved(&self) -> u64 {
        self.flows.iter().map(|flow| flow.moved).sum()
    }

    /// True if a side has read all of its input.
    fn is_fed(&self, side: usize) -> bool {
        self.flows[1 - side].is_delivered()
    }

    /// The turn: for each side, true if the time that passes now counts as its own.
    fn turn(&self) -> [bool; 2] {
        if self.is_over(0) || self.is_over(1) {
            return [!self.is_over(0), !self.is_over(1)];
        }
        match [self.is_fed(0), self.is_fed(1)] {
            // Both have read everything, so the turn depends on what they do now.
            [true, true] => {}
            fed => return fed.map(|fed| !fed),
        }
        match self.peers.each_ref().map(Peer::may_wait) {
            [Some(one), Some(other)] if one != other => [!one, !other],
            // Both do something, or both may be waiting.
            [Some(_), Some(_)] => [true, true],
            // Unknown: the time belongs to the side that last received bytes.
            _ => match [self.flows[0].spoke_at, self.flows[1].spoke_at] {
                [Some(zero), other] if other.is_none_or(|one| zero > one) => [false, true],
                [_, Some(_)] => [true, false],
                _ => [true, true],
            },
        }
    }

    fn account(&mut self, turn: [bool; 2]) {
        let now = Instant::now();
        for (peer, own) in self.peers.iter_mut().zip(turn) {
            if own {
                peer.own_time += now - self.accounted;
            }
        }
        self.accounted = now;
    }

    /// Waits until something can be done. Returns for each flow whether it can be read and whether
    /// it can be written.
    fn wait(&self, turn: [bool; 2]) -> Result<[(bool, bool); 2], Errno> {
        let own = |side: usize| {
            let peer = &self.peers[side];
            let min_wait = if peer.overdue.is_some() {
                SHORT_PAUSE
            } else {
                Duration::ZERO
            };
            (turn[side] && peer.reason.is_none()).then(|| peer.time_left().max(min_wait))
        };
        let until_observation = self
            .next_observation
            .saturating_duration_since(Instant::now());
        let pause = [own(0), own(1)]
            .into_iter()
            .flatten()
            .fold(until_observation, Duration::min);
        let timeout = timespec(pause);
        let mut polled = Vec::with_capacity(9);
        if !self.cancel.is_cancelled() {
            polled.push(PollFd::new(self.cancel, PollFlags::IN));
        }
        for peer in self.peers.iter().filter(|peer| peer.finished.is_none()) {
            polled.push(PollFd::new(&peer.mailbox.bell, PollFlags::IN));
            polled.push(PollFd::new(peer.line.answers(), PollFlags::IN));
        }
        let first = polled.len();
        for flow in &self.flows {
            polled.extend(flow.readable().map(|fd| PollFd::new(fd, PollFlags::IN)));
            polled.extend(flow.writable().map(|fd| PollFd::new(fd, PollFlags::OUT)));
        }
        match poll(&mut polled, Some(&timeout)) {
            Err(Errno::INTR) | Ok(0) => return Ok([(false, false); 2]),
            other => other?,
        };
        let mut ready = polled[first..]
            .iter()
            .map(|polled| !polled.revents().is_empty());
        let mut next = |is_polled: bool| is_polled && ready.next() == Some(true);
        Ok(self.flows.each_ref().map(|flow| {
            (
                next(flow.readable().is_some()),
                next(flow.writable().is_some()),
            )
        }))
    }

    fn carry(&mut self, ready: &[(bool, bool); 2], listener: &mut dyn Listener) {
        let before = self.moved();
        let elapsed = self.begun.elapsed();
        for (side, (readable, writable)) in ready.iter().enumerate() {
            let flow = &mut self.flows[side];
            if *readable {
                flow.read(elapsed, |bytes| listener.wrote(side, bytes, elapsed));
            }
            if *readable || *writable {
                flow.write();
            }
            if flow.is_exceeded() {
                self.kill(side, Limit::Output);
            }
        }
        if self.moved() != before {
            self.note_event();
        }
    }

    fn note_event(&mut self) {
        self.last = Instant::now();
        self.observations = 0;
        self.waiting_observations = 0;
        // A side that has to be notified of an end is observed as soon as possible. Otherwise,
        // observing the program would disturb it for nothing.
        let wait = if self.has_pending_notice() {
            Duration::ZERO
        } else {
            OBSERVATION_PAUSE.0
        };
        self.next_observation = self.last + wait;
        // Earlier observations are outdated: a side that waited then may have been woken by these
        // bytes.
        self.peers.iter_mut().for_each(|peer| peer.state = None);
    }

    /// True if one side has yet to be notified that the other one has closed its output or has
    /// ended.
    fn has_pending_notice(&self) -> bool {
        self.flows
            .iter()
            .any(|flow| flow.is_open() && flow.closed_at().is_some())
    }

    /// Kills a side. The first reason is kept.
    fn kill(&mut self, side: usize, reason: Limit) {
        let peer = &mut self.peers[side];
        if peer.reason.is_none() && peer.finished.is_none() {
            peer.reason = Some(reason);
            peer.cancel.cancel();
        }
    }

    fn record_ends(&mut self, listener: &mut dyn Listener) -> Result<(), SandboxError> {
        for side in 0..2 {
            let peer = &mut self.peers[side];
            if peer.finished.is_some() || !peer.mailbox.bell.clear() {
                continue;
            }
            let ended = peer
                .mailbox
                .take()
                .unwrap_or_else(|| Err(SandboxError::helper("its thread was lost")));
            let finished = ended?;
            // Before the listener is notified: it must have received everything that the side
            // wrote.
            self.drain(side, listener);
            let written = self.flows[side].total;
            let reason = self.peers[side].reason;
            let outcome = with_reason(
                Finished {
                    outcome: finished.outcome.clone(),
                    work: None,
                    ended: finished.ended,
                },
                reason,
                written,
            );
            self.peers[side].finished = Some(finished);
            self.note_event();
            let other = &mut self.peers[1 - side];
            if other.finished.is_none() {
                other.dismissal = match listener.ended(side, &outcome.outcome) {
                    Partner::Continues => None,
                    Partner::Killed => Some((Instant::now(), true)),
                    Partner::KilledAfter(grace) => {
                        Instant::now().checked_add(grace).map(|end| (end, false))
                    }
                };
            }
        }
        Ok(())
    }

    /// Reads the last output of a side. It is complete: all processes that could have written are
    /// dead.
    fn drain(&mut self, side: usize, listener: &mut dyn Listener) {
        let elapsed = self.begun.elapsed();
        while let Some(fd) = self.flows[side].readable() {
            let now = timespec(Duration::ZERO);
            match poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&now)) {
                Err(Errno::INTR) => continue,
                Ok(1..) => {
                    self.flows[side].read(elapsed, |bytes| listener.wrote(side, bytes, elapsed));
                }
                _ => break,
            }
        }
        self.flows[side].write();
        self.flows[side].close_source();
        if self.flows[side].is_exceeded() {
            self.peers[side].reason.get_or_insert(Limit::Output);
        }
    }

    fn record_observations(&mut self) {
        let moved = self.moved();
        for peer in &mut self.peers {
            if let Some(Observation {
                state,
                cpu_ns,
                waited_ns,
            }) = peer.line.take_answer()
                && let Some(requested) = peer.requested.take()
            {
                peer.waited = Duration::from_nanos(waited_ns);
                peer.overdue = peer.overdue.map(|(since, _)| (since, true));
                peer.computes = peer.cpu_ns.map(|before| cpu_ns > before + COMPUTING_NS);
                peer.cpu_ns = Some(cpu_ns);
                peer.state = Some(state).filter(|_| requested == moved);
            }
        }
    }

    /// Closes the input of a side whose partner has closed its output or ended, once that is
    /// allowed.
    fn pass_on_ends(&mut self) {
        for side in 0..2 {
            let other = 1 - side;
            let Some(closed) = self.flows[side].closed_at() else {
                continue;
            };
            if !self.flows[side].is_open() || self.is_over(other) {
                continue;
            }
            let pass = if self.is_over(side) {
                let grace = match self.peers[other].state {
                    Some(ProcessState::Waiting) => Duration::ZERO,
                    Some(ProcessState::Perhaps | ProcessState::Unknown) => GRACE,
                    _ => LONG_GRACE,
                };
                self.is_fed(other) && self.last.elapsed() >= grace
            } else {
                // The speaker has closed its output but seems to be alive.
                match self.peers[side].state {
                    Some(ProcessState::Busy | ProcessState::Perhaps | ProcessState::Waiting) => {
                        true
                    }
                    Some(ProcessState::Ending) => false,
                    Some(ProcessState::Unknown) => closed.elapsed() >= GRACE,
                    None => closed.elapsed() >= LONG_GRACE,
                }
            };
            if pass && self.flows[side].is_written() {
                self.peers[other].notified_at = Some(now());
                self.flows[side].close();
                self.note_event();
            }
        }
    }

    /// Kills a side that takes too long, a side whose partner ended long enough ago, and side 0
    /// when both wait for each other.
    fn enforce_time(&mut self, listener: &mut dyn Listener) {
        let now = Instant::now();
        for side in 0..2 {
            let peer = &self.peers[side];
            let due = peer
                .dismissal
                .is_some_and(|(time, always)| time <= now && (always || !self.is_fed(side)));
            if due && peer.finished.is_none() && !peer.dismissed {
                let peer = &mut self.peers[side];
                peer.dismissed = true;
                peer.cancel.cancel();
            }
        }
        for side in 0..2 {
            if self.is_out_of_time(side, now) {
                self.kill(side, Limit::WallTime);
            }
        }
        let waiting = |side: usize| {
            let ended = self.peers[side].reason.is_some() || self.is_over(side);
            self.peers[side].state == Some(ProcessState::Waiting) && self.is_fed(side) && !ended
        };
        let open = self.flows.iter().all(PipeFlow::is_open);
        // One observation is not enough: it may show a program in `read` just before data reaches
        // it.
        if self.waiting_observations >= MIN_WAITING_OBSERVATIONS && open && waiting(0) && waiting(1)
        {
            self.deadlock = true;
            listener.deadlocked();
            self.kill(0, Limit::WallTime);
        }
    }

    /// True if a side has used up its elapsed time. An observation after that time must confirm it,
    /// because the host may have delayed the side since the last one. A side that cannot be
    /// observed counts as out of time after a while.
    fn is_out_of_time(&mut self, side: usize, now: Instant) -> bool {
        let peer = &mut self.peers[side];
        if !peer.time_left().is_zero() || peer.finished.is_some() {
            peer.overdue = None;
            return false;
        }
        let (since, observed) = *peer.overdue.get_or_insert((now, false));
        if !observed && since == now {
            self.next_observation = now;
        }
        observed || now.saturating_duration_since(since) >= LONG_GRACE
    }

    /// Requests the state of both sides if no bytes have moved for a while.
    fn observe(&mut self) {
        let now = Instant::now();
        if now < self.next_observation {
            return;
        }
        let waits =
            |peer: &Peer<'_>| peer.requested.is_none() && peer.state == Some(ProcessState::Waiting);
        self.waiting_observations = if self.peers.iter().all(waits) {
            self.waiting_observations + 1
        } else {
            0
        };
        let moved = self.moved();
        for peer in self
            .peers
            .iter_mut()
            .filter(|peer| peer.finished.is_none() && peer.requested.is_none())
        {
            peer.requested = Some(moved);
            peer.line.request();
        }
        let (min, max) = OBSERVATION_PAUSE;
        let pause = if self.has_pending_notice() {
            SHORT_PAUSE
        } else {
            (min * 2_u32.pow(self.observations.min(8))).min(max)
        };
        self.observations += 1;
        self.next_observation = now + pause;
    }
}
