"""Plays against the built program over DXP with the client of pydraughts.

Usage: python engine-tests/clients/pydraughts_dxp.py target/release/adoube   (needs `pip install pydraughts`)

pydraughts ignores moves that are illegal by its own rules and keeps waiting, so an illegal move leads to a timeout
here.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

from draughts import BLACK, WHITE, Board
from draughts.engine import DXPEngine

# Timeout in seconds, longer than any answer takes.
PATIENCE = 120


class Adoube:
    """A program that listens on a port chosen by the system."""

    def __init__(self, program, pdn):
        arguments = [program, "dxp", "--listen", "0", "--movetime", "20", "--pdn", str(pdn)]
        self.process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
        self.said = [self.process.stderr.readline()]
        self.port = int(self.said[0].rsplit(":", 1)[1])
        # Keeps the pipe from filling up.
        self.reader = threading.Thread(target=lambda: self.said.extend(self.process.stderr))
        self.reader.start()

    def end(self):
        """Returns the exit code and the output."""
        code = self.process.wait(PATIENCE)
        self.reader.join()
        self.process.stderr.close()
        return code, "".join(self.said)


def reply(engine, board):
    """Returns the engine's move; None if it ended the game instead or does not answer."""
    found = []
    thread = threading.Thread(target=lambda: found.append(engine.play(board).move), daemon=True)
    thread.start()
    began = time.monotonic()
    while thread.is_alive() and time.monotonic() - began < PATIENCE:
        if engine.sender.current.result is not None:
            return None
        thread.join(0.01)
    return found[0] if found else None


def interrupt(engine):
    """Sends chat, and a request to take back all moves, which must be refused."""
    engine.sender.chat("Hello")
    accepted, _, _ = engine.takeback(1, WHITE)
    assert not accepted
    # Otherwise pydraughts would wait for the takeback, although Adoube has refused it.
    engine.receiver.takeback_in_progress = False


def game(adoube, rng, colour):
    """Plays a game in which Adoube has this colour and the opponent plays random moves. Returns the final board."""
    board = Board()
    engine = DXPEngine(options={"ip": "127.0.0.1", "port": adoube.port, "initial-time": 600})
    while True:
        if board.turn == colour:
            move = reply(engine, board)
            if move is None:
                break
            board.push(move)
        elif board.is_over():
            break
        else:
            if len(board.move_stack) in (6, 7):
                interrupt(engine)
            board.push(rng.choice(board.legal_moves()))
    engine.quit()
    assert engine.id["name"].startswith("Adoube"), engine.id
    return board


def words(pdn):
    """Returns the moves and the result of a game's text. The reader of pydraughts cannot be used, because it fails on the
    numbers of Black's moves, which are written after comments.
    """
    return re.sub(r"^\[.*?\]$|\{.*?\}|\d+\.+", "", pdn, flags=re.MULTILINE | re.DOTALL).split()


def short(board):
    """Returns the moves of a board's game as in PDN: the first and last square of a capture, and more squares only if
    captures of other pieces have the same first and last square. pydraughts also writes more squares if two routes capture
    the same pieces.
    """
    again = Board()
    texts = []
    for move in board.move_stack:
        taken = move.hub_position_move
        ends = {other.hub_position_move for other in again.legal_moves() if other.hub_position_move[:4] == taken[:4]}
        squares = move.pdn_move.split("x")
        texts.append(f"{squares[0]}x{squares[-1]}" if len(squares) > 1 and len(ends) == 1 else move.pdn_move)
        again.push(move)
    return texts


def main():
    rng = random.Random(2026)
    for colour in (WHITE, BLACK):
        with tempfile.TemporaryDirectory() as folder:
            pdn = Path(folder) / "game.pdn"
            adoube = Adoube(sys.argv[1], pdn)
            try:
                board = game(adoube, rng, colour)
                code, said = adoube.end()
            finally:
                adoube.process.kill()
            assert code == 0 and "the peer says: Hello" in said, said
            assert board.is_over(), said
            result = {WHITE: "2-0", BLACK: "0-2"}.get(board.winner(), "1-1")
            moves = short(board)
            written = words(pdn.read_text())
            assert written == [*moves, result], f"{written}\n{[*moves, result]}\n{said}"
            name = "white" if colour == WHITE else "black"
            print(f"adoube as {name} over DXP: {result} after {len(moves)} plies")


if __name__ == "__main__":
    try:
        main()
    except BaseException:
        traceback.print_exc()
        # The threads of pydraughts would keep a failed test running.
        os._exit(1)
