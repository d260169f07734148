//! The instructions of filters, and answers to a call that test one argument.
//!
//! Responsible for the layout of `struct seccomp_data` and the numbers of architectures. Must not
//! know any call. See seccomp(2).

use libc::sock_filter;

pub(super) const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
pub(super) const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
pub(super) const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
pub(super) const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
pub(super) const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA | libc::BPF_K) as u16;
pub(super) const MASK: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
pub(super) const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

pub(super) const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
pub(super) const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;

// Offsets in `struct seccomp_data`; the low halves of arguments on little-endian machines.
pub(super) const NUMBER: u32 = 0;
pub(super) const ARCHITECTURE: u32 = 4;
pub(super) const FIRST_ARGUMENT: u32 = 16;
pub(super) const SECOND_ARGUMENT: u32 = 24;
pub(super) const THIRD_ARGUMENT: u32 = 32;
pub(super) const FOURTH_ARGUMENT: u32 = 40;
pub(super) const SIXTH_ARGUMENT: u32 = 56;

#[cfg(target_arch = "x86_64")]
pub(super) const OURS: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
pub(super) const OURS: u32 = 0xC000_00B7;

/// x32 calls, which share the architecture of x86-64 but bypass its numbers. arm64 has no such
/// calls.
pub(super) const X32: u32 = 0x4000_0000;

pub(super) fn errno(error: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | error.cast_unsigned()
}

pub(super) const fn step(code: u16, k: u32) -> sock_filter {
    sock_filter {
        code,
        jt: 0,
        jf: 0,
        k,
    }
}

pub(super) const fn jump(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// The answer to one call: instructions that return in every case.
pub(super) type Answer = Vec<sock_filter>;

pub(super) fn always(answer: u32) -> Answer {
    vec![step(RETURN, answer)]
}

/// `matching` if the argument at `offset` is one of `values`, and `other` if not.
pub(super) fn one_of(offset: u32, values: &[u32], matching: u32, other: u32) -> Answer {
    let mut answer = vec![step(LOAD, offset)];
    for (index, value) in values.iter().enumerate() {
        answer.push(jump(EQUAL, *value, (values.len() - index) as u8, 0));
    }
    answer.extend([step(RETURN, other), step(RETURN, matching)]);
    answer
}

/// `matching` if the argument at `offset` has one of `bits`, and permission if not.
pub(super) fn with_bits(offset: u32, bits: u32, matching: u32) -> Answer {
    vec![
        step(LOAD, offset),
        jump(ANY_BIT, bits, 0, 1),
        step(RETURN, matching),
        step(RETURN, ALLOW),
    ]
}
