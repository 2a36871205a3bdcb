"""Exchanges PDN files between Adoube and pydraughts.

Usage: python engine-tests/clients/pydraughts_pdn.py target/release/adoube   (needs `pip install pydraughts`)

pydraughts reads and replays games saved by `adoube dxp` and must reach the same result. Then `adoube suite` checks
every move: the positions before and after the move must be the positions that pydraughts computes.

In the other direction, `engine-tests/clients/pydraughts.pdn` contains random games written by pydraughts. The Cargo
tests read them with Adoube; this script checks that pydraughts still reads and writes the same games. With `--write`
instead of the program, it writes new games.

If a move number occurs twice, as in `1. 32-28 {good} 1... 19-23`, the reader of pydraughts 0.6.7 fails: it removes
every occurrence of `1.`, even within `11.` and `21.`. Adoube therefore writes each number once, as the standard allows.
If Black begins a game, pydraughts reads the first move twice; this script corrects that.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

from draughts import BLACK, WHITE, Board, Move
from draughts.PDN import PDNReader, PDNWriter

from pydraughts_moves import START, crowd

WRITTEN = Path(__file__).with_name("pydraughts.pdn")
RESULTS = {WHITE: "2-0", BLACK: "0-2", 0: "1-1", None: "*"}
# DXP sessions with two games each; the first two start from the start position.
SESSIONS = 12
# Timeout in seconds, longer than any session takes.
PATIENCE = 120


def pair(program, fen, folder):
    """Lets two Adoubes play two games from a position; returns the files of both."""
    common = [program, "dxp", "--pdn"]
    first, second = folder / "first.pdn", folder / "second.pdn"
    listen = [*common, first, "--listen", "0", "--depth", "1"]
    listener = subprocess.Popen(listen, stderr=subprocess.PIPE, text=True)
    try:
        port = listener.stderr.readline().rsplit(":", 1)[1].strip()
        connect = [*common, second, "--connect", port, "--initiate", "--games", "2", "--time", "0"]
        connect += ["--depth", "3", "--position", fen]
        subprocess.run(connect, stderr=subprocess.PIPE, timeout=PATIENCE, check=True)
        _, said = listener.communicate(timeout=PATIENCE)
        assert listener.returncode == 0, said
    finally:
        listener.kill()
    return [first, second]


def moves_of(game):
    """Returns the moves of a game read by pydraughts."""
    return game.moves[game.tags.get("FEN", START).startswith("B") :]


def replay(game, records):
    """Returns the board after a game read by pydraughts. Appends each of its moves to `records` as a line of a suite."""
    board = Board("standard", game.tags.get("FEN", START))
    for text in moves_of(game):
        before = board._game.get_li_fen()
        move = Move(board, pdn_move=text)
        board.push(move)
        records.append(f'{before} after {move.hub_move} "{board._game.get_li_fen()}";')
    return board


def from_adoube(program):
    """Reads Adoube's games with pydraughts."""
    rng = random.Random(2026)
    records, games, comments = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for session in range(SESSIONS):
            fen = START if session < 2 else crowd(rng)
            while not Board("standard", fen).legal_moves():
                fen = crowd(rng)
            session = Path(folder) / str(session)
            session.mkdir()
            texts = []
            for path in pair(program, fen, session):
                saved = path.read_text().split("[Event ")[1:]
                read = PDNReader(filename=str(path)).games
                assert len(read) == len(saved) == 2, path.read_text()
                texts.append([moves_of(game) for game in read])
                for game, text in zip(read, (" ".join(text.split()) for text in saved)):
                    result = RESULTS[replay(game, records).winner()]
                    # pydraughts can miss this draw, because it counts only king moves towards the five moves of 6.4.
                    if result == "*" and "draw by the move-count rules" in text:
                        result = "1-1"
                    assert result == game.game_ending == game.tags["Result"], text
                    games += 1
                    comments += text.count("{")
            assert texts[0] == texts[1], "the files of both sides differ"
        suite = Path(folder) / "games.epd"
        suite.write_text("\n".join(records) + "\n")
        subprocess.run([program, "suite", suite], check=True)
    assert len(records) > 20 * games and comments >= len(records) / 2, (len(records), comments)
    print(f"{games} games of adoube, {len(records)} moves, read by pydraughts")


def write(path, fen, moves, tags):
    ending = tags["Result"]
    PDNWriter(str(path), moves=moves, variant="standard", starting_fen=fen, tags=tags, game_ending=ending)


def from_pydraughts():
    """Checks that pydraughts reads and writes its stored games unchanged."""
    games = PDNReader(filename=str(WRITTEN)).games
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / "again.pdn"
        for game in games:
            board = replay(game, [])
            assert board._game.get_li_fen() == game.tags["Final"], game.pdn_text
            write(again, game.tags["FEN"], moves_of(game), game.tags)
        assert again.read_text() == WRITTEN.read_text()
    print(f"{len(games)} games of pydraughts, read and written unchanged")


def make():
    """Writes random games of at most 100 plies for `from_pydraughts`."""
    rng = random.Random(7)
    WRITTEN.unlink(missing_ok=True)
    for number in range(20):
        fen = START if number < 8 else crowd(rng)
        while not Board("standard", fen).legal_moves():
            fen = crowd(rng)
        board, moves = Board("standard", fen), []
        while not board.is_over() and len(moves) < 100:
            # Play the move that pydraughts reads from the text, because several captures may have the same text.
            text = rng.choice(board.legal_moves()).pdn_move
            board.push(Move(board, pdn_move=text))
            moves.append(text)
        result = RESULTS[board.winner()]
        if number % 2:
            result = {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2"}.get(result, result)
        tags = {"Event": f"random game {number + 1}", "Result": result}
        tags["Final"] = board._game.get_li_fen()
        write(WRITTEN, fen, moves, tags)


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        make()
    else:
        from_adoube(sys.argv[1])
        from_pydraughts()
