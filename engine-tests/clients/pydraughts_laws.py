"""Compares the referee with pydraughts: random games must end at the same ply by the same rule.

Usage: python engine-tests/clients/pydraughts_laws.py target/release/adoube [GAMES]   (needs `pip install pydraughts`)

pydraughts restarts the counts of 6.3 and 6.4 when a man moves, and when two kings against one become one against one.
The rules do not contain these restarts, so such games are cut short at this point.
"""

import random
import subprocess
import sys
import tempfile

from draughts import Board, BLACK, WHITE


def pieces(fen):
    """Counts the men and kings of White and of Black in a FEN."""
    counts = {}
    for part in fen.split(":")[1:]:
        squares = [square for square in part[1:].split(",") if square]
        kings = sum(square.startswith("K") for square in squares)
        counts[part[0]] = (len(squares) - kings, kings)
    return counts["W"], counts["B"]


def ending(fen):
    """Returns the rule for an ending with few pieces, and whether it includes men."""
    white, black = pieces(fen)
    few, many = sorted((white, black), key=sum)
    if few != (0, 1) or not many[1] or sum(many) > 3:
        return None, False
    return ("three" if sum(many) == 3 else "two"), many[0] > 0


def choose(board, last, rng):
    moves = board.legal_moves()
    if last and rng.random() < 0.5:
        back = [m for m in moves if m.pdn_move == "-".join(reversed(last.split("-")))]
        if back:
            return back[0]
    return rng.choice(moves)


def shuffle(board, seen, rng):
    """Returns a move without a capture, after which no capture is possible and no position occurs for the third time."""
    moves = board.legal_moves()
    rng.shuffle(moves)
    for m in moves:
        if "x" in m.pdn_move:
            break
        # The move is played on a copy, because taking it back would reset the counts of pydraughts.
        after = board.copy()
        after.push(m)
        quiet = not any("x" in reply.pdn_move for reply in after.legal_moves())
        if quiet and seen.get(after.fen, 0) < 2:
            return m
    return rng.choice(moves)


# Numbers of White's and Black's kings in the start positions. The games avoid captures, so that a move-count rule ends
# them: 25 consecutive king moves in general, 16 moves with three kings against one, and 5 moves with one or two kings
# against one.
ENDINGS = [(2, 2), (3, 3), (3, 1), (1, 3), (2, 1), (1, 1)]


def shuffled(rng, number):
    """Returns a game that starts from a king ending; the kinds of endings alternate."""
    many, few = ENDINGS[number % len(ENDINGS)]
    squares = rng.sample(range(1, 51), many + few)
    named = ["K" + str(square) for square in squares]
    fen = f"W:W{','.join(named[:many])}:B{','.join(named[many:])}"
    return Board(fen=fen), fen


def game(rng, number):
    lines = [f"game {number} fmjd"]
    board = Board()
    kings_only = number % 4 == 3
    if kings_only:
        board, fen = shuffled(rng, number // 4)
        lines.append(f"setup {fen}")
        if board.is_over() or any("x" in m.pdn_move for m in board.legal_moves()):
            return None
    elif number % 2:
        # Use few pieces, so that endings with a move-count rule occur.
        squares = rng.sample(range(6, 46), rng.randrange(2, 7))
        half = rng.randrange(1, len(squares))
        named = [("K" if rng.random() < 0.7 else "") + str(square) for square in squares]
        fen = f"W:W{','.join(named[:half])}:B{','.join(named[half:])}"
        board = Board(fen=fen)
        lines.append(f"setup {fen}")
        if board.is_over():
            return None
    texts, over, last = [], None, [None, None]
    seen = {}
    for _ in range(300):
        kind, men = ending(board.fen)
        if men:
            break
        seen[board.fen] = seen.get(board.fen, 0) + 1
        m = shuffle(board, seen, rng) if kings_only else choose(board, last[0], rng)
        text = m.pdn_move
        if kind and "x" in text:
            break
        last = [last[1], text if "-" in text else None]
        texts.append(m.hub_move)
        board.push(m)
        winner = board._game.get_winner()
        if winner is None:
            continue
        if winner in (WHITE, BLACK):
            name = "White" if winner == WHITE else "Black"
            loser = pieces(board.fen)[1 if winner == WHITE else 0]
            rule = "no move left: {} wins (7.2.2)" if sum(loser) else "no piece left: {} wins (7.2.3)"
            over = "= " + rule.format(name)
        elif board._game.is_threefold():
            over = "= repetition: drawn (6.1)"
        else:
            kind, men = ending(board.fen)
            if men:
                return None
            over = {
                "three": "= three pieces against one king: drawn (6.3)",
                "two": "= two pieces or one against one king: drawn (6.4)",
                None: "= moves of kings only: drawn (6.2)",
            }[kind]
        break
    if not texts:
        return None
    lines.append("moves " + " ".join(texts))
    if over:
        lines.append(over)
    return lines


def main():
    program = sys.argv[1]
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = random.Random(9)
    lines = []
    ends = {}
    number = 0
    while number < games:
        one = game(rng, number)
        number += 1
        if one:
            end = one[-1] if one[-1].startswith("=") else "unfinished"
            end = end.replace("White", "a side").replace("Black", "a side")
            ends[end] = ends.get(end, 0) + 1
            lines += one
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        log.write("\n".join(lines))
        log.flush()
        run = subprocess.run([program, "referee", "--check", log.name], capture_output=True, text=True)
    print(run.stdout[-3000:], run.stderr[-1000:])
    for end, count in sorted(ends.items(), key=lambda item: -item[1]):
        print(f"{count:6} {end}")
    counted = ["(6.2)", "(6.3)", "(6.4)"]
    missing = [rule for rule in counted if not any(end.endswith(rule) for end in ends)]
    if missing:
        print("no game ended by", *missing)
    sys.exit(run.returncode or bool(missing))


main()
