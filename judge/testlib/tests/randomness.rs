//! Tests of random numbers and random data: published vectors, stable bytes, properties, and
//! fairness.
//!
//! Responsible for the promise of stability. Must use only the public functions.

use std::collections::{BTreeMap, BTreeSet};

use testlib::generate::*;
use testlib::{join, Graph, Random, Text};

#[test]
fn numbers_match_xoshiro256() {
    // The first numbers of the reference implementation from the state 1, 2, 3, 4.
    let mut random = Random::from_state([1, 2, 3, 4]);
    let expected = [
        11520,
        0,
        1_509_978_240,
        1_215_971_899_390_074_240,
        1_216_172_134_540_287_360,
    ];
    assert_eq!([(); 5].map(|()| random.bits()), expected);
}

#[test]
fn states_match_split_mix() {
    // The first numbers of the reference implementation of SplitMix64 from the seed 1234567.
    let state = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
    ];
    assert_eq!(
        Random::new(1_234_567).bits(),
        Random::from_state(state).bits()
    );
}

/// A text with a sample of every kind of random data.
fn sampler(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut out = Text::new();
    out.line(&[random.bits(), random.bits()]);
    out.line(&integers(random, 10, -5..=5_i32));
    out.line(&integers(random, 4, i64::MIN..=i64::MAX));
    out.line(&integers(random, 2, i128::MIN..=i128::MAX));
    out.line(&[random.real(0.0..=1.0), random.real(-1e9..=1e9)]);
    out.line(&[random.biased(1..=1000, 5), random.biased(1..=1000, -5)]);
    out.line(
        &(0..10)
            .map(|_| random.weighted(&[1, 0, 7, 2]))
            .collect::<Vec<_>>(),
    );
    out.line(
        &(0..10)
            .map(|_| u8::from(random.chance(1, 3)))
            .collect::<Vec<_>>(),
    );
    out.line(&random.sample(&['a', 'b', 'c', 'd', 'e', 'f'], 4));
    out.line(&distinct_integers(random, 8, 1..=1_000_000_000_u32));
    out.line(&permutation(random, 9, 1));
    out.line(&partition(random, 100, 6, 2));
    writeln!(
        out,
        "{} {}",
        string(random, 12, "abc"),
        balanced_brackets(random, 8, ['(', ')'])
    );
    out.line(&strings(random, 4, 1..=3, "xyz"));
    for shape in TreeShape::ALL {
        let tree = tree(random, 7, shape);
        writeln!(
            out,
            "{}: {}",
            shape.name(),
            tree.lines().replace('\n', ", ")
        );
    }
    for graph in [
        graph(random, 6, 7),
        connected_graph(random, 6, 8),
        bipartite_graph(random, 3, 4, 5),
        dag(random, 6, 9),
    ] {
        writeln!(
            out,
            "{}: {}",
            graph.vertices,
            graph.lines().replace('\n', ", ")
        );
    }
    for (x, y) in points(random, 5, -9..=9, 0..=1_000_000_000) {
        write!(out, "({x},{y}) ");
    }
    writeln!(out, "{}", random.split().bits());
    out.as_str().to_owned()
}

/// With `UPDATE=1` the file is updated, which is allowed only in a new major version.
#[test]
fn generated_bytes_match_the_golden_file() {
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
    let now: String = [0, 1, 42, u64::MAX]
        .map(|seed| format!("seed {seed}\n{}", sampler(seed)))
        .concat();
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&golden, &now).expect("the file can be written");
    }
    let before = std::fs::read_to_string(&golden).expect("the file can be read");
    assert_eq!(
        now, before,
        "generators of existing packages would write other bytes"
    );
}

/// Asserts that all outcomes are about equally frequent: the chi-squared statistic is at most six
/// standard deviations above its mean.
fn fair<K: Ord + std::fmt::Debug>(kinds: usize, draws: usize, draw: impl FnMut() -> K) {
    let mut counts: BTreeMap<K, usize> = BTreeMap::new();
    std::iter::repeat_with(draw)
        .take(draws)
        .for_each(|key| *counts.entry(key).or_default() += 1);
    assert_eq!(counts.len(), kinds, "{counts:?}");
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let expected = draws as f64 / kinds as f64;
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let chi = counts
        .values()
        .map(|count| (*count as f64 - expected).powi(2) / expected)
        .sum::<f64>();
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let freedom = (kinds - 1) as f64;
    assert!(
        chi < freedom + 6.0 * (2.0 * freedom).sqrt(),
        "{chi} with {freedom}: {counts:?}"
    );
}

#[test]
fn outcomes_are_equally_likely() {
    let random = &mut Random::new(7);
    fair(7, 70_000, || random.int(-3..=3_i8));
    fair(24, 48_000, || permutation(random, 4, 0));
    fair(20, 40_000, || {
        let mut chosen = random.distinct(3, 1..=6_u8);
        chosen.sort_unstable();
        chosen
    });
    fair(6, 12_000, || random.distinct(3, 1..=3_u8));
    fair(15, 30_000, || partition(random, 7, 3, 1));
    fair(14, 28_000, || balanced_brackets(random, 4, ['(', ')']));
    // Cayley: 4^2 trees.
    fair(16, 32_000, || {
        canonical(&tree(random, 4, TreeShape::Uniform))
    });
    fair(20, 40_000, || canonical(&graph(random, 4, 3)));
    fair(10, 20_000, || random.weighted(&[1; 10]));
    fair(2, 20_000, || random.chance(1, 2));
}

