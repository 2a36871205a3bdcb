//! Minimum-cost perfect matching of an even number of vertices in a complete graph. A cost is a
//! list of penalties, one per criterion of a pairing system. Costs are compared lexicographically:
//! no penalty for a later criterion, however large, outweighs a penalty of 1 for an earlier one.
//!
//! The algorithm is Edmonds's blossom algorithm with dual variables that bound the cost from below.
//! It follows Galil, "Efficient algorithms for finding maximum matching in graphs", ACM Computing
//! Surveys 18 (1986), and searches from all unmatched vertices at once. The algorithm only adds,
//! compares and halves costs, which is as easy with lists as with numbers.
//!
//! Invariants: the slack of an edge is four times its cost, minus the duals of both ends. Outside
//! blossoms, the slack is never negative, and edges in the matching and in the search tree have a
//! slack of zero. The duals of the unmatched vertices are all even or all odd, so the difference
//! between any two of these duals is even.

use std::cmp::Ordering;

/// The exclusive upper bound of a limb. A limb packs several penalties into one integer as digits.
/// Duals are sums of costs along a path. With this bound, they stay far below the limit of 64 bits.
const LIMB: u64 = 1 << 40;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Costs {
    vertices: usize,
    limbs: Vec<Vec<i64>>,
}

impl Costs {
    /// Computes the costs of all edges. `bounds` contains, for each criterion, an upper bound for
    /// the sum of its penalties over a matching. `failures(a, b, list)` appends the penalties of
    /// the edge from `a` to `b`, with `a < b`.
    pub(super) fn new(
        vertices: usize,
        bounds: &[u64],
        mut failures: impl FnMut(usize, usize, &mut Vec<u64>),
    ) -> Self {
        // Pack as many neighbouring criteria as possible into one limb, as digits of a mixed-radix
        // number. `places` contains the limb of each criterion and the base of its digit.
        let mut places: Vec<(usize, u64)> = Vec::with_capacity(bounds.len());
        let (mut limb, mut used) = (0, 1);
        for &bound in bounds {
            let base = bound.saturating_add(1);
            if used > 1 && LIMB / used < base {
                (limb, used) = (limb + 1, 1);
            }
            used *= base;
            places.push((limb, base));
        }
        let mut limbs = vec![vec![0; vertices * vertices]; limb + 1];
        let mut list = Vec::with_capacity(bounds.len());
        for b in 0..vertices {
            for a in 0..b {
                list.clear();
                failures(a, b, &mut list);
                debug_assert_eq!(list.len(), bounds.len());
                for (&digit, &(limb, base)) in list.iter().zip(&places) {
                    debug_assert!(digit < base);
                    let cost = &mut limbs[limb][a * vertices + b];
                    *cost = *cost * base.cast_signed() + digit.cast_signed();
                }
                for of in &mut limbs {
                    of[b * vertices + a] = of[a * vertices + b];
                }
            }
        }
        Self { vertices, limbs }
    }

    /// Returns the partner of each vertex in the cheapest perfect matching. If the number of
    /// vertices is odd, the vertex that remains unmatched is its own partner.
    pub(super) fn cheapest(&self) -> Vec<usize> {
        let mut search = Search::new(self);
        while search.grow() {}
        search.mate.iter().enumerate().map(|(v, mate)| mate.unwrap_or(v)).collect()
    }
}

/// The search state of a node. A node is an outermost blossom, or a vertex outside all blossoms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    Free,
    /// At an even distance from an unmatched vertex.
    Outer,
    /// At an odd distance from an unmatched vertex, reached along this edge from an outer node. The
    /// edge's second vertex is in this node.
    Inner(Edge),
}

type Edge = (usize, usize);

/// An odd cycle of nodes. All vertices in it except the base are matched with each other.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Blossom {
    /// The nodes, each with the edge to the next node. The first node contains the base. The second
    /// node is matched with the third, the fourth with the fifth, and so on.
    cycle: Vec<(usize, Edge)>,
    base: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Grows the tree along an edge from an outer node to a free node.
    Reach(Edge),
    Join(Edge),
    Dissolve(usize),
}

