"""Measures the cost of fifty spectators of `adoube match --serve`: processor time of the server, and time charged to the
games' clocks.

Usage: python engine-tests/clients/spectators.py target/release/adoube [SPECTATORS [SECONDS]]
(needs `pip install chess websockets`, and Linux)

A match with four concurrent games is played for some seconds, first without and then with the spectators. Its engines
sleep for 50 ms and play a random move, so that all boards change at every tick and the processors are idle. The figures
are the share of a core used by the server thread, and the time that the match charges for a move. Exceeding a bound is
reported and is an error.
"""

import asyncio
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess
import websockets

MOVE = 0.05
# Bounds on the server's share of a core, and on the extra time that spectators cost per move, in seconds.
MOST_TIME, MOST_DELAY = 0.05, 0.001


def engine():
    """Runs a UCI engine that sleeps and then plays a random move."""
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("id name sleeper\nuciok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            start, _, moves = line.partition("moves")
            board = chess.Board() if "startpos" in start else chess.Board(start.split("fen", 1)[1].strip())
            for move in moves.split():
                board.push_uci(move)
        elif words[:1] == ["go"]:
            time.sleep(MOVE)
            move = random.choice(list(board.legal_moves))
            print(f"info depth 1 score cp 0 pv {move}\nbestmove {move}", flush=True)
        elif words[:1] == ["quit"]:
            return


def used(process):
    """Returns the processor time of a match in seconds: of the server thread, and of all threads."""
    def seconds(stat):
        fields = stat.read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    threads = Path(f"/proc/{process.pid}/task").iterdir()
    serving = sum(seconds(thread / "stat") for thread in threads if (thread / "comm").read_text() == "broadcast\n")
    return serving, seconds(Path(f"/proc/{process.pid}/stat"))


async def spectate(address, heard):
    """Watches like the page and counts the messages received."""
    live, origin = address.replace("http", "ws") + "live", re.match(r"http://[^/]+", address)[0]
    async with websockets.connect(live, origin=origin, compression=None) as socket:
        async for text in socket:
            heard[0] += 1
            heard[1] += len(text)


async def watched(process, address, spectators, seconds):
    """Measures the usage with this many spectators for this many seconds."""
    heard = [0, 0]
    tasks = [asyncio.create_task(spectate(address, heard)) for _ in range(spectators)]
    # Wait until all spectators are connected and the first games have started.
    await asyncio.sleep(3)
    assert not any(task.done() for task in tasks), [task.exception() for task in tasks if task.done()]
    began, before, heard_before = time.monotonic(), used(process), list(heard)
    await asyncio.sleep(seconds)
    passed, after = time.monotonic() - began, used(process)
    assert not any(task.done() for task in tasks), "spectators have been dropped"
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    rates = [(now - then) / passed for now, then in zip(heard, heard_before)]
    return [(now - then) / passed for now, then in zip(after, before)], rates


def measured(program, spectators, seconds):
    """Returns the shares of a core, the message rates, and the median time charged for a move."""
    with tempfile.TemporaryDirectory() as folder:
        games = f"{folder}/games.pgn"
        command = [program, "match", "--serve", "--tc", "3600", "--games", "100000", "--concurrency", "4",
                   "--openings", "random:2", "--pgn", games]
        for name in "ab":
            command += ["--engine", f"cmd={sys.executable} {__file__} engine,name={name}"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            address = next(filter(None, (re.search(r"Watch the match at (http://\S+)", line) for line in process.stderr)))[1]
            shares, rates = asyncio.run(watched(process, address, spectators, seconds))
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()
        times = [float(found) for found in re.findall(r"(\d+\.\d+)s, tl=", Path(games).read_text())]
    return shares, rates, times


def main(program, spectators=50, seconds=60):
    figures = {}
    for count in [0, int(spectators)]:
        (serving, whole), (messages, size), times = measured(program, count, float(seconds))
        figures[count] = serving, statistics.median(times)
        print(f"{count} spectators: the server {serving:.2%} of a core, the match {whole:.2%}; {messages:.0f} messages and "
              f"{size / 1000:.0f} kB a second; {len(times)} moves, {1000 * statistics.median(times):.2f} ms each", flush=True)
    (_, alone), (serving, together) = figures.values()
    missed = [text for is_missed, text in [
        (serving >= MOST_TIME, f"the server uses {serving:.2%} of a core, not less than {MOST_TIME:.0%}"),
        (together - alone >= MOST_DELAY, f"a move takes {1000 * (together - alone):.2f} ms longer"),
    ] if is_missed]
    sys.exit("\n".join(missed))


if __name__ == "__main__":
    engine() if sys.argv[1:] == ["engine"] else main(*sys.argv[1:])
