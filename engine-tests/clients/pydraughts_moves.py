"""Compares the legal moves of draughts with pydraughts.

Usage: python engine-tests/clients/pydraughts_moves.py target/release/adoube [POSITIONS [SEED]]
(needs `pip install pydraughts`)

Random positions, most of them with many kings, and positions of random games are written to a suite with all legal
moves that pydraughts finds, and `adoube suite` checks them. pydraughts lists each route of a capture and each square
on which a king can land. Routes over the same pieces between the same squares are one move. The suite also contains
some of the routes, and the position after one of the moves.
"""

import collections
import os
import random
import subprocess
import sys
import tempfile
import time

from draughts.core.game import Game

START = "W:W31-50:B1-20"
POSITIONS = 3000


def crowd(rng):
    """Returns a random position with few or many pieces, and few or many kings."""
    kings = rng.choice([0.1, 0.4, 0.7, 1.0])
    squares = rng.sample(range(1, 51), rng.randint(2, rng.choice([6, 10, 16, 24])))
    white = rng.randint(1, len(squares) - 1)

    def text(square, far):
        return f"K{square}" if square in far or rng.random() < kings else str(square)

    whites = ",".join(text(square, range(1, 6)) for square in squares[:white][:20])
    blacks = ",".join(text(square, range(46, 51)) for square in squares[white:][:20])
    return f"{rng.choice('WB')}:W{whites}:B{blacks}"


def positions(rng):
    """Yields two crowded positions, then a position of a random game, and so on."""
    game = Game("standard", START)
    while True:
        yield crowd(rng)
        yield crowd(rng)
        moves, _ = game.legal_moves()
        if not moves or len(game.move_stack) > 150:
            game = Game("standard", START)
            moves, _ = game.legal_moves()
        yield game.get_li_fen()
        game.push(rng.choice(moves))


def record(fen, rng, seen):
    """Returns the position as a line of a suite."""
    game = Game("standard", fen)
    moves, captures = game.legal_moves()
    unique, routes = {}, []
    for steps, taken in zip(moves, captures):
        taken = sorted(square for square in taken if square)
        text = ("x" if taken else "-").join(map(str, [steps[0][0], steps[-1][1], *taken]))
        unique.setdefault(text, steps)
        if len(taken) > 1:
            routes.append("x".join(map(str, [steps[0][0], *(step[1] for step in steps)])))
        seen["rafles"] += len(taken) > 1
    line = f'{fen} moves "{" ".join(unique)}";'
    if routes:
        line += f' legal "{" ".join(rng.sample(routes, min(5, len(routes))))}";'
    if unique:
        text, steps = rng.choice(list(unique.items()))
        game.push(steps)
        line += f' after {text} "{game.get_li_fen()}";'
    seen["moves"] += len(unique)
    return line


def main():
    adoube = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else POSITIONS
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 20)
    began = time.monotonic()
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pydraughts.epd")
        with open(path, "w", encoding="ascii") as file:
            for _, fen in zip(range(count), positions(rng)):
                file.write(record(fen, rng, seen) + "\n")
        subprocess.run([adoube, "suite", path], check=True)
    # Make sure that something was compared.
    assert seen["moves"] > 5 * count and seen["rafles"] > count // 5, seen
    seconds = time.monotonic() - began
    print(f"{count} positions, {seen['moves']} moves agree with pydraughts, {seconds:.0f} s")


if __name__ == "__main__":
    main()
