"""Compares the games that Adoube reads from real files with python-chess and pydraughts, game by game.

Usage: python engine-tests/clients/real_files.py FOLDER target/release/adoube   (needs `pip install chess pydraughts`)

For the PGN, PDN and EPD files below the folder, the script counts the games that the other program reads without an
error. Of these games it counts:

- the games in which both programs reach the same final position, and how many of them have a fault that Adoube reports,
  such as a contradictory result;
- the games that Adoube refuses or cuts short, with the reason;
- the games in which the final positions differ.

Games without moves, games of chess or draughts variants, and games that only Adoube reads without a fault are counted
separately. The exit code is 1 if a position differs.
"""

import collections
import io
import logging
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import chess
import chess.pgn
from draughts import Board, Move
from draughts.PDN import PDNReader

EXAMPLES = 12
STANDARD = {"", "standard", "chess", "normal", "chess960", "fischerandom", "from position", "regular", "classical"}


class Count:
    """The counts for one format, and examples of refused and different games."""

    def __init__(self):
        self.games = self.equal = self.remarked = self.refused = self.different = 0
        self.faulty = self.only = self.empty = self.variants = 0
        self.examples = []
        self.lines = []

    def note(self, kind, source, text):
        setattr(self, kind, getattr(self, kind) + 1)
        if sum(kind == other for other, _ in self.examples) < EXAMPLES:
            self.examples.append((kind, f"{source}: {text}"))

    def compare(self, source, is_equal, faults, text):
        self.games += 1
        if is_equal:
            self.equal += 1
            self.remarked += bool(faults)
        elif faults:
            self.note("refused", source, faults[0])
        else:
            self.note("different", source, text)

    def show(self, name):
        print(
            f"{name}: {self.games} games read by the other program: {self.equal} equal ({self.remarked} with a remark), "
            f"{self.refused} refused by Adoube, {self.different} different; not compared: {self.faulty} with errors in the "
            f"other program ({self.only} of them read by Adoube), {self.empty} without moves, {self.variants} of variants"
        )
        for kind, example in self.examples:
            print(f"  {kind}: {example}")


def last_positions(program, form, text):
    """Returns the last position of each game that Adoube reads in a text, and the reported faults."""
    command = [program, "convert", "--from", form, "--to", "fen"]
    done = subprocess.run(command, input=text, capture_output=True, timeout=600)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout.decode().splitlines(), done.stderr.decode().splitlines()


def chess_games(text):
    """Returns the first line, the raw text and the record of each game that python-chess finds."""
    source = io.StringIO(text)
    line = 1
    while True:
        begin = source.tell()
        try:
            game = chess.pgn.read_game(source)
        except IndexError:  # python-chess 1.11 fails after an illegal move in a variation.
            line += text[begin : source.tell()].count("\n")
            continue
        if game is None:
            return
        part = text[begin : source.tell()]
        yield line, part, game
        line += part.count("\n")


def chess_file(program, path, count):
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    games = [game for game in chess_games(text) if game[1].strip()]
    if not games:
        return
    found, faults = last_positions(program, "pgn", raw)
    # If the numbers of games differ, positions and games cannot be matched, so each game is read separately.
    is_aligned = len(found) == len(games)
    lines = [int(match.group(1)) for match in (re.search(r"line (\d+), ", fault) for fault in faults) if match]
    for number, (line, part, game) in enumerate(games):
        variant = game.headers.get("Variant", "").lower()
        if variant not in STANDARD:
            count.variants += 1
            continue
        if is_aligned:
            end = line + part.count("\n")
            here = [fault for at, fault in zip(lines, faults) if line <= at < end or at == line]
            position = [found[number]]
        else:
            position, here = last_positions(program, "pgn", part.encode())
            # If there is no empty line between two games, python-chess adds the second game's tags to the first game's text.
            position = position[:1]
        if game.errors:
            count.faulty += 1
            count.only += not here
        elif game.next() is None:
            count.empty += 1
        else:
            fen = game.end().board().fen(en_passant="legal")
            text = f"{position} instead of {fen}: {part[-80:]!r}"
            count.compare(path.name, position == [fen], here, text)


def squares(fen):
    """Returns the side to move, and the men and kings of both sides, of a draughts FEN."""
    side, *parts = fen.strip().rstrip(".").split(":")
    pieces = {}
    for part in parts[:2]:
        for item in filter(None, part[1:].split(",")):
            kind = "K" if item.startswith("K") else "M"
            first, _, last = item.lstrip("K").partition("-")
            for square in range(int(first), int(last or first) + 1):
                pieces[square] = part[0] + kind
    return side, sorted(pieces.items())


def draughts_file(program, path, count):
    raw = path.read_bytes()
    text = raw.decode("utf-8-sig", errors="replace").replace("\r", "")
    for part in re.split(r"\n\s*\n(?=\s*\[)", text):
        part = part.strip()
        if not part:
            continue
        kind = re.search(r'\[GameType\s+"(\d+)', part)
        if kind and kind.group(1) != "20":
            count.variants += 1
            continue
        try:
            game = PDNReader(pdn_text=part).games[0]
            fen = game.tags.get("FEN")
            board = Board("standard", fen) if fen else Board("standard")
            for move in game.moves[1 if fen and fen.startswith("B") else 0 :]:
                legal = {m.pdn_move for m in board.legal_moves()}
                if move not in legal and "x" not in move:
                    raise ValueError(f"{move} is not legal")
                board.push(Move(board, pdn_move=move))
        except Exception:  # pydraughts raises many kinds of exceptions.
            game = None
        found, faults = last_positions(program, "pdn", part.encode())
        if game is None:
            count.faulty += 1
            count.only += bool(found) and not faults
        elif not game.moves:
            count.empty += 1
        else:
            is_equal = len(found) == 1 and squares(found[0]) == squares(board.fen)
            count.compare(path.name, is_equal, faults, f"{found} instead of {board.fen}: {part[-80:]!r}")


def epd_file(program, path, count):
    for line in path.read_bytes().decode("utf-8-sig", errors="replace").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        board = chess.Board()
        try:
            board.set_epd(line)
            assert board.is_valid()
        except Exception:  # python-chess raises ValueError, AssertionError and IndexError.
            count.faulty += 1
            continue
        count.lines.append((path.name, line, board.fen(en_passant="legal")))


def epd_lines(program, folder, count):
    """Reads all EPD lines in one run, because each of them is a position of its own."""
    if not count.lines:
        return
    joined = folder / "all.epd"
    joined.write_text("\n".join(line for _, line, _ in count.lines) + "\n")
    done = subprocess.run([program, "convert", "--to", "fen", joined], capture_output=True, timeout=600)
    faults = {int(m.group(1)): m.group(0) for m in re.finditer(r"line (\d+): .*", done.stderr.decode())}
    found = iter(done.stdout.decode().splitlines())
    for number, (name, line, fen) in enumerate(count.lines, 1):
        here = [faults[number]] if number in faults else []
        position = None if here else next(found, None)
        count.compare(name, position == fen, here, f"{position} instead of {fen}: {line}")


def main():
    folder, program = Path(sys.argv[1]), sys.argv[2]
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    counts = collections.defaultdict(Count)
    readers = {".pgn": ("PGN", chess_file), ".pdn": ("PDN", draughts_file), ".epd": ("EPD", epd_file)}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in readers:
            name, reader = readers[path.suffix.lower()]
            reader(program, path, counts[name])
    with tempfile.TemporaryDirectory() as temporary:
        epd_lines(program, Path(temporary), counts["EPD"])
    for name, count in counts.items():
        count.show(name)
    sys.exit(any(count.different for count in counts.values()))


main()
