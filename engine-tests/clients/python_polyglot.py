"""Compares Polyglot books with python-chess.

The moves and weights that `adoube book --polyglot` computes from random games must equal a count by python-chess, and
the engine must play the moves.

Usage: python engine-tests/clients/python_polyglot.py target/release/adoube [GAMES [SEED]]
(needs `pip install chess`)
"""

import collections
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import chess.polyglot

RESULTS = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2), "*": None}


def random_game(rng):
    """Returns a random game that prefers castling, promotions and en passant captures."""
    board = chess.Board()
    for _ in range(rng.randrange(150)):
        moves = list(board.legal_moves)
        if not moves:
            break
        rare = [m for m in moves if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
        double = [m for m in moves if abs(m.to_square - m.from_square) == 16 and board.piece_type_at(m.from_square) == chess.PAWN]
        board.push(rng.choice(rare or (double if double and rng.random() < 0.3 else moves)))
    game = chess.pgn.Game.from_board(board)
    game.headers["Result"] = rng.choice(list(RESULTS))
    return game


def expected(games):
    """Returns the weight by key and move: 2 for a win, 1 for a draw."""
    weights = collections.Counter()
    rare = collections.Counter()
    for game in games:
        points = RESULTS[game.headers["Result"]]
        if points is None:
            continue
        board = game.board()
        for move in game.mainline_moves():
            weights[chess.polyglot.zobrist_hash(board), move] += points[not board.turn]
            rare["castling"] += board.is_castling(move)
            rare["en passant"] += board.is_en_passant(move)
            rare["promotion"] += bool(move.promotion)
            board.push(move)
    return {key: weight for key, weight in weights.items() if weight}, rare


def main():
    adoube = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    games = [random_game(rng) for _ in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.bin"
        pgn = "\n\n".join(str(game) for game in games) + "\n"
        command = [adoube, "book", "--polyglot", str(book), "--plies", "1000"]
        subprocess.run(command, input=pgn, text=True, check=True)
        wanted, rare = expected(games)
        found = {}
        with chess.polyglot.open_reader(book) as reader:
            for entry in reader:
                # Castling is stored as king to rook square; python-chess recognises it from the position.
                found[entry.key, entry.raw_move] = entry.weight
            assert len(found) == len(wanted), f"{len(found)} moves, not {len(wanted)}"
            played = 0
            engine = chess.engine.SimpleEngine.popen_uci(adoube)
            engine.configure({"OwnBook": True, "BookFile": str(book)})
            for number, game in enumerate(games):
                board = game.board()
                for move in game.mainline_moves():
                    entries = {entry.move: entry.weight for entry in reader.find_all(board)}
                    key = chess.polyglot.zobrist_hash(board)
                    counted = {m: w for (k, m), w in wanted.items() if k == key} if number < 20 else None
                    assert counted is None or entries == counted, f"{board.fen()}: {entries}, not {counted}"
                    if entries and number < 20:
                        result = engine.play(board, chess.engine.Limit(depth=1))
                        assert result.move in entries, f"{board.fen()}: {result.move}"
                        played += 1
                    board.push(move)
            engine.quit()
    total = sum(found.values())
    assert total == sum(wanted.values()), f"weights of {total}, not {sum(wanted.values())}"
    print(f"{count} games, {len(found)} moves, {dict(rare)}; {played} played: all agree with python-chess")


main()
