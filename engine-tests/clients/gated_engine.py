"""A UCI or Hub engine with a gate: its moves are held back until a test releases them. A test can therefore inspect
a stable state on any machine.

Usage: python engine-tests/clients/gated_engine.py FOLDER NAME PROGRAM [ARGUMENT...]

The files NAME-white and NAME-black in FOLDER contain the number of moves that the engine may make in a game with
that colour. If the file is missing, the engine makes no moves. The time of the engine's last move, in seconds since
1970, is written to NAME-moved.
"""

import os
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

ALL = 1_000_000


def write(path, value):
    """Writes a file atomically."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_text(str(value))
    new.replace(path)


class Gates:
    """The gates of several engines, controlled by a test."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def command(self, name, *program):
        """Returns the command of an engine behind a gate."""
        return shlex.join([sys.executable, __file__, str(self.folder), name, *program])

    def let(self, name, white=None, black=None):
        """Lets an engine make this many moves in a game; None leaves the gate of a colour unchanged."""
        for colour, moves in [("white", white), ("black", black)]:
            if moves is not None:
                write(self.folder / f"{name}-{colour}", moves)

    def moved(self, name):
        """Returns the time of an engine's last move."""
        return float((self.folder / f"{name}-moved").read_text())


class Gate:
    """The gate of one engine, which follows the state of its game."""

    def __init__(self, folder, name):
        self.folder, self.name = Path(folder), name
        self.colour, self.made = "white", 0
        self.stopped = threading.Event()

    def hear(self, line):
        """Handles a line sent to the engine."""
        if line.startswith(("ucinewgame", "new-game")):
            self.made = 0
        elif line.startswith("pos"):
            start, _, moves = line.partition("moves")
            black_first = " b " in start or "pos=B" in start
            self.colour = ["white", "black"][(black_first + len(moves.strip("= \"\n").split())) % 2]
        elif line.startswith("go"):
            self.stopped.clear()
        elif line.startswith("stop"):
            self.stopped.set()

    def allowed(self):
        try:
            return int((self.folder / f"{self.name}-{self.colour}").read_text())
        except FileNotFoundError:
            return 0

    def wait(self):
        """Waits until the engine may move or must stop."""
        while self.made >= self.allowed() and not self.stopped.is_set():
            time.sleep(0.01)
        self.made += 1


def main(folder, name, *command):
    gate = Gate(folder, name)
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def speak():
        for line in engine.stdout:
            if line.startswith(("bestmove", "done")):
                gate.wait()
                write(gate.folder / f"{gate.name}-moved", time.time())
            print(line, end="", flush=True)

    threading.Thread(target=speak, daemon=True).start()
    for line in sys.stdin:
        gate.hear(line)
        engine.stdin.write(line)
        engine.stdin.flush()
        if line.strip() == "quit":
            break
    engine.kill()
    # The other thread may be waiting at the gate.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
