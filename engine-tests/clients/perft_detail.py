"""Compares the columns of `adoube perft --detail` with counts by python-chess and pydraughts.

Usage: python engine-tests/clients/perft_detail.py target/release/adoube
(needs `pip install chess pydraughts`)

The chess positions are the six of <https://www.chessprogramming.org/Perft_Results>.
"""

import json
import subprocess
import sys

import chess
from draughts.core.game import Game

CHESS = [
    (chess.STARTING_FEN, 4),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
]
DRAUGHTS = [
    ("W:W31-50:B1-20", 4),
    ("W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26", 6),
    ("B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24", 2),
    ("W:W6,7,8,9,10:B41,42,43,44,45", 4),
]


def add(row, *kinds):
    """Counts a move of these kinds."""
    for kind in ("nodes", *kinds):
        row[kind] = row.get(kind, 0) + 1


def chess_kinds(board, m):
    """Makes a move and returns its kinds."""
    kinds = []
    if board.is_capture(m):
        kinds.append("captures")
    if board.is_en_passant(m):
        kinds.append("en_passant")
    if m.promotion:
        kinds.append("promotions")
    arrives = m.to_square
    if board.is_castling(m):
        kinds.append("castling")
        file = 5 if chess.square_file(m.to_square) == 6 else 3
        arrives = chess.square(file, chess.square_rank(m.to_square))
    board.push(m)
    checkers = board.checkers()
    if checkers:
        kinds.append("checks")
        if len(checkers) > 1:
            kinds.append("double_checks")
        elif arrives not in checkers:
            kinds.append("discovered_checks")
        if board.is_checkmate():
            kinds.append("mates")
    return kinds


def count_chess(board, rows):
    """Adds the moves below a position to the rows of their plies."""
    for m in board.legal_moves:
        add(rows[0], *chess_kinds(board, m))
        if len(rows) > 1:
            count_chess(board, rows[1:])
        board.pop()


def count_draughts(fen, rows):
    """Adds the draughts moves below a position to the rows of their plies.

    Captures of the same pieces between the same squares are one move.
    """
    game = Game("standard", fen)
    found = {}
    for steps, captures in zip(*game.legal_moves()):
        route = [steps[0][0]] + [step[1] for step in steps]
        taken = tuple(sorted(square for square in captures if square is not None))
        found.setdefault((route[0], route[-1], taken), steps)
    white = fen.startswith("W")
    for (start, end, taken), steps in found.items():
        kinds = []
        if taken:
            kinds += ["captures", f"of_{len(taken)}" if len(taken) < 5 else "of_5_or_more"]
        if game.board.searcher.get_piece_by_position(start).king:
            kinds.append("king_moves")
        elif end <= 5 if white else end >= 46:
            kinds.append("promotions")
        add(rows[0], *kinds)
        if len(rows) > 1:
            after = Game("standard", fen)
            after.push(steps)
            count_draughts(after.get_li_fen(), rows[1:])


def main():
    adoube = sys.argv[1]
    for fen, depth in CHESS + DRAUGHTS:
        command = [adoube, "perft", str(depth), "--detail", "--json", "--fen", fen]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        ours = json.loads(run.stdout)["depths"]
        rows = [{} for _ in range(depth)]
        if (fen, depth) in CHESS:
            count_chess(chess.Board(fen), rows)
        else:
            count_draughts(fen, rows)
        for number, (row, our) in enumerate(zip(rows, ours, strict=True), 1):
            theirs = {name: row.get(name, 0) for name in our if name != "depth"}
            if {"depth": number, **theirs} != our or set(row) - set(our):
                sys.exit(f"{fen}, depth {number}: {our}, not {theirs}")
        print(f"{fen}: {depth} plies, all columns")
    print(f"{len(CHESS + DRAUGHTS)} positions: all columns agree with python-chess and pydraughts")


if __name__ == "__main__":
    main()
