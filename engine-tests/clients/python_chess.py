"""Plays, analyses and ponders with the built program as a UCI engine of python-chess.

Usage: python engine-tests/clients/python_chess.py target/release/adoube   (needs `pip install chess`)

python-chess checks each move and each principal variation by its own rules. It only logs lines that it does not
understand, so every warning in its log is a failure here.
"""

import logging
import random
import sys
import time

import chess
import chess.engine
from chess.engine import Limit

from complaints import Complaints

GAMES = 50
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"  # mate in one


def options(engine):
    assert engine.id["name"].startswith("Adoube"), engine.id
    wanted = {"Hash", "Clear Hash", "Threads", "Ponder", "MultiPV", "UCI_Chess960", "UCI_Elo"}
    assert wanted <= set(engine.options), wanted - set(engine.options)


def limits(engine):
    board = chess.Board()
    clock = {"white_clock": 1, "black_clock": 1, "white_inc": 0.01, "black_inc": 0.01}
    for limit in [
        Limit(depth=6),
        Limit(nodes=3000),
        Limit(time=0.1),
        Limit(mate=2, time=0.2),
        Limit(**clock),
        Limit(white_clock=2, black_clock=2, remaining_moves=10),
    ]:
        began = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves, limit
        assert time.monotonic() - began < 10, f"{limit}: too long"
    assert engine.analyse(board, Limit(depth=5))["depth"] == 5
    only = chess.Move.from_uci("a2a3")
    assert engine.play(board, Limit(depth=4), root_moves=[only]).move == only


def node_limit(engine):
    """Checks the node limit, which is exact with one thread."""
    for nodes in [100, 1000, 3000]:
        found = engine.analyse(chess.Board(), Limit(nodes=nodes))
        assert found["nodes"] <= nodes, found


def analysis(engine):
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    lines = engine.analyse(board, Limit(depth=7), multipv=5)
    assert [line["multipv"] for line in lines] == [1, 2, 3, 4, 5]
    assert len({line["pv"][0] for line in lines}) == 5
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    # An infinite analysis runs until it is stopped.
    with engine.analysis(board) as running:
        for info in running:
            if info.get("depth", 0) >= 6:
                break
    found = engine.analyse(chess.Board(BACK_RANK), Limit(depth=4))
    assert found["score"].relative == chess.engine.Mate(1), found["score"]
    for fen, score in [(STALEMATE, chess.engine.Cp(0)), (MATED, chess.engine.Mate(-0))]:
        over = chess.Board(fen)
        assert engine.play(over, Limit(time=0.05)).move is None
        assert engine.analyse(over, Limit(time=0.05))["score"].relative == score, fen


def pondering(engine, chance):
    """Ponders; the opponent plays the expected move about half of the time."""
    board = chess.Board()
    clock = Limit(white_clock=2, black_clock=2, white_inc=0.05, black_inc=0.05)
    hits = 0
    while not board.is_game_over() and board.ply() < 40:
        result = engine.play(board, clock, ponder=True)
        board.push(result.move)
        if board.is_game_over():
            break
        hit = result.ponder in board.legal_moves and chance.random() < 0.5
        hits += hit
        board.push(result.ponder if hit else chance.choice(list(board.legal_moves)))
    assert hits > 0


def games(engine, chance):
    """Plays complete games from standard and Chess960 starts, after a few random moves."""
    castlings = plies = 0
    for number in range(GAMES):
        random_start = number % 2 == 1
        board = (
            chess.Board.from_chess960_pos(chance.randrange(960)) if random_start else chess.Board()
        )
        for _ in range(chance.randrange(6)):
            board.push(chance.choice(list(board.legal_moves)))
        while not board.is_game_over(claim_draw=True) and board.ply() < 300:
            result = engine.play(board, Limit(nodes=600), game=number)
            assert result.move in board.legal_moves, (board.fen(), result.move)
            castlings += random_start and board.is_castling(result.move)
            board.push(result.move)
            plies += 1
    assert castlings > 0, "no Chess960 castling in any game"
    print(f"{GAMES} games, {plies} moves, {castlings} Chess960 castlings")


def main():
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    chance = random.Random(2)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=60) as engine:
        options(engine)
        limits(engine)
        node_limit(engine)
        analysis(engine)
        pondering(engine, chance)
        games(engine, chance)
        engine.configure({"Threads": 2, "Hash": 32})
        limits(engine)
        pondering(engine, chance)
    assert not complaints.records, "python-chess complains:\n" + "\n".join(complaints.records[:10])


main()
