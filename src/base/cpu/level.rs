//! The instruction sets that the program was compiled for, compared with the instruction sets of
//! this processor.

use std::fmt;

/// An instruction set that speeds up the program.
struct Feature {
    name: &'static str,
    /// The lowest x86-64 level that includes the instruction set, or 5 if no level includes it.
    level: u8,
    compiled: bool,
    /// True if the processor and the operating system support the instructions.
    supported: bool,
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<Feature> {
    macro_rules! features {
        ($(($level:literal, $name:literal, $feature:tt)),* $(,)?) => {
            vec![$(Feature {
                name: $name,
                level: $level,
                compiled: cfg!(target_feature = $feature),
                supported: std::is_x86_feature_detected!($feature),
            }),*]
        };
    }
    features![
        (2, "SSE4.2", "sse4.2"),
        (2, "POPCNT", "popcnt"),
        (3, "AVX2", "avx2"),
        (3, "BMI1", "bmi1"),
        (3, "BMI2", "bmi2"),
        (3, "FMA", "fma"),
        (3, "LZCNT", "lzcnt"),
        (4, "AVX-512", "avx512f"),
        (4, "AVX-512 BW", "avx512bw"),
        (4, "AVX-512 CD", "avx512cd"),
        (5, "AVX-512 VPOPCNTDQ", "avx512vpopcntdq"),
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<Feature> {
    Vec::new()
}

/// An instruction set that [`Build::advice`] does not recommend, because its instruction PEXT is
/// slow on AMD Zen 1 and Zen 2.
const SOMETIMES_SLOW: &str = "BMI2";

/// The instruction sets that a build uses, and other sets that it could use on this processor.
pub(crate) struct Build {
    features: Vec<Feature>,
}

impl Build {
    /// Describes the running program.
    pub(crate) fn current() -> Self {
        Self { features: features() }
    }

    /// Returns whether this processor can run builds for an x86-64 level. `level` must be between 1
    /// and 4.
    pub(crate) fn is_supported(&self, level: u8) -> bool {
        let needed = |feature: &&Feature| feature.level <= level;
        !self.features.is_empty() && self.features.iter().filter(needed).all(|f| f.supported)
    }

    /// Returns the names of the instruction sets that the processor supports but the build does not
    /// use, except [`SOMETIMES_SLOW`].
    fn unused(&self) -> Vec<&'static str> {
        let unused = self.features.iter().filter(|feature| feature.supported && !feature.compiled);
        unused.map(|feature| feature.name).filter(|name| *name != SOMETIMES_SLOW).collect()
    }

    /// Recommends a faster build, if this processor supports one.
    pub(crate) fn advice(&self) -> Option<String> {
        let unused = self.unused();
        (!unused.is_empty()).then(|| {
            format!(
                "this build does not use {}, which this processor supports: a build with \
                 RUSTFLAGS=\"-C target-cpu=native\" is faster (adoube manual building)",
                unused.join(", ")
            )
        })
    }
}

impl fmt::Display for Build {
    /// Formats the level, followed by the instruction sets beyond it: `x86-64-v4 with AVX-512
    /// VPOPCNTDQ`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.features.is_empty() {
            return f.write_str(std::env::consts::ARCH);
        }
        let missing = self.features.iter().filter(|feature| !feature.compiled);
        let level = missing.map(|feature| feature.level - 1).min().unwrap_or(u8::MAX).min(4);
        f.write_str("x86-64")?;
        if level > 1 {
            write!(f, "-v{level}")?;
        }
        let beyond = self.features.iter().filter(|f| f.compiled && f.level > level);
        let beyond: Vec<&str> = beyond.map(|feature| feature.name).collect();
        if !beyond.is_empty() {
            write!(f, " with {}", beyond.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a build that uses `compiled`, on a processor that supports `supported`.
    fn build(compiled: &[&str], supported: &[&str]) -> Build {
        let levels =
            [("POPCNT", 2), ("AVX2", 3), ("BMI2", 3), ("AVX-512", 4), ("AVX-512 VPOPCNTDQ", 5)];
        let feature = |(name, level)| Feature {
            name,
            level,
            compiled: compiled.contains(&name),
            supported: supported.contains(&name),
        };
        Build { features: levels.map(feature).into() }
    }

    #[test]
    fn names_the_level_and_the_instructions_beyond_it() {
        for (compiled, expected) in [
            (&[][..], "x86-64"),
            (&["POPCNT"], "x86-64-v2"),
            (&["POPCNT", "AVX2"], "x86-64-v2 with AVX2"),
            (&["POPCNT", "AVX2", "BMI2"], "x86-64-v3"),
            (&["POPCNT", "AVX2", "BMI2", "AVX-512"], "x86-64-v4"),
            (
                &["POPCNT", "AVX2", "BMI2", "AVX-512", "AVX-512 VPOPCNTDQ"],
                "x86-64-v4 with AVX-512 VPOPCNTDQ",
            ),
        ] {
            assert_eq!(build(compiled, &[]).to_string(), expected);
        }
        assert_eq!(Build { features: Vec::new() }.to_string(), std::env::consts::ARCH);
    }

    #[test]
    fn supports_levels_with_all_their_instructions() {
        let processor = build(&[], &["POPCNT", "AVX2", "BMI2", "AVX-512 VPOPCNTDQ"]);
        assert!((1..=3).all(|level| processor.is_supported(level)));
        assert!(!processor.is_supported(4));
        assert!(!build(&[], &["AVX2", "BMI2"]).is_supported(3));
        assert!(!Build { features: Vec::new() }.is_supported(1));
    }

    #[test]
    fn advises_a_faster_build() {
        let all = ["POPCNT", "AVX2", "BMI2", "AVX-512"];
        let advice = build(&all[..1], &all).advice().expect("advice");
        assert!(advice.starts_with("this build does not use AVX2, AVX-512, which"), "{advice}");
        assert_eq!(build(&all, &all).advice(), None);
        assert_eq!(build(&all, &[]).advice(), None);
        assert_eq!(build(&all[..2], &all[..3]).advice(), None, "PEXT may be slow");
    }

    /// The processor must support the instructions with which this test was compiled; otherwise the
    /// test could not run.
    #[test]
    fn this_processor_supports_this_build() {
        let Build { features } = Build::current();
        assert!(features.iter().all(|feature| feature.supported || !feature.compiled));
        assert_eq!(features.is_empty(), !cfg!(target_arch = "x86_64"));
    }
}
