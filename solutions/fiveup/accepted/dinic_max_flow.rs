//! Accepted: maximum flow (Dinic) through a network that is read off the game.
//!
//! Each later bone that is not a double sends one unit to one of its two values: the one it uses
//! up. A value is a chain of nodes, one per event; an edge of the chain is as wide as the number
//! of uses that the sides opened so far can pay for. Legal exactly when every unit arrives.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;

const SOURCE: usize = 0;
const SINK: usize = 1;

#[derive(Default)]
struct Network {
    /// Edge `e` and its reverse `e ^ 1` are neighbours: (target, residual capacity).
    edges: Vec<(usize, i64)>,
    leaving: Vec<Vec<usize>>,
}

impl Network {
    fn add_node(&mut self) -> usize {
        self.leaving.push(Vec::new());
        self.leaving.len() - 1
    }

    fn add_edge(&mut self, from: usize, to: usize, capacity: i64) {
        self.leaving[from].push(self.edges.len());
        self.edges.push((to, capacity));
        self.leaving[to].push(self.edges.len());
        self.edges.push((from, 0));
    }

    fn levels(&self) -> Vec<usize> {
        let mut level = vec![usize::MAX; self.leaving.len()];
        level[SOURCE] = 0;
        let mut queue = VecDeque::new();
        queue.push_back(SOURCE);
        while let Some(node) = queue.pop_front() {
            for &edge in &self.leaving[node] {
                let (to, residual) = self.edges[edge];
                if residual > 0 && level[to] == usize::MAX {
                    level[to] = level[node] + 1;
                    queue.push_back(to);
                }
            }
        }
        level
    }

    /// Looks for one path along rising levels, pushes one unit; `next` remembers dead ends.
    fn push_unit(&mut self, level: &[usize], next: &mut [usize]) -> bool {
        let mut path: Vec<usize> = Vec::new();
        let mut node = SOURCE;
        while node != SINK {
            if let Some(&edge) = self.leaving[node].get(next[node]) {
                let (to, residual) = self.edges[edge];
                if residual > 0 && level[to] == level[node] + 1 {
                    path.push(edge);
                    node = to;
                } else {
                    next[node] += 1;
                }
            } else if let Some(edge) = path.pop() {
                node = self.edges[edge ^ 1].0;
                next[node] += 1;
            } else {
                return false;
            }
        }
        for edge in path {
            self.edges[edge].1 -= 1;
            self.edges[edge ^ 1].1 += 1;
        }
        true
    }

    fn max_flow(&mut self) -> usize {
        let mut flow = 0;
        loop {
            let level = self.levels();
            if level[SINK] == usize::MAX {
                return flow;
            }
            let mut next = vec![0; self.leaving.len()];
            while self.push_unit(&level, &mut next) {
                flow += 1;
            }
        }
    }
}

/// One value while the network is built: the end of its chain, and the sides opened so far.
struct Chain {
    tail: usize,
    sides: i64,
}

#[derive(Default)]
struct Builder {
    network: Network,
    chains: BTreeMap<u64, Chain>,
    units: usize,
}

impl Builder {
    fn new() -> Builder {
        let mut builder = Builder::default();
        builder.network.add_node(); // SOURCE
        builder.network.add_node(); // SINK
        builder
    }

    fn open(&mut self, value: u64, sides: i64) {
        let network = &mut self.network;
        let chain = self.chains.entry(value).or_insert_with(|| Chain { tail: network.add_node(), sides: 0 });
        chain.sides += sides;
    }

    /// Continues a chain: everything that came before must fit into `capacity` uses.
    fn extend(&mut self, value: u64, capacity: i64) {
        let node = self.network.add_node();
        let chain = self.chains.get_mut(&value).unwrap();
        self.network.add_edge(chain.tail, node, capacity);
        chain.tail = node;
    }

    /// False if there was never a side that the double could be joined to.
    fn double(&mut self, value: u64) -> bool {
        self.open(value, 0);
        let sides = self.chains[&value].sides;
        if sides == 0 {
            return false;
        }
        self.extend(value, (sides - 1) / 2);
        self.open(value, 2);
        true
    }

    /// A bone opens a side of both values; being charged takes that back, and one more.
    fn bone(&mut self, a: u64, b: u64) {
        let bone = self.network.add_node();
        self.network.add_edge(SOURCE, bone, 1);
        self.units += 1;
        for value in [a, b].iter().copied() {
            self.open(value, 1);
            let Chain { tail, sides } = self.chains[&value];
            self.network.add_edge(bone, tail, 1);
            self.extend(value, sides / 2);
        }
    }

    fn all_units_arrive(mut self) -> bool {
        for chain in self.chains.values() {
            self.network.add_edge(chain.tail, SINK, chain.sides);
        }
        self.network.max_flow() == self.units
    }
}

fn is_legal(bones: &[(u64, u64)]) -> bool {
    let distinct: BTreeSet<_> = bones.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    if distinct.len() < bones.len() {
        return false;
    }
    let mut builder = Builder::new();
    let (a, b) = bones[0];
    builder.open(a, if a == b { 2 } else { 1 });
    builder.open(b, if a == b { 2 } else { 1 });
    for &(a, b) in &bones[1..] {
        if a != b {
            builder.bone(a, b);
        } else if !builder.double(a) {
            return false;
        }
    }
    builder.all_units_arrive()
}

fn main() {
    for line in io::stdin().lines() {
        let line = line.unwrap();
        let bones: Vec<(u64, u64)> = line
            .split(' ')
            .map(|bone| bone.split_once('-').unwrap())
            .map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap()))
            .collect();
        println!("{}", is_legal(&bones));
    }
}