struct Search<'a> {
    costs: &'a Costs,
    mate: Vec<Option<usize>>,
    /// The blossoms. Blossom i is node `vertices + i`.
    blossoms: Vec<Option<Blossom>>,
    top: Vec<usize>,
    labels: Vec<Label>,
    /// The duals, by limb and node.
    duals: Vec<Vec<i64>>,
    /// For each vertex v, the vertex u for which the edge (u, v) has the least slack. Only vertices
    /// in other outer nodes are considered.
    nearest: Vec<Option<usize>>,
}

impl<'a> Search<'a> {
    fn new(costs: &'a Costs) -> Self {
        let vertices = costs.vertices;
        // There are at most half as many blossoms as vertices.
        let nodes = vertices + vertices / 2;
        let mut search = Self {
            costs,
            mate: vec![None; vertices],
            blossoms: vec![None; vertices / 2],
            top: (0..vertices).collect(),
            labels: vec![Label::Free; nodes],
            duals: vec![vec![0; nodes]; costs.limbs.len()],
            nearest: vec![None; vertices],
        };
        // Start greedily. For each vertex in turn, raise its dual until the slack of an edge is
        // zero, and match the ends of this edge if both are unmatched.
        for v in 0..vertices {
            let others = (0..vertices).filter(|&u| u != v);
            let Some(u) = others.min_by(|&a, &b| search.compare((a, v), (b, v))) else { break };
            for limb in 0..costs.limbs.len() {
                search.duals[limb][v] += search.slack((u, v), limb);
            }
            if search.mate[u].is_none() && search.mate[v].is_none() {
                (search.mate[u], search.mate[v]) = (Some(v), Some(u));
            }
        }
        search
    }

    fn slack(&self, (u, v): Edge, limb: usize) -> i64 {
        let cost = self.costs.limbs[limb][u * self.vertices() + v];
        4 * cost - self.duals[limb][u] - self.duals[limb][v]
    }

