"""Draws the README's picture: the full-screen view of a match, as SVG.

    python3 -m venv target/picture && target/picture/bin/pip install pyte
    target/picture/bin/python engine-tests/support/match_picture.py target/release/adoube > .github/match.svg

The match is played in a terminal of its own, whose screen is drawn after some seconds.
"""

import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from html import escape

import pyte

COLUMNS, ROWS, SECONDS = 86, 25, 60
WIDE, HIGH = 8.0, 17.0
BACKGROUND, FOREGROUND = "#1b1f24", "#d0d7de"
# `0000ee` is what pyte makes of the fifth colour by number.
NAMED = {
    "black": "#1b1f24", "red": "#e5534b", "green": "#57ab5a", "brown": "#c69026",
    "blue": "#539bf5", "0000ee": "#539bf5", "magenta": "#b083f0", "cyan": "#39c5cf", "white": "#d0d7de",
}


def screen_of(program):
    """The terminal's screen when the match has run for a while."""
    engine = f"cmd={program},option.Hash=16"
    command = [
        program, "match", "--tui", "--engine", f"{engine},name=Adoube", "--engine",
        f"{engine},name=half the nodes,nodes=10000", "--nodes", "20000",
        "--games", "200", "--concurrency", "3", "--seed", "7",
    ]
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    match = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=environment,
        start_new_session=True,
    )
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if select.select([ours], [], [], 0.1)[0]:
            stream.feed(os.read(ours, 1 << 16))
    match.kill()
    match.wait()
    return screen


def colour(name, default):
    if name == "default":
        return default
    return NAMED.get(name, f"#{name}")


def runs(screen, row, style):
    """The row's cells in runs of one style: first column, text, style."""
    found = []
    for column in range(COLUMNS):
        cell = screen.buffer[row][column]
        if found and found[-1][2] == style(cell):
            found[-1][1] += cell.data
        else:
            found.append([column, cell.data, style(cell)])
    return found


def background(cell):
    swapped = cell.fg if cell.reverse else cell.bg
    return colour(swapped, FOREGROUND if cell.reverse else BACKGROUND)


def ink(cell):
    swapped = cell.bg if cell.reverse else cell.fg
    return colour(swapped, BACKGROUND if cell.reverse else FOREGROUND), cell.bold


def svg(screen):
    width, height = COLUMNS * WIDE, ROWS * HIGH
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">'
    )
    yield f'<rect width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>'
    for row in range(ROWS):
        for column, text, fill in runs(screen, row, background):
            if fill != BACKGROUND:
                yield (
                    f'<rect x="{column * WIDE:g}" y="{row * HIGH:g}" width="{len(text) * WIDE:g}" '
                    f'height="{HIGH:g}" fill="{fill}"/>'
                )
        for column, text, (fill, bold) in runs(screen, row, ink):
            start = len(text) - len(text.lstrip())
            text = text.strip()
            if text:
                # A place for each character: fonts differ in the width of the chess pieces.
                places = " ".join(f"{(column + start + i) * WIDE:g}" for i in range(len(text)))
                if text.isascii():
                    places = f'{(column + start) * WIDE:g}" textLength="{len(text) * WIDE:g}'
                weight = ' font-weight="bold"' if bold else ""
                yield (
                    f'<text x="{places}" y="{(row + 0.76) * HIGH:g}" fill="{fill}"{weight} '
                    f'xml:space="preserve">{escape(text)}</text>'
                )
    yield "</svg>"


print("\n".join(svg(screen_of(os.path.abspath(sys.argv[1])))))
