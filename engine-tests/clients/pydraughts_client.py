"""Plays against the built program over Hub with the client of pydraughts.

Usage: python engine-tests/clients/pydraughts_client.py target/release/adoube   (needs `pip install pydraughts`)

pydraughts checks each move by its own rules and raises an exception for an illegal move. It only logs lines that it
does not understand, so every warning in its log is a failure here.
"""

import logging
import random
import sys
import time

from draughts import Board
from draughts.engine import HubEngine, Limit

from complaints import Complaints

GAMES = 50
# Seconds for each side, and increment per move in seconds.
TIME, INCREMENT = 0.5, 0.01
# Tolerance for a stall of the machine, in seconds.
MARGIN = 0.5


class Timed(HubEngine):
    """Measures the engine's time without the time that pydraughts needs for processing the answer."""

    def go(self, *arguments, **limits):
        began = time.monotonic()
        answer = super().go(*arguments, **limits)
        self.spent = time.monotonic() - began
        return answer


def start(program):
    engine = Timed([program, "hub"])
    assert engine.id["name"] == "Adoube", engine.id
    assert {"variant", "threads", "tt-size", "book", "ponder"} <= engine.options, engine.options
    assert engine.variants == {"normal", "killer", "bt", "frisian", "losing"}, engine.variants
    engine.configure({"tt-size": "18"})
    engine.init()
    return engine


def book(engine):
    """Checks that the first moves come from the book at once, and that they vary."""
    played = set()
    for _ in range(20):
        result = engine.play(Board(), Limit(movetime=5), False)
        played.add(result.move.pdn_move)
        assert not result.info and engine.spent < 2, (result.info, engine.spent)
    assert len(played) > 1, played


def limits(engine):
    # A book move is not searched, so there is no search information.
    engine.configure({"book": False})
    for limit in [Limit(depth=6), Limit(nodes=3000), Limit(movetime=0.1), Limit(time=1, inc=0.01)]:
        board = Board()
        result = engine.play(board, limit, False)
        assert result.move.pdn_move in [m.pdn_move for m in board.legal_moves()], limit
        assert {"depth", "score", "nodes", "time", "nps", "pv"} <= set(result.info), result.info


def game(engines, opening):
    """Plays one timed game after some random moves; returns the number of moves and the result."""
    board = Board()
    for _ in range(6):
        board.push(opening.choice(board.legal_moves()))
    clocks = [TIME, TIME]
    for engine in engines:
        engine.send("new-game")
    while not board.is_over() and len(board.move_stack) < 300:
        side = len(board.move_stack) % 2
        clocks[side] += INCREMENT
        result = engines[side].play(board, Limit(time=clocks[side], inc=INCREMENT), False)
        clocks[side] -= engines[side].spent
        assert clocks[side] > -MARGIN, f"lost on time by {-clocks[side]:.3f} s"
        board.push(result.move)
        if result.ponder:
            legal = [m.hub_move for m in board.legal_moves()]
            assert board.is_over() or result.ponder.hub_move in legal, result.ponder.hub_move
    return len(board.move_stack), board.winner()


def main():
    complaints = Complaints()
    logging.getLogger("pydraughts").addHandler(complaints)
    logging.getLogger().addHandler(complaints)
    engines = [start(sys.argv[1]), start(sys.argv[1])]
    book(engines[0])
    limits(engines[0])
    opening = random.Random(2026)
    results = [game(engines, opening) for _ in range(GAMES)]
    for engine in engines:
        engine.ping()
        engine.send("quit")
        engine.p.wait(10)
    assert not complaints.records, complaints.records[:5]
    plies = sum(length for length, _ in results)
    decided = sum(winner in (1, 2) for _, winner in results)
    print(f"{len(results)} games of {plies} plies over Hub, {decided} decided, no warnings")


if __name__ == "__main__":
    main()
