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

/// The two stages of an interruption by Ctrl-C, for a command that processes many items.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    raised: Arc<AtomicBool>,
    /// Stopped by the second Ctrl-C: the running items must be aborted.
    pub abort: StopHandle,
}

impl Stages {
    /// Returns true after the first Ctrl-C: no further item should begin.
    pub(super) fn is_raised(&self) -> bool {
        self.raised.load(Relaxed)
    }
}

/// Installs a Ctrl-C handler for [`Stages`], which prints `first` at the first Ctrl-C. Fails if a
/// handler is already installed.
pub(super) fn stages(first: &'static str) -> anyhow::Result<Stages> {
    let stages = Stages::default();
    let Stages { raised, abort } = stages.clone();
    ctrlc::set_handler(move || {
        if raised.swap(true, Relaxed) {
            abort.stop();
        } else {
            eprintln!("\ninterrupted: {first}");
        }
    })
    .context("cannot install the Ctrl-C handler")?;
    Ok(stages)
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