    fn compare(&self, a: Edge, b: Edge) -> Ordering {
        let limbs = (0..self.duals.len()).map(|i| self.slack(a, i).cmp(&self.slack(b, i)));
        limbs.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Updates `nearest` after `u` has become part of an outer node.
    fn look_from(&mut self, u: usize) {
        for v in 0..self.vertices() {
            let nearer = |nearest: usize| self.compare((u, v), (nearest, v)).is_lt();
            if self.top[v] != self.top[u] && self.nearest[v].is_none_or(nearer) {
                self.nearest[v] = Some(u);
            }
        }
    }

    fn look_from_node(&mut self, node: usize) {
        for v in 0..self.vertices() {
            if self.top[v] == node {
                self.look_from(v);
            }
        }
    }

    const fn vertices(&self) -> usize {
        self.costs.vertices
    }

    /// Searches for an augmenting path and augments the matching along it. Returns false if the
    /// matching is complete.
    fn grow(&mut self) -> bool {
        if self.mate.iter().filter(|mate| mate.is_none()).count() < 2 {
            return false;
        }
        for node in 0..self.labels.len() {
            self.labels[node] = Label::Free;
        }
        self.nearest.fill(None);
        for v in 0..self.vertices() {
            let top = self.top[v];
            if self.mate[self.base(top)].is_none() {
                self.labels[top] = Label::Outer;
                self.look_from(v);
            }
        }
        while let Some((step, change)) = self.next_step() {
            self.shift_duals(&change);
            match step {
                Step::Reach(edge) => self.reach(edge),
                Step::Join(edge) if self.join(edge) => return true,
                Step::Join(_) => {}
                Step::Dissolve(node) => self.dissolve(node),
            }
        }
        false
    }

    fn base(&self, node: usize) -> usize {
        match node.checked_sub(self.vertices()) {
            None => node,
            Some(i) => self.blossoms[i].as_ref().map_or(node, |blossom| blossom.base),
        }
    }

    /// Returns the step that requires the smallest change to the duals of the vertices, and twice
    /// that change.
    fn next_step(&self) -> Option<(Step, Vec<i64>)> {
        let n = self.vertices();
        let mut cheapest: Option<(Step, Vec<i64>)> = None;
        let mut consider = |step: Step, change: &dyn Fn(usize) -> i64| {
            let limbs = 0..self.duals.len();
            let less = cheapest.as_ref().is_none_or(|(_, lowest)| {
                let differ = limbs.clone().map(|i| change(i).cmp(&lowest[i]));
                differ.into_iter().find(|order| order.is_ne()) == Some(Ordering::Less)
            });
            if less {
                cheapest = Some((step, limbs.map(change).collect()));
            }
        };
        for (v, &nearest) in self.nearest.iter().enumerate() {
            let Some(u) = nearest else { continue };
            match self.labels[self.top[v]] {
                Label::Free => consider(Step::Reach((u, v)), &|i| 2 * self.slack((u, v), i)),
                Label::Outer => consider(Step::Join((u, v)), &|i| self.slack((u, v), i)),
                Label::Inner(_) => {}
            }
        }
        for node in (0..self.blossoms.len()).filter(|&i| self.blossoms[i].is_some()).map(|i| n + i)
        {
            if self.top[self.base(node)] == node && matches!(self.labels[node], Label::Inner(_)) {
                consider(Step::Dissolve(node), &|i| self.duals[i][node]);
            }
        }
        cheapest
    }

    /// Changes the duals of vertices by half of `change` and the duals of blossoms by `change`, so
    /// that the slack or dual of the next step becomes zero.
    fn shift_duals(&mut self, change: &[i64]) {
        let n = self.vertices();
        let sign = |label: Label| match label {
            Label::Free => 0,
            Label::Outer => 1,
            Label::Inner(_) => -1,
        };
        for (duals, change) in self.duals.iter_mut().zip(change).filter(|(_, change)| **change != 0)
        {
            for (v, &top) in self.top.iter().enumerate() {
                duals[v] += sign(self.labels[top]) * change / 2;
            }
            for (i, blossom) in self.blossoms.iter().enumerate() {
                if blossom.as_ref().is_some_and(|blossom| self.top[blossom.base] == n + i) {
                    duals[n + i] += sign(self.labels[n + i]) * change;
                }
            }
        }
    }

    /// Labels the node at the end of an edge as inner and the node matched with it as outer.
    fn reach(&mut self, edge: Edge) {
        let node = self.top[edge.1];
        self.labels[node] = Label::Inner(edge);
        if let Some(mate) = self.mate[self.base(node)] {
            self.labels[self.top[mate]] = Label::Outer;
            self.look_from_node(self.top[mate]);
        }
    }

    /// Returns the path from an outer node to the root of its tree: a list of nodes, each with the
    /// edge to the next node. The root has no edge.
    fn way(&self, from: usize) -> Vec<(usize, Option<Edge>)> {
        let mut way = Vec::new();
        let mut node = from;
        loop {
            let base = self.base(node);
            let Some(mate) = self.mate[base] else { break };
            let inner = self.top[mate];
            let Label::Inner((before, here)) = self.labels[inner] else { break };
            way.extend([(node, Some((base, mate))), (inner, Some((here, before)))]);
            node = self.top[before];
        }
        way.push((node, None));
        way
    }

    /// Handles an edge between two outer nodes. If they are in different trees, augments the
    /// matching and returns true. If they are in the same tree, forms a blossom and returns false.
    fn join(&mut self, edge: Edge) -> bool {
        let ways = [edge.0, edge.1].map(|v| self.way(self.top[v]));
        let meeting = ways[0].iter().position(|(node, _)| ways[1].iter().any(|(n, _)| n == node));
        let Some(meeting) = meeting else {
            self.augment(edge);
            self.augment((edge.1, edge.0));
            return true;
        };
        let shared = ways[0][meeting].0;
        let mut cycle = Vec::new();
        let mut back = edge;
        let mut down = Vec::new();
        for &(node, onward) in &ways[0][..meeting] {
            down.push((node, back));
            back = onward.map_or(back, |(a, b)| (b, a));
        }
        cycle.push((shared, back));
        cycle.extend(down.into_iter().rev());
        let up = ways[1].iter().take_while(|(node, _)| *node != shared);
        cycle.extend(up.filter_map(|&(node, onward)| onward.map(|edge| (node, edge))));
        self.form(Blossom { base: self.base(shared), cycle });
        false
    }

    fn form(&mut self, blossom: Blossom) {
        let Some(slot) = self.blossoms.iter().position(Option::is_none) else { return };
        let node = self.vertices() + slot;
        let children: Vec<usize> = blossom.cycle.iter().map(|(child, _)| *child).collect();
        let mut outer_now = Vec::new();
        for (v, top) in self.top.iter_mut().enumerate().filter(|(_, top)| children.contains(top)) {
            if self.labels[*top] != Label::Outer {
                outer_now.push(v);
            }
            *top = node;
        }
        self.blossoms[slot] = Some(blossom);
        self.labels[node] = Label::Outer;
        for duals in &mut self.duals {
            duals[node] = 0;
        }
        // If a vertex and its `nearest` are now inside the same node, find a new nearest vertex.
        for v in 0..self.vertices() {
            if self.top[v] == node && self.nearest[v].is_some_and(|u| self.top[u] == node) {
                let outer =
                    |&u: &usize| self.top[u] != node && self.labels[self.top[u]] == Label::Outer;
                let others = (0..self.vertices()).filter(outer);
                self.nearest[v] = others.min_by(|&a, &b| self.compare((a, v), (b, v)));
            }
        }
        outer_now.into_iter().for_each(|v| self.look_from(v));
    }

    /// Matches the first vertex of an edge with the second, and flips the matching along the path
    /// from the first vertex to the root. The first vertex must be in an outer node.
    fn augment(&mut self, edge: Edge) {
        let (mut here, mut there) = edge;
        loop {
            let node = self.top[here];
            let before = self.mate[self.base(node)];
            self.turn(node, here);
            self.mate[here] = Some(there);
            let Some(before) = before else { return };
            let inner = self.top[before];
            let Label::Inner((from, to)) = self.labels[inner] else { return };
            self.turn(inner, to);
            self.mate[to] = Some(from);
            (here, there) = (from, to);
        }
    }

    /// Rematches the vertices inside a node so that `left` becomes the base of the node.
    fn turn(&mut self, node: usize, left: usize) {
        let Some(slot) = node.checked_sub(self.vertices()) else { return };
        let Some(mut blossom) = self.blossoms[slot].take() else { return };
        let n = blossom.cycle.len();
        let at = blossom.cycle.iter().position(|(child, _)| self.contains(*child, left));
        let at = at.unwrap_or(0);
        self.turn(blossom.cycle[at].0, left);
        let pairs = if at % 2 == 0 { (0..at).step_by(2) } else { (at + 1..n).step_by(2) };
        for i in pairs {
            let (first, (a, b)) = blossom.cycle[i];
            let second = blossom.cycle[(i + 1) % n].0;
            self.turn(first, a);
            self.turn(second, b);
            (self.mate[a], self.mate[b]) = (Some(b), Some(a));
        }
        blossom.cycle.rotate_left(at);
        blossom.base = left;
        self.blossoms[slot] = Some(blossom);
    }

    fn contains(&self, node: usize, vertex: usize) -> bool {
        match node.checked_sub(self.vertices()) {
            None => node == vertex,
            Some(slot) => self.blossoms[slot].as_ref().is_some_and(|blossom| {
                blossom.cycle.iter().any(|(child, _)| self.contains(*child, vertex))
            }),
        }
    }

    /// Expands an inner blossom with dual zero into its nodes. The nodes on the even-length path
    /// from the entry edge to the base stay in the search tree; the other nodes become free.
    fn dissolve(&mut self, node: usize) {
        let slot = node - self.vertices();
        let Some(blossom) = self.blossoms[slot].take() else { return };
        let Label::Inner(reached) = self.labels[node] else { return };
        let cycle = blossom.cycle;
        let n = cycle.len();
        for &(child, _) in &cycle {
            self.labels[child] = Label::Free;
            for v in 0..self.vertices() {
                if self.contains(child, v) {
                    self.top[v] = child;
                }
            }
        }
        let at = cycle.iter().position(|(child, _)| self.contains(*child, reached.1));
        let at = at.unwrap_or(0);
        self.labels[cycle[at].0] = Label::Inner(reached);
        // Handle two nodes at a time: an outer node and the inner node that is reached from it.
        if at % 2 == 0 {
            for i in (0..at).rev().step_by(2) {
                self.labels[cycle[i].0] = Label::Outer;
                self.look_from_node(cycle[i].0);
                let (a, b) = cycle[i - 1].1;
                self.labels[cycle[i - 1].0] = Label::Inner((b, a));
            }
        } else {
            for i in (at + 1..n).step_by(2) {
                self.labels[cycle[i].0] = Label::Outer;
                self.look_from_node(cycle[i].0);
                self.labels[cycle[(i + 1) % n].0] = Label::Inner(cycle[i].1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use std::collections::BTreeMap;

    /// Returns the least cost of a perfect matching of the vertices in `left`. Tries all matchings.
    fn min_cost(left: &[usize], cost: &dyn Fn(usize, usize) -> Vec<u64>, items: usize) -> Vec<u64> {
        let Some((&first, rest)) = left.split_first() else { return vec![0; items] };
        let options = rest.iter().map(|&second| {
            let others: Vec<usize> = rest.iter().copied().filter(|&v| v != second).collect();
            let sum = min_cost(&others, cost, items).into_iter().zip(cost(first, second));
            sum.map(|(a, b)| a + b).collect()
        });
        options.min().unwrap_or_default()
    }

    #[test]
    fn matches_brute_force() {
        let mut rng = Rng::new(7);
        for trial in 0..4000 {
            let vertices = 2 * (1 + rng.below(if trial % 50 == 0 { 5 } else { 4 }));
            let items = 1 + rng.below(4);
            let max = 1 + rng.below(if trial % 2 == 0 { 3 } else { 1000 });
            let pairs = (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
            let table: BTreeMap<(usize, usize), Vec<u64>> = pairs
                .map(|pair| (pair, (0..items).map(|_| rng.below(max + 1) as u64).collect()))
                .collect();
            let bounds =
                vec![(max * vertices / 2) as u64 * (1 + trial as u64 % 3 * 1_000_000); items];
            let costs = Costs::new(vertices, &bounds, |a, b, list| list.extend(&table[&(a, b)]));
            let mates = costs.cheapest();
            let mut sum = vec![0; items];
            for (a, &b) in mates.iter().enumerate() {
                assert_eq!((mates[b], a != b), (a, true), "trial {trial}: {mates:?}");
                if a < b {
                    sum.iter_mut().zip(&table[&(a, b)]).for_each(|(sum, cost)| *sum += cost);
                }
            }
            let all: Vec<usize> = (0..vertices).collect();
            let cost = |a: usize, b: usize| table[&(a, b)].clone();
            assert_eq!(sum, min_cost(&all, &cost, items), "trial {trial}: {table:?}");
        }
    }

    #[test]
    fn an_odd_number_leaves_one_vertex_unmatched() {
        let costs = |vertices| Costs::new(vertices, &[9], |a, b, list| list.push((a + b) as u64));
        assert!(costs(0).cheapest().is_empty());
        assert_eq!(costs(1).cheapest(), [0]);
        let mates = costs(5).cheapest();
        assert_eq!(mates.iter().enumerate().filter(|&(a, &b)| a == b).count(), 1);
    }
}
