//! Ctrl-C: the first stops the work, so that partial results are printed; the second ends the program.

use crate::search::stop::StopHandle;
use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit code of a program that Ctrl-C ended.
pub const EXIT_CODE: u8 = 130;

/// A stop handle that Ctrl-C stops. To be called once in a program.
pub fn control() -> anyhow::Result<StopHandle> {
    let control = StopHandle::new();
    let stop = control.clone();
    ctrlc::set_handler(move || stop.stop()).context("Ctrl-C cannot be caught")?;
    Ok(control)
}

/// A flag that the first Ctrl-C raises. To be called once in a program.
pub fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if raised.swap(true, Relaxed) {
            std::process::exit(i32::from(EXIT_CODE));
        }
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(stop)
}
