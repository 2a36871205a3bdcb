"""Kills Adoube at random moments on a small disk that fills up, and checks that nothing acknowledged is lost.

Usage: python engine-tests/clients/kills.py target/release/adoube [KILLS [SEED]]
(needs Linux, and permission to mount a tmpfs; without it a plain folder is used, which never fills up)

Seven jobs take turns, 200 kills in all by default: a game on the board, an arbiter's log, training, tuning, data
generation, analysis, and a match. Each run continues with the files of the previous runs. At random moments another
file fills the disk and is removed again, and then the job is killed with SIGKILL. An item counts as acknowledged if the
job has shown a move as saved, printed a line, or written a complete line of a journal. The next run must have all of
the acknowledged items. A loss is reported and is an error.
"""

import base64
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

DISK = "6m"


class Lost(Exception):
    """An acknowledged item is missing."""


class Job:
    """A job with its own folder. Subclasses start the job, and compare the acknowledged items with the stored items."""

    def __init__(self, adoube, disk, rng):
        self.adoube, self.rng = adoube, rng
        self.folder = disk / type(self).__name__.lower()
        self.kills, self.acknowledged = 0, 0
        self.reset()

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def spawn(self, *args):
        return subprocess.Popen([self.adoube, *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=self.folder)

    def output(self, *args, fails=False):
        found = subprocess.run([self.adoube, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True,
                               text=True, cwd=self.folder, timeout=300)
        if found.returncode != 0 and not fails:
            raise Lost(f"{' '.join(map(str, args))}: {found.stderr.strip()}")
        return found.stdout


class Lines:
    """The lines of an output so far."""

    def __init__(self, stream):
        self.lines = []
        self.thread = threading.Thread(target=lambda: self.lines.extend(line.decode() for line in stream), daemon=True)
        self.thread.start()

    def whole(self):
        self.thread.join(5)
        return [line for line in self.lines if line.endswith("\n")]


class Batch(Job):
    """A command-line job that resumes from its files."""

    def run(self, wait):
        command, before = self.command(), self.state()
        process = self.spawn(*command)
        out, err = Lines(process.stdout), Lines(process.stderr)
        wait(process)
        self.stop(process)
        process.kill()
        process.wait()
        self.kills += 1
        said = out.whole(), err.whole()
        for line in said[1]:
            if "panicked" in line:
                raise Lost(line)
        at_kill, printed = self.state(), self.printed(*said)
        self.compare(before, at_kill, printed)

    def compare(self, before, after, printed):
        """Compares the stored items before and after a run. `printed` is the number of items in the output."""
        if after[:len(before)] != before:
            raise Lost(f"{len(before)} stored items became {len(after)}")
        if len(after) < printed:
            raise Lost(f"{printed} items were printed, {len(after)} are stored")
        self.acknowledged += len(after) - len(before)

    def printed(self, out, err):
        return 0

    def stop(self, process):
        pass


def whole_lines(path):
    text = path.read_bytes() if path.exists() else b""
    return text.split(b"\n")[:-1]


class Training(Batch):
    """Training acknowledges a pass by printing a line. The next run must begin with the next pass."""

    passes = 0

    def command(self):
        data = self.folder / "data.agr"
        if not data.exists():
            self.output("datagen", "--games", 30, "--nodes", 60, "--threads", 1, "--out", data)
        return "train", "--data", data, "--threads", 1, "--hidden", 32, "--passes", 100_000, "--batch", 1024, \
            "--out", self.folder / "n.net"

    def state(self):
        return []

    def compare(self, before, after, passes):
        if not passes:
            return
        # A pass is stored before it is printed, so the kill can come between the two.
        if passes[0] not in (self.passes + 1, self.passes + 2):
            raise Lost(f"after pass {self.passes} comes pass {passes[0]}")
        self.acknowledged += len(passes)
        self.passes = passes[-1]

    def printed(self, out, err):
        found = (re.search(r"pass (\d+): training", line) for line in err)
        passes = [int(match[1]) for match in found if match]
        if not passes and any("error" in line for line in err) and not any("No space" in line for line in err):
            raise Lost("".join(err))
        return passes

    def reset(self):
        super().reset()
        self.passes = 0

    def run(self, wait):
        super().run(wait)
        stored = self.folder / "n.net.checkpoint"
        before = self.folder / "n.net.checkpoint.before"
        if self.passes and not stored.exists() and not before.exists():
            raise Lost("no checkpoint is left")


class Tuning(Batch):
    def command(self):
        return "tune", "search", "--pairs", 1_000_000, "--nodes", 60, "--threads", 1, "--out", self.folder / "t"

    def state(self):
        return whole_lines(self.folder / "t")

    def run(self, wait):
        super().run(wait)
        pairs = len(self.state()) - 1
        if pairs > 0 and f"after {pairs} game pair" not in (shown := self.output("tune", "show", "t")):
            raise Lost(f"{pairs} pairs are stored, but tune show says: {shown.splitlines()[-1:]}")


class Data(Batch):
    def command(self):
        return "datagen", "--game", "draughts", "--games", 1_000_000, "--nodes", 60, "--threads", 1, "--out", self.folder / "d.agr"

    def state(self):
        path = self.folder / "d.agr"
        if not path.exists() or path.stat().st_size == 0:
            return []
        found = subprocess.run([self.adoube, "datagen", "inspect", path], capture_output=True, text=True)
        games = re.search(r"^ *games +([\d,]+)", found.stdout, re.MULTILINE)
        return [None] * int(games[1].replace(",", "")) if games else []

    def stop(self, process):
        # Games are written in blocks of many games, and when the run is interrupted.
        if self.rng.random() < 0.5:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(self.rng.uniform(0.5, 3))
            except subprocess.TimeoutExpired:
                pass


class Analysis(Batch):
    def command(self):
        games = self.folder / "games.pgn"
        if not games.exists():
            # The games must differ, because equal games would share a journal entry.
            pawns = [file + rank for file in "bdefg" for rank in "36 45".split()]
            texts = [f'[White "{white} {black}"]\n\n1. {white[0]}{white[1]} {black[0]}{black[2]} 2. {knight} {other} *\n\n'
                     for white in pawns for black in pawns for knight in ("Na3", "Nh3") for other in ("Na6", "Nh6")]
            self.rng.shuffle(texts)
            games.write_text("".join(texts))
        return "analyse", "--nodes", 3000, "--journal", self.folder / "j", games

    def state(self):
        return whole_lines(self.folder / "j")

    def printed(self, out, err):
        return sum(line.startswith("[White ") for line in out) + 1 if out else 0


class Match(Batch):
    def command(self):
        if (self.folder / "m" / "config.json").exists():
            return "match", "--resume", self.folder / "m"
        engine = f"cmd={self.adoube},option.Hash=1"
        return "match", "--engine", f"{engine},name=a", "--engine", f"{engine},name=b", "--nodes", 30, \
            "--games", 100_000, "--max-moves", 20, "--dir", self.folder / "m", "--events", self.folder / "events"

    def state(self):
        return whole_lines(self.folder / "m" / "games.jsonl")

    def printed(self, out, err):
        return sum(b'"game-ended"' in line for line in whole_lines(self.folder / "events"))


class Tab:
    """A WebSocket connection to the board."""

    def __init__(self, address):
        port, path = re.match(r"http://127.0.0.1:(\d+)(/\S*)", address).groups()
        self.socket = socket.create_connection(("127.0.0.1", int(port)), timeout=30)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path}live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
            .encode())
        while self.stream.readline().strip():
            pass

    def send(self, **what):
        text = json.dumps(what).encode()
        length = bytes([128 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
        self.socket.sendall(b"\x81" + length + bytes(4) + text)

    def hear(self):
        head = self.stream.read(2)
        if len(head) < 2:
            raise ConnectionError
        size = head[1] & 127
        if size >= 126:
            form, count = (">H", 2) if size == 126 else (">Q", 8)
            size = struct.unpack(form, self.stream.read(count))[0]
        text = self.stream.read(size)
        if len(text) < size or head[0] & 15 == 8:
            raise ConnectionError
        return json.loads(text)

    def until(self, *kinds):
        while (message := self.hear())["say"] not in kinds:
            pass
        return message


class Board(Job):
    """Two people play on the board. A move is acknowledged when the server sends a board with the move and without the
    flag `unsaved`."""

    id, stored = None, []

    def reset(self):
        super().reset()
        self.id, self.stored = None, []

    def run(self, wait):
        process = self.spawn("board", "--port", 0, "--journal", self.folder)
        address = process.stdout.readline().decode().split()[-1]
        failure = []

        def talk():
            try:
                tab = Tab(address)
                tab.until("welcome")
                self.play(tab)
            except (ConnectionError, OSError, ValueError):
                pass
            except Exception as error:  # Reported by the main thread.
                failure.append(error)
        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        wait(process)
        process.kill()
        thread.join(30)
        process.wait()
        self.kills += 1
        if failure:
            raise failure[0]
        if "panicked" in (text := process.stderr.read().decode()):
            raise Lost(text)

    def resume(self, tab):
        tab.send(ask="resume", id=self.id)
        message = tab.until("board", "refused")
        if message["say"] == "refused":
            raise Lost(f"{len(self.stored)} items: {message['why']}")
        shown = self.items(message)
        if shown[:len(self.stored)] != self.stored:
            raise Lost(f"{len(self.stored)} items were saved, but the board shows {len(shown)} items")
        return message

    def begin(self, tab):
        """Returns the first board of a new game, or None while the disk is full."""
        self.id, self.stored = None, []
        tab.send(**self.new())
        message = tab.until("board", "refused")
        if message["say"] == "refused":
            time.sleep(0.05)
            return None
        self.id = message["id"]
        return message

    def play(self, tab):
        board = self.resume(tab) if self.stored else None
        while True:
            if board is None or self.is_over(board):
                board = self.begin(tab)
                continue
            items = self.items(board)
            if not board.get("unsaved"):
                self.acknowledged += max(len(items) - len(self.stored), 0)
                self.stored = items
            for request in self.requests(board):
                tab.send(**request)
                message = tab.until("board", "refused")
                board = message if message["say"] == "board" else board
            time.sleep(0.002)

    def new(self):
        return {"ask": "new", "terms": {"game": self.rng.choice(["chess", "draughts"]), "you": None, "time": "-"}}

    def items(self, board):
        return [ply["text"] for ply in board["plies"]]

    def is_over(self, board):
        return bool(board["ending"]) or len(board["plies"]) > 150

    def requests(self, board):
        return [{"ask": "move", "text": self.rng.choice(board["legal"])["text"]}]


class Desk(Board):
    """An arbiter writes the log of a game. An event that cannot be saved is refused."""

    def new(self):
        return {"ask": "arbitrate", "terms": {"edition": "fide-2023", "rules": 'time = "90m"'}}

    def items(self, board):
        return [event["line"] for event in board["referee"]["events"]]

    def requests(self, board):
        move = {"ask": "move", "text": self.rng.choice(board["legal"])["text"]} if board["legal"] else None
        press = board["referee"]["presses"]
        return [{"ask": "event", "line": f"{press} press"}] if press else [move]


def fill(disk, rng, until):
    """Fills the disk at random moments and empties it again, until `until` is set."""
    ballast = disk / "ballast"
    while not until.wait(rng.uniform(0.05, 0.6)):
        try:
            with open(ballast, "wb") as file:
                while True:
                    file.write(bytes(rng.choice([512, 4096, 65536])))
                    file.flush()
        except OSError:
            pass
        until.wait(rng.uniform(0.02, 0.5))
        ballast.unlink(missing_ok=True)
    ballast.unlink(missing_ok=True)


def main():
    adoube = str(Path(sys.argv[1]).resolve())
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    disk = Path(tempfile.mkdtemp(prefix="adoube-kills-"))
    is_small = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", disk], stderr=subprocess.DEVNULL)
    is_small = is_small.returncode == 0
    print(f"{kills} kills on {f'a disk of {DISK}' if is_small else 'a disk that never fills up'}")
    lost = 0
    try:
        jobs = [kind(adoube, disk, rng) for kind in (Board, Desk, Training, Tuning, Data, Analysis, Match)]
        for number in range(kills):
            job = jobs[number % len(jobs)]
            end = threading.Event()
            filler = threading.Thread(target=fill, args=(disk, rng, end), daemon=True)
            moment = rng.uniform(0.1, 3.0) * (2 if isinstance(job, (Data, Match)) else 1)
            fills = is_small and rng.random() < 0.7

            def wait(process, moment=moment, fills=fills, filler=filler):
                if fills:
                    filler.start()
                try:
                    process.wait(moment)
                except subprocess.TimeoutExpired:
                    pass

            try:
                job.run(wait)
            except (Lost, subprocess.TimeoutExpired) as error:
                lost += 1
                print(f"kill {number + 1}, {type(job).__name__}: {error}")
                job.reset()
            end.set()
            if fills:
                filler.join()
            (disk / "ballast").unlink(missing_ok=True)
            if sum(file.stat().st_size for file in job.folder.rglob("*") if file.is_file()) > 1 << 20:
                job.reset()
        for job in jobs:
            print(f"{type(job).__name__:10} {job.kills:4} kills {job.acknowledged:6} acknowledged")
        left = [path for path in disk.rglob("*.new")]
        print(f"{lost} losses, {len(left)} unfinished replacements left")
    finally:
        if is_small:
            subprocess.run(["umount", disk])
        shutil.rmtree(disk, ignore_errors=True)
    return 1 if lost else 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
