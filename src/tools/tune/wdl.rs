//! The win-draw-loss model of chess, fitted to games.

use super::Data;
use crate::eval::chess::FULL_MATERIAL;
use std::collections::BTreeMap;

/// Fits the win-draw-loss model by coordinate search on the likelihood of the results: the even win and
/// the width of `eval::chess::wdl`, each as base and slope by material. Returns the four numbers and
/// the mean loss.
pub fn fit_wdl(data: &Data, start: [f64; 4]) -> ([f64; 4], f64) {
    // Like positions are counted together: scores in steps of 10, up to where no game is open.
    let mut bins = BTreeMap::new();
    for row in &data.rows {
        let score = (row.score / 10.0).round().clamp(-150.0, 150.0) as i32;
        *bins.entry((score, row.material, (2.0 * row.result) as u8)).or_insert(0.0) += 1.0;
    }
    let loss = |[a, b, c, d]: [f64; 4]| -> f64 {
        let entropy = |(&(score, material, result), &count): (&(i32, u32, u8), &f64)| {
            let material = f64::from(material.min(FULL_MATERIAL));
            let (even, width) = (a + b * material, (c + d * material).max(1.0));
            let chance =
                |score: i32| 1.0 / (1.0 + ((even - 10.0 * f64::from(score)) / width).exp());
            let (win, loss) = (chance(score), chance(-score));
            let p = match result {
                2 => win,
                0 => loss,
                _ => 1.0 - win - loss,
            };
            -count * p.max(1e-6).ln()
        };
        bins.iter().map(entropy).sum::<f64>() / data.len().max(1) as f64
    };
    let mut best = (start, loss(start));
    let mut steps = [40.0, 0.5, 20.0, 0.25];
    while steps[0] > 0.5 {
        let before = best.1;
        for i in 0..4 {
            for sign in [1.0, -1.0] {
                let mut next = best.0;
                next[i] += sign * steps[i];
                let next = (next, loss(next));
                if next.1 < best.1 {
                    best = next;
                }
            }
        }
        if best.1 >= before {
            steps = steps.map(|step| step / 2.0);
        }
    }
    best
}
