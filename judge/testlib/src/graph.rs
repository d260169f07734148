//! Random graphs, without loops and multiple edges.
//!
//! Responsible for edges between numbered vertices. Must not know their meaning.

use std::fmt::Write;

use super::random::Random;

/// A graph: vertices numbered from 0, and edges between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The number of vertices.
    pub vertices: usize,
    /// The edges. In a directed graph they go from the first to the second vertex.
    pub edges: Vec<(usize, usize)>,
}

impl Graph {
    /// Returns the same graph with its vertices renumbered at random, its edges in random order,
    /// and the ends of each edge in random order.
    #[must_use]
    pub fn shuffled(self, random: &mut Random) -> Self {
        let mut graph = self.shuffled_directed(random);
        for edge in &mut graph.edges {
            if random.chance(1, 2) {
                *edge = (edge.1, edge.0);
            }
        }
        graph
    }

    /// Returns the same directed graph with its vertices renumbered at random and its edges in
    /// random order.
    #[must_use]
    pub fn shuffled_directed(mut self, random: &mut Random) -> Self {
        let mut label: Vec<usize> = (0..self.vertices).collect();
        random.shuffle(&mut label);
        for edge in &mut self.edges {
            *edge = (label[edge.0], label[edge.1]);
        }
        random.shuffle(&mut self.edges);
        self
    }

    /// Returns a line for each edge, with vertices counted from 1.
    #[must_use]
    pub fn lines(&self) -> String {
        self.lines_from(1)
    }

    /// Returns a line for each edge, with vertices counted from `first`.
    #[must_use]
    pub fn lines_from(&self, first: usize) -> String {
        let mut lines = String::new();
        for (a, b) in &self.edges {
            writeln!(lines, "{} {}", a + first, b + first)
                .expect("writing to a string cannot fail");
        }
        lines
    }
}

/// The number of pairs of `n` vertices.
fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

/// The pair with this number among (1,0), (2,0), (2,1), (3,0) and so on, the larger end second.
fn pair(number: usize) -> (usize, usize) {
    // The largest b with b(b-1)/2 <= number. The root is exact except for rounding.
    let mut b = (2 * number).isqrt() + 1;
    while pairs(b) > number {
        b -= 1;
    }
    (number - pairs(b), b)
}

pub(super) fn number(a: usize, b: usize) -> usize {
    pairs(a.max(b)) + a.min(b)
}

/// Draws `count` different edges, except those in `taken`, which are sorted numbers.
pub(super) fn more_edges(
    random: &mut Random,
    vertices: usize,
    count: usize,
    taken: &[usize],
) -> Vec<(usize, usize)> {
    let free = pairs(vertices) - taken.len();
    assert!(
        count <= free,
        "{} vertices allow {} more edges, found {}",
        vertices,
        free,
        count
    );
    if count == 0 {
        return Vec::new();
    }
    let mut chosen = random.distinct(count, 0..=free - 1);
    chosen.sort_unstable();
    let mut passed = 0;
    let numbers = chosen.into_iter().map(|place| {
        while taken
            .get(passed)
            .is_some_and(|taken| *taken <= place + passed)
        {
            passed += 1;
        }
        pair(place + passed)
    });
    numbers.collect()
}

/// Draws a graph with this number of edges; all graphs are equally likely. Its vertices are
/// numbered at random, and its edges are in random order.
///
/// # Panics
/// When there are more edges than pairs.
#[track_caller]
pub fn graph(random: &mut Random, vertices: usize, edges: usize) -> Graph {
    let edges = more_edges(random, vertices, edges, &[]);
    Graph { vertices, edges }.shuffled(random)
}

/// Draws a graph with edges only between the first `left` vertices and the others. Only the order
/// of edges and of their ends is shuffled; use [`Graph::shuffled`] to hide the sides.
///
/// # Panics
/// When there are more edges than pairs.
#[track_caller]
pub fn bipartite_graph(random: &mut Random, left: usize, right: usize, edges: usize) -> Graph {
    assert!(
        edges <= left * right,
        "expected at most {} edges, found {edges}",
        left * right
    );
    let numbers = random.distinct(edges, 0..=(left * right).saturating_sub(1));
    let edges = numbers
        .into_iter()
        .map(|number| (number / right, left + number % right))
        .collect();
    Graph {
        vertices: left + right,
        edges,
    }
}

/// Draws a directed graph without cycles. Its vertices are numbered at random, and its edges are in
/// random order.
///
/// # Panics
/// When there are more edges than pairs.
#[track_caller]
pub fn dag(random: &mut Random, vertices: usize, edges: usize) -> Graph {
    let edges = more_edges(random, vertices, edges, &[]);
    Graph { vertices, edges }.shuffled_directed(random)
}

/// Returns the cycle 0, 1, …, back to 0. It is not shuffled.
///
/// # Panics
/// When there are fewer than three vertices.
#[must_use]
#[track_caller]
pub fn cycle_graph(vertices: usize) -> Graph {
    assert!(
        vertices >= 3,
        "expected at least 3 vertices, found {}",
        vertices
    );
    Graph {
        vertices,
        edges: (0..vertices)
            .map(|vertex| (vertex, (vertex + 1) % vertices))
            .collect(),
    }
}

/// Returns the graph with all edges. It is not shuffled.
#[must_use]
pub fn complete_graph(vertices: usize) -> Graph {
    Graph {
        vertices,
        edges: (0..pairs(vertices)).map(pair).collect(),
    }
}

/// Returns a grid with edges between neighbours. Its vertices are numbered row by row, and it is
/// not shuffled.
#[must_use]
pub fn grid_graph(rows: usize, columns: usize) -> Graph {
    let mut edges = Vec::new();
    for vertex in 0..rows * columns {
        if vertex % columns + 1 < columns {
            edges.push((vertex, vertex + 1));
        }
        if vertex / columns + 1 < rows {
            edges.push((vertex, vertex + columns));
        }
    }
    Graph {
        vertices: rows * columns,
        edges,
    }
}
