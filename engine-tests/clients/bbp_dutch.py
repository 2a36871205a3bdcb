"""Compares the pairings of `adoube tournament` with those of bbpPairings, in random Swiss tournaments.

Each tournament is played through the command line: players register, some ask for byes, stay away, arrive late,
withdraw or forfeit, and some pairs must not meet. A third of the tournaments use points other than 1, 1/2 and
0. Before each round bbpPairings pairs the same file; both must agree on every pair and every colour, and on whether a
pairing exists. At the end, bbpPairings checks the whole file.

Usage: python engine-tests/clients/bbp_dutch.py target/release/adoube BBP_PAIRINGS [COUNT] [FIRST]
(BBP_PAIRINGS is the program built from https://github.com/BieremaBoyzProgramming/bbpPairings, version 6 or later;
COUNT tournaments, 500 by default, with the seeds from FIRST on, 1 by default; KEEP=DIR saves files that differ)
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

# Layout of a player's line: the columns at which the points and the first round start, and the width of a round.
POINTS, ROUNDS, WIDTH = 80, 89, 10
# Point systems: the name, the points for a win, a draw and a loss, and the points for a pairing-allocated bye.
SYSTEMS = [("3-1-0", 3, 1, 0, 3), ("3-1-0", 3, 1, 0, 1), ("2-1-0", 2, 1, 0, 2), ("3-2-1", 3, 2, 1, 2)]


def run(*command, accept=(0,)):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode in accept, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def entries(line):
    """Returns the rounds of a player as columns of text."""
    line = line.rstrip("\n")
    return [line[at:at + WIDTH].ljust(WIDTH) for at in range(ROUNDS, len(line), WIDTH)]


def players(text):
    """Returns the lines of the players by number."""
    return {int(line[4:8]): line for line in text.splitlines() if line.startswith("001")}


def replaced(text, change):
    """Replaces each player's rounds with the result of `change(number, rounds)`."""
    lines = []
    for line in text.splitlines():
        if line.startswith("001"):
            line = line.ljust(ROUNDS)[:ROUNDS] + "".join(change(int(line[4:8]), entries(line))).rstrip()
        lines.append(line)
    return "\n".join(lines) + "\n"


def values(win, draw, loss, bye):
    """Returns the points for each result letter."""
    return {**dict.fromkeys("1W+F", win), **dict.fromkeys("=DH", draw), **dict.fromkeys("0L", loss), "U": bye}


def before(text, number, points_of):
    """Returns the file as it was before a round was paired: without the round's games, but with its announced byes."""
    def change(_, rounds):
        rounds = (rounds + [" " * WIDTH] * number)[:number]
        paired = rounds[-1][2:6] not in ("0000", "    ") or rounds[-1][9:10] == "U"
        return rounds[:-1] if paired or not rounds[-1].strip() else rounds
    text = replaced(text, change)
    lines = []
    for line in text.splitlines():
        if line.startswith("001"):
            points = sum(points_of.get(entry[9:10], 0) for entry in entries(line)[:number - 1])
            line = f"{line[:POINTS]}{points:4.1f}{line[POINTS + 4:]}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def pairing(text, number):
    """Returns the games of a round as (white, black), and the player with the bye as (player, 0)."""
    games = set()
    for player, line in players(text).items():
        rounds = entries(line)
        entry = rounds[number - 1] if len(rounds) >= number else ""
        if entry[9:10] == "U":
            games.add((player, 0))
        elif entry[7:8] == "w":
            games.add((player, int(entry[2:6])))
    return games


