//! A library for input validators, generators, output validators and interactors of problem
//! packages.
//!
//! Responsible for the common parts of such programs: strict reading with positions, logged bounds,
//! random numbers that are the same everywhere, and the calls and exit codes of each kind of
//! program. Must not know any problem, or depend on anything but the standard library: it is
//! compiled by plain `rustc`, or included as a module in a program, which other judges compile in
//! editions as old as 2015. In those editions, `panic!` and `assert!` only format arguments that
//! follow the text.
//!
//! The judge makes the library available to every Rust program of a package with a line
//! `use testlib::…`.
//!
//! # An input validator
//!
//! It reads the input byte by byte, as the statement defines it. It exits with code 42 if the input
//! is valid, or reports the position of the first fault and exits with code 43.
//!
//! ```no_run
//! fn main() {
//!     testlib::validate_input(|input, _args| {
//!         let n: usize = input.int("n", 1..=100_000);
//!         input.newline();
//!         let _a: Vec<i64> = input.ints("a", n, 0..=1_000_000_000);
//!         input.newline();
//!     })
//! }
//! ```
//!
//! # A generator
//!
//! It is called with options and a seed at the end: `generate --n 10 --kind path 42`.
//!
//! ```no_run
//! use testlib::generate::{tree, TreeShape};
//!
//! fn main() {
//!     testlib::generate(|args, out| {
//!         let n: usize = args.int("n", 1..=100_000);
//!         let shape: TreeShape = args.parse_or("kind", TreeShape::Uniform);
//!         let mut random = args.random();
//!         writeln!(out, "{n}");
//!         write!(out, "{}", tree(&mut random, n, shape).lines());
//!     })
//! }
//! ```
//!
//! # An output validator
//!
//! ```no_run
//! use testlib::Tolerance;
//!
//! fn main() {
//!     testlib::validate_output(|judge| {
//!         let right = judge.answer.float("length", 0.0..=1e18);
//!         let found = judge.team.float("length", 0.0..=f64::MAX);
//!         if !Tolerance::both(1e-6).accepts(right, found) {
//!             judge.wrong(format_args!("expected a length of {right}, found {found}"));
//!         }
//!     })
//! }
//! ```
//!
//! # Stability
//!
//! Within one major version, the bytes that generators write for the same arguments never change,
//! on any platform.

#![expect(clippy::needless_doctest_main, reason = "whole programs are shown")]
#![allow(
    clippy::uninlined_format_args,
    reason = "before edition 2021 `panic!` and `assert!` take no names in their text"
)]

mod args;
mod bounds;
mod chars;
mod ending;
mod float;
mod graph;
mod judge;
mod number;
mod points;
mod programs;
mod random;
mod reader;
mod scanner;
mod sequence;
mod text;
mod tree;

pub use self::args::Args;
pub use self::chars::Chars;
pub use self::float::Tolerance;
pub use self::graph::Graph;
pub use self::judge::Judge;
pub use self::number::Integer;
pub use self::programs::{generate, interact, validate_input, validate_output};
pub use self::random::Random;
pub use self::reader::Reader;
pub use self::text::{join, Text};

/// Functions that generate random data, each from the given [`Random`].
pub mod generate {
    pub use super::graph::{
        bipartite_graph, complete_graph, cycle_graph, dag, graph, grid_graph, Graph,
    };
    pub use super::points::points;
    pub use super::sequence::{
        balanced_brackets, distinct_integers, integers, partition, permutation, string, strings,
    };
    pub use super::tree::{connected_graph, tree, TreeShape};
}
