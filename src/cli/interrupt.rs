//! Ctrl-C handling. The first Ctrl-C only asks the command to stop, so that it can print or save
//! partial results.

use crate::search::stop::StopHandle;
use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit code after Ctrl-C: 128 + SIGINT, as shells report it.
pub(super) const EXIT_CODE: u8 = 130;

/// Installs a Ctrl-C handler and returns the stop handle that it triggers. Fails if a handler is
/// already installed.
pub(super) fn control() -> anyhow::Result<StopHandle> {
    let control = StopHandle::new();
    let stop = control.clone();
    ctrlc::set_handler(move || stop.stop()).context("cannot install the Ctrl-C handler")?;
    Ok(control)
}

/// Installs a Ctrl-C handler. The first Ctrl-C sets the returned flag; the second ends the program.
/// Fails if a handler is already installed.
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
