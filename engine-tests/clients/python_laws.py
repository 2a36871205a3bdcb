"""Compares the referee with python-chess: random games must have the same legal moves, results and claims.

Usage: python engine-tests/clients/python_laws.py target/release/adoube [GAMES]   (needs `pip install chess`)

Half of the games are Chess960. Every second pair of games uses the laws of 2009, the others the laws of 2023, under
which seventy-five moves and the fifth repetition are automatic draws. Each game becomes a log with its rulings, which
`adoube referee --check` compares. python-chess detects dead positions only by material, so games that the referee ends
earlier as dead are counted separately.
"""

import random
import subprocess
import sys
import tempfile

import chess

CHUNK = 500

# The articles that each edition cites.
ARTICLES = {
    "fide-2009": {
        "mate": "5.1 a",
        "stalemate": "5.2 a",
        "dead": "5.2 b",
        "repetition": "9.2 b",
        "by repetition": "9.2 a",
        "fifty": "9.3 b",
        "by fifty": "9.3 a",
        "offer": "9.1 b iii",
        "wrong": "9.5 b",
    },
    "fide-2023": {
        "mate": "5.1.1",
        "stalemate": "5.2.1",
        "dead": "5.2.2",
        "fivefold": "9.6.1",
        "seventy-five": "9.6.2",
        "repetition": "9.2.2",
        "by repetition": "9.2.1",
        "fifty": "9.3.2",
        "by fifty": "9.3.1",
        "offer": "9.1.2.3",
        "wrong": "9.5.3",
    },
}


def choose(board, rng):
    """Returns a random move, often one that takes back the last move, so that positions repeat."""
    moves = list(board.legal_moves)
    if len(board.move_stack) >= 2 and rng.random() < 0.6:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    quiet = [m for m in moves if not board.is_zeroing(m)]
    return rng.choice(quiet if quiet and rng.random() < 0.8 else moves)


def illegal(board, rng):
    """Returns an illegal move of a piece to a square."""
    legal = {m.uci() for m in board.legal_moves}
    while True:
        m = chess.Move(rng.randrange(64), rng.randrange(64))
        texts = {m.uci()} | {m.uci() + piece for piece in "qrbn"}
        # King moves are not tried: castling can also be written as the king capturing its rook.
        if m.from_square != m.to_square and not texts & legal and board.king(board.turn) != m.from_square:
            return m.uci()


def game(rng, number):
    edition = list(ARTICLES)[number // 2 % 2]
    articles = ARTICLES[edition]
    lines = [f"game {number} {edition} time = \"-\""]
    if number % 2:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        lines.append(f"setup {board.fen()}")
    else:
        board = chess.Board()
    moves = []
    over = None
    for _ in range(rng.randrange(20, 240)):
        m = choose(board, rng)
        moves.append(m.uci())
        board.push(m)
        side = chess.COLOR_NAMES[not board.turn].capitalize()
        if board.is_checkmate():
            over = f"= checkmate: {side} wins ({articles['mate']})"
        elif board.is_stalemate():
            over = f"= stalemate: drawn ({articles['stalemate']})"
        elif board.is_insufficient_material():
            over = f"= dead position: drawn ({articles['dead']})"
        elif "seventy-five" in articles and board.is_seventyfive_moves():
            over = f"= seventy-five moves: drawn ({articles['seventy-five']})"
        elif "fivefold" in articles and board.is_fivefold_repetition():
            over = f"= fivefold repetition: drawn ({articles['fivefold']})"
        if over:
            break
    lines.append("moves " + " ".join(moves))
    if over:
        lines.append(over)
        return lines
    side = chess.COLOR_NAMES[board.turn]
    name = side.capitalize()
    lines += [f"{side} move {illegal(board, rng)}", "! not legal"]

    def claim(words, rule, article, right):
        lines.append(f"{side} claim {words}")
        if right:
            lines.append(f"= {rule}: {name}'s claim is upheld ({article})")
            lines.append(f"= {rule}: drawn ({article})")
            return True
        lines.append(f"= {rule}: {name}'s claim is rejected ({article})")
        return False

    kind = rng.randrange(4)
    m = rng.choice(list(board.legal_moves))
    if kind == 0:
        right = claim("repetition", "repetition", articles["repetition"], board.is_repetition(3))
    elif kind == 1:
        right = claim("fifty", "fifty moves", articles["fifty"], board.halfmove_clock >= 100)
    else:
        repeat = kind == 2
        m = choose(board, rng)
        board.push(m)
        right = board.is_repetition(3) if repeat else board.halfmove_clock >= 100
        rule, article, word = (
            ("repetition by an intended move", articles["by repetition"], "repetition")
            if repeat
            else ("fifty moves by an intended move", articles["by fifty"], "fifty")
        )
        right = claim(f"{word} by {m.uci()}", rule, article, right)
    if not right:
        lines.append(f"= claim as a draw offer: {name} offers a draw ({articles['offer']})")
        if kind >= 2:
            text = m.uci()
            board.pop()
            if board.is_castling(m):
                text = "O-O-O" if board.is_queenside_castling(m) else "O-O"
            lines.append(f"= incorrect claim: {name} must play {text} ({articles['wrong']})")
    return lines


def main():
    program = sys.argv[1]
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    rng = random.Random(7)
    failures = 0
    dead = 0
    upheld = 0
    for start in range(0, games, CHUNK):
        lines = []
        for number in range(start, min(start + CHUNK, games)):
            lines += game(rng, number)
        upheld += sum("claim is upheld (" in line for line in lines)
        with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
            log.write("\n".join(lines))
            log.flush()
            run = subprocess.run([program, "referee", "--check", log.name], capture_output=True, text=True)
        assert run.stderr == "", run.stderr
        by_game = {}
        for line in run.stdout.splitlines()[:-1]:
            by_game.setdefault(line.rsplit("[", 1)[1], []).append(line)
        for found in by_game.values():
            if any("dead position" in line or "the game is over" in line for line in found):
                dead += 1
            else:
                failures += 1
                print("\n".join(found))
    print(f"{games} games, {upheld} claims upheld, {dead} dead positions that python-chess does not detect")
    sys.exit(failures > 0)


main()