fn canonical(graph: &Graph) -> BTreeSet<(usize, usize)> {
    graph
        .edges
        .iter()
        .map(|(a, b)| (*a.min(b), *a.max(b)))
        .collect()
}

/// The number of connected components of a graph.
fn parts(graph: &Graph) -> usize {
    let mut root: Vec<usize> = (0..graph.vertices).collect();
    fn find(root: &mut [usize], of: usize) -> usize {
        if root[of] != of {
            root[of] = find(root, root[of]);
        }
        root[of]
    }
    let mut count = graph.vertices;
    for (a, b) in &graph.edges {
        let (a, b) = (find(&mut root, *a), find(&mut root, *b));
        count -= usize::from(a != b);
        root[a] = b;
    }
    count
}

#[test]
fn graphs_have_the_documented_properties() {
    let random = &mut Random::new(3);
    for n in 1..30_usize {
        for shape in TreeShape::ALL {
            let tree = tree(random, n, shape);
            assert_eq!(
                (tree.edges.len(), parts(&tree)),
                (n - 1, 1),
                "{shape:?} with {n}"
            );
        }
        let most = n * (n - 1) / 2;
        for edges in [0, most / 3, most] {
            let graph = graph(random, n, edges);
            assert_eq!((graph.edges.len(), canonical(&graph).len()), (edges, edges));
            assert!(graph.edges.iter().all(|(a, b)| a != b && *a < n && *b < n));
            let connected = connected_graph(random, n, edges.max(n - 1));
            assert_eq!(
                (canonical(&connected).len(), parts(&connected)),
                (edges.max(n - 1), 1)
            );
            let dag = dag(random, n, edges);
            assert_eq!(canonical(&dag).len(), edges);
            assert!(has_no_cycle(&dag));
            let sides = bipartite_graph(random, n, 3, edges.min(3 * n));
            assert_eq!(canonical(&sides).len(), edges.min(3 * n));
            assert!(sides
                .edges
                .iter()
                .all(|(a, b)| *a < n && (n..n + 3).contains(b)));
        }
    }
    assert_eq!(complete_graph(5).edges.len(), 10);
    assert_eq!((cycle_graph(5).edges.len(), parts(&cycle_graph(5))), (5, 1));
    assert_eq!(
        (grid_graph(3, 4).edges.len(), parts(&grid_graph(3, 4))),
        (17, 1)
    );
    assert_eq!(tree(random, 0, TreeShape::Uniform).edges, []);
}

fn has_no_cycle(graph: &Graph) -> bool {
    let mut into = vec![0; graph.vertices];
    graph.edges.iter().for_each(|(_, to)| into[*to] += 1);
    let mut free: Vec<usize> = (0..graph.vertices)
        .filter(|vertex| into[*vertex] == 0)
        .collect();
    let mut done = 0;
    while let Some(vertex) = free.pop() {
        done += 1;
        for (_, to) in graph.edges.iter().filter(|(from, _)| *from == vertex) {
            into[*to] -= 1;
            if into[*to] == 0 {
                free.push(*to);
            }
        }
    }
    done == graph.vertices
}

#[test]
fn tree_shapes_have_the_documented_depth() {
    let random = &mut Random::new(5);
    let degrees = |graph: &Graph| {
        let mut degrees = vec![0; graph.vertices];
        graph
            .edges
            .iter()
            .for_each(|(a, b)| [a, b].into_iter().for_each(|end| degrees[*end] += 1));
        degrees.sort_unstable();
        degrees
    };
    assert_eq!(degrees(&tree(random, 5, TreeShape::Path)), [1, 1, 2, 2, 2]);
    assert_eq!(degrees(&tree(random, 5, TreeShape::Star)), [1, 1, 1, 1, 4]);
    assert_eq!(
        degrees(&tree(random, 7, TreeShape::Binary)),
        [1, 1, 1, 1, 2, 3, 3]
    );
    assert_eq!(
        degrees(&tree(random, 6, TreeShape::Broom)),
        [1, 1, 1, 1, 2, 4]
    );
}

#[test]
fn large_data_is_generated_quickly() {
    let random = &mut Random::new(11);
    assert_eq!(
        connected_graph(random, 200_000, 300_000).edges.len(),
        300_000
    );
    assert_eq!(
        points(random, 100_000, i64::MIN..=i64::MAX, 0..=0).len(),
        100_000
    );
    let sum: u64 = partition(random, u64::MAX, 1000, 0).iter().sum();
    assert_eq!(sum, u64::MAX);
    assert_eq!(random.distinct(2, i128::MIN..=i128::MAX).len(), 2);
    assert_eq!(join(&random.distinct(1, 5..=5)), "5");
}

#[test]
fn impossible_requests_are_refused() {
    fn refused<T>(made: fn(&mut Random) -> T) {
        let caught = std::panic::catch_unwind(|| made(&mut Random::new(1)));
        assert!(caught.is_err());
    }
    #[expect(
        clippy::reversed_empty_ranges,
        reason = "the empty range is under test"
    )]
    refused(|random| random.int(2..=1_i32));
    refused(|random| random.distinct(4, 1..=3_i32));
    refused(|random| partition(random, 5, 3, 2));
    refused(|random| partition(random, 5, 0, 0));
    refused(|random| graph(random, 3, 4));
    refused(|random| connected_graph(random, 3, 1));
    refused(|random| strings(random, 9, 1..=1, "ab"));
    refused(|random| random.weighted(&[0, 0]));
}
