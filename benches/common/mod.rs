//! Code shared by the benchmarks.

/// Returns the name of the processor, or the architecture if the name is unknown.
pub fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map(|model| model.trim_start_matches(['\t', ' ', ':']).to_owned());
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
