//! The full-screen view of a match: boards, clocks, scores and standings.
//!
//! A thread draws the running games and the [`State`], and handles key presses. The terminal is
//! restored when the [`Screen`] is dropped, and on a panic.

mod draw;
mod state;

pub(super) use state::State;

use crate::arena::engine::process::Interrupt;
use crate::arena::game::contest::Contest;
use crate::arena::show::live::{Live, lock};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

pub(super) struct Screen {
    pub state: Arc<Mutex<State>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Screen {
    /// Switches the terminal to full screen. Ctrl-C and q end the match.
    pub(super) fn open<G: Contest>(
        state: State,
        live: Arc<Mutex<Live<G>>>,
        interrupt: &Interrupt,
    ) -> io::Result<Self> {
        let state = Arc::new(Mutex::new(state));
        let terminal = ratatui::try_init()?;
        let over = Arc::new(AtomicBool::new(false));
        let (is_over, shared_state, interrupt) =
            (Arc::clone(&over), Arc::clone(&state), interrupt.clone());
        let thread =
            thread::spawn(move || run(terminal, &shared_state, &live, &interrupt, &is_over));
        Ok(Self { state, over, thread: Some(thread) })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // Drawing errors do not affect the match.
            let _ = thread.join();
        }
        ratatui::restore();
    }
}

fn run<G: Contest>(
    mut terminal: DefaultTerminal,
    state: &Mutex<State>,
    live: &Mutex<Live<G>>,
    interrupt: &Interrupt,
    over: &AtomicBool,
) -> io::Result<()> {
    while !over.load(Ordering::SeqCst) {
        {
            let mut state = lock(state);
            state.interrupted = interrupt.is_raised();
            terminal.draw(|frame| draw::draw(frame, &state, &lock(live)))?;
        }
        if event::poll(REDRAW_INTERVAL)?
            && let Event::Key(key) = event::read()?
            && ends_match(&key)
        {
            interrupt.raise();
        }
    }
    Ok(())
}

/// Returns whether a key ends the match. Ctrl-C must be handled here, because it sends no signal
/// in raw mode.
fn ends_match(key: &KeyEvent) -> bool {
    let control_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    key.kind == KeyEventKind::Press && (control_c || key.code == KeyCode::Char('q'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_c_and_q_end_the_match() {
        let key = |code, modifiers| KeyEvent::new(code, modifiers);
        assert!(ends_match(&key(KeyCode::Char('c'), KeyModifiers::CONTROL)));
        assert!(ends_match(&key(KeyCode::Char('q'), KeyModifiers::NONE)));
        assert!(!ends_match(&key(KeyCode::Char('c'), KeyModifiers::NONE)));
        assert!(!ends_match(&key(KeyCode::Enter, KeyModifiers::NONE)));
    }
}
