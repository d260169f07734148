//! Random trees of several shapes.
//!
//! Responsible for the shapes. Must not know the purpose of a tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::str::FromStr;

use super::graph::{more_edges, number, Graph};
use super::random::Random;

/// The shape of a tree. The vertices of all shapes are numbered at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeShape {
    /// Any tree, all equally likely: about √n deep.
    Uniform,
    /// The parent of each vertex is any earlier one: about log n deep.
    Recursive,
    /// The parent of each vertex is one of the few before it: deep, with short branches.
    Deep,
    /// A single path.
    Path,
    /// One vertex is the parent of all others.
    Star,
    /// A path of half of the vertices, with the others attached to any vertices of the path.
    Caterpillar,
    /// Two children for each vertex, level by level.
    Binary,
    /// A path of half of the vertices, with the others attached to its end.
    Broom,
}

impl TreeShape {
    /// All shapes.
    pub const ALL: [Self; 8] = [
        Self::Uniform,
        Self::Recursive,
        Self::Deep,
        Self::Path,
        Self::Star,
        Self::Caterpillar,
        Self::Binary,
        Self::Broom,
    ];

    /// The name of the shape.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Recursive => "recursive",
            Self::Deep => "deep",
            Self::Path => "path",
            Self::Star => "star",
            Self::Caterpillar => "caterpillar",
            Self::Binary => "binary",
            Self::Broom => "broom",
        }
    }
}

impl FromStr for TreeShape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .copied()
            .find(|shape| shape.name() == text)
            .ok_or_else(|| {
                let names = Self::ALL
                    .map(|shape| format!("`{}`", shape.name()))
                    .join(", ");
                format!("expected a shape of trees ({names})")
            })
    }
}

/// Draws a tree with this many vertices, numbered at random, and edges in random order.
///
/// ```
/// use testlib::generate::{tree, TreeShape};
/// use testlib::Random;
/// let star = tree(&mut Random::new(1), 4, TreeShape::Star);
/// assert_eq!((star.vertices, star.edges.len()), (4, 3));
/// ```
pub fn tree(random: &mut Random, vertices: usize, shape: TreeShape) -> Graph {
    if shape == TreeShape::Uniform {
        return Graph {
            vertices,
            edges: pruefer_edges(random, vertices),
        }
        .shuffled(random);
    }
    let half = vertices.div_ceil(2);
    let parent = |random: &mut Random, vertex: usize| match shape {
        TreeShape::Uniform | TreeShape::Recursive => random.int(0..=vertex - 1),
        TreeShape::Deep => random.int(vertex.saturating_sub(4)..=vertex - 1),
        TreeShape::Star => 0,
        TreeShape::Binary => (vertex - 1) / 2,
        TreeShape::Caterpillar if vertex >= half => random.int(0..=half - 1),
        TreeShape::Broom if vertex >= half => half - 1,
        TreeShape::Path | TreeShape::Caterpillar | TreeShape::Broom => vertex - 1,
    };
    let edges = (1..vertices)
        .map(|vertex| (parent(random, vertex), vertex))
        .collect();
    Graph { vertices, edges }.shuffled(random)
}

/// The tree of a random Prüfer code: each code has exactly one tree.
fn pruefer_edges(random: &mut Random, vertices: usize) -> Vec<(usize, usize)> {
    if vertices < 2 {
        return Vec::new();
    }
    let code: Vec<usize> = (2..vertices).map(|_| random.index(vertices)).collect();
    let mut degree = vec![1; vertices];
    code.iter().for_each(|vertex| degree[*vertex] += 1);
    let mut leaves: BinaryHeap<Reverse<usize>> = (0..vertices)
        .filter(|vertex| degree[*vertex] == 1)
        .map(Reverse)
        .collect();
    let mut edges = Vec::with_capacity(vertices - 1);
    for vertex in code {
        if let Some(Reverse(leaf)) = leaves.pop() {
            edges.push((leaf, vertex));
        }
        degree[vertex] -= 1;
        if degree[vertex] == 1 {
            leaves.push(Reverse(vertex));
        }
    }
    if let (Some(Reverse(a)), Some(Reverse(b))) = (leaves.pop(), leaves.pop()) {
        edges.push((a, b));
    }
    edges
}

/// Draws a connected graph: a random tree, all equally likely, and edges between any vertices.
///
/// ```
/// use testlib::{generate::connected_graph, Random};
/// let graph = connected_graph(&mut Random::new(1), 5, 7);
/// assert_eq!(graph.edges.len(), 7);
/// ```
///
/// # Panics
/// When there are too few or too many edges.
#[track_caller]
pub fn connected_graph(random: &mut Random, vertices: usize, edges: usize) -> Graph {
    let min_edges = vertices.saturating_sub(1);
    assert!(
        edges >= min_edges,
        "expected at least {} edges, found {}",
        min_edges,
        edges
    );
    let mut graph = tree(random, vertices, TreeShape::Uniform);
    let mut taken: Vec<usize> = graph.edges.iter().map(|(a, b)| number(*a, *b)).collect();
    taken.sort_unstable();
    graph
        .edges
        .extend(more_edges(random, vertices, edges - min_edges, &taken));
    graph.shuffled(random)
}