class Tournament:
    """A tournament with random players and events."""

    def __init__(self, adoube, bbp, seed, folder):
        self.adoube, self.bbp, self.seed = adoube, bbp, seed
        self.random = random.Random(seed)
        self.file, self.counts = folder / f"{seed}.trf", Counter()
        self.size = self.random.choice([self.random.randint(4, 12), self.random.randint(8, 40),
                                        self.random.randint(30, 90)])
        self.rounds = self.random.randint(1, min(11, max(1, self.size * 2 // 3)))
        # The probability of an irregularity; zero in a quarter of the tournaments.
        self.trouble = self.random.choice([0, 0.02, 0.05, 0.15])
        self.withdrawn, self.arrives = set(), {}
        self.points = self.random.choice(SYSTEMS) if self.random.random() < 1 / 3 else None
        self.points_of = values(*(self.points[1:] if self.points else (1, 0.5, 0, 1)))

    def start(self):
        people, ratings = self.file.with_suffix(".csv"), sorted(self.random.sample(range(1000, 2800), self.size))
        people.write_text("".join(f"Player {rating};{rating}\n" for rating in ratings))
        run(self.adoube, "tournament", "new", self.file, people, "--rounds", self.rounds,
            *(["--points", self.points[0]] if self.points else []))
        text = self.file.read_text()
        if self.points:
            self.counts["with other points"] += 1
            win, bye = self.points[1], self.points[4]
            text = text.replace(f"P {win}.0\n", f"P {bye}.0\n").replace(f"PAB={win}\n", f"PAB={bye}\n")
        if self.random.random() < 0.5:
            text = text.replace("XXC white1", "XXC black1")
        if self.trouble and self.random.random() < 0.5:
            for _ in range(self.random.randint(1, max(1, self.size // 4))):
                pair = self.random.sample(range(1, self.size + 1), 2)
                self.counts["forbidden pairs"] += 1
                text = text.replace("001    1 ", f"XXP {pair[0]} {pair[1]}\n001    1 ")
        self.file.write_text(text)
        for player in range(1, self.size + 1):
            if self.random.random() < self.trouble / 2:
                self.arrives[player] = self.random.randint(2, self.rounds + 1)

    def announced(self, number):
        """Returns the absent players of a round, the players with half-point byes, and players with full-point byes."""
        absent = {player for player, arrival in self.arrives.items() if number < arrival} | self.withdrawn
        half, full = set(), set()
        for player in set(range(1, self.size + 1)) - absent:
            if self.random.random() < self.trouble:
                kind = self.random.choice(["absent", "absent", "half", "half", "full", "withdraws"])
                if kind == "withdraws":
                    self.withdrawn.add(player)
                {"half": half, "full": full}.get(kind, absent).add(player)
        return absent, half, full

    def play(self):
        """Plays the tournament. Returns the difference found, if any."""
        self.start()
        for number in range(1, self.rounds + 1):
            absent, half, full = self.announced(number)
            if self.size - len(absent | half | full) < 2:
                return None
            if full:
                text = self.file.read_text()
                self.file.write_text(replaced(text, lambda n, rounds: rounds + ["  0000 - F"] * (n in full)))
            arguments = []
            for option, chosen in [("--absent", absent), ("--half-bye", half)]:
                arguments += [option, ",".join(map(str, sorted(chosen)))] if chosen else []
            done = run(self.adoube, "tournament", "pair", self.file, *arguments, accept=(0, 1))
            legal = done.returncode == 0
            if not legal:
                assert "no legal pairing exists" in done.stderr, done.stderr
                # Store the announced byes, which bbpPairings must know.
                run(self.adoube, "tournament", "pair", self.file, *arguments, "--force")
            ours = pairing(self.file.read_text(), number)
            question, answer = self.file.with_suffix(".before"), self.file.with_suffix(".pairs")
            question.write_text(before(self.file.read_text(), number, self.points_of))
            theirs = run(self.bbp, "--dutch", question, "-p", answer, accept=(0, 1))
            if theirs.returncode == 1:
                if legal:
                    return f"round {number}: only Adoube finds a pairing: {sorted(ours)}"
                # The Handbook leaves a round without a legal pairing to the arbiter (1.9.3).
                self.counts["rounds without a legal pairing"] += 1
                return None
            lines = answer.read_text().splitlines()[1:]
            expected = {tuple(map(int, line.split())) for line in lines if line.strip()}
            if ours != expected or not legal:
                return (f"round {number}: only Adoube: {sorted(ours - expected)}, only bbpPairings: "
                        f"{sorted(expected - ours)}{done.stderr}")
            self.counts.update({"rounds": 1, "games": sum(black > 0 for _, black in ours), "absences": len(absent),
                                "byes of the pairing": sum(black == 0 for _, black in ours),
                                "half-point and full-point byes": len(half | full)})
            self.enter(number)
        return self.checked()

    def enter(self, number):
        boards = run(self.adoube, "tournament", "round", self.file, "--csv").stdout.splitlines()[1:]
        results = []
        for row in boards:
            _, board, white, _, _, black, _ = row.split(",")
            if not board:
                continue
            if self.random.random() < self.trouble:
                result = self.random.choice(["+-", "-+", "--"])
                self.counts["forfeits"] += 1
            else:
                edge = 40 * (int(black) - int(white)) / self.size
                chance = self.random.uniform(0, 100) + edge
                result = "0-1" if chance < 35 else "1/2" if chance < 65 else "1-0"
            results.append(f"{board}:{result}")
        run(self.adoube, "tournament", "enter", self.file, *results)

    def checked(self):
        """Has bbpPairings check every round of the finished tournament."""
        text = run(self.bbp, "--dutch", self.file, "-c").stdout
        if "discrepanc" in text.lower() or "Checker pairings" in text:
            return f"the checker finds:\n{text}"
        return None


def main(adoube, bbp, count=500, first=1):
    counts, differences = Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(first), int(first) + int(count)):
            tournament = Tournament(adoube, bbp, seed, Path(folder))
            if difference := tournament.play():
                differences.append(f"seed {seed} ({tournament.size} players, {tournament.rounds} rounds): {difference}")
                print(differences[-1], flush=True)
                if keep := os.environ.get("KEEP"):
                    for path in Path(folder).glob(f"{seed}.*"):
                        shutil.copy(path, keep)
            counts.update(tournament.counts)
            counts["tournaments"] += 1
    print(", ".join(f"{number} {name}" for name, number in counts.items()))
    for name in ["absences", "half-point and full-point byes", "forfeits", "forbidden pairs", "byes of the pairing"]:
        assert counts[name] > 0 or int(count) < 100, f"no {name}"
    assert not differences, f"{len(differences)} tournaments differ"
    print(f"{counts['tournaments']} tournaments: every round is paired as bbpPairings pairs it")


if __name__ == "__main__":
    main(*sys.argv[1:])
