//! Ctrl-C handling: the first Ctrl-C stops the work, so that partial results are printed; the
//! second ends the program.

use crate::search::stop::StopHandle;
use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// 128 + SIGINT, as shells report it.
pub(super) const EXIT_CODE: u8 = 130;

/// Returns a handle that Ctrl-C stops. May be called once in a process.
pub(super) fn control() -> anyhow::Result<StopHandle> {
    let control = StopHandle::new();
    let stop = control.clone();
    ctrlc::set_handler(move || stop.stop()).context("cannot install the Ctrl-C handler")?;
    Ok(control)
}

/// Returns a flag that the first Ctrl-C sets. May be called once in a process.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if raised.swap(true, Relaxed) {
            std::process::exit(i32::from(EXIT_CODE));
        }
    })
    .context("cannot install the Ctrl-C handler")?;
    Ok(stop)
}
