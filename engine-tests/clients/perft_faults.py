"""Checks that `adoube perft --against` finds faults in move generators.

Usage: python engine-tests/clients/perft_faults.py target/release/adoube
(needs `pip install chess pydraughts`)

For each fault, this program counts leaves with a faulty version of python-chess's or pydraughts's move generator.
`adoube perft --against` must report which move is missing or superfluous, and why. For the generators without a
fault it must report agreement.
"""

import subprocess
import sys

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
# A position with a choice between capturing one piece and two pieces.
MAJORITY = "W:W28,37,46:B22,23,13,12,9,41,10"

# name, position, depth, expected report
FAULTS = [
    ("none", KIWIPETE, 3, "The two agree: 97862 leaves"),
    ("en-passant-pin", ENDING, 3, "the en passant capture exposes the king to the rook on"),
    ("castling-through-check", KIWIPETE, 3, "castling: the king crosses or reaches"),
    ("under-promotion", PROMOTIONS, 3, "promotion to a knight"),
    ("pinned", KIWIPETE, 3, "is pinned by the"),
    ("no-draughts-fault", "W:W31-50:B1-20", 4, "The two agree: 4265 leaves"),
    ("majority", MAJORITY, 2, "a capture of 4 pieces is obligatory"),
]


def chess_moves(board, fault):
    """Returns the moves of a faulty chess move generator."""
    import chess

    legal = list(board.legal_moves)
    if fault == "under-promotion":
        return [m for m in legal if m.promotion != chess.KNIGHT]
    if fault == "pinned":
        king = board.king(board.turn)
        wrong = [
            m
            for m in board.pseudo_legal_moves
            if m not in legal and m.from_square != king and not board.is_check()
            and board.is_pinned(board.turn, m.from_square)
        ]
        return legal + wrong
    if fault == "en-passant-pin":
        return legal + [
            m
            for m in board.pseudo_legal_moves
            if m not in legal
            and board.is_en_passant(m)
            and not board.is_check()
            and not board.is_pinned(board.turn, m.from_square)
        ]
    if fault == "castling-through-check":
        wrong = []
        if not board.is_check():
            king = board.king(board.turn)
            for rook in chess.SquareSet(board.clean_castling_rights()):
                if chess.square_rank(rook) != chess.square_rank(king):
                    continue
                way = chess.SquareSet(chess.between(king, rook))
                step = 2 if rook > king else -2
                m = chess.Move(king, king + step)
                arrives = board.is_attacked_by(not board.turn, king + step)
                if not way & board.occupied and m not in legal and not arrives:
                    wrong.append(m)
        return legal + wrong
    return legal


def chess_count(board, depth, fault):
    """Counts the leaves."""
    if depth == 0:
        return 1
    count = 0
    for m in chess_moves(board, fault):
        board.push(m)
        count += chess_count(board, depth - 1, fault)
        board.pop()
    return count


def draughts_moves(game, fault):
    """Returns the moves of a faulty draughts move generator in Hub notation, and how to play them."""
    moves, captures = game.legal_moves()
    found = {}
    for steps, taken in zip(moves, captures):
        route = [steps[0][0]] + [step[1] for step in steps]
        taken = [square for square in taken if square is not None]
        sign = "x" if taken else "-"
        squares = [route[0], route[-1], *sorted(taken)]
        found.setdefault(sign.join(map(str, squares)), steps)
    if fault == "majority" and any("x" in text for text in found):
        # Add the first jump of each multiple capture, as if the capture could stop there.
        for text, steps in list(found.items()):
            squares = text.split("x")
            if len(squares) > 3:
                found[f"{squares[0]}x{steps[0][1]}"] = None
    return found


def draughts_count(fen, depth, fault):
    """Counts the leaves."""
    from draughts.core.game import Game

    if depth == 0:
        return 1
    count = 0
    for steps in draughts_moves(Game("standard", fen), fault).values():
        count += 1 if steps is None else draughts_count(after(fen, steps), depth - 1, fault)
    return count


def after(fen, steps):
    """Returns the position after a move."""
    from draughts.core.game import Game

    game = Game("standard", fen)
    game.push(steps)
    return game.get_li_fen()


def program(fault, fen, depth):
    """Prints the counts below each move."""
    if fault in ("majority", "no-draughts-fault"):
        from draughts.core.game import Game

        for text, steps in draughts_moves(Game("standard", fen), fault).items():
            print(text, 1 if steps is None else draughts_count(after(fen, steps), depth - 1, fault))
        return
    import chess

    board = chess.Board(fen)
    for m in chess_moves(board, fault):
        board.push(m)
        print(f"{m.uci()}: {chess_count(board, depth - 1, fault)}")
        board.pop()


def main():
    adoube = sys.argv[1]
    for fault, fen, depth, words in FAULTS:
        against = f"{sys.executable} {__file__} --program {fault} {{fen}} {{depth}}"
        command = [adoube, "perft", str(depth), "--fen", fen, "--against", against]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if words not in run.stdout:
            sys.exit(f"{fault}: '{words}' not found in\n{run.stdout}{run.stderr}")
        print(f"{fault}: {next(line for line in run.stdout.splitlines() if words in line)}")
    print(f"{len(FAULTS)} generators: all faults found")


if __name__ == "__main__":
    if sys.argv[1] == "--program":
        program(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
