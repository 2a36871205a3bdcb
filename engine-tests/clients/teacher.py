"""Trains a small teacher on self-play games, then a network on the teacher's scores.

Usage: python engine-tests/clients/teacher.py target/release/adoube
(needs `pip install jax optax`)
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SCRIPT = Path(__file__).parents[2] / "src/tools/train/teacher.py"


def scores(records):
    return records[:, 24:26].copy().view("<i2")[:, 0].astype(float)


def main():
    adoube = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)

        def engine(*args, source=None):
            """Runs the engine with the contents of a file as input, and returns its output."""
            data = Path(source).read_bytes() if source else None
            ended = subprocess.run([adoube, *args], input=data, capture_output=True)
            assert ended.returncode == 0, ended.stderr.decode()
            return ended.stdout

        def teacher(*args):
            return subprocess.run([sys.executable, SCRIPT, *args], capture_output=True)

        engine("datagen", "--games", "2000", "--nodes", "50", "--out", "games.agr")
        Path("games.bin").write_bytes(engine("datagen", "export", "--to", "bulletformat", "games.agr"))
        small = ["--minutes", "0.3", "--channels", "16", "--blocks", "1", "--batch", "64", "--out", "teacher.npz"]
        trained = teacher("train", "games.bin", *small)
        assert trained.returncode == 0, trained.stderr.decode()
        losses = [float(x) for x in re.findall(r"held out (0\.\d+)", trained.stdout.decode())]
        held_out = np.fromfile("games.bin", np.uint8).reshape(-1, 32)
        held_out = held_out[-(len(held_out) // 20) :]
        targets = 0.7 / (1 + np.exp(-scores(held_out) / 120)) + 0.3 * held_out[:, 26] / 2
        # The error of a teacher that expects half a point in each position.
        untrained = np.square(targets - 0.5).mean()
        assert len(losses) == 10 and losses[-1] < 0.8 * untrained, (losses, untrained)
        continued = teacher("train", "games.bin", *small, "--from", "teacher.npz", "--minutes", "0.1")
        assert continued.returncode == 0, continued.stderr.decode()
        first = float(re.search(r"held out (0\.\d+)", continued.stdout.decode())[1])
        assert first < 1.2 * losses[-1], (first, losses)

        scored = teacher("score", "teacher.npz", "games.bin")
        assert scored.returncode == 0, scored.stderr.decode()
        Path("scored.bin").write_bytes(scored.stdout)
        before, after = (np.fromfile(name, np.uint8).reshape(-1, 32) for name in ("games.bin", "scored.bin"))
        assert (np.delete(before, [24, 25], 1) == np.delete(after, [24, 25], 1)).all()
        agreement = np.corrcoef(scores(before), scores(after))[0, 1]
        assert agreement > 0.5, agreement
        engine(
            *["datagen", "import", "--from", "bulletformat", "--program", "teacher", "--nodes", "1"],
            *["--seed", "1", "--out", "scored.agr"],
            source="scored.bin",
        )
        train = ["train", "--data", "scored.agr", "--result-share", "0", "--passes", "1", "--out", "net.bin"]
        table = engine(*train).decode()
        assert re.search(r"^ network +0\.\d+", table, re.M), table

        Path("cut.bin").write_bytes(b"x" * 33)
        refusals = [
            ["train", "cut.bin", *small],
            ["train", "games.bin", *small, "--minutes", "0"],
            ["train", "games.bin", *small, "--from", "teacher.npz", "--logistic", "100"],
            ["score", "teacher.npz", "cut.bin"],
            ["score", "none.npz", "games.bin"],
            ["score", "games.bin", "games.bin"],
        ]
        for args in refusals:
            refused = teacher(*args)
            assert refused.returncode in (1, 2) and b"Traceback" not in refused.stderr, refused.stderr.decode()
    print(f"teacher: held-out error fell from {untrained:.4f} to {losses[-1]:.4f}, correlation with the search {agreement:.2f}")


if __name__ == "__main__":
    main()
