"""Compares Syzygy tables with python-chess, which must find the same values and distances.

Usage: python engine-tests/clients/python_syzygy.py target/release/adoube FOLDER [POSITIONS [SEED]]
(needs `pip install chess`; the manual chapter "endings" describes how to create the folder)

Each WDL table in the folder is tested with POSITIONS random positions, with either side to move, with and without
possible captures. A quarter of the positions with pawns on both sides have a possible en passant capture, if the pawns
allow it.
"""

import random
import subprocess
import sys
from pathlib import Path

import chess
import chess.syzygy

VALUES = ["loss", "blessed-loss", "draw", "cursed-win", "win"]


def random_position(name, rng):
    """Returns a random legal position with the pieces of a table."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, len(name) - 1)
        sides = name.split("v")
        if rng.random() < 0.5:
            sides.reverse()
        for color, letters in zip((chess.WHITE, chess.BLACK), sides):
            for letter in letters:
                piece = chess.Piece(chess.Piece.from_symbol(letter).piece_type, color)
                board.set_piece_at(squares.pop(), piece)
        board.turn = rng.random() < 0.5
        if rng.random() < 0.25 and len(name.split("P")) > 2:
            place_en_passant(board, rng)
        if board.is_valid():
            return board


def place_en_passant(board, rng):
    """Moves two pawns so that an en passant capture is possible, if both sides have a pawn."""
    mine, theirs = (list(board.pieces(chess.PAWN, c)) for c in (board.turn, not board.turn))
    if not mine or not theirs:
        return
    board.remove_piece_at(mine[0])
    board.remove_piece_at(theirs[0])
    rank, step = (4, 1) if board.turn else (3, -1)
    file = rng.randrange(8)
    beside = rng.choice([f for f in (file - 1, file + 1) if 0 <= f < 8])
    squares = [chess.square(file, rank + n * step) for n in (0, 1, 2)] + [chess.square(beside, rank)]
    if any(board.piece_at(square) for square in squares):
        return
    board.set_piece_at(squares[0], chess.Piece(chess.PAWN, not board.turn))
    board.set_piece_at(squares[3], chess.Piece(chess.PAWN, board.turn))
    board.ep_square = squares[1]


def main():
    adoube, folder = sys.argv[1:3]
    positions = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    tables = chess.syzygy.open_tablebase(folder)
    names = sorted((path.stem for path in Path(folder).glob("*.rtbw")), key=lambda n: (len(n), n))
    wrong = captures = passing = 0
    for name in names:
        boards = [random_position(name, rng) for _ in range(positions)]
        fens = "".join(board.fen(en_passant="legal") + "\n" for board in boards)
        command = [adoube, "syzygy", "--tb", folder]
        probed = subprocess.run(command, input=fens, capture_output=True, text=True, check=True)
        for board, line in zip(boards, probed.stdout.splitlines(), strict=True):
            expected = f"{VALUES[tables.probe_wdl(board) + 2]} {tables.probe_dtz(board)}"
            captures += any(board.is_capture(m) for m in board.legal_moves)
            passing += board.has_legal_en_passant()
            if not line.startswith(expected + " "):
                wrong += 1
                if wrong <= 20:
                    print(f"{name}: {line}, python-chess: {expected}")
    print(
        f"{len(names)} tables, {positions} positions of each, {captures} with captures, "
        f"{passing} of them en passant: {wrong} wrong"
    )
    sys.exit(wrong > 0)


main()
